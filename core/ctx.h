/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one decision carries from step to step, and the two questions that every
 * step asks: is that CPU idle, and what did asking cost.
 *
 * Idea: a step takes one pointer. BPF functions have five arguments and 512
 * bytes of stack; the context lives once in wk_pick()'s frame.
 * Every look at a run queue is counted where it happens, by the tier between the
 * waker's CPU and the CPU looked at: the host turns the counts into time.
 */
#ifndef WK_CORE_CTX_H
#define WK_CORE_CTX_H

#include "core/policy.h"
#include "core/record.h"

/* wk_pick.budget where nothing limits the scan. */
#define WK_NO_LIMIT 0xffffffffU

struct wk_ctx {
	const struct wk_topo *topo;
	struct wk_state *state;
	const struct wk_policy *pol;
	const struct wk_request *req;
	struct wk_pick *pick;
	u32 waker;  /* < WK_MAX_CPUS */
	u32 target; /* < WK_MAX_CPUS */
	s32 prev;
	s32 prev_kept; /* idle, but outside the target's cluster: for step 12 */
	s32 recent_kept;
	u32 rules;	    /* 5, 6 or 7 */
	bool sched_idle_ok; /* a CPU that runs SCHED_IDLE tasks only is as good as idle */
	bool plain; /* no feature and no affinity makes a scan more than a count: see core/vain.h */
	bool prev_read; /* wake_affine() read prev's run queue: its line is here already */
};

/* Counts one run queue read. */
WK_INLINE void wk_read_rq(struct wk_ctx *c, u32 cid)
{
	u32 tier = wk_topo_tier(c->topo, c->waker, cid);

	if (tier < WK_TIER_NR)
		c->pick->probes[tier]++;
}

/* The same for a CPU that the search looks at. */
WK_INLINE void wk_probe(struct wk_ctx *c, u32 cid)
{
	c->pick->scanned++;
	wk_read_rq(c, cid);
}

/*
 * The tests of target, prev and recent are one scan together; a line read before
 * is not read again.
 */
WK_INLINE void wk_probe_fast(struct wk_ctx *c, u32 cid)
{
	if (!c->prev_read || (s32)cid != c->prev)
		wk_read_rq(c, cid);
}

/* available_idle_cpu() */
WK_INLINE bool wk_available(const struct wk_ctx *c, u32 cid)
{
	return wk_mask_test(&c->state->idle, cid);
}

/*
 * sched_idle_cpu(), as far as the wakee may use one: never in 5.2, and not for a
 * SCHED_IDLE wakee in 7.x.
 */
WK_INLINE bool wk_sched_idle(const struct wk_ctx *c, u32 cid)
{
	return c->sched_idle_ok && wk_mask_test(&c->state->idle_only, cid);
}

WK_INLINE bool wk_is_idle(const struct wk_ctx *c, u32 cid)
{
	return wk_available(c, cid) || wk_sched_idle(c, cid);
}

/* A task fits where it fills less than four fifths. */
WK_INLINE bool wk_fits(const struct wk_ctx *c, u32 cid)
{
	if (!c->topo->asym)
		return true;
	if (cid >= WK_MAX_CPUS)
		return false;
	return (u64)c->req->wakee->util * 1280 < (u64)c->state->cpu[cid].capacity * 1024;
}

/* Row of topo->llc[] that the scheduler believes @cid to be in, or WK_NONE. */
WK_INLINE s32 wk_llc_of(const struct wk_topo *t, u32 cid)
{
	return cid < WK_MAX_CPUS && t->cid[cid].llc < WK_MAX_LLCS ? t->cid[cid].llc : WK_NONE;
}

WK_INLINE bool wk_is_cid(const struct wk_topo *t, s32 cid)
{
	return cid >= 0 && cid < WK_MAX_CPUS && (u32)cid < t->nr_cids;
}

/* The span of a domain or group: a range, and inside it a mask where the members are no range. */
WK_INLINE bool wk_span_has(const struct wk_topo *t, struct wk_range span, s32 mask, u32 cid)
{
	if (!wk_range_has(span, cid))
		return false;
	return mask < 0 || mask >= WK_MAX_XMASKS || wk_mask_test(&t->xmask[mask], cid);
}

#endif
