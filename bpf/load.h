/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Idle bits, loads and utilisation: what the core reads of the CPUs.
 *
 * Averages approximate the kernel's: the window since the last update is one
 * sample whose weight is what a half-life of 32 ms leaves (of 2^25 ns here,
 * linear between the halvings), and windows are at least 1 ms long, so that a
 * CPU that changes tasks more often does not pay each time.
 */
#ifndef WK_BPF_LOAD_H
#define WK_BPF_LOAD_H

#include "bpf/task.h"
#include "core/budget.h"

#define WK_HALF_LIFE_SHIFT 25
#define WK_WINDOW_NS	   1000000ULL
/* The kernel's cap of the mean idle time: twice what a migration is thought to cost. */
#define WK_IDLE_CAP_NS 1000000ULL

/* When each LLC's scan budget was made. */
u64 wk_budget_ns[WK_MAX_LLCS];

/* @old after @ns in which the value was @sample. */
WK_INLINE u32 wk_average(u32 old, u32 sample, u64 ns)
{
	u64 halvings = ns >> WK_HALF_LIFE_SHIFT;
	u64 part = ns & ((1ULL << WK_HALF_LIFE_SHIFT) - 1);
	s64 gap = (s64)old - (s64)sample;

	if (halvings > 20)
		return sample;
	gap = gap * (s64)((2ULL << WK_HALF_LIFE_SHIFT) - part);
	return (u32)((s64)sample + (gap >> (WK_HALF_LIFE_SHIFT + 1) >> halvings));
}

WK_INLINE u32 wk_share(u64 part_ns, u64 whole_ns)
{
	return part_ns < whole_ns ? (u32)(part_ns * 1024 / whole_ns) : 1024;
}

/* ---- tasks ---- */

WK_INLINE void wk_task_average(struct wk_live_task *t, u64 now_ns)
{
	u64 ns = now_ns - t->util_stamp_ns;

	if (ns < WK_WINDOW_NS)
		return;
	t->t.util = wk_average(t->t.util, wk_share(t->util_run_ns, ns), ns);
	t->t.load = t->t.util * t->t.weight >> 10;
	t->util_stamp_ns = now_ns;
	t->util_run_ns = 0;
}

/* ---- CPUs ---- */

WK_INLINE struct wk_cpu_state *wk_state_of(s32 cid)
{
	u64 i = (u32)cid;

	if (i >= WK_MAX_CPUS)
		return (struct wk_cpu_state *)0;
	wk_pin(i);
	return &wk_state_live.cpu[i];
}

/* The window so far becomes a sample; @busy says what goes on since busy_since_ns. */
WK_INLINE void wk_cpu_average(struct wk_live_cpu *c, struct wk_cpu_state *s, u64 now_ns, bool busy)
{
	u64 ns = now_ns - c->util_stamp_ns;
	u32 share;

	if (ns < WK_WINDOW_NS)
		return;
	if (busy) {
		c->busy_ns += now_ns - c->busy_since_ns;
		c->busy_since_ns = now_ns;
	}
	share = wk_share(c->busy_ns, ns);
	s->util = wk_average(s->util, share, ns);
	s->load = wk_average(s->load, share * (s->nr_running ? s->nr_running : 1), ns);
	c->util_stamp_ns = now_ns;
	c->busy_ns = 0;
}

/* The kernel's mean of idle periods: an eighth of the difference, capped. */
WK_INLINE void wk_idle_average(struct wk_cpu_state *s, u64 idle_ns)
{
	s64 diff = (s64)idle_ns - (s64)s->avg_idle_ns;

	s->avg_idle_ns = (u64)((s64)s->avg_idle_ns + (diff >> 3));
	if (s->avg_idle_ns > WK_IDLE_CAP_NS)
		s->avg_idle_ns = WK_IDLE_CAP_NS;
}

/* A whole idle core, as a hint for its LLC. Called on going idle, by the CPU itself. */
WK_STEP void wk_hint_core(u32 cid)
{
	struct wk_range smt;
	s32 llc;

	if (!wk_topo_live.has_smt || cid >= WK_MAX_CPUS)
		return;
	llc = wk_topo_live.cid[cid].llc;
	if (llc < 0 || llc >= WK_MAX_LLCS || wk_read_once(wk_state_live.llc[llc].has_idle_core))
		return;
	smt = wk_topo_live.cid[cid].smt;
	if (wk_mask_has_range(&wk_state_live.idle, smt))
		wk_write_once(wk_state_live.llc[llc].has_idle_core, 1);
}

/* ---- the scan budget of SIS_UTIL ---- */

WK_STEP u64 wk_sum_util(u32 first, u32 len, u64 now_ns)
{
	u32 cid, end = first + len;
	u64 sum = 0;

	wk_loop_for(cid, first, end) {
		struct wk_live_cpu *c = wk_cpu_of((s32)cid);
		u32 util;

		if (!c || cid >= WK_MAX_CPUS)
			break;
		util = wk_state_live.cpu[cid].util;
		/* A CPU that has slept since has not averaged: it has decayed all the same. */
		if (wk_read_once(c->idle_since_ns))
			util = wk_average(util, 0, now_ns - c->util_stamp_ns);
		sum += util;
	}
	return sum;
}

/* Once in as many milliseconds as the LLC has CPUs, by whoever passes first. */
WK_STEP void wk_refresh_budget(s32 cid, u64 now_ns)
{
	const struct wk_llc *llc;
	s32 row;
	u64 old;

	if (cid < 0 || cid >= WK_MAX_CPUS)
		return;
	row = wk_topo_live.cid[cid].llc;
	if (row < 0 || row >= WK_MAX_LLCS)
		return;
	llc = &wk_topo_live.llc[row];
	old = wk_read_once(wk_budget_ns[row]);
	if (now_ns - old < llc->weight * WK_WINDOW_NS ||
	    __sync_val_compare_and_swap(&wk_budget_ns[row], old, now_ns) != old)
		return;
	wk_write_once(wk_state_live.llc[row].nr_idle_scan,
		      wk_sis_util_scan(wk_sum_util(llc->span.first, llc->span.len, now_ns),
				       llc->weight));
}

/* ---- going idle, and leaving it ---- */

WK_INLINE void wk_goes_idle(s32 cid, struct wk_live_cpu *c, struct wk_cpu_state *s, u64 now_ns)
{
	c->busy_ns += now_ns - c->busy_since_ns;
	wk_cpu_average(c, s, now_ns, false);
	c->idle_since_ns = now_ns;
	s->idle_since_ns = now_ns;
	s->nr_running = 0;
	wk_bit_set(&wk_state_live.idle, cid);
	if (wk_topo_live.has_smt)
		wk_hint_core((u32)cid);
}

WK_INLINE void wk_leaves_idle(s32 cid, struct wk_live_cpu *c, struct wk_cpu_state *s, u64 now_ns)
{
	wk_bit_take(&wk_state_live.idle, cid);
	wk_cpu_average(c, s, now_ns, false);
	if (c->idle_since_ns)
		wk_idle_average(s, now_ns - c->idle_since_ns);
	if (wk_has(wk_policy_hidden(), WK_FEAT_SIS_PROP)) {
		s->wake_avg_idle_ns = s->avg_idle_ns / 2;
		s->wake_stamp_tick = bpf_jiffies64();
	}
	c->idle_since_ns = 0;
	c->busy_since_ns = now_ns;
	s->nr_running = 1;
}

#endif
