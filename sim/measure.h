/* SPDX-License-Identifier: GPL-2.0-only */
/* What measure.c keeps: see there. */
#ifndef WK_SIM_MEASURE_H
#define WK_SIM_MEASURE_H

#include "sim/internal.h"

#define WK_SLICES 16 /* slices that must be flat before the window begins */

struct wk_slice {
	u64 wakeups, messages, idle_ns;
};

struct wk_measure {
	u64 slice_ns, next_ns;
	u64 warmup_ns, window_ns, window_end_ns;
	struct wk_slice slice[WK_SLICES];
	struct wk_slice last;	     /* running totals at the end of the last slice */
	struct wk_slice begin, half; /* totals at the begin and the middle of the window */
	u64 half_ns;
	u32 nr, levelled;
	u64 *slot_begin;
	struct wk_sim_counts warm; /* counts of the time before the window go here */
};

#endif
