// SPDX-License-Identifier: GPL-2.0-only
/* wk_workload_check() and the builder: each corruption is caught and named. */
#include <string.h>

#include "tests/support/test.h"
#include "workload/bench.h"
#include "workload/build.h"

/* Spoils a sound workload in one place; the test hands it to the check. */
struct corruption {
	const char *spec;
	void (*spoil)(struct wk_workload *w);
	const char *says; /* part of the line */
};

static u32 find_op(const struct wk_workload *w, u8 code)
{
	u32 i = 0;

	while (i < w->nr_ops && w->op[i].code != code)
		i++;
	assert_true(i < w->nr_ops);
	return i;
}

static void no_tasks(struct wk_workload *w)
{
	w->nr_tasks = 0;
}

static void task_without_ops(struct wk_workload *w)
{
	w->task[3].nr_ops = 0;
}

static void program_beyond_the_end(struct wk_workload *w)
{
	w->task[3].first_op = w->nr_ops - 1;
	w->task[3].nr_ops = 2;
}

static void unknown_code(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_READ)].code = WK_OP_NR;
}

static void no_such_channel(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_READ)].b = w->nr_objs;
}

static void wrong_kind(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_READ)].b = w->op[find_op(w, WK_OP_SEM_WAIT)].b;
}

static void no_bytes(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_READ)].c = 0;
}

static void operand_where_none_is(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_READ)].a = 1;
}

static void end_of_another_loop(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_END)].b++;
}

static void loop_to_another_end(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_LOOP)].b++;
}

static void loop_without_end(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_END)] = (struct wk_op){.code = WK_OP_YIELD};
}

static void end_without_loop(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_LOOP)] = (struct wk_op){.code = WK_OP_YIELD};
}

static void wrong_depth(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_LOOP)].a = 1;
}

static void timeless_loop(struct wk_workload *w)
{
	u32 read = find_op(w, WK_OP_READ);

	w->op[read] = (struct wk_op){.code = WK_OP_COUNT, .c = 1};
}

static void fork_of_nobody(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_FORK)].b = w->nr_tasks;
}

static void fork_of_a_stranger(struct wk_workload *w)
{
	w->task[1].parent = 2;
}

static void never_forked(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_FORK)].b = 2;
}

static void shared_program_forks(struct wk_workload *w)
{
	w->task[5].first_op = w->task[0].first_op;
	w->task[5].nr_ops = w->task[0].nr_ops;
}

static void shared_by_half(struct wk_workload *w)
{
	w->task[4].nr_ops--;
}

static void no_such_process(struct wk_workload *w)
{
	w->task[1].process = w->nr_processes;
}

static void no_such_affinity(struct wk_workload *w)
{
	w->task[1].affinity = 0;
}

static void weightless(struct wk_workload *w)
{
	w->task[1].weight = 0;
}

static void no_such_slot(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_COUNT)].a = 1;
}

static void slot_of_two_kinds(struct wk_workload *w)
{
	w->op[find_op(w, WK_OP_LAT_BEGIN)].a = 0;
}

static void metric_of_another_kind(struct wk_workload *w)
{
	w->metric[0].kind = WK_METRIC_LATENCY;
}

static void metric_without_scale(struct wk_workload *w)
{
	w->metric[0].scale_den = 0;
}

static void no_such_object_kind(struct wk_workload *w)
{
	w->obj[0].kind = WK_OBJ_NR;
}

static void barrier_without_members(struct wk_workload *w)
{
	w->obj[0].kind = WK_OBJ_BARRIER;
	w->obj[0].count = 0;
}

#define HACKBENCH "hackbench:groups=1,fds=2,loops=2"

static const struct corruption corruptions[] = {
	{HACKBENCH, no_tasks, "no tasks"},
	{HACKBENCH, task_without_ops, "task 3 'send0.0': no operations"},
	{HACKBENCH, program_beyond_the_end, "task 3 'send0.0': no operations"},
	{HACKBENCH, unknown_code, "no such operation"},
	{HACKBENCH, no_such_channel, "(read): operand 'channel' is out of range"},
	{HACKBENCH, wrong_kind, "(read): operand 'channel' is out of range"},
	{HACKBENCH, no_bytes, "(read): operand 'bytes' is out of range, found 0"},
	{HACKBENCH, operand_where_none_is, "(read): operand '-' is out of range"},
	{HACKBENCH, end_of_another_loop, "(end): expected the end of the innermost loop"},
	{HACKBENCH, loop_to_another_end, "(end): its loop ends elsewhere"},
	{HACKBENCH, loop_without_end, "(loop): a loop without end"},
	{HACKBENCH, end_without_loop, "(end): an end without loop"},
	{HACKBENCH, wrong_depth, "(loop): expected the loop register of its depth"},
	{HACKBENCH, timeless_loop, "(end): a loop in which no time passes"},
	{HACKBENCH, fork_of_nobody, "(fork): expected a task"},
	{HACKBENCH, fork_of_a_stranger, "(fork): this task is not the parent"},
	{HACKBENCH, never_forked, "task 1 'recv0.0': nobody forks it"},
	{"hackbench:groups=2,fds=2", shared_program_forks, "a program that forks is shared"},
	{HACKBENCH, shared_by_half, "share a program of different length"},
	{HACKBENCH, no_such_process, "out of range"},
	{HACKBENCH, no_such_affinity, "out of range"},
	{HACKBENCH, weightless, "out of range"},
	{HACKBENCH, no_such_slot, "(count): expected a slot"},
	{"schbench:workers=1", slot_of_two_kinds, "both counter and histogram"},
	{HACKBENCH, metric_of_another_kind, "metric 0 'threads-pipe'"},
	{HACKBENCH, metric_without_scale, "metric 0 'threads-pipe'"},
	{HACKBENCH, no_such_object_kind, "object 0"},
	{HACKBENCH, barrier_without_members, "object 0"},
};

static void each_corruption_is_caught(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(corruptions) / sizeof(corruptions[0]); i++) {
		const struct corruption *c = &corruptions[i];
		struct wk_err err = {""};
		struct wk_workload *w = wk_workload_open(c->spec, 4, &err);

		assert_non_null(w);
		assert_int_equal(wk_workload_check(w, &err), 0);
		c->spoil(w);
		assert_true(wk_workload_check(w, &err) < 0);
		if (!strstr(err.text, c->says))
			fail_msg("corruption %zu: found '%s', expected '%s'", i, err.text, c->says);
		assert_null(strchr(err.text, '\n'));
		wk_workload_destroy(w);
	}
}

static void builder_refuses(void (*build)(struct wk_build *b), const char *says)
{
	struct wk_build b;
	struct wk_err err = {""};

	wk_build_init(&b, "test", "", 0);
	wk_build_task(&b, NULL);
	wk_build_program(&b, 0);
	build(&b);
	assert_null(wk_build_finish(&b, &err));
	if (!strstr(err.text, says))
		fail_msg("found '%s', expected '%s'", err.text, says);
}

static void nests_nine_deep(struct wk_build *b)
{
	for (int i = 0; i < 9; i++)
		wk_build_loop(b, 2);
	/* After a failure nothing matters any more. */
	wk_build_end(b);
	wk_build_op(b, WK_OP_READ, 0, 77, 0);
}

static void ends_too_often(struct wk_build *b)
{
	wk_build_end(b);
}

static void never_ends(struct wk_build *b)
{
	wk_build_loop(b, 2);
}

static void writes_nothing(struct wk_build *b)
{
	(void)b;
}

static void builder_keeps_its_books(void **state)
{
	(void)state;
	builder_refuses(nests_nine_deep, "loops nest more than 8 deep");
	builder_refuses(ends_too_often, "an end without loop");
	builder_refuses(never_ends, "a loop without end");
	builder_refuses(writes_nothing, "no tasks");
}

static void equal_affinities_share_a_row(void **state)
{
	struct wk_build b;
	struct wk_mask one = {{1}}, two = {{2}};

	(void)state;
	wk_build_init(&b, "test", "", 0);
	assert_int_equal(wk_build_affinity(&b, &one), 0);
	assert_int_equal(wk_build_affinity(&b, &two), 1);
	assert_int_equal(wk_build_affinity(&b, &one), 0);
	assert_int_equal(b.w->nr_affinities, 2);
	wk_build_abort(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_corruption_is_caught),
		cmocka_unit_test(builder_keeps_its_books),
		cmocka_unit_test(equal_affinities_share_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
