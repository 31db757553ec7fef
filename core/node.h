/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Step 11: the other LLCs below the parent of the target's LLC (sis_node).
 *
 * The ring of the parent's groups is walked once, beginning at the group of the
 * target. Each other LLC is scanned around its lowest-numbered CPU, with its own
 * hint and its own budget; the first hit wins. The search never leaves a NUMA
 * node, since a parent that is a NUMA level counts as none.
 *
 * How the local LLC is told from the others is what the published versions
 * differ in, and where one of them crashed: a group may name a CPU whose LLC
 * domain is gone, because it is being unplugged.
 */
#ifndef WK_CORE_NODE_H
#define WK_CORE_NODE_H

#include "core/ctx.h"
#include "core/scan.h"

/* The domain whose groups are searched: a row of domain[], or WK_NONE. */
WK_INLINE s32 wk_node_parent(const struct wk_ctx *c, const struct wk_llc *llc)
{
	if (!wk_has(c->pol, WK_FEAT_SIS_NODE))
		return WK_NONE;
	if (wk_has(c->pol, WK_FEAT_NEED_FLAG) &&
	    (llc->domain < 0 || llc->domain >= WK_MAX_DOMAINS ||
	     !(wk_at(c->topo->domain, llc->domain).flags & WK_SD_IDLE_SIBLING)))
		return WK_NONE;
	if (llc->parent < 0 || llc->parent >= WK_MAX_DOMAINS ||
	    (wk_at(c->topo->domain, llc->parent).flags & WK_SD_NUMA))
		return WK_NONE;
	if (c->w->pair)
		return WK_NONE;
	return llc->parent;
}

/* Is @g taken for the target's own LLC, and skipped? */
WK_INLINE bool wk_group_is_local(const struct wk_ctx *c, const struct wk_group *g, s32 local)
{
	if (wk_has(c->pol, WK_FEAT_SKIPLOCAL) &&
	    wk_span_has(c->topo, g->span, g->mask, c->w->target))
		return true;
	/*
	 * Every CPU has its own domain objects: the pointers are equal on the target
	 * itself only.
	 */
	if (wk_has(c->pol, WK_FEAT_PTR))
		return g->first_cid == c->w->target;
	return wk_llc_of(c->topo, g->first_cid) == local;
}

/* What the scan of a single LLC said, said of another one. */
WK_INLINE void wk_why_other(struct wk_ctx *c)
{
	u8 why = c->pick->why;

	c->pick->why = why == WK_WHY_IDLE_CORE || why == WK_WHY_CLUSTER_CORE ? WK_WHY_OTHER_CORE
									     : WK_WHY_OTHER_IDLE;
}

/*
 * Charges the vain scans of the LLCs in rows [ring.row, ring.end), where nothing is idle; the
 * decision is plain. Where that ended: at the end, or at a row that only a scan can tell, with a
 * hint or around the waker. pick->budget is not at stake: it is the target's own LLC that sets it.
 */
WK_INLINE s32 wk_charge_rows(struct wk_ctx *c)
{
	const u64 code = wk_at(c->topo->sil, c->w->waker).code;
	const u32 no_util = wk_has(c->pol, WK_FEAT_SIS_UTIL) ? 0 : WK_NO_LIMIT;
	struct wk_pick *pick = c->pick;
	u32 i, scanned = 0, llcs = pick->nr_llcs, over = 0, end = c->w->ring.end, stop = end;

	wk_loop_for(i, c->w->ring.row, end) {
		const struct wk_llc *llc = &wk_at(c->topo->llc, i);
		const struct wk_llc_state *state = &wk_at(c->state->llc, i);
		u32 n = llc->weight, scan = wk_read_once(state->nr_idle_scan) | no_util;
		u64 x = wk_llc_far(llc, code);

		if (!x || wk_read_once(state->has_idle_core)) {
			stop = i;
			break;
		}
		if (!scan)
			continue;
		if (scan < n) {
			n = scan;
			over = WK_PICK_EXHAUSTED;
		}
		wk_at(pick->probes, c->topo->tier_of_bit[wk_bits64(x)]) += (u16)n;
		scanned += n;
		llcs++;
	}
	pick->scanned += scanned;
	pick->nr_llcs = (u8)(llcs < 255 ? llcs : 255);
	pick->flags |= (u8)over;
	return (s32)stop;
}
WK_UNIT(wk_charge_rows)

/* Where the charge of rows [@row, @end) ended. */
WK_INLINE u32 wk_charge_from(struct wk_ctx *c, u32 row, u32 end)
{
	c->w->ring.row = row;
	c->w->ring.end = end;
	return (u32)wk_call(wk_charge_rows, c);
}

/* One LLC, around its CPU @first: counted if that will do, else scanned. */
WK_INLINE s32 wk_scan_other(struct wk_ctx *c, u32 first, u32 row)
{
	if (c->w->plain && wk_nothing_idle(c, wk_at(c->topo->llc, row).span) &&
	    wk_charge_from(c, row, row + 1) > row)
		return WK_NONE;
	return wk_scan_around(c, first, row);
}

/*
 * The group at ring.at of the ring. ring.limit counts down the LLCs that may be scanned
 * in vain; at 0 the walk ends.
 */
WK_INLINE s32 wk_node_group(struct wk_ctx *c, s32 local)
{
	const struct wk_group *g = &wk_at(c->topo->group, c->w->ring.at);
	s32 other = wk_llc_of(c->topo, g->first_cid), cid;

	if (wk_group_is_local(c, g, local))
		return WK_NONE;
	if (other == WK_NONE) {
		if (wk_has(c->pol, WK_FEAT_NULLCHECK))
			return WK_NONE;
		c->pick->why = WK_WHY_CRASH;
		return (s32)c->w->target;
	}
	cid = wk_scan_other(c, g->first_cid, (u32)other);
	if (cid != WK_NONE)
		wk_why_other(c);
	else
		c->w->ring.limit--;
	return cid;
}

/* One LLC after the other, from the target's own group on: each is scanned. */
WK_INLINE s32 wk_ring_scan(struct wk_ctx *c, const struct wk_domain *d, s32 local)
{
	struct wk_ring *ring = &c->w->ring;
	u32 i, nr = d->groups.len, limit = wk_num(c->pol, WK_FEAT_LIMIT);
	s32 cid = WK_NONE;

	ring->at = d->groups.first + wk_at(c->topo->llc, local).local_group;
	ring->limit = limit ? limit : WK_NO_LIMIT;
	wk_loop_for(i, 0, nr) {
		cid = wk_node_group(c, local);
		if (cid != WK_NONE || !ring->limit)
			break;
		ring->at++;
		if (ring->at >= d->groups.first + nr)
			ring->at = d->groups.first;
	}
	return cid;
}

/*
 * Nothing is idle below the parent: each scan is vain, so that their order does not matter, and
 * most are only counted, by wk_charge_rows(), which holds no call to keep its loop short.
 */
WK_INLINE void wk_node_vain(struct wk_ctx *c, const struct wk_domain *d, u32 local)
{
	u32 i, row = d->llcs.first, end = row + d->llcs.len, nr = d->llcs.len + 1;

	wk_loop_for(i, 0, nr) {
		row = wk_charge_from(c, row, row <= local ? local : end);
		if (row >= end || row >= WK_MAX_LLCS)
			break;
		if (row != local)
			wk_scan_around(c, wk_at(c->topo->llc, row).first_cid, row);
		row++;
	}
}

/* Is wk_node_vain() all there is to do? The published flaws and limits go by the ring's order. */
WK_INLINE bool wk_node_is_vain(const struct wk_ctx *c, const struct wk_domain *d)
{
	const u64 special = 1ULL << WK_FEAT_PTR | 1ULL << WK_FEAT_LIMIT;

	return c->w->plain && !(c->pol->flags & special) && d->llcs.len &&
	       wk_nothing_idle(c, d->span);
}

/* The other LLCs below the parent of the target's. */
WK_LONG_STEP s32 wk_scan_node(struct wk_ctx *c)
{
	const struct wk_domain *d;
	s32 parent, local = wk_llc_of(c->topo, c->w->target);

	if (local == WK_NONE)
		return WK_NONE;
	parent = wk_node_parent(c, &wk_at(c->topo->llc, local));
	if (parent == WK_NONE)
		return WK_NONE;
	d = &wk_at(c->topo->domain, parent);
	if (!wk_node_is_vain(c, d))
		return wk_ring_scan(c, d, local);
	wk_node_vain(c, d, (u32)local);
	return WK_NONE;
}
WK_UNIT(wk_scan_node)

#endif
