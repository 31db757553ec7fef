// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pipes and sockets, with what decides who is woken when.
 *
 * A pipe is 16 pages under one mutex. A write joins the newest page if it fits
 * there; the reader is woken when the pipe was empty before; a writer is woken
 * when all pages were in use before a read freed one. Waiters are exclusive:
 * one is woken, and it wakes the next if there is still something for it.
 * A unix stream counts buffers against the sender's limit and wakes its reader at
 * every message; writers wait until three quarters are free, and then all of
 * them are woken. Loopback TCP and UDP run the receiver's half in softirq on the
 * sender's CPU.
 */
#include "sim/internal.h"

#define PAGE	     4096
#define SKB_OVERHEAD 768    /* sk_buff, shared info and rounding of a small message */
#define UNIX_SNDBUF  212992 /* net.core.wmem_default */
#define INET_BUFFER  131072

enum { WR_LOCK, WR_HOLD, WR_ACT, WR_WAIT, WR_WOKEN };

static u64 copy_ns(const struct wk_sim *s, u64 bytes)
{
	return bytes * s->cost->copy_ps_per_byte / 1000;
}

static void wake_one_of(struct wk_sim *s, struct wk_cpu *c, struct wk_fifo *waiters)
{
	struct wk_thread *p = wk_fifo_pop(waiters);

	if (p)
		wk_wake_add(s, c, p, true);
}

static void finish(struct wk_sim *s, struct wk_cpu *c)
{
	if (c->out.nr)
		wk_wake_all(s, c, wk_op_syscall_done);
	else
		wk_op_syscall_done(s, c);
}

/* Wakes what is to be woken, then the thread's step. */
static void wakes_then_step(struct wk_sim *s, struct wk_cpu *c, u32 step)
{
	c->curr->step = step;
	wk_wake_all(s, c, wk_task_run);
}

/* The lines of the channel come from who used it last. */
static u64 fetch_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch, u32 lines)
{
	u64 ns = wk_lines_ns(s, c, ch->last, lines);

	ch->last = c->cid;
	return ns;
}

static u32 message_lines(u64 bytes)
{
	return (u32)((bytes + 63) / 64);
}

/* ---- pipe ---- */

static bool pipe_full(const struct wk_chan *ch)
{
	return ch->slots == ch->max_slots;
}

/* As much as fits now; 0 when the pipe is full. */
static u64 pipe_put(struct wk_chan *ch, u64 bytes)
{
	u32 tail = (ch->head + ch->slots - 1) % WK_PIPE_SLOTS;
	u64 put = bytes < PAGE ? bytes : PAGE;

	if (ch->slots && ch->fill[tail] + put <= PAGE) {
		ch->fill[tail] = (u16)(ch->fill[tail] + put);
	} else if (!pipe_full(ch)) {
		tail = (ch->head + ch->slots++) % WK_PIPE_SLOTS;
		ch->fill[tail] = (u16)put;
		ch->taken[tail] = 0;
	} else {
		return 0;
	}
	ch->bytes += put;
	return put;
}

static u64 pipe_take(struct wk_chan *ch, u64 bytes)
{
	u64 got = 0;

	while (got < bytes && ch->slots) {
		u32 h = ch->head;
		u64 here = (u64)(ch->fill[h] - ch->taken[h]);
		u64 n = bytes - got < here ? bytes - got : here;

		ch->taken[h] = (u16)(ch->taken[h] + n);
		got += n;
		if (n < here)
			break;
		ch->head = (h + 1) % WK_PIPE_SLOTS;
		ch->slots--;
	}
	ch->bytes -= got;
	return got;
}

static void pipe_hold(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch, u64 bytes)
{
	u64 ns = s->cost->mutex_ns + s->cost->pipe_copy_ns + copy_ns(s, bytes) +
		 fetch_ns(s, c, ch, s->cost->pipe_lines + message_lines(bytes));

	wk_op_step(s, c, WR_ACT, ns, WK_KERNEL_ASKS);
}

static void pipe_write_act(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch)
{
	struct wk_thread *p = c->curr;
	bool was_empty = !ch->slots, more;
	u64 put;

	while (p->left && (put = pipe_put(ch, p->left)))
		p->left -= put;
	more = p->got && !pipe_full(ch); /* one writer was woken: the next may go too */
	wk_mutex_unlock(s, c, &ch->mutex);
	if (was_empty && ch->slots)
		wake_one_of(s, c, &ch->readers);
	if (p->left) {
		wakes_then_step(s, c, WR_WAIT);
		return;
	}
	if (more)
		wake_one_of(s, c, &ch->writers);
	finish(s, c);
}

static void pipe_read_act(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch)
{
	struct wk_thread *p = c->curr;
	bool was_full = pipe_full(ch);

	p->left -= pipe_take(ch, p->left);
	wk_mutex_unlock(s, c, &ch->mutex);
	if (was_full && !pipe_full(ch))
		wake_one_of(s, c, &ch->writers);
	if (p->left) {
		wakes_then_step(s, c, WR_WAIT);
		return;
	}
	if (p->got && ch->slots)
		wake_one_of(s, c, &ch->readers);
	finish(s, c);
}

/* wait_event_interruptible_exclusive(): look once more, then sleep. */
static void pipe_wait(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch, bool writes)
{
	struct wk_thread *p = c->curr;

	if (writes ? !pipe_full(ch) : ch->slots != 0) {
		p->step = WR_LOCK;
		wk_task_run(s, c);
		return;
	}
	wk_fifo_push(writes ? &ch->writers : &ch->readers, p);
	wk_block(s, c, WR_WOKEN);
}

static void pipe_op(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch, bool writes)
{
	struct wk_thread *p = c->curr;

	switch (p->step) {
	case WR_LOCK:
	case WR_HOLD:
		p->step = WR_HOLD;
		if (wk_mutex_lock(s, c, &ch->mutex))
			pipe_hold(s, c, ch, p->left);
		break;
	case WR_ACT:
		if (writes)
			pipe_write_act(s, c, ch);
		else
			pipe_read_act(s, c, ch);
		break;
	case WR_WAIT:
		pipe_wait(s, c, ch, writes);
		break;
	default: /* WR_WOKEN */
		p->got = 1;
		p->step = WR_LOCK;
		wk_task_run(s, c);
		break;
	}
}

/* ---- unix stream sockets ---- */

static u64 unix_used(const struct wk_chan *ch)
{
	return ch->slots * (SKB_OVERHEAD + ch->message);
}

static bool unix_room(const struct wk_chan *ch, u64 bytes)
{
	return !ch->slots || unix_used(ch) + SKB_OVERHEAD + bytes <= ch->limit;
}

/* The receive queue's spin lock: time passes in order, so "free at" is a queue. */
static u64 queue_lock_ns(struct wk_sim *s, struct wk_chan *ch, u64 hold)
{
	u64 wait = ch->free_ns > s->now ? ch->free_ns - s->now : 0;

	ch->free_ns = s->now + wait + hold;
	return wait;
}

static void unix_write(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch)
{
	struct wk_thread *p = c->curr;
	u64 lines;

	if (p->step == WR_ACT) {
		ch->message = p->left;
		ch->slots++;
		ch->bytes += p->left;
		p->left = 0;
		wake_one_of(s, c, &ch->readers);
		finish(s, c);
		return;
	}
	if (!unix_room(ch, p->left)) {
		wk_fifo_push(&ch->writers, p);
		wk_block(s, c, WR_WOKEN);
		return;
	}
	lines = fetch_ns(s, c, ch, s->cost->unix_lines);
	wk_op_step(s, c, WR_ACT,
		   s->cost->unix_ns + copy_ns(s, p->left) + lines + queue_lock_ns(s, ch, lines),
		   WK_KERNEL);
}

static void unix_take(struct wk_chan *ch, struct wk_thread *p)
{
	u64 n = p->left < ch->bytes ? p->left : ch->bytes;

	ch->bytes -= n;
	p->left -= n;
	ch->slots = ch->message ? (u32)((ch->bytes + ch->message - 1) / ch->message) : 0;
}

static void unix_read(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch)
{
	struct wk_thread *p = c->curr;

	if (p->step == WR_ACT) {
		unix_take(ch, p);
		if (unix_used(ch) * 4 <= ch->limit)
			while (ch->writers.head)
				wake_one_of(s, c, &ch->writers);
		if (p->left)
			wakes_then_step(s, c, WR_LOCK);
		else
			finish(s, c);
		return;
	}
	if (!ch->bytes) {
		wk_fifo_push(&ch->readers, p);
		wk_block(s, c, WR_WOKEN);
		return;
	}
	wk_op_step(s, c, WR_ACT,
		   s->cost->unix_ns + copy_ns(s, p->left) +
			   fetch_ns(s, c, ch, s->cost->unix_lines + message_lines(p->left)),
		   WK_KERNEL);
}

/* ---- loopback TCP and UDP ---- */

static void inet_op(struct wk_sim *s, struct wk_cpu *c, struct wk_chan *ch, bool writes)
{
	struct wk_thread *p = c->curr;
	bool tcp = ch->kind == WK_OBJ_TCP;
	u64 ns = tcp ? s->cost->tcp_ns : s->cost->udp_ns, n;
	u32 lines = tcp ? s->cost->tcp_lines : s->cost->udp_lines;

	if (p->step == WR_ACT) {
		n = writes ? ch->limit - ch->bytes : ch->bytes;
		n = n < p->left ? n : p->left;
		ch->bytes = writes ? ch->bytes + n : ch->bytes - n;
		p->left -= n;
		if (n)
			wake_one_of(s, c, writes ? &ch->readers : &ch->writers);
		if (p->left)
			wakes_then_step(s, c, WR_LOCK);
		else
			finish(s, c);
		return;
	}
	if (writes ? ch->bytes >= ch->limit : !ch->bytes) {
		wk_fifo_push(writes ? &ch->writers : &ch->readers, p);
		wk_block(s, c, WR_WOKEN);
		return;
	}
	if (writes)
		ns += s->cost->softirq_ns;
	ns += copy_ns(s, p->left) + fetch_ns(s, c, ch, lines);
	wk_op_step(s, c, WR_ACT, ns, WK_KERNEL);
}

void wk_chan_init(struct wk_chan *ch, const struct wk_obj *obj)
{
	u64 pages = (obj->bytes + PAGE - 1) / PAGE;

	ch->kind = obj->kind;
	ch->max_slots = !pages || pages > WK_PIPE_SLOTS ? WK_PIPE_SLOTS : (u32)pages;
	ch->limit = obj->bytes ? obj->bytes : obj->kind == WK_OBJ_UNIX ? UNIX_SNDBUF : INET_BUFFER;
}

void wk_op_chan(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op)
{
	struct wk_chan *ch = &s->obj[op->b].chan;
	bool writes = op->code == WK_OP_WRITE;

	if (!c->curr->step && !c->curr->left) {
		c->curr->left = op->c;
		c->curr->got = 0;
	}
	if (ch->kind == WK_OBJ_PIPE)
		pipe_op(s, c, ch, writes);
	else if (ch->kind != WK_OBJ_UNIX)
		inet_op(s, c, ch, writes);
	else if (writes)
		unix_write(s, c, ch);
	else
		unix_read(s, c, ch);
}
