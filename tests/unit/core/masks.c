// SPDX-License-Identifier: GPL-2.0-only
/*
 * Masks against a naive set of bytes, driven by small programs of operations. One
 * operation corrupts the naive set only: that must be noticed.
 */
#include <string.h>

#include "core/mask.h"
#include "tests/support/test.h"
#include "tests/unit/core/random.h"

enum op { SET, CLEAR, CLAIM, CORRUPT, NR_OPS };

struct sets {
	struct wk_mask mask, other;
	bool naive[WK_MAX_CPUS], naive_other[WK_MAX_CPUS];
};

static void apply(struct sets *s, enum op op, u32 cid)
{
	switch (op) {
	case SET:
		wk_mask_set(&s->mask, cid);
		s->naive[cid] = true;
		break;
	case CLEAR:
		wk_mask_clear(&s->mask, cid);
		s->naive[cid] = false;
		break;
	case CLAIM:
		assert_int_equal(wk_claim64(&s->mask.word[cid / 64], 1ULL << cid % 64),
				 s->naive[cid]);
		s->naive[cid] = false;
		break;
	case CORRUPT:
		s->naive[cid] = !s->naive[cid];
		break;
	default:
		break;
	}
}

static bool same_members(const struct sets *s)
{
	for (u32 c = 0; c < WK_MAX_CPUS; c++)
		if (wk_mask_test(&s->mask, c) != s->naive[c])
			return false;
	return true;
}

/* The searches in one range, with and without the second mask. */
static bool same_range(const struct sets *s, struct wk_range r)
{
	u32 count = 0, both = 0;
	s32 first = WK_NONE, first_both = WK_NONE;

	for (u32 c = r.first; c < r.first + r.len; c++) {
		if (!s->naive[c])
			continue;
		count++;
		first = first < 0 ? (s32)c : first;
		if (!s->naive_other[c])
			continue;
		both++;
		first_both = first_both < 0 ? (s32)c : first_both;
	}
	return wk_mask_count_and(&s->mask, NULL, r) == count &&
	       wk_mask_count_and(&s->mask, &s->other, r) == both &&
	       wk_mask_first_and(&s->mask, NULL, r) == first &&
	       wk_mask_first_and(&s->mask, &s->other, r) == first_both &&
	       wk_mask_has_range(&s->mask, r) == (count == r.len);
}

static struct wk_range random_range(struct wkt_rng *g)
{
	struct wk_range r = {.first = wkt_below(g, WK_MAX_CPUS)};

	r.len = wkt_below(g, wkt_one_in(g, 2) ? 130 : WK_MAX_CPUS) + 1;
	if (r.first + r.len > WK_MAX_CPUS)
		r.len = WK_MAX_CPUS - r.first;
	return r;
}

/* One program of @nr_ops operations; false as soon as the two sets differ. */
static bool run(u64 seed, u32 nr_ops, u32 kinds)
{
	struct wkt_rng g = {seed};
	struct sets s;
	bool same = true;

	memset(&s, 0, sizeof(s));
	for (u32 i = 0; i < 1500; i++) {
		u32 c = wkt_below(&g, WK_MAX_CPUS);

		wk_mask_set(&s.other, c);
		s.naive_other[c] = true;
	}
	for (u32 i = 0; same && i < nr_ops; i++) {
		apply(&s, wkt_one_in(&g, 2) ? SET : (enum op)wkt_below(&g, kinds),
		      wkt_below(&g, WK_MAX_CPUS));
		same = i % 16 || same_range(&s, random_range(&g));
	}
	return same && same_members(&s);
}

static void masks_agree_with_a_naive_set(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 40; seed++)
		assert_true(run(seed, 4000, CORRUPT));
}

static void a_corrupted_set_is_noticed(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 40; seed++)
		assert_false(run(seed, 4000, NR_OPS));
}

static void ids_beyond_the_limit_are_in_no_mask(void **state)
{
	struct wk_mask m = {{0}};

	(void)state;
	wk_mask_set(&m, WK_MAX_CPUS);
	wk_mask_set(&m, ~0U);
	wk_mask_clear(&m, ~0U);
	assert_int_equal(wk_mask_count_and(&m, NULL, (struct wk_range){0, WK_MAX_CPUS}), 0);
	assert_false(wk_mask_test(&m, WK_MAX_CPUS));
}

static void an_empty_range_holds_nothing(void **state)
{
	struct wk_mask m;

	(void)state;
	memset(&m, 0xff, sizeof(m));
	assert_int_equal(wk_mask_first_and(&m, NULL, (struct wk_range){64, 0}), WK_NONE);
	assert_int_equal(wk_mask_count_and(&m, NULL, (struct wk_range){100, 0}), 0);
	assert_true(wk_mask_has_range(&m, (struct wk_range){100, 0}));
	assert_false(wk_range_has((struct wk_range){5, 0}, 5));
}

static void bit_searches_agree_with_loops(void **state)
{
	struct wkt_rng g = {7};

	(void)state;
	for (u32 i = 0; i < 10000; i++) {
		u64 x = wkt_random(&g) >> wkt_below(&g, 64) << wkt_below(&g, 64);
		u32 low = 0, high = 0, n = 0;

		if (!x)
			continue;
		while (!(x >> low & 1))
			low++;
		while (!(x << high >> 63))
			high++;
		for (u32 b = 0; b < 64; b++)
			n += x >> b & 1;
		assert_int_equal(wk_ctz64(x), low);
		assert_int_equal(wk_clz64(x), high);
		assert_int_equal(wk_popcount64(x), n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks_agree_with_a_naive_set),
		cmocka_unit_test(a_corrupted_set_is_noticed),
		cmocka_unit_test(ids_beyond_the_limit_are_in_no_mask),
		cmocka_unit_test(an_empty_range_holds_nothing),
		cmocka_unit_test(bit_searches_agree_with_loops),
	};

	return cmocka_run_group_tests_name("masks", tests, NULL, NULL);
}
