// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedule() and the idle loop.
 *
 *   wk_schedule -> (own lock) -> decide -> [newidle: pull] -> (switch) -> switched -> run | idle
 *
 * The lock is held from the decision to the end of the switch, as in the kernel.
 */
#include "sim/internal.h"

static void decide(struct wk_sim *s, struct wk_cpu *c);

void wk_schedule(struct wk_sim *s, struct wk_cpu *c)
{
	c->need_resched = 0;
	c->slice_over = 0;
	wk_rq_lock(s, c, c, decide);
}

/* ---- idle bits ---- */

static bool core_is_idle(const struct wk_sim *s, const struct wk_silicon *sil)
{
	for (u32 i = sil->core_first; i < sil->core_first + sil->core_len; i++)
		if (!s->cpu[i].seen_idle && wk_topo_online(s->topo, i))
			return false;
	return true;
}

static void set_idle(struct wk_sim *s, struct wk_cpu *c)
{
	const struct wk_silicon *sil = &s->topo->sil[c->cid];
	s32 llc = s->topo->cid[c->cid].llc;

	c->seen_idle = 1;
	wk_mask_set(&s->st.idle, c->cid);
	wk_note_idle(s, c->cid, 1);
	if (!core_is_idle(s, sil))
		return;
	wk_mask_set(&s->st.idle_core, sil->core_first);
	if (llc >= 0)
		s->st.llc[llc].has_idle_core = 1;
}

static void clear_idle(struct wk_sim *s, struct wk_cpu *c)
{
	c->seen_idle = 0;
	wk_mask_clear(&s->st.idle, c->cid);
	wk_mask_clear(&s->st.idle_core, s->topo->sil[c->cid].core_first);
	wk_note_idle(s, c->cid, -1);
}

void wk_idle_sync(struct wk_sim *s, struct wk_cpu *c)
{
	const struct wk_cpu_state *st = wk_st(s, c);
	bool idle = c->phase != WK_PH_DOWN && c->on_idle && !st->nr_running && !st->pending;

	if (idle == c->seen_idle)
		return;
	if (idle)
		set_idle(s, c);
	else
		clear_idle(s, c);
}

/* ---- the idle loop ---- */

void wk_idle_enter(struct wk_sim *s, struct wk_cpu *c)
{
	c->on_idle = 1;
	c->tick_at = WK_NEVER;
	c->idle_since_ns = s->now;
	c->deep = s->cost->c2_after_ns && c->mean_idle_ns >= s->cost->c2_after_ns;
	wk_st(s, c)->idle_since_ns = s->now;
	wk_st(s, c)->exit_ns = c->deep ? s->cost->exit_c2_ns : s->cost->exit_c1_ns;
	wk_set_awake(s, c, false);
	wk_park(s, c, WK_PH_IDLE);
	wk_idle_sync(s, c);
	wk_hotplug_leaves(s, c);
}

/* What an interrupt or a polled flag has to wait for, entry included. */
u64 wk_idle_exit_ns(struct wk_sim *s, struct wk_cpu *c)
{
	u64 asleep = s->now - c->idle_since_ns;
	u64 entry = asleep < s->cost->idle_entry_ns ? s->cost->idle_entry_ns - asleep : 0;

	if (asleep < s->cost->poll_ns)
		return s->cost->exit_poll_ns;
	return entry + (c->deep ? s->cost->exit_c2_ns : s->cost->exit_c1_ns);
}

/* The interrupt is over: something to run, or back to sleep. */
void wk_idle_return(struct wk_sim *s, struct wk_cpu *c)
{
	if (wk_hotplug_leaves(s, c))
		return;
	if (c->need_resched || c->queue.nr) {
		wk_schedule(s, c);
		return;
	}
	wk_set_awake(s, c, false);
	wk_park(s, c, WK_PH_IDLE);
}

/* ttwu_do_activate(): the end of an idle period is learnt when work arrives. */
void wk_note_activated(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_cpu_state *st = wk_st(s, rq);
	u64 max = 2ULL * s->cost->migration_cost_us * 1000, delta;

	if (!rq->idle_stamp_ns)
		return;
	delta = s->now - rq->idle_stamp_ns;
	rq->idle_stamp_ns = 0;
	st->avg_idle_ns += (u64)((s64)(delta - st->avg_idle_ns) / 8);
	if (st->avg_idle_ns > max)
		st->avg_idle_ns = max;
	st->wake_stamp_tick = s->now / s->tick_ns;
	st->wake_avg_idle_ns = st->avg_idle_ns / 2;
	rq->mean_idle_ns += (u64)((s64)(delta - rq->mean_idle_ns) / 4);
}

/* ---- schedule() ---- */

static void count_switch(struct wk_sim *s, const struct wk_thread *prev, bool sleeps)
{
	if (!prev)
		return;
	if (sleeps)
		s->count->switches_voluntary++;
	else
		s->count->preemptions++;
}

static u64 switch_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *next)
{
	u64 ns = s->cost->switch_ns;

	if (!next)
		return ns;
	if (c->mm != next->spec->process)
		ns += s->cost->switch_mm_ns;
	c->mm = next->spec->process;
	return ns + wk_lines_ns(s, c, next->last_ran, s->cost->switch_lines);
}

static void run(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->curr;
	wk_then then = p->owed_then ? p->owed_then : wk_task_run;
	u64 owed = p->owed_ns + wk_refill_ns(s, c, p);

	p->owed_ns = 0;
	p->owed_then = NULL;
	if (p->home_node == WK_MUCH) /* first touch */
		p->home_node = s->topo->sil[c->cid].node;
	if (p->wake_ns) {
		p->wake_latency_ns = s->now - p->wake_ns;
		s->count->wake_to_run_ns += p->wake_latency_ns;
		p->wake_ns = 0;
	}
	if (c->tick_at == WK_NEVER) /* ticks keep a phase of their own per CPU */
		c->tick_at = s->now + s->tick_ns - (s->now + c->tick_phase_ns) % s->tick_ns;
	if (owed)
		wk_seg_open(s, c, owed, then);
	else
		then(s, c);
}

/* The stopper's work: the thread that push() took off its queue goes to the other one. */
static void arrive(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	struct wk_enqueue how = {.migrated = true};
	s32 cid = c->push_to;

	c->push_to = WK_NONE;
	if (!wk_mask_test(&s->st.active, (u32)cid))
		cid = wk_mask_first_and(&s->st.active, NULL, (struct wk_range){0, s->nr_cpus});
	s->count->migrations[wk_tier(s, c->cid, (u32)cid)]++;
	p->cpu = (u32)cid;
	p->moved = 0;
	wk_fair_enqueue(s, &s->cpu[cid], p, how);
	if (wk_fair_preempts(s, &s->cpu[cid], p))
		wk_kick(s, c, &s->cpu[cid]);
}

static void switched(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *prev = c->prev;

	c->prev = NULL;
	wk_rq_unlock(s, c);
	if (prev && prev != c->curr) {
		prev->on_cpu = 0;
		if (prev->held)
			wk_mutex_owner_off(s, prev);
		if (prev->state == WK_TS_RUNNABLE && !prev->on_rq)
			arrive(s, c, prev);
	}
	if (c->curr) {
		run(s, c);
		return;
	}
	wk_idle_enter(s, c);
}

static void switch_to(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *next, u64 ns)
{
	struct wk_thread *prev = c->prev;

	if (next) {
		wk_fair_set(s, c, next);
		next->on_cpu = 1;
		c->on_idle = 0;
		if (next->task.prev != (s32)c->cid) {
			next->task.recent = next->task.prev;
			next->task.prev = (s32)c->cid;
		}
	}
	if (next != prev) {
		count_switch(s, prev, prev && prev->state != WK_TS_RUNNABLE);
		ns += switch_ns(s, c, next);
		if (prev)
			wk_leave_cache(s, c, prev);
	}
	wk_seg(s, c, ns, switched);
}

static void after_newidle(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *next = wk_fair_pick(s, c);

	if (next)
		c->idle_stamp_ns = 0;
	switch_to(s, c, next, s->cost->pick_ns);
}

static void newidle_step(struct wk_sim *s, struct wk_cpu *c);

static void newidle_found(struct wk_sim *s, struct wk_cpu *c)
{
	u64 ns = wk_newidle_take(s, c);

	if (ns)
		wk_seg(s, c, ns, newidle_step);
	else
		newidle_step(s, c);
}

/* Level by level; work that comes meanwhile ends it between two. */
static void newidle_step(struct wk_sim *s, struct wk_cpu *c)
{
	u64 look = wk_newidle_look(s, c);

	if (look)
		wk_seg(s, c, look, newidle_found);
	else
		wk_rq_lock(s, c, c, after_newidle);
}

/* Nothing left to run: look elsewhere first. The lock is given up meanwhile. */
static void go_newidle(struct wk_sim *s, struct wk_cpu *c, u64 ns)
{
	c->idle_stamp_ns = s->now ? s->now : 1;
	if (!wk_newidle_begin(s, c)) {
		switch_to(s, c, NULL, ns);
		return;
	}
	wk_rq_unlock(s, c);
	wk_seg(s, c, ns, newidle_step);
}

static u64 put_back(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *prev)
{
	wk_fair_put(s, c, prev);
	return 0;
}

/* Active balance and exec: the running thread leaves; it arrives when it is switched out. */
static u64 push(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *prev)
{
	u32 to = (u32)c->push_to;

	if (to == c->cid || !wk_mask_test(&s->st.active, to) ||
	    !wk_mask_allows(prev->allowed, to)) {
		c->push_to = WK_NONE;
		return put_back(s, c, prev);
	}
	wk_fair_dequeue(s, c, prev, false);
	wk_fair_detach(s, c, prev);
	prev->moved = 1;
	return 2ULL * s->cost->switch_ns + s->enqueue_ns;
}

/* The previous thread leaves, stays, or (EEVDF) stays behind asleep. */
static u64 put_prev(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *prev)
{
	u64 ns = s->cost->pick_ns;

	if (!prev)
		return ns;
	if (prev->state == WK_TS_RUNNABLE)
		return ns + (c->push_to >= 0 ? push(s, c, prev) : put_back(s, c, prev));
	if (prev->state == WK_TS_BLOCKING)
		prev->state = WK_TS_SLEEPING;
	c->push_to = WK_NONE;
	if (wk_fair_dequeue(s, c, prev, prev->state == WK_TS_SLEEPING))
		return ns + s->dequeue_ns + wk_tg_access(s, c, c, false);
	wk_fair_put(s, c, prev);
	return ns;
}

static void decide(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *next;
	u64 ns;

	c->prev = c->curr;
	if (!wk_mask_test(&s->st.active, c->cid))
		wk_hotplug_evict(s, c);
	ns = put_prev(s, c, c->prev) + wk_rq_line_ns(s, c, c);
	next = wk_fair_pick(s, c);
	if (!next && c->prev && wk_mask_test(&s->st.active, c->cid))
		go_newidle(s, c, ns);
	else
		switch_to(s, c, next, ns);
}
