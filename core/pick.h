/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decision: on which CPU does this task run, and who puts it there.
 *
 * One call, wk_pick(), reads the topology, the state and the policy, and answers
 * with a CPU, the row of why.def that says how it was found, the hand-off, and
 * what the search has cost. It is a cascade, as the kernel's; each step is one
 * function that returns a cid or WK_NONE, and the first cid wins:
 *
 *       0  pinned         one CPU allowed; or still on a CPU, and queued there
 *       1  fork, exec     the idlest CPU by the domain tree         core/slow.h
 *          target         prev or the waker's CPU                   core/affine.h
 *       2  target         if it is idle
 *       3  prev           if it is idle and shares the target's LLC
 *       4  kthread        a per-CPU kernel thread stacks with its wakee
 *       5  recent         as prev, and allowed
 *       6  capacity       uneven CPUs only; ends here               core/capacity.h
 *       7  prev's core    an idle thread, where no idle core is hoped for
 *       8  target's core  siblings first (5.2: after step 10)       core/scan.h
 *       9  cluster        of the target
 *      10  LLC            of the target
 *      11  other LLCs     below the parent domain                   core/node.h
 *      12  kept           prev or recent from outside the cluster
 *      13  target         busy or not
 *      14  fallback       the answer is not allowed or not active
 *
 * Rules differ by kernel (policy feature "rules"): 5 is 5.2, 6 is 6.4 to 6.5, 7
 * is 7.3. Where they differ the step says so.
 *
 * Concurrency: nothing is locked. Two CPUs may pick the same idle one, as in the
 * kernel, unless the policy claims what it picks.
 *
 * In BPF three things are globals of the host: `const volatile struct wk_policy
 * wk_policy`, `struct wk_topo wk_topo_live` and `struct wk_state wk_state_live`. The
 * pick, the tasks and the mask of allowed CPUs are map values; none is NULL, and a mask
 * that is not read may be any. The pick holds the steps' own room and is too large for
 * the stack; the request may be there.
 */
#ifndef WK_CORE_PICK_H
#define WK_CORE_PICK_H

#include "core/affine.h"
#include "core/capacity.h"
#include "core/ctx.h"
#include "core/handoff.h"
#include "core/node.h"
#include "core/scan.h"
#include "core/slow.h"

/* A claim that another CPU has won is tried again this often. */
#define WK_CLAIM_TRIES 3

/* ---- steps 2 to 5: single CPUs ---- */

WK_INLINE s32 wk_pick_target(struct wk_ctx *c)
{
	wk_probe_fast(c, c->w->target);
	if (!wk_is_idle(c, c->w->target) || (wk_rules(c->pol) > 5 && !wk_fits(c, c->w->target)))
		return WK_NONE;
	c->pick->why = WK_WHY_TARGET_IDLE;
	return (s32)c->w->target;
}

/*
 * The kernel's cpus_share_resources(): the same cluster, or the same LLC where no
 * cluster survives.
 */
WK_INLINE bool wk_share_cluster(const struct wk_ctx *c, u32 a, u32 b)
{
	if (a == b)
		return true;
	if (a >= WK_MAX_CPUS || b >= WK_MAX_CPUS)
		return false;
	return wk_at(c->topo->cid, a).share_id == wk_at(c->topo->cid, b).share_id;
}

/* Is a CPU that passed its tests taken at once, or kept for step 12? */
WK_INLINE bool wk_takes_at_once(const struct wk_ctx *c, u32 cid)
{
	if (!wk_has(c->pol, WK_FEAT_CLUSTER_SCAN) || !c->topo->cluster_active)
		return true;
	return wk_share_cluster(c, cid, c->w->target);
}

WK_INLINE s32 wk_pick_prev(struct wk_ctx *c)
{
	u32 prev = (u32)c->w->prev;

	if (prev == c->w->target || !wk_topo_share_llc(c->topo, prev, c->w->target))
		return WK_NONE;
	wk_probe_fast(c, prev);
	if (!wk_is_idle(c, prev) || (wk_rules(c->pol) > 5 && !wk_fits(c, prev)))
		return WK_NONE;
	if (!wk_takes_at_once(c, prev)) {
		c->w->prev_kept = c->w->prev;
		return WK_NONE;
	}
	c->pick->why = WK_WHY_PREV_IDLE;
	return c->w->prev;
}

/* The work that the wakee had queued for this kernel thread is done. 5.6 and later. */
WK_INLINE s32 wk_pick_kthread(struct wk_ctx *c)
{
	if (wk_rules(c->pol) <= 5 || c->w->context != WK_CTX_KTHREAD ||
	    c->w->prev != (s32)c->w->waker)
		return WK_NONE;
	if (c->w->waker >= WK_MAX_CPUS || wk_at(c->state->cpu, c->w->waker).nr_running > 1 ||
	    !wk_fits(c, c->w->waker))
		return WK_NONE;
	c->pick->why = WK_WHY_KTHREAD_STACK;
	return c->w->prev;
}

/* The tests of the recently used CPU, in the kernel's order: the affinity is read last. */
WK_INLINE bool wk_recent_passes(struct wk_ctx *c, s32 recent)
{
	if (!wk_is_cid(c->topo, recent) || recent == c->w->prev || (u32)recent == c->w->target ||
	    !wk_topo_share_llc(c->topo, (u32)recent, c->w->target))
		return false;
	wk_probe_fast(c, (u32)recent);
	return wk_is_idle(c, (u32)recent) && wk_may_use(c, (u32)recent) &&
	       (wk_rules(c->pol) <= 5 || wk_fits(c, (u32)recent));
}

/*
 * Since 5.14 prev becomes the recent CPU of every wake-up that comes here; 5.2
 * replaced it on a hit.
 */
WK_INLINE s32 wk_pick_recent(struct wk_ctx *c)
{
	s32 recent = c->w->recent;
	bool passes = wk_recent_passes(c, recent);

	if (passes || wk_rules(c->pol) > 5)
		c->w->recent = c->w->prev;
	if (!passes)
		return WK_NONE;
	if (!wk_takes_at_once(c, (u32)recent)) {
		c->w->recent_kept = recent;
		return WK_NONE;
	}
	c->pick->why = WK_WHY_RECENT_IDLE;
	return recent;
}

WK_INLINE s32 wk_pick_single(struct wk_ctx *c)
{
	s32 cid = wk_pick_target(c);

	if (cid == WK_NONE)
		cid = wk_pick_prev(c);
	if (cid == WK_NONE)
		cid = wk_pick_kthread(c);
	if (cid == WK_NONE)
		cid = wk_pick_recent(c);
	return cid;
}
WK_UNIT(wk_pick_single)

/* ---- steps 7 and 8: the threads of one core ---- */

/* select_idle_smt(): an idle thread of the core of @of, with or without that CPU itself. */
WK_INLINE s32 wk_pick_smt(struct wk_ctx *c, u32 of, bool self)
{
	struct wk_range smt;
	s32 llc = wk_llc_of(c->topo, c->w->target), found = WK_NONE;
	u32 cid, end;

	if (of >= WK_MAX_CPUS)
		return WK_NONE;
	smt = wk_at(c->topo->cid, of).smt;
	end = smt.first + smt.len;
	wk_loop_for(cid, smt.first, end) {
		if ((cid == of && !self) || !wk_may_use(c, cid) || wk_llc_of(c->topo, cid) != llc)
			continue;
		wk_probe(c, cid);
		if (wk_is_idle(c, cid)) {
			found = (s32)cid;
			break;
		}
	}
	return found;
}

/* Not where an idle core is hoped for: that would be better. 5.13 and later. */
WK_INLINE s32 wk_pick_prev_sibling(struct wk_ctx *c)
{
	s32 llc = wk_llc_of(c->topo, c->w->target), cid;

	if (wk_rules(c->pol) <= 5 || !c->topo->has_smt || wk_idle_core_hint(c, llc) ||
	    !wk_topo_share_llc(c->topo, (u32)c->w->prev, c->w->target))
		return WK_NONE;
	cid = wk_pick_smt(c, (u32)c->w->prev, false);
	if (cid != WK_NONE)
		c->pick->why = WK_WHY_PREV_SIBLING;
	return cid;
}
WK_UNIT(wk_pick_prev_sibling)

/* What 5.2 does when its scan was vain. */
WK_INLINE s32 wk_pick_target_sibling(struct wk_ctx *c)
{
	s32 cid;

	if (wk_rules(c->pol) > 5 || !c->topo->has_smt)
		return WK_NONE;
	cid = wk_pick_smt(c, c->w->target, true);
	if (cid != WK_NONE)
		c->pick->why = WK_WHY_TARGET_SIBLING;
	return cid;
}
WK_UNIT(wk_pick_target_sibling)

/* ---- step 12 ---- */

WK_INLINE bool wk_kept_is_good(struct wk_ctx *c, s32 kept)
{
	if (kept == WK_NONE)
		return false;
	if (!wk_has(c->pol, WK_FEAT_RECHECK))
		return true;
	wk_probe_fast(c, (u32)kept);
	return wk_is_idle(c, (u32)kept);
}

WK_INLINE s32 wk_pick_kept(struct wk_ctx *c)
{
	if (wk_kept_is_good(c, c->w->prev_kept)) {
		c->pick->why = WK_WHY_PREV_FALLBACK;
		return c->w->prev_kept;
	}
	if (wk_kept_is_good(c, c->w->recent_kept)) {
		c->pick->why = WK_WHY_RECENT_FALLBACK;
		return c->w->recent_kept;
	}
	return WK_NONE;
}
WK_UNIT(wk_pick_kept)

/* ---- the cascade ---- */

/* Steps 7 to 12, in the LLC of the target and around it. */
WK_INLINE s32 wk_pick_in_llc(struct wk_ctx *c)
{
	s32 llc = wk_llc_of(c->topo, c->w->target), cid;

	/* An LLC of one CPU is no domain. */
	if (llc == WK_NONE || wk_at(c->topo->llc, llc).domain == WK_NONE)
		return WK_NONE;
	c->pick->flags |= WK_PICK_DOMAIN_SEARCH;
	cid = wk_call(wk_pick_prev_sibling, c);
	if (cid == WK_NONE)
		cid = wk_scan_around(c, c->w->target, (u32)llc);
	if (cid == WK_NONE)
		cid = wk_call(wk_pick_target_sibling, c);
	if (cid == WK_NONE)
		cid = wk_call(wk_scan_node, c);
	if (cid == WK_NONE)
		cid = wk_call(wk_pick_kept, c);
	return cid;
}

/* Steps 2 to 13. */
WK_LONG_STEP s32 wk_pick_sibling(struct wk_ctx *c)
{
	s32 cid;

	c->pick->flags |= WK_PICK_SEARCH;
	c->pick->scanned = 1;
	cid = wk_call(wk_pick_single, c);
	if (cid == WK_NONE)
		cid = wk_call(wk_pick_capacity, c);
	if (cid == WK_NONE)
		cid = wk_pick_in_llc(c);
	if (cid != WK_NONE)
		return cid;
	c->pick->flags |= WK_PICK_FAILED;
	c->pick->why = WK_WHY_TARGET_BUSY;
	return (s32)c->w->target;
}

WK_UNIT(wk_pick_sibling)

/* Without a claim, or with a CPU that is not idle, there is nothing to lose a race for. */
WK_INLINE bool wk_claimed(struct wk_ctx *c, s32 cid)
{
	if (!wk_has(c->pol, WK_FEAT_CLAIM) || !wk_is_cid(c->topo, cid) ||
	    !wk_available(c, (u32)cid))
		return true;
	return wk_claim64(&wk_at(c->state->idle.word, (u32)cid / 64), 1ULL << ((u32)cid % 64));
}

WK_INLINE s32 wk_pick_wake(struct wk_ctx *c)
{
	s32 cid = WK_NONE;
	u32 try;

	wk_record_wakee(c);
	c->w->pair = wk_is_pair(c);
	c->w->want_affine = wk_want_affine(c);
	wk_choose_target(c);
	for (try = 0; try < WK_CLAIM_TRIES; try++) {
		cid = wk_call(wk_pick_sibling, c);
		if (wk_claimed(c, cid))
			break;
	}
	c->req->wakee->recent = c->w->recent;
	/* 5.2 keeps the recent CPU on the waker's side. */
	if (wk_rules(c->pol) <= 5 && c->w->want_affine)
		c->req->waker->recent = (s32)c->w->waker;
	return cid;
}

/* ---- steps 0 and 14: what all classes share ---- */

WK_INLINE bool wk_usable(const struct wk_ctx *c, u32 cid)
{
	return wk_mask_test(&c->state->active, cid) && wk_may_use(c, cid);
}

/* The task has no choice: the CPU, or WK_NONE. */
WK_INLINE s32 wk_pick_pinned(struct wk_ctx *c)
{
	const struct wk_request *req = c->req;
	struct wk_range all = {0, c->topo->nr_cids};

	if (req->wakee->flags & WK_TASK_MIGRATION_DISABLED)
		return c->w->prev;
	if (req->nr_allowed != 1)
		return WK_NONE;
	return wk_mask_first_and(req->allowed, (const struct wk_mask *)0, all);
}

/*
 * select_fallback_rq(): the lowest CPU number on prev's node, else anywhere. Nothing
 * at all leaves the task at prev.
 */
WK_INLINE s32 wk_pick_fallback(struct wk_ctx *c)
{
	u32 cid, nr = c->topo->nr_cids, near_cpu = WK_NO_LIMIT, any_cpu = WK_NO_LIMIT;
	u32 node = wk_at(c->topo->sil, c->w->prev).node;
	s32 near = WK_NONE, any = WK_NONE;

	c->pick->why = WK_WHY_NOT_ALLOWED;
	wk_loop_for(cid, 0, nr) {
		u32 cpu = wk_at(c->topo->cpu_of, cid);

		if (!wk_usable(c, cid))
			continue;
		if (cpu < any_cpu) {
			any_cpu = cpu;
			any = (s32)cid;
		}
		if (cpu < near_cpu && wk_at(c->topo->sil, cid).node == node) {
			near_cpu = cpu;
			near = (s32)cid;
		}
	}
	return near != WK_NONE ? near : any != WK_NONE ? any : c->w->prev;
}
WK_UNIT(wk_pick_fallback)

/*
 * The wakee has not left its CPU yet: where the rules allow it, that CPU wakes it,
 * and nobody chooses.
 */
WK_INLINE bool wk_queued_on_cpu(struct wk_ctx *c)
{
	if (wk_rules(c->pol) <= 5 || c->req->kind != WK_REQ_WAKE || !c->req->wakee_on_cpu ||
	    wk_handoff(c->topo, c->state, c->pol, c->req, (u32)c->w->prev) != WK_HANDOFF_QUEUED)
		return false;
	c->pick->cid = c->pick->target = c->w->prev;
	c->pick->why = WK_WHY_ON_CPU;
	c->pick->handoff = WK_HANDOFF_QUEUED;
	return true;
}

WK_INLINE void wk_decide(struct wk_ctx *c)
{
	struct wk_pick *pick = c->pick;
	s32 cid;

	if (wk_queued_on_cpu(c))
		return;
	pick->why = WK_WHY_PINNED;
	pick->target = c->w->prev;
	cid = wk_pick_pinned(c);
	if (cid == WK_NONE)
		cid = c->req->kind == WK_REQ_WAKE ? wk_pick_wake(c) : wk_call(wk_pick_idlest, c);
	if (pick->why != WK_WHY_CRASH && (!wk_is_cid(c->topo, cid) || !wk_usable(c, (u32)cid)))
		cid = wk_call(wk_pick_fallback, c);
	pick->cid = cid;
	pick->handoff = wk_handoff(c->topo, c->state, c->pol, c->req, (u32)cid);
}

/* Before the first step: c->topo, state, pol, req and pick are set; all else is set here. */
WK_INLINE void wk_begin(struct wk_ctx *c)
{
	const struct wk_request *req = c->req;
	const struct wk_task *wakee = req->wakee;
	u32 rules = wk_rules(c->pol);
	struct wk_work *w = &c->pick->work;

	__builtin_memset(c->pick, 0, __builtin_offsetof(struct wk_pick, work));
	c->pick->budget = WK_NO_LIMIT;
	c->w = w;
	c->allowed = req->allowed;
	w->waker = req->waker_cid < WK_MAX_CPUS ? req->waker_cid : 0;
	w->prev = wk_is_cid(c->topo, wakee->prev) ? wakee->prev : (s32)w->waker;
	w->prev_kept = w->recent_kept = WK_NONE;
	w->target = (u32)w->prev;
	w->recent = wakee->recent;
	w->load = wakee->load;
	w->util = wakee->util;
	w->runnable = wakee->runnable;
	w->kind = req->kind;
	w->context = req->context;
	w->now_tick = req->now_tick;
	w->every_cpu = !req->nr_allowed;
	w->sched_idle_ok = rules == 6 || (rules > 6 && !(wakee->flags & WK_TASK_IDLE_POLICY));
	w->plain = wk_is_plain(c);
	w->prev_read = false;
}

/*
 * Decides one wake-up, fork or exec. *ret_pick is filled, and is room for the steps;
 * the waker's flips, the wakee's recent CPU, and the state's words marked "waker" are
 * updated. With why == CRASH the kernel would not have come back.
 */
WK_INLINE void wk_pick(const struct wk_topo *topo, struct wk_state *state,
		       const struct wk_policy *pol, const struct wk_request *req,
		       struct wk_pick *ret_pick)
{
	struct wk_ctx c = {
		.topo = topo,
		.state = state,
		.pol = pol,
		.req = req,
		.pick = ret_pick,
	};

	wk_begin(&c);
	wk_decide(&c);
}

#endif
