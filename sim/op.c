// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interpreting a thread's program: one operation at a time, each a small state
 * machine over wk_thread.step. An operation ends in wk_op_next() (no time
 * passed), wk_op_done() (after some), wk_op_step() (its next step after some) or
 * wk_block() (its next step after a wake-up).
 */
#include "sim/internal.h"

#define ENDLESS 1000000 /* operations without time: a program that cannot end */

void wk_op_next(struct wk_sim *s, struct wk_cpu *c)
{
	c->curr->pc++;
	c->curr->step = 0;
	wk_task_run(s, c);
}

/*
 * The way out varies by a sixteenth either way: branch history, TLB, cache sets.
 * It is what makes two seeds two runs, and keeps senders from marching in step.
 */
void wk_op_done(struct wk_sim *s, struct wk_cpu *c, u64 ns)
{
	c->curr->in_kernel = WK_USER;
	wk_seg_open(s, c, ns - ns / 16 + wk_rng_below(&s->rng, ns / 8 + 1), wk_op_next);
}

void wk_op_step(struct wk_sim *s, struct wk_cpu *c, u32 step, u64 ns, enum wk_kernel where)
{
	c->curr->step = step;
	c->curr->in_kernel = (u8)where;
	wk_seg_open(s, c, ns, wk_task_run);
}

void wk_op_syscall_done(struct wk_sim *s, struct wk_cpu *c)
{
	wk_op_done(s, c, s->cost->syscall_ns);
}

void wk_block(struct wk_sim *s, struct wk_cpu *c, u32 step)
{
	c->curr->step = step;
	c->curr->in_kernel = WK_USER;
	c->curr->sleep++;
	c->curr->state = WK_TS_BLOCKING;
	wk_schedule(s, c);
}

void wk_timer_arm(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, u64 at_ns)
{
	(void)s;
	p->timer.key = at_ns;
	p->timer.aux = 0;
	p->timer.id = p->id;
	p->timer_armed = 1;
	p->timer_cpu = c->cid;
	wk_timeline_insert(&c->timers, &p->timer);
}

/* ns plus or minus @pct percent, uniform. */
static u64 jitter(struct wk_sim *s, u64 ns, u32 pct)
{
	u64 span = ns * pct / 100;

	return span ? ns - span + wk_rng_below(&s->rng, 2 * span + 1) : ns;
}

static void op_sleep(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	if (c->curr->step) {
		wk_op_syscall_done(s, c);
		return;
	}
	wk_timer_arm(s, c, c->curr, s->now + s->cost->timer_ns + jitter(s, op->c, op->a));
	wk_block(s, c, 1);
}

/*
 * rt-app's timer: the next time moves on by a period; late is at once (flag 1: and counts
 * from now).
 */
static void op_timer(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_object *o = &s->obj[op->b];
	struct wk_thread *p = c->curr;

	if (p->step) {
		wk_op_syscall_done(s, c);
		return;
	}
	if (!o->started) {
		o->started = true;
		o->value = s->now;
	}
	o->value += op->c;
	if (o->value <= s->now) {
		if (op->a & 1)
			o->value = s->now;
		wk_op_syscall_done(s, c);
		return;
	}
	wk_timer_arm(s, c, p, o->value);
	wk_block(s, c, 1);
}

static void op_loop(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	c->curr->loops[op->a] = op->c;
	wk_op_next(s, c);
}

static void op_end(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;
	u64 *left = &p->loops[op->a];

	if (*left != 1) {
		*left -= *left != 0;
		p->pc = op->b - p->spec->first_op;
	}
	wk_op_next(s, c);
}

static void op_mem(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_object *o = &s->obj[op->b];
	struct wk_thread *p = c->curr;
	u64 chunk;

	if (!p->step) {
		p->left = op->c;
		if (o->home_node == WK_MUCH)
			o->home_node = s->topo->sil[c->cid].node;
	} else {
		s->llc_streams[p->stream_llc]--;
		s->node_streams[o->home_node]--;
	}
	if (!p->left) {
		wk_op_next(s, c);
		return;
	}
	chunk = p->left < WK_STREAM_CHUNK ? p->left : WK_STREAM_CHUNK;
	p->left -= chunk;
	p->stream_llc = s->topo->sil[c->cid].llc;
	wk_op_step(s, c, 1, wk_stream_ns(s, c, o, chunk), WK_USER);
	s->llc_streams[p->stream_llc]++;
	s->node_streams[o->home_node]++;
}

static void op_count(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	s->slot[op->a] += op->c;
	if (op->a == 0)
		s->count->messages += op->c;
	wk_op_next(s, c);
}

static void op_latency(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	if (op->code == WK_OP_LAT_BEGIN)
		p->lat_begin_ns = s->now;
	else if (s->measuring)
		wk_hist_add(&s->hist[op->a], s->now - p->lat_begin_ns);
	wk_op_next(s, c);
}

static void op_lat_wake(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	if (p->wake_latency_ns && s->measuring)
		wk_hist_add(&s->hist[op->a], p->wake_latency_ns);
	p->wake_latency_ns = 0;
	wk_op_next(s, c);
}

/*
 * By the clock on the wall: what the core's other thread or a preemption takes is not made
 * up for.
 */
static void op_spin(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_thread *p = c->curr;

	if (!p->step)
		p->spin_until_ns = s->now + op->c;
	if (s->now >= p->spin_until_ns) {
		wk_op_next(s, c);
		return;
	}
	wk_op_step(s, c, 1, ((p->spin_until_ns - s->now) << 10) / c->slow_q10 + 1, WK_USER);
}

static void op_yield(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->curr->step) {
		wk_op_next(s, c);
		return;
	}
	c->curr->step = 1;
	wk_fair_yield(s, c);
	wk_schedule(s, c);
}

static void dispatch(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	switch (op->code) {
	case WK_OP_RUN:
		wk_seg_open(s, c, jitter(s, op->c, op->a), wk_op_next);
		break;
	case WK_OP_SYSCALL:
		c->curr->in_kernel = WK_KERNEL;
		wk_seg_open(s, c, op->c + s->cost->syscall_ns, wk_op_next);
		break;
	case WK_OP_SLEEP:
		op_sleep(s, c, op);
		break;
	case WK_OP_TIMER:
		op_timer(s, c, op);
		break;
	case WK_OP_LOOP:
		op_loop(s, c, op);
		break;
	case WK_OP_END:
		op_end(s, c, op);
		break;
	case WK_OP_COUNT:
		op_count(s, c, op);
		break;
	case WK_OP_LAT_BEGIN:
	case WK_OP_LAT_END:
		op_latency(s, c, op);
		break;
	case WK_OP_LAT_WAKE:
		op_lat_wake(s, c, op);
		break;
	case WK_OP_SPIN:
		op_spin(s, c, op);
		break;
	case WK_OP_MEM:
		op_mem(s, c, op);
		break;
	case WK_OP_YIELD:
		op_yield(s, c);
		break;
	case WK_OP_WRITE:
	case WK_OP_READ:
		wk_op_chan(s, c, op);
		break;
	case WK_OP_FORK:
	case WK_OP_EXEC:
	case WK_OP_JOIN:
	case WK_OP_AFFINITY:
	case WK_OP_WEIGHT:
	case WK_OP_MARK:
		wk_op_life(s, c, op);
		break;
	default:
		wk_op_sync(s, c, op);
		break;
	}
}

/*
 * Continue the current thread. Loops and counters take no time, so operations
 * would nest; a nested call only notes that there is more to do.
 */
void wk_task_run(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->interpreting) {
		c->more = 1;
		return;
	}
	c->interpreting = 1;
	s->zero_ops = 0;
	do {
		struct wk_thread *p = c->curr;

		c->more = 0;
		p->in_kernel = WK_USER;
		if (c->need_resched)
			wk_schedule(s, c);
		else if (p->pc >= p->nr_ops)
			wk_exit(s, c);
		else
			dispatch(s, c, &p->program[p->pc]);
		if (++s->zero_ops > ENDLESS) {
			wk_fail(s, "%s: op %u: a loop without time, expected one that takes some",
				p->spec->name, p->pc);
			wk_park(s, c, WK_PH_DOWN);
			break;
		}
	} while (c->more);
	c->interpreting = 0;
}
