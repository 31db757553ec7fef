// SPDX-License-Identifier: GPL-2.0-only
/* Pulling, spreading, pushing; threads that share a core; CPUs of uneven capacity. */
#include "tests/unit/sim/program.h"
#include "tests/unit/sim/stepper.h"

/* A hog that may run on @cpu only at first, and after @pinned_ms where it likes. */
static void add_freed_hog(struct wk_build *b, u32 cpu, u64 pinned_ms)
{
	struct wk_mask all = {0};

	for (u32 i = 0; i < 64; i++)
		wk_mask_set(&all, i);
	wkt_task(b, 1024, (s32)wkt_pin(b, cpu));
	wk_build_op(b, WK_OP_RUN, 0, 0, pinned_ms * MS);
	wk_build_op(b, WK_OP_AFFINITY, 0, wk_build_affinity(b, &all), 0);
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_RUN, 0, 0, MS);
	wk_build_end(b);
}

static u32 llcs_in_use(const struct wk_sim *s)
{
	u32 nr = 0;

	for (u32 llc = 0; llc < s->topo->nr_llcs; llc++) {
		struct wk_range span = s->topo->llc[llc].span;
		u32 used = 0;

		for (u32 i = span.first; i < span.first + span.len; i++)
			used |= s->st.cpu[i].nr_running;
		nr += used != 0;
	}
	return nr;
}

/* Four hogs of one CPU; three other LLCs are idle. */
static void hogs_of_one_llc_spread_over_all(const char *policy)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;

	wkt_program_open(&c, "pack:1 l3:4 core:2 pu:1", policy, &b);
	for (u32 i = 0; i < 4; i++)
		add_freed_hog(&b, 0, 1);
	wkt_program_take(&c, &b, 2000 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 1500 * US);
	assert_int_equal(llcs_in_use(s), 1);
	wkt_step_to(s, 1500 * MS);
	for (u32 i = 0; i < s->nr_cpus; i++)
		if (s->st.cpu[i].nr_running > 1)
			fail_msg("%s: cid %u still has %u", policy, i, s->st.cpu[i].nr_running);
	if (llcs_in_use(s) < 4) {
		print_message("%s: the hogs stay on %u of 4 LLCs\n", policy, llcs_in_use(s));
		wkt_step_close(s);
		wkt_case_close(&c);
		skip();
	}
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void periodic_balancing_spreads_hogs(void **state)
{
	(void)state;
	hogs_of_one_llc_spread_over_all("tip");
}

static void periodic_balancing_spreads_hogs_under_eevdf(void **state)
{
	(void)state;
	hogs_of_one_llc_spread_over_all("tip-7");
}

/* ---- newidle ---- */

static u64 sum_migrations(const struct wk_sim_counts *n)
{
	u64 total = 0;

	for (u32 i = 0; i < WK_TIER_NR; i++)
		total += n->migrations[i];
	return total;
}

/*
 * CPU 0 has a hog and one that waits; a task of CPU 1 sleeps again and again, too short for
 * other balancing than newidle to see that CPU idle. @pinned: may the waiting one leave CPU 0?
 * Returns what was pulled.
 */
static u64 pulled(bool pinned, u32 migration_cost_us)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u64 nr;

	wkt_program_open(&c, "pack:1 core:2 pu:1", "tip", &b);
	c.cost.migration_cost_us = migration_cost_us;
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 0));
	wk_build_op(&b, WK_OP_RUN, 0, 0, 100 * MS);
	if (pinned) {
		wkt_task(&b, 1024, (s32)wkt_pin(&b, 0));
		wk_build_op(&b, WK_OP_RUN, 0, 0, 100 * MS);
	} else {
		add_freed_hog(&b, 0, 1);
	}
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 1));
	wk_build_loop(&b, 40);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 100 * US);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 900 * US);
	wk_build_end(&b);
	wkt_program_take(&c, &b, 60 * MS);
	s = wkt_step_open(&c);
	while (s->now < 50 * MS) {
		wkt_step_event(s);
		s->cpu[1].balance[0].failed = 0; /* after vain attempts even hot ones may go */
	}
	nr = s->count->balance_pulled;
	assert_true(s->count->balance_newidle > 0);
	assert_true(!pinned || sum_migrations(s->count) == 0);
	wkt_step_close(s);
	wkt_case_close(&c);
	return nr;
}

static void newidle_pulls_a_thread_that_waits(void **state)
{
	(void)state;
	assert_true(pulled(false, 500) > 0);
}

static void newidle_leaves_what_is_pinned(void **state)
{
	(void)state;
	assert_int_equal(pulled(true, 500), 0);
}

/* Everything that ran in the last 4 seconds is hot. */
static void newidle_leaves_what_is_hot(void **state)
{
	(void)state;
	assert_int_equal(pulled(false, 4000000), 0);
}

/* ---- active balance ---- */

static void a_running_hog_is_pushed_from_a_shared_core(void **state)
{
	u32 first, second;
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;

	(void)state;
	wkt_program_open(&c, "pack:1 core:4 pu:2", "tip", &b);
	first = c.topo->cpu_of[0];
	second = c.topo->cpu_of[1];
	assert_int_equal(c.topo->sil[1].core_first, 0);
	add_freed_hog(&b, first, 1);
	add_freed_hog(&b, second, 1);
	wkt_program_take(&c, &b, 2000 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, MS);
	assert_int_equal(s->topo->sil[s->thread[0].cpu].core_first,
			 s->topo->sil[s->thread[1].cpu].core_first);
	wkt_step_to(s, 1000 * MS);
	assert_int_not_equal(s->topo->sil[s->thread[0].cpu].core_first,
			     s->topo->sil[s->thread[1].cpu].core_first);
	assert_true(s->count->balance_active > 0);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* ---- speed ---- */

/* How long 100 ms of work take on the first of @nr CPUs of a core that are all busy. */
static u64 work_ns(struct wkt_case *c, struct wk_build *b, u32 nr)
{
	u64 ns;

	for (u32 i = 0; i < nr; i++) {
		wkt_task(b, 1024, (s32)wkt_pin(b, c->topo->cpu_of[i]));
		wk_build_op(b, WK_OP_RUN, 0, 0, 100 * MS);
	}
	wkt_program_finish(c, b);
	ns = c->res.total_ns;
	wkt_case_close(c);
	return ns;
}

static void two_hogs_share_a_core(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u64 expected;

	(void)state;
	wkt_program_open(&c, "pack:1 core:1 pu:2", "tip", &b);
	expected = 100 * MS * 100 / (c.cost.smt_pct / 2);
	assert_in_range(work_ns(&c, &b, 2), expected - expected / 100, expected + expected / 50);
}

static void a_hog_alone_has_its_core(void **state)
{
	struct wkt_case c;
	struct wk_build b;

	(void)state;
	wkt_program_open(&c, "pack:1 core:1 pu:2", "tip", &b);
	assert_in_range(work_ns(&c, &b, 1), 100 * MS, 101 * MS);
}

static void half_the_capacity_takes_twice_the_time(void **state)
{
	struct wkt_case c;
	struct wk_build b;

	(void)state;
	wkt_program_open(&c, "pack:1 core:2 pu:1", "tip", &b);
	c.topo->sil[0].capacity = 512;
	assert_in_range(work_ns(&c, &b, 1), 200 * MS, 203 * MS);
}

/* Its sibling's end gives the rest of the core back at once. */
static void speed_changes_in_the_middle_of_a_segment(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u64 expected;

	(void)state;
	wkt_program_open(&c, "pack:1 core:1 pu:2", "tip", &b);
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 0));
	wk_build_op(&b, WK_OP_RUN, 0, 0, 100 * MS);
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 1));
	wk_build_op(&b, WK_OP_RUN, 0, 0, 20 * MS);
	/* 20 ms of work side by side, 80 alone */
	expected = 20 * MS * 100 / (c.cost.smt_pct / 2) + 80 * MS;
	wkt_program_finish(&c, &b);
	assert_in_range(c.res.total_ns, expected - expected / 100, expected + expected / 50);
	wkt_case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(periodic_balancing_spreads_hogs),
		cmocka_unit_test(periodic_balancing_spreads_hogs_under_eevdf),
		cmocka_unit_test(newidle_pulls_a_thread_that_waits),
		cmocka_unit_test(newidle_leaves_what_is_pinned),
		cmocka_unit_test(newidle_leaves_what_is_hot),
		cmocka_unit_test(a_running_hog_is_pushed_from_a_shared_core),
		cmocka_unit_test(two_hogs_share_a_core),
		cmocka_unit_test(a_hog_alone_has_its_core),
		cmocka_unit_test(half_the_capacity_takes_twice_the_time),
		cmocka_unit_test(speed_changes_in_the_middle_of_a_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
