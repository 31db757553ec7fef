// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include "sim/rng.h"

/* Published test vectors of splitmix64 and xoshiro256**. */
static void seed_is_splitmix64(void **state)
{
	struct wk_rng r;

	(void)state;
	wk_rng_seed(&r, 1234567);
	assert_true(r.s[0] == 6457827717110365317ULL);
	assert_true(r.s[1] == 3203168211198807973ULL);
	assert_true(r.s[2] == 9817491932198370423ULL);
	assert_true(r.s[3] == 4593380528125082431ULL);
}

static void next_is_xoshiro256ss(void **state)
{
	static const u64 expected[] = {11520, 0, 1509978240, 1215971899390074240};
	struct wk_rng r = {.s = {1, 2, 3, 4}};

	(void)state;
	for (u32 i = 0; i < 4; i++)
		assert_true(wk_rng_next(&r) == expected[i]);
}

static void streams_are_values(void **state)
{
	struct wk_rng a, b;

	(void)state;
	wk_rng_seed(&a, 7);
	wk_rng_next(&a);
	b = a;
	for (u32 i = 0; i < 100; i++)
		assert_true(wk_rng_next(&a) == wk_rng_next(&b));
	wk_rng_seed(&b, 8);
	assert_false(wk_rng_next(&a) == wk_rng_next(&b));
}

static void below_is_below_and_even(void **state)
{
	u32 seen[10] = {0};
	struct wk_rng r;

	(void)state;
	wk_rng_seed(&r, 0);
	for (u32 i = 0; i < 1000000; i++) {
		u64 x = wk_rng_below(&r, 10);

		assert_true(x < 10);
		seen[x]++;
	}
	/* 100,000 each with a standard deviation of 300 */
	for (u32 i = 0; i < 10; i++)
		assert_in_range(seen[i], 98500, 101500);
}

static void below_at_its_ends(void **state)
{
	struct wk_rng r;

	(void)state;
	wk_rng_seed(&r, ~0ULL);
	for (u32 i = 0; i < 1000; i++) {
		assert_true(wk_rng_below(&r, 0) == 0);
		assert_true(wk_rng_below(&r, 1) == 0);
		assert_true(wk_rng_below(&r, ~0ULL) < ~0ULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seed_is_splitmix64), cmocka_unit_test(next_is_xoshiro256ss),
		cmocka_unit_test(streams_are_values), cmocka_unit_test(below_is_below_and_even),
		cmocka_unit_test(below_at_its_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
