// SPDX-License-Identifier: GPL-2.0-only
/*
 * hackbench, and its copy in perf.
 *
 * A group is fds receivers, each with its own pipe or socket pair, and fds senders that know all
 * of them. Main creates group after group, receivers first; each child writes a byte into one
 * common ready channel and waits; main reads a byte from everybody, starts the clock, and lets
 * all go at once. A sender then writes one message to every receiver in turn, loops times; a
 * receiver reads fds * loops messages. Main reaps them, and stops the clock.
 *
 * The programs wait for the start in poll() on a pipe that is written once and never read: all
 * wake together. A semaphore posted for everybody does the same here.
 */
#include "workload/models.h"

/*
 * Assumed: the frames of a child's loop and of the C library under it, about 30 lines of stack and
 * as many of descriptors and buffers, beside its message. The kernel's own lines are costs.
 */
#define FOOTPRINT_BYTES 4096

enum { MODE_THREADS, MODE_PROCESS };
enum { IPC_PIPE, IPC_SOCKETS };

struct messaging {
	u64 groups, fds, loops, size;
	u64 mode, ipc;
	u32 ready, go; /* objects */
};

/* Task numbers: main is 0, then group after group, its receivers before its senders. */
static u32 receiver_of(const struct messaging *m, u64 group, u64 i)
{
	return (u32)(1 + group * 2 * m->fds + i);
}

static u32 sender_of(const struct messaging *m, u64 group, u64 i)
{
	return (u32)(1 + group * 2 * m->fds + m->fds + i);
}

static void add_tasks(struct wk_build *b, const struct messaging *m)
{
	u64 nr = 1 + m->groups * m->fds * 2;
	struct wk_wtask t = {.parent = WK_NONE,
			     .affinity = WK_NONE,
			     .weight = 1024,
			     .footprint_bytes = FOOTPRINT_BYTES + (u32)m->size};

	for (u64 i = 0; i < nr; i++) {
		t.process = m->mode == MODE_PROCESS ? (u32)i : 0;
		wk_build_task(b, &t);
	}
	wk_build_name(b, 0, "main");
	for (u64 g = 0; g < m->groups; g++)
		for (u64 i = 0; i < m->fds; i++) {
			wk_build_name(b, receiver_of(m, g, i), "recv%u.%u", (u32)g, (u32)i);
			wk_build_name(b, sender_of(m, g, i), "send%u.%u", (u32)g, (u32)i);
		}
}

static void write_main(struct wk_build *b, const struct messaging *m)
{
	u32 children = (u32)(m->groups * m->fds * 2);

	wk_build_program(b, 0);
	for (u32 i = 1; i <= children; i++)
		wk_build_fork(b, i);
	wk_build_loop(b, children);
	wk_build_op(b, WK_OP_READ, 0, m->ready, 1);
	wk_build_end(b);
	wk_build_op(b, WK_OP_MARK, 0, 0, 0);
	wk_build_op(b, WK_OP_SEM_POST, 0, m->go, children);
	wk_build_op(b, WK_OP_JOIN, 0, children, 0);
}

static void write_ready(struct wk_build *b, const struct messaging *m, u32 task)
{
	wk_build_program(b, task);
	wk_build_op(b, WK_OP_WRITE, 0, m->ready, 1);
	wk_build_op(b, WK_OP_SEM_WAIT, 0, m->go, 0);
}

static void write_group(struct wk_build *b, const struct messaging *m, u64 group)
{
	enum wk_obj_kind kind = m->ipc == IPC_PIPE ? WK_OBJ_PIPE : WK_OBJ_UNIX;
	u32 first = 0, sender = sender_of(m, group, 0);

	for (u64 i = 0; i < m->fds; i++) {
		u32 channel = wk_build_obj(b, kind, 0, 0);

		if (i == 0)
			first = channel;
		write_ready(b, m, receiver_of(m, group, i));
		wk_build_loop(b, m->loops * m->fds);
		wk_build_op(b, WK_OP_READ, 0, channel, m->size);
		wk_build_op(b, WK_OP_COUNT, 0, 0, 1);
		wk_build_end(b);
	}
	write_ready(b, m, sender);
	wk_build_loop(b, m->loops);
	for (u64 i = 0; i < m->fds; i++)
		wk_build_op(b, WK_OP_WRITE, 0, first + (u32)i, m->size);
	wk_build_end(b);
	for (u64 i = 1; i < m->fds; i++)
		wk_build_share(b, sender_of(m, group, i), sender);
}

static void add_metric(struct wk_build *b, const struct messaging *m)
{
	static const char *const names[2][2] = {{"threads-pipe", "threads-sockets"},
						{"process-pipe", "process-sockets"}};
	struct wk_metric metric = wk_model_metric(names[m->mode][m->ipc], "s", WK_METRIC_ELAPSED);

	metric.total = m->groups * m->fds * m->fds * m->loops;
	wk_build_metric(b, &metric);
}

static struct wk_workload *build(const struct wk_bench_args *args, struct messaging *m,
				 struct wk_err *ret_err)
{
	enum wk_obj_kind kind = m->ipc == IPC_PIPE ? WK_OBJ_PIPE : WK_OBJ_UNIX;
	struct wk_build b;

	if (wk_model_check_tasks(wk_bench_at(args->bench)->name, 1 + m->groups * m->fds * 2,
				 ret_err))
		return NULL;
	wk_model_init(&b, args);
	m->ready = wk_build_obj(&b, kind, 0, 0);
	m->go = wk_build_obj(&b, WK_OBJ_SEM, 0, 0);
	add_tasks(&b, m);
	write_main(&b, m);
	for (u64 g = 0; g < m->groups; g++)
		write_group(&b, m, g);
	add_metric(&b, m);
	/* The budget of the idle search is refreshed by the balancer every 16 to 256 ms. */
	wk_model_times(&b, 0, 60 * WK_NS_PER_MS, 40 * WK_NS_PER_MS);
	return wk_build_finish(&b, ret_err);
}

struct wk_workload *wk_model_hackbench(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	struct messaging m = {.groups = wk_arg(args, hackbench, groups),
			      .fds = wk_arg(args, hackbench, fds),
			      .loops = wk_arg(args, hackbench, loops),
			      .size = wk_arg(args, hackbench, size),
			      .mode = wk_arg(args, hackbench, mode),
			      .ipc = wk_arg(args, hackbench, ipc)};

	return build(args, &m, ret_err);
}

struct wk_workload *wk_model_messaging(const struct wk_bench_args *args, struct wk_err *ret_err)
{
	struct messaging m = {.groups = wk_arg(args, messaging, groups),
			      .fds = wk_arg(args, messaging, fds),
			      .loops = wk_arg(args, messaging, loops),
			      .size = wk_arg(args, messaging, size),
			      .mode = wk_arg(args, messaging, mode),
			      .ipc = wk_arg(args, messaging, ipc)};

	return build(args, &m, ret_err);
}
