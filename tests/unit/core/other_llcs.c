// SPDX-License-Identifier: GPL-2.0-only
/* Step 11, sis_node, with its published versions and flaws; and the hand-off. */
#include "tests/unit/core/fixture.h"

/* A node of eight LLCs with four cores each, and a second node. LLC n has the cids 4n to 4n + 3. */
#define NODES .packages = 2, .llcs = 8, .cores = 4, .arm_numbers = true

FIX_TEST(tip_never_leaves_the_llc, "tip", NODES)
{
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 1);
}

FIX_TEST(sis_node_finds_an_idle_cpu_in_another_llc, "sis_node", NODES)
{
	fix_idle(f, 9);
	assert_pick(f, 9, OTHER_IDLE);
	assert_false(f->pick.flags & WK_PICK_FAILED);
}

FIX_TEST(the_ring_starts_at_the_targets_llc_and_wraps, "sis_node", NODES)
{
	fix_tasks(f, 13, 13, WK_NONE);
	fix_idle(f, 9);
	fix_idle(f, 29);
	assert_pick(f, 29, OTHER_IDLE);
	fix_busy(f, 29);
	assert_pick(f, 9, OTHER_IDLE);
}

FIX_TEST(sis_node_never_leaves_the_node, "sis_node", NODES)
{
	fix_idle(f, 32);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 8);
}

FIX_TEST(where_a_node_is_one_llc_sis_node_does_nothing, "sis_node", .packages = 2, .cores = 8)
{
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 1);
}

FIX_TEST(the_walk_in_another_llc_starts_after_its_lowest_cpu, "sis_node", NODES)
{
	fix_idle(f, 4);
	fix_idle(f, 5);
	assert_pick(f, 5, OTHER_IDLE);
}

FIX_TEST(each_llc_has_its_own_budget, "sis_node", NODES)
{
	for (u32 l = 0; l < 8; l++)
		f->state->llc[l].nr_idle_scan = l % 4;
	/* 0 aborts the first; then 1 + 2 + 3 + 0 + 1 + 2 + 3 */
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 12);
	assert_int_equal(f->pick.nr_llcs, 6);
	assert_true(f->pick.flags & WK_PICK_ABORTED);
	assert_int_equal(f->pick.budget, 0);
}

FIX_TEST(each_llc_has_its_own_hint, "sis_node", .llcs = 4, .cores = 4, .threads = 2)
{
	fix_idle(f, 10);
	fix_idle(f, 12);
	fix_idle(f, 13);
	assert_pick(f, 10, OTHER_IDLE);
	f->state->llc[1].has_idle_core = 1;
	assert_pick(f, 12, OTHER_CORE);
}

FIX_TEST(a_wrong_hint_of_another_llc_is_cleared, "sis_node", .llcs = 4, .cores = 4, .threads = 2)
{
	f->state->llc[1].has_idle_core = 1;
	f->state->llc[0].has_idle_core = 0;
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->state->llc[1].has_idle_core, 0);
}

FIX_TEST(affinity_holds_in_other_llcs, "sis_node", NODES)
{
	fix_allow(f, 0, 4);
	fix_allow(f, 10, 1);
	fix_idle(f, 9);
	fix_idle(f, 10);
	assert_pick(f, 10, OTHER_IDLE);
}

/* ---- the flaws and versions ---- */

FIX_TEST(a_pointer_compare_scans_the_local_llc_twice, "sis_node_ptr", NODES)
{
	fix_tasks(f, 5, 5, WK_NONE);
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 9);
	assert_int_equal(f->pick.scanned, 1 + 4 + 32);
}

FIX_TEST(but_not_from_the_first_cpu_of_the_llc, "sis_node_ptr", NODES)
{
	fix_tasks(f, 4, 4, WK_NONE);
	assert_pick(f, 4, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 8);
}

FIX_TEST(skiplocal_advances_past_the_local_group, "sis_node_skiplocal", NODES)
{
	fix_tasks(f, 5, 5, WK_NONE);
	fix_idle(f, 1);
	assert_pick(f, 1, OTHER_IDLE);
	fix_busy(f, 1);
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 8);
}

/* CPU 8 is being unplugged: its group still names it, and its LLC domain is gone. */
static void unplug_first_of_llc_2(struct fix *f)
{
	f->topo->cid[8].llc = WK_NONE;
	f->topo->cid[8].nr_levels = 0;
	for (u32 i = 0; i < f->topo->nr_domains; i++)
		f->topo->domain[i].llcs.len = 0;
	wk_mask_clear(&f->state->active, 8);
}

FIX_TEST(a_cpu_without_an_llc_domain_crashed_the_first_sis_node, "sis_node+no_nullcheck", NODES)
{
	unplug_first_of_llc_2(f);
	assert_pick(f, 0, CRASH);
	assert_int_equal(f->pick.nr_llcs, 2);
}

FIX_TEST(the_pointer_compare_crashes_there_as_well, "sis_node_ptr+no_nullcheck", NODES)
{
	unplug_first_of_llc_2(f);
	assert_pick(f, 0, CRASH);
}

FIX_TEST(the_null_check_passes_that_llc_by, "sis_node", NODES)
{
	unplug_first_of_llc_2(f);
	fix_idle(f, 9);
	fix_idle(f, 13);
	assert_pick(f, 13, OTHER_IDLE);
	fix_busy(f, 13);
	fix_busy(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 7);
}

FIX_TEST(an_idle_cpu_before_the_missing_one_hides_the_crash, "sis_node+no_nullcheck", NODES)
{
	unplug_first_of_llc_2(f);
	fix_idle(f, 5);
	assert_pick(f, 5, OTHER_IDLE);
}

FIX_TEST(limit4_scans_four_remote_llcs, "sis_node_limit4", NODES)
{
	fix_idle(f, 17);
	assert_pick(f, 17, OTHER_IDLE);
	fix_busy(f, 17);
	fix_idle(f, 21);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 5);
}

FIX_TEST(limit4_equals_sis_node_where_a_node_has_four_llcs, "sis_node_limit4", .packages = 2,
	 .llcs = 4, .cores = 4)
{
	fix_idle(f, 13);
	assert_pick(f, 13, OTHER_IDLE);
	fix_busy(f, 13);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 4);
}

FIX_TEST(any_limit_can_be_set, "sis_node+limit=1", NODES)
{
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 2);
}

FIX_TEST(topoext_searches_the_near_group_only, "sis_node_topoext", NODES, .near = 2)
{
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 2);
	fix_idle(f, 5);
	assert_pick(f, 5, OTHER_IDLE);
}

FIX_TEST(sd_idle_sibling_needs_the_flag, "sd_idle_sibling", NODES)
{
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
}

FIX_TEST(sd_idle_sibling_searches_with_the_flag, "sd_idle_sibling", NODES, .idle_sibling = true)
{
	fix_idle(f, 9);
	assert_pick(f, 9, OTHER_IDLE);
}

static void make_pair(struct fix *f)
{
	f->waker.last_wakee = f->wakee.id;
	f->wakee.last_wakee = f->waker.id;
	f->waker.wakee_flips = f->wakee.wakee_flips = 0;
}

FIX_TEST(a_pair_stays_in_the_local_llc, "sis_node+pair", NODES)
{
	make_pair(f);
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
}

FIX_TEST(a_waker_of_many_is_no_pair, "sis_node+pair", NODES)
{
	make_pair(f);
	f->waker.wakee_flips = 1;
	fix_idle(f, 9);
	assert_pick(f, 9, OTHER_IDLE);
}

FIX_TEST(without_the_exception_pairs_are_searched_for, "sis_node", NODES)
{
	make_pair(f);
	fix_idle(f, 9);
	assert_pick(f, 9, OTHER_IDLE);
}

FIX_TEST(an_offline_neighbour_makes_no_difference_to_the_count, "sis_node", NODES,
	 .offline = &(struct wk_mask){{1ULL << 9 | 1ULL << 12}})
{
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 30);
	fix_idle(f, 15);
	assert_pick(f, 15, OTHER_IDLE);
}

/* ---- the hand-off ---- */

/* Two LLCs of two clusters of two cores of two threads. */
#define L2 .packages = 2, .clusters = 2, .cores = 2, .threads = 2

static u8 handoff_to(struct fix *f, s32 cid)
{
	fix_tasks(f, 0, cid, WK_NONE);
	wk_policy_set(&f->pol, WK_FEAT_WAKE_AFFINE, 0);
	fix_pick(f);
	assert_int_equal(f->pick.cid, cid);
	return f->pick.handoff;
}

FIX_TEST(tip_locks_inside_the_llc_and_queues_outside, "tip", L2)
{
	assert_int_equal(handoff_to(f, 0), WK_HANDOFF_LOCAL);
	assert_int_equal(handoff_to(f, 1), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 7), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 8), WK_HANDOFF_QUEUED);
}

FIX_TEST(tip_queues_on_a_cpu_without_anything_to_run, "tip", L2)
{
	f->state->cpu[7].nr_running = 0;
	assert_int_equal(handoff_to(f, 7), WK_HANDOFF_QUEUED);
}

FIX_TEST(kernel_5_asks_for_the_llc_only, "tip-5", L2)
{
	f->state->cpu[7].nr_running = 0;
	assert_int_equal(handoff_to(f, 7), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 8), WK_HANDOFF_QUEUED);
}

FIX_TEST(v3_queues_across_l2s, "queued_wakeup_l2", L2)
{
	assert_int_equal(handoff_to(f, 0), WK_HANDOFF_LOCAL);
	assert_int_equal(handoff_to(f, 3), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 4), WK_HANDOFF_QUEUED);
	assert_int_equal(handoff_to(f, 8), WK_HANDOFF_QUEUED);
}

FIX_TEST(where_the_cluster_is_degenerate_the_l2_is_the_core, "queued_wakeup_l2", .packages = 2,
	 .cores = 4, .threads = 2)
{
	assert_int_equal(handoff_to(f, 1), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 2), WK_HANDOFF_QUEUED);
}

FIX_TEST(without_cluster_masks_the_rfc_falls_back_to_the_llc, "queued_wakeup_l2_rfc", L2)
{
	assert_int_equal(handoff_to(f, 4), WK_HANDOFF_QUEUED);
	for (u32 c = 0; c < f->topo->nr_cids; c++)
		f->topo->cid[c].l2.len = 0;
	assert_int_equal(handoff_to(f, 4), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 8), WK_HANDOFF_QUEUED);
	fix_policy(f, "queued_wakeup_l2_v3");
	assert_int_equal(handoff_to(f, 4), WK_HANDOFF_QUEUED);
}

FIX_TEST(queued_wakeups_change_no_selection, "queued_wakeup_l2", L2)
{
	fix_idle(f, 6);
	assert_pick(f, 6, LLC_IDLE);
	fix_policy(f, "tip");
	assert_pick(f, 6, LLC_IDLE);
}

FIX_TEST(wakelist_node_queues_across_nodes_only, "wakelist_node", .packages = 2, .llcs = 2,
	 .cores = 4)
{
	assert_int_equal(handoff_to(f, 5), WK_HANDOFF_DIRECT);
	assert_int_equal(handoff_to(f, 9), WK_HANDOFF_QUEUED);
}

FIX_TEST(a_cpu_that_is_not_active_is_locked, "tip", L2)
{
	wk_mask_clear(&f->state->active, 8);
	fix_tasks(f, 0, 8, WK_NONE);
	f->req.wakee_on_cpu = 1;
	wk_policy_set(&f->pol, WK_FEAT_WAKE_AFFINE, 0);
	fix_allow(f, 8, 1);
	fix_pick(f);
	assert_int_equal(f->pick.cid, 8);
	assert_int_equal(f->pick.handoff, WK_HANDOFF_DIRECT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tip_never_leaves_the_llc),
		cmocka_unit_test(sis_node_finds_an_idle_cpu_in_another_llc),
		cmocka_unit_test(the_ring_starts_at_the_targets_llc_and_wraps),
		cmocka_unit_test(sis_node_never_leaves_the_node),
		cmocka_unit_test(where_a_node_is_one_llc_sis_node_does_nothing),
		cmocka_unit_test(the_walk_in_another_llc_starts_after_its_lowest_cpu),
		cmocka_unit_test(each_llc_has_its_own_budget),
		cmocka_unit_test(each_llc_has_its_own_hint),
		cmocka_unit_test(a_wrong_hint_of_another_llc_is_cleared),
		cmocka_unit_test(affinity_holds_in_other_llcs),
		cmocka_unit_test(a_pointer_compare_scans_the_local_llc_twice),
		cmocka_unit_test(but_not_from_the_first_cpu_of_the_llc),
		cmocka_unit_test(skiplocal_advances_past_the_local_group),
		cmocka_unit_test(a_cpu_without_an_llc_domain_crashed_the_first_sis_node),
		cmocka_unit_test(the_pointer_compare_crashes_there_as_well),
		cmocka_unit_test(the_null_check_passes_that_llc_by),
		cmocka_unit_test(an_idle_cpu_before_the_missing_one_hides_the_crash),
		cmocka_unit_test(limit4_scans_four_remote_llcs),
		cmocka_unit_test(limit4_equals_sis_node_where_a_node_has_four_llcs),
		cmocka_unit_test(any_limit_can_be_set),
		cmocka_unit_test(topoext_searches_the_near_group_only),
		cmocka_unit_test(sd_idle_sibling_needs_the_flag),
		cmocka_unit_test(sd_idle_sibling_searches_with_the_flag),
		cmocka_unit_test(a_pair_stays_in_the_local_llc),
		cmocka_unit_test(a_waker_of_many_is_no_pair),
		cmocka_unit_test(without_the_exception_pairs_are_searched_for),
		cmocka_unit_test(an_offline_neighbour_makes_no_difference_to_the_count),
		cmocka_unit_test(tip_locks_inside_the_llc_and_queues_outside),
		cmocka_unit_test(tip_queues_on_a_cpu_without_anything_to_run),
		cmocka_unit_test(kernel_5_asks_for_the_llc_only),
		cmocka_unit_test(v3_queues_across_l2s),
		cmocka_unit_test(where_the_cluster_is_degenerate_the_l2_is_the_core),
		cmocka_unit_test(without_cluster_masks_the_rfc_falls_back_to_the_llc),
		cmocka_unit_test(queued_wakeups_change_no_selection),
		cmocka_unit_test(wakelist_node_queues_across_nodes_only),
		cmocka_unit_test(a_cpu_that_is_not_active_is_locked),
	};

	return cmocka_run_group_tests_name("other LLCs and the hand-off", tests, NULL, NULL);
}
