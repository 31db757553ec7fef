/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who touches the run queue of the chosen CPU: the waker under its lock, or that
 * CPU itself, told by its wake list. The tests stand in the kernel's order
 * (ttwu_queue_cond), and the first that matches decides.
 */
#ifndef WK_CORE_HANDOFF_H
#define WK_CORE_HANDOFF_H

#include "core/ctx.h"

/*
 * Do the two share the L2? Both versions mean the cluster where one survives, and
 * the core where the cluster level is degenerate. Where the machine says nothing
 * about clusters the RFC falls back to the LLC; v3 has an id for every CPU.
 */
WK_INLINE bool wk_share_l2(const struct wk_topo *topo, const struct wk_policy *pol, u32 a, u32 b)
{
	struct wk_range l2;

	if (a == b)
		return true;
	if (a >= WK_MAX_CPUS)
		return false;
	l2 = wk_at(topo->cid, a).l2;
	if (!l2.len && wk_num(pol, WK_FEAT_QUEUED_L2) == 1)
		return wk_topo_share_llc(topo, a, b);
	return wk_range_has(l2, b);
}

/* Are the two so near that the waker may as well take the lock? */
WK_INLINE bool wk_near_enough_to_lock(const struct wk_topo *topo, const struct wk_policy *pol,
				      u32 waker, u32 cid)
{
	if (wk_has(pol, WK_FEAT_QUEUED_L2))
		return wk_share_l2(topo, pol, waker, cid);
	if (wk_has(pol, WK_FEAT_WAKELIST_NODE) && waker < WK_MAX_CPUS && cid < WK_MAX_CPUS)
		return wk_at(topo->sil, waker).node == wk_at(topo->sil, cid).node;
	return wk_topo_share_llc(topo, waker, cid);
}

/* enum wk_handoff for a task of @req that goes to @cid. */
WK_STEP u8 wk_handoff(const struct wk_topo *topo, const struct wk_state *state,
		      const struct wk_policy *pol, const struct wk_request *req, u32 cid)
{
	const u32 waker = req->waker_cid;
	const u8 lock = cid == waker ? WK_HANDOFF_LOCAL : WK_HANDOFF_DIRECT;

	/* wake_up_new_task() and the migration at exec know no wake list. */
	if (req->kind != WK_REQ_WAKE || cid >= WK_MAX_CPUS)
		return lock;
	if (!wk_mask_test(&state->active, cid) || !wk_allows(req, cid))
		return lock;
	if (!wk_near_enough_to_lock(topo, pol, waker, cid))
		return WK_HANDOFF_QUEUED;
	if (cid == waker)
		return lock;
	/* 5.8 and later: an idle CPU can do the work itself. nr_running is read, not idleness. */
	if (wk_rules(pol) > 5 && wk_at(state->cpu, cid).nr_running == 0)
		return WK_HANDOFF_QUEUED;
	return lock;
}

#endif
