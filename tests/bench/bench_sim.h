/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How fast the simulator is.
 *
 * An *event* is one dispatch of the event queue: the CPU with the smallest pending time is taken
 * and its continuation runs (result.count.events; code that runs without time passing counts with
 * the event that led to it). What is counted is the steady state: a run that ends with the
 * last fork is taken off, in time and in events.
 */
#ifndef WK_TESTS_BENCH_SIM_H
#define WK_TESTS_BENCH_SIM_H

#include "core/host.h"

/* What runs where, for how much simulated time. */
struct wk_bench_sim {
	const char *machine, *policy, *spec;
	u64 ns; /* of steady state */
};

struct wk_bench_speed {
	double seconds; /* CPU time of wk_sim_run(), which has one thread */
	u64 events, messages;
};

struct wk_bench_speed wk_bench_sim_steady(const struct wk_bench_sim *b);
/* One run from the cold start to @steady_ns after the last task has started. */
struct wk_bench_speed wk_bench_sim_run(const struct wk_bench_sim *b, u64 steady_ns);

/* Two tasks a CPU that send messages; @nr_cpus is 16, 256, 384, 1024 or 4096. */
const struct wk_bench_sim *wk_bench_sim_of(u32 nr_cpus);
extern const struct wk_bench_sim wk_bench_sim_hackbench;

/* The largest resident set of a process that simulates 4,096 CPUs and 100,000 tasks, in MiB. */
double wk_bench_sim_rss_mib(void);

/* Seconds of five policies x five loads of hackbench, --quick, with two jobs. */
double wk_bench_compare_quick_s(void);

#endif
