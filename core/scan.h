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

/* The cid at ring position @i of the walk, or WK_MAX_CPUS. */
WK_INLINE u32 wk_ring_cid(const struct wk_ctx *c, const struct wk_scan *s, u32 i)
{
	u32 pos = s->start + i;

	if (pos >= s->weight)
		pos -= s->weight;
	pos += s->first;
	return pos < WK_MAX_CPUS ? wk_at(c->topo->scan, pos) : WK_MAX_CPUS;
}

/* How far @cid is from the start of the walk. */
WK_INLINE u32 wk_ring_distance(const struct wk_ctx *c, const struct wk_scan *s, u32 cid)
{
	u32 pos = cid < WK_MAX_CPUS ? wk_at(c->topo->cid, cid).scan_pos : 0;

	return pos >= s->start ? pos - s->start : pos + s->weight - s->start;
}

/* @cid is in the LLC. Allowed, and not looked at before? */
WK_INLINE bool wk_candidate(const struct wk_ctx *c, const struct wk_scan *s, u32 cid)
{
	if (s->only.len && !wk_range_has(s->only, cid))
		return false;
	if (s->skip.len && wk_range_has(s->skip, cid))
		return false;
	return wk_may_use(c, cid);
}

/* The walk begins at @cid, or one after it. */
WK_INLINE void wk_scan_from(const struct wk_ctx *c, struct wk_scan *s, u32 cid, u32 after)
{
	u32 pos = cid < WK_MAX_CPUS ? wk_at(c->topo->cid, cid).scan_pos + after : 0;

	s->start = pos < s->weight ? pos : 0;
}

/* ---- whole idle cores ---- */

/* 1 if an earlier candidate of the walk shares the core of scan.at: that has been looked at. */
WK_INLINE s32 wk_core_seen(struct wk_ctx *c)
{
	const struct wk_scan *s = &c->w->scan;
	struct wk_range smt = wk_at(c->topo->cid, s->at).smt;
	u32 mine = wk_ring_distance(c, s, s->at), sib, end = smt.first + smt.len;
	s32 seen = 0;

	wk_loop_for(sib, smt.first, end) {
		if (sib == s->at || wk_llc_of(c->topo, sib) != (s32)s->row)
			continue;
		if (wk_ring_distance(c, s, sib) < mine && wk_candidate(c, s, sib)) {
			seen = 1;
			break;
		}
	}
	return seen;
}
WK_UNIT(wk_core_seen)

/*
 * Reads the threads of the core of scan.at until it is clear that the core is busy
 * and an idle thread is kept. 1 if the whole core is idle.
 */
WK_INLINE s32 wk_core_idle_6(struct wk_ctx *c)
{
	struct wk_scan *s = &c->w->scan;
	struct wk_range smt = wk_at(c->topo->cid, s->at).smt;
	u32 sib, end = smt.first + smt.len;
	s32 idle = 1;

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
		idle = 0;
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
WK_INLINE s32 wk_core_idle_5(struct wk_ctx *c)
{
	struct wk_range smt = wk_at(c->topo->cid, c->w->scan.at).smt;
	u32 sib, end = smt.first + smt.len;
	s32 idle = 1;

	wk_loop_for(sib, smt.first, end) {
		if (!wk_topo_online(c->topo, sib))
			continue;
		wk_probe(c, sib);
		if (!wk_available(c, sib))
			idle = 0;
	}
	return idle;
}

WK_INLINE s32 wk_core_idle(struct wk_ctx *c)
{
	return wk_rules(c->pol) <= 5 ? wk_core_idle_5(c) : wk_core_idle_6(c);
}
WK_UNIT(wk_core_idle)

/* Walks the ring for a whole idle core. */
WK_INLINE s32 wk_walk_cores(struct wk_ctx *c)
{
	struct wk_scan *s = &c->w->scan;
	u32 i, weight = s->weight;
	s32 found = WK_NONE;

	wk_loop_for(i, 0, weight) {
		s->at = wk_ring_cid(c, s, i);
		if (!wk_candidate(c, s, s->at) || wk_call(wk_core_seen, c))
			continue;
		if (wk_call(wk_core_idle, c)) {
			s->core = true;
			found = (s32)s->at;
			break;
		}
	}
	return found;
}
WK_UNIT(wk_walk_cores)

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
	return wk_rules(c->pol) <= 5 && !wk_has(c->pol, WK_FEAT_SIBLINGS_FIRST);
}

/* Walks the ring for an idle CPU. */
WK_INLINE s32 wk_walk_cpus(struct wk_ctx *c)
{
	struct wk_scan *s = &c->w->scan;
	u32 i, weight = s->weight, last = WK_MAX_CPUS;
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
	if (s->window && last < WK_MAX_CPUS && s->target < WK_MAX_CPUS)
		wk_write_once(wk_at(c->state->cpu, s->target).scan_next,
			      wk_at(c->topo->cid, last).scan_pos + 1);
	return found;
}
WK_UNIT(wk_walk_cpus)

/* ---- the parts in order ---- */

/* Step 9: the cluster's CPUs first. They are no candidates afterwards. */
WK_INLINE s32 wk_scan_cluster(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid;

	if (!wk_has(c->pol, WK_FEAT_CLUSTER_SCAN) || !c->topo->cluster_active ||
	    !wk_at(c->topo->llc, s->row).cluster_scan || s->target >= WK_MAX_CPUS)
		return WK_NONE;
	s->only = wk_at(c->topo->cid, s->target).cluster;
	if (!s->only.len)
		return WK_NONE;
	cid = s->hint ? wk_call(wk_walk_cores, c) : wk_call(wk_walk_cpus, c);
	s->in_cluster = cid != WK_NONE;
	s->skip = s->only;
	s->only.len = 0;
	return cid;
}

/* Step 8, siblings first: free of budget, and without a look at the affinity. */
WK_INLINE s32 wk_scan_siblings(struct wk_ctx *c)
{
	struct wk_scan *s = &c->w->scan;
	struct wk_range smt;
	s32 found = WK_NONE;
	u32 i;

	if (!wk_has(c->pol, WK_FEAT_SIBLINGS_FIRST) || s->target >= WK_MAX_CPUS)
		return WK_NONE;
	smt = wk_at(c->topo->cid, s->target).smt;
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
WK_UNIT(wk_scan_siblings)

/*
 * Where the walk by budget starts: one after the target (5.2: at it), or where the
 * window stands.
 */
WK_INLINE void wk_scan_start(const struct wk_ctx *c, struct wk_scan *s)
{
	u32 next = 0;

	wk_scan_from(c, s, s->target, wk_rules(c->pol) > 5);
	if (wk_has(c->pol, WK_FEAT_WINDOW) && s->target < WK_MAX_CPUS)
		next = wk_read_once(wk_at(c->state->cpu, s->target).scan_next);
	if (next && next <= s->weight)
		s->start = next - 1;
}

/* Step 10 without a hint. */
WK_INLINE s32 wk_scan_cpus(struct wk_ctx *c, struct wk_scan *s)
{
	wk_scan_start(c, s);
	s->window = wk_has(c->pol, WK_FEAT_WINDOW);
	return wk_call(wk_walk_cpus, c);
}

/*
 * Step 10 with the hint: a whole core, else the hint was wrong and one thread met
 * on the way will do.
 */
WK_INLINE s32 wk_scan_cores(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid;

	wk_scan_from(c, s, s->target, wk_rules(c->pol) > 5);
	cid = wk_call(wk_walk_cores, c);
	if (cid == WK_NONE) {
		if (s->row < WK_MAX_LLCS)
			wk_write_once(wk_at(c->state->llc, s->row).has_idle_core, 0);
		cid = s->spare;
	}
	return cid;
}

/* The scan of 6.x and 7.x. */
WK_INLINE s32 wk_scan_6(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid = wk_call(wk_scan_siblings, c);

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
WK_INLINE s32 wk_scan_5(struct wk_ctx *c, struct wk_scan *s)
{
	s32 cid = s->hint ? wk_scan_cores(c, s) : WK_NONE;

	if (cid != WK_NONE) {
		c->pick->why = WK_WHY_IDLE_CORE;
		return cid;
	}
	cid = wk_call(wk_scan_siblings, c);
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
	return wk_read_once(wk_at(c->state->llc, row).has_idle_core) != 0;
}

/* The scan that is walked. */
WK_LONG_STEP s32 wk_walk_llc(struct wk_ctx *c)
{
	struct wk_scan *s = &c->w->scan;
	s32 cid;

	s->nr = wk_call(wk_budget, c);
	if (c->pick->nr_llcs == 0 && c->pick->budget == WK_NO_LIMIT && s->nr < WK_COUNTER_MAX)
		c->pick->budget = s->nr ? (u32)s->nr - 1 : 0;
	if (s->nr == 0)
		return WK_NONE;
	if (c->pick->nr_llcs < 255)
		c->pick->nr_llcs++;
	s->first = wk_at(c->topo->llc, s->row).span.first;
	s->weight = wk_at(c->topo->llc, s->row).weight;
	s->spare = WK_NONE;
	s->only.len = s->skip.len = 0;
	s->over = s->core = s->window = s->in_cluster = false;
	cid = wk_rules(c->pol) <= 5 ? wk_scan_5(c, s) : wk_scan_6(c, s);
	if (s->over)
		c->pick->flags |= WK_PICK_EXHAUSTED;
	return cid;
}

/* select_idle_cpu(): scan.row, scan.target and scan.hint say where. */
WK_INLINE s32 wk_scan_llc(struct wk_ctx *c)
{
	const struct wk_scan *s = &c->w->scan;

	if (c->w->plain && !s->hint && wk_nothing_idle(c, wk_at(c->topo->llc, s->row).span) &&
	    wk_call(wk_charge_vain, c))
		return WK_NONE;
	return wk_walk_llc(c);
}
WK_UNIT(wk_scan_llc)

/* The scan around @target, which is in LLC row @row. */
WK_INLINE s32 wk_scan_around(struct wk_ctx *c, u32 target, u32 row)
{
	c->w->scan.row = row;
	c->w->scan.target = target;
	c->w->scan.hint = wk_idle_core_hint(c, (s32)row);
	return wk_call(wk_scan_llc, c);
}

#endif
