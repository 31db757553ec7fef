// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "lab/plan.h"

#define MSEC 1000000ull

/*
 * Replicas, in rounds of one from each start: a difference to within 2 % takes
 * 17 to 70 of them at small loads, and far fewer at most others.
 */
#define RUNS_LEAST	(2 * WK_START_NR)
#define RUNS_MOST	(4 * WK_START_NR)
#define RUNS_QUICK	WK_START_NR
#define RUNS_QUICK_MOST (2 * WK_START_NR)
#define LIMIT_PCT	2

/*
 * The wall time of a run goes with the CPUs that are busy in it. --quick spends
 * as much simulated CPU time on each run, so that large loads get short windows;
 * but overload needs some slices of every task to leave the start behind.
 */
#define QUICK_WARMUP_CPU_NS   (1000 * MSEC)
#define QUICK_WINDOW_CPU_NS   (1000 * MSEC)
#define QUICK_WARMUP_LEAST_NS (12 * MSEC)
#define QUICK_WINDOW_LEAST_NS (8 * MSEC)
#define QUICK_STEPS	      4 /* of the longest step of a task fit in the window */

/* SplitMix64 of Steele, Lea and Flood: one step. */
static u64 mix(u64 x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

u64 wk_plan_seed(u64 seed, const char *bench, u64 load, u32 i)
{
	u64 name = 0xcbf29ce484222325;

	for (; *bench; bench++)
		name = (name ^ (u8)*bench) * 0x100000001b3;
	return mix(mix(mix(mix(seed) ^ name) ^ load) ^ i);
}

void wk_plan_set_rule(struct wk_plan *p, u32 runs, bool quick)
{
	p->quick = quick;
	p->rule.limit_pct = LIMIT_PCT;
	p->rule.min_runs = quick ? RUNS_QUICK : RUNS_LEAST;
	p->rule.max_runs = quick ? RUNS_QUICK_MOST : RUNS_MOST;
	if (runs)
		p->rule.min_runs = p->rule.max_runs = runs;
}

int wk_plan_alloc(struct wk_plan *p)
{
	p->replica = calloc((size_t)p->nr_loads * p->nr_policies,
			    p->rule.max_runs * sizeof(*p->replica));
	if (!p->replica)
		return -ENOMEM;
	for (u32 load = 0; load < p->nr_loads; load++)
		for (u32 policy = 0; policy < p->nr_policies; policy++)
			for (u32 i = 0; i < p->rule.max_runs; i++) {
				const struct wk_workload *w = p->load[load].workload;
				struct wk_replica *r = wk_plan_replica(p, load, policy, i);

				r->start = i % WK_START_NR;
				r->seed = wk_plan_seed(p->seed, w->bench, w->load, i);
			}
	return 0;
}

u32 wk_plan_nr_cpus(const struct wk_plan *p)
{
	u32 nr = 0;

	for (u32 i = 0; i < p->machine->nr_cpus; i++)
		nr += p->machine->cpu[i].online;
	return nr;
}

static u64 quick_ns(u64 own_ns, u64 cpu_ns, u64 least_ns, u64 busy)
{
	u64 ns = cpu_ns / (busy ? busy : 1);

	ns = ns > least_ns ? ns : least_ns;
	return own_ns && own_ns < ns ? own_ns : ns;
}

/* The longest computation or sleep of a task: a shorter window may see nothing happen. */
static u64 longest_step_ns(const struct wk_workload *w)
{
	u64 ns = 0;

	for (u32 i = 0; i < w->nr_ops; i++) {
		const struct wk_op *op = &w->op[i];
		bool waits = op->code == WK_OP_RUN || op->code == WK_OP_SPIN ||
			     op->code == WK_OP_SLEEP || op->code == WK_OP_TIMER;

		ns = waits && op->c > ns ? op->c : ns;
	}
	return ns;
}

void wk_plan_window(const struct wk_plan *p, u32 load, u64 *ret_warmup_ns, u64 *ret_window_ns)
{
	const struct wk_workload *w = p->load[load].workload;
	u32 cpus = wk_plan_nr_cpus(p), busy = w->nr_tasks < cpus ? w->nr_tasks : cpus;
	u64 least = QUICK_STEPS * longest_step_ns(w);

	*ret_warmup_ns = *ret_window_ns = 0;
	if (!p->quick)
		return;
	least = least > QUICK_WINDOW_LEAST_NS ? least : QUICK_WINDOW_LEAST_NS;
	*ret_warmup_ns = quick_ns(w->warmup_ns, QUICK_WARMUP_CPU_NS, QUICK_WARMUP_LEAST_NS, busy);
	*ret_window_ns = quick_ns(w->min_window_ns, QUICK_WINDOW_CPU_NS, least, busy);
}
