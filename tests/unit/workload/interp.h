/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reference interpreter of workloads, as small as it gets: no time, no CPUs, buffers without
 * limit; tasks take turns of one operation. Says whether a workload ends, how much it wrote and
 * read, and what it counted. What the simulator does has to have the same sums.
 */
#ifndef WK_TESTS_UNIT_WORKLOAD_INTERP_H
#define WK_TESTS_UNIT_WORKLOAD_INTERP_H

#include <stdlib.h>
#include <string.h>

#include "workload/workload.h"

struct interp_task {
	bool started, ended, waiting, woken;
	u32 pc, children_ended, joined;
	u64 left[WK_MAX_LOOPS];
};

struct interp_obj {
	u64 value;	   /* bytes, semaphore, waiters */
	u64 written, read; /* bytes */
	bool locked;
};

struct interp {
	const struct wk_workload *w;
	struct interp_task *task;
	struct interp_obj *obj;
	u64 counter[16];
	u64 writes, reads, nr_marks, nr_forks;
	u32 nr_ended;
	bool deadlock; /* nobody could move and somebody has not ended */
};

/* Wakes up to @max tasks that wait at an operation @code on object @obj. */
static inline u64 interp_wake(struct interp *x, u8 code, u32 obj, u64 max)
{
	u64 nr = 0;

	for (u32 i = 0; i < x->w->nr_tasks && nr < max; i++) {
		struct interp_task *t = &x->task[i];
		const struct wk_op *op = &x->w->op[t->pc];

		if (!t->waiting || t->woken || op->code != code || op->b != obj)
			continue;
		t->woken = true;
		nr++;
	}
	return nr;
}

/* Sleep at this operation until interp_wake(): true when that has happened. */
static inline bool interp_sleep(struct interp_task *t)
{
	bool woken = t->woken;

	t->waiting = !woken;
	t->woken = false;
	return woken;
}

static inline bool interp_channel(struct interp *x, const struct wk_op *op)
{
	struct interp_obj *o = &x->obj[op->b];

	if (op->code == WK_OP_WRITE) {
		o->value += op->c;
		o->written += op->c;
		x->writes++;
		return true;
	}
	if (o->value < op->c)
		return false;
	o->value -= op->c;
	o->read += op->c;
	x->reads++;
	return true;
}

static inline bool interp_cond_wait(struct interp *x, struct interp_task *t, const struct wk_op *op)
{
	if (!t->waiting && !t->woken)
		x->obj[op->a].locked = false;
	if (t->woken && x->obj[op->a].locked)
		return false;
	if (!interp_sleep(t))
		return false;
	x->obj[op->a].locked = true;
	return true;
}

static inline bool interp_list(struct interp *x, struct interp_task *t, const struct wk_op *op)
{
	struct interp_obj *o = &x->obj[op->b];

	if (op->code == WK_OP_LIST_WAIT) {
		o->value += !t->waiting;
		return interp_sleep(t);
	}
	if (!o->value)
		return false;
	if (op->code == WK_OP_LIST_SERVE) {
		interp_wake(x, WK_OP_LIST_WAIT, op->b, ~0ULL);
		o->value = 0;
	}
	return true;
}

static inline bool interp_barrier(struct interp *x, struct interp_task *t, const struct wk_op *op)
{
	struct interp_obj *o = &x->obj[op->b];

	if (t->waiting)
		return interp_sleep(t);
	if (++o->value < x->w->obj[op->b].count)
		return interp_sleep(t);
	interp_wake(x, WK_OP_BARRIER, op->b, ~0ULL);
	o->value = 0;
	return true;
}

static inline bool interp_lock(struct interp_obj *o)
{
	bool taken = o->locked;

	o->locked = true;
	return !taken;
}

/* True: the operation is done, go to the next. */
static inline bool interp_op(struct interp *x, struct interp_task *t, const struct wk_op *op)
{
	struct interp_obj *o = &x->obj[op->b < x->w->nr_objs ? op->b : 0];

	switch (op->code) {
	case WK_OP_WRITE:
	case WK_OP_READ:
		return interp_channel(x, op);
	case WK_OP_LOCK:
		return interp_lock(o);
	case WK_OP_UNLOCK:
		o->locked = false;
		return true;
	case WK_OP_BARRIER:
		return interp_barrier(x, t, op);
	case WK_OP_SUSPEND:
		return interp_sleep(t);
	case WK_OP_RESUME:
		interp_wake(x, WK_OP_SUSPEND, op->b, ~0ULL);
		return true;
	case WK_OP_SEM_POST:
		o->value += op->c;
		return true;
	case WK_OP_SEM_WAIT:
		return o->value ? o->value--, true : false;
	case WK_OP_LIST_WAIT:
	case WK_OP_LIST_SERVE:
	case WK_OP_LIST_POLL:
		return interp_list(x, t, op);
	case WK_OP_COND_WAIT:
		return interp_cond_wait(x, t, op);
	case WK_OP_COND_SIGNAL:
	case WK_OP_COND_BROADCAST:
		interp_wake(x, WK_OP_COND_WAIT, op->b, op->code == WK_OP_COND_SIGNAL ? 1 : ~0ULL);
		return true;
	case WK_OP_FORK:
		x->task[op->b].started = true;
		x->nr_forks++;
		return true;
	case WK_OP_JOIN:
		if (t->children_ended - t->joined < op->b)
			return false;
		t->joined += op->b;
		return true;
	case WK_OP_COUNT:
		x->counter[op->a] += op->c;
		return true;
	case WK_OP_MARK:
		x->nr_marks++;
		return true;
	default:
		return true; /* what only takes time */
	}
}

/* One operation of task @i: false if nothing changed. */
static inline bool interp_step(struct interp *x, u32 i)
{
	const struct wk_wtask *wt = &x->w->task[i];
	struct interp_task *t = &x->task[i];
	const struct wk_op *op = &x->w->op[t->pc];
	bool waited = t->waiting;

	if (!t->started || t->ended)
		return false;
	if (op->code == WK_OP_LOOP) {
		t->left[op->a] = op->c;
	} else if (op->code == WK_OP_END) {
		if (x->w->op[op->b].c == 0 || --t->left[op->a])
			t->pc = op->b;
	} else if (!interp_op(x, t, op)) {
		return t->waiting != waited; /* falling asleep is a move too */
	}
	if (++t->pc < wt->first_op + wt->nr_ops)
		return true;
	t->ended = true;
	x->nr_ended++;
	if (wt->parent != WK_NONE)
		x->task[wt->parent].children_ended++;
	return true;
}

/* Runs to the end, or @max_rounds turns of every task. Release with interp_release(). */
static inline void interp_run(struct interp *x, const struct wk_workload *w, u64 max_rounds)
{
	bool moved = true;

	*x = (struct interp){.w = w};
	x->task = calloc(w->nr_tasks, sizeof(*x->task));
	x->obj = calloc(w->nr_objs + 1, sizeof(*x->obj));
	for (u32 i = 0; i < w->nr_objs; i++)
		if (w->obj[i].kind == WK_OBJ_SEM)
			x->obj[i].value = w->obj[i].count;
	for (u32 i = 0; i < w->nr_tasks; i++) {
		x->task[i].pc = w->task[i].first_op;
		x->task[i].started = w->task[i].parent == WK_NONE;
	}
	while (moved && max_rounds--) {
		moved = false;
		for (u32 i = 0; i < w->nr_tasks; i++)
			moved |= interp_step(x, i);
	}
	x->deadlock = !moved && x->nr_ended < w->nr_tasks;
}

static inline void interp_release(struct interp *x)
{
	free(x->task);
	free(x->obj);
}

#endif
