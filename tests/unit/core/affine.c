// SPDX-License-Identifier: GPL-2.0-only
/* Which CPU the search is aimed at: record_wakee, wake_wide, wake_affine. */
#include "tests/unit/core/fixture.h"

/* LLCs of four cores: cids 0-3 and 4-7 in one node, 8-11 and 12-15 in the other. */
#define NODES .packages = 2, .llcs = 2, .cores = 4

static s32 target_of(struct fix *f, s32 prev)
{
	fix_tasks(f, 0, prev, WK_NONE);
	fix_pick(f);
	return f->pick.target;
}

/* ---- record_wakee and wake_wide ---- */

FIX_TEST(a_change_of_wakee_is_a_flip, "tip", NODES)
{
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 1);
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 1);
	f->wakee.id = 9;
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 2);
	assert_int_equal(f->waker.last_wakee, 9);
}

FIX_TEST(flips_are_halved_once_a_second, "tip", NODES)
{
	f->waker.last_wakee = 2;
	f->waker.wakee_flips = 40;
	f->req.now_ns = WK_SECOND_NS;
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 40);
	f->req.now_ns = 5 * WK_SECOND_NS;
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 20);
	fix_pick(f);
	assert_int_equal(f->waker.wakee_flips, 20);
}

/* The LLC has four CPUs: the smaller must reach 4, the larger four times as much. */
FIX_TEST(wide_wakers_leave_the_wakee_at_prev, "tip", NODES)
{
	f->req.sync = 1;
	f->waker.load = 4096;
	f->waker.last_wakee = 2;
	f->waker.wakee_flips = 16;
	f->wakee.wakee_flips = 4;
	assert_int_equal(target_of(f, 2), 2);
	assert_true(f->pick.flags & WK_PICK_WIDE);
	f->wakee.wakee_flips = 3;
	assert_int_equal(target_of(f, 2), 0);
	f->wakee.wakee_flips = 5;
	assert_int_equal(target_of(f, 2), 0);
}

FIX_TEST(it_does_not_matter_which_of_the_two_is_the_wide_one, "tip", NODES)
{
	f->waker.last_wakee = 2;
	f->waker.wakee_flips = 4;
	f->wakee.wakee_flips = 16;
	fix_pick(f);
	assert_true(f->pick.flags & WK_PICK_WIDE);
	fix_policy(f, "tip+no_wake_wide");
	fix_pick(f);
	assert_false(f->pick.flags & WK_PICK_WIDE);
}

/* ---- wake_affine ---- */

FIX_TEST(a_waker_that_may_not_have_the_wakee_is_no_target, "tip", NODES)
{
	f->req.sync = 1;
	f->waker.load = 4096;
	fix_allow(f, 1, 7);
	assert_int_equal(target_of(f, 2), 2);
}

FIX_TEST(without_wake_affine_the_target_is_prev, "tip+no_wake_affine", NODES)
{
	f->req.sync = 1;
	f->state->cpu[0].nr_running = 1;
	assert_int_equal(target_of(f, 9), 9);
}

FIX_TEST(an_interrupt_on_an_idle_cpu_takes_the_wakee_from_a_busy_prev_under_its_llc, "tip", NODES)
{
	fix_idle(f, 0);
	assert_int_equal(target_of(f, 2), 0);
	assert_true(f->pick.flags & WK_PICK_AFFINE);
	fix_idle(f, 2);
	assert_int_equal(target_of(f, 2), 2);
}

FIX_TEST(an_interrupt_does_not_pull_from_another_llc, "tip+no_wa_weight", NODES)
{
	fix_idle(f, 0);
	assert_int_equal(target_of(f, 5), 5);
}

FIX_TEST(a_sync_waker_that_is_alone_gives_its_cpu, "tip", NODES)
{
	f->req.sync = 1;
	f->state->cpu[0].nr_running = 1;
	fix_idle(f, 9);
	assert_int_equal(target_of(f, 9), 0);
	f->req.sync = 0;
	assert_int_equal(target_of(f, 9), 9);
}

FIX_TEST(an_idle_prev_is_kept_before_loads_are_compared, "tip", NODES)
{
	fix_idle(f, 9);
	f->state->cpu[0].load = 0;
	f->state->cpu[9].load = 5000;
	assert_int_equal(target_of(f, 9), 9);
	/* 5.2 did not ask */
	fix_policy(f, "tip-5");
	assert_int_equal(target_of(f, 9), 0);
}

FIX_TEST(the_less_loaded_cpu_is_the_target, "tip", NODES)
{
	f->wakee.load = 100;
	f->state->cpu[0].load = 1000;
	f->state->cpu[9].load = 1300;
	assert_int_equal(target_of(f, 9), 0);
	f->state->cpu[0].load = 1300;
	assert_int_equal(target_of(f, 9), 9);
}

/* 117: half of 17 is 8, so prev counts 108 hundredths. */
FIX_TEST(the_bias_favours_the_waker, "tip", NODES)
{
	f->wakee.load = 0;
	f->state->cpu[0].load = 1070;
	f->state->cpu[9].load = 1000;
	assert_int_equal(target_of(f, 9), 0);
	fix_policy(f, "tip+no_wa_bias");
	assert_int_equal(target_of(f, 9), 9);
}

FIX_TEST(a_sync_waker_counts_as_gone, "tip", NODES)
{
	f->wakee.load = 100;
	f->waker.load = 1000;
	f->state->cpu[0].load = 2000;
	f->state->cpu[9].load = 1500;
	assert_int_equal(target_of(f, 9), 9);
	f->req.sync = 1;
	assert_int_equal(target_of(f, 9), 0);
}

FIX_TEST(a_sync_waker_heavier_than_its_queue_gives_its_cpu, "tip", NODES)
{
	f->req.sync = 1;
	f->waker.load = 3000;
	f->state->cpu[9].load = 0;
	assert_int_equal(target_of(f, 9), 0);
}

FIX_TEST(a_tie_goes_to_a_sync_waker_only, "tip+no_wa_bias", NODES)
{
	f->wakee.load = f->waker.load = 0;
	assert_int_equal(target_of(f, 9), 9);
	f->req.sync = 1;
	assert_int_equal(target_of(f, 9), 0);
}

FIX_TEST(capacity_scales_the_loads, "tip+no_wa_bias", NODES)
{
	f->wakee.load = 0;
	f->state->cpu[0].load = 1000;
	f->state->cpu[9].load = 900;
	f->state->cpu[9].capacity = 512;
	assert_int_equal(target_of(f, 9), 0);
}

FIX_TEST(without_a_common_affine_domain_the_target_is_prev, "tip", NODES)
{
	s32 numa = wkt_domain(f->topo, 0, WK_LEVEL_NUMA);

	f->req.sync = 1;
	f->state->cpu[0].nr_running = 1;
	assert_int_equal(target_of(f, 9), 0);
	f->topo->domain[numa].flags &= ~(u32)WK_SD_WAKE_AFFINE;
	assert_int_equal(target_of(f, 9), 9);
	assert_int_equal(target_of(f, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_of_wakee_is_a_flip),
		cmocka_unit_test(flips_are_halved_once_a_second),
		cmocka_unit_test(wide_wakers_leave_the_wakee_at_prev),
		cmocka_unit_test(it_does_not_matter_which_of_the_two_is_the_wide_one),
		cmocka_unit_test(a_waker_that_may_not_have_the_wakee_is_no_target),
		cmocka_unit_test(without_wake_affine_the_target_is_prev),
		cmocka_unit_test(
			an_interrupt_on_an_idle_cpu_takes_the_wakee_from_a_busy_prev_under_its_llc),
		cmocka_unit_test(an_interrupt_does_not_pull_from_another_llc),
		cmocka_unit_test(a_sync_waker_that_is_alone_gives_its_cpu),
		cmocka_unit_test(an_idle_prev_is_kept_before_loads_are_compared),
		cmocka_unit_test(the_less_loaded_cpu_is_the_target),
		cmocka_unit_test(the_bias_favours_the_waker),
		cmocka_unit_test(a_sync_waker_counts_as_gone),
		cmocka_unit_test(a_sync_waker_heavier_than_its_queue_gives_its_cpu),
		cmocka_unit_test(a_tie_goes_to_a_sync_waker_only),
		cmocka_unit_test(capacity_scales_the_loads),
		cmocka_unit_test(without_a_common_affine_domain_the_target_is_prev),
	};

	return cmocka_run_group_tests_name("the target", tests, NULL, NULL);
}
