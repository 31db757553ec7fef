/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A plan without a simulator: results are a function of policy, load, seed and start, so that a
 * test knows what must come out. The feature `limit` of a policy is its gain in percent.
 */
#ifndef WK_TESTS_UNIT_LAB_FAKE_H
#define WK_TESTS_UNIT_LAB_FAKE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/golden.h"

#include "lab/plan.h"

#define FAKE_POLICIES 3
#define FAKE_LOADS    2

/* How the fake behaves; a test changes it before it runs the plan. */
struct fake {
	struct wk_plan plan;
	struct wk_machine machine;
	struct wk_machine_cpu cpu[4];
	struct wk_plan_policy policy[FAKE_POLICIES];
	struct wk_plan_load load[FAKE_LOADS];
	struct wk_workload workload[FAKE_LOADS];
	struct wk_metric metric[2];
};

/* Its own numbers instead of cid 0..: a value in [-1, 1) from the seed. */
static inline double fake_noise(u64 seed)
{
	return (double)(seed >> 11) / (double)(1ull << 52) - 1;
}

/* The same, but different for each policy. */
static inline double fake_own_noise(const struct wk_sim_input *in)
{
	return fake_noise(in->seed * (31 + 2 * wk_num(in->policy, WK_FEAT_LIMIT)));
}

static inline void fake_counts(const struct wk_sim_input *in, struct wk_sim_counts *c)
{
	u64 n = 1000 * in->workload->load;

	c->messages = n * 10;
	c->wakeups = n;
	c->sis_search = n;
	c->sis_domain_search = n / 2;
	c->sis_scanned = n * 3;
	c->sis_failed = n / 10;
	c->sis_aborts = n / 20;
	c->lock_wait_ns = n * 250;
	c->ipis = n / 4;
	c->preemptions = n / 8;
	c->idle_ns = n * 1000;
	c->idle_while_waiting_ns = n * 30;
	c->why[WK_WHY_LLC_IDLE] = n * 6 / 10;
	c->why[WK_WHY_PREV_IDLE] = n * 3 / 10;
	c->why[WK_WHY_TARGET_BUSY] = n / 10;
	c->handoff[WK_HANDOFF_DIRECT] = n;
	c->probes[WK_TIER_LLC] = n * 3;
	c->migrations[WK_TIER_LLC] = n / 5;
	c->migrations[WK_TIER_MACHINE] = n / 50;
}

/* Metric 0: seconds, with 2 % of noise that all policies share and 0.5 % of their own. */
static inline int fake_simulate(const struct wk_sim_input *in, struct wk_sim_result *ret,
				struct wk_err *err)
{
	double gain = wk_num(in->policy, WK_FEAT_LIMIT) / 100.0;
	double value = (double)in->workload->load * (1 + 0.02 * fake_noise(in->seed));

	(void)err;
	*ret = (struct wk_sim_result){.nr_metrics = 2, .settled = true, .window_ns = 1000000};
	value *= 1 - gain + 0.005 * fake_own_noise(in);
	ret->metric[0] = (struct wk_sim_metric){.value = value, .samples = 1000};
	ret->metric[1] = (struct wk_sim_metric){.value = 12345 / value, .samples = 1000};
	fake_counts(in, &ret->count);
	ret->total_ns = 2000000;
	return 0;
}

static inline void fake_init(struct fake *f)
{
	static char *const names[FAKE_POLICIES] = {"tip", "sis_node", "sis_node+limit=8"};
	static char *const specs[FAKE_LOADS] = {"hackbench:groups=1", "hackbench:groups=20"};

	memset(f, 0, sizeof(*f));
	strcpy(f->machine.name, "epyc-fake");
	strcpy(f->machine.config, "nps1");
	strcpy(f->machine.family, "zen3");
	f->machine.nr_cpus = 4;
	f->machine.cpu = f->cpu;
	for (u32 i = 0; i < 4; i++)
		f->cpu[i].online = true;
	f->metric[0] = (struct wk_metric){.name = "threads-pipe", .unit = "s"};
	f->metric[1] = (struct wk_metric){.name = "messages",
					  .unit = "1/s",
					  .kind = WK_METRIC_RATE,
					  .higher_is_better = true};
	for (u32 i = 0; i < FAKE_POLICIES; i++) {
		f->policy[i].name = names[i];
		wk_policy_set(&f->policy[i].policy, WK_FEAT_LIMIT, 4 * i);
	}
	for (u32 i = 0; i < FAKE_LOADS; i++) {
		struct wk_workload *w = &f->workload[i];

		*w = (struct wk_workload){.load = i ? 20 : 1, .nr_tasks = i ? 800 : 40};
		strcpy(w->bench, "hackbench");
		strcpy(w->load_name, "groups");
		w->nr_metrics = 2;
		w->metric = f->metric;
		f->load[i] = (struct wk_plan_load){specs[i], "", w, 0};
	}
	f->plan = (struct wk_plan){.machine = &f->machine,
				   .nr_policies = FAKE_POLICIES,
				   .nr_loads = FAKE_LOADS,
				   .policy = f->policy,
				   .load = f->load,
				   .seed = 1};
	wk_plan_set_rule(&f->plan, 0, false);
}

static inline void fake_release(struct fake *f)
{
	free(f->plan.replica);
}

/* Until the real one is linked. */
__attribute__((weak)) void wk_sim_sis(const struct wk_sim_counts *c, struct wk_sis *ret)
{
	double found = (double)(c->sis_search - c->sis_failed);
	double fast = (double)(c->sis_search - c->sis_domain_search);

	ret->search_efficiency = found / (double)c->sis_scanned * 100;
	ret->domain_efficiency = (double)(c->sis_domain_search - c->sis_failed) /
				 ((double)c->sis_scanned - fast) * 100;
	ret->fast_success = fast / (double)c->sis_search * 100;
	ret->success = found / (double)c->sis_search * 100;
}

#endif
