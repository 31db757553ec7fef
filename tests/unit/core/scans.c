// SPDX-License-Identifier: GPL-2.0-only
/* The scan of the target's LLC: order, budget, idle cores, cluster, window, siblings first. */
#include "tests/unit/core/fixture.h"

#define SMALL .llcs = 2, .cores = 4, .threads = 2
/* One LLC of four clusters of four cores, numbers as cids. */
#define CLUSTERS .clusters = 4, .cores = 4, .arm_numbers = true

/* ---- SIS_UTIL ---- */

static void the_util_budget_falls_with_the_square_of_the_load(void **state)
{
	(void)state;
	assert_int_equal(wk_sis_util_scan(0, 16), 16);
	assert_int_equal(wk_sis_util_scan(16 * 1024, 16), 0);
	assert_int_equal(wk_sis_util_scan(16 * 876, 16), 0);  /* 85 % is the end */
	assert_int_equal(wk_sis_util_scan(16 * 512, 16), 10); /* 1 - 0.342 of 16 */
	assert_int_equal(wk_sis_util_scan(100, 0), 0);
	assert_int_equal(wk_sis_util_scan(~0ULL >> 20, 4096), 0);
}

FIX_TEST(the_scan_starts_one_after_the_target_by_number_and_wraps, "tip", SMALL)
{
	/*
	 * numbers 0-7 are the first threads, 8-15 the second ones: cid 2 is CPU 1, cid 0
	 * is CPU 0
	 */
	fix_tasks(f, 2, 2, WK_NONE);
	fix_idle(f, 0);
	fix_idle(f, 1);
	assert_pick(f, 1, LLC_IDLE);
	fix_busy(f, 1);
	assert_pick(f, 0, LLC_IDLE);
}

FIX_TEST(a_budget_of_n_probes_n_cpus, "tip", .cores = 8)
{
	for (u32 n = 1; n < 8; n++) {
		f->state->llc[0].nr_idle_scan = n;
		assert_pick(f, 0, TARGET_BUSY);
		assert_int_equal(f->pick.scanned, 1 + n);
		assert_int_equal(f->pick.budget, n);
		assert_true(f->pick.flags & WK_PICK_EXHAUSTED);
	}
	f->state->llc[0].nr_idle_scan = 8;
	fix_pick(f);
	assert_false(f->pick.flags & WK_PICK_EXHAUSTED);
}

FIX_TEST(an_idle_cpu_just_beyond_the_budget_is_not_found, "tip", .cores = 8)
{
	fix_idle(f, 4);
	f->state->llc[0].nr_idle_scan = 3;
	assert_pick(f, 0, TARGET_BUSY);
	f->state->llc[0].nr_idle_scan = 4;
	assert_pick(f, 4, LLC_IDLE);
}

FIX_TEST(forbidden_cpus_cost_no_budget, "tip", .cores = 8)
{
	fix_idle(f, 6);
	fix_allow(f, 0, 1);
	fix_allow(f, 5, 2);
	f->state->llc[0].nr_idle_scan = 2;
	assert_pick(f, 6, LLC_IDLE);
	assert_int_equal(f->pick.scanned, 1 + 2);
}

FIX_TEST(a_budget_of_zero_ends_the_search_before_any_probe, "tip", SMALL)
{
	f->state->llc[0].nr_idle_scan = 0;
	fix_idle(f, 6);
	assert_pick(f, 0, TARGET_BUSY);
	assert_true(f->pick.flags & WK_PICK_ABORTED);
	assert_int_equal(f->pick.nr_llcs, 0);
	assert_int_equal(f->pick.scanned, 1 + 1);
}

FIX_TEST(a_budget_of_zero_ends_the_search_for_an_idle_core_too, "tip", SMALL)
{
	f->state->llc[0].nr_idle_scan = 0;
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 6);
	fix_idle(f, 7);
	assert_pick(f, 0, TARGET_BUSY);
	assert_true(f->pick.flags & WK_PICK_ABORTED);
	assert_int_equal(f->state->llc[0].has_idle_core, 1);
}

FIX_TEST(without_sis_util_the_whole_llc_is_searched, "tip+no_sis_util", SMALL)
{
	f->state->llc[0].nr_idle_scan = 0;
	fix_idle(f, 6);
	assert_pick(f, 6, LLC_IDLE);
	assert_int_equal(f->pick.budget, WK_NO_LIMIT);
}

/* ---- SIS_PROP ---- */

FIX_TEST(sis_prop_gives_idle_time_over_cost, "tip+no_sis_util+sis_prop", .cores = 16)
{
	f->state->cpu[0].wake_avg_idle_ns = 1000;
	f->state->cpu[0].scan_cost_ns = 1599;
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.budget, 16 * 1000 / 1600 - 1);
	assert_int_equal(f->pick.scanned, 1 + 9);
	assert_true(f->pick.flags & WK_PICK_TIMED);
}

FIX_TEST(sis_prop_gives_a_counter_of_four_at_least_which_is_three_probes,
	 "tip+no_sis_util+sis_prop", .cores = 16)
{
	f->state->cpu[0].scan_cost_ns = 100000;
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 3);
}

FIX_TEST(ticks_halve_the_idle_time_that_sis_prop_expects, "tip+no_sis_util+sis_prop", .cores = 16)
{
	f->state->cpu[0].wake_avg_idle_ns = 1024;
	f->req.now_tick = 3;
	fix_pick(f);
	assert_int_equal(f->state->cpu[0].wake_avg_idle_ns, 128);
	assert_int_equal(f->state->cpu[0].wake_stamp_tick, 3);
	f->req.now_tick = 1000;
	fix_pick(f);
	assert_int_equal(f->state->cpu[0].wake_avg_idle_ns, 0);
	assert_int_equal(f->state->cpu[0].wake_stamp_tick, 3 + 8);
}

FIX_TEST(kernel_5_divides_the_idle_time_by_a_fuzz_factor, "tip-5", .cores = 16)
{
	f->state->cpu[0].avg_idle_ns = 512 * 1000;
	f->state->cpu[0].scan_cost_ns = 1599;
	fix_pick(f);
	assert_int_equal(f->pick.budget, 9);
}

FIX_TEST(a_scan_that_ended_by_itself_teaches_sis_prop_its_cost, "tip+no_sis_util+sis_prop",
	 .cores = 4)
{
	f->state->cpu[0].wake_avg_idle_ns = 1000000;
	fix_pick(f);
	wk_sis_prop_charge(f->state, &f->pick, 0, 800);
	assert_int_equal(f->state->cpu[0].scan_cost_ns, 100);
	assert_int_equal(f->state->cpu[0].wake_avg_idle_ns, 1000000 - 800);
	f->pick.flags |= WK_PICK_EXHAUSTED;
	wk_sis_prop_charge(f->state, &f->pick, 0, 800);
	assert_int_equal(f->state->cpu[0].scan_cost_ns, 100);
}

/* ---- idle cores ---- */

FIX_TEST(with_the_hint_a_whole_idle_core_is_preferred, "tip", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 2);
	fix_idle(f, 4);
	fix_idle(f, 5);
	assert_pick(f, 4, IDLE_CORE);
	assert_int_equal(f->state->llc[0].has_idle_core, 1);
}

FIX_TEST(a_wrong_hint_is_cleared_and_one_idle_thread_met_is_taken, "tip", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 5);
	fix_idle(f, 6);
	assert_pick(f, 5, LLC_IDLE);
	assert_int_equal(f->state->llc[0].has_idle_core, 0);
}

FIX_TEST(the_search_for_a_core_uses_no_budget, "tip", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	f->state->llc[0].nr_idle_scan = 1;
	fix_idle(f, 6);
	fix_idle(f, 7);
	assert_pick(f, 6, IDLE_CORE);
	assert_false(f->pick.flags & WK_PICK_EXHAUSTED);
}

FIX_TEST(an_idle_core_counts_where_one_of_its_threads_is_allowed, "tip", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 4);
	fix_idle(f, 5);
	fix_allow(f, 0, 1);
	fix_allow(f, 5, 1);
	assert_pick(f, 5, IDLE_CORE);
}

FIX_TEST(a_core_with_an_idle_policy_thread_is_not_whole_but_the_thread_will_do, "tip", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 4);
	wk_mask_set(&f->state->idle_only, 5);
	assert_pick(f, 4, LLC_IDLE);
}

FIX_TEST(without_smt_the_hint_is_not_read, "tip", .cores = 8)
{
	f->state->llc[0].has_idle_core = 1;
	f->state->llc[0].nr_idle_scan = 2;
	fix_idle(f, 5);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->state->llc[0].has_idle_core, 1);
}

FIX_TEST(the_search_for_a_core_can_be_switched_off, "tip+no_idle_core", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 2);
	fix_idle(f, 4);
	fix_idle(f, 5);
	assert_pick(f, 2, LLC_IDLE);
}

FIX_TEST(kernel_5_searches_single_cpus_after_a_vain_search_for_a_core, "tip-5", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	fix_idle(f, 2);
	assert_pick(f, 2, LLC_IDLE);
	assert_int_equal(f->state->llc[0].has_idle_core, 0);
	/* four cores of two threads, all read; then 0 and 2 by number */
	assert_int_equal(f->pick.scanned, 1 + 8 + 2);
}

/* ---- cluster_scan_v9 ---- */

FIX_TEST(the_cluster_of_the_target_is_searched_first, "cluster_scan_v9", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	fix_idle(f, 8);
	fix_idle(f, 4);
	assert_pick(f, 4, CLUSTER_IDLE);
	fix_busy(f, 4);
	assert_pick(f, 8, LLC_IDLE);
}

FIX_TEST(tip_has_clusters_and_ignores_them, "tip", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	fix_idle(f, 8);
	fix_idle(f, 4);
	assert_pick(f, 8, LLC_IDLE);
}

FIX_TEST(cluster_and_llc_share_one_budget, "cluster_scan_v9", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	f->state->llc[0].nr_idle_scan = 6;
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 6);
	assert_true(f->pick.flags & WK_PICK_EXHAUSTED);
}

FIX_TEST(a_budget_used_up_in_the_cluster_ends_the_whole_search, "cluster_scan_v9", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	f->state->llc[0].nr_idle_scan = 2;
	fix_idle(f, 8);
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 2);
}

FIX_TEST(the_cluster_is_not_looked_at_twice, "cluster_scan_v9", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 16);
}

/* Before v5 the counter went below zero in the cluster, and "exactly zero" never came. */
FIX_TEST(a_cluster_walk_that_overruns_the_budget_left_the_llc_walk_without_an_end,
	 "tip+cluster_scan+cluster_overrun", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	f->state->llc[0].nr_idle_scan = 2;
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 16);
}

FIX_TEST(zero_or_less_ends_it_even_then, "tip+cluster_scan+cluster_overrun+no_budget_eq", CLUSTERS)
{
	fix_tasks(f, 5, 5, WK_NONE);
	f->state->llc[0].nr_idle_scan = 2;
	assert_pick(f, 5, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 4);
}

/* The waker on cid 1 is the target, prev is on @prev. */
static void aim_at_waker(struct fix *f, s32 prev, s32 recent)
{
	fix_tasks(f, 1, prev, recent);
	wk_policy_set(&f->pol, WK_FEAT_WA_IDLE, 0);
	f->req.sync = 1;
	f->waker.load = 4096;
}

FIX_TEST(prev_in_the_cluster_is_taken_at_once, "cluster_scan_v9", CLUSTERS)
{
	aim_at_waker(f, 3, WK_NONE);
	fix_idle(f, 3);
	fix_idle(f, 2);
	assert_pick(f, 3, PREV_IDLE);
}

FIX_TEST(prev_outside_the_cluster_waits_for_the_scan, "cluster_scan_v9", CLUSTERS)
{
	aim_at_waker(f, 9, WK_NONE);
	fix_idle(f, 9);
	fix_idle(f, 2);
	assert_pick(f, 2, CLUSTER_IDLE);
	fix_busy(f, 2);
	f->state->llc[0].nr_idle_scan = 4;
	assert_pick(f, 9, PREV_FALLBACK);
	assert_false(f->pick.flags & WK_PICK_FAILED);
}

FIX_TEST(recent_outside_the_cluster_comes_after_prev, "cluster_scan_v9", CLUSTERS)
{
	aim_at_waker(f, 9, 13);
	f->state->llc[0].nr_idle_scan = 4;
	fix_idle(f, 13);
	assert_pick(f, 13, RECENT_FALLBACK);
	f->wakee.recent = 13;
	fix_idle(f, 9);
	assert_pick(f, 9, PREV_FALLBACK);
}

FIX_TEST(recent_that_fails_its_tests_is_no_fallback, "cluster_scan_v9", CLUSTERS)
{
	aim_at_waker(f, 9, 13);
	f->state->llc[0].nr_idle_scan = 4;
	fix_idle(f, 13);
	fix_allow(f, 0, 12);
	assert_pick(f, 1, TARGET_BUSY);
}

FIX_TEST(with_a_degenerate_cluster_level_prev_is_taken_at_once, "cluster_scan_v9", SMALL)
{
	assert_false(f->topo->cluster_active);
	aim_at_waker(f, 6, WK_NONE);
	fix_idle(f, 6);
	fix_idle(f, 2);
	assert_pick(f, 6, PREV_IDLE);
}

FIX_TEST(an_idle_core_in_the_cluster_is_found_by_the_hint, "cluster_scan_v9", .clusters = 2,
	 .cores = 2, .threads = 2)
{
	f->state->llc[0].has_idle_core = 1;
	f->state->llc[0].nr_idle_scan = 1;
	for (u32 c = 2; c < 8; c++)
		fix_idle(f, c);
	assert_pick(f, 2, CLUSTER_CORE);
}

/* ---- sis_core, its window, and the counter-proposal ---- */

FIX_TEST(sis_core_looks_for_no_idle_core, "sis_core", SMALL)
{
	f->state->llc[0].has_idle_core = 1;
	f->state->cpu[0].avg_idle_ns = 1000000;
	fix_idle(f, 2);
	fix_idle(f, 4);
	fix_idle(f, 5);
	assert_pick(f, 2, LLC_IDLE);
	assert_int_equal(f->state->llc[0].has_idle_core, 1);
}

FIX_TEST(sis_core_is_bounded_by_one_core_below, "sis_core", .cores = 8, .threads = 4)
{
	f->state->cpu[0].scan_cost_ns = 1000000;
	fix_pick(f);
	assert_int_equal(f->pick.budget, 4 - 1);
}

FIX_TEST(sis_core_is_bounded_by_two_cores_above, "sis_core", .cores = 8, .threads = 4)
{
	f->state->cpu[0].avg_idle_ns = 1000000000;
	fix_pick(f);
	assert_int_equal(f->pick.budget, 8 - 1);
}

/* By number: cid 0 2 4 6 8 ... are CPUs 0 1 2 3 4 */
FIX_TEST(the_window_starts_where_the_last_search_stopped, "sis_core", .cores = 8, .threads = 2)
{
	/* a counter of two: one probe, and the next CPU is visited and remembered */
	fix_pick(f);
	assert_int_equal(f->pick.scanned, 1 + 1 + 2);
	assert_int_equal(f->state->cpu[0].scan_next, 1 + 1);
	fix_idle(f, 2);
	assert_pick(f, 2, LLC_IDLE);
	assert_int_equal(f->state->cpu[0].scan_next, 1 + 1);
	fix_busy(f, 2);
	fix_pick(f);
	assert_int_equal(f->state->cpu[0].scan_next, 2 + 1);
}

FIX_TEST(every_target_has_its_own_window, "sis_core", .cores = 8, .threads = 2)
{
	fix_pick(f);
	fix_tasks(f, 4, 4, WK_NONE);
	fix_pick(f);
	assert_int_equal(f->state->cpu[0].scan_next, 2);
	assert_int_equal(f->state->cpu[4].scan_next, 4);
}

FIX_TEST(kernel_5_charges_the_budget_before_it_looks_at_the_affinity, "tip-5", .cores = 16)
{
	fix_tasks(f, 0, 15, WK_NONE);
	fix_allow(f, 14, 2);
	fix_idle(f, 14);
	/* 15 0 1 and the counter is used up; 14 comes last */
	assert_pick(f, 15, TARGET_BUSY);
	assert_int_equal(f->pick.scanned, 1 + 1);
}

FIX_TEST(siblings_first_finds_a_thread_of_the_targets_core, "sis_core_siblings_first", .cores = 8,
	 .threads = 4)
{
	fix_tasks(f, 0, 5, WK_NONE);
	fix_idle(f, 4);
	fix_idle(f, 8);
	assert_pick(f, 4, TARGET_SIBLING);
	assert_false(f->pick.flags & WK_PICK_EXHAUSTED);
}

FIX_TEST(siblings_first_charges_no_budget_for_them_and_none_for_forbidden_cpus,
	 "sis_core_siblings_first", .cores = 8, .threads = 2)
{
	fix_allow(f, 0, 2);
	fix_allow(f, 14, 2);
	fix_idle(f, 14);
	/* two siblings are free, then the first candidate by number is cid 14 */
	assert_pick(f, 14, LLC_IDLE);
	assert_int_equal(f->pick.scanned, 1 + 2 + 1);
}

FIX_TEST(a_sibling_that_is_not_allowed_comes_back_and_is_refused_in_the_end,
	 "sis_core_siblings_first", .cores = 8, .threads = 2)
{
	fix_allow(f, 0, 1);
	fix_allow(f, 8, 2);
	fix_idle(f, 1);
	assert_pick(f, 0, NOT_ALLOWED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_util_budget_falls_with_the_square_of_the_load),
		cmocka_unit_test(the_scan_starts_one_after_the_target_by_number_and_wraps),
		cmocka_unit_test(a_budget_of_n_probes_n_cpus),
		cmocka_unit_test(an_idle_cpu_just_beyond_the_budget_is_not_found),
		cmocka_unit_test(forbidden_cpus_cost_no_budget),
		cmocka_unit_test(a_budget_of_zero_ends_the_search_before_any_probe),
		cmocka_unit_test(a_budget_of_zero_ends_the_search_for_an_idle_core_too),
		cmocka_unit_test(without_sis_util_the_whole_llc_is_searched),
		cmocka_unit_test(sis_prop_gives_idle_time_over_cost),
		cmocka_unit_test(sis_prop_gives_a_counter_of_four_at_least_which_is_three_probes),
		cmocka_unit_test(ticks_halve_the_idle_time_that_sis_prop_expects),
		cmocka_unit_test(kernel_5_divides_the_idle_time_by_a_fuzz_factor),
		cmocka_unit_test(a_scan_that_ended_by_itself_teaches_sis_prop_its_cost),
		cmocka_unit_test(with_the_hint_a_whole_idle_core_is_preferred),
		cmocka_unit_test(a_wrong_hint_is_cleared_and_one_idle_thread_met_is_taken),
		cmocka_unit_test(the_search_for_a_core_uses_no_budget),
		cmocka_unit_test(an_idle_core_counts_where_one_of_its_threads_is_allowed),
		cmocka_unit_test(
			a_core_with_an_idle_policy_thread_is_not_whole_but_the_thread_will_do),
		cmocka_unit_test(without_smt_the_hint_is_not_read),
		cmocka_unit_test(the_search_for_a_core_can_be_switched_off),
		cmocka_unit_test(kernel_5_searches_single_cpus_after_a_vain_search_for_a_core),
		cmocka_unit_test(the_cluster_of_the_target_is_searched_first),
		cmocka_unit_test(tip_has_clusters_and_ignores_them),
		cmocka_unit_test(cluster_and_llc_share_one_budget),
		cmocka_unit_test(a_budget_used_up_in_the_cluster_ends_the_whole_search),
		cmocka_unit_test(the_cluster_is_not_looked_at_twice),
		cmocka_unit_test(
			a_cluster_walk_that_overruns_the_budget_left_the_llc_walk_without_an_end),
		cmocka_unit_test(zero_or_less_ends_it_even_then),
		cmocka_unit_test(prev_in_the_cluster_is_taken_at_once),
		cmocka_unit_test(prev_outside_the_cluster_waits_for_the_scan),
		cmocka_unit_test(recent_outside_the_cluster_comes_after_prev),
		cmocka_unit_test(recent_that_fails_its_tests_is_no_fallback),
		cmocka_unit_test(with_a_degenerate_cluster_level_prev_is_taken_at_once),
		cmocka_unit_test(an_idle_core_in_the_cluster_is_found_by_the_hint),
		cmocka_unit_test(sis_core_looks_for_no_idle_core),
		cmocka_unit_test(sis_core_is_bounded_by_one_core_below),
		cmocka_unit_test(sis_core_is_bounded_by_two_cores_above),
		cmocka_unit_test(the_window_starts_where_the_last_search_stopped),
		cmocka_unit_test(every_target_has_its_own_window),
		cmocka_unit_test(kernel_5_charges_the_budget_before_it_looks_at_the_affinity),
		cmocka_unit_test(siblings_first_finds_a_thread_of_the_targets_core),
		cmocka_unit_test(
			siblings_first_charges_no_budget_for_them_and_none_for_forbidden_cpus),
		cmocka_unit_test(
			a_sibling_that_is_not_allowed_comes_back_and_is_refused_in_the_end),
	};

	return cmocka_run_group_tests_name("scan of the LLC", tests, NULL, NULL);
}
