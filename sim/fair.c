// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fair class, as the kernels of the tables (CFS, to 6.5) and the present
 * ones (EEVDF, 7.3) have it, for one level of tasks.
 *
 * The running thread is not in the queue (as in the kernel). vruntime stays
 * absolute while a thread sleeps and is re-based only when it changes CPU: the
 * sleeper credit of place_cfs() is what sets the wake-ups per message.
 */
#include "sim/fair.h"
#include "sim/internal.h"

#define NICE_0 1024

/* get_update_sysctl_factor(): 1 + log2 of the CPUs, of 8 at most. */
static u32 scaling(u32 nr_cpus)
{
	return 64 - wk_clz64(nr_cpus < 8 ? nr_cpus : 8);
}

void wk_fair_init(struct wk_sim *s)
{
	u64 us = 1000ULL * scaling(s->nr_cpus);

	s->latency_ns = s->cost->cfs_latency_us * us;
	s->min_gran_ns = s->cost->cfs_min_gran_us * us;
	s->wake_gran_ns = s->cost->cfs_wake_gran_us * us;
	s->slice_ns = s->cost->eevdf_slice_us * us;
	s->tick_ns = s->cost->nr_tick_us * 1000ULL;
	s->nr_latency = (u32)(s->latency_ns / s->min_gran_ns);
	s->eevdf = wk_has(&s->pol, WK_FEAT_EEVDF);
}

u64 wk_fair_vtime(u64 ns, u32 weight)
{
	return weight == NICE_0 ? ns : ns * NICE_0 / weight;
}

static u64 max_vruntime(u64 a, u64 b)
{
	return (s64)(a - b) > 0 ? a : b;
}

static void update_min_vruntime(struct wk_cpu *rq)
{
	const struct wk_tnode *left = wk_timeline_first(&rq->queue);
	u64 v = rq->min_vruntime;
	s64 moved;

	if (rq->curr) {
		v = rq->curr->node.key;
		if (left && (s64)(left->key - v) < 0)
			v = left->key;
	} else if (left) {
		v = left->key;
	}
	v = max_vruntime(rq->min_vruntime, v);
	moved = (s64)(v - rq->min_vruntime);
	rq->queue_sum_wv -= moved * (s64)rq->queue_weight;
	rq->min_vruntime = v;
}

/* Brings the load averages to now with what held until now. */
void wk_fair_load(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_cpu_state *st = wk_st(s, rq);
	u32 weight = (u32)rq->queue_weight;

	if (rq->curr)
		weight += rq->curr->task.weight;
	if (!wk_pelt_update(&rq->pelt, s->now, weight, st->nr_running, rq->curr != NULL))
		return;
	st->load = rq->pelt.load;
	st->runnable = rq->pelt.runnable;
	st->util = rq->pelt.util;
	if (st->load > rq->tg_contrib + rq->tg_contrib / 64 ||
	    rq->tg_contrib > st->load + st->load / 64)
		rq->tg_stale = 1;
}

static void task_load(struct wk_sim *s, struct wk_thread *p, bool runnable, bool running)
{
	wk_pelt_update(&p->pelt, s->now, runnable ? p->task.weight : 0, runnable, running);
}

void wk_fair_update_curr(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_thread *p = rq->curr;
	u64 delta;

	if (!p)
		return;
	delta = s->now - p->exec_start_ns;
	p->exec_start_ns = s->now;
	p->sum_exec_ns += delta;
	p->node.key += wk_fair_vtime(delta, p->task.weight);
	if (s->eevdf)
		wk_eevdf_deadline(s, rq, p);
	update_min_vruntime(rq);
}

/* Sleepers get half a latency of credit (GENTLE_FAIR_SLEEPERS); new tasks owe a slice. */
static void place_cfs(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, bool fork)
{
	u64 v = rq->min_vruntime;

	if (fork)
		v += wk_fair_vtime(wk_cfs_slice(s, rq, p), p->task.weight);
	else
		v -= s->latency_ns / 2;
	p->node.key = max_vruntime(p->node.key, v);
}

/* Everybody once a latency, by weight; no less than the granularity (sched_slice()). */
u64 wk_cfs_slice(struct wk_sim *s, struct wk_cpu *rq, const struct wk_thread *p)
{
	u32 nr = wk_st(s, rq)->nr_running + (p->on_rq ? 0 : 1);
	u64 period = nr > s->nr_latency ? nr * s->min_gran_ns : s->latency_ns;
	u64 weight = rq->queue_weight + (rq->curr ? rq->curr->task.weight : 0);
	u64 slice;

	if (!p->on_rq)
		weight += p->task.weight;
	slice = period * p->task.weight / (weight ? weight : NICE_0);
	return slice > s->min_gran_ns ? slice : s->min_gran_ns;
}

/* Into the tree, with the sums EEVDF needs. */
static void queue_insert(struct wk_cpu *rq, struct wk_thread *p)
{
	wk_timeline_insert(&rq->queue, &p->node);
	rq->queue_weight += p->task.weight;
	rq->queue_sum_wv += (s64)(p->node.key - rq->min_vruntime) * (s64)p->task.weight;
}

static void queue_remove(struct wk_cpu *rq, struct wk_thread *p)
{
	wk_timeline_remove(&rq->queue, &p->node);
	rq->queue_weight -= p->task.weight;
	rq->queue_sum_wv -= (s64)(p->node.key - rq->min_vruntime) * (s64)p->task.weight;
}

/* The same thread at another virtual time. */
void wk_fair_requeue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, u64 vruntime)
{
	u64 slice = p->node.aux - p->node.key;

	(void)s;
	queue_remove(rq, p);
	p->node.key = vruntime;
	p->node.aux = vruntime + slice;
	queue_insert(rq, p);
}

/* nr_running changed: the idle bits and the mask of CPUs worth pulling from follow. */
static void count_running(struct wk_sim *s, struct wk_cpu *rq, int change, bool idle_policy)
{
	struct wk_cpu_state *st = wk_st(s, rq);
	bool was_overloaded = st->nr_running >= 2;

	st->nr_running += (u32)change;
	if (idle_policy)
		st->nr_idle_policy += (u32)change;
	if (was_overloaded || st->nr_running >= 2)
		wk_note_waiting(s, change);
	if (was_overloaded != (st->nr_running >= 2)) {
		s->nr_overloaded += was_overloaded ? -1U : 1U;
		if (was_overloaded)
			wk_mask_clear(&s->overloaded, rq->cid);
		else
			wk_mask_set(&s->overloaded, rq->cid);
	}
	if (st->nr_running && st->nr_idle_policy == st->nr_running)
		wk_mask_set(&s->st.idle_only, rq->cid);
	else
		wk_mask_clear(&s->st.idle_only, rq->cid);
	wk_idle_sync(s, rq);
}

void wk_fair_enqueue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p,
		     struct wk_enqueue how)
{
	wk_fair_update_curr(s, rq);
	wk_fair_load(s, rq);
	task_load(s, p, false, false);
	if (how.migrated) {
		wk_pelt_attach(&rq->pelt, &p->pelt);
		p->node.key += rq->min_vruntime;
	}
	if (s->eevdf)
		wk_eevdf_place(s, rq, p, how.fork);
	else if (how.wakeup)
		place_cfs(s, rq, p, how.fork);
	queue_insert(rq, p);
	p->on_rq = 1;
	p->queue_ns = s->now;
	count_running(s, rq, 1, p->task.flags & WK_TASK_IDLE_POLICY);
	wk_note_activated(s, rq);
	update_min_vruntime(rq);
}

/* @p is running there, or queued. With @sleep it may stay behind as delayed (EEVDF): then false. */
bool wk_fair_dequeue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, bool sleep)
{
	wk_fair_update_curr(s, rq);
	wk_fair_load(s, rq);
	task_load(s, p, true, p == rq->curr);
	if (s->eevdf && sleep && wk_eevdf_delays(s, rq, p)) {
		p->delayed = 1;
		wk_st(s, rq)->nr_delayed++;
		return false;
	}
	if (s->eevdf)
		wk_eevdf_save_lag(s, rq, p);
	if (p != rq->curr)
		queue_remove(rq, p);
	if (rq->last_buddy == p)
		rq->last_buddy = NULL;
	p->on_rq = 0;
	wk_st(s, rq)->nr_delayed -= p->delayed;
	p->delayed = 0;
	count_running(s, rq, -1, p->task.flags & WK_TASK_IDLE_POLICY);
	if (p == rq->curr)
		rq->curr = NULL;
	update_min_vruntime(rq);
	return true;
}

/* A thread that is on no queue leaves for another CPU: its vruntime becomes relative. */
void wk_fair_detach(struct wk_sim *s, struct wk_cpu *from, struct wk_thread *p)
{
	wk_fair_load(s, from);
	wk_pelt_detach(&from->pelt, &p->pelt);
	p->node.key -= from->min_vruntime;
	from->tg_stale = 1;
}

/* The running thread goes back into the queue. */
void wk_fair_put(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	wk_fair_update_curr(s, rq);
	wk_fair_load(s, rq);
	task_load(s, p, true, true);
	rq->curr = NULL;
	queue_insert(rq, p);
	p->queue_ns = s->now;
}

void wk_fair_set(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	wk_fair_load(s, rq);
	task_load(s, p, true, false);
	queue_remove(rq, p);
	s->count->run_wait_ns += s->now - p->queue_ns;
	rq->curr = p;
	p->exec_start_ns = s->now;
	p->prev_sum_exec_ns = p->sum_exec_ns;
	if (rq->last_buddy == p)
		rq->last_buddy = NULL;
	if (s->eevdf)
		wk_eevdf_protect(p);
	update_min_vruntime(rq);
}

/* How far @curr is ahead, against the granularity: 1 means it must go. */
static int cfs_preempt_entity(const struct wk_sim *s, const struct wk_thread *curr,
			      const struct wk_thread *p)
{
	s64 ahead = (s64)(curr->node.key - p->node.key);

	if (ahead <= 0)
		return -1;
	return ahead > (s64)wk_fair_vtime(s->wake_gran_ns, p->task.weight);
}

/* The leftmost, unless the one that was preempted last is near enough (LAST_BUDDY). */
static struct wk_thread *pick_cfs(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_tnode *left = wk_timeline_first(&rq->queue);
	struct wk_thread *p;

	if (!left)
		return NULL;
	p = WK_THREAD_OF(left);
	if (rq->last_buddy && cfs_preempt_entity(s, rq->last_buddy, p) < 1)
		p = rq->last_buddy;
	return p;
}

struct wk_thread *wk_fair_pick(struct wk_sim *s, struct wk_cpu *rq)
{
	return s->eevdf ? wk_eevdf_pick(s, rq) : pick_cfs(s, rq);
}

static bool preempts_cfs(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	if (p->spec->flags & WK_WTASK_BATCH)
		return false;
	wk_fair_update_curr(s, rq);
	if (cfs_preempt_entity(s, rq->curr, p) != 1)
		return false;
	if (wk_st(s, rq)->nr_running >= s->nr_latency)
		rq->last_buddy = rq->curr;
	return true;
}

/* check_preempt_curr() for a thread that was just queued. */
bool wk_fair_preempts(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	bool idle_curr, idle_p, yes;

	if (!rq->curr)
		return true;
	if (rq->need_resched)
		return false;
	idle_curr = rq->curr->task.flags & WK_TASK_IDLE_POLICY;
	idle_p = p->task.flags & WK_TASK_IDLE_POLICY;
	if (idle_p)
		return false;
	yes = idle_curr || (s->eevdf ? wk_eevdf_preempts(s, rq, p) : preempts_cfs(s, rq, p));
	s->count->preempt_wakeup += yes;
	return yes;
}

/* check_preempt_tick() */
static bool tick_cfs(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	u64 ideal = wk_cfs_slice(s, rq, p), ran = p->sum_exec_ns - p->prev_sum_exec_ns;
	const struct wk_tnode *left = wk_timeline_first(&rq->queue);

	if (ran > ideal) {
		rq->last_buddy = NULL;
		return true;
	}
	if (ran < s->min_gran_ns || !left)
		return false;
	return (s64)(p->node.key - left->key) > (s64)ideal;
}

void wk_fair_tick(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_thread *p = rq->curr;

	wk_fair_update_curr(s, rq);
	wk_fair_load(s, rq);
	if (!p || !rq->queue.nr)
		return;
	if (s->eevdf ? wk_eevdf_tick(s, rq, p) : tick_cfs(s, rq, p))
		rq->need_resched = 1;
}

/* Weight of the running thread; queued ones are changed while they run next. */
void wk_fair_reweight(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, u32 weight)
{
	wk_fair_update_curr(s, rq);
	wk_fair_load(s, rq);
	p->task.weight = weight;
}

void wk_fair_yield(struct wk_sim *s, struct wk_cpu *rq)
{
	wk_fair_update_curr(s, rq);
	if (s->eevdf)
		rq->curr->node.aux += wk_fair_vtime(s->slice_ns, rq->curr->task.weight);
	rq->last_buddy = NULL;
}

/*
 * tg->load_avg: one line a task group for the whole machine, read at every enqueue and
 * dequeue (calc_group_shares) and written when a CPU's share changed enough or a
 * task was attached. It is touched inside the run-queue lock, which is why a
 * slow line makes locks contend. The rate limit (tg_load_avg) allows one write a
 * millisecond a CPU. @s->now is the time of the access, so booking is in order.
 */
static u64 tg_touch(struct wk_sim *s, struct wk_cpu *c, struct wk_line *tg, u64 *seen, bool write)
{
	u64 line = (u64)s->cost->tier_ns[wk_tier(s, c->cid, tg->last)] * s->cost->tg_line_pct / 100;
	u64 wait = tg->free_ns > s->now ? tg->free_ns - s->now : 0;

	if (!write && *seen == tg->version)
		return 0;
	if (write) {
		tg->version++;
		tg->last = c->cid;
		tg->free_ns = s->now + wait + line;
	}
	*seen = tg->version;
	s->count->tg_wait_ns += wait + line;
	return wait + line;
}

#define TG_LIMIT_NS 1000000

u64 wk_tg_access(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq, bool attach)
{
	bool write = attach || rq->tg_stale;
	u64 ns = 0;

	if (!s->cost->tg_levels)
		return 0;
	if (write && wk_has(&s->pol, WK_FEAT_TG_LOAD_AVG) &&
	    s->now - rq->tg_update_ns < TG_LIMIT_NS)
		write = false;
	if (write) {
		rq->tg_stale = 0;
		rq->tg_update_ns = s->now;
		rq->tg_contrib = wk_st(s, rq)->load;
	}
	for (u32 i = 0; i < s->cost->tg_levels && i < WK_TG_LEVELS; i++)
		ns += tg_touch(s, c, &s->tg[i], &c->tg_seen[i], write);
	return ns;
}
