/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Step 6: machines of uneven CPUs. The search leaves the LLC for the lowest
 * domain that spans all capacities, takes the first idle CPU that is big enough,
 * else the biggest idle one, and ends the cascade.
 */
#ifndef WK_CORE_CAPACITY_H
#define WK_CORE_CAPACITY_H

#include "core/ctx.h"

/* Row of the lowest domain of @cid that spans all capacities, or WK_NONE. */
WK_INLINE s32 wk_asym_domain(const struct wk_ctx *c, u32 cid)
{
	const struct wk_cid *w;
	s32 found = WK_NONE;
	u32 i, end;

	if (cid >= WK_MAX_CPUS)
		return WK_NONE;
	w = &wk_at(c->topo->cid, cid);
	end = w->nr_levels < WK_MAX_LEVELS ? w->nr_levels : WK_MAX_LEVELS;
	wk_loop_for(i, 0, end) {
		u32 row = i < WK_MAX_LEVELS ? w->chain[i] : WK_MAX_DOMAINS;

		if (row < WK_MAX_DOMAINS &&
		    (wk_at(c->topo->domain, row).flags & WK_SD_ASYM_CPUCAPACITY_FULL)) {
			found = (s32)row;
			break;
		}
	}
	return found;
}

/* The walk starts at the target, by CPU number: how far is @cid from there? */
WK_INLINE u32 wk_number_distance(const struct wk_ctx *c, u32 cid)
{
	u32 from, cpu;

	if (cid >= WK_MAX_CPUS || c->w->target >= WK_MAX_CPUS)
		return WK_NO_LIMIT;
	from = wk_at(c->topo->cpu_of, c->w->target);
	cpu = wk_at(c->topo->cpu_of, cid);
	return cpu >= from ? cpu - from : cpu + c->topo->max_cpu - from;
}

WK_INLINE bool wk_in_domain(const struct wk_ctx *c, const struct wk_domain *d, u32 cid)
{
	return wk_span_has(c->topo, d->span, d->mask, cid) && wk_topo_online(c->topo, cid) &&
	       wk_may_use(c, cid);
}

/* The order of the walk decides between equals, so the best is found in any order. */
WK_INLINE s32 wk_best_capacity(const struct wk_ctx *c, const struct wk_domain *d)
{
	u32 i, end = d->span.first + d->span.len, best_far = WK_NO_LIMIT, best_cap = 0;
	bool best_fits = false;
	s32 best = WK_NONE;

	wk_loop_for(i, d->span.first, end) {
		u32 far = wk_number_distance(c, i), cap;
		bool fits;

		if (i >= WK_MAX_CPUS || !wk_in_domain(c, d, i) || !wk_is_idle(c, i))
			continue;
		fits = wk_fits(c, i);
		cap = wk_at(c->state->cpu, i).capacity;
		if (fits != best_fits ? best_fits : !fits && cap < best_cap)
			continue;
		if (fits == best_fits && (fits || cap == best_cap) && far >= best_far)
			continue;
		if (!fits && !cap)
			continue;
		best = (s32)i;
		best_far = far;
		best_cap = cap;
		best_fits = fits;
	}
	return best;
}

/* The CPUs that the walk reads: up to the one that fits, or all. */
WK_INLINE void wk_charge_capacity(struct wk_ctx *c, const struct wk_domain *d, s32 best)
{
	u32 i, end = d->span.first + d->span.len, far = WK_NO_LIMIT;

	if (best != WK_NONE && wk_fits(c, (u32)best))
		far = wk_number_distance(c, (u32)best);
	wk_loop_for(i, d->span.first, end) {
		if (wk_in_domain(c, d, i) && wk_number_distance(c, i) <= far)
			wk_probe(c, i);
	}
}

/* select_idle_capacity(), or WK_NONE where there is no such domain. */
WK_INLINE s32 wk_pick_capacity(struct wk_ctx *c)
{
	s32 row, cid;

	if (!c->topo->asym || wk_rules(c->pol) <= 5)
		return WK_NONE;
	row = wk_asym_domain(c, c->w->target);
	if (row < 0 || row >= WK_MAX_DOMAINS)
		return WK_NONE;
	c->pick->flags |= WK_PICK_DOMAIN_SEARCH;
	cid = wk_best_capacity(c, &wk_at(c->topo->domain, row));
	wk_charge_capacity(c, &wk_at(c->topo->domain, row), cid);
	if (cid != WK_NONE) {
		c->pick->why = WK_WHY_ASYM_FIT;
		return cid;
	}
	c->pick->why = WK_WHY_TARGET_BUSY;
	c->pick->flags |= WK_PICK_FAILED;
	return (s32)c->w->target;
}
WK_UNIT(wk_pick_capacity)

#endif
