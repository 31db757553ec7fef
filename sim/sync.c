// SPDX-License-Identifier: GPL-2.0-only
/*
 * Futexes and what programs build of them: mutex, condition, barrier, event, semaphore, wake
 * list.
 */
#include "sim/internal.h"

static void wait_on(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, u32 step)
{
	wk_fifo_push(&o->wait, c->curr);
	wk_block(s, c, step);
}

static void woken(struct wk_sim *s, struct wk_cpu *c)
{
	wk_op_done(s, c, s->cost->futex_ns / 2);
}

static void wakes_done(struct wk_sim *s, struct wk_cpu *c)
{
	wk_op_done(s, c, s->cost->futex_ns);
}

static void wake_some(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, u64 count)
{
	struct wk_thread *p;

	while (count-- && (p = wk_fifo_pop(&o->wait)))
		wk_wake_add(s, c, p, false);
}

/* pthread mutex: no spinning; unlock wakes one, who tries again. */
static void op_lock(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	if (!o->value) {
		o->value = 1;
		wk_op_done(s, c, s->cost->mutex_ns + wk_lines_ns(s, c, o->chan.last, 1));
		o->chan.last = c->cid;
		return;
	}
	s->count->mutex_contended++;
	s->count->mutex_sleeps++;
	wait_on(s, c, o, 0);
}

static void op_unlock(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	o->value = 0;
	if (!o->wait.head) {
		wk_op_done(s, c, s->cost->mutex_ns);
		return;
	}
	wake_some(s, c, o, 1);
	wk_wake_all(s, c, wakes_done);
}

static void op_barrier(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	if (c->curr->step) {
		woken(s, c);
		return;
	}
	if (++o->value < o->obj->count) {
		wait_on(s, c, o, 1);
		return;
	}
	o->value = 0;
	wake_some(s, c, o, WK_MUCH);
	wk_wake_all(s, c, wakes_done);
}

static void op_suspend(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	if (c->curr->step)
		woken(s, c);
	else
		wait_on(s, c, o, 1);
}

static void op_sem(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, const struct wk_op *op)
{
	if (op->code == WK_OP_SEM_POST) {
		o->value += op->c;
		wake_some(s, c, o, op->c);
		wk_wake_all(s, c, wakes_done);
	} else if (o->value) {
		o->value--;
		wk_op_done(s, c, s->cost->mutex_ns);
	} else {
		wait_on(s, c, o, 0);
	}
}

/* The second step of a wait: whoever was to end it may have been quicker than our sleep. */
static void sleep_unless(struct wk_sim *s, struct wk_cpu *c, bool over)
{
	if (!over) {
		wk_block(s, c, 2);
		return;
	}
	c->curr->step = 2;
	wk_task_run(s, c);
}

/* Joins the list, tells the server, sleeps; step 2 is being served. */
static void op_list_wait(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o,
			 const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	switch (p->step) {
	case 0:
		p->served_ns = 0;
		wk_fifo_push(&o->wait, p);
		if (o->server) {
			wk_wake_add(s, c, o->server, false);
			o->server = NULL;
		}
		p->step = 1;
		wk_wake_all(s, c, wk_task_run);
		break;
	case 1:
		sleep_unless(s, c, p->served_ns != 0);
		break;
	default:
		if (op->a != WK_NO_METRIC && s->measuring)
			wk_hist_add(&s->hist[op->a], s->now - p->served_ns);
		woken(s, c);
	}
}

/* The server waits for company; whom it wakes, and when, is up to a later LIST_SERVE. */
static void op_list_poll(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	if (o->wait.head) {
		woken(s, c);
		return;
	}
	o->server = c->curr;
	wk_block(s, c, 0);
}

/*
 * The program's own lock of a CPU. Whoever holds it may be waiting behind the
 * spinner for that very CPU: then only the end of a slice helps.
 */
static void op_cpu_lock(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->program_lock && c->program_lock != c->curr) {
		wk_op_step(s, c, 0, WK_PROGRAM_SPIN_NS, WK_USER);
		return;
	}
	c->program_lock = c->curr;
	c->curr->program_cpu = c;
	wk_op_done(s, c, s->cost->mutex_ns);
}

static void op_cpu_unlock(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_cpu *locked = c->curr->program_cpu;

	if (locked && locked->program_lock == c->curr)
		locked->program_lock = NULL;
	wk_op_done(s, c, s->cost->mutex_ns);
}

static void op_list_serve(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o)
{
	struct wk_thread *p;

	if (!o->wait.head) {
		o->server = c->curr;
		wk_block(s, c, 0);
		return;
	}
	while ((p = wk_fifo_pop(&o->wait))) {
		p->served_ns = s->now;
		wk_wake_add(s, c, p, false);
	}
	wk_wake_all(s, c, wakes_done);
}

static void unlock_mutex(struct wk_sim *s, struct wk_cpu *c, struct wk_object *m)
{
	m->value = 0;
	wake_some(s, c, m, 1);
}

/* Steps: 0 release the mutex and join, 1 sleep, 2 take it again. */
static void op_cond_wait(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o,
			 const struct wk_op *op)
{
	struct wk_object *m = &s->obj[op->a];
	struct wk_thread *p = c->curr;

	switch (p->step) {
	case 0:
		wk_fifo_push(&o->wait, p);
		p->got = 0;
		p->step = 1;
		unlock_mutex(s, c, m);
		wk_wake_all(s, c, wk_task_run);
		break;
	case 1:
		sleep_unless(s, c, p->got);
		break;
	default:
		if (m->value) {
			wait_on(s, c, m, 2);
		} else {
			m->value = 1;
			woken(s, c);
		}
	}
}

static void op_cond_wake(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, bool all)
{
	struct wk_thread *p;

	while ((p = wk_fifo_pop(&o->wait))) {
		p->got = 1;
		wk_wake_add(s, c, p, false);
		if (!all)
			break;
	}
	wk_wake_all(s, c, wakes_done);
}

void wk_op_sync(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_object *o = &s->obj[op->b];

	switch (op->code) {
	case WK_OP_LOCK:
		op_lock(s, c, o);
		break;
	case WK_OP_UNLOCK:
		op_unlock(s, c, o);
		break;
	case WK_OP_BARRIER:
		op_barrier(s, c, o);
		break;
	case WK_OP_SUSPEND:
		op_suspend(s, c, o);
		break;
	case WK_OP_RESUME:
		wake_some(s, c, o, WK_MUCH);
		wk_wake_all(s, c, wakes_done);
		break;
	case WK_OP_SEM_WAIT:
	case WK_OP_SEM_POST:
		op_sem(s, c, o, op);
		break;
	case WK_OP_LIST_WAIT:
		op_list_wait(s, c, o, op);
		break;
	case WK_OP_LIST_POLL:
		op_list_poll(s, c, o);
		break;
	case WK_OP_CPU_LOCK:
		op_cpu_lock(s, c);
		break;
	case WK_OP_CPU_UNLOCK:
		op_cpu_unlock(s, c);
		break;
	case WK_OP_LIST_SERVE:
		op_list_serve(s, c, o);
		break;
	case WK_OP_COND_WAIT:
		op_cond_wait(s, c, o, op);
		break;
	default:
		op_cond_wake(s, c, o, op->code == WK_OP_COND_BROADCAST);
		break;
	}
}
