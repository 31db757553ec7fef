// SPDX-License-Identifier: GPL-2.0-only
/* netperf, perf pipe and schbench: who writes what to whom. */
#include "tests/support/test.h"
#include "tests/unit/workload/interp.h"
#include "workload/bench.h"

static struct wk_workload *open_spec(const char *spec, u32 nr_cpus)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_workload_open(spec, nr_cpus, &err);

	if (!w)
		fail_msg("%s: %s", spec, err.text);
	return w;
}

static u32 count_ops(const struct wk_workload *w, u32 task, u8 code)
{
	const struct wk_wtask *t = &w->task[task];
	u32 n = 0;

	for (u32 i = t->first_op; i < t->first_op + t->nr_ops; i++)
		n += w->op[i].code == code;
	return n;
}

static const struct wk_op *find_op(const struct wk_workload *w, u32 task, u8 code)
{
	const struct wk_wtask *t = &w->task[task];

	for (u32 i = t->first_op; i < t->first_op + t->nr_ops; i++)
		if (w->op[i].code == code)
			return &w->op[i];
	fail_msg("task %u has no such operation", task);
	return NULL;
}

static void netperf_pairs_play_ping_pong(void **state)
{
	struct wk_workload *w = open_spec("netperf-tcp-rr:clients=5", 8);
	struct interp x;

	(void)state;
	assert_int_equal(w->nr_tasks, 12);
	assert_int_equal(w->nr_processes, 12);
	assert_string_equal(w->metric[0].name, "TCP_RR");
	assert_string_equal(w->metric[0].unit, "trans/s");
	assert_true(w->metric[0].higher_is_better);
	assert_int_equal(w->duration_ns, 60000000000ULL);

	interp_run(&x, w, 10000);
	assert_false(x.deadlock);
	assert_int_equal(x.nr_forks, 10);
	assert_int_equal(x.nr_marks, 5);
	assert_true(x.counter[0] > 5 * 1000);
	/* A transaction is a request and a response: channels differ by one in flight at most. */
	for (u32 i = 1; i < w->nr_objs; i++)
		assert_true(x.obj[i].written - x.obj[i].read <= 1);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void netperf_parents(void **state)
{
	/* "threads" is how some tables name the same load. */
	struct wk_workload *w = open_spec("netperf-udp-rr:threads=3", 8);

	(void)state;
	assert_string_equal(w->load_name, "clients");
	assert_int_equal(w->obj[0].kind, WK_OBJ_TCP); /* the control connection */
	assert_int_equal(w->obj[1].kind, WK_OBJ_UDP);
	for (u32 i = 2; i < w->nr_tasks; i++)
		assert_int_equal(w->task[i].parent, i % 2 == 0 ? 0 : 1);
	assert_int_equal(count_ops(w, 2, WK_OP_EXEC), 1);
	assert_int_equal(count_ops(w, 3, WK_OP_EXEC), 0);
	wk_workload_destroy(w);
}

static void pipe_in_both_modes(void **state)
{
	static const char *const specs[] = {"perf-pipe:loops=1000",
					    "perf-pipe:loops=1000,mode=threads"};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct wk_workload *w = open_spec(specs[i], 1);
		struct interp x;

		assert_int_equal(w->nr_tasks, 2 + i);
		assert_int_equal(w->nr_processes, i ? 1 : 2);
		assert_string_equal(w->metric[0].name, "usecs/op");
		/* 1,000 loops in 0.01 s are 10 us each. */
		assert_int_equal(w->metric[0].scale_num / w->metric[0].scale_den, 1000);
		interp_run(&x, w, ~0ULL);
		assert_false(x.deadlock);
		assert_int_equal(x.counter[0], 1000);
		assert_int_equal(x.reads, 2000);
		assert_int_equal(x.writes, 2000);
		interp_release(&x);
		wk_workload_destroy(w);
	}
}

static void schbench_old_is_a_herd(void **state)
{
	struct wk_workload *w = open_spec("schbench-old:workers=4", 64);
	const struct wk_op *sleep = find_op(w, 1, WK_OP_SLEEP);
	struct interp x;

	(void)state;
	assert_int_equal(w->nr_tasks, 1 + 2 * 5);
	assert_string_equal(w->load_name, "workers");
	/* 30 ms and up to a quarter more. */
	assert_true(sleep->c - sleep->c * sleep->a / 100 >= 29990000);
	assert_true(sleep->c + sleep->c * sleep->a / 100 <= 37500000);
	assert_int_equal(find_op(w, 2, WK_OP_SPIN)->c, 30000000);
	assert_string_equal(w->metric[0].name, "p99 latency");
	assert_int_equal(w->metric[0].pct10, 990);
	interp_run(&x, w, 1000);
	assert_false(x.deadlock);
	assert_true(x.counter[0] > 8 * 50);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void schbench_old_by_message_threads(void **state)
{
	struct wk_workload *w = open_spec("schbench-old:message-threads=3", 64);

	(void)state;
	assert_string_equal(w->load_name, "message-threads");
	assert_int_equal(w->load, 3);
	assert_int_equal(w->nr_tasks, 1 + 3 * 17);
	wk_workload_destroy(w);
}

static void schbench_new_requests(void **state)
{
	struct wk_workload *w = open_spec("schbench", 12);
	struct interp x;

	(void)state;
	assert_int_equal(w->nr_tasks, 1 + 1 + 12);
	assert_int_equal(w->load, 12);
	assert_int_equal(count_ops(w, 2, WK_OP_CPU_LOCK), 1);
	assert_int_equal(find_op(w, 2, WK_OP_SLEEP)->c, 100000);
	/* Five times 104^3 steps of 1.7 ns. */
	assert_int_equal(find_op(w, 2, WK_OP_RUN)->c, 5 * 1912268);
	assert_int_equal(w->task[2].footprint_bytes, 2048 + (256 << 10));
	assert_int_equal(w->task[2].first_op, w->task[13].first_op);
	interp_run(&x, w, 1000);
	assert_false(x.deadlock);
	assert_true(x.counter[0] > 12 * 50);
	interp_release(&x);
	wk_workload_destroy(w);

	w = open_spec("schbench:locking=no,operations=0,sleep=0,workers=3,message-threads=2", 12);
	assert_int_equal(count_ops(w, 2, WK_OP_CPU_LOCK), 0);
	assert_int_equal(count_ops(w, 2, WK_OP_RUN), 0);
	assert_int_equal(w->nr_tasks, 1 + 2 * 4);
	wk_workload_destroy(w);
}

static void metrics_by_published_name(void **state)
{
	struct wk_workload *w = open_spec("schbench-old", 4);

	(void)state;
	assert_int_equal(wk_bench_metric(w, "latency"), 0);
	assert_int_equal(wk_bench_metric(w, "normal"), 0);
	assert_int_equal(wk_bench_metric(w, "p99 latency"), 0);
	assert_int_equal(wk_bench_metric(w, "p50 latency"), 1);
	assert_int_equal(wk_bench_metric(w, "lat"), WK_NONE);
	wk_workload_destroy(w);

	w = open_spec("hackbench:mode=process", 4);
	assert_int_equal(wk_bench_metric(w, "time"), 0);
	assert_int_equal(wk_bench_metric(w, "process-pipe"), 0);
	assert_int_equal(wk_bench_metric(w, "threads-pipe"), WK_NONE);
	wk_workload_destroy(w);

	w = open_spec("schbench", 4);
	assert_true(wk_bench_metric(w, "rps_summary") >= 0);
	assert_true(wk_bench_metric(w, "request_lat_summary") >= 0);
	wk_workload_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(netperf_pairs_play_ping_pong),
		cmocka_unit_test(netperf_parents),
		cmocka_unit_test(pipe_in_both_modes),
		cmocka_unit_test(schbench_old_is_a_herd),
		cmocka_unit_test(schbench_old_by_message_threads),
		cmocka_unit_test(schbench_new_requests),
		cmocka_unit_test(metrics_by_published_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
