/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Building a workload: arrays that grow, and programs written in order.
 *
 * Problem: a model is a few loops in the text of a benchmark, but indexes, loop
 * registers and matching ENDs in the table; and memory can run out anywhere.
 * Idea: the builder keeps the books. Calls return the index of what they added;
 * a failure sticks, later calls do nothing, and wk_build_finish() reports it.
 *
 *	wk_build_program(&b, task);
 *	wk_build_loop(&b, 100);
 *	wk_build_op(&b, WK_OP_WRITE, 0, pipe, 100);
 *	wk_build_end(&b);
 *
 * Tasks whose programs are the same share one: wk_build_share().
 * Ownership: the builder's, until wk_build_finish() hands the workload over or
 * frees it.
 */
#ifndef WK_WORKLOAD_BUILD_H
#define WK_WORKLOAD_BUILD_H

#include "workload/workload.h"

/* More tasks than this are no experiment any more; the kernel's pid_max is 4 M. */
#define WK_MAX_TASKS	  1000000
#define WK_MAX_AFFINITIES 65536
#define WK_MAX_OPS	  (8 << 20)

struct wk_build {
	struct wk_workload *w;
	u32 room_tasks, room_ops, room_objs, room_metrics, room_affinities;
	u32 program;		/* the task whose program is being written */
	u32 loop[WK_MAX_LOOPS]; /* open loops: index of their LOOP */
	u32 nr_loops;
	const char *failed; /* the first failure: "out of memory", "loops nest too deep" */
};

/* Never fails: what failed is told by wk_build_finish(). */
void wk_build_init(struct wk_build *b, const char *bench, const char *load_name, u64 load);

/* A task without program; @proto may be NULL: nice 0, every CPU, process 0, no parent. */
u32 wk_build_task(struct wk_build *b, const struct wk_wtask *proto);
void wk_build_name(struct wk_build *b, u32 task, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The operations that follow belong to @task, until the next program begins. */
void wk_build_program(struct wk_build *b, u32 task);
/* @task runs the program of the earlier task @like. */
void wk_build_share(struct wk_build *b, u32 task, u32 like);
void wk_build_op(struct wk_build *b, enum wk_op_code code, u32 a, u32 operand_b, u64 c);
void wk_build_loop(struct wk_build *b, u64 count); /* 0: for ever */
void wk_build_end(struct wk_build *b);
/* FORK, and @child's parent is the task of this program. */
void wk_build_fork(struct wk_build *b, u32 child);

u32 wk_build_obj(struct wk_build *b, enum wk_obj_kind kind, u32 count, u64 bytes);
u32 wk_build_metric(struct wk_build *b, const struct wk_metric *metric);
u32 wk_build_affinity(struct wk_build *b, const struct wk_mask *mask);

/* The workload, checked; or NULL and one line. The builder is empty afterwards. */
struct wk_workload *wk_build_finish(struct wk_build *b, struct wk_err *ret_err);
/* Throws away what was built. */
void wk_build_abort(struct wk_build *b);

/* Can simulated time pass in it? A loop without such an operation would never return. */
bool wk_op_takes_time(const struct wk_op *op);

/* Puts one line into @err, which may be NULL. Returns -EINVAL. */
int wk_build_error(struct wk_err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
