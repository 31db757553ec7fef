// SPDX-License-Identifier: GPL-2.0-only
/* Where two CPUs meet: wk_topo_tier() against the nesting, and the questions built on it. */
#include "core/vain.h"
#include "tests/support/test.h"
#include "tests/unit/core/topo_helper.h"

static const struct wkt_shape shapes[] = {
	{.cores = 1},
	{.packages = 2, .nodes = 2, .llcs = 3, .clusters = 3, .cores = 3, .threads = 2},
	{.packages = 2, .nodes = 4, .llcs = 2, .cores = 8, .threads = 2},
	{.llcs = 5, .cores = 3, .threads = 4},
	{.packages = 3, .cores = 5},
};

#define NR_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static u32 tier_by_nesting(struct wkt_widths w, u32 a, u32 b)
{
	if (a == b)
		return WK_TIER_SELF;
	if (a / w.core == b / w.core)
		return WK_TIER_SMT;
	if (a / w.cluster == b / w.cluster)
		return w.cluster == w.llc ? WK_TIER_LLC : WK_TIER_CLUSTER;
	if (a / w.llc == b / w.llc)
		return WK_TIER_LLC;
	if (a / w.node == b / w.node)
		return WK_TIER_NEAR;
	return a / w.package == b / w.package ? WK_TIER_HALF : WK_TIER_MACHINE;
}

static void the_tier_of_two_cpus_is_where_their_units_meet(void **state)
{
	(void)state;
	for (u32 s = 0; s < NR_SHAPES; s++) {
		struct wk_topo *t = wkt_topo(&shapes[s]);
		struct wkt_widths w = wkt_widths(&shapes[s]);

		for (u32 a = 0; a < t->nr_cids; a++)
			for (u32 b = 0; b < t->nr_cids; b++)
				assert_int_equal(wk_topo_tier(t, a, b), tier_by_nesting(w, a, b));
		free(t);
	}
}

static void a_cid_that_there_is_not_is_far_away(void **state)
{
	struct wk_topo *t = wkt_topo(&shapes[1]);

	(void)state;
	assert_int_equal(wk_topo_tier(t, WK_MAX_CPUS, 0), WK_TIER_MACHINE);
	assert_int_equal(wk_topo_tier(t, 0, ~0U), WK_TIER_MACHINE);
	free(t);
}

static void two_cpus_share_an_llc_by_domain_and_a_cpu_always_with_itself(void **state)
{
	struct wk_topo *t = wkt_topo(&shapes[2]);

	(void)state;
	assert_true(wk_topo_share_llc(t, 0, 15));
	assert_false(wk_topo_share_llc(t, 15, 16));
	t->cid[3].llc = t->cid[4].llc = WK_NONE;
	assert_false(wk_topo_share_llc(t, 3, 4));
	assert_true(wk_topo_share_llc(t, 3, 3));
	free(t);
}

/* From outside a range of cids, equal tiers at its ends mean equal tiers everywhere. */
static void the_ends_of_a_range_speak_for_all_of_it(void **state)
{
	struct wk_topo *t = wkt_topo(&shapes[1]);
	struct wk_ctx c = {.topo = t};

	(void)state;
	for (c.waker = 0; c.waker < t->nr_cids; c.waker += 5)
		for (u32 first = 0; first < t->nr_cids; first++)
			for (u32 len = 1; len < 30 && first + len <= t->nr_cids; len++) {
				u32 tier = wk_far_tier(&c, (struct wk_range){first, len});

				for (u32 x = first; tier < WK_TIER_NR && x < first + len; x++)
					assert_int_equal(wk_topo_tier(t, c.waker, x), tier);
			}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tier_of_two_cpus_is_where_their_units_meet),
		cmocka_unit_test(a_cid_that_there_is_not_is_far_away),
		cmocka_unit_test(two_cpus_share_an_llc_by_domain_and_a_cpu_always_with_itself),
		cmocka_unit_test(the_ends_of_a_range_speak_for_all_of_it),
	};

	return cmocka_run_group_tests_name("tiers", tests, NULL, NULL);
}
