// SPDX-License-Identifier: GPL-2.0-only
/*
 * The run-queue lock: waiters queue in order of arrival, and the line moves from
 * holder to holder at the price of the tier between them. A "free from time T"
 * would let a later holder book before a present one; so the queue is real.
 */
#include "sim/internal.h"

static void lock_taken(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq)
{
	rq->lock.holder = c;
	rq->lock.since_ns = s->now;
	s->count->lock_acquired++;
}

static void lock_handed(struct wk_sim *s, struct wk_cpu *c)
{
	u64 waited = s->now - c->lock_wait_since;

	s->count->lock_wait_ns += waited;
	c->lock_then(s, c);
}

/* The line's way to @c: part of the hold when the lock was free. */
u64 wk_rq_line_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq)
{
	u64 ns = rq->lock.last == c->cid ? 0 : s->cost->tier_ns[wk_tier(s, c->cid, rq->lock.last)];

	rq->lock.last = c->cid;
	return ns;
}

void wk_rq_lock(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq, wk_then then)
{
	if (!rq->lock.holder) {
		lock_taken(s, c, rq);
		then(s, c);
		return;
	}
	s->count->lock_contended++;
	c->lock_next = NULL;
	c->lock_then = then;
	c->lock_wait_since = s->now;
	if (rq->lock.tail)
		rq->lock.tail->lock_next = c;
	else
		rq->lock.head = c;
	rq->lock.tail = c;
	wk_park(s, c, WK_PH_LOCK);
}

void wk_rq_unlock(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_cpu *next = rq->lock.head;

	s->count->lock_hold_ns += s->now - rq->lock.since_ns;
	rq->lock.holder = NULL;
	if (!next)
		return;
	rq->lock.head = next->lock_next;
	if (!rq->lock.head)
		rq->lock.tail = NULL;
	lock_taken(s, next, rq);
	wk_seg(s, next, wk_rq_line_ns(s, next, rq), lock_handed);
}
