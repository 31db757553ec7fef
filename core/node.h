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
	/*
	 * Every CPU has its own domain objects: the pointers are equal on the target
	 * itself only.
	 */
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

/*
 * One group of the ring. *@limit counts down the LLCs that may be scanned in vain;
 * at 0 the walk ends.
 */
WK_STEP s32 wk_node_group(struct wk_ctx *c, u32 row, s32 local, u32 *limit)
{
	const struct wk_group *g;
	s32 other, cid;

	if (row >= WK_MAX_GROUPS)
		return WK_NONE;
	g = &c->topo->group[row];
	other = wk_llc_of(c->topo, g->first_cid);
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

/* The LLCs of the ring in which nothing is idle: counted here, charged at the end. */
struct wk_ring_sum {
	u32 probes[WK_TIER_NR];
	u32 scanned, llcs, over;
	u64 code;    /* of the waker */
	u32 no_util; /* nothing limits a scan: ~0, else 0 */
	u32 hints;   /* hints are read: ~0, else 0 */
	bool some;   /* something is idle below the parent */
};

WK_STEP void wk_ring_begin(const struct wk_ctx *c, const struct wk_domain *d,
			   struct wk_ring_sum *sum)
{
	sum->some = !wk_nothing_idle(c, d->span.first, d->span.len);
	sum->code = c->topo->sil[c->waker % WK_MAX_CPUS].code;
	sum->no_util = wk_has(c->pol, WK_FEAT_SIS_UTIL) ? 0 : WK_NO_LIMIT;
	sum->hints = c->topo->has_smt && wk_has(c->pol, WK_FEAT_IDLE_CORE) ? WK_NO_LIMIT : 0;
}

/*
 * The tier from the waker's code to all CPUs from @first to @last, or WK_TIER_NR:
 * see wk_far_tier().
 */
WK_INLINE u32 wk_ring_tier(const struct wk_topo *t, u64 code, u32 first, u32 last)
{
	u64 x, y;

	if (first >= WK_MAX_CPUS || last >= WK_MAX_CPUS)
		return WK_TIER_NR;
	x = code ^ t->sil[first].code;
	y = code ^ t->sil[last].code;
	/* the same highest bit in both, and so none of them 0 */
	return (x ^ y) < (x & y) ? t->tier_of_bit[64 - wk_clz64(x)] : (u32)WK_TIER_NR;
}

/* Counts the vain scan of LLC row @row; false, and nothing counted, where only a scan can tell. */
WK_INLINE bool wk_ring_add(const struct wk_ctx *c, u32 row, struct wk_ring_sum *sum)
{
	const struct wk_llc *llc = &c->topo->llc[row];
	const struct wk_llc_state *state = &c->state->llc[row];
	u32 n = llc->weight, scan = wk_read_once(state->nr_idle_scan) | sum->no_util, tier;

	if (llc->mask != WK_NONE || (wk_read_once(state->has_idle_core) & sum->hints) ||
	    wk_range_has(llc->span, c->waker))
		return false;
	if (sum->some && !wk_nothing_idle(c, llc->span.first, llc->span.len))
		return false;
	tier = wk_ring_tier(c->topo, sum->code, llc->span.first,
			    llc->span.first + llc->span.len - 1);
	if (tier >= WK_TIER_NR)
		return false;
	sum->over |= scan < n && scan;
	n = n < scan ? n : scan;
	sum->probes[tier] += n;
	sum->scanned += n;
	sum->llcs += scan != 0;
	return true;
}

WK_STEP void wk_ring_charge(struct wk_ctx *c, const struct wk_ring_sum *sum)
{
	struct wk_pick *pick = c->pick;
	u32 i;

	wk_loop_for(i, 0, WK_TIER_NR) {
		if (i < WK_TIER_NR)
			pick->probes[i] = (u16)(pick->probes[i] + sum->probes[i]);
	}
	pick->scanned += sum->scanned;
	pick->nr_llcs = (u8)(pick->nr_llcs + sum->llcs < 255 ? pick->nr_llcs + sum->llcs : 255);
	if (sum->over)
		pick->flags |= WK_PICK_EXHAUSTED;
}

/* The LLC row that group row @group stands for, or WK_NONE. */
WK_INLINE s32 wk_ring_llc(const struct wk_topo *t, u32 group)
{
	u32 first = group < WK_MAX_GROUPS ? t->group[group].first_cid : WK_MAX_CPUS;

	return first < WK_MAX_CPUS ? t->cid[first].llc : WK_NONE;
}

/* One LLC after the other, from the target's own group on: each is scanned. */
WK_STEP s32 wk_ring_scan(struct wk_ctx *c, const struct wk_domain *d, s32 local, u32 row)
{
	u32 limit = wk_num(c->pol, WK_FEAT_LIMIT), i, nr = d->groups.len;
	s32 cid = WK_NONE;

	limit = limit ? limit : WK_NO_LIMIT;
	wk_loop_for(i, 0, nr) {
		cid = wk_node_group(c, row, local, &limit);
		if (cid != WK_NONE || !limit)
			break;
		row = row + 1 < d->groups.first + nr ? row + 1 : d->groups.first;
	}
	return cid;
}

/* The same, but those that only have to be counted are. */
WK_STEP s32 wk_ring_count(struct wk_ctx *c, const struct wk_domain *d, s32 local, u32 row)
{
	u32 limit = wk_num(c->pol, WK_FEAT_LIMIT), i, nr = d->groups.len;
	u32 end = d->groups.first + nr;
	struct wk_ring_sum sum = {.scanned = 0};
	s32 cid = WK_NONE;

	limit = limit ? limit : WK_NO_LIMIT;
	wk_ring_begin(c, d, &sum);
	wk_loop_for(i, 0, nr) {
		s32 llc = wk_ring_llc(c->topo, row);

		if (llc != local && (u32)llc < WK_MAX_LLCS && wk_ring_add(c, (u32)llc, &sum))
			limit--;
		else if (llc != local)
			cid = wk_node_group(c, row, local, &limit);
		if (cid != WK_NONE || !limit)
			break;
		row = row + 1 < end ? row + 1 : d->groups.first;
	}
	wk_ring_charge(c, &sum);
	return cid;
}

WK_STEP s32 wk_scan_node(struct wk_ctx *c, s32 local)
{
	const u64 special = 1ULL << WK_FEAT_PTR | 1ULL << WK_FEAT_SKIPLOCAL;
	const struct wk_domain *d;
	s32 parent;
	u32 row;

	if (local < 0 || local >= WK_MAX_LLCS)
		return WK_NONE;
	parent = wk_node_parent(c, &c->topo->llc[local]);
	if (parent < 0 || parent >= WK_MAX_DOMAINS)
		return WK_NONE;
	d = &c->topo->domain[parent];
	row = d->groups.first + c->topo->llc[local].local_group;
	if (c->plain && !(c->pol->flags & special) && c->pick->nr_llcs)
		return wk_ring_count(c, d, local, row);
	return wk_ring_scan(c, d, local, row);
}

#endif
