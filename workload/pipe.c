// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf bench sched pipe: two tasks pass an int to and fro over two pipes.
 *
 * As processes, the parent is the one that writes first; as threads, main makes both and waits.
 */
#include "workload/models.h"

#define MESSAGE_BYTES 4 /* an int */
/* Assumed: as hackbench's children, see messaging.c. */
#define FOOTPRINT_BYTES 4096

enum { MODE_THREADS, MODE_PROCESS };

struct pipes {
	u64 mode, loops;
	u32 ping, pong; /* objects */
};

static void write_first(struct wk_build *b, const struct pipes *p)
{
	wk_build_loop(b, p->loops);
	wk_build_op(b, WK_OP_WRITE, 0, p->ping, MESSAGE_BYTES);
	wk_build_op(b, WK_OP_READ, 0, p->pong, MESSAGE_BYTES);
	wk_build_op(b, WK_OP_COUNT, 0, 0, 1);
	wk_build_end(b);
}

static void read_first(struct wk_build *b, const struct pipes *p, u32 task)
{
	wk_build_name(b, task, "reads-first");
	wk_build_program(b, task);
	wk_build_loop(b, p->loops);
	wk_build_op(b, WK_OP_READ, 0, p->ping, MESSAGE_BYTES);
	wk_build_op(b, WK_OP_WRITE, 0, p->pong, MESSAGE_BYTES);
	wk_build_end(b);
}

static void write_processes(struct wk_build *b, const struct pipes *p)
{
	wk_build_name(b, 0, "writes-first");
	wk_build_program(b, 0);
	wk_build_op(b, WK_OP_MARK, 0, 0, 0);
	wk_build_fork(b, 1);
	write_first(b, p);
	wk_build_op(b, WK_OP_JOIN, 0, 1, 0);
	read_first(b, p, 1);
}

static void write_threads(struct wk_build *b, const struct pipes *p)
{
	wk_build_name(b, 0, "main");
	wk_build_program(b, 0);
	wk_build_op(b, WK_OP_MARK, 0, 0, 0);
	wk_build_fork(b, 1);
	wk_build_fork(b, 2);
	wk_build_op(b, WK_OP_JOIN, 0, 2, 0);
	read_first(b, p, 1);
	wk_build_name(b, 2, "writes-first");
	wk_build_program(b, 2);
	write_first(b, p);
}

static void add_metrics(struct wk_build *b, const struct pipes *p)
{
	struct wk_metric usecs = wk_model_metric("usecs/op", "us", WK_METRIC_ELAPSED);
	struct wk_metric ops = wk_model_metric("ops/sec", "ops/s", WK_METRIC_RATE);

	usecs.total = p->loops;
	usecs.scale_num = 1000000; /* seconds of the whole run to microseconds of one */
	usecs.scale_den = (u32)p->loops;
	wk_build_metric(b, &usecs);
	wk_build_metric(b, &ops);
}

struct wk_workload *wk_model_pipe(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	struct pipes p = {.mode = wk_arg(args, pipe, mode), .loops = wk_arg(args, pipe, loops)};
	struct wk_wtask t = {.parent = WK_NONE,
			     .affinity = WK_NONE,
			     .weight = 1024,
			     .footprint_bytes = FOOTPRINT_BYTES};
	struct wk_build b;

	wk_model_init(&b, args);
	p.ping = wk_build_obj(&b, WK_OBJ_PIPE, 0, 0);
	p.pong = wk_build_obj(&b, WK_OBJ_PIPE, 0, 0);
	for (u32 i = 0; i < (p.mode == MODE_PROCESS ? 2U : 3U); i++) {
		t.process = p.mode == MODE_PROCESS ? i : 0;
		wk_build_task(&b, &t);
	}
	if (p.mode == MODE_PROCESS)
		write_processes(&b, &p);
	else
		write_threads(&b, &p);
	add_metrics(&b, &p);
	wk_model_times(&b, 0, 10 * WK_NS_PER_MS, 50 * WK_NS_PER_MS);
	return wk_build_finish(&b, ret_err);
}
