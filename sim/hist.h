/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A histogram of latencies: percentiles of any number of samples in fixed room.
 *
 * Problem: a run has millions of latencies, and the tools it is compared with
 * print percentiles.
 * Idea: buckets that grow with the value, as in fio and schbench: below 128 one
 * bucket a value, above it 64 buckets for each power of two.
 *
 *      0 1 ... 127 | 128 130 ... 254 | 256 260 ... 508 | 512 520 ...
 *        exact           2 wide            4 wide          8 wide
 *
 * A bucket is at most 1/64 of its values wide, and a percentile is the middle of
 * a bucket: off by less than 0.8 %. Minimum, maximum and sum are exact.
 * Ownership: the caller's struct of 30 KB; zeroed by wk_hist_init(); no allocation.
 */
#ifndef WK_SIM_HIST_H
#define WK_SIM_HIST_H

#include "core/host.h"

#define WK_HIST_BITS	   6
#define WK_HIST_PER_OCTAVE (1 << WK_HIST_BITS)
#define WK_HIST_BUCKETS	   ((64 - WK_HIST_BITS + 1) * WK_HIST_PER_OCTAVE)

struct wk_hist {
	u64 nr;
	u64 sum;      /* wraps after 584 years of latency */
	u64 min, max; /* 0 while there is no sample */
	u64 bucket[WK_HIST_BUCKETS];
};

void wk_hist_init(struct wk_hist *h);

/* The bucket of a value: the octave, then the 6 bits behind the leading one. */
static inline u32 wk_hist_index(u64 ns)
{
	u32 shift;

	if (ns < WK_HIST_PER_OCTAVE)
		return (u32)ns;
	shift = 63 - wk_clz64(ns) - WK_HIST_BITS;
	return (shift << WK_HIST_BITS) + (u32)(ns >> shift);
}

static inline void wk_hist_add(struct wk_hist *h, u64 ns)
{
	h->min = h->nr && h->min < ns ? h->min : ns;
	h->max = h->max > ns ? h->max : ns;
	h->nr++;
	h->sum += ns;
	h->bucket[wk_hist_index(ns)]++;
}

/* The samples of @from count as added to @h. */
void wk_hist_merge(struct wk_hist *h, const struct wk_hist *from);

/*
 * The percentile in tenths of a percent: 500 is the median, 999 the 99.9th.
 * It is the sample of rank ceil(nr * permil / 1000), counted from 1, at least 1
 * and at most nr: the smallest value that this share of the samples do not pass.
 * Given as the middle of its bucket, but within [min, max]. 0 without samples.
 */
u64 wk_hist_percentile(const struct wk_hist *h, u32 permil);

/* 0 without samples. */
static inline u64 wk_hist_mean(const struct wk_hist *h)
{
	return h->nr ? h->sum / h->nr : 0;
}

#endif
