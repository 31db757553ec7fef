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

/* Both only ever woke each other. */
WK_STEP bool wk_is_pair(const struct wk_ctx *c)
{
	const struct wk_task *waker = c->req->waker, *wakee = c->req->wakee;

	return waker && waker->last_wakee == wakee->id && wakee->last_wakee == waker->id &&
	       !waker->wakee_flips && !wakee->wakee_flips;
}

/* The domain whose groups are searched: a row of domain[], or WK_NONE. */
WK_STEP s32 wk_node_parent(const struct wk_ctx *c, const struct wk_llc *llc)
{
	if (!wk_has(c->pol, WK_FEAT_SIS_NODE))
		return WK_NONE;
	if (wk_has(c->pol, WK_FEAT_NEED_FLAG) &&
	    (llc->domain < 0 || llc->domain >= WK_MAX_DOMAINS ||
	     !(c->topo->domain[llc->domain].flags & WK_SD_IDLE_SIBLING)))
		return WK_NONE;
	if (llc->parent < 0 || llc->parent >= WK_MAX_DOMAINS ||
	    (c->topo->domain[llc->parent].flags & WK_SD_NUMA))
		return WK_NONE;
	if (wk_has(c->pol, WK_FEAT_PAIR) && wk_is_pair(c))
		return WK_NONE;
	return llc->parent;
}

/* Is @g taken for the target's own LLC, and skipped? */
WK_STEP bool wk_group_is_local(const struct wk_ctx *c, const struct wk_group *g, s32 local)
{
	if (wk_has(c->pol, WK_FEAT_SKIPLOCAL) && wk_span_has(c->topo, g->span, g->mask, c->target))
		return true;
	/* Every CPU has its own domain objects: the pointers are equal on the target itself only. */
	if (wk_has(c->pol, WK_FEAT_PTR))
		return g->first_cid == c->target;
	return wk_llc_of(c->topo, g->first_cid) == local;
}

/* What the scan of a single LLC said, said of another one. */
WK_INLINE void wk_why_other(struct wk_ctx *c)
{
	u8 why = c->pick->why;

	c->pick->why = why == WK_WHY_IDLE_CORE || why == WK_WHY_CLUSTER_CORE ? WK_WHY_OTHER_CORE
									     : WK_WHY_OTHER_IDLE;
}

/* One group of the ring. *@limit counts down the LLCs that may be scanned in vain; at 0 the walk ends. */
WK_STEP s32 wk_node_group(struct wk_ctx *c, const struct wk_group *g, s32 local, u32 *limit)
{
	s32 other = wk_llc_of(c->topo, g->first_cid), cid;

	if (wk_group_is_local(c, g, local))
		return WK_NONE;
	if (other == WK_NONE) {
		if (wk_has(c->pol, WK_FEAT_NULLCHECK))
			return WK_NONE;
		c->pick->why = WK_WHY_CRASH;
		return (s32)c->target;
	}
	cid = wk_scan_llc(c, g->first_cid, other, wk_idle_core_hint(c, other));
	if (cid != WK_NONE)
		wk_why_other(c);
	else
		--*limit;
	return cid;
}

WK_STEP s32 wk_scan_node(struct wk_ctx *c, s32 local)
{
	u32 limit = wk_num(c->pol, WK_FEAT_LIMIT), i, first, nr, at;
	s32 parent, cid = WK_NONE;

	if (local < 0 || local >= WK_MAX_LLCS)
		return WK_NONE;
	parent = wk_node_parent(c, &c->topo->llc[local]);
	if (parent < 0 || parent >= WK_MAX_DOMAINS)
		return WK_NONE;
	first = c->topo->domain[parent].groups.first;
	nr = c->topo->domain[parent].groups.len;
	at = c->topo->llc[local].local_group;
	if (!limit)
		limit = WK_NO_LIMIT;
	wk_loop_for(i, 0, nr) {
		u32 row = first + (at < nr ? at : at - nr);

		at++;
		if (row >= WK_MAX_GROUPS)
			break;
		if (at >= 2 * nr)
			at = 0;
		cid = wk_node_group(c, &c->topo->group[row], local, &limit);
		if (cid != WK_NONE || !limit)
			break;
	}
	return cid;
}

#endif
