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

	return wk_rules(c->pol) > 5 && !(c->pol->flags & special) && c->w->every_cpu &&
	       !(c->topo->cluster_active && wk_has(c->pol, WK_FEAT_CLUSTER_SCAN));
}

/* The idle CPUs of word @w; with @only_too those that run SCHED_IDLE tasks as well. */
WK_INLINE u64 wk_idle_word(const struct wk_state *state, bool only_too, u32 w)
{
	if (w >= WK_MASK_WORDS)
		return 0;
	return wk_at(state->idle.word, w) | (only_too ? wk_at(state->idle_only.word, w) : 0);
}

WK_INLINE bool wk_range_is_busy(const struct wk_state *state, bool only_too, u32 first, u32 len)
{
	struct wk_range r = {first, len};
	u32 w, word = first / 64, end = wk_range_words_end(r);
	u64 some = 0;

	if (len - 1 < 64 - first % 64)
		return !(wk_idle_word(state, only_too, word) >> first % 64 << (64 - len));
	/* The ends of the range cost more than the words: only where something is idle. */
	wk_loop_for(w, word, end) {
		some = wk_idle_word(state, only_too, w);
		if (some)
			some &= wk_range_word(r, w);
		if (some)
			break;
	}
	return !some;
}

#ifdef __bpf__
__attribute__((weak, noinline)) int wk_range_is_busy_unit(u32 only_too, u32 first, u32 len)
{
	return wk_range_is_busy(&wk_state_live, only_too != 0, first, len);
}
#define wk_range_is_busy(state, only_too, first, len) wk_range_is_busy_unit(only_too, first, len)
#endif

/* True if no CPU of @r, an LLC or a node, is idle as this wakee sees it. */
WK_INLINE bool wk_nothing_idle(const struct wk_ctx *c, struct wk_range r)
{
	return wk_range_is_busy(c->state, c->w->sched_idle_ok, r.first, r.len);
}

/*
 * The first @n reads of a walk from ring position @start in the waker's own LLC, by tier; false
 * where that takes a walk. Who shares its L2 is nearer than the others, who are all at one tier.
 */
WK_INLINE bool wk_charge_own(struct wk_ctx *c, const struct wk_llc *llc, u32 start, u32 n)
{
	const struct wk_silicon *sil = c->topo->sil;
	u32 first = llc->span.first, last = first + llc->span.len - 1, cid, end, far = n;
	struct wk_range l2;

	if (c->w->waker >= WK_MAX_CPUS || first >= WK_MAX_CPUS || last >= WK_MAX_CPUS ||
	    !wk_range_has(llc->span, c->w->waker) || sil[first].llc != sil[last].llc)
		return false;
	l2 = wk_at(c->topo->cid, c->w->waker).l2;
	end = l2.first + l2.len < last + 1 ? l2.first + l2.len : last + 1;
	wk_loop_for(cid, l2.first > first ? l2.first : first, end) {
		u32 pos = cid < WK_MAX_CPUS ? wk_at(c->topo->cid, cid).scan_pos : 0;

		if ((pos >= start ? pos - start : pos + llc->weight - start) < n) {
			wk_read_rq(c, cid);
			far--;
		}
	}
	c->pick->probes[WK_TIER_LLC] = (u16)(c->pick->probes[WK_TIER_LLC] + far);
	return true;
}

/*
 * Charges the vain scan of scan.row around scan.target: what the walk by budget would have
 * read there. 0 where only a walk can tell; nothing is charged then. The decision is
 * plain and nothing in the LLC is idle.
 */
WK_INLINE s32 wk_charge_vain(struct wk_ctx *c)
{
	struct wk_pick *pick = c->pick;
	const struct wk_llc *llc = &wk_at(c->topo->llc, c->w->scan.row);
	u32 n, scan = WK_NO_LIMIT, start = wk_at(c->topo->cid, c->w->scan.target).scan_pos + 1;
	u64 x;

	if (wk_has(c->pol, WK_FEAT_SIS_UTIL))
		scan = wk_read_once(wk_at(c->state->llc, c->w->scan.row).nr_idle_scan);
	if (llc->mask != WK_NONE || !scan)
		return 0;
	n = llc->weight < scan ? llc->weight : scan;
	x = wk_llc_far(llc, wk_at(c->topo->sil, c->w->waker).code);
	if (x)
		wk_at(pick->probes, c->topo->tier_of_bit[wk_bits64(x)]) += (u16)n;
	else if (!wk_charge_own(c, llc, start < llc->weight ? start : 0, n))
		return 0;
	if (!pick->nr_llcs && pick->budget == WK_NO_LIMIT)
		pick->budget = scan;
	if (pick->nr_llcs < 255)
		pick->nr_llcs++;
	pick->scanned += n;
	if (n < llc->weight)
		pick->flags |= WK_PICK_EXHAUSTED;
	return 1;
}
WK_UNIT(wk_charge_vain)

#endif
