/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results that somebody published, to stand beside simulated ones.
 *
 * The file has the columns machine, config, benchmark, metric, load_name, load,
 * variant, pct_vs_baseline and baseline_variant; others are of no interest here. The
 * published names of benchmarks are not ours ("netperf", "TCP_RR" is
 * netperf-tcp-rr) and a metric can be less telling ("time" of a hackbench whose
 * mode nobody stated): workload/bench.def translates. A row with the metric's own
 * name goes before one that tells less.
 */
#ifndef WK_LAB_PUBLISHED_H
#define WK_LAB_PUBLISHED_H

#include "lab/csv.h"
#include "lab/plan.h"

struct wk_published {
	struct wk_csv csv;
	/* columns */
	u32 machine, config, benchmark, metric, load_name, load, variant, pct, baseline;
};

int wk_published_open(const char *path, struct wk_published *ret, struct wk_err *ret_err);
void wk_published_release(struct wk_published *pub);

/* The percent published for this cell against the same baseline; false where there is none. */
bool wk_published_find(const struct wk_published *pub, const struct wk_plan *p, u32 load,
		       u32 policy, u32 metric, double *ret_pct);

#endif
