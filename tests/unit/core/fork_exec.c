// SPDX-License-Identifier: GPL-2.0-only
/* Step 1: fork and exec down the domain tree. */
#include "tests/unit/core/fixture.h"

/* Two nodes of two LLCs of four cores: cids 0-3, 4-7, 8-11, 12-15. */
#define NODES .packages = 2, .llcs = 2, .cores = 4, .arm_numbers = true

static void fork_on(struct fix *f, u32 cid)
{
	fix_tasks(f, cid, (s32)cid, WK_NONE);
	f->req.kind = WK_REQ_FORK;
}

FIX_TEST(fork_goes_to_the_group_with_most_idle_cpus, "tip", NODES)
{
	fork_on(f, 0);
	for (u32 c = 9; c < 16; c++)
		fix_idle(f, c);
	/* the second node, then its LLC with four idle CPUs, then the first CPU there */
	assert_pick(f, 12, FORK_IDLEST);
	assert_int_equal(f->pick.handoff, WK_HANDOFF_DIRECT);
	assert_false(f->pick.flags & WK_PICK_SEARCH);
}

FIX_TEST(fork_stays_where_the_own_group_is_as_idle, "tip", NODES)
{
	fork_on(f, 0);
	for (u32 c = 1; c < 16; c++)
		fix_idle(f, c);
	fix_busy(f, 8);
	assert_int_equal((fix_pick(f), f->pick.cid / 8), 0);
}

/* One LLC a node: an eighth of 16 CPUs is 2 tasks that may be more on the parent's node. */
FIX_TEST(a_small_imbalance_between_nodes_is_allowed, "tip", .packages = 2, .cores = 16)
{
	fork_on(f, 0);
	for (u32 c = 1; c < 32; c++)
		fix_idle(f, c);
	f->state->cpu[0].nr_running = 1;
	assert_int_equal((fix_pick(f), f->pick.cid / 16), 0);
}

FIX_TEST(beyond_the_imbalance_fork_leaves_the_node, "tip", .packages = 2, .cores = 16)
{
	fork_on(f, 0);
	for (u32 c = 8; c < 32; c++)
		fix_idle(f, c);
	assert_int_equal((fix_pick(f), f->pick.cid / 16), 1);
}

FIX_TEST(exec_does_not_count_itself, "tip", .llcs = 2, .cores = 1)
{
	f->req.kind = WK_REQ_EXEC;
	fix_tasks(f, 0, 0, WK_NONE);
	f->wakee.load = f->state->cpu[0].load = 2048;
	f->state->cpu[0].nr_running = 1;
	fix_idle(f, 1);
	/* its own CPU is as idle as the other one, once it is gone */
	assert_pick(f, 0, FORK_IDLEST);
	f->req.kind = WK_REQ_FORK;
	assert_pick(f, 1, FORK_IDLEST);
}

FIX_TEST(of_idle_cpus_the_shallowest_then_the_last_to_idle_is_taken, "tip", .cores = 8)
{
	fork_on(f, 0);
	for (u32 c = 1; c < 8; c++) {
		fix_idle(f, c);
		f->state->cpu[c].exit_ns = 1000;
		f->state->cpu[c].idle_since_ns = c == 5 ? 900 : 100;
	}
	f->state->cpu[0].nr_running = 3;
	/* each CPU is a group of its own here, so give the choice one level up */
	f->topo->domain[0].groups.first = f->topo->nr_groups;
	f->topo->domain[0].groups.len = 2;
	f->topo->group[f->topo->nr_groups] =
		(struct wk_group){.span = {0, 1}, .mask = WK_NONE, .weight = 1};
	f->topo->group[f->topo->nr_groups + 1] =
		(struct wk_group){.span = {1, 7}, .mask = WK_NONE, .weight = 7, .first_cid = 1};
	assert_pick(f, 5, FORK_IDLEST);
	f->state->cpu[3].exit_ns = 10;
	assert_pick(f, 3, FORK_IDLEST);
	wk_mask_set(&f->state->idle_only, 6);
	fix_busy(f, 6);
	assert_pick(f, 6, FORK_IDLEST);
}

FIX_TEST(where_all_is_overloaded_the_less_loaded_group_wins, "tip", .llcs = 2, .cores = 2)
{
	fork_on(f, 0);
	for (u32 c = 0; c < 4; c++) {
		f->state->cpu[c].util = 1024;
		f->state->cpu[c].load = c < 2 ? 4096 : 1024;
	}
	f->state->cpu[3].load = 1000;
	assert_pick(f, 3, FORK_IDLEST);
}

FIX_TEST(a_slightly_less_loaded_group_is_not_worth_it, "tip", .llcs = 2, .cores = 2)
{
	fork_on(f, 0);
	for (u32 c = 0; c < 4; c++) {
		f->state->cpu[c].util = 1024;
		f->state->cpu[c].load = c < 2 ? 2100 : 2000;
	}
	assert_int_equal((fix_pick(f), f->pick.cid / 2), 0);
}

FIX_TEST(fork_keeps_to_the_affinity, "tip", NODES)
{
	fork_on(f, 0);
	for (u32 c = 8; c < 16; c++)
		fix_idle(f, c);
	fix_allow(f, 5, 2);
	f->state->cpu[6].load = 100;
	f->state->cpu[6].nr_running = 1;
	fix_pick(f);
	assert_int_equal(f->pick.why, WK_WHY_FORK_IDLEST);
	assert_true(f->pick.cid == 5 || f->pick.cid == 6);
}

FIX_TEST(without_an_allowed_cpu_in_the_tree_prev_is_asked, "tip", NODES)
{
	fork_on(f, 0);
	for (u32 l = 0; l < f->topo->nr_domains; l++)
		f->topo->domain[l].flags &= ~(u32)WK_SD_BALANCE_FORK;
	f->wakee.prev = 3;
	assert_pick(f, 3, FORK_IDLEST);
}

FIX_TEST(a_task_too_big_for_a_group_prefers_one_with_big_cpus, "tip", .llcs = 2, .cores = 2,
	 .asym = true)
{
	fork_on(f, 0);
	for (u32 l = 0; l < f->topo->nr_domains; l++)
		f->topo->domain[l].flags |= WK_SD_ASYM_CPUCAPACITY;
	f->state->cpu[0].capacity = f->state->cpu[1].capacity = 400;
	f->wakee.util = 600;
	for (u32 c = 1; c < 4; c++)
		fix_idle(f, c);
	assert_int_equal((fix_pick(f), f->pick.cid / 2), 1);
}

FIX_TEST(reading_the_groups_is_charged_by_tier, "tip", NODES)
{
	fork_on(f, 0);
	fix_pick(f);
	/* 16 CPUs at the top, then the node, then the LLC */
	assert_int_equal(f->pick.probes[WK_TIER_MACHINE], 8);
	assert_int_equal(f->pick.probes[WK_TIER_NEAR], 4 + 4);
	assert_int_equal(f->pick.probes[WK_TIER_LLC], 3 * 3);
	assert_int_equal(f->pick.probes[WK_TIER_SELF], 3);
	assert_int_equal(f->pick.scanned, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fork_goes_to_the_group_with_most_idle_cpus),
		cmocka_unit_test(fork_stays_where_the_own_group_is_as_idle),
		cmocka_unit_test(a_small_imbalance_between_nodes_is_allowed),
		cmocka_unit_test(beyond_the_imbalance_fork_leaves_the_node),
		cmocka_unit_test(exec_does_not_count_itself),
		cmocka_unit_test(of_idle_cpus_the_shallowest_then_the_last_to_idle_is_taken),
		cmocka_unit_test(where_all_is_overloaded_the_less_loaded_group_wins),
		cmocka_unit_test(a_slightly_less_loaded_group_is_not_worth_it),
		cmocka_unit_test(fork_keeps_to_the_affinity),
		cmocka_unit_test(without_an_allowed_cpu_in_the_tree_prev_is_asked),
		cmocka_unit_test(a_task_too_big_for_a_group_prefers_one_with_big_cpus),
		cmocka_unit_test(reading_the_groups_is_charged_by_tier),
	};

	return cmocka_run_group_tests_name("fork and exec", tests, NULL, NULL);
}
