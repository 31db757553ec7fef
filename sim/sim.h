/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulator: a machine, a workload, a policy and a seed in; a result out.
 *
 * Problem: whether a wake-up policy helps depends on locks, caches, idle states
 * and the fair class of machines that nobody has all of.
 * Idea: simulate CPUs, run queues, locks, cache-line transfers and the kernel's
 * decisions as discrete events, with the real decision core (core/pick.h) in
 * the middle and every cost from a data file. The run is a value: the same
 * input gives the same bytes, and any number of runs live in one process.
 * Ownership: the caller owns input and result; nothing is kept.
 */
#ifndef WK_SIM_SIM_H
#define WK_SIM_SIM_H

#include "core/err.h"
#include "core/policy.h"
#include "core/record.h"
#include "machine/machine.h"
#include "sim/cost.h"
#include "workload/workload.h"

#define WK_SIM_MAX_METRICS 16

/* From where a run starts: overload has long-lived regimes, see doc/simulator.md. */
enum wk_start {
	WK_START_COLD,	/* tasks are forked one by one on an idle machine */
	WK_START_BATCH, /* virtual runtimes spread, budgets full: tends to batching */
	WK_START_CHURN, /* virtual runtimes equal, budgets empty: tends to churn */
	WK_START_NR
};

struct wk_hotplug {
	u64 t_ns;
	u32 cpu; /* the kernel's number */
	bool online;
};

struct wk_sim_input {
	const struct wk_machine *machine;
	const struct wk_topo
		*topo; /* of that machine and policy; silicon is shared by all policies */
	const struct wk_cost *cost;
	const struct wk_workload *workload;
	const struct wk_policy *policy;
	u64 seed;
	enum wk_start start;
	u64 warmup_ns, window_ns; /* 0: the workload's own, see struct wk_workload */
	u64 max_ns;		  /* simulated time never passes this; 0: warm-up plus window */
	const struct wk_hotplug *hotplug; /* in order of time */
	u32 nr_hotplug;
	const volatile int
		*stop; /* set to non-zero from a signal handler to end early; may be NULL */
	void (*on_record)(void *arg, const struct wk_record *rec); /* every decision, may be NULL */
	void *arg;
};

/* Counts of one measured window; X-table: name and sentence drive every output. */
struct wk_sim_counts {
#define WK_COUNT(name, unit, sentence) u64 name;
#include "sim/count.def"
	u64 why[WK_WHY_NR];
	u64 handoff[WK_HANDOFF_NR];
	u64 probes[WK_TIER_NR];
	u64 migrations[WK_TIER_NR]; /* by tier between the old and the new CPU */
};

struct wk_sim_metric {
	double value; /* as the real tool prints it, in its unit */
	u64 samples;  /* counts or latencies behind it */
};

struct wk_sim_result {
	u32 nr_metrics; /* in the order of workload->metric[] */
	struct wk_sim_metric metric[WK_SIM_MAX_METRICS];
	struct wk_sim_counts count;
	u64 window_ns; /* simulated time measured */
	u64 total_ns;  /* simulated time in all */
	/* wake-ups per message and idle share were flat when the window began and stayed so */
	bool settled;
	bool finished; /* every task ended by itself (total_ns is then the real elapsed time) */
	bool stopped;  /* *stop was set */
};

/*
 * 0, or -EINVAL with *ret_err filled: an impossible workload, a deadlock (named), a crash
 * the policy would cause.
 */
int wk_sim_run(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *ret_err);

/* The four measures of the SIS counters, in percent; -1 where undefined. Printed by these names. */
struct wk_sis {
	double search_efficiency, domain_efficiency, fast_success, success;
};
void wk_sim_sis(const struct wk_sim_counts *c, struct wk_sis *ret);

#endif
