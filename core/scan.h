/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search in one LLC.
 *
 * The LLC's CPUs stand in a ring in order of CPU number (topo->scan[]); a walk
 * starts one after the target and wraps. Candidates are the LLC and the task's
 * affinity, less a range that was looked at before (the cluster, the target's
 * core). Nothing is copied into a mask: a candidate is tested where it stands.
 *
 *      ring position   0 1 2 3 4 5 6 7        target at 4, start 5:
 *      walk            3 4 5 6 7 0 1 2        the target is looked at last
 *
 * A walk that cannot succeed is not walked but counted: core/vain.h.
 */
#ifndef WK_CORE_SCAN_H
#define WK_CORE_SCAN_H

#include "core/budget.h"
#include "core/ctx.h"
#include "core/vain.h"

struct wk_scan {
	const struct wk_llc *llc;
	u32 row; /* of llc */
	u32 target;
	u32 start;	      /* ring position */
	struct wk_range only; /* len != 0: candidates are in here */
	struct wk_range skip; /* len != 0: and not in here */
	s32 nr;		      /* the counter: see core/budget.h */
	s32 spare;	      /* one idle thread, met by the search for a whole core */
	bool hint;	      /* whole idle cores are searched */
	bool over;	      /* the budget ended the search */
	bool core;	      /* what was found is a whole core */
	bool in_cluster;      /* and was found in the cluster's walk */
};

/* The cid at ring position @i of the walk, or WK_MAX_CPUS. */
WK_INLINE u32 wk_ring_cid(const struct wk_ctx *c, const struct wk_scan *s, u32 i)
{
	u32 pos = s->start + i;

	if (pos >= s->llc->weight)
		pos -= s->llc->weight;
	pos += s->llc->span.first;
	return pos < WK_MAX_CPUS ? c->topo->scan[pos] : WK_MAX_CPUS;
}

/* How far @cid is from the start of the walk. */
WK_INLINE u32 wk_ring_distance(const struct wk_ctx *c, const struct wk_scan *s, u32 cid)
{
	u32 pos = cid < WK_MAX_CPUS ? c->topo->cid[cid].scan_pos : 0;

	return pos >= s->start ? pos - s->start : pos + s->llc->weight - s->start;
}

/* @cid is in the LLC. Allowed, and not looked at before? */
WK_INLINE bool wk_candidate(const struct wk_ctx *c, const struct wk_scan *s, u32 cid)
{
	if (s->only.len && !wk_range_has(s->only, cid))
		return false;
	if (s->skip.len && wk_range_has(s->skip, cid))
		return false;
	return wk_allows(c->req, cid);
}

/* The walk begins at @cid, or one after it. */
WK_INLINE void wk_scan_from(const struct wk_ctx *c, struct wk_scan *s, u32 cid, u32 after)
{
	u32 pos = cid < WK_MAX_CPUS ? c->topo->cid[cid].scan_pos + after : 0;

	s->start = pos < s->llc->weight ? pos : 0;
}

/* ---- whole idle cores ---- */

/* True if an earlier candidate of the walk shares the core of @cid: the core has been looked at. */
WK_STEP bool wk_core_seen(const struct wk_ctx *c, const struct wk_scan *s, u32 cid)
{
	struct wk_range smt;
	bool seen = false;
	u32 mine = wk_ring_distance(c, s, cid), sib, end;

	if (cid >= WK_MAX_CPUS)
		return true;
	smt = c->topo->cid[cid].smt;
	end = smt.first + smt.len;
	wk_loop_for(sib, smt.first, end) {
		if (sib == cid || wk_llc_of(c->topo, sib) != (s32)s->row)
			continue;
		if (wk_ring_distance(c, s, sib) < mine && wk_candidate(c, s, sib)) {
			seen = true;
			break;
		}
	}
	return seen;
}

/*
 * Reads the threads of the core of @cid until it is clear that the core is busy
 * and an idle thread is kept. True if the whole core is idle.
 */
WK_STEP bool wk_core_idle(struct wk_ctx *c, struct wk_scan *s, u32 cid)
{
	struct wk_range smt;
	bool idle = true;
	u32 sib, end;

	if (cid >= WK_MAX_CPUS)
		return false;
	smt = c->topo->cid[cid].smt;
	end = smt.first + smt.len;
	wk_loop_for(sib, smt.first, end) {
		bool usable = wk_llc_of(c->topo, sib) == (s32)s->row && wk_candidate(c, s, sib);

		if (!wk_topo_online(c->topo, sib))
			continue;
		wk_probe(c, sib);
		if (wk_available(c, sib)) {
			if (s->spare == WK_NONE && usable)
				s->spare = (s32)sib;
			continue;
		}
		idle = false;
		if (s->spare != WK_NONE)
			break;
		if (usable && wk_sched_idle(c, sib)) {
			s->spare = (s32)sib;
			break;
		}
	}
	return idle;
}

/* 5.2: every thread of every core is read, and no single thread is kept. */
WK_STEP bool wk_core_idle_5(struct wk_ctx *c, u32 cid)
{
	struct wk_range smt;
	bool idle = true;
	u32 sib, end;

	if (cid >= WK_MAX_CPUS)
		return false;
	smt = c->topo->cid[cid].smt;
	end = smt.first + smt.len;
	wk_loop_for(sib, smt.first, end) {
		if (!wk_topo_online(c->topo, sib))
			continue;
		wk_probe(c, sib);
		if (!wk_available(c, sib))
			idle = false;
	}
	return idle;
}

/* Walks the ring for a whole idle core. */
WK_STEP s32 wk_walk_cores(struct wk_ctx *c, struct wk_scan *s)
{
	u32 i, weight = s->llc->weight;
	s32 found = WK_NONE;

	wk_loop_for(i, 0, weight) {
		u32 cid = wk_ring_cid(c, s, i);
		bool idle;

		if (!wk_candidate(c, s, cid) || wk_core_seen(c, s, cid))
			continue;
		idle = c->rules <= 5 ? wk_core_idle_5(c, cid) : wk_core_idle(c, s, cid);
		if (idle) {
			s->core = true;
			found = (s32)cid;
			break;
		}
	}
	return found;
}

/* ---- single CPUs, by budget ---- */

/* Takes one from the budget; false when that ends the search. */
WK_INLINE bool wk_take(const struct wk_ctx *c, struct wk_scan *s)
{
	bool exact = wk_has(c->pol, WK_FEAT_BUDGET_EQ);

	s->nr--;
	if (s->only.len) {
		if (wk_has(c->pol, WK_FEAT_CLUSTER_OVERRUN))
			return true;
		exact = false;
	}
	s->over = exact ? s->nr == 0 : s->nr <= 0;
	return !s->over;
}

/* 5.2 charged the budget before it looked at the affinity; siblings first mended that. */
WK_INLINE bool wk_charges_all(const struct wk_ctx *c)
{
	return c->rules <= 5 && !wk_has(c->pol, WK_FEAT_SIBLINGS_FIRST);
}

/* Walks the ring for an idle CPU. @window: remember every CPU visited. */
WK_STEP s32 wk_walk_cpus(struct wk_ctx *c, struct wk_scan *s, bool window)
{
	u32 i, weight = s->llc->weight, last = WK_MAX_CPUS;
	bool all = wk_charges_all(c);
	s32 found = WK_NONE;

	wk_loop_for(i, 0, weight) {
		u32 cid = wk_ring_cid(c, s, i);
		bool candidate = wk_candidate(c, s, cid);

		if (!candidate && !all)
			continue;
		last = cid;
		if (!wk_take(c, s))
			break;
		if (!candidate)
			continue;
		wk_probe(c, cid);
		if (wk_is_idle(c, cid)) {
			found = (s32)cid;
			break;
		}
	}
	if (window && last < WK_MAX_CPUS && s->target < WK_MAX_CPUS)
		wk_write_once(c->state->cpu[s->target].scan_next, c->topo->cid[last].scan_pos + 1);
	return found;
}

/* ---- the parts in order ---- */

/* Step 9: the cluster's CPUs first. They are no candidates afterwards. */
WK_STEP s32 wk_scan_cluster(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid;

	if (!wk_has(c->pol, WK_FEAT_CLUSTER_SCAN) || !c->topo->cluster_active ||
	    !s->llc->cluster_scan || s->target >= WK_MAX_CPUS)
		return WK_NONE;
	s->only = c->topo->cid[s->target].cluster;
	if (!s->only.len)
		return WK_NONE;
	cid = s->hint ? wk_walk_cores(c, s) : wk_walk_cpus(c, s, false);
	s->in_cluster = cid != WK_NONE;
	s->skip = s->only;
	s->only.len = 0;
	return cid;
}

/* Step 8, siblings first: free of budget, and without a look at the affinity. */
WK_STEP s32 wk_scan_siblings(struct wk_ctx *c, struct wk_scan *s)
{
	struct wk_range smt;
	s32 found = WK_NONE;
	u32 i;

	if (!wk_has(c->pol, WK_FEAT_SIBLINGS_FIRST) || s->target >= WK_MAX_CPUS)
		return WK_NONE;
	smt = c->topo->cid[s->target].smt;
	wk_loop_for(i, 0, smt.len) {
		u32 at = s->target - smt.first + i;
		u32 sib = smt.first + (at < smt.len ? at : at - smt.len);

		if (!wk_topo_online(c->topo, sib))
			continue;
		wk_probe(c, sib);
		if (wk_is_idle(c, sib)) {
			found = (s32)sib;
			break;
		}
	}
	s->skip = smt;
	return found;
}

/*
 * Where the walk by budget starts: one after the target (5.2: at it), or where the
 * window stands.
 */
WK_STEP void wk_scan_start(const struct wk_ctx *c, struct wk_scan *s)
{
	u32 next = 0;

	wk_scan_from(c, s, s->target, c->rules > 5);
	if (wk_has(c->pol, WK_FEAT_WINDOW) && s->target < WK_MAX_CPUS)
		next = wk_read_once(c->state->cpu[s->target].scan_next);
	if (next && next <= s->llc->weight)
		s->start = next - 1;
}

/* Step 10 without a hint. */
WK_STEP s32 wk_scan_cpus(struct wk_ctx *c, struct wk_scan *s)
{
	wk_scan_start(c, s);
	return wk_walk_cpus(c, s, wk_has(c->pol, WK_FEAT_WINDOW));
}

/*
 * Step 10 with the hint: a whole core, else the hint was wrong and one thread met
 * on the way will do.
 */
WK_STEP s32 wk_scan_cores(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid;

	wk_scan_from(c, s, s->target, c->rules > 5);
	cid = wk_walk_cores(c, s);
	if (cid == WK_NONE) {
		if (s->row < WK_MAX_LLCS)
			wk_write_once(c->state->llc[s->row].has_idle_core, 0);
		cid = s->spare;
	}
	return cid;
}

/* The scan of 6.x and 7.x. */
WK_STEP s32 wk_scan_6(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid = wk_scan_siblings(c, s);

	if (cid != WK_NONE) {
		c->pick->why = WK_WHY_TARGET_SIBLING;
		return cid;
	}
	wk_scan_from(c, s, s->target, 1);
	cid = wk_scan_cluster(c, s);
	if (cid == WK_NONE && !s->over)
		cid = s->hint ? wk_scan_cores(c, s) : wk_scan_cpus(c, s);
	if (s->in_cluster)
		c->pick->why = s->core ? WK_WHY_CLUSTER_CORE : WK_WHY_CLUSTER_IDLE;
	else if (cid != WK_NONE)
		c->pick->why = s->core ? WK_WHY_IDLE_CORE : WK_WHY_LLC_IDLE;
	return cid;
}

/* The scan of 5.2: an idle core first, and then single CPUs all the same. */
WK_STEP s32 wk_scan_5(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid = s->hint ? wk_scan_cores(c, s) : WK_NONE;

	if (cid != WK_NONE) {
		c->pick->why = WK_WHY_IDLE_CORE;
		return cid;
	}
	cid = wk_scan_siblings(c, s);
	if (cid != WK_NONE) {
		c->pick->why = WK_WHY_TARGET_SIBLING;
		return cid;
	}
	cid = wk_scan_cpus(c, s);
	if (cid != WK_NONE)
		c->pick->why = WK_WHY_LLC_IDLE;
	return cid;
}

/* The idle-core hint of an LLC row, where it is to be read. */
WK_INLINE bool wk_idle_core_hint(const struct wk_ctx *c, s32 row)
{
	if (!c->topo->has_smt || !wk_has(c->pol, WK_FEAT_IDLE_CORE) ||
	    wk_has(c->pol, WK_FEAT_SIS_CORE) || row < 0 || row >= WK_MAX_LLCS)
		return false;
	return wk_read_once(c->state->llc[row].has_idle_core) != 0;
}

/* The scan that is walked. */
WK_LONG_STEP s32 wk_walk_llc(struct wk_ctx *c, u32 target, u32 row, bool hint)
{
	struct wk_scan s = {
		.llc = &c->topo->llc[row % WK_MAX_LLCS],
		.row = row,
		.target = target,
		.nr = (s32)wk_budget(c, row, target, hint),
		.spare = WK_NONE,
		.hint = hint,
	};
	s32 cid;

	if (c->pick->nr_llcs == 0 && c->pick->budget == WK_NO_LIMIT && s.nr < WK_COUNTER_MAX)
		c->pick->budget = s.nr ? (u32)s.nr - 1 : 0;
	if (s.nr == 0)
		return WK_NONE;
	if (c->pick->nr_llcs < 255)
		c->pick->nr_llcs++;
	cid = c->rules <= 5 ? wk_scan_5(c, &s) : wk_scan_6(c, &s);
	if (s.over)
		c->pick->flags |= WK_PICK_EXHAUSTED;
	return cid;
}

/* select_idle_cpu() around @target, which is in LLC row @row. */
WK_STEP s32 wk_scan_llc(struct wk_ctx *c, u32 target, s32 row, bool hint)
{
	const struct wk_llc *llc;

	if (row < 0 || row >= WK_MAX_LLCS || target >= WK_MAX_CPUS)
		return WK_NONE;
	llc = &c->topo->llc[row];
	if (c->plain && !hint && wk_nothing_idle(c, llc->span.first, llc->span.len) &&
	    wk_charge_vain(c, (u32)row, c->topo->cid[target].scan_pos + 1))
		return WK_NONE;
	return wk_walk_llc(c, target, (u32)row, hint);
}

#endif
