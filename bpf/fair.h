/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fairness: virtual deadlines on one queue a CPU.
 *
 * A task's virtual time advances by its run time over its weight. In the queue
 * of a CPU the earliest virtual deadline runs first: virtual time plus one slice
 * over the weight. A task that runs does so until its slice ends; then it goes
 * on if its next deadline is still the earliest.
 *
 * Each CPU has a clock, vnow: the largest virtual time that a task there has
 * started at. What counts is only the distance to it, the lag. A task takes it
 * along when it sleeps, within one slice either way, and when another CPU takes
 * the task: clocks of CPUs are never compared.
 */
#ifndef WK_BPF_FAIR_H
#define WK_BPF_FAIR_H

#include "bpf/task.h"

WK_INLINE bool wk_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

/* @ns of run time as virtual time. */
WK_INLINE u64 wk_virtual(const struct wk_live_task *t, u64 ns)
{
	u32 weight = t->t.weight;

	return weight == 1024 || !weight ? ns : ns * 1024 / weight;
}

WK_INLINE u64 wk_deadline(const struct wk_live_task *t)
{
	return t->vtime + wk_virtual(t, wk_config.slice_ns);
}

/* Puts the task on the clock of @cid, its lag kept. */
WK_INLINE void wk_place(struct wk_live_task *t, s32 cid, const struct wk_live_cpu *c)
{
	struct wk_live_cpu *from;

	if (t->queue == cid)
		return;
	from = wk_cpu_of(t->queue);
	if (from)
		t->vtime -= from->vnow;
	t->vtime += c->vnow;
	t->queue = cid;
}

/* Off the clock, to sleep: what remains is the lag, at most a slice. */
WK_INLINE void wk_unplace(struct wk_live_task *t)
{
	struct wk_live_cpu *c = wk_cpu_of(t->queue);
	s64 lag = c ? (s64)(t->vtime - c->vnow) : 0;
	s64 most = (s64)wk_virtual(t, wk_config.slice_ns);

	t->vtime = (u64)(lag > most ? most : lag < -most ? -most : lag);
	t->queue = WK_NONE;
}

/* What @t has run since it was charged last. */
WK_INLINE void wk_charge(struct wk_live_task *t, u64 now_ns)
{
	s64 ran = (s64)(now_ns - t->run_ns);

	if (ran <= 0)
		return;
	t->run_ns = now_ns;
	t->util_run_ns += (u64)ran;
	t->vtime += wk_virtual(t, (u64)ran);
}

WK_INLINE void wk_clock_follow(struct wk_live_cpu *c, const struct wk_live_task *t)
{
	if (wk_before(c->vnow, t->vtime))
		c->vnow = t->vtime;
}

/* Is somebody in queue @dsq whose deadline is before @deadline? */
WK_INLINE bool wk_queue_has_before(u64 dsq, u64 deadline)
{
	struct bpf_iter_scx_dsq it;
	struct task_struct *p;
	bool before = false;

	if (bpf_ksym_exists(scx_bpf_dsq_peek___wk)) {
		p = scx_bpf_dsq_peek___wk(dsq);
		return p && wk_before(p->scx.dsq_vtime, deadline);
	}
	if (bpf_iter_scx_dsq_new___wk(&it, dsq, 0) == 0) {
		p = bpf_iter_scx_dsq_next___wk(&it);
		before = p && wk_before(p->scx.dsq_vtime, deadline);
	}
	bpf_iter_scx_dsq_destroy___wk(&it);
	return before;
}

#endif
