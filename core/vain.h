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

	return c->rules > 5 && !(c->pol->flags & special) && !c->req->allowed &&
	       !(c->topo->cluster_active && wk_has(c->pol, WK_FEAT_CLUSTER_SCAN));
}

/* The idle CPUs of word @w, as this wakee sees them. */
WK_INLINE u64 wk_idle_word(const struct wk_ctx *c, u32 w)
{
	if (w >= WK_MASK_WORDS)
		return 0;
	return c->state->idle.word[w] | (c->sched_idle_ok ? c->state->idle_only.word[w] : 0);
}

/* True if none of the @len CPUs from @first on, an LLC or a node of them, is idle. */
WK_STEP bool wk_nothing_idle(const struct wk_ctx *c, u32 first, u32 len)
{
	struct wk_range r = {first, len};
	u32 w, word = first / 64, end = wk_range_words_end(r);
	u64 some = 0;

	if (len - 1 < 64 - first % 64)
		return !(wk_idle_word(c, word) >> first % 64 << (64 - len));
	/* The ends of the range cost more than the words: only where something is idle. */
	wk_loop_for(w, word, end) {
		some = wk_idle_word(c, w);
		if (some)
			some &= wk_range_word(r, w);
		if (some)
			break;
	}
	return !some;
}

/*
 * The first @n reads of a walk from ring position @start in the waker's own LLC, by tier; false
 * where that takes a walk. Who shares its L2 is nearer than the others, who are all at one tier.
 */
WK_STEP bool wk_charge_own(struct wk_ctx *c, const struct wk_llc *llc, u32 start, u32 n)
{
	const struct wk_silicon *sil = c->topo->sil;
	u32 first = llc->span.first, last = first + llc->span.len - 1, cid, end, far = n;
	struct wk_range l2;

	if (c->waker >= WK_MAX_CPUS || first >= WK_MAX_CPUS || last >= WK_MAX_CPUS ||
	    !wk_range_has(llc->span, c->waker) || sil[first].llc != sil[last].llc)
		return false;
	l2 = c->topo->cid[c->waker].l2;
	end = l2.first + l2.len < last + 1 ? l2.first + l2.len : last + 1;
	wk_loop_for(cid, l2.first > first ? l2.first : first, end) {
		u32 pos = cid < WK_MAX_CPUS ? c->topo->cid[cid].scan_pos : 0;

		if ((pos >= start ? pos - start : pos + llc->weight - start) < n) {
			wk_read_rq(c, cid);
			far--;
		}
	}
	c->pick->probes[WK_TIER_LLC] = (u16)(c->pick->probes[WK_TIER_LLC] + far);
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
	u32 n, scan = WK_NO_LIMIT;
	u64 x;

	if (row >= WK_MAX_LLCS)
		return false;
	llc = &c->topo->llc[row];
	if (wk_has(c->pol, WK_FEAT_SIS_UTIL))
		scan = wk_read_once(c->state->llc[row].nr_idle_scan);
	if (llc->mask != WK_NONE || !scan)
		return false;
	n = llc->weight < scan ? llc->weight : scan;
	x = wk_llc_far(llc, c->topo->sil[c->waker % WK_MAX_CPUS].code);
	if (x)
		pick->probes[c->topo->tier_of_bit[wk_bits64(x)] % WK_TIER_NR] += (u16)n;
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
