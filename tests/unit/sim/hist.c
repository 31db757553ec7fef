// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include <stdlib.h>

#include "sim/hist.h"
#include "sim/rng.h"

#define NR 20000

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* The rank rule in the header, on the samples themselves. */
static u64 exact(const u64 *sorted, u64 nr, u32 permil)
{
	u64 rank = (nr * permil + 999) / 1000;

	return sorted[rank ? rank - 1 : 0];
}

/* Half a bucket of 1/64, and the rounding down. */
static bool near(u64 got, u64 expected)
{
	u64 off = got > expected ? got - expected : expected - got;

	return off <= expected / 128 + 1;
}

static bool percentiles_agree(const struct wk_hist *h, u64 *sample, u64 nr)
{
	qsort(sample, nr, sizeof(*sample), by_value);
	for (u32 permil = 0; permil <= 1000; permil++)
		if (!near(wk_hist_percentile(h, permil), exact(sample, nr, permil)))
			return false;
	return h->nr == nr && h->min == sample[0] && h->max == sample[nr - 1];
}

/* @bits: how many bits a sample has at most; each length is as likely as another. */
static bool run_random(u32 bits, u64 nr, bool fault)
{
	static struct wk_hist h;
	static u64 sample[NR];
	struct wk_rng r;

	wk_rng_seed(&r, bits * nr);
	wk_hist_init(&h);
	for (u64 i = 0; i < nr; i++) {
		sample[i] = wk_rng_next(&r) >> (64 - bits) >> wk_rng_below(&r, bits);
		wk_hist_add(&h, sample[i]);
	}
	if (fault) /* as many again, in a bucket where none was */
		h.bucket[wk_hist_index(sample[0]) + 2] += nr;
	return percentiles_agree(&h, sample, nr);
}

static void as_a_sorted_array(void **state)
{
	static const u32 bits[] = {1, 6, 7, 8, 20, 40, 63, 64};
	static const u64 numbers[] = {1, 2, 3, 99, 1000, 1001, NR};

	(void)state;
	for (u32 b = 0; b < 8; b++)
		for (u32 n = 0; n < 7; n++)
			assert_true(run_random(bits[b], numbers[n], false));
}

static void a_fault_is_caught(void **state)
{
	(void)state;
	assert_false(run_random(20, 1000, true));
}

static void buckets_follow_each_other(void **state)
{
	(void)state;
	for (u64 v = 0; v < 128; v++)
		assert_int_equal(wk_hist_index(v), v);
	for (u32 bit = 7; bit < 64; bit++) {
		u64 v = 1ULL << bit, width = v / WK_HIST_PER_OCTAVE;

		assert_int_equal(wk_hist_index(v), wk_hist_index(v - 1) + 1);
		assert_int_equal(wk_hist_index(v + width - 1), wk_hist_index(v));
		assert_int_equal(wk_hist_index(v + width), wk_hist_index(v) + 1);
	}
	assert_int_equal(wk_hist_index(~0ULL), WK_HIST_BUCKETS - 1);
}

static void merge_is_adding_all(void **state)
{
	static struct wk_hist a, b, all;
	struct wk_rng r;

	(void)state;
	wk_rng_seed(&r, 3);
	wk_hist_init(&a);
	wk_hist_init(&b);
	wk_hist_init(&all);
	for (u32 i = 0; i < 1000; i++) {
		u64 v = 10 + wk_rng_below(&r, 1000000);

		wk_hist_add(i % 3 ? &a : &b, v);
		wk_hist_add(&all, v);
	}
	wk_hist_merge(&a, &b);
	assert_memory_equal(&a, &all, sizeof(a));
	wk_hist_init(&b);
	wk_hist_merge(&a, &b);
	assert_memory_equal(&a, &all, sizeof(a));
	wk_hist_merge(&b, &a);
	assert_memory_equal(&b, &all, sizeof(b));
}

static void nothing_at_all(void **state)
{
	static struct wk_hist h;

	(void)state;
	wk_hist_init(&h);
	assert_true(wk_hist_percentile(&h, 500) == 0);
	assert_true(wk_hist_mean(&h) == 0);
	assert_true(h.min == 0 && h.max == 0);
}

static void one_sample_is_every_percentile(void **state)
{
	static struct wk_hist h;

	(void)state;
	wk_hist_init(&h);
	wk_hist_add(&h, 123457);
	assert_true(wk_hist_percentile(&h, 0) == 123457);
	assert_true(wk_hist_percentile(&h, 999) == 123457);
	assert_true(wk_hist_percentile(&h, 5000) == 123457);
	assert_true(wk_hist_mean(&h) == 123457);
}

/* Ranks of more samples than nr * permil may have bits for. */
static void very_many_samples(void **state)
{
	static struct wk_hist h;

	(void)state;
	wk_hist_init(&h);
	wk_hist_add(&h, 1);
	wk_hist_add(&h, 100);
	h.bucket[1] = h.bucket[100] = 1ULL << 62;
	h.nr = 1ULL << 63;
	assert_true(wk_hist_percentile(&h, 500) == 1);
	assert_true(wk_hist_percentile(&h, 501) == 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_sorted_array),
		cmocka_unit_test(a_fault_is_caught),
		cmocka_unit_test(buckets_follow_each_other),
		cmocka_unit_test(merge_is_adding_all),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(one_sample_is_every_percentile),
		cmocka_unit_test(very_many_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
