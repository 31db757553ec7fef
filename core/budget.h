/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many CPUs a scan may look at.
 *
 * Two rules exist. SIS_UTIL: the balancer derives a number from the utilisation
 * of the LLC now and then, and every scan there uses it. SIS_PROP (to 6.6): the
 * idle time that the waker's CPU can expect, over the cost of its past scans.
 *
 * The counter that a scan loads is decremented *before* a CPU is looked at, and
 * the scan ends when it has become zero: n gives n - 1 probes. SIS_UTIL adds one
 * to make up for it, SIS_PROP does not.
 */
#ifndef WK_CORE_BUDGET_H
#define WK_CORE_BUDGET_H

#include "core/ctx.h"

/* A counter that no scan uses up. */
#define WK_COUNTER_MAX 0x7fffffff

/*
 * SIS_UTIL's number for an LLC of @llc_weight CPUs whose utilisations add up to
 * @sum_util (1024 is one full CPU). With x the mean utilisation, the share of
 * CPUs to scan is 1 - (x * imbalance_pct / 100)^2: all at rest, none from 85 %
 * on (117 is the imbalance of an LLC).
 */
WK_INLINE u32 wk_sis_util_scan(u64 sum_util, u32 llc_weight)
{
	const u64 pct = 117, full = 1024;
	u64 x, used;

	if (llc_weight == 0)
		return 0;
	x = sum_util / llc_weight;
	used = x * x * pct * pct / (10000 * full);
	if (used > full)
		used = full;
	return (u32)((full - used) * llc_weight / full);
}

/* Half of the predicted idle time is forgotten with each tick since the last look. */
WK_INLINE u64 wk_aged_idle(struct wk_cpu_state *cpu, u64 now_tick)
{
	u64 ticks, life;

	if (cpu->wake_stamp_tick < now_tick && cpu->wake_avg_idle_ns) {
		ticks = now_tick - cpu->wake_stamp_tick;
		life = 64 - wk_clz64(cpu->wake_avg_idle_ns);
		if (ticks > life)
			ticks = life;
		cpu->wake_stamp_tick += ticks;
		cpu->wake_avg_idle_ns = ticks < 64 ? cpu->wake_avg_idle_ns >> ticks : 0;
	}
	return cpu->wake_avg_idle_ns;
}

/* SIS_PROP's counter for an LLC of @weight CPUs, between @least and @most. */
WK_INLINE u32 wk_sis_prop(struct wk_ctx *c, u32 weight, u32 least, u32 most)
{
	struct wk_cpu_state *cpu;
	u64 idle, cost, nr;

	if (c->w->waker >= WK_MAX_CPUS)
		return least;
	cpu = &wk_at(c->state->cpu, c->w->waker);
	/* 5.2 divides by a fuzz factor what 5.12 and later let age. */
	idle = wk_rules(c->pol) <= 5 ? cpu->avg_idle_ns / 512 : wk_aged_idle(cpu, c->w->now_tick);
	cost = cpu->scan_cost_ns + 1;
	if (idle * weight <= cost * least)
		return least;
	nr = idle * weight / cost;
	return nr < most ? (u32)nr : most;
}

/*
 * SIS_CORE's bounds: one core and two cores of the target, in threads. Where a
 * core is one thread the lower bound stays at two, which is one probe.
 */
WK_INLINE u32 wk_core_bound(const struct wk_ctx *c, u32 target)
{
	u32 threads = target < WK_MAX_CPUS ? wk_at(c->topo->cid, target).smt.len : 1;

	return threads > 2 ? threads : 2;
}

/*
 * The counter for a scan of scan.row around scan.target, 0 where there must be no scan.
 * scan.hint: whole idle cores are searched, which costs no budget; SIS_UTIL still has
 * its say.
 */
WK_INLINE s32 wk_budget(struct wk_ctx *c)
{
	const struct wk_scan *s = &c->w->scan;
	bool bounds = wk_has(c->pol, WK_FEAT_SIS_CORE);
	u32 least = bounds ? wk_core_bound(c, s->target) : 4,
	    most = bounds ? 2 * least : WK_COUNTER_MAX;
	u32 nr = WK_COUNTER_MAX;

	if (wk_has(c->pol, WK_FEAT_SIS_PROP) && (wk_rules(c->pol) <= 5 || !s->hint)) {
		if (wk_llc_of(c->topo, c->w->waker) == WK_NONE)
			return 0;
		nr = wk_sis_prop(c, wk_at(c->topo->llc, s->row).weight, least, most);
		c->pick->flags |= WK_PICK_TIMED;
	}
	if (wk_has(c->pol, WK_FEAT_SIS_UTIL)) {
		u32 scan = wk_read_once(wk_at(c->state->llc, s->row).nr_idle_scan);

		if (scan == 0) {
			if (c->pick->nr_llcs == 0)
				c->pick->flags |= WK_PICK_ABORTED;
			return 0;
		}
		nr = scan < WK_COUNTER_MAX ? scan + 1 : WK_COUNTER_MAX;
	}
	if (bounds)
		nr = nr > most ? most : nr < least ? least : nr;
	return (s32)nr;
}
WK_UNIT(wk_budget)

/*
 * SIS_PROP learns from the time that the search took: called by the host, which
 * has a clock, for picks with WK_PICK_TIMED. A scan that its budget ended is
 * not counted, as in the kernel, where it returns before the sum is made.
 */
WK_INLINE void wk_sis_prop_charge(struct wk_state *s, const struct wk_pick *pick, u32 waker_cid,
				  u64 time_ns)
{
	struct wk_cpu_state *cpu;

	if (waker_cid >= WK_MAX_CPUS || !(pick->flags & WK_PICK_TIMED) ||
	    (pick->flags & WK_PICK_EXHAUSTED))
		return;
	cpu = &wk_at(s->cpu, waker_cid);
	cpu->wake_avg_idle_ns -= time_ns < cpu->wake_avg_idle_ns ? time_ns : cpu->wake_avg_idle_ns;
	/* A mean with an eighth of weight for the new value; the kernel's shift rounds down. */
	if (time_ns >= cpu->scan_cost_ns)
		cpu->scan_cost_ns += (time_ns - cpu->scan_cost_ns) / 8;
	else
		cpu->scan_cost_ns -= (cpu->scan_cost_ns - time_ns + 7) / 8;
}

#endif
