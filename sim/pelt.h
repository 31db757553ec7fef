/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-entity load tracking: how loaded, how crowded and how busy, lately.
 *
 * Problem: wake-up placement and balancing look at averages that the kernel keeps
 * as geometric series, and their slowness and rounding are part of the behaviour.
 * Idea: the kernel's own arithmetic. Time is cut into periods of 1.024 ms; what
 * happened k periods ago counts y^k, with y^32 = 1/2:
 *
 *      |<- rest ->|<--- full periods --->|<- now ->|     unit: 1024 ns
 *      +----------+------+------+--...---+---------+     a period: 1024 units
 *          d1 y^p    y^(p-1) ...    y        d3
 *
 * A sum is d1 y^p + 1024 (y^(p-1) + ... + y) + d3, and the whole series of 1024s
 * is 47742, so an average is its sum over what it could be by now:
 * 47742 - 1024 + (units of the running period). Averages are refreshed only when
 * a period is crossed, as in the kernel.
 *
 * Lazy: nobody ticks; an update catches up from the last one in constant time.
 * Ownership: the caller's struct; one for each run queue and one for each task.
 */
#ifndef WK_SIM_PELT_H
#define WK_SIM_PELT_H

#include "core/host.h"

#define WK_PELT_UNIT_SHIFT   10	   /* ns to units */
#define WK_PELT_PERIOD	     1024  /* units */
#define WK_PELT_SUM_MAX	     47742 /* units; the series of a lifetime */
#define WK_PELT_HALF_PERIODS 32	   /* y^32 = 1/2 */

struct wk_pelt {
	u64 last_ns;	  /* all up to here is in the sums; a multiple of 1024 off the first */
	u64 load_sum;	  /* weight * units */
	u64 runnable_sum; /* 1024 * tasks * units */
	u64 util_sum;	  /* 1024 * units */
	u32 contrib;	  /* units of the running period that are in the sums, < 1024 */
	u32 load;	  /* average weight of what is runnable */
	u32 runnable;	  /* 1024: one task runnable all the time, 2048: two ... */
	u32 util;	  /* 1024: running all the time */
};

/* As if the averages had been this for ever. Zeroes are the kernel's start of a run queue. */
void wk_pelt_init(struct wk_pelt *p, u64 now_ns, u32 load, u32 runnable, u32 util);

bool wk_pelt_update_slow(struct wk_pelt *p, u64 now_ns, u32 load_weight, u32 nr_runnable,
			 bool running);

/*
 * Brings @p to @now_ns, given what held since the last update: the weights of what
 * was runnable (0: nothing was, the other two are then taken as 0), how many, and
 * whether one ran. True if a period was crossed, so that the averages are new.
 * Time that runs backwards is ignored.
 */
static inline bool wk_pelt_update(struct wk_pelt *p, u64 now_ns, u32 load_weight, u32 nr_runnable,
				  bool running)
{
	if ((s64)(now_ns - p->last_ns) < 1 << WK_PELT_UNIT_SHIFT)
		return false;
	return wk_pelt_update_slow(p, now_ns, load_weight, nr_runnable, running);
}

/* A task joins a run queue, both brought to the same time: its averages add to the queue's. */
void wk_pelt_attach(struct wk_pelt *rq, struct wk_pelt *task);
/* A task leaves: the queue's averages go down by the task's, never below zero. */
void wk_pelt_detach(struct wk_pelt *rq, const struct wk_pelt *task);

/* @val * y^@periods, rounded down as the kernel rounds. */
u64 wk_pelt_decay(u64 val, u64 periods);

#endif
