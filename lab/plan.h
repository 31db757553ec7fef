/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be run, and the results beside it.
 *
 * Problem: one number of one run decides nothing. A comparison is a grid of
 * loads and policies, each cell run several times from several start states.
 * Idea: the plan is that grid as plain arrays. A *load* is one benchmark at one
 * load; a *replica* one run of a (load, policy), numbered from 0. Replica i starts
 * from state i % WK_START_NR with a seed that depends on --seed, benchmark, load
 * and i but on no policy: all policies meet the same chance (common random
 * numbers), and replica i of two policies is a pair. A replica's result has one
 * place, so that neither order nor number of threads can show.
 * Ownership: the plan owns everything in it; wk_plan_destroy().
 */
#ifndef WK_LAB_PLAN_H
#define WK_LAB_PLAN_H

#include "sim/sim.h"

enum wk_replica_state { WK_REPLICA_TODO, WK_REPLICA_DONE };

struct wk_replica {
	struct wk_sim_result result;
	u64 seed;
	u8 start; /* enum wk_start */
	u8 state; /* enum wk_replica_state */
};

struct wk_plan_policy {
	char *name; /* as the user wrote it */
	struct wk_policy policy;
	struct wk_topo *topo;
};

struct wk_plan_load {
	char *spec;
	char *options; /* the spec without benchmark and load: "ipc=sockets,fds=20" */
	struct wk_workload *workload;
	u32 planned; /* replicas that each policy should have by now; the run raises it */
};

/* When enough is known. Decisions depend on results only, never on time. */
struct wk_rule {
	u32 min_runs, max_runs; /* replicas a policy and load */
	double limit_pct;	/* an interval within plus and minus this is narrow */
};

struct wk_plan {
	struct wk_machine *machine;
	struct wk_cost cost;
	u32 nr_policies, nr_loads;
	struct wk_plan_policy *policy; /* the first is the baseline */
	struct wk_plan_load *load;
	struct wk_replica *replica; /* [load][policy][rule.max_runs], see wk_plan_replica() */
	struct wk_rule rule;
	u64 seed;
	bool quick; /* short windows: see wk_plan_window() */
};

WK_INLINE struct wk_replica *wk_plan_replica(const struct wk_plan *p, u32 load, u32 policy, u32 i)
{
	return &p->replica[((u64)load * p->nr_policies + policy) * p->rule.max_runs + i];
}

/* The seed of replica @i: FNV-1a over the bench's name, mixed with the numbers by SplitMix64. */
u64 wk_plan_seed(u64 seed, const char *bench, u64 load, u32 i);

/* The rule of --runs (0: as long as needed) and --quick. */
void wk_plan_set_rule(struct wk_plan *p, u32 runs, bool quick);

/* Room for the replicas, with seeds and starts; policies, loads and rule stand by then. -ENOMEM. */
int wk_plan_alloc(struct wk_plan *p);

/* Warm-up and window of a run of this load; 0: the workload's own. */
void wk_plan_window(const struct wk_plan *p, u32 load, u64 *ret_warmup_ns, u64 *ret_window_ns);

/* CPUs of the machine that are online. */
u32 wk_plan_nr_cpus(const struct wk_plan *p);

void wk_plan_destroy(struct wk_plan *p);

/*
 * The three parts of a plan from the command line, in this order. All return 0
 * or -errno with one line in *ret_err. @costs is a file, NULL for the machine's
 * own family; @policies a list with commas; @fair "cfs", "eevdf" or NULL for the
 * policy's own; @spec may have a list as load (groups=1/2/4), which becomes
 * several loads.
 */
int wk_plan_set_machine(struct wk_plan *p, const char *source, const char *costs,
			struct wk_err *ret_err);
int wk_plan_add_policies(struct wk_plan *p, const char *policies, const char *fair,
			 struct wk_err *ret_err);
int wk_plan_add_bench(struct wk_plan *p, const char *spec, struct wk_err *ret_err);

#endif
