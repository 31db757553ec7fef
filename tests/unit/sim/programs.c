// SPDX-License-Identifier: GPL-2.0-only
/* Each operation by a tiny program whose outcome is known; programs that cannot end. */
#include <errno.h>

#include "tests/unit/sim/program.h"

#define ONE_CPU	   "pack:1 core:1 pu:1"
#define EIGHT_CPUS "pack:1 core:8 pu:1"

/* A task that waits to be forked. */
static u32 child_of(struct wk_build *b, u32 parent)
{
	const struct wk_wtask proto = {.weight = 1024, .affinity = WK_NONE, .parent = (s32)parent};

	return wk_build_task(b, &proto);
}

static void finish(struct wkt_case *c, struct wk_build *b)
{
	wkt_program_finish(c, b);
	wkt_case_close(c);
}

/* Main forks five that run 1 ms and joins them: on eight CPUs that takes 1 ms, not five. */
static void children_run_side_by_side_and_are_joined(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 child[5], task;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	task = wkt_task(&b, 1024, WK_NONE);
	for (u32 i = 0; i < 5; i++)
		child[i] = child_of(&b, task);
	for (u32 i = 0; i < 5; i++)
		wk_build_fork(&b, child[i]);
	wk_build_op(&b, WK_OP_JOIN, 0, 5, 0);
	wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
	for (u32 i = 0; i < 5; i++) {
		wk_build_program(&b, child[i]);
		wk_build_op(&b, WK_OP_RUN, 0, 0, MS);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
	}
	wkt_program_finish(&c, &b);
	assert_int_equal(c.res.count.messages, 6);
	assert_in_range(c.res.total_ns, MS, 2 * MS);
	wkt_case_close(&c);
}

static void a_join_waits_for_as_many_as_it_says(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 child[4], task;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	task = wkt_task(&b, 1024, WK_NONE);
	for (u32 i = 0; i < 4; i++)
		child[i] = child_of(&b, task);
	for (u32 i = 0; i < 4; i++)
		wk_build_fork(&b, child[i]);
	wk_build_op(&b, WK_OP_JOIN, 0, 1, 0);
	wk_build_op(&b, WK_OP_JOIN, 0, 2, 0);
	wk_build_op(&b, WK_OP_JOIN, 0, 1, 0);
	for (u32 i = 0; i < 4; i++) {
		wk_build_program(&b, child[i]);
		wk_build_op(&b, WK_OP_RUN, 0, 0, (i + 1) * MS);
	}
	wkt_program_finish(&c, &b);
	assert_in_range(c.res.total_ns, 4 * MS, 6 * MS);
	wkt_case_close(&c);
}

static void a_barrier_holds_all_until_the_last(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 barrier;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	barrier = wk_build_obj(&b, WK_OBJ_BARRIER, 4, 0);
	for (u32 i = 0; i < 4; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_loop(&b, 10);
		wk_build_op(&b, WK_OP_RUN, 0, 0, (i + 1) * 100 * US);
		wk_build_op(&b, WK_OP_BARRIER, 0, barrier, 0);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
		wk_build_end(&b);
	}
	wkt_program_finish(&c, &b);
	assert_int_equal(c.res.count.messages, 40);
	/* ten rounds of the slowest */
	assert_in_range(c.res.total_ns, 4 * MS, 5 * MS);
	wkt_case_close(&c);
}

/* Waiters each take one of as many signals; the signaller looks again as long as some are left. */
static void conditions(u32 code, u32 nr_waiters, u32 nr_wakes)
{
	struct wkt_case c;
	struct wk_build b;
	u32 mutex, cond;

	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	mutex = wk_build_obj(&b, WK_OBJ_MUTEX, 0, 0);
	cond = wk_build_obj(&b, WK_OBJ_COND, 0, 0);
	for (u32 i = 0; i < nr_waiters; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_op(&b, WK_OP_LOCK, 0, mutex, 0);
		wk_build_op(&b, WK_OP_COND_WAIT, (u16)mutex, cond, 0);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
		wk_build_op(&b, WK_OP_UNLOCK, 0, mutex, 0);
	}
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 2 * MS);
	for (u32 i = 0; i < nr_wakes; i++) {
		wk_build_op(&b, WK_OP_LOCK, 0, mutex, 0);
		wk_build_op(&b, (enum wk_op_code)code, 0, cond, 0);
		wk_build_op(&b, WK_OP_UNLOCK, 0, mutex, 0);
	}
	wkt_program_finish(&c, &b);
	assert_int_equal(c.res.count.messages, nr_waiters);
	wkt_case_close(&c);
}

static void signals_wake_one_each(void **state)
{
	(void)state;
	conditions(WK_OP_COND_SIGNAL, 5, 5);
}

static void a_broadcast_wakes_all(void **state)
{
	(void)state;
	conditions(WK_OP_COND_BROADCAST, 5, 1);
}

static void a_semaphore_gives_as_many_as_were_posted(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 sem;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	sem = wk_build_obj(&b, WK_OBJ_SEM, 2, 0);
	for (u32 i = 0; i < 4; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_loop(&b, 8);
		wk_build_op(&b, WK_OP_SEM_WAIT, 0, sem, 0);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
		wk_build_end(&b);
	}
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 10);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 100 * US);
	wk_build_op(&b, WK_OP_SEM_POST, 0, sem, 3);
	wk_build_end(&b);
	wkt_program_finish(&c, &b);
	assert_int_equal(c.res.count.messages, 32);
	wkt_case_close(&c);
}

/* schbench's way: workers join, the server wakes them all; nobody is forgotten in between. */
static void a_list_serves_every_worker_that_joined(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 list;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	list = wk_build_obj(&b, WK_OBJ_LIST, 0, 0);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 0);
	wk_build_op(&b, WK_OP_LIST_SERVE, 0, list, 0);
	wk_build_end(&b);
	for (u32 i = 0; i < 12; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_loop(&b, 100);
		wk_build_op(&b, WK_OP_LIST_WAIT, WK_NO_METRIC, list, 0);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
		wk_build_end(&b);
	}
	wkt_program_take(&c, &b, 1000 * MS);
	/* the workers end; then the server waits for ever, which is said */
	assert_int_equal(wkt_case_run(&c), -EINVAL);
	assert_non_null(strstr(c.err.text, "task 0"));
	assert_int_equal(c.res.count.messages, 1200);
	wkt_case_close(&c);
}

/* The first period begins with the first use. */
static void a_timer_keeps_its_period_whatever_ran_between(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 timer;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	timer = wk_build_obj(&b, WK_OBJ_TIMER, 0, 0);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 10);
	wk_build_op(&b, WK_OP_RUN, 50, 0, 300 * US);
	wk_build_op(&b, WK_OP_TIMER, 0, timer, MS);
	wk_build_end(&b);
	wkt_program_finish(&c, &b);
	/* 10 ms from the end of the first run, which takes 150 to 450 us */
	assert_in_range(c.res.total_ns, 10150 * US, 10550 * US);
	wkt_case_close(&c);
}

static void a_timer_that_is_late_does_not_sleep(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 timer;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	timer = wk_build_obj(&b, WK_OBJ_TIMER, 0, 0);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 10);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 2 * MS);
	wk_build_op(&b, WK_OP_TIMER, 0, timer, MS);
	wk_build_end(&b);
	wkt_program_finish(&c, &b);
	/* only the first sleeps; then 9 runs of 2 ms catch up with nothing */
	assert_in_range(c.res.total_ns, 20 * MS, 21500 * US);
	wkt_case_close(&c);
}

static void sleep_takes_its_time(void **state)
{
	struct wkt_case c;
	struct wk_build b;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 5);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 3 * MS);
	wk_build_end(&b);
	wkt_program_finish(&c, &b);
	assert_in_range(c.res.total_ns, 15 * MS, 15500 * US);
	wkt_case_close(&c);
}

static void resume_wakes_who_is_suspended(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 event;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	event = wk_build_obj(&b, WK_OBJ_EVENT, 0, 0);
	for (u32 i = 0; i < 3; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_op(&b, WK_OP_SUSPEND, 0, event, 0);
	}
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, MS);
	wk_build_op(&b, WK_OP_RESUME, 0, event, 0);
	finish(&c, &b);
}

static void exec_and_affinity_move_the_running_task(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 pin;

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	pin = wkt_pin(&b, 5);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_EXEC, 0, 0, MS);
	wk_build_op(&b, WK_OP_AFFINITY, 0, pin, 0);
	wk_build_op(&b, WK_OP_RUN, 0, 0, MS);
	wkt_program_finish(&c, &b);
	assert_in_range(c.res.total_ns, 2 * MS, 3 * MS);
	wkt_case_close(&c);
}

/* ---- programs that cannot end ---- */

static void expect_error(struct wkt_case *c, const char *text)
{
	assert_int_equal(wkt_case_run(c), -EINVAL);
	if (!strstr(c->err.text, text) || strchr(c->err.text, '\n'))
		fail_msg("found '%s', expected '%s'", c->err.text, text);
	wkt_case_close(c);
}

static void a_deadlock_is_named_in_one_line(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 mutex[2];

	(void)state;
	wkt_program_open(&c, EIGHT_CPUS, "tip", &b);
	mutex[0] = wk_build_obj(&b, WK_OBJ_MUTEX, 0, 0);
	mutex[1] = wk_build_obj(&b, WK_OBJ_MUTEX, 0, 0);
	for (u32 i = 0; i < 2; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_op(&b, WK_OP_LOCK, 0, mutex[i], 0);
		wk_build_op(&b, WK_OP_RUN, 0, 0, MS);
		wk_build_op(&b, WK_OP_LOCK, 0, mutex[!i], 0);
	}
	wkt_program_take(&c, &b, 1000 * MS);
	expect_error(&c, "deadlock");
}

static void a_wait_that_nobody_ends_is_named(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 event;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	event = wk_build_obj(&b, WK_OBJ_EVENT, 0, 0);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_RUN, 0, 0, US);
	wk_build_op(&b, WK_OP_SUSPEND, 0, event, 0);
	wkt_program_take(&c, &b, 1000 * MS);
	expect_error(&c, "(task 0) waits in operation 1 for ever");
}

/* wk_workload_check() finds most; a loop of counters it cannot tell from work. */
static void a_loop_without_time_is_refused(void **state)
{
	struct wk_workload *w;
	struct wkt_case c;
	struct wk_build b;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 0);
	wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
	wk_build_end(&b);
	w = wk_build_finish(&b, &c.err);
	if (w) {
		wkt_case_take(&c, w);
		wkt_case_whole(&c, 1000 * MS);
		expect_error(&c, "time");
		return;
	}
	assert_null(strchr(c.err.text, '\n'));
	wkt_case_close(&c);
}

static void endless_programs_stop_at_max_ns(void **state)
{
	struct wkt_case c;
	struct wk_build b;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	for (u32 i = 0; i < 3; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_loop(&b, 0);
		wk_build_op(&b, WK_OP_RUN, 100, 0, 1);
		wk_build_op(&b, WK_OP_YIELD, 0, 0, 0);
		wk_build_end(&b);
	}
	wkt_program_take(&c, &b, 20 * MS);
	assert_int_equal(wkt_case_run(&c), 0);
	assert_false(c.res.finished);
	assert_int_equal(c.res.total_ns, 20 * MS);
	wkt_case_close(&c);
}

static void the_stop_flag_ends_a_run(void **state)
{
	volatile int stop = 1;
	struct wkt_case c;

	(void)state;
	wkt_case_open(&c, EIGHT_CPUS, "tip");
	wkt_case_workload(&c, "hackbench:groups=2,loops=1000000");
	c.in.stop = &stop;
	assert_int_equal(wkt_case_run(&c), 0);
	assert_true(c.res.stopped);
	wkt_case_close(&c);
}

/* Who only waits for its children is not to blame. */
static void a_deadlock_names_the_child_not_its_parent(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	u32 event, child;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip", &b);
	event = wk_build_obj(&b, WK_OBJ_EVENT, 0, 0);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_FORK, 0, 1, 0);
	wk_build_op(&b, WK_OP_JOIN, 0, 1, 0);
	child = wkt_task(&b, 1024, WK_NONE);
	b.w->task[child].parent = 0;
	wk_build_op(&b, WK_OP_SUSPEND, 0, event, 0);
	wkt_program_take(&c, &b, 1000 * MS);
	expect_error(&c, "(task 1) waits in operation 0 for ever");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_run_side_by_side_and_are_joined),
		cmocka_unit_test(a_join_waits_for_as_many_as_it_says),
		cmocka_unit_test(a_barrier_holds_all_until_the_last),
		cmocka_unit_test(signals_wake_one_each),
		cmocka_unit_test(a_broadcast_wakes_all),
		cmocka_unit_test(a_semaphore_gives_as_many_as_were_posted),
		cmocka_unit_test(a_list_serves_every_worker_that_joined),
		cmocka_unit_test(a_timer_keeps_its_period_whatever_ran_between),
		cmocka_unit_test(a_timer_that_is_late_does_not_sleep),
		cmocka_unit_test(sleep_takes_its_time),
		cmocka_unit_test(resume_wakes_who_is_suspended),
		cmocka_unit_test(exec_and_affinity_move_the_running_task),
		cmocka_unit_test(a_deadlock_is_named_in_one_line),
		cmocka_unit_test(a_deadlock_names_the_child_not_its_parent),
		cmocka_unit_test(a_wait_that_nobody_ends_is_named),
		cmocka_unit_test(a_loop_without_time_is_refused),
		cmocka_unit_test(endless_programs_stop_at_max_ns),
		cmocka_unit_test(the_stop_flag_ends_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
