/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bitmaps of cids, and searches inside a range of them.
 *
 * Problem: the kernel builds a temporary cpumask on every wake-up; 4,096 bits
 * are as large as the whole BPF stack.
 * Idea: never build one. Every search takes up to two masks and a half-open
 * range (first, len) and walks whole words, with the ends masked off.
 * Ownership: the caller's. A mask is plain words, zero means empty.
 */
#ifndef WK_CORE_MASK_H
#define WK_CORE_MASK_H

#include "core/host.h"
#include "core/limits.h"

struct wk_mask {
	u64 word[WK_MASK_WORDS];
};

struct wk_range {
	u32 first, len; /* half open: [first, first + len) */
};

WK_INLINE bool wk_range_has(struct wk_range r, u32 cid)
{
	return cid - r.first < r.len;
}

WK_INLINE bool wk_mask_test(const struct wk_mask *m, u32 cid)
{
	return cid < WK_MAX_CPUS && (wk_at(m->word, cid / 64) >> (cid % 64) & 1);
}

/* An affinity: NULL means every CPU. */
WK_INLINE bool wk_mask_allows(const struct wk_mask *m, u32 cid)
{
	return !m || wk_mask_test(m, cid);
}

WK_INLINE void wk_mask_set(struct wk_mask *m, u32 cid)
{
	if (cid < WK_MAX_CPUS)
		wk_at(m->word, cid / 64) |= 1ULL << (cid % 64);
}

WK_INLINE void wk_mask_clear(struct wk_mask *m, u32 cid)
{
	if (cid < WK_MAX_CPUS)
		wk_at(m->word, cid / 64) &= ~(1ULL << (cid % 64));
}

/* The bits of word @w that lie inside @r. */
WK_INLINE u64 wk_range_word(struct wk_range r, u32 w)
{
	u32 lo = w * 64, end = r.first + r.len;
	u64 bits = ~0ULL;

	if (end <= lo || r.first >= lo + 64)
		return 0;
	if (r.first > lo)
		bits &= ~0ULL << (r.first - lo);
	if (end < lo + 64)
		bits &= ~(~0ULL << (end - lo));
	return bits;
}

/* Words a range touches: [first / 64, wk_range_words_end). */
WK_INLINE u32 wk_range_words_end(struct wk_range r)
{
	u32 end = (r.first + r.len + 63) / 64;

	return r.len == 0 ? r.first / 64 : end < WK_MASK_WORDS ? end : WK_MASK_WORDS;
}

/* First cid of @a (and @b, which may be NULL) inside @r, or WK_NONE. */
WK_INLINE s32 wk_mask_first_and(const struct wk_mask *a, const struct wk_mask *b, struct wk_range r)
{
	u32 w, end = wk_range_words_end(r);
	s32 found = WK_NONE;

	wk_loop_for(w, r.first / 64, end) {
		if (w >= WK_MASK_WORDS)
			break;
		u64 x = wk_at(a->word, w) & wk_range_word(r, w);

		if (b)
			x &= wk_at(b->word, w);
		if (x) {
			found = (s32)(w * 64 + wk_ctz64(x));
			break;
		}
	}
	return found;
}

/* How many cids of @a (and @b, which may be NULL) lie inside @r. */
WK_INLINE u32 wk_mask_count_and(const struct wk_mask *a, const struct wk_mask *b, struct wk_range r)
{
	u32 w, end = wk_range_words_end(r), n = 0;

	wk_loop_for(w, r.first / 64, end) {
		if (w >= WK_MASK_WORDS)
			break;
		u64 x = wk_at(a->word, w) & wk_range_word(r, w);

		n += wk_popcount64(b ? x & wk_at(b->word, w) : x);
	}
	return n;
}

/* True if every cid of @r is in @m. */
WK_INLINE bool wk_mask_has_range(const struct wk_mask *m, struct wk_range r)
{
	return wk_mask_count_and(m, (const struct wk_mask *)0, r) == r.len;
}

#endif
