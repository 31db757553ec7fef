// SPDX-License-Identifier: GPL-2.0-only
/* What may be said of a cell: this is what --gate judges by. */
#include <math.h>

#include "tests/unit/lab/fake.h"

#include "lab/cell.h"

#define RUNS 6

/* Set metric 0 of a policy at the first load: one value a replica. */
static void set(struct fake *f, u32 policy, const double *x)
{
	for (u32 i = 0; i < RUNS; i++) {
		struct wk_replica *r = wk_plan_replica(&f->plan, 0, policy, i);

		r->state = WK_REPLICA_DONE;
		r->result.settled = true;
		r->result.metric[0].value = x[i];
	}
}

static void init(struct fake *f, const double *base, const double *x)
{
	fake_init(f);
	wk_plan_set_rule(&f->plan, RUNS, false);
	assert_int_equal(wk_plan_alloc(&f->plan), 0);
	f->load[0].planned = RUNS;
	set(f, 0, base);
	set(f, 1, x);
}

static struct wk_cell get(const struct fake *f, u32 policy)
{
	struct wk_cell c;

	assert_int_equal(wk_cell_get(&f->plan, 0, policy, 0, &c), 0);
	return c;
}

static const double flat[RUNS] = {100, 101, 99, 100, 101, 99};

static void less_time_is_better(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){90, 91, 89, 90, 91, 89});
	c = get(&f, 1);
	assert_int_equal(c.runs, RUNS);
	assert_true(fabs(c.diff.mid - 10) < 1e-9);
	assert_true(c.diff.lo > 9 && c.diff.lo < 10 && c.diff.hi > 10 && c.diff.hi < 11);
	assert_int_equal(c.verdict, WK_VERDICT_BETTER);
	assert_true(c.decided && !c.wide && !c.regime && !c.unsettled);
	assert_string_equal(wk_cell_reason(&c), "decided");
	assert_int_equal(wk_cell_mark(&c), ' ');

	f.metric[0].higher_is_better = true;
	c = get(&f, 1);
	assert_true(fabs(c.diff.mid + 10) < 1e-9);
	assert_true(c.diff.lo < -10 && c.diff.hi > -10);
	assert_int_equal(c.verdict, WK_VERDICT_WORSE);
	fake_release(&f);
}

static void twice_the_time_is_minus_hundred(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){210, 212, 208, 210, 212, 208});
	c = get(&f, 1);
	assert_true(fabs(c.diff.mid + 110) < 1e-9);
	fake_release(&f);
}

static void equal_is_a_decision(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){100.5, 100.5, 99.5, 99.5, 101.5, 98.5});
	c = get(&f, 1);
	assert_int_equal(c.verdict, WK_VERDICT_EQUAL);
	assert_true(c.decided);
	/* The same runs: no difference, and no doubt. */
	set(&f, 1, flat);
	c = get(&f, 1);
	assert_true(c.diff.mid == 0 && c.diff.lo == 0 && c.diff.hi == 0 && c.decided);
	assert_false(signbit(c.diff.mid) || signbit(c.diff.lo) || signbit(c.diff.hi));
	fake_release(&f);
}

static void scatter_is_open(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){80, 120, 95, 130, 75, 104});
	c = get(&f, 1);
	assert_int_equal(c.verdict, WK_VERDICT_OPEN);
	assert_true(c.wide && !c.decided);
	assert_int_equal(wk_cell_mark(&c), '~');
	assert_string_equal(wk_cell_reason(&c), "the interval includes 0 and is wide");
	fake_release(&f);
}

static void runs_that_have_not_settled(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){90, 91, 89, 90, 91, 89});
	/* One of six may be so. */
	wk_plan_replica(&f.plan, 0, 0, 3)->result.settled = false;
	assert_true(get(&f, 1).decided);
	wk_plan_replica(&f.plan, 0, 0, 4)->result.settled = false;
	c = get(&f, 1);
	assert_true(c.unsettled && !c.decided);
	assert_int_equal(wk_cell_mark(&c), '~');
	assert_string_equal(wk_cell_reason(&c), "runs have not settled");
	/* A run that came to its own end is exact. */
	wk_plan_replica(&f.plan, 0, 0, 4)->result.finished = true;
	assert_true(get(&f, 1).decided);
	fake_release(&f);
}

/* From cold it gains, from churn it loses. */
static void starts_that_disagree(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){60, 80, 105, 60.5, 80.5, 104.5});
	c = get(&f, 1);
	assert_true(c.regime && !c.decided);
	assert_int_equal(wk_cell_mark(&c), '!');
	assert_int_equal(c.start_runs[WK_START_CHURN], 2);
	assert_true(c.start_diff[WK_START_COLD] > 35 && c.start_diff[WK_START_CHURN] < 0);

	/* Of different size, but a gain from every start and sure enough. */
	set(&f, 1, (double[]){50, 60, 65, 50.5, 60.5, 64.5});
	c = get(&f, 1);
	assert_true(c.regime && c.verdict == WK_VERDICT_BETTER && c.decided);
	fake_release(&f);
}

static void a_baseline_of_two_regimes(void **state)
{
	static const double regimes[RUNS] = {100, 150, 100, 101, 151, 99};
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, regimes, regimes);
	c = get(&f, 0);
	assert_true(c.regime);
	assert_true(c.diff.mid == 0 && c.diff.lo == 0 && c.diff.hi == 0);
	c = get(&f, 1);
	/* Equal in each start, but what would a third regime do? */
	assert_true(c.regime && c.verdict == WK_VERDICT_EQUAL && !c.decided);
	assert_string_equal(wk_cell_reason(&c), "regime-dependent: the start states disagree");
	fake_release(&f);
}

static void pairs_are_what_both_have(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){90, 91, 89, 90, 91, 89});
	wk_plan_replica(&f.plan, 0, 0, 0)->state = WK_REPLICA_TODO;
	wk_plan_replica(&f.plan, 0, 1, 5)->state = WK_REPLICA_TODO;
	c = get(&f, 1);
	assert_int_equal(c.runs, 5);
	assert_int_equal(c.diff.n, 4);
	/* None, and one: no interval. */
	for (u32 i = 0; i < RUNS; i++)
		wk_plan_replica(&f.plan, 0, 0, i)->state = WK_REPLICA_TODO;
	c = get(&f, 1);
	assert_int_equal(c.diff.n, 0);
	assert_false(c.decided);
	wk_plan_replica(&f.plan, 0, 0, 1)->state = WK_REPLICA_DONE;
	c = get(&f, 1);
	assert_int_equal(c.diff.n, 1);
	assert_false(c.decided);
	assert_string_equal(wk_cell_reason(&c), "an interval needs two runs");
	fake_release(&f);
}

/* No wake-up in the window: no latency, which is not a latency of 0. */
static void no_samples_are_no_value(void **state)
{
	struct wk_cell c;
	struct fake f;

	(void)state;
	init(&f, flat, (double[]){0, 91, 89, 90, 91, 89});
	c = get(&f, 1);
	assert_int_equal(c.runs, RUNS - 1);
	assert_int_equal(c.diff.n, RUNS - 1);
	assert_true(fabs(c.mean - 90) < 1e-9);
	/* A sample of 0 is a value. */
	wk_plan_replica(&f.plan, 0, 1, 0)->result.metric[0].samples = 1;
	c = get(&f, 1);
	assert_int_equal(c.runs, RUNS);
	for (u32 i = 0; i < RUNS; i++)
		wk_plan_replica(&f.plan, 0, 1, i)->result.metric[0] = (struct wk_sim_metric){0};
	c = get(&f, 1);
	assert_int_equal(c.runs, 0);
	assert_false(c.decided);
	assert_string_equal(wk_cell_reason(&c), "nothing was measured");
	fake_release(&f);
}

static void counts_add_up(void **state)
{
	struct wk_sim_counts c;
	struct fake f;
	u64 ns;

	(void)state;
	init(&f, flat, flat);
	for (u32 i = 0; i < RUNS; i++) {
		struct wk_replica *r = wk_plan_replica(&f.plan, 0, 1, i);

		r->result.count.wakeups = i;
		r->result.count.why[WK_WHY_NR - 1] = 2;
		r->result.count.migrations[WK_TIER_NR - 1] = 3;
		r->result.window_ns = 10;
	}
	wk_plan_replica(&f.plan, 0, 1, 5)->state = WK_REPLICA_TODO;
	wk_cell_counts(&f.plan, 0, 1, &c, &ns);
	assert_int_equal(c.wakeups, 10);
	assert_int_equal(c.why[WK_WHY_NR - 1], 10);
	assert_int_equal(c.migrations[WK_TIER_NR - 1], 15);
	assert_int_equal(ns, 50);
	fake_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(less_time_is_better),
		cmocka_unit_test(twice_the_time_is_minus_hundred),
		cmocka_unit_test(equal_is_a_decision),
		cmocka_unit_test(scatter_is_open),
		cmocka_unit_test(runs_that_have_not_settled),
		cmocka_unit_test(starts_that_disagree),
		cmocka_unit_test(a_baseline_of_two_regimes),
		cmocka_unit_test(pairs_are_what_both_have),
		cmocka_unit_test(no_samples_are_no_value),
		cmocka_unit_test(counts_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
