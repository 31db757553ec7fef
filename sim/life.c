// SPDX-License-Identifier: GPL-2.0-only
/* Birth, death and change of threads: fork, exec, join, exit, affinity, weight, the mark. */
#include "sim/internal.h"

static void op_fork(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = &s->thread[op->b];

	if (p->state != WK_TS_NEW) {
		wk_fail(s, "%s: forks %s twice, expected once", c->curr->spec->name, p->spec->name);
		wk_op_next(s, c);
		return;
	}
	p->parent = c->curr;
	wk_new_task(s, c, p, wk_op_syscall_done);
}

static void op_join(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	if (p->ended >= op->b) {
		p->ended -= op->b;
		p->joining = 0;
		wk_op_syscall_done(s, c);
		return;
	}
	p->joining = op->b;
	wk_block(s, c, 1);
}

/* sched_exec(): the best CPU for a task that has no memory yet; the rest is loading. */
static void op_exec(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	if (!c->curr->step) {
		c->curr->step = 1;
		wk_exec_move(s, c);
		return;
	}
	c->curr->in_kernel = WK_KERNEL;
	wk_seg_open(s, c, op->c, wk_op_syscall_done);
}

static void op_affinity(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	if (!p->step) {
		wk_set_affinity(s, p, (s32)op->b);
		if (!wk_mask_allows(p->allowed, c->cid)) {
			p->step = 1;
			wk_exec_move(s, c); /* the stopper takes it to a CPU it may use */
			return;
		}
	}
	wk_op_syscall_done(s, c);
}

void wk_op_life(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	switch (op->code) {
	case WK_OP_FORK:
		op_fork(s, c, op);
		break;
	case WK_OP_JOIN:
		op_join(s, c, op);
		break;
	case WK_OP_EXEC:
		op_exec(s, c, op);
		break;
	case WK_OP_AFFINITY:
		op_affinity(s, c, op);
		break;
	case WK_OP_WEIGHT:
		wk_fair_reweight(s, c, c->curr, op->b);
		wk_op_syscall_done(s, c);
		break;
	default: /* WK_OP_MARK */
		wk_note_mark(s);
		wk_op_next(s, c);
		break;
	}
}

void wk_exit(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->curr, *parent = p->parent;

	p->state = WK_TS_DEAD;
	s->nr_alive--;
	if (parent) {
		parent->ended++;
		if (parent->joining && parent->ended >= parent->joining)
			wk_wake_add(s, c, parent, false);
	}
	wk_wake_all(s, c, wk_schedule);
}

/* @row of the workload's affinities; WK_NONE for every CPU the machine's configuration leaves. */
void wk_set_affinity(struct wk_sim *s, struct wk_thread *p, s32 row)
{
	p->allowed = row >= 0 ? &s->affinity[row] : s->bound;
	p->nr_allowed = 0;
	if (p->allowed)
		p->nr_allowed =
			wk_mask_count_and(p->allowed, NULL, (struct wk_range){0, s->nr_cpus});
}
