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

/* What the codes of an LLC agree in says one tier to all its CPUs, or that there may be none. */
static void the_code_of_an_llc_speaks_for_all_of_it(void **state)
{
	struct wk_topo *t = wkt_topo(&shapes[1]);
	u32 nr_far = 0;

	(void)state;
	for (u32 cid = 0; cid < t->nr_cids; cid++)
		for (u32 row = 0; row < t->nr_llcs; row++) {
			const struct wk_llc *l = &t->llc[row];
			u64 far = wk_llc_far(l, t->sil[cid].code);

			assert_true(!far == wk_range_has(l->span, cid));
			for (u32 x = l->span.first; far && x < l->span.first + l->span.len; x++)
				assert_int_equal(wk_topo_tier(t, cid, x),
						 t->tier_of_bit[wk_bits64(far)]);
			nr_far += far != 0;
		}
	assert_true(nr_far > t->nr_cids);
	free(t);
}

/* Any run of cids, as an LLC that a policy cut out or that lost CPUs: never a wrong tier. */
static void a_run_of_cids_is_never_said_to_be_at_a_tier_that_it_is_not(void **state)
{
	struct wk_topo *t = wkt_topo(&shapes[1]);

	(void)state;
	for (u32 cid = 0; cid < t->nr_cids; cid += 5)
		for (u32 first = 0; first < t->nr_cids; first++)
			for (u32 last = first; last < t->nr_cids && last < first + 30; last++) {
				u64 code = t->sil[first].code, end = t->sil[last].code;
				struct wk_llc l = {.code = code, .outer = wk_topo_outer(code, end)};
				u64 far = wk_llc_far(&l, t->sil[cid].code);

				for (u32 x = first; far && x <= last; x++)
					assert_int_equal(wk_topo_tier(t, cid, x),
							 t->tier_of_bit[wk_bits64(far)]);
			}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tier_of_two_cpus_is_where_their_units_meet),
		cmocka_unit_test(a_cid_that_there_is_not_is_far_away),
		cmocka_unit_test(two_cpus_share_an_llc_by_domain_and_a_cpu_always_with_itself),
		cmocka_unit_test(the_code_of_an_llc_speaks_for_all_of_it),
		cmocka_unit_test(a_run_of_cids_is_never_said_to_be_at_a_tier_that_it_is_not),
	};

	return cmocka_run_group_tests_name("tiers", tests, NULL, NULL);
}
