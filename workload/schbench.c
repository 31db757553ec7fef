// SPDX-License-Identifier: GPL-2.0-only
/*
 * schbench, before and since 1.0. Main starts message threads, and each of them its workers; all
 * are threads of one process. A worker that wants work joins the list of its message thread, posts
 * that thread's futex, and sleeps until it is taken off the list again.
 *
 * Old: the message thread waits for the first post, sleeps sleeptime plus up to a quarter of it,
 * then wakes the whole list at once: a herd. A worker spins for cputime by the clock on the wall.
 *
 * New: the message thread wakes the list as soon as there is somebody. A worker then sleeps 100 us
 * ("networking"), takes the lock of the CPU it is on, and multiplies matrices that fill its cache.
 *
 * The latency of a wake-up begins when the message thread begins to wake its list, so it includes
 * the time that waking the others took.
 */
#include "workload/models.h"

/* Assumed: the frames of the loop, its statistics and the list. */
#define FOOTPRINT_BYTES 2048

enum { SLOT_LOOPS, SLOT_WAKEUP, SLOT_REQUEST };

struct schbench {
	bool old;
	u64 message_threads, workers;
	u64 sleep_ns; /* old: the message thread's; new: a request's */
	u64 work_ns;  /* old: by the wall; new: of CPU */
	u64 footprint_bytes;
	bool locking;
	u64 duration_ns;
};

/* Task numbers: main, then message thread after message thread, its workers behind it. */
static u32 message_thread_of(const struct schbench *s, u64 i)
{
	return (u32)(1 + i * (s->workers + 1));
}

static void write_old_message_thread(struct wk_build *b, const struct schbench *s, u32 list)
{
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_LIST_POLL, 0, list, 0);
	/* sleeptime .. 1.25 * sleeptime, as the middle and a percentage of it. */
	wk_build_op(b, WK_OP_SLEEP, 11, 0, s->sleep_ns + s->sleep_ns / 8);
	wk_build_op(b, WK_OP_LIST_SERVE, 0, list, 0);
	wk_build_end(b);
}

static void write_message_thread(struct wk_build *b, const struct schbench *s, u64 i, u32 list)
{
	u32 task = message_thread_of(s, i);

	wk_build_name(b, task, "message%u", (u32)i);
	wk_build_program(b, task);
	for (u32 w = 1; w <= s->workers; w++)
		wk_build_fork(b, task + w);
	wk_build_op(b, WK_OP_MARK, 0, 0, 0);
	if (s->old) {
		write_old_message_thread(b, s, list);
		return;
	}
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_LIST_SERVE, 0, list, 0);
	wk_build_end(b);
}

static void write_request(struct wk_build *b, const struct schbench *s)
{
	wk_build_op(b, WK_OP_LAT_BEGIN, SLOT_REQUEST, 0, 0);
	if (s->sleep_ns)
		wk_build_op(b, WK_OP_SLEEP, 0, 0, s->sleep_ns);
	if (s->locking)
		wk_build_op(b, WK_OP_CPU_LOCK, 0, 0, 0);
	if (s->work_ns)
		wk_build_op(b, WK_OP_RUN, 0, 0, s->work_ns);
	if (s->locking)
		wk_build_op(b, WK_OP_CPU_UNLOCK, 0, 0, 0);
	wk_build_op(b, WK_OP_LAT_END, SLOT_REQUEST, 0, 0);
}

static void write_worker(struct wk_build *b, const struct schbench *s, u32 task, u32 list)
{
	wk_build_program(b, task);
	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_LIST_WAIT, SLOT_WAKEUP, list, 0);
	if (!s->old)
		write_request(b, s);
	else if (s->work_ns)
		wk_build_op(b, WK_OP_SPIN, 0, 0, s->work_ns);
	wk_build_op(b, WK_OP_COUNT, SLOT_LOOPS, 0, 1);
	wk_build_end(b);
}

static void write_team(struct wk_build *b, const struct schbench *s, u64 i)
{
	u32 list = wk_build_obj(b, WK_OBJ_LIST, 0, 0), first = message_thread_of(s, i) + 1;

	write_message_thread(b, s, i, list);
	write_worker(b, s, first, list);
	for (u32 w = 0; w < s->workers; w++) {
		wk_build_name(b, first + w, "worker%u.%u", (u32)i, w);
		if (w)
			wk_build_share(b, first + w, first);
	}
}

static void write_main(struct wk_build *b, const struct schbench *s)
{
	wk_build_name(b, 0, "main");
	wk_build_program(b, 0);
	for (u64 i = 0; i < s->message_threads; i++)
		wk_build_fork(b, message_thread_of(s, i));
	wk_build_op(b, WK_OP_JOIN, 0, (u32)s->message_threads, 0);
}

static void add_tasks(struct wk_build *b, const struct schbench *s)
{
	struct wk_wtask t = {.parent = WK_NONE, .affinity = WK_NONE, .weight = 1024};

	t.footprint_bytes = FOOTPRINT_BYTES;
	wk_build_task(b, &t);
	for (u64 i = 0; i < s->message_threads; i++) {
		t.footprint_bytes = FOOTPRINT_BYTES;
		wk_build_task(b, &t);
		t.footprint_bytes = FOOTPRINT_BYTES + (u32)s->footprint_bytes;
		for (u64 w = 0; w < s->workers; w++)
			wk_build_task(b, &t);
	}
}

static void add_metrics(struct wk_build *b, const struct schbench *s)
{
	struct wk_metric rps = wk_model_metric("rps_summary", "req/s", WK_METRIC_RATE);

	if (s->old) {
		wk_model_latency(b, "p99 latency", SLOT_WAKEUP, 990);
		wk_model_latency(b, "p50 latency", SLOT_WAKEUP, 500);
		wk_model_latency(b, "p95 latency", SLOT_WAKEUP, 950);
		wk_model_latency(b, "p99.9 latency", SLOT_WAKEUP, 999);
		return;
	}
	wk_model_latency(b, "wakeup_lat_summary", SLOT_WAKEUP, 990);
	wk_model_latency(b, "request_lat_summary", SLOT_REQUEST, 990);
	wk_build_metric(b, &rps);
	wk_model_latency(b, "wakeup p50", SLOT_WAKEUP, 500);
	wk_model_latency(b, "wakeup p90", SLOT_WAKEUP, 900);
	wk_model_latency(b, "wakeup p99.9", SLOT_WAKEUP, 999);
	wk_model_latency(b, "request p50", SLOT_REQUEST, 500);
	wk_model_latency(b, "request p90", SLOT_REQUEST, 900);
	wk_model_latency(b, "request p99.9", SLOT_REQUEST, 999);
}

/* A percentile needs samples: 1,000 of them, and ten rounds, but no more than the tool itself. */
static u64 window_ns(const struct schbench *s)
{
	u64 round_ns = s->sleep_ns + s->work_ns + 10 * WK_NS_PER_US;
	u64 rounds = 1000 / (s->message_threads * s->workers) + 10;
	u64 ns = rounds * round_ns;

	return ns < s->duration_ns ? ns : s->duration_ns;
}

static struct wk_workload *build(const struct wk_bench_args *args, const struct schbench *s,
				 struct wk_err *ret_err)
{
	u64 nr_tasks = 1 + s->message_threads * (s->workers + 1), window = window_ns(s);
	struct wk_build b;

	if (wk_model_check_tasks(wk_bench_at(args->bench)->name, nr_tasks, ret_err))
		return NULL;
	wk_model_init(&b, args);
	add_tasks(&b, s);
	write_main(&b, s);
	for (u64 i = 0; i < s->message_threads; i++)
		write_team(&b, s, i);
	add_metrics(&b, s);
	wk_model_times(&b, s->duration_ns, window / 4, window);
	if (b.w)
		b.w->load = args->load_opt == WK_BENCH_OPT_schbench_workers ? s->workers
									    : b.w->load;
	return wk_build_finish(&b, ret_err);
}

struct wk_workload *wk_model_schbench_old(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	struct schbench s = {
		.old = true,
		.message_threads = wk_arg(args, schbench_old, message_threads),
		.workers = wk_arg(args, schbench_old, workers),
		.sleep_ns = wk_arg(args, schbench_old, sleeptime) * WK_NS_PER_US,
		.work_ns = wk_arg(args, schbench_old, cputime) * WK_NS_PER_US,
		.duration_ns = wk_arg(args, schbench_old, seconds) * WK_NS_PER_S,
	};

	return build(args, &s, ret_err);
}

static u64 square_root(u64 x)
{
	u64 root = 0;

	while ((root + 1) * (root + 1) <= x)
		root++;
	return root;
}

/*
 * One multiplication of n x n matrices of longs, three of which fill the footprint (n = 104 by
 * default). Assumed: the plain triple loop adds into memory, so that a step waits for the store of
 * the one before, about 5.5 cycles at 3.2 GHz: 1.7 ns. Five make 9.6 ms, what the tool prints on
 * servers of 2023.
 */
static u64 multiply_ns(u64 footprint_bytes)
{
	u64 n = square_root(footprint_bytes / 3 / 8);

	return n * n * n * 17 / 10;
}

struct wk_workload *wk_model_schbench(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	struct schbench s = {
		.message_threads = wk_arg(args, schbench, message_threads),
		.workers = wk_arg(args, schbench, workers),
		.sleep_ns = wk_arg(args, schbench, sleep) * WK_NS_PER_US,
		.footprint_bytes = wk_arg(args, schbench, cache_footprint) << 10,
		.locking = wk_arg(args, schbench, locking) == 0,
		.duration_ns = wk_arg(args, schbench, seconds) * WK_NS_PER_S,
	};

	if (s.workers == WK_BENCH_AUTO)
		s.workers = (args->nr_cpus + s.message_threads - 1) / s.message_threads;
	s.work_ns = wk_arg(args, schbench, operations) * multiply_ns(s.footprint_bytes);
	return build(args, &s, ret_err);
}
