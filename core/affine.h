/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Before the search: which CPU is it to be near? prev, or the waker's own.
 *
 * wake_wide() sees from the switches of wakee that a waker serves many, and
 * keeps the wakee at prev. Otherwise wake_affine() compares the two CPUs, by
 * idleness first and by load then. Either way the answer is only the *target*
 * around which idle CPUs are searched.
 */
#ifndef WK_CORE_AFFINE_H
#define WK_CORE_AFFINE_H

#include "core/ctx.h"

#define WK_SECOND_NS 1000000000ULL

/* The waker remembers its last wakee and counts how often that changes; halved once a second. */
WK_INLINE void wk_record_wakee(struct wk_ctx *c)
{
	struct wk_task *waker = c->req->waker;

	if (c->req->now_ns > waker->flip_decay_ns + WK_SECOND_NS) {
		waker->wakee_flips >>= 1;
		waker->flip_decay_ns = c->req->now_ns;
	}
	if (waker->last_wakee != c->req->wakee->id) {
		waker->last_wakee = c->req->wakee->id;
		waker->wakee_flips++;
	}
}

/* Both only ever woke each other. */
WK_INLINE bool wk_is_pair(const struct wk_ctx *c)
{
	const struct wk_task *waker = c->req->waker, *wakee = c->req->wakee;

	return wk_has(c->pol, WK_FEAT_PAIR) && waker->last_wakee == wakee->id &&
	       wakee->last_wakee == waker->id && !waker->wakee_flips && !wakee->wakee_flips;
}

/*
 * Many-to-many: the smaller count exceeds the LLC, and the larger one is that many
 * times as large.
 */
WK_INLINE bool wk_wake_wide(const struct wk_ctx *c)
{
	u32 a = c->req->waker->wakee_flips;
	u32 b = c->req->wakee->wakee_flips, factor = 1;
	s32 llc = wk_llc_of(c->topo, c->w->waker);
	u32 more = a > b ? a : b, less = a > b ? b : a;

	if (llc >= 0 && llc < WK_MAX_LLCS)
		factor = wk_at(c->topo->llc, llc).weight;
	return less >= factor && (u64)more >= (u64)less * factor;
}

/* Whoever runs there is the only one. 7.x does not count those whose dequeue is delayed. */
WK_INLINE bool wk_runs_alone(const struct wk_ctx *c, u32 cid)
{
	const struct wk_cpu_state *cpu = &wk_at(c->state->cpu, cid);

	return cpu->nr_running - (wk_rules(c->pol) > 6 ? cpu->nr_delayed : 0) == 1;
}

/* The waker's CPU if it is idle (an interrupt) or about to be; prev if that is; else WK_NONE. */
WK_INLINE s32 wk_affine_idle(const struct wk_ctx *c)
{
	u32 prev = (u32)c->w->prev;

	if (wk_available(c, c->w->waker) && wk_topo_share_llc(c->topo, c->w->waker, prev))
		return wk_available(c, prev) ? c->w->prev : (s32)c->w->waker;
	if (c->req->sync && wk_runs_alone(c, c->w->waker))
		return (s32)c->w->waker;
	/* 5.11 and later */
	if (wk_rules(c->pol) > 5 && wk_available(c, prev))
		return c->w->prev;
	return WK_NONE;
}

/*
 * The waker's CPU if it would be the less loaded one; @imbalance_pct is that of
 * the domain of both.
 */
WK_INLINE s32 wk_affine_weight(const struct wk_ctx *c, u32 imbalance_pct)
{
	u32 prev = (u32)c->w->prev;
	bool bias = wk_has(c->pol, WK_FEAT_WA_BIAS);
	s64 here, there, load = c->req->wakee->load;

	if (prev >= WK_MAX_CPUS || c->w->waker >= WK_MAX_CPUS)
		return WK_NONE;
	here = wk_at(c->state->cpu, c->w->waker).load;
	if (c->req->sync) {
		s64 current = c->req->waker->load;

		if (current > here)
			return (s32)c->w->waker;
		here -= current;
	}
	here = (here + load) * (bias ? 100 : 1) * wk_at(c->state->cpu, prev).capacity;
	there = ((s64)wk_at(c->state->cpu, prev).load - load) *
		(bias ? 100 + (imbalance_pct - 100) / 2 : 1) *
		wk_at(c->state->cpu, c->w->waker).capacity;
	/* A tie goes to a waker that is about to sleep. */
	if (c->req->sync)
		there += 1;
	return here < there ? (s32)c->w->waker : WK_NONE;
}

/*
 * Row of the lowest domain of the waker's CPU that holds prev and allows affine
 * wake-ups, or WK_NONE.
 */
WK_INLINE s32 wk_affine_domain(const struct wk_ctx *c)
{
	const struct wk_cid *w;
	s32 found = WK_NONE;
	u32 i, end;

	if (c->w->waker >= WK_MAX_CPUS)
		return WK_NONE;
	w = &wk_at(c->topo->cid, c->w->waker);
	end = w->nr_levels < WK_MAX_LEVELS ? w->nr_levels : WK_MAX_LEVELS;
	wk_loop_for(i, 0, end) {
		u32 row = i < WK_MAX_LEVELS ? w->chain[i] : WK_MAX_DOMAINS;
		const struct wk_domain *d;

		if (row >= WK_MAX_DOMAINS)
			break;
		d = &wk_at(c->topo->domain, row);
		if ((d->flags & WK_SD_WAKE_AFFINE) &&
		    wk_span_has(c->topo, d->span, d->mask, (u32)c->w->prev)) {
			found = (s32)row;
			break;
		}
	}
	return found;
}

WK_INLINE s32 wk_wake_affine(struct wk_ctx *c)
{
	s32 domain = wk_affine_domain(c), cid = WK_NONE;

	if (domain < 0 || domain >= WK_MAX_DOMAINS)
		return c->w->prev;
	wk_read_rq(c, (u32)c->w->prev);
	c->w->prev_read = true;
	if (wk_has(c->pol, WK_FEAT_WA_IDLE))
		cid = wk_affine_idle(c);
	if (cid == WK_NONE && wk_has(c->pol, WK_FEAT_WA_WEIGHT))
		cid = wk_affine_weight(c, wk_at(c->topo->domain, domain).imbalance_pct);
	return cid == (s32)c->w->waker ? cid : c->w->prev;
}

/* True if the waker's CPU may become the target: neither wide nor forbidden. */
WK_INLINE bool wk_want_affine(struct wk_ctx *c)
{
	if (!wk_has(c->pol, WK_FEAT_WAKE_AFFINE))
		return false;
	if (wk_has(c->pol, WK_FEAT_WAKE_WIDE) && wk_wake_wide(c)) {
		c->pick->flags |= WK_PICK_WIDE;
		return false;
	}
	return wk_may_use(c, c->w->waker);
}

/* The target of a wake-up. */
WK_INLINE void wk_choose_target(struct wk_ctx *c)
{
	s32 target = c->w->prev;

	if (c->w->want_affine && (s32)c->w->waker != c->w->prev)
		target = wk_wake_affine(c);
	if (target != c->w->prev)
		c->pick->flags |= WK_PICK_AFFINE;
	c->w->target = (u32)target;
	c->pick->target = target;
}

#endif
