// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "sim/hist.h"

void wk_hist_init(struct wk_hist *h)
{
	memset(h, 0, sizeof(*h));
}

void wk_hist_merge(struct wk_hist *h, const struct wk_hist *from)
{
	if (!from->nr)
		return;
	h->min = h->nr && h->min < from->min ? h->min : from->min;
	h->max = h->max > from->max ? h->max : from->max;
	h->nr += from->nr;
	h->sum += from->sum;
	for (u32 i = 0; i < WK_HIST_BUCKETS; i++)
		h->bucket[i] += from->bucket[i];
}

/* The middle of a bucket, rounded down; exact for buckets of one value. */
static u64 bucket_middle(u32 index)
{
	u32 shift = index >> WK_HIST_BITS;

	if (shift < 2) /* the first octave with 64 buckets has one a value, too */
		return index;
	shift--;
	return ((u64)(index - (shift << WK_HIST_BITS)) << shift) + (1ULL << (shift - 1));
}

/* ceil(nr * permil / 1000), without the product's overflow. */
static u64 rank_of(u64 nr, u32 permil)
{
	u64 rank = nr / 1000 * permil + (nr % 1000 * permil + 999) / 1000;

	if (rank > nr)
		return nr;
	return rank ? rank : 1;
}

u64 wk_hist_percentile(const struct wk_hist *h, u32 permil)
{
	u64 rank, seen = 0, ret;
	u32 i;

	if (!h->nr)
		return 0;
	rank = rank_of(h->nr, permil);
	for (i = 0; i < WK_HIST_BUCKETS - 1; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			break;
	}
	ret = bucket_middle(i);
	if (ret < h->min)
		return h->min;
	return ret < h->max ? ret : h->max;
}
