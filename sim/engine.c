// SPDX-License-Identifier: GPL-2.0-only
/* Segments, interrupts and the speed of a core: see sim/internal.h. */
#include "sim/internal.h"

static u64 min_u64(u64 a, u64 b)
{
	return a < b ? a : b;
}

static u64 stretch(const struct wk_cpu *c, u64 ns)
{
	return ns * c->slow_q10 >> 10;
}

static u64 shrink(const struct wk_cpu *c, u64 ns)
{
	return (ns << 10) / c->slow_q10;
}

static u64 next_interrupt(const struct wk_cpu *c)
{
	const struct wk_tnode *timer = wk_timeline_first(&c->timers);
	u64 at = min_u64(c->irq_at, c->tick_at);

	return timer ? min_u64(at, timer->key) : at;
}

void wk_rearm(struct wk_sim *s, struct wk_cpu *c)
{
	u64 at = WK_NEVER;

	if (c->phase == WK_PH_ATOMIC)
		at = c->seg_end;
	else if (c->phase != WK_PH_LOCK && c->phase != WK_PH_DOWN)
		at = min_u64(c->seg_end, next_interrupt(c));
	if (at < s->now)
		at = s->now;
	wk_events_set(&s->ev, c->cid, at);
}

void wk_seg(struct wk_sim *s, struct wk_cpu *c, u64 ns, wk_then then)
{
	c->phase = WK_PH_ATOMIC;
	c->seg_end = s->now + stretch(c, ns);
	c->then = then;
	wk_events_set(&s->ev, c->cid, c->seg_end);
}

void wk_seg_open(struct wk_sim *s, struct wk_cpu *c, u64 ns, wk_then then)
{
	c->phase = WK_PH_OPEN;
	c->seg_total = stretch(c, ns);
	c->seg_end = s->now + c->seg_total;
	c->then = then;
	wk_rearm(s, c);
}

void wk_park(struct wk_sim *s, struct wk_cpu *c, enum wk_phase phase)
{
	c->phase = (u8)phase;
	c->seg_end = WK_NEVER;
	wk_rearm(s, c);
}

/*
 * Two busy threads share a core. Only open segments are stretched half way;
 * atomic ones are shorter than the effect.
 */
static void set_speed(struct wk_sim *s, struct wk_cpu *c, u32 slow_q10)
{
	u64 left;

	if (c->slow_q10 == slow_q10)
		return;
	if (c->phase == WK_PH_OPEN) {
		left = shrink(c, c->seg_end - s->now);
		c->slow_q10 = slow_q10;
		c->seg_end = s->now + stretch(c, left);
		wk_rearm(s, c);
	}
	c->slow_q10 = slow_q10;
}

static u32 shared_pct(const struct wk_sim *s, u32 busy)
{
	if (busy <= 1)
		return 100;
	if (busy == 2)
		return s->cost->smt_pct / 2;
	return s->cost->smt4_pct / busy;
}

void wk_cpu_speed(struct wk_sim *s, struct wk_cpu *c)
{
	const struct wk_silicon *sil = &s->topo->sil[c->cid];
	u32 busy = 0, i;

	if (sil->core_len == 1)
		return;
	for (i = sil->core_first; i < sil->core_first + sil->core_len; i++)
		busy += s->cpu[i].awake;
	for (i = sil->core_first; i < sil->core_first + sil->core_len; i++)
		set_speed(s, &s->cpu[i],
			  wk_slow_q10(s->topo->sil[i].capacity, shared_pct(s, busy)));
}

/* A capacity of 0 cannot be: wk_topo_check() saw to it. */
u32 wk_slow_q10(u32 capacity, u32 pct)
{
	return (u32)(1024ULL * 1024 * 100 / ((u64)capacity * pct));
}

void wk_set_awake(struct wk_sim *s, struct wk_cpu *c, bool awake)
{
	if (c->awake == awake)
		return;
	c->awake = awake;
	wk_cpu_speed(s, c);
}

static bool is_polling(const struct wk_sim *s, const struct wk_cpu *c)
{
	return c->phase == WK_PH_IDLE && s->now - c->idle_since_ns < s->cost->poll_ns;
}

bool wk_send_ipi(struct wk_sim *s, struct wk_cpu *to)
{
	u64 at = s->now + s->cost->ipi_latency_ns;
	bool sent = true;

	if (is_polling(s, to)) {
		at = s->now;
		sent = false;
	} else {
		s->count->ipis++;
	}
	if (at < to->irq_at) {
		to->irq_at = at;
		wk_rearm(s, to);
	}
	return sent;
}

/* resched_curr(): 0 or what the sender pays. */
u64 wk_kick(struct wk_sim *s, struct wk_cpu *from, struct wk_cpu *to)
{
	if (to->need_resched)
		return 0;
	to->need_resched = 1;
	if (to == from)
		return 0;
	return wk_send_ipi(s, to) ? s->cost->ipi_send_ns : 0;
}

/* ---- interrupts ---- */

static void irq_done(struct wk_sim *s, struct wk_cpu *c)
{
	c->in_irq = 0;
	if (c->saved_phase == WK_PH_IDLE) {
		wk_idle_return(s, c);
		return;
	}
	if (c->saved_phase == WK_PH_SPIN) {
		if (c->need_resched) {
			wk_mutex_spin_end(s, c);
			return;
		}
		if (c->spin_granted) {
			c->spin_granted = 0;
			wk_task_run(s, c);
			return;
		}
		wk_park(s, c, WK_PH_SPIN);
		return;
	}
	if (c->need_resched && wk_may_preempt(c)) {
		c->curr->owed_ns = c->saved_left;
		c->curr->owed_then = c->saved_then;
		wk_schedule(s, c);
		return;
	}
	wk_seg_open(s, c, c->saved_left, c->saved_then);
	c->seg_total = c->saved_total;
}

/*
 * User code may be preempted anywhere. Kernel code (voluntary preemption) only
 * where it asks; the copy inside a pipe's mutex asks once (might_fault()), taken
 * to be in the middle of the segment.
 */
bool wk_may_preempt(const struct wk_cpu *c)
{
	if (c->curr->in_kernel == WK_KERNEL_ASKS)
		return c->saved_left * 2 > c->saved_total;
	return c->curr->in_kernel == WK_USER;
}

static void irq_list(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->in.head)
		wk_wake_list_drain(s, c, irq_done);
	else
		irq_done(s, c);
}

static void irq_timers(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_tnode *n;
	u64 cost = 0;

	while ((n = wk_timeline_first(&c->timers)) && n->key <= s->now) {
		struct wk_thread *p = WK_THREAD_OF_TIMER(n);

		wk_timeline_remove(&c->timers, n);
		p->timer_armed = 0;
		wk_wake_add(s, c, p, false);
		cost += s->cost->timer_ns;
	}
	if (!cost) {
		irq_list(s, c);
		return;
	}
	c->wake_context = WK_CTX_IRQ;
	c->after_wake = irq_list;
	wk_seg(s, c, cost, wk_wake_drain);
}

static void irq_tick_done(struct wk_sim *s, struct wk_cpu *c)
{
	wk_rq_unlock(s, c);
	wk_balance_tick(s, c);
	wk_seg(s, c, c->balance_ns, irq_timers);
	c->balance_ns = 0;
}

static void irq_tick_locked(struct wk_sim *s, struct wk_cpu *c)
{
	u64 tg;

	wk_fair_tick(s, c);
	tg = wk_tg_access(s, c, c, false);
	wk_seg(s, c, s->cost->pick_ns + tg, irq_tick_done);
}

static void irq_body(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->irq_at <= s->now)
		c->irq_at = WK_NEVER;
	if (c->tick_at <= s->now) {
		c->tick_at = c->curr ? c->tick_at + s->tick_ns : WK_NEVER;
		if (c->curr && c->tick_at <= s->now)
			c->tick_at = s->now + s->tick_ns;
		if (c->curr) {
			wk_rq_lock(s, c, c, irq_tick_locked);
			return;
		}
	}
	irq_timers(s, c);
}

static void irq_enter(struct wk_sim *s, struct wk_cpu *c)
{
	u64 cost = s->cost->irq_ns;

	c->saved_phase = c->phase;
	c->saved_then = c->then;
	c->saved_left = c->phase == WK_PH_OPEN ? shrink(c, c->seg_end - s->now) : 0;
	c->saved_total = c->seg_total;
	c->in_irq = 1;
	if (c->phase == WK_PH_IDLE)
		cost = wk_idle_exit_ns(s, c) + (is_polling(s, c) ? 0 : cost);
	wk_set_awake(s, c, true);
	wk_seg(s, c, cost, irq_body);
}

void wk_cpu_event(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->phase == WK_PH_ATOMIC || c->seg_end <= s->now)
		c->then(s, c);
	else
		irq_enter(s, c);
}
