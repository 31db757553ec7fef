// SPDX-License-Identifier: GPL-2.0-only
/* The steps of the cascade outside of the LLC scan, one after the other. */
#include "tests/unit/core/fixture.h"

/* Two LLCs of four cores with two threads: cids 0-7 and 8-15, siblings side by side. */
#define SMALL .llcs = 2, .cores = 4, .threads = 2

/* ---- step 0 ---- */

FIX_TEST(a_task_with_one_cpu_goes_there_unseen, "tip", SMALL)
{
	fix_allow(f, 5, 1);
	fix_idle(f, 0);
	assert_pick(f, 5, PINNED);
	assert_int_equal(f->pick.scanned, 0);
	assert_int_equal(f->waker.wakee_flips, 0);
}

FIX_TEST(a_task_that_may_not_migrate_stays_at_prev, "tip", SMALL)
{
	f->wakee.flags = WK_TASK_MIGRATION_DISABLED;
	fix_tasks(f, 0, 9, WK_NONE);
	fix_idle(f, 0);
	assert_pick(f, 9, PINNED);
}

FIX_TEST(a_wakee_still_on_its_idle_going_cpu_is_queued_there, "tip", SMALL)
{
	fix_tasks(f, 0, 3, WK_NONE);
	fix_idle(f, 0);
	f->req.wakee_on_cpu = 1;
	f->state->cpu[3].nr_running = 0;
	assert_pick(f, 3, ON_CPU);
	assert_int_equal(f->pick.handoff, WK_HANDOFF_QUEUED);
	assert_int_equal(f->pick.scanned, 0);
}

FIX_TEST(a_wakee_on_a_cpu_with_other_work_under_the_same_llc_is_placed_anew, "tip", SMALL)
{
	fix_tasks(f, 0, 3, WK_NONE);
	f->req.wakee_on_cpu = 1;
	fix_idle(f, 6);
	assert_pick(f, 6, LLC_IDLE);
}

FIX_TEST(kernel_5_waits_for_the_wakee_to_leave_its_cpu, "tip-5", SMALL)
{
	fix_tasks(f, 0, 9, WK_NONE);
	f->req.wakee_on_cpu = 1;
	fix_idle(f, 9);
	assert_pick(f, 9, TARGET_IDLE);
}

/* ---- steps 2 and 3 ---- */

FIX_TEST(an_idle_target_is_taken_first, "tip", SMALL)
{
	fix_tasks(f, 0, 9, 10);
	fix_idle(f, 9);
	fix_idle(f, 10);
	assert_pick(f, 9, TARGET_IDLE);
	assert_int_equal(f->pick.scanned, 1);
	assert_int_equal(f->pick.flags, WK_PICK_SEARCH);
}

FIX_TEST(an_idle_prev_beside_the_target_is_taken, "tip", SMALL)
{
	/* the waker is about to sleep, and becomes the target */
	fix_tasks(f, 0, 2, WK_NONE);
	fix_policy(f, "tip+no_wa_idle");
	f->req.sync = 1;
	f->waker.load = 4096;
	fix_idle(f, 2);
	assert_pick(f, 2, PREV_IDLE);
	assert_int_equal(f->pick.target, 0);
	assert_true(f->pick.flags & WK_PICK_AFFINE);
}

FIX_TEST(an_idle_prev_under_another_llc_is_not_taken, "tip+no_wa_idle", SMALL)
{
	fix_tasks(f, 0, 9, WK_NONE);
	f->req.sync = 1;
	f->waker.load = 4096;
	fix_idle(f, 9);
	assert_pick(f, 0, TARGET_BUSY);
}

FIX_TEST(a_cpu_with_idle_policy_tasks_only_is_idle, "tip", SMALL)
{
	wk_mask_set(&f->state->idle_only, 0);
	assert_pick(f, 0, TARGET_IDLE);
}

FIX_TEST(in_7_an_idle_policy_wakee_does_not_join_others_of_its_kind, "tip-7", SMALL)
{
	wk_mask_set(&f->state->idle_only, 0);
	f->wakee.flags = WK_TASK_IDLE_POLICY;
	assert_pick(f, 0, TARGET_BUSY);
	f->wakee.flags = 0;
	assert_pick(f, 0, TARGET_IDLE);
}

FIX_TEST(in_6_an_idle_policy_wakee_joins_others_of_its_kind, "tip", SMALL)
{
	wk_mask_set(&f->state->idle_only, 0);
	f->wakee.flags = WK_TASK_IDLE_POLICY;
	assert_pick(f, 0, TARGET_IDLE);
}

FIX_TEST(kernel_5_does_not_know_idle_policy_cpus, "tip-5", SMALL)
{
	wk_mask_set(&f->state->idle_only, 0);
	assert_pick(f, 0, TARGET_BUSY);
}

/* ---- step 4 ---- */

FIX_TEST(a_per_cpu_kthread_stacks_with_its_wakee, "tip", SMALL)
{
	fix_tasks(f, 2, 2, WK_NONE);
	f->req.context = WK_CTX_KTHREAD;
	f->state->cpu[2].nr_running = 1;
	fix_idle(f, 4);
	assert_pick(f, 2, KTHREAD_STACK);
}

FIX_TEST(a_kthread_whose_cpu_has_more_to_do_does_not_stack, "tip", SMALL)
{
	fix_tasks(f, 2, 2, WK_NONE);
	f->req.context = WK_CTX_KTHREAD;
	fix_idle(f, 4);
	assert_pick(f, 4, LLC_IDLE);
}

FIX_TEST(a_kthread_on_another_cpu_than_prev_does_not_stack, "tip", SMALL)
{
	fix_tasks(f, 2, 6, WK_NONE);
	f->req.context = WK_CTX_KTHREAD;
	f->state->cpu[2].nr_running = 1;
	fix_idle(f, 4);
	assert_pick(f, 4, LLC_IDLE);
}

/* ---- step 5 ---- */

FIX_TEST(an_idle_recent_cpu_is_taken_and_replaced_by_prev, "tip", SMALL)
{
	fix_tasks(f, 0, 3, 6);
	fix_idle(f, 6);
	assert_pick(f, 6, RECENT_IDLE);
	assert_int_equal(f->wakee.recent, 3);
}

FIX_TEST(a_busy_recent_cpu_is_replaced_by_prev_as_well, "tip", SMALL)
{
	fix_tasks(f, 0, 3, 6);
	assert_pick(f, 3, TARGET_BUSY);
	assert_int_equal(f->wakee.recent, 3);
}

FIX_TEST(an_idle_target_leaves_the_recent_cpu_alone, "tip", SMALL)
{
	fix_tasks(f, 0, 3, 6);
	fix_idle(f, 3);
	assert_pick(f, 3, TARGET_IDLE);
	assert_int_equal(f->wakee.recent, 6);
}

FIX_TEST(a_recent_cpu_that_is_not_allowed_is_not_taken, "tip", SMALL)
{
	fix_tasks(f, 0, 3, 6);
	fix_idle(f, 6);
	fix_allow(f, 0, 4);
	assert_pick(f, 3, TARGET_BUSY);
}

FIX_TEST(a_recent_cpu_under_another_llc_is_not_taken, "tip", SMALL)
{
	fix_tasks(f, 0, 3, 9);
	fix_idle(f, 9);
	assert_pick(f, 3, TARGET_BUSY);
}

FIX_TEST(kernel_5_replaces_the_recent_cpu_on_a_hit_only, "tip-5", SMALL)
{
	fix_tasks(f, 0, 3, 6);
	assert_pick(f, 3, TARGET_BUSY);
	assert_int_equal(f->wakee.recent, 6);
	fix_idle(f, 6);
	assert_pick(f, 6, RECENT_IDLE);
	assert_int_equal(f->wakee.recent, 3);
	assert_int_equal(f->waker.recent, 0);
}

/* ---- step 6 ---- */

static void make_uneven(struct fix *f)
{
	for (u32 c = 4; c < 8; c++)
		f->state->cpu[c].capacity = 400;
	f->wakee.util = 500;
}

FIX_TEST(on_uneven_cpus_a_small_idle_target_is_passed_by, "tip", .cores = 8, .asym = true)
{
	make_uneven(f);
	fix_tasks(f, 0, 5, WK_NONE);
	fix_idle(f, 5);
	fix_idle(f, 2);
	assert_pick(f, 2, ASYM_FIT);
}

FIX_TEST(where_no_idle_cpu_is_big_enough_the_biggest_is_taken, "tip", .cores = 8, .asym = true)
{
	make_uneven(f);
	fix_tasks(f, 0, 5, WK_NONE);
	f->state->cpu[6].capacity = 500;
	fix_idle(f, 5);
	fix_idle(f, 6);
	assert_pick(f, 6, ASYM_FIT);
}

FIX_TEST(the_capacity_search_ends_the_cascade, "tip", .cores = 8, .asym = true)
{
	make_uneven(f);
	assert_pick(f, 0, TARGET_BUSY);
	assert_int_equal(f->pick.nr_llcs, 0);
	assert_int_equal(f->pick.scanned, 1 + 8);
	assert_true(f->pick.flags & WK_PICK_FAILED);
}

/* ---- step 7 ---- */

FIX_TEST(an_idle_thread_of_prevs_core_is_taken_where_no_idle_core_is_hoped_for, "tip", SMALL)
{
	fix_tasks(f, 0, 4, WK_NONE);
	fix_idle(f, 5);
	fix_idle(f, 1);
	assert_pick(f, 5, PREV_SIBLING);
	f->state->llc[0].has_idle_core = 1;
	assert_pick(f, 1, LLC_IDLE);
}

FIX_TEST(a_sibling_of_prev_that_is_not_allowed_is_not_taken, "tip", SMALL)
{
	fix_tasks(f, 0, 4, WK_NONE);
	fix_idle(f, 5);
	fix_idle(f, 1);
	fix_allow(f, 0, 5);
	assert_pick(f, 1, LLC_IDLE);
}

FIX_TEST(kernel_5_looks_at_the_targets_core_after_a_vain_scan, "tip-5", SMALL)
{
	/* the budget of four ends after three: 4, 6, 0 by number */
	fix_tasks(f, 0, 4, WK_NONE);
	fix_idle(f, 5);
	assert_pick(f, 5, TARGET_SIBLING);
	assert_true(f->pick.flags & WK_PICK_EXHAUSTED);
}

/* ---- steps 13 and 14 ---- */

FIX_TEST(a_vain_search_answers_with_the_target, "tip", SMALL)
{
	fix_tasks(f, 0, 3, WK_NONE);
	assert_pick(f, 3, TARGET_BUSY);
	assert_int_equal(f->pick.flags, WK_PICK_SEARCH | WK_PICK_DOMAIN_SEARCH | WK_PICK_FAILED);
	/* the fast tests are one, prev's sibling one, the LLC eight */
	assert_int_equal(f->pick.scanned, 1 + 1 + 8);
}

FIX_TEST(a_busy_prev_that_is_not_allowed_falls_back_to_its_node, "tip", .packages = 2, .cores = 4)
{
	fix_tasks(f, 0, 5, WK_NONE);
	fix_allow(f, 1, 2);
	fix_allow(f, 6, 2);
	assert_pick(f, 6, NOT_ALLOWED);
	wk_mask_clear(&f->state->active, 6);
	wk_mask_clear(&f->state->active, 7);
	assert_pick(f, 1, NOT_ALLOWED);
}

FIX_TEST(a_pinned_task_whose_cpu_is_gone_stays_where_it_was, "tip", SMALL)
{
	fix_tasks(f, 0, 3, WK_NONE);
	fix_allow(f, 3, 1);
	wk_mask_clear(&f->state->active, 3);
	assert_pick(f, 3, NOT_ALLOWED);
}

FIX_TEST(a_claim_takes_the_idle_bit, "tip+claim", SMALL)
{
	fix_idle(f, 0);
	assert_pick(f, 0, TARGET_IDLE);
	assert_false(wk_mask_test(&f->state->idle, 0));
	assert_pick(f, 0, TARGET_BUSY);
}

FIX_TEST(without_a_claim_two_wakers_pick_the_same_idle_cpu, "tip", SMALL)
{
	fix_idle(f, 0);
	assert_pick(f, 0, TARGET_IDLE);
	assert_pick(f, 0, TARGET_IDLE);
}

/* ---- what a pick costs ---- */

FIX_TEST(probes_are_counted_by_tier_from_the_wakers_cpu, "tip", SMALL)
{
	fix_tasks(f, 8, 3, WK_NONE);
	fix_policy(f, "tip+no_wake_affine");
	assert_pick(f, 3, TARGET_BUSY);
	/* target, sibling and the eight of the LLC, all in the other LLC */
	assert_int_equal(f->pick.probes[WK_TIER_NEAR], 10);
	fix_tasks(f, 3, 3, WK_NONE);
	assert_pick(f, 3, TARGET_BUSY);
	assert_int_equal(f->pick.probes[WK_TIER_SELF], 2);
	assert_int_equal(f->pick.probes[WK_TIER_SMT], 2);
	assert_int_equal(f->pick.probes[WK_TIER_LLC], 6);
}

FIX_TEST(prev_that_the_affine_test_has_read_is_not_read_again, "tip", SMALL)
{
	fix_tasks(f, 0, 9, WK_NONE);
	fix_idle(f, 9);
	assert_pick(f, 9, TARGET_IDLE);
	assert_int_equal(f->pick.probes[WK_TIER_NEAR], 1);
}

FIX_TEST(a_record_holds_the_question_and_the_answer, "tip", SMALL)
{
	struct wk_record r;

	fix_tasks(f, 1, 3, WK_NONE);
	f->req.now_ns = 77;
	fix_pick(f);
	f->pick.probes[WK_TIER_LLC] = 300;
	wk_record_fill(&f->pick, &f->req, &r);
	assert_int_equal(r.t_ns, 77);
	assert_int_equal(r.waker, 1);
	assert_int_equal(r.wakee, 2);
	assert_int_equal(r.waker_cid, 1);
	assert_int_equal(r.prev, 3);
	assert_int_equal(r.cid, f->pick.cid);
	assert_int_equal(r.why, WK_WHY_TARGET_BUSY);
	assert_int_equal(r.scanned, f->pick.scanned);
	assert_int_equal(r.probes[WK_TIER_LLC], 255);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_with_one_cpu_goes_there_unseen),
		cmocka_unit_test(a_task_that_may_not_migrate_stays_at_prev),
		cmocka_unit_test(a_wakee_still_on_its_idle_going_cpu_is_queued_there),
		cmocka_unit_test(
			a_wakee_on_a_cpu_with_other_work_under_the_same_llc_is_placed_anew),
		cmocka_unit_test(kernel_5_waits_for_the_wakee_to_leave_its_cpu),
		cmocka_unit_test(an_idle_target_is_taken_first),
		cmocka_unit_test(an_idle_prev_beside_the_target_is_taken),
		cmocka_unit_test(an_idle_prev_under_another_llc_is_not_taken),
		cmocka_unit_test(a_cpu_with_idle_policy_tasks_only_is_idle),
		cmocka_unit_test(in_7_an_idle_policy_wakee_does_not_join_others_of_its_kind),
		cmocka_unit_test(in_6_an_idle_policy_wakee_joins_others_of_its_kind),
		cmocka_unit_test(kernel_5_does_not_know_idle_policy_cpus),
		cmocka_unit_test(a_per_cpu_kthread_stacks_with_its_wakee),
		cmocka_unit_test(a_kthread_whose_cpu_has_more_to_do_does_not_stack),
		cmocka_unit_test(a_kthread_on_another_cpu_than_prev_does_not_stack),
		cmocka_unit_test(an_idle_recent_cpu_is_taken_and_replaced_by_prev),
		cmocka_unit_test(a_busy_recent_cpu_is_replaced_by_prev_as_well),
		cmocka_unit_test(an_idle_target_leaves_the_recent_cpu_alone),
		cmocka_unit_test(a_recent_cpu_that_is_not_allowed_is_not_taken),
		cmocka_unit_test(a_recent_cpu_under_another_llc_is_not_taken),
		cmocka_unit_test(kernel_5_replaces_the_recent_cpu_on_a_hit_only),
		cmocka_unit_test(on_uneven_cpus_a_small_idle_target_is_passed_by),
		cmocka_unit_test(where_no_idle_cpu_is_big_enough_the_biggest_is_taken),
		cmocka_unit_test(the_capacity_search_ends_the_cascade),
		cmocka_unit_test(
			an_idle_thread_of_prevs_core_is_taken_where_no_idle_core_is_hoped_for),
		cmocka_unit_test(a_sibling_of_prev_that_is_not_allowed_is_not_taken),
		cmocka_unit_test(kernel_5_looks_at_the_targets_core_after_a_vain_scan),
		cmocka_unit_test(a_vain_search_answers_with_the_target),
		cmocka_unit_test(a_busy_prev_that_is_not_allowed_falls_back_to_its_node),
		cmocka_unit_test(a_pinned_task_whose_cpu_is_gone_stays_where_it_was),
		cmocka_unit_test(a_claim_takes_the_idle_bit),
		cmocka_unit_test(without_a_claim_two_wakers_pick_the_same_idle_cpu),
		cmocka_unit_test(probes_are_counted_by_tier_from_the_wakers_cpu),
		cmocka_unit_test(prev_that_the_affine_test_has_read_is_not_read_again),
		cmocka_unit_test(a_record_holds_the_question_and_the_answer),
	};

	return cmocka_run_group_tests_name("steps of the cascade", tests, NULL, NULL);
}
