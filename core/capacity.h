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

/* Is @cid better than best? The order of the walk decides between equals: any order will do. */
WK_INLINE bool wk_is_better(const struct wk_ctx *c, u32 cid, bool fits, u32 far)
{
	const struct wk_best *best = &c->w->best;
	u32 capacity = wk_at(c->state->cpu, cid).capacity;

	if (fits != best->fits)
		return fits;
	if (!fits && (capacity < best->capacity || !capacity))
		return false;
	return far < best->far || (!fits && capacity != best->capacity);
}

/* Searches best.domain for the nearest CPU that fits, else the biggest. */
WK_INLINE s32 wk_best_capacity(struct wk_ctx *c)
{
	struct wk_best *best = &c->w->best;
	const struct wk_domain *d = &wk_at(c->topo->domain, best->domain);
	u32 i, end = d->span.first + d->span.len;

	best->cid = WK_NONE;
	best->far = WK_NO_LIMIT;
	best->capacity = 0;
	best->fits = false;
	wk_loop_for(i, d->span.first, end) {
		u32 far = wk_number_distance(c, i);
		bool fits = wk_fits(c, i);

		if (!wk_in_domain(c, d, i) || !wk_is_idle(c, i) || !wk_is_better(c, i, fits, far))
			continue;
		best->cid = (s32)i;
		best->far = far;
		best->capacity = wk_at(c->state->cpu, i).capacity;
		best->fits = fits;
	}
	return best->cid;
}
WK_UNIT(wk_best_capacity)

/* The CPUs that the walk of best.domain reads: up to the one that fits, or all. */
WK_INLINE s32 wk_charge_capacity(struct wk_ctx *c)
{
	const struct wk_best *best = &c->w->best;
	const struct wk_domain *d = &wk_at(c->topo->domain, best->domain);
	u32 i, end = d->span.first + d->span.len, far = best->fits ? best->far : WK_NO_LIMIT;

	wk_loop_for(i, d->span.first, end) {
		if (wk_in_domain(c, d, i) && wk_number_distance(c, i) <= far)
			wk_probe(c, i);
	}
	return 0;
}
WK_UNIT(wk_charge_capacity)

/* select_idle_capacity(), or WK_NONE where there is no such domain. */
WK_INLINE s32 wk_pick_capacity(struct wk_ctx *c)
{
	s32 row, cid;

	if (!c->topo->asym || wk_rules(c->pol) <= 5)
		return WK_NONE;
	row = wk_asym_domain(c, c->w->target);
	if (row == WK_NONE)
		return WK_NONE;
	c->pick->flags |= WK_PICK_DOMAIN_SEARCH;
	c->w->best.domain = (u32)row;
	cid = wk_call(wk_best_capacity, c);
	wk_call(wk_charge_capacity, c);
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
