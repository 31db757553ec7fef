/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running a plan: rounds of replicas over a pool of threads.
 *
 * A round gives one replica from every start state to every policy of each load
 * that still needs it. Only between rounds it is decided who needs another, by
 * the results alone (lab/cell.h says when an interval is wide). So the results
 * are the same bytes for any number of threads.
 */
#ifndef WK_LAB_RUN_H
#define WK_LAB_RUN_H

#include "lab/plan.h"

struct wk_run {
	u32 jobs;
	const volatile int *stop; /* set from a signal handler; may be NULL */
	/* wk_sim_run(), or what a test puts in its place */
	int (*simulate)(const struct wk_sim_input *in, struct wk_sim_result *ret,
			struct wk_err *ret_err);
	void (*progress)(void *arg, u32 done, u32 planned); /* one call at a time; may be NULL */
	void *arg;
};

/*
 * 0; -EINTR when stopped, what was finished being in its place; else -errno with the
 * line of the first replica (in the order of the plan) that failed.
 */
int wk_plan_run(struct wk_plan *p, const struct wk_run *run, struct wk_err *ret_err);

#endif
