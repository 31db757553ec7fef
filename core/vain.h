/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walk that need not be walked.
 *
 * Most scans on a loaded machine are vain, and sis_node makes one of them for
 * each LLC of a node. Whether a range holds an idle CPU is a question of one or
 * two words; what the kernel would have read before it gave up can be counted.
 *
 * This works for a *plain* decision: every CPU allowed, the budget from SIS_UTIL
 * or none, no window, no part of the LLC looked at before. Others walk.
 */
#ifndef WK_CORE_VAIN_H
#define WK_CORE_VAIN_H

#include "core/budget.h"
#include "core/ctx.h"

/* Is the decision plain? Asked once. */
WK_INLINE bool wk_is_plain(const struct wk_ctx *c)
{
	const u64 special = 1ULL << WK_FEAT_SIS_PROP | 1ULL << WK_FEAT_SIS_CORE |
			    1ULL << WK_FEAT_WINDOW | 1ULL << WK_FEAT_SIBLINGS_FIRST;

	return c->rules > 5 && !(c->pol->flags & special) && !c->req->wakee->allowed &&
	       !(c->topo->cluster_active && wk_has(c->pol, WK_FEAT_CLUSTER_SCAN));
}

/* The idle CPUs of word @w, as this wakee sees them. */
WK_INLINE u64 wk_idle_word(const struct wk_ctx *c, u32 w)
{
	if (w >= WK_MASK_WORDS)
		return 0;
	return c->state->idle.word[w] | (c->sched_idle_ok ? c->state->idle_only.word[w] : 0);
}

/* True if none of the @len CPUs from @first on is idle. */
WK_STEP bool wk_nothing_idle(const struct wk_ctx *c, u32 first, u32 len)
{
	struct wk_range span = {first, len};
	u32 w, word = first / 64, end = wk_range_words_end(span);
	u64 some = 0;

	if (first % 64 + len <= 64 && len < 64)
		return !(wk_idle_word(c, word) >> first % 64 & ~(~0ULL << len));
	wk_loop_for(w, word, end) {
		some = wk_idle_word(c, w) & wk_range_word(span, w);
		if (some)
			break;
	}
	return !some;
}

/*
 * The one tier from the waker to every CPU of @span, or WK_TIER_NR where there is
 * none. cids are sorted by code, so from outside the span its two ends say it for
 * all between them.
 */
WK_INLINE u32 wk_far_tier(const struct wk_ctx *c, struct wk_range span)
{
	u32 tier;

	if (wk_range_has(span, c->waker))
		return WK_TIER_NR;
	tier = wk_topo_tier(c->topo, c->waker, span.first);
	return tier == wk_topo_tier(c->topo, c->waker, span.first + span.len - 1) ? tier
										  : WK_TIER_NR;
}

/*
 * From the waker up or down: counts the CPUs nearer to it than @tier that are
 * among the first @n of the walk from ring position @start. How many there were.
 */
WK_STEP u32 wk_charge_near(struct wk_ctx *c, const struct wk_llc *llc, u32 start, u64 n_tier,
			   bool up)
{
	u32 i, near = 0, n = (u32)n_tier, limit = (u32)(n_tier >> 32);

	wk_loop_for(i, 1, llc->span.len) {
		u32 cid = up ? c->waker + i : c->waker - i, tier, pos;

		tier = wk_topo_tier(c->topo, c->waker, cid);
		if (tier >= limit || cid >= WK_MAX_CPUS || !wk_range_has(llc->span, cid))
			break;
		pos = c->topo->cid[cid].scan_pos;
		if ((pos >= start ? pos - start : pos + llc->weight - start) >= n)
			continue;
		c->pick->probes[tier]++;
		near++;
	}
	return near;
}

/* The first @n reads of a walk in the waker's own LLC, by tier; false where that takes a walk. */
WK_STEP bool wk_charge_own(struct wk_ctx *c, const struct wk_llc *llc, u32 start, u32 n)
{
	u32 first = wk_topo_tier(c->topo, c->waker, llc->span.first), own, pos;
	u32 last = wk_topo_tier(c->topo, c->waker, llc->span.first + llc->span.len - 1);
	u32 widest = first > last ? first : last;
	u64 n_tier = (u64)widest << 32 | n;

	if (!wk_range_has(llc->span, c->waker) || c->waker >= WK_MAX_CPUS || widest >= WK_TIER_NR)
		return false;
	pos = c->topo->cid[c->waker].scan_pos;
	own = (pos >= start ? pos - start : pos + llc->weight - start) < n;
	c->pick->probes[WK_TIER_SELF] = (u16)(c->pick->probes[WK_TIER_SELF] + own);
	if (widest == WK_TIER_SELF)
		return true;
	own += wk_charge_near(c, llc, start, n_tier, true);
	own += wk_charge_near(c, llc, start, n_tier, false);
	c->pick->probes[widest] = (u16)(c->pick->probes[widest] + n - own);
	return true;
}

/*
 * Charges the vain scan of LLC row @row from ring position @start: what the walk
 * by budget would have read there. False where only a walk can tell; nothing is
 * charged then. The decision is plain and nothing in the LLC is idle.
 */
WK_STEP bool wk_charge_vain(struct wk_ctx *c, u32 row, u32 start)
{
	struct wk_pick *pick = c->pick;
	const struct wk_llc *llc;
	u32 n, tier, scan = WK_NO_LIMIT;

	if (row >= WK_MAX_LLCS)
		return false;
	llc = &c->topo->llc[row];
	if (wk_has(c->pol, WK_FEAT_SIS_UTIL))
		scan = wk_read_once(c->state->llc[row].nr_idle_scan);
	if (llc->mask != WK_NONE || !scan)
		return false;
	n = llc->weight < scan ? llc->weight : scan;
	tier = wk_far_tier(c, llc->span);
	if (tier < WK_TIER_NR)
		pick->probes[tier] = (u16)(pick->probes[tier] + n);
	else if (!wk_charge_own(c, llc, start < llc->weight ? start : 0, n))
		return false;
	if (!pick->nr_llcs && pick->budget == WK_NO_LIMIT)
		pick->budget = scan;
	if (pick->nr_llcs < 255)
		pick->nr_llcs++;
	pick->scanned += n;
	if (n < llc->weight)
		pick->flags |= WK_PICK_EXHAUSTED;
	return true;
}

#endif
