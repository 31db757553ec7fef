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
WK_STEP void wk_record_wakee(struct wk_ctx *c)
{
	struct wk_task *waker = c->req->waker;

	if (!waker)
		return;
	if (c->req->now_ns > waker->flip_decay_ns + WK_SECOND_NS) {
		waker->wakee_flips >>= 1;
		waker->flip_decay_ns = c->req->now_ns;
	}
	if (waker->last_wakee != c->req->wakee->id) {
		waker->last_wakee = c->req->wakee->id;
		waker->wakee_flips++;
	}
}

/*
 * Many-to-many: the smaller count exceeds the LLC, and the larger one is that many
 * times as large.
 */
WK_STEP bool wk_wake_wide(const struct wk_ctx *c)
{
	u32 a = c->req->waker ? c->req->waker->wakee_flips : 0;
	u32 b = c->req->wakee->wakee_flips, factor = 1;
	s32 llc = wk_llc_of(c->topo, c->waker);
	u32 more = a > b ? a : b, less = a > b ? b : a;

	if (llc >= 0 && llc < WK_MAX_LLCS)
		factor = c->topo->llc[llc].weight;
	return less >= factor && (u64)more >= (u64)less * factor;
}

/* Whoever runs there is the only one. 7.x does not count those whose dequeue is delayed. */
WK_INLINE bool wk_runs_alone(const struct wk_ctx *c, u32 cid)
{
	const struct wk_cpu_state *cpu;

	if (cid >= WK_MAX_CPUS)
		return false;
	cpu = &c->state->cpu[cid];
	return cpu->nr_running - (c->rules > 6 ? cpu->nr_delayed : 0) == 1;
}

/* The waker's CPU if it is idle (an interrupt) or about to be; prev if that is; else WK_NONE. */
WK_STEP s32 wk_affine_idle(const struct wk_ctx *c)
{
	u32 prev = (u32)c->prev;

	if (wk_available(c, c->waker) && wk_topo_share_llc(c->topo, c->waker, prev))
		return wk_available(c, prev) ? c->prev : (s32)c->waker;
	if (c->req->sync && wk_runs_alone(c, c->waker))
		return (s32)c->waker;
	/* 5.11 and later */
	if (c->rules > 5 && wk_available(c, prev))
		return c->prev;
	return WK_NONE;
}

/*
 * The waker's CPU if it would be the less loaded one; @imbalance_pct is that of
 * the domain of both.
 */
WK_STEP s32 wk_affine_weight(const struct wk_ctx *c, u32 imbalance_pct)
{
	u32 prev = (u32)c->prev;
	bool bias = wk_has(c->pol, WK_FEAT_WA_BIAS);
	s64 here, there, load = c->req->wakee->load;

	if (prev >= WK_MAX_CPUS || c->waker >= WK_MAX_CPUS)
		return WK_NONE;
	here = c->state->cpu[c->waker].load;
	if (c->req->sync) {
		s64 current = c->req->waker ? c->req->waker->load
					    : c->state->cpu[c->waker].curr_load;

		if (current > here)
			return (s32)c->waker;
		here -= current;
	}
	here = (here + load) * (bias ? 100 : 1) * c->state->cpu[prev].capacity;
	there = ((s64)c->state->cpu[prev].load - load) *
		(bias ? 100 + (imbalance_pct - 100) / 2 : 1) * c->state->cpu[c->waker].capacity;
	/* A tie goes to a waker that is about to sleep. */
	if (c->req->sync)
		there += 1;
	return here < there ? (s32)c->waker : WK_NONE;
}

/*
 * Row of the lowest domain of the waker's CPU that holds prev and allows affine
 * wake-ups, or WK_NONE.
 */
WK_STEP s32 wk_affine_domain(const struct wk_ctx *c)
{
	const struct wk_cid *w;
	s32 found = WK_NONE;
	u32 i, end;

	if (c->waker >= WK_MAX_CPUS)
		return WK_NONE;
	w = &c->topo->cid[c->waker];
	end = w->nr_levels < WK_MAX_LEVELS ? w->nr_levels : WK_MAX_LEVELS;
	wk_loop_for(i, 0, end) {
		u32 row = i < WK_MAX_LEVELS ? w->chain[i] : WK_MAX_DOMAINS;
		const struct wk_domain *d;

		if (row >= WK_MAX_DOMAINS)
			break;
		d = &c->topo->domain[row];
		if ((d->flags & WK_SD_WAKE_AFFINE) &&
		    wk_span_has(c->topo, d->span, d->mask, (u32)c->prev)) {
			found = (s32)row;
			break;
		}
	}
	return found;
}

WK_STEP s32 wk_wake_affine(struct wk_ctx *c)
{
	s32 domain = wk_affine_domain(c), cid = WK_NONE;

	if (domain < 0 || domain >= WK_MAX_DOMAINS)
		return c->prev;
	wk_read_rq(c, (u32)c->prev);
	c->prev_read = true;
	if (wk_has(c->pol, WK_FEAT_WA_IDLE))
		cid = wk_affine_idle(c);
	if (cid == WK_NONE && wk_has(c->pol, WK_FEAT_WA_WEIGHT))
		cid = wk_affine_weight(c, c->topo->domain[domain].imbalance_pct);
	return cid == (s32)c->waker ? cid : c->prev;
}

/* True if the waker's CPU may become the target: neither wide nor forbidden. */
WK_STEP bool wk_want_affine(struct wk_ctx *c)
{
	if (!wk_has(c->pol, WK_FEAT_WAKE_AFFINE))
		return false;
	if (wk_has(c->pol, WK_FEAT_WAKE_WIDE) && wk_wake_wide(c)) {
		c->pick->flags |= WK_PICK_WIDE;
		return false;
	}
	return wk_allows(c->req, c->waker);
}

/* The target of a wake-up. */
WK_STEP void wk_choose_target(struct wk_ctx *c, bool want_affine)
{
	s32 target = c->prev;

	if (want_affine && (s32)c->waker != c->prev)
		target = wk_wake_affine(c);
	if (target != c->prev)
		c->pick->flags |= WK_PICK_AFFINE;
	c->target = (u32)target;
	c->pick->target = target;
}

#endif
