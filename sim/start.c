// SPDX-License-Identifier: GPL-2.0-only
/*
 * The start state.
 *
 * A real run lasts seconds, ours a fraction of one; balancing across nodes works
 * at 256 ms and more, so what it would have done is done once, while warming up:
 * the nodes get equal numbers of runnable threads (start_level()).
 *
 * Under overload a run stays for long in the regime it began in: batching (few
 * wake-ups a message) or churn. So a cell is run from several starts; only what a
 * real machine could bring along is changed: the spread of virtual runtimes and
 * the places where threads sleep.
 */
#include "sim/internal.h"

static bool usable(const struct wk_sim *s, u32 cid)
{
	return wk_mask_test(&s->st.active, cid) && (!s->bound || wk_mask_test(s->bound, cid));
}

static void set_vruntime(struct wk_sim *s, struct wk_thread *p, u64 v)
{
	struct wk_cpu *rq = &s->cpu[p->cpu];

	if (p->on_rq && p != rq->curr)
		return; /* its place in the queue is being used */
	if (p->moved)
		v -= rq->min_vruntime;
	if (!s->eevdf)
		p->node.key = v;
}

static void spread(struct wk_sim *s, struct wk_thread *p)
{
	u64 span = s->latency_ns, v = s->cpu[p->cpu].min_vruntime;

	set_vruntime(s, p, v - span / 2 + wk_rng_below(&s->rng, span + 1));
	p->vlag = (s64)wk_rng_below(&s->rng, 2 * s->slice_ns + 1) - (s64)s->slice_ns;
}

static void level(struct wk_sim *s, struct wk_thread *p)
{
	set_vruntime(s, p, s->cpu[p->cpu].min_vruntime);
	p->vlag = 0;
}

void wk_start_apply(struct wk_sim *s)
{
	bool batch = s->in.start == WK_START_BATCH;

	if (s->in.start == WK_START_COLD)
		return;
	for (u32 i = 0; i < s->nr_threads; i++) {
		struct wk_thread *p = &s->thread[i];

		if (p->state == WK_TS_NEW || p->state == WK_TS_DEAD)
			continue;
		if (batch)
			spread(s, p);
		else
			level(s, p);
	}
}

/*
 * ---- scattering ----
 *
 * Forks on an idle machine stand side by side; on one that has run other things
 * they do not, and pairs that start scattered stay so for as long as prev is
 * idle. Sleeping threads are put on a random CPU of their node.
 */
static void scatter(struct wk_sim *s, struct wk_thread *p)
{
	const struct wk_mask *node = &s->topo->node_mask[s->topo->sil[p->cpu].node];
	struct wk_range all = {0, s->nr_cpus};
	u64 skip = wk_rng_below(&s->rng, wk_mask_count_and(node, NULL, all));
	u32 cid;

	for (cid = 0; cid < s->nr_cpus; cid++)
		if (wk_mask_test(node, cid) && !skip--)
			break;
	if (cid == s->nr_cpus || !wk_mask_test(&s->st.active, cid) ||
	    !wk_mask_allows(p->allowed, cid))
		return;
	wk_move_asleep(s, p, &s->cpu[cid]);
}

static void start_scatter(struct wk_sim *s)
{
	if (s->in.start == WK_START_COLD)
		return;
	for (u32 i = 0; i < s->nr_threads; i++) {
		struct wk_thread *p = &s->thread[i];

		if (p->state == WK_TS_SLEEPING && !p->on_rq && !p->on_cpu)
			scatter(s, p);
	}
}

/*
 * ---- averages ----
 *
 * Load tracking forgets half in 32 ms and starts at nothing; each CPU's
 * utilisation is set to where what it has seen since the mark is heading:
 * u = U (1 - y^n), so U = u / (1 - y^n). The search budgets follow, as they
 * would within 256 ms. Wakers have long forgotten the wake-ups of the start.
 */
static void start_averages(struct wk_sim *s)
{
	u64 periods = (s->now - s->mark_ns) / (WK_PELT_PERIOD << WK_PELT_UNIT_SHIFT);
	u64 seen = 1024 - wk_pelt_decay(1024, periods);

	for (u32 i = 0; i < s->nr_cpus && seen; i++) {
		struct wk_cpu *c = &s->cpu[i];
		u64 util;

		wk_fair_load(s, c);
		util = c->pelt.util * 1024ULL / seen;
		wk_pelt_init(&c->pelt, s->now, c->pelt.load, c->pelt.runnable,
			     util < 1024 ? (u32)util : 1024);
		wk_st(s, c)->util = c->pelt.util;
	}
	for (u32 i = 0; i < s->nr_threads; i++)
		s->thread[i].task.wakee_flips = 0;
}

u32 wk_start_cpus(const struct wk_sim *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->nr_cpus; i++)
		n += usable(s, i);
	return n;
}

/* ---- levelling the nodes ---- */

static s64 node_surplus(const struct wk_sim *s, u32 node, u64 running, u64 cpus)
{
	u64 mine = 0, weight = 0;

	for (u32 i = 0; i < s->nr_cpus; i++) {
		if (s->topo->sil[i].node != node || !usable(s, i))
			continue;
		mine += s->st.cpu[i].nr_running;
		weight++;
	}
	return cpus ? (s64)mine - (s64)(running * weight / cpus) : 0;
}

static struct wk_cpu *extreme(struct wk_sim *s, u32 node, bool crowded)
{
	struct wk_cpu *best = NULL;
	u32 best_nr = 0;

	for (u32 i = 0; i < s->nr_cpus; i++) {
		u32 nr = s->st.cpu[i].nr_running;

		if (s->topo->sil[i].node != node || !usable(s, i) || s->cpu[i].push_to >= 0)
			continue;
		if (best && (crowded ? nr <= best_nr : nr >= best_nr))
			continue;
		best = &s->cpu[i];
		best_nr = nr;
	}
	return best;
}

static void level_pair(struct wk_sim *s, u32 from_node, u32 to_node, u64 nr)
{
	while (nr--) {
		struct wk_cpu *from = extreme(s, from_node, true), *to = extreme(s, to_node, false);

		if (!from || !to || !wk_st(s, from)->nr_running)
			return;
		wk_balance_move_one(s, to, from);
	}
}

static void start_level(struct wk_sim *s)
{
	u64 running = 0, cpus = 0;

	for (u32 i = 0; i < s->nr_cpus; i++) {
		if (!usable(s, i))
			continue;
		running += s->st.cpu[i].nr_running;
		cpus++;
	}
	for (u32 a = 0; a < s->topo->nr_nodes; a++) {
		for (u32 b = 0; b < s->topo->nr_nodes; b++) {
			s64 more = node_surplus(s, a, running, cpus);
			s64 less = -node_surplus(s, b, running, cpus);

			if (more > 0 && less > 0)
				level_pair(s, a, b, (u64)(more < less ? more : less));
		}
	}
}

/* At the first three quarters of the warm-up; what settles last is put right last. */
void wk_start_step(struct wk_sim *s, u32 step)
{
	if (step == 0)
		start_scatter(s);
	if (step == 1)
		start_averages(s);
	if (step >= 1)
		wk_balance_budgets(s);
	start_level(s);
}
