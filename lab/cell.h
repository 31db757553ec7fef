/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One number of a table: a metric of a (load, policy) over its replicas, held
 * against the baseline.
 *
 * What may be said of it depends on three things, kept apart: is the interval
 * narrow, had the runs settled, do the start states agree. A cell is *decided*
 * when somebody may act on it.
 */
#ifndef WK_LAB_CELL_H
#define WK_LAB_CELL_H

#include "lab/plan.h"
#include "lab/stats.h"

enum wk_verdict {
	WK_VERDICT_OPEN,   /* the interval has both signs and is wide */
	WK_VERDICT_BETTER, /* the interval is above 0 */
	WK_VERDICT_WORSE,
	WK_VERDICT_EQUAL, /* the interval is within plus and minus the limit */
};

struct wk_cell {
	u32 runs; /* replicas finished that measured it */
	double mean, hmean, median, std, std_pct;
	/* against the baseline, in percent, positive is better; n pairs */
	struct wk_interval diff;
	u32 start_runs[WK_START_NR];
	double start_mean[WK_START_NR];
	double start_diff[WK_START_NR]; /* percent as above, 0 where there is no pair */
	enum wk_verdict verdict;
	bool wide;	/* the interval is worth more replicas */
	bool unsettled; /* more than a quarter of the runs, or of the baseline's, had not settled */
	bool regime;	/* the starts disagree about the mean or about the difference */
	bool decided;
};

/* Of metric @metric of the load's workload. -ENOMEM. */
int wk_cell_get(const struct wk_plan *p, u32 load, u32 policy, u32 metric, struct wk_cell *ret);

/* A short window can see no wake-up at all: its latency is unknown then, not 0. */
bool wk_cell_measured(const struct wk_replica *r, u32 metric);

/* The counts of all finished replicas added up, and the simulated time behind them. */
void wk_cell_counts(const struct wk_plan *p, u32 load, u32 policy, struct wk_sim_counts *ret,
		    u64 *ret_window_ns);

/* Why it is not decided, for a line of text. */
const char *wk_cell_reason(const struct wk_cell *c);

/* '!' regime-dependent, '~' wide or unsettled, ' ' neither. */
char wk_cell_mark(const struct wk_cell *c);

extern const char *const wk_verdict_name[];
extern const char *const wk_start_name[WK_START_NR];

#endif
