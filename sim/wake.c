// SPDX-License-Identifier: GPL-2.0-only
/*
 * The waking side: try_to_wake_up(), the wake list and new tasks.
 *
 * Threads to wake wait in c->out; wk_wake_drain() takes one after the other and
 * goes on with c->after_wake:
 *
 *   wake_one -> wk_pick() -> (search time) -> wake_commit -+-> queued: push, interrupt
 *                                                          +-> lock -> hold -> wake_enqueued
 */
#include <stdlib.h>

#include "sim/internal.h"

static void wake_commit(struct wk_sim *s, struct wk_cpu *c);

static bool grow(struct wk_wakeups *w)
{
	u32 cap = w->cap ? w->cap * 2 : 16;
	struct wk_wakeup *at = calloc(cap, sizeof(*at));

	if (!at)
		return false;
	for (u32 i = 0; i < w->nr; i++)
		at[i] = w->at[(w->head + i) & (w->cap - 1)];
	free(w->at);
	*w = (struct wk_wakeups){.at = at, .nr = w->nr, .cap = cap};
	return true;
}

static void add(struct wk_sim *s, struct wk_cpu *c, struct wk_wakeup wakeup)
{
	struct wk_wakeups *w = &c->out;

	if (w->nr == w->cap && !grow(w)) {
		wk_fail(s, "simulator: out of memory for %u wake-ups of one CPU", w->nr);
		return;
	}
	w->at[(w->head + w->nr++) & (w->cap - 1)] = wakeup;
}

void wk_wake_add(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, bool sync)
{
	add(s, c, (struct wk_wakeup){p, p->sleep, sync});
}

/* The next one that is still asleep, or about to be, for the reason it was to be woken. */
static struct wk_thread *take(struct wk_cpu *c)
{
	struct wk_wakeups *w = &c->out;

	while (w->nr) {
		struct wk_wakeup *x = &w->at[w->head];
		struct wk_thread *p = x->thread;

		w->head = (w->head + 1) & (w->cap - 1);
		w->nr--;
		if (x->sleep != p->sleep ||
		    (p->state != WK_TS_BLOCKING && p->state != WK_TS_SLEEPING))
			continue;
		p->sync = x->sync;
		return p;
	}
	return NULL;
}

void wk_wake_all(struct wk_sim *s, struct wk_cpu *c, wk_then after)
{
	c->wake_context = WK_CTX_TASK;
	c->after_wake = after;
	wk_wake_drain(s, c);
}

static struct wk_task *waker_task(struct wk_cpu *c)
{
	return c->curr ? &c->curr->task : &c->idle_task;
}

static void fill_request(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, u8 kind,
			 struct wk_request *ret)
{
	*ret = (struct wk_request){
		.kind = kind,
		.context = c->wake_context,
		.sync = p->sync,
		.wakee_on_cpu = p->on_cpu,
		.waker_cid = c->cid,
		.now_ns = s->now,
		.now_tick = s->now / s->tick_ns,
		.waker = waker_task(c),
		.wakee = &p->task,
		.allowed = p->allowed,
		.nr_allowed = p->nr_allowed,
	};
}

static u32 handoff(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, u32 cid)
{
	struct wk_request req;

	fill_request(s, c, p, p->state == WK_TS_NEW ? WK_REQ_FORK : WK_REQ_WAKE, &req);
	return wk_handoff(s->topo, &s->st, &s->pol, &req, cid);
}

static u64 search_ns(const struct wk_sim *s, const struct wk_pick *pick)
{
	u64 ns = (u64)s->cost->scan_setup_ns * pick->nr_llcs;

	for (u32 t = 0; t < WK_TIER_NR; t++)
		ns += (u64)pick->probes[t] * s->probe_ns[t];
	return ns;
}

static void count_pick(struct wk_sim *s, const struct wk_pick *pick)
{
	struct wk_sim_counts *n = s->count;

	n->why[pick->why]++;
	n->sis_search += !!(pick->flags & WK_PICK_SEARCH);
	n->sis_domain_search += !!(pick->flags & WK_PICK_DOMAIN_SEARCH);
	n->sis_failed += !!(pick->flags & WK_PICK_FAILED);
	n->sis_aborts += !!(pick->flags & WK_PICK_ABORTED);
	n->sis_exhausted += !!(pick->flags & WK_PICK_EXHAUSTED);
	n->sis_scanned += pick->scanned;
	for (u32 t = 0; t < WK_TIER_NR; t++)
		n->probes[t] += pick->probes[t];
}

static void report(struct wk_sim *s, const struct wk_request *req, const struct wk_pick *pick)
{
	struct wk_record rec;

	if (!s->in.on_record)
		return;
	wk_record_fill(pick, req, &rec);
	s->in.on_record(s->in.arg, &rec);
}

/* The choice, now; its price as the return value. */
static u64 choose(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, u8 kind)
{
	struct wk_request req;
	u64 search;

	p->task.load = p->pelt.load;
	p->task.runnable = p->pelt.runnable;
	p->task.util = p->pelt.util;
	fill_request(s, c, p, kind, &req);
	wk_pick(s->topo, &s->st, &s->pol, &req, &c->pick);
	if (c->pick.why == WK_WHY_CRASH)
		wk_crash(s, c, p);
	count_pick(s, &c->pick);
	report(s, &req, &c->pick);
	search = search_ns(s, &c->pick);
	wk_sis_prop_charge(&s->st, &c->pick, c->cid, search);
	return s->cost->select_ns + search;
}

/* It had not left its run queue yet: it just goes on. */
static void wake_blocking(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	p->state = WK_TS_RUNNABLE;
	wk_seg(s, c, s->cost->ttwu_ns + wk_lines_ns(s, c, p->cpu, 2), wk_wake_drain);
}

/* EEVDF kept it on its queue: ttwu_runnable(), under that queue's lock. */
static void wake_delayed_done(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_cpu *rq = c->lock_target;
	u64 ns = c->waking_preempts ? wk_kick(s, c, rq) : 0;

	c->waking = NULL;
	wk_rq_unlock(s, rq);
	wk_seg(s, c, ns, wk_wake_drain);
}

static void wake_delayed(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->waking;
	struct wk_cpu *rq = c->lock_target;
	u64 ns = wk_rq_line_ns(s, c, rq) + s->enqueue_ns;

	c->waking_preempts = false;
	if (p->delayed) {
		wk_fair_undelay(s, rq, p);
		p->state = WK_TS_RUNNABLE;
		wk_note_woken(s, p);
		c->waking_preempts = wk_fair_preempts(s, rq, p);
	} else {
		wk_wake_add(s, c, p, p->sync); /* it left meanwhile: the ordinary way */
	}
	wk_seg(s, c, ns, wake_delayed_done);
}

/* Still being switched out: hand it to that CPU (5.8 and later), or wait for it. */
static void wake_on_cpu(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	if (wk_num(&s->pol, WK_FEAT_RULES) <= 5 || handoff(s, c, p, p->cpu) != WK_HANDOFF_QUEUED) {
		wk_wake_add(s, c, p, p->sync);
		wk_seg(s, c, WK_SPIN_LOOK_NS, wk_wake_drain);
		return;
	}
	c->waking = p;
	p->state = WK_TS_WAKING;
	p->wake_ns = s->now;
	wk_seg(s, c, s->cost->ttwu_ns + choose(s, c, p, WK_REQ_WAKE), wake_commit);
}

static void wake_sleeping(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	c->waking = p;
	if (p->delayed) {
		c->lock_target = &s->cpu[p->cpu];
		wk_rq_lock(s, c, c->lock_target, wake_delayed);
		return;
	}
	if (p->on_cpu && p != c->prev) {
		wake_on_cpu(s, c, p);
		return;
	}
	p->state = WK_TS_WAKING;
	p->wake_ns = s->now;
	wk_seg(s, c, s->cost->ttwu_ns + choose(s, c, p, WK_REQ_WAKE), wake_commit);
}

void wk_wake_drain(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p;

	p = take(c);
	if (!p)
		c->after_wake(s, c);
	else if (p->state == WK_TS_BLOCKING)
		wake_blocking(s, c, p);
	else
		wake_sleeping(s, c, p);
}

/* set_task_cpu(): from here on its home is the new CPU. */
static void move_to(struct wk_sim *s, struct wk_thread *p, struct wk_cpu *to)
{
	if (p->cpu == to->cid)
		return;
	s->count->migrations[wk_tier(s, p->cpu, to->cid)]++;
	if (!p->moved) /* else it has left already */
		wk_fair_detach(s, &s->cpu[p->cpu], p);
	p->cpu = to->cid;
	p->moved = 1;
	p->exec_start_ns = 0; /* what has moved is not hot */
}

void wk_move_asleep(struct wk_sim *s, struct wk_thread *p, struct wk_cpu *to)
{
	move_to(s, p, to);
	p->task.prev = (s32)to->cid;
}

static void push_queued(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *to)
{
	bool was_empty = !to->in.head;
	u64 ns = s->cost->tier_ns[wk_tier(s, c->cid, to->cid)];

	c->waking->last_waker = c->cid;
	wk_fifo_push(&to->in, c->waking);
	c->waking = NULL;
	wk_st(s, to)->pending = 1;
	wk_idle_sync(s, to);
	if (was_empty && wk_send_ipi(s, to))
		ns += s->cost->ipi_send_ns;
	wk_seg(s, c, ns, wk_wake_drain);
}

static void wake_enqueued(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_cpu *rq = c->lock_target;
	struct wk_thread *p = c->waking;
	u64 ns = 0;

	c->waking = NULL;
	wk_activate(s, rq, p);
	if (wk_fair_preempts(s, rq, p))
		ns = wk_kick(s, c, rq);
	wk_rq_unlock(s, rq);
	if (ns)
		wk_seg(s, c, ns, wk_wake_drain);
	else
		wk_wake_drain(s, c);
}

/* What one activation costs while the lock is held, tg->load_avg included. */
static u64 activation_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq,
			 const struct wk_thread *p)
{
	return s->enqueue_ns +
	       wk_lines_ns(s, c, rq->cid, s->cost->enqueue_lines * (1 + s->cost->tg_levels)) +
	       wk_tg_access(s, c, rq, p->moved);
}

static void wake_locked(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_cpu *rq = c->lock_target;

	wk_seg(s, c, wk_rq_line_ns(s, c, rq) + activation_ns(s, c, rq, c->waking), wake_enqueued);
}

/* The chosen CPU may have gone since: any other that is there and allowed. */
static struct wk_cpu *still_there(struct wk_sim *s, struct wk_thread *p, s32 cid)
{
	struct wk_range all = {0, s->nr_cpus};
	s32 other;

	if (cid >= 0 && wk_mask_test(&s->st.active, (u32)cid))
		return &s->cpu[cid];
	other = wk_mask_first_and(&s->st.active, p->allowed, all);
	if (other < 0)
		other = wk_mask_first_and(&s->st.active, NULL, all);
	return &s->cpu[other];
}

static void wake_commit(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->waking;
	struct wk_cpu *to = still_there(s, p, c->pick.cid);
	u32 how = handoff(s, c, p, to->cid);

	s->count->handoff[how]++;
	move_to(s, p, to);
	if (how == WK_HANDOFF_QUEUED) {
		push_queued(s, c, to);
		return;
	}
	c->lock_target = to;
	wk_rq_lock(s, c, to, wake_locked);
}

/* ---- the target's side of the wake list: sched_ttwu_pending() ---- */

static void list_done(struct wk_sim *s, struct wk_cpu *c)
{
	wk_rq_unlock(s, c);
	c->after_list(s, c);
}

static void list_activate(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = wk_fifo_pop(&c->in);

	wk_activate(s, c, p);
	if (wk_fair_preempts(s, c, p))
		c->need_resched = 1;
	if (c->in.head) {
		wk_seg(s, c, activation_ns(s, c, c, c->in.head), list_activate);
		return;
	}
	wk_st(s, c)->pending = 0;
	wk_idle_sync(s, c);
	list_done(s, c);
}

static void list_locked(struct wk_sim *s, struct wk_cpu *c)
{
	u64 ns = wk_rq_line_ns(s, c, c) + wk_lines_ns(s, c, c->in.head->last_waker, 1);

	wk_seg(s, c, ns + activation_ns(s, c, c, c->in.head), list_activate);
}

void wk_wake_list_drain(struct wk_sim *s, struct wk_cpu *c, wk_then after)
{
	c->after_list = after;
	wk_rq_lock(s, c, c, list_locked);
}

/* On its run queue at last; the caller holds the lock. */
void wk_activate(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	struct wk_enqueue how = {
		.wakeup = true, .migrated = p->moved, .fork = p->state == WK_TS_NEW};

	p->moved = 0;
	p->state = WK_TS_RUNNABLE;
	wk_fair_enqueue(s, rq, p, how);
	if (how.fork)
		return;
	wk_note_woken(s, p);
}

/* ---- fork ---- */

static void fork_chosen(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->waking;
	struct wk_cpu *to = still_there(s, p, c->pick.cid);

	p->cpu = to->cid;
	p->last_ran = c->cid;
	p->task.prev = (s32)to->cid;
	p->moved = 1;
	c->lock_target = to;
	wk_rq_lock(s, c, to, wake_locked);
}

void wk_new_task(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, wk_then after)
{
	u64 ns = s->cost->fork_ns;

	if (c->curr && c->curr->spec->process != p->spec->process)
		ns += s->cost->fork_mm_ns;
	p->task.prev = (s32)c->cid;
	p->sync = 0;
	c->waking = p;
	c->wake_context = WK_CTX_TASK;
	c->after_wake = after;
	wk_seg(s, c, ns + choose(s, c, p, WK_REQ_FORK), fork_chosen);
}

/* ---- exec: the running thread goes where it would be placed now ---- */

void wk_exec_move(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->curr;
	u64 ns;

	c->wake_context = WK_CTX_TASK;
	p->sync = 0;
	ns = choose(s, c, p, WK_REQ_EXEC);
	if (c->pick.cid != (s32)c->cid && c->pick.cid >= 0 &&
	    wk_mask_test(&s->st.active, (u32)c->pick.cid))
		c->push_to = c->pick.cid;
	wk_seg(s, c, ns, wk_schedule);
}
