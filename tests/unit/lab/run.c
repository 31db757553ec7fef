// SPDX-License-Identifier: GPL-2.0-only
#include <pthread.h>
#include <sched.h>

#include "tests/unit/lab/fake.h"

#include "lab/report.h"
#include "lab/run.h"

static int run(struct fake *f, u32 jobs,
	       int (*simulate)(const struct wk_sim_input *, struct wk_sim_result *,
			       struct wk_err *),
	       const volatile int *stop, struct wk_err *err)
{
	const struct wk_run r = {.jobs = jobs, .simulate = simulate, .stop = stop};

	assert_int_equal(wk_plan_alloc(&f->plan), 0);
	return wk_plan_run(&f->plan, &r, err);
}

/* Everything there is to print, as one text. */
static char *print(const struct fake *f)
{
	const struct wk_report r = {.plan = &f->plan, .verbose = true};
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_int_equal(wk_report_json(&r, to), 0);
	assert_int_equal(wk_report_csv(&r, to), 0);
	assert_int_equal(wk_report_table(&r, to), 0);
	fclose(to);
	return text;
}

static u32 nr_done(const struct fake *f)
{
	u32 nr = 0;

	for (u32 load = 0; load < FAKE_LOADS; load++)
		for (u32 policy = 0; policy < FAKE_POLICIES; policy++)
			for (u32 i = 0; i < f->plan.rule.max_runs; i++)
				nr += wk_plan_replica(&f->plan, load, policy, i)->state ==
				      WK_REPLICA_DONE;
	return nr;
}

static void same_bytes_for_any_number_of_jobs(void **state)
{
	static const u32 jobs[] = {1, 2, 7, 64};
	char *first = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct fake f;
		char *text;

		fake_init(&f);
		assert_int_equal(run(&f, jobs[i], fake_simulate, NULL, NULL), 0);
		text = print(&f);
		fake_release(&f);
		if (!first) {
			first = text;
			continue;
		}
		assert_string_equal(first, text);
		free(text);
	}
	free(first);
}

static void another_seed_is_another_result(void **state)
{
	struct fake a, b;

	(void)state;
	fake_init(&a);
	fake_init(&b);
	b.plan.seed = 2;
	assert_int_equal(run(&a, 2, fake_simulate, NULL, NULL), 0);
	assert_int_equal(run(&b, 2, fake_simulate, NULL, NULL), 0);
	assert_true(wk_plan_replica(&a.plan, 0, 0, 0)->seed !=
		    wk_plan_replica(&b.plan, 0, 0, 0)->seed);
	fake_release(&a);
	fake_release(&b);
}

static void policies_meet_the_same_chance(void **state)
{
	struct fake f;

	(void)state;
	fake_init(&f);
	assert_int_equal(wk_plan_alloc(&f.plan), 0);
	for (u32 i = 0; i < f.plan.rule.max_runs; i++) {
		const struct wk_replica *base = wk_plan_replica(&f.plan, 0, 0, i);

		assert_true(base->seed == wk_plan_replica(&f.plan, 0, 2, i)->seed);
		assert_true(base->seed != wk_plan_replica(&f.plan, 1, 0, i)->seed);
		assert_int_equal(base->start, i % WK_START_NR);
		for (u32 k = 0; k < i; k++)
			assert_true(base->seed != wk_plan_replica(&f.plan, 0, 0, k)->seed);
	}
	fake_release(&f);
}

/* The seeds are documented: results of an old version can be had again. */
static void seeds_stay(void **state)
{
	(void)state;
	assert_true(wk_plan_seed(1, "hackbench", 2, 0) == 0xd9783cae5c33b455);
	assert_true(wk_plan_seed(1, "hackbench", 2, 1) != wk_plan_seed(1, "hackbench", 1, 2));
	assert_true(wk_plan_seed(1, "hackbench", 2, 0) != wk_plan_seed(1, "schbench", 2, 0));
}

static void exactly_as_many_runs_as_asked(void **state)
{
	struct fake f;

	(void)state;
	fake_init(&f);
	wk_plan_set_rule(&f.plan, 5, true);
	assert_int_equal(run(&f, 2, fake_simulate, NULL, NULL), 0);
	assert_int_equal(f.load[0].planned, 5);
	assert_int_equal(nr_done(&f), 5 * FAKE_LOADS * FAKE_POLICIES);
	fake_release(&f);
}

static void narrow_intervals_end_at_the_least(void **state)
{
	struct fake f;

	(void)state;
	fake_init(&f);
	assert_int_equal(run(&f, 2, fake_simulate, NULL, NULL), 0);
	assert_int_equal(f.load[0].planned, f.plan.rule.min_runs);
	assert_int_equal(f.load[1].planned, f.plan.rule.min_runs);
	fake_release(&f);
}

/* Load 20 alone scatters by 40 %, the other load not at all. */
static int scatter(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *err)
{
	fake_simulate(in, ret, err);
	for (u32 m = 0; m < 2; m++)
		ret->metric[m].value = in->workload->load == 1 ? 7 : 7 + 3 * fake_own_noise(in);
	return 0;
}

static void wide_intervals_go_on_to_the_most(void **state)
{
	struct fake f;

	(void)state;
	fake_init(&f);
	assert_int_equal(run(&f, 2, scatter, NULL, NULL), 0);
	assert_int_equal(f.load[0].planned, f.plan.rule.min_runs);
	assert_int_equal(f.load[1].planned, f.plan.rule.max_runs);
	assert_int_equal(nr_done(&f), (f.load[0].planned + f.load[1].planned) * FAKE_POLICIES);
	fake_release(&f);
}

static void a_lone_policy_needs_no_interval(void **state)
{
	struct fake f;

	(void)state;
	fake_init(&f);
	f.plan.nr_policies = 1;
	assert_int_equal(run(&f, 2, scatter, NULL, NULL), 0);
	assert_int_equal(f.load[1].planned, f.plan.rule.min_runs);
	fake_release(&f);
}

static int failing(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *err)
{
	fake_simulate(in, ret, err);
	if (in->workload->load == 1 || wk_num(in->policy, WK_FEAT_LIMIT) == 0)
		return 0;
	/* The first in the order of the plan comes last. */
	if (wk_num(in->policy, WK_FEAT_LIMIT) == 4)
		for (int i = 0; i < 1000; i++)
			sched_yield();
	snprintf(err->text, sizeof(err->text), "limit %u fails", wk_num(in->policy, WK_FEAT_LIMIT));
	return -EINVAL;
}

static void the_first_failure_is_told(void **state)
{
	struct fake f;
	struct wk_err err;

	(void)state;
	for (u32 jobs = 1; jobs <= 8; jobs *= 2) {
		fake_init(&f);
		assert_int_equal(run(&f, jobs, failing, NULL, &err), -EINVAL);
		assert_string_equal(err.text, "limit 4 fails");
		fake_release(&f);
	}
}

/* Ctrl-C in the seventh simulation; later ones end early. */
static volatile int stop;
static int nr_simulated;

static int interrupted(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *err)
{
	int nr = __atomic_add_fetch(&nr_simulated, 1, __ATOMIC_RELAXED);

	fake_simulate(in, ret, err);
	if (nr == 7)
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	ret->stopped = nr > 7;
	return 0;
}

static void finished_runs_are_kept(void **state)
{
	struct fake f;
	char *text;

	(void)state;
	for (u32 jobs = 1; jobs <= 4; jobs *= 4) {
		stop = nr_simulated = 0;
		fake_init(&f);
		assert_int_equal(run(&f, jobs, interrupted, &stop, NULL), -EINTR);
		assert_int_equal(nr_done(&f), 7);
		text = print(&f);
		assert_non_null(strstr(text, "tip"));
		free(text);
		fake_release(&f);
	}
}

static void stopped_before_it_began(void **state)
{
	struct fake f;

	(void)state;
	stop = 1;
	fake_init(&f);
	assert_int_equal(run(&f, 2, fake_simulate, &stop, NULL), -EINTR);
	assert_int_equal(nr_done(&f), 0);
	free(print(&f));
	fake_release(&f);
}

struct seen {
	u32 last, planned, nr;
};

static void see(void *arg, u32 done, u32 planned)
{
	struct seen *s = arg;

	assert_int_equal(done, s->last + 1);
	s->last = done;
	s->planned = planned;
	s->nr++;
}

static void progress_counts_every_run_once(void **state)
{
	struct seen seen = {0};
	const struct wk_run r = {.jobs = 3, .simulate = scatter, .progress = see, .arg = &seen};
	struct fake f;

	(void)state;
	fake_init(&f);
	assert_int_equal(wk_plan_alloc(&f.plan), 0);
	assert_int_equal(wk_plan_run(&f.plan, &r, NULL), 0);
	assert_int_equal(seen.nr, nr_done(&f));
	assert_int_equal(seen.planned, seen.nr);
	fake_release(&f);
}

static void quick_windows_go_with_the_load(void **state)
{
	u64 warmup, small, large;
	struct fake f;

	(void)state;
	fake_init(&f);
	for (u32 i = 0; i < FAKE_LOADS; i++)
		f.workload[i].warmup_ns = f.workload[i].min_window_ns = 10000000000;
	wk_plan_window(&f.plan, 0, &warmup, &small);
	assert_true(warmup == 0 && small == 0);
	wk_plan_set_rule(&f.plan, 0, true);
	f.workload[0].nr_tasks = 1;
	wk_plan_window(&f.plan, 0, &warmup, &small);
	wk_plan_window(&f.plan, 1, &warmup, &large);
	assert_true(small == 4 * large); /* the machine has 4 CPUs */
	/* Workers that sleep longer than that are waited for. */
	f.workload[1].op = (struct wk_op[]){{.code = WK_OP_SLEEP, .c = 300000000}};
	f.workload[1].nr_ops = 1;
	wk_plan_window(&f.plan, 1, &warmup, &large);
	assert_true(large == 1200000000);
	f.workload[0].min_window_ns = 1000000;
	wk_plan_window(&f.plan, 0, &warmup, &small);
	assert_true(small == 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_for_any_number_of_jobs),
		cmocka_unit_test(another_seed_is_another_result),
		cmocka_unit_test(policies_meet_the_same_chance),
		cmocka_unit_test(seeds_stay),
		cmocka_unit_test(exactly_as_many_runs_as_asked),
		cmocka_unit_test(narrow_intervals_end_at_the_least),
		cmocka_unit_test(wide_intervals_go_on_to_the_most),
		cmocka_unit_test(a_lone_policy_needs_no_interval),
		cmocka_unit_test(the_first_failure_is_told),
		cmocka_unit_test(finished_runs_are_kept),
		cmocka_unit_test(stopped_before_it_began),
		cmocka_unit_test(progress_counts_every_run_once),
		cmocka_unit_test(quick_windows_go_with_the_load),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
