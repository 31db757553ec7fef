/* SPDX-License-Identifier: GPL-2.0-only */
/* Tiny workloads written in a test, on tiny machines. */
#ifndef WK_TESTS_SIM_PROGRAM_H
#define WK_TESTS_SIM_PROGRAM_H

#include "tests/support/test.h"
#include "tests/unit/sim/case.h"
#include "workload/build.h"

#define US 1000ULL
#define MS 1000000ULL

static inline void wkt_program_open(struct wkt_case *c, const char *machine, const char *policy,
				    struct wk_build *b)
{
	wkt_case_open(c, machine, policy);
	wk_build_init(b, "test", "", 0);
	b->w->nr_slots = 8; /* counters that a program may use without a metric */
}

/* A task with its own program, which the operations that follow are. */
static inline u32 wkt_task(struct wk_build *b, u32 weight, s32 affinity)
{
	const struct wk_wtask proto = {.weight = weight, .affinity = affinity, .parent = WK_NONE};
	u32 task = wk_build_task(b, &proto);

	wk_build_program(b, task);
	return task;
}

/* The row of an affinity to one CPU, by the kernel's number. */
static inline u32 wkt_pin(struct wk_build *b, u32 cpu)
{
	struct wk_mask mask = {0};

	wk_mask_set(&mask, cpu);
	return wk_build_affinity(b, &mask);
}

/* What is written so far is the workload; the whole run counts, to @ns at most. */
static inline void wkt_program_take(struct wkt_case *c, struct wk_build *b, u64 ns)
{
	wkt_case_take(c, wk_build_finish(b, &c->err));
	wkt_case_whole(c, ns);
}

/* To its end: every task has to finish by itself. */
static inline void wkt_program_finish(struct wkt_case *c, struct wk_build *b)
{
	wkt_program_take(c, b, 3600 * 1000 * MS);
	if (wkt_case_run(c))
		fail_msg("%s", c->err.text);
	assert_true(c->res.finished);
}

#endif
