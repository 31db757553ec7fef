// SPDX-License-Identifier: GPL-2.0-only
/* Same input, same bytes; policies that are one where their idea has nothing to act on. */
#include <pthread.h>

#include "tests/unit/sim/program.h"

#define SMALL "pack:2 l3:2 core:4 pu:2"

struct job {
	const char *machine, *policy, *spec;
	u64 seed, ns;
	enum wk_start start;
	struct wk_sim_result res;
};

static void run_job(struct job *j)
{
	struct wkt_case c;

	wkt_case_open(&c, j->machine, j->policy);
	wkt_case_workload(&c, j->spec);
	c.in.seed = j->seed;
	c.in.start = j->start;
	c.in.warmup_ns = j->ns / 4;
	c.in.window_ns = j->ns;
	c.in.max_ns = 20 * j->ns;
	memset(&c.res, 0, sizeof(c.res));
	wkt_need(!wkt_case_run(&c), j->spec, &c.err);
	memcpy(&j->res, &c.res, sizeof(c.res));
	wkt_case_close(&c);
}

static bool same(const struct job *a, const struct job *b)
{
	return !memcmp(&a->res, &b->res, sizeof(a->res));
}

/* ---- determinism ---- */

static void the_same_seed_gives_the_same_bytes(void **state)
{
	static const char *const policies[] = {"tip", "tip-7", "tip-5", "sis_node"};

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct job a = {SMALL, policies[i], "hackbench:groups=1,fds=12,loops=100000",
				7,     5 * MS,	    i % WK_START_NR,
				{0}};
		struct job b = a;

		run_job(&a);
		run_job(&b);
		assert_true(same(&a, &b));
		assert_true(a.res.count.messages > 0);
	}
}

static void another_seed_gives_another_run(void **state)
{
	struct job a = {SMALL, "tip", "hackbench:groups=1,fds=12,loops=100000", 7, 5 * MS, 0, {0}};
	struct job b = a;

	(void)state;
	b.seed = 8;
	run_job(&a);
	run_job(&b);
	assert_false(same(&a, &b));
}

static void another_start_gives_another_run(void **state)
{
	struct job a = {SMALL, "tip", "hackbench:groups=1,fds=12,loops=100000", 7, 5 * MS, 0, {0}};
	struct job b = a;

	(void)state;
	b.start = WK_START_CHURN;
	run_job(&a);
	run_job(&b);
	assert_false(same(&a, &b));
}

#define NR_JOBS 6

static void *run_thread(void *arg)
{
	run_job(arg);
	return NULL;
}

static void simulations_side_by_side_give_what_each_gives_alone(void **state)
{
	static const char *const specs[] = {"hackbench:groups=1,fds=12,loops=100000",
					    "netperf-tcp-rr:clients=8", "schbench:workers=12"};
	struct job alone[NR_JOBS], together[NR_JOBS];
	pthread_t thread[NR_JOBS];

	(void)state;
	for (u32 i = 0; i < NR_JOBS; i++) {
		alone[i] = (struct job){
			SMALL, i & 1 ? "tip-7" : "sis_node", specs[i % 3], i, 3 * MS, 0, {0}};
		together[i] = alone[i];
		run_job(&alone[i]);
	}
	for (u32 i = 0; i < NR_JOBS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, run_thread, &together[i]), 0);
	for (u32 i = 0; i < NR_JOBS; i++) {
		pthread_join(thread[i], NULL);
		assert_true(same(&alone[i], &together[i]));
	}
}

/* ---- policies that are one where there is nothing to differ about ---- */

static void expect_one(const char *machine, const char *spec, const char *const *policies, u32 nr)
{
	struct job first = {machine, policies[0], spec, 3, 4 * MS, WK_START_COLD, {0}};

	run_job(&first);
	for (u32 i = 1; i < nr; i++) {
		struct job other = first;

		other.policy = policies[i];
		run_job(&other);
		if (!same(&first, &other))
			fail_msg("%s: %s: %s differs from %s", machine, spec, policies[i],
				 policies[0]);
	}
}

static void sis_node_is_tip_where_a_node_has_one_llc(void **state)
{
	static const char *const policies[] = {"tip", "sis_node"};

	(void)state;
	expect_one("kunpeng920:node0", "netperf-tcp-rr:clients=48", policies, 2);
	expect_one("spr-2s-112c:snc-off", "hackbench:groups=8,loops=100000", policies, 2);
}

static void three_variants_are_one_in_nps4(void **state)
{
	static const char *const policies[] = {"sis_node", "sis_node_limit4", "sis_node_topoext"};

	(void)state;
	expect_one("epyc-zen3-2s-128c:nps4", "hackbench:groups=8,loops=100000", policies, 3);
}

/* v9 also changed when the budget ends a scan, on every machine. */
static void cluster_scan_is_tip_where_there_are_no_clusters(void **state)
{
	static const char *const policies[] = {"tip+no_budget_eq", "cluster_scan_v9"};

	(void)state;
	expect_one("epyc-zen3-2s-128c:nps1", "hackbench:groups=4,loops=100000", policies, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_seed_gives_the_same_bytes),
		cmocka_unit_test(another_seed_gives_another_run),
		cmocka_unit_test(another_start_gives_another_run),
		cmocka_unit_test(simulations_side_by_side_give_what_each_gives_alone),
		cmocka_unit_test(sis_node_is_tip_where_a_node_has_one_llc),
		cmocka_unit_test(three_variants_are_one_in_nps4),
		cmocka_unit_test(cluster_scan_is_tip_where_there_are_no_clusters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
