/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few statistics that a table of benchmark results needs.
 *
 * Problem: a difference of 5 % between two policies means nothing beside a
 * scatter of 10 %, and the scatter of a scheduler benchmark has two sources:
 * chance, and the regime that the start state pushed it into.
 * Idea: everything is told from independent runs. Two policies are compared by
 * pairs of runs with the same seed and start, as a ratio of means; whether the
 * starts agree is a one-way analysis of variance. Every quantile is computed
 * from the exact distribution, which has a closed form for the cases needed.
 * Ownership: none, nothing is kept.
 */
#ifndef WK_LAB_STATS_H
#define WK_LAB_STATS_H

#include "core/host.h"

double wk_stats_mean(const double *x, u32 n);  /* 0 for n == 0 */
double wk_stats_hmean(const double *x, u32 n); /* harmonic; 0 where a value is not above 0 */
double wk_stats_std(const double *x, u32 n);   /* of a sample (n - 1); 0 for n < 2 */
double wk_stats_median(double *x, u32 n);      /* sorts @x */

/* Student's t with @df >= 1 degrees of freedom: @p of it lies within plus and minus the result. */
double wk_stats_t(double p, u32 df);

/* F with 1 or 2 degrees of freedom above and @df2 below: chance exceeds it with probability @p. */
double wk_stats_f(double p, u32 df1, u32 df2);

struct wk_interval {
	double mid, lo, hi;
	u32 n; /* pairs behind it; lo and hi mean nothing below 2 */
};

/*
 * By how many percent the mean of @x is above the mean of @base, x[i] and
 * base[i] being a pair, with the 95 % interval of that percent. The ratio
 * R = sum x / sum base has the residuals x[i] - R base[i]; their scatter over
 * the mean of base is that of R (the ratio estimator of survey sampling), so
 * that what a pair has in common cancels. False for n == 0 or a base not above 0.
 */
bool wk_stats_ratio(const double *x, const double *base, u32 n, struct wk_interval *ret);

/*
 * Do the groups (group[i] < 8) differ by more than chance? True when the
 * variance between the groups' means exceeds that within the groups at the 1 %
 * level, and the outer means are at least @min_spread apart. Groups of one value
 * say nothing about chance and are left out; of more than three groups left, the
 * first three count.
 */
bool wk_stats_disagree(const double *x, const u8 *group, u32 n, double min_spread);

#endif
