// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "lab/stats.h"

#define MAX_GROUPS  8
#define TEST_GROUPS 3 /* wk_stats_f() knows 1 and 2 degrees of freedom above */
#define TEST_LEVEL  0.01

double wk_stats_mean(const double *x, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / n : 0;
}

double wk_stats_hmean(const double *x, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++) {
		if (!(x[i] > 0))
			return 0;
		sum += 1 / x[i];
	}
	return n ? n / sum : 0;
}

/* Sum of squares around the mean. */
static double squares(const double *x, u32 n)
{
	double mean = wk_stats_mean(x, n), sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum;
}

double wk_stats_std(const double *x, u32 n)
{
	return n < 2 ? 0 : sqrt(squares(x, n) / (n - 1));
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double wk_stats_median(double *x, u32 n)
{
	if (!n)
		return 0;
	qsort(x, n, sizeof(*x), by_value);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* How much of Student's t lies within plus and minus @t: Abramowitz and Stegun, 26.7.3 and 4. */
static double within_t(double t, u32 df)
{
	double sine = t / sqrt(df + t * t), cosine = sqrt(df / (df + t * t));
	double term = df % 2 ? cosine : 1, sum = 0;

	for (u32 k = df % 2 ? 1 : 0; k + 2 <= df; k += 2) {
		sum += term;
		term *= cosine * cosine * (k + 1) / (k + 2);
	}
	if (df % 2 == 0)
		return sine * sum;
	return (atan(t / sqrt(df)) + sine * sum) * 2 / M_PI;
}

double wk_stats_t(double p, u32 df)
{
	double lo = 0, hi = 1;

	while (within_t(hi, df) < p && hi < 1e9)
		hi *= 2;
	for (int i = 0; i < 64; i++) {
		double t = (lo + hi) / 2;

		if (within_t(t, df) < p)
			lo = t;
		else
			hi = t;
	}
	return hi;
}

double wk_stats_f(double p, u32 df1, u32 df2)
{
	double t;

	/* P(F > f) = (1 + 2 f / df2) ^ (-df2 / 2) with two degrees above; t squared with one. */
	if (df1 == 2)
		return (pow(p, -2.0 / df2) - 1) * df2 / 2;
	t = wk_stats_t(1 - p, df2);
	return t * t;
}

bool wk_stats_ratio(const double *x, const double *base, u32 n, struct wk_interval *ret)
{
	double mean = wk_stats_mean(base, n), ratio, sum = 0, half = 0;

	*ret = (struct wk_interval){.n = n};
	if (!(mean > 0))
		return false;
	ratio = wk_stats_mean(x, n) / mean;
	for (u32 i = 0; i < n; i++)
		sum += (x[i] - ratio * base[i]) * (x[i] - ratio * base[i]);
	if (n > 1)
		half = wk_stats_t(0.95, n - 1) * sqrt(sum / (n - 1) / n) / mean;
	ret->mid = (ratio - 1) * 100;
	ret->lo = (ratio - half - 1) * 100;
	ret->hi = (ratio + half - 1) * 100;
	return true;
}

struct group {
	double sum, squares;
	u32 n;
};

/* The sums of the first three groups of two values or more; how many there are. */
static u32 gather(const double *x, const u8 *group, u32 n, struct group *ret)
{
	u32 nr = 0;

	for (u32 g = 0; g < MAX_GROUPS && nr < TEST_GROUPS; g++) {
		struct group sum = {0};

		for (u32 i = 0; i < n; i++)
			if (group[i] == g)
				sum.sum += x[i], sum.n++;
		for (u32 i = 0; i < n && sum.n; i++)
			if (group[i] == g)
				sum.squares += (x[i] - sum.sum / sum.n) * (x[i] - sum.sum / sum.n);
		if (sum.n > 1)
			ret[nr++] = sum;
	}
	return nr;
}

bool wk_stats_disagree(const double *x, const u8 *group, u32 n, double min_spread)
{
	struct group g[TEST_GROUPS];
	u32 nr = gather(x, group, n, g), all = 0;
	double sum = 0, between = 0, within = 0, least = INFINITY, most = -INFINITY;

	if (nr < 2)
		return false;
	for (u32 i = 0; i < nr; i++)
		sum += g[i].sum, all += g[i].n, within += g[i].squares;
	for (u32 i = 0; i < nr; i++) {
		double mean = g[i].sum / g[i].n;

		between += (mean - sum / all) * (mean - sum / all) * g[i].n;
		least = fmin(least, mean);
		most = fmax(most, mean);
	}
	if (most - least < min_spread)
		return false;
	return between / (nr - 1) > within / (all - nr) * wk_stats_f(TEST_LEVEL, nr - 1, all - nr);
}
