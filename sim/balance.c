// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load balancing: newidle with its gates, periodic and nohz along the domains,
 * active balancing, NUMA balancing; and the refresh of SIS_UTIL's budget, which
 * lives in the periodic balance of the LLC and so changes only every 16-256 ms.
 */
#include "sim/internal.h"

#define NR_LOOK		 32 /* threads of one queue that are looked at (sched_nr_migrate) */
#define RQ_LINES	 3  /* cache lines of a run queue that balancing reads */
#define MS		 1000000ULL
#define BUSY_FACTOR	 16 /* a busy CPU balances this much less often */
#define CACHE_NICE_TRIES 1  /* vain attempts before hot threads may go */

struct group_load {
	u32 weight, running, idle;
};

static const struct wk_domain *domain_of(const struct wk_sim *s, const struct wk_cpu *c, u32 level)
{
	return &s->topo->domain[s->topo->cid[c->cid].chain[level]];
}

static bool in_span(const struct wk_sim *s, struct wk_range span, s32 mask, u32 cid)
{
	return wk_range_has(span, cid) && (mask < 0 || wk_mask_test(&s->topo->xmask[mask], cid));
}

/* task_hot(): it ran here a moment ago. */
static bool is_hot(const struct wk_sim *s, const struct wk_thread *p)
{
	return p->exec_start_ns && s->now - p->exec_start_ns < s->cost->migration_cost_us * 1000ULL;
}

/*
 * Threads of one core share everything; farther away only after vain attempts
 * (cache_nice_tries).
 */
static bool may_pull_hot(const struct wk_cpu *c, const struct wk_domain *d, u32 level)
{
	u32 tries = d->flags & WK_SD_NUMA ? 2 : 1;

	return d->flags & WK_SD_SHARE_CPUCAPACITY || c->balance[level].failed > tries;
}

static struct wk_thread *pullable(struct wk_sim *s, struct wk_cpu *to, struct wk_cpu *from,
				  bool hot_ok)
{
	struct wk_tnode *n = wk_timeline_first(&from->queue);

	for (u32 i = 0; n && i < NR_LOOK; i++, n = wk_timeline_next(n)) {
		struct wk_thread *p = WK_THREAD_OF(n);

		if (!p->delayed && !p->on_cpu && wk_mask_allows(p->allowed, to->cid) &&
		    (hot_ok || !is_hot(s, p)))
			return p;
	}
	return NULL;
}

/* A queued thread changes its queue; both locks are held for the caller's time. */
static void move(struct wk_sim *s, struct wk_cpu *to, struct wk_cpu *from, struct wk_thread *p)
{
	struct wk_enqueue how = {.migrated = true};

	s->count->migrations[wk_tier(s, from->cid, to->cid)]++;
	wk_fair_dequeue(s, from, p, false);
	wk_fair_detach(s, from, p);
	p->cpu = to->cid;
	p->exec_start_ns = 0;
	wk_fair_enqueue(s, to, p, how);
}

static u32 pull(struct wk_sim *s, struct wk_cpu *to, struct wk_cpu *from, u32 max, bool hot_ok)
{
	struct wk_thread *p;
	u32 n = 0;

	while (n < max && wk_st(s, from)->nr_running >= 2 && (p = pullable(s, to, from, hot_ok))) {
		move(s, to, from, p);
		n++;
	}
	return n;
}

/* ---- newidle ---- */

/* The most crowded CPU of the span, looked for from @c on. */
static struct wk_cpu *most_crowded(struct wk_sim *s, const struct wk_cpu *c,
				   const struct wk_domain *d)
{
	const struct wk_mask *mask = d->mask >= 0 ? &s->topo->xmask[d->mask] : NULL;
	u32 end = d->span.first + d->span.len, at = c->cid + 1, best_nr = 1;
	struct wk_cpu *best = NULL;

	for (u32 part = 0; part < 2; part++) {
		struct wk_range r = part ? (struct wk_range){d->span.first, c->cid - d->span.first}
					 : (struct wk_range){at, end - at};
		s32 i;

		while (r.len && (i = wk_mask_first_and(&s->overloaded, mask, r)) >= 0) {
			if (s->st.cpu[i].nr_running > best_nr) {
				best_nr = s->st.cpu[i].nr_running;
				best = &s->cpu[i];
			}
			r.len -= (u32)i + 1 - r.first;
			r.first = (u32)i + 1;
		}
	}
	return best;
}

/*
 * update_sd_lb_stats(): of every run queue of the span its averages, its counts and its
 * current task.
 */
static u64 look_ns(const struct wk_sim *s, const struct wk_cpu *c, const struct wk_domain *d)
{
	u32 far = d->span.first == c->cid ? d->span.first + d->span.len - 1 : d->span.first;

	return 100 + (u64)d->weight * s->line_ns[wk_tier(s, c->cid, far)] * RQ_LINES / 1024;
}

static void remember_cost(struct wk_sim *s, struct wk_balance *b, u64 ns)
{
	if (ns > b->max_cost_ns) {
		b->max_cost_ns = ns;
		b->decay_ns = s->now + 1000 * MS;
	} else if (s->now > b->decay_ns) {
		b->max_cost_ns = b->max_cost_ns * 253 / 256;
		b->decay_ns = s->now + 1000 * MS;
	}
}

/* newidle_balance(): worth it only if someone is overloaded and idle periods are long enough. */
bool wk_newidle_begin(struct wk_sim *s, struct wk_cpu *c)
{
	const struct wk_cpu_state *st = wk_st(s, c);

	if (!s->nr_overloaded || !s->topo->cid[c->cid].nr_levels || st->pending ||
	    st->avg_idle_ns < c->balance[0].max_cost_ns)
		return false;
	s->count->balance_newidle++;
	c->newidle_level = 0;
	c->newidle_spent_ns = 0;
	return true;
}

/* What looking at the next level takes; 0: it is over, or work came by itself. */
u64 wk_newidle_look(struct wk_sim *s, struct wk_cpu *c)
{
	u32 levels = s->topo->cid[c->cid].nr_levels;

	for (; c->newidle_level < levels; c->newidle_level++) {
		const struct wk_domain *d = domain_of(s, c, c->newidle_level);
		u64 likely = c->newidle_spent_ns + c->balance[c->newidle_level].max_cost_ns;

		if (c->queue.nr || wk_st(s, c)->pending || wk_st(s, c)->avg_idle_ns < likely)
			return 0;
		if (d->flags & WK_SD_BALANCE_NEWIDLE)
			return look_ns(s, c, d);
	}
	return 0;
}

/* The look is over: takes what it found. What that takes is the return value. */
u64 wk_newidle_take(struct wk_sim *s, struct wk_cpu *c)
{
	u32 level = c->newidle_level++;
	const struct wk_domain *d = domain_of(s, c, level);
	struct wk_cpu *from = most_crowded(s, c, d);
	u64 ns = 0, look = look_ns(s, c, d);

	if (from && pull(s, c, from, 1, may_pull_hot(c, d, level))) {
		s->count->balance_pulled++;
		ns = s->dequeue_ns + s->enqueue_ns +
		     s->cost->tier_ns[wk_tier(s, c->cid, from->cid)] * 4ULL;
	}
	remember_cost(s, &c->balance[level], look + ns);
	c->newidle_spent_ns += look + ns;
	return ns;
}

/* ---- periodic ---- */

static void add_load(const struct wk_sim *s, u32 cid, struct group_load *g)
{
	u32 nr = s->st.cpu[cid].nr_running;

	g->weight++;
	g->running += nr;
	g->idle += nr == 0;
}

static struct group_load group_load(const struct wk_sim *s, const struct wk_group *g)
{
	struct group_load load = {0};

	for (u32 i = g->span.first; i < g->span.first + g->span.len; i++)
		if (in_span(s, g->span, g->mask, i) && wk_topo_online(s->topo, i))
			add_load(s, i, &load);
	return load;
}

/* should_we_balance(): the first idle CPU of the local group, else its first. */
static bool is_balancer(const struct wk_sim *s, const struct wk_cpu *c,
			const struct wk_group *local)
{
	s32 i = wk_mask_first_and(
		&s->st.idle, local->mask >= 0 ? &s->topo->xmask[local->mask] : NULL, local->span);

	return i >= 0 ? (u32)i == c->cid : local->first_cid == c->cid;
}

static const struct wk_group *local_group(const struct wk_sim *s, const struct wk_cpu *c,
					  const struct wk_domain *d)
{
	for (u32 i = d->groups.first; i < d->groups.first + d->groups.len; i++)
		if (in_span(s, s->topo->group[i].span, s->topo->group[i].mask, c->cid))
			return &s->topo->group[i];
	return NULL;
}

/* update_idle_cpu_scan() */
static void refresh_budget(struct wk_sim *s, u32 llc)
{
	const struct wk_llc *l = &s->topo->llc[llc];
	u64 sum = 0;

	for (u32 i = 0; i < l->weight; i++)
		sum += s->st.cpu[s->topo->scan[l->span.first + i]].util;
	s->st.llc[llc].nr_idle_scan = wk_sis_util_scan(sum, l->weight);
}

void wk_balance_budgets(struct wk_sim *s)
{
	for (u32 i = 0; i < s->topo->nr_llcs && wk_has(&s->pol, WK_FEAT_SIS_UTIL); i++)
		refresh_budget(s, i);
}

/* More running than we have, counted against its size. */
static const struct wk_group *busiest_group(struct wk_sim *s, const struct wk_domain *d,
					    const struct wk_group *local,
					    struct group_load *ret_load)
{
	struct group_load mine = group_load(s, local), theirs;
	const struct wk_group *best = NULL;
	u64 worst = (u64)mine.running * 1024 / mine.weight;

	*ret_load = mine;
	for (u32 i = d->groups.first; i < d->groups.first + d->groups.len; i++) {
		const struct wk_group *g = &s->topo->group[i];
		u64 density;

		if (g == local)
			continue;
		theirs = group_load(s, g);
		density = theirs.weight ? (u64)theirs.running * 1024 / theirs.weight : 0;
		if (density <= worst || theirs.running <= mine.running + 1)
			continue;
		worst = density;
		best = g;
		*ret_load = theirs;
	}
	return best;
}

static struct wk_cpu *busiest_cpu(struct wk_sim *s, const struct wk_group *g)
{
	struct wk_cpu *best = NULL;
	u32 nr = 0;

	for (u32 i = g->span.first; i < g->span.first + g->span.len; i++) {
		if (!in_span(s, g->span, g->mask, i) || s->st.cpu[i].nr_running <= nr)
			continue;
		nr = s->st.cpu[i].nr_running;
		best = &s->cpu[i];
	}
	return best;
}

/* The running thread itself is pushed, after enough vain attempts (active balance). */
static void push_running(struct wk_sim *s, struct wk_cpu *to, struct wk_cpu *from, u64 *counter)
{
	if (!from->curr || from->push_to != WK_NONE ||
	    !wk_mask_allows(from->curr->allowed, to->cid))
		return;
	from->push_to = (s32)to->cid;
	(*counter)++;
	wk_kick(s, to, from);
}

void wk_balance_move_one(struct wk_sim *s, struct wk_cpu *to, struct wk_cpu *from)
{
	u64 moved = 0;

	if (pull(s, to, from, 1, true)) {
		if (!to->curr)
			wk_kick(s, from, to);
		return;
	}
	push_running(s, to, from, &moved);
}

static void balance_from(struct wk_sim *s, struct wk_cpu *c, struct wk_balance *b,
			 struct wk_cpu *from, u32 max, bool hot_ok)
{
	u32 n = pull(s, c, from, max, hot_ok);

	s->count->balance_periodic += n;
	if (n) {
		b->failed = 0;
		if (!c->curr)
			wk_kick(s, from, c);
		return;
	}
	if (++b->failed > CACHE_NICE_TRIES + 2 && !wk_st(s, c)->nr_running) {
		b->failed = CACHE_NICE_TRIES + 1;
		push_running(s, c, from, &s->count->balance_active);
	}
}

static void balance_domain(struct wk_sim *s, struct wk_cpu *c, u32 level)
{
	const struct wk_domain *d = domain_of(s, c, level);
	const struct wk_group *local = local_group(s, c, d), *busiest;
	s32 llc = s->topo->cid[c->cid].llc;
	struct group_load theirs, mine;
	struct wk_cpu *from;
	u32 diff;

	if (!local || !is_balancer(s, c, local))
		return;
	if (c->curr)
		c->balance_ns += look_ns(s, c, d);
	wk_fair_load(s, c);
	if (llc >= 0 && d->weight == s->topo->llc[llc].weight && wk_has(&s->pol, WK_FEAT_SIS_UTIL))
		refresh_budget(s, (u32)llc);
	mine = group_load(s, local);
	busiest = busiest_group(s, d, local, &theirs);
	if (!busiest || (!mine.idle && theirs.idle))
		return;
	from = busiest_cpu(s, busiest);
	diff = (theirs.running - mine.running) / 2;
	if (from && from != c && diff)
		balance_from(s, c, &c->balance[level], from, diff < NR_LOOK ? diff : NR_LOOK,
			     may_pull_hot(c, d, level));
}

static void balance_due(struct wk_sim *s, struct wk_cpu *c, bool idle)
{
	for (u32 i = 0; i < s->topo->cid[c->cid].nr_levels; i++) {
		u64 interval = domain_of(s, c, i)->weight * MS * (idle ? 1 : BUSY_FACTOR);

		if (c->balance[i].last_ns && c->balance[i].last_ns + interval > s->now)
			continue;
		c->balance[i].last_ns = s->now;
		balance_domain(s, c, i);
	}
}

/* One idle CPU balances for all that sleep; their stale averages decay here. */
static void nohz_balance(struct wk_sim *s)
{
	for (u32 i = 0; i < s->nr_cpus; i++) {
		if (!s->cpu[i].seen_idle)
			continue;
		wk_fair_load(s, &s->cpu[i]);
		balance_due(s, &s->cpu[i], true);
	}
}

/* NUMA balancing: a thread that keeps being seen away from its pages goes home if there is room. */
static void numa_look(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->curr;
	u32 node = s->topo->sil[c->cid].node;
	s32 to;

	if (!s->cost->numa_scan_ms || s->topo->nr_nodes < 2 || s->now < p->numa_next_ns)
		return;
	p->numa_next_ns = s->now + s->cost->numa_scan_ms * MS;
	if (p->home_node == WK_MUCH || node == p->home_node) {
		p->numa_misses = 0;
		return;
	}
	if (++p->numa_misses < 2)
		return;
	to = wk_mask_first_and(&s->st.idle, &s->topo->node_mask[p->home_node],
			       (struct wk_range){0, s->nr_cpus});
	if (to >= 0)
		push_running(s, &s->cpu[to], c, &s->count->numa_moves);
}

/* nohz_balancer_kick(): too much here, or two busy CPUs under one LLC. */
static bool wants_help(const struct wk_sim *s, const struct wk_cpu *c)
{
	s32 llc = s->topo->cid[c->cid].llc;

	if (s->st.cpu[c->cid].nr_running >= 2)
		return true;
	return llc >= 0 && wk_mask_count_and(&s->st.idle, NULL, s->topo->llc[llc].span) + 1 <
				   s->topo->llc[llc].weight;
}

void wk_balance_tick(struct wk_sim *s, struct wk_cpu *c)
{
	if (!c->curr)
		return;
	balance_due(s, c, false);
	numa_look(s, c);
	if (s->now < s->nohz_next_ns || !s->nr_idle_cpus || !wants_help(s, c))
		return;
	s->nohz_next_ns = s->now + s->tick_ns;
	nohz_balance(s);
}

/* An idle machine has not balanced for long: every level is due at once. */
void wk_balance_init(struct wk_sim *s)
{
	for (u32 i = 0; i < s->nr_cpus; i++) {
		struct wk_cpu *c = &s->cpu[i];

		for (u32 l = 0; l < WK_MAX_LEVELS; l++) {
			c->balance[l].last_ns = 0;
			c->balance[l].max_cost_ns = 0;
		}
		c->tick_phase_ns = wk_rng_below(&s->rng, s->tick_ns);
		wk_st(s, c)->avg_idle_ns = 2ULL * s->cost->migration_cost_us * 1000;
	}
	for (u32 i = 0; i < s->topo->nr_llcs; i++)
		s->st.llc[i].nr_idle_scan = s->topo->llc[i].weight;
}
