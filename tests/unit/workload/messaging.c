// SPDX-License-Identifier: GPL-2.0-only
/* hackbench and perf bench sched messaging: counts, and that every message arrives. */
#include "tests/support/test.h"
#include "tests/unit/workload/interp.h"
#include "workload/bench.h"

static struct wk_workload *open_spec(const char *spec)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_workload_open(spec, 16, &err);

	if (!w)
		fail_msg("%s: %s", spec, err.text);
	return w;
}

static void counts_of_the_default(void **state)
{
	struct wk_workload *w = open_spec("hackbench");

	(void)state;
	assert_string_equal(w->bench, "hackbench");
	assert_string_equal(w->load_name, "groups");
	assert_int_equal(w->load, 10);
	assert_int_equal(w->nr_tasks, 10 * 40 + 1);
	assert_int_equal(w->nr_processes, 1);
	assert_int_equal(w->nr_metrics, 1);
	assert_string_equal(w->metric[0].name, "threads-pipe");
	assert_string_equal(w->metric[0].unit, "s");
	assert_int_equal(w->metric[0].kind, WK_METRIC_ELAPSED);
	assert_int_equal(w->metric[0].total, 10 * 20 * 20 * 100000);
	assert_false(w->metric[0].higher_is_better);
	wk_workload_destroy(w);
}

static void runs_balanced(const char *spec, u64 messages, u32 children)
{
	struct wk_workload *w = open_spec(spec);
	struct interp x;

	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_int_equal(x.nr_ended, w->nr_tasks);
	assert_int_equal(x.nr_forks, children);
	assert_int_equal(x.nr_marks, 1);
	assert_int_equal(x.counter[0], messages);
	assert_int_equal(w->metric[0].total, messages);
	/* Each child says once that it is ready. */
	assert_int_equal(x.writes, messages + children);
	assert_int_equal(x.reads, x.writes);
	for (u32 i = 0; i < w->nr_objs; i++)
		assert_int_equal(x.obj[i].written, x.obj[i].read);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void every_message_arrives(void **state)
{
	(void)state;
	runs_balanced("hackbench:groups=1,fds=1,loops=1", 1, 2);
	runs_balanced("hackbench:groups=2,loops=3", 2 * 400 * 3, 80);
	runs_balanced("hackbench:groups=3,fds=5,loops=7,size=4096,mode=process,ipc=sockets",
		      3 * 25 * 7, 30);
	runs_balanced("perf-messaging:groups=2,loops=5", 2 * 400 * 5, 80);
}

/* Each receiver gets from each sender of its own group and from nobody else. */
static void receivers_get_equal_shares(void **state)
{
	struct wk_workload *w = open_spec("hackbench:groups=2,fds=4,loops=6,size=10");
	struct interp x;
	u32 pipes = 0;

	(void)state;
	interp_run(&x, w, ~0ULL);
	for (u32 i = 0; i < w->nr_objs; i++)
		if (w->obj[i].kind == WK_OBJ_PIPE && x.obj[i].read == 4 * 6 * 10)
			pipes++;
	assert_int_equal(pipes, 8);
	interp_release(&x);
	wk_workload_destroy(w);
}

static u32 find_op(const struct wk_workload *w, u8 code)
{
	u32 i = 0;

	while (i < w->nr_ops && w->op[i].code != code)
		i++;
	assert_true(i < w->nr_ops);
	return i;
}

/* The interpreter would see it: a receiver that waits for one message too many. */
static void a_missing_message_is_a_deadlock(void **state)
{
	struct wk_workload *w = open_spec("hackbench:groups=1,fds=2,loops=3");
	struct interp x;
	u32 count = find_op(w, WK_OP_COUNT), loop = w->op[count + 1].b;

	(void)state;
	assert_int_equal(w->op[loop].c, 6);
	w->op[loop].c = 7;
	interp_run(&x, w, ~0ULL);
	assert_true(x.deadlock);
	interp_release(&x);

	w->op[loop].c = 5;
	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_true(x.reads < x.writes);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void modes_and_channels(void **state)
{
	struct wk_workload *w = open_spec("hackbench:groups=1,mode=process,ipc=sockets");

	(void)state;
	assert_string_equal(w->metric[0].name, "process-sockets");
	assert_int_equal(w->nr_processes, 41);
	assert_int_equal(w->obj[0].kind, WK_OBJ_UNIX);
	wk_workload_destroy(w);
	w = open_spec("perf-messaging");
	assert_string_equal(w->metric[0].name, "process-sockets");
	wk_workload_destroy(w);
}

/* Receivers exist before senders; senders of a group share one program. */
static void creation_order_and_sharing(void **state)
{
	struct wk_workload *w = open_spec("hackbench:groups=2,fds=3");

	(void)state;
	for (u32 i = 0; i < 12; i++) {
		assert_int_equal(w->op[i].code, WK_OP_FORK);
		assert_int_equal(w->op[i].b, i + 1);
		assert_int_equal(strncmp(w->task[i + 1].name, i % 6 < 3 ? "recv" : "send", 4), 0);
	}
	assert_int_equal(w->task[4].first_op, w->task[6].first_op);
	assert_int_not_equal(w->task[4].first_op, w->task[10].first_op);
	assert_int_not_equal(w->task[1].first_op, w->task[2].first_op);
	wk_workload_destroy(w);
}

static void the_largest_that_is_allowed(void **state)
{
	struct wk_err err;
	struct wk_workload *w = open_spec("hackbench:groups=4096,fds=122");

	(void)state;
	assert_int_equal(w->nr_tasks, 4096 * 244 + 1);
	wk_workload_destroy(w);
	assert_null(wk_workload_open("hackbench:groups=4096,fds=123", 1, &err));
	assert_string_equal(err.text,
			    "bench 'hackbench': found 1007617 tasks, expected at most 1000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_the_default),
		cmocka_unit_test(every_message_arrives),
		cmocka_unit_test(receivers_get_equal_shares),
		cmocka_unit_test(a_missing_message_is_a_deadlock),
		cmocka_unit_test(modes_and_channels),
		cmocka_unit_test(creation_order_and_sharing),
		cmocka_unit_test(the_largest_that_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
