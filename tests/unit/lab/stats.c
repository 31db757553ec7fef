// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "tests/support/test.h"

#include "lab/stats.h"

static void near_(double found, double expected, double within)
{
	if (!(fabs(found - expected) <= within))
		fail_msg("expected %.10g, found %.10g", expected, found);
}

static void means_and_scatter(void **state)
{
	double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
	double even[] = {4, 1, 3, 2}, odd[] = {9, 1, 5};

	(void)state;
	near_(wk_stats_mean(x, 8), 5, 0);
	near_(wk_stats_std(x, 8), sqrt(32.0 / 7), 1e-12);
	near_(wk_stats_hmean((double[]){1, 2, 4}, 3), 12.0 / 7, 1e-12);
	near_(wk_stats_median(even, 4), 2.5, 0);
	near_(wk_stats_median(odd, 3), 5, 0);
	/* the ends */
	near_(wk_stats_mean(x, 0), 0, 0);
	near_(wk_stats_std(x, 1), 0, 0);
	near_(wk_stats_median(x, 0), 0, 0);
	near_(wk_stats_hmean((double[]){1, 0}, 2), 0, 0);
}

/* The tables that every book has. */
static void student_as_in_the_tables(void **state)
{
	static const struct {
		u32 df;
		double t95, t99;
	} table[] = {
		{1, 12.706, 63.657}, {2, 4.303, 9.925},	 {3, 3.182, 5.841},
		{4, 2.776, 4.604},   {5, 2.571, 4.032},	 {10, 2.228, 3.169},
		{17, 2.110, 2.898},  {30, 2.042, 2.750}, {120, 1.980, 2.617},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		near_(wk_stats_t(0.95, table[i].df), table[i].t95, 5e-4);
		near_(wk_stats_t(0.99, table[i].df), table[i].t99, 5e-4);
	}
	near_(wk_stats_t(0.95, 100000), 1.95996, 1e-4);
}

static void fisher_as_in_the_tables(void **state)
{
	(void)state;
	near_(wk_stats_f(0.05, 2, 10), 4.103, 5e-4);
	near_(wk_stats_f(0.01, 2, 3), 30.817, 5e-4);
	near_(wk_stats_f(0.01, 2, 15), 6.359, 5e-4);
	near_(wk_stats_f(0.01, 1, 10), 10.044, 5e-4);
}

static void ratio_by_hand(void **state)
{
	/*
	 * Means 11 and 10: R = 1.1, residuals 10 - 9.9 = 0.1, 11 - 11 = 0, 12 - 12.1 = -0.1;
	 * their squares 0.02 over n (n - 1) = 6, root 0.057735, over 10; times t(2) = 4.30265.
	 */
	const double x[] = {10, 11, 12}, base[] = {9, 10, 11};
	struct wk_interval i;

	(void)state;
	assert_true(wk_stats_ratio(x, base, 3, &i));
	near_(i.mid, 10, 1e-9);
	near_(i.hi - i.mid, 2.48413, 1e-4);
	near_(i.mid - i.lo, 2.48413, 1e-4);
	assert_int_equal(i.n, 3);
}

static void equal_pairs_leave_no_doubt(void **state)
{
	const double x[] = {3, 300, 3000};
	struct wk_interval i;

	(void)state;
	assert_true(wk_stats_ratio(x, x, 3, &i));
	assert_true(i.mid == 0 && i.lo == 0 && i.hi == 0);
}

static void ratio_needs_a_base(void **state)
{
	struct wk_interval i;

	(void)state;
	assert_false(wk_stats_ratio((double[]){1}, (double[]){0}, 1, &i));
	assert_false(wk_stats_ratio(NULL, NULL, 0, &i));
	assert_true(wk_stats_ratio((double[]){3}, (double[]){2}, 1, &i));
	near_(i.mid, 50, 1e-9);
}

static void groups_disagree(void **state)
{
	static const u8 group[] = {0, 1, 2, 0, 1, 2};

	(void)state;
	/* Clear of each other. */
	assert_true(wk_stats_disagree((double[]){100, 150, 100, 101, 151, 99}, group, 6, 5));
	/* The same, but nobody would care. */
	assert_false(wk_stats_disagree((double[]){100, 102, 100, 100.1, 102.1, 99.9}, group, 6, 5));
	/*
	 * Means 100, 110, 120: between 2 * 200 / 2 = 200; within 3 * 2 * d^2 / 3 = 2 d^2 for pairs
	 * at plus and minus d. F(2, 3) at 1 % is 30.82: d = 1.8 gives 30.86, d = 1.81 gives 30.52.
	 */
	assert_true(wk_stats_disagree((double[]){101.8, 111.8, 121.8, 98.2, 108.2, 118.2}, group, 6,
				      5));
	assert_false(wk_stats_disagree((double[]){101.81, 111.81, 121.81, 98.19, 108.19, 118.19},
				       group, 6, 5));
}

static void single_values_tell_nothing(void **state)
{
	static const u8 group[] = {0, 1, 2, 0};

	(void)state;
	assert_false(wk_stats_disagree((double[]){1, 50, 100}, group, 3, 5));
	assert_false(wk_stats_disagree((double[]){1, 50, 100, 1}, group, 4, 5));
	assert_false(wk_stats_disagree(NULL, NULL, 0, 5));
}

static void two_groups_and_no_scatter(void **state)
{
	static const u8 group[] = {0, 0, 7, 7};

	(void)state;
	assert_true(wk_stats_disagree((double[]){1, 1, 9, 9}, group, 4, 5));
	assert_false(wk_stats_disagree((double[]){4, 4, 4, 4}, group, 4, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_and_scatter),
		cmocka_unit_test(student_as_in_the_tables),
		cmocka_unit_test(fisher_as_in_the_tables),
		cmocka_unit_test(ratio_by_hand),
		cmocka_unit_test(equal_pairs_leave_no_doubt),
		cmocka_unit_test(ratio_needs_a_base),
		cmocka_unit_test(groups_disagree),
		cmocka_unit_test(single_values_tell_nothing),
		cmocka_unit_test(two_groups_and_no_scatter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
