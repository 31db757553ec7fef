// SPDX-License-Identifier: GPL-2.0-only
/* Each invariant broken once, and the check says which. */
#include <errno.h>

#include "tests/unit/machine/topo_test.h"

static struct wk_topo *zen, *kunpeng;

/* One deliberate fault, and a word of the line that has to name it. */
struct fault {
	const char *name, *expected;
	void (*make)(struct wk_topo *t);
};

#define FAULT(name_, expected_, statement)           \
	static void fault_##name_(struct wk_topo *t) \
	{                                            \
		statement;                           \
	}
#define FAULTS(X)                                                                                \
	X(no_cids, "counts", t->nr_cids = 0)                                                     \
	X(many_cids, "counts", t->nr_cids = WK_MAX_CPUS + 1)                                     \
	X(many_llcs, "counts", t->nr_llcs = WK_MAX_LLCS + 1)                                     \
	X(stray_online, "online, but there are", wk_mask_set(&t->online, 4000))                  \
	X(cpu_of, "does not lead back", t->cpu_of[5] = t->cpu_of[6])                             \
	X(cid_of, "does not lead back", t->cid_of[t->cpu_of[3]] = 9)                             \
	X(cid_of_more, "have a cid", t->cid_of[4000] = 9)                                        \
	X(node, "mask of node", t->sil[0].node = 1)                                              \
	X(node_range, "out of range", t->sil[0].node = 60)                                       \
	X(node_mask, "mask of node", wk_mask_clear(&t->node_mask[0], 1))                         \
	X(node_id, "after", t->node_id[1] = t->node_id[0])                                       \
	X(distance, "distance", t->distance[0][1] = 3)                                           \
	X(distance_self, "distance", t->distance[1][1] = 20)                                     \
	X(capacity, "capacity", t->sil[7].capacity = 2000)                                       \
	X(core, "not in its core", t->sil[4].core_len = 0)                                       \
	X(core_of_another, "its core is not", t->sil[4].core_len = 3)                            \
	X(code, "the same code", t->sil[4].code = t->sil[5].code)                                \
	X(silicon_llc, "against LLCs", t->sil[4].llc = 1)                                        \
	X(package, "against packages", t->sil[4].package = 1)                                    \
	X(tier_order, "tier_of_bit", t->tier_of_bit[1] = WK_TIER_MACHINE)                        \
	X(tier_self, "tier_of_bit", t->tier_of_bit[0] = WK_TIER_SMT)                             \
	X(tier_meaning, "against", t->tier_of_bit[2] = WK_TIER_SMT)                              \
	X(level, "level", t->domain[0].level = WK_LEVEL_NR)                                      \
	X(span_end, "out of bounds", t->domain[0].span.len = 5000)                               \
	X(span_empty, "out of bounds", t->domain[0].span.len = 0)                                \
	X(span_mask, "out of bounds", t->domain[0].mask = 200)                                   \
	X(weight, "weight", t->domain[1].weight++)                                               \
	X(offline_member, "offline CPU", wk_mask_clear(&t->online, 3))                           \
	X(imbalance, "imbalance", t->domain[0].imbalance_pct = 200)                              \
	X(groups_none, "groups", t->domain[1].groups.len = 0)                                    \
	X(groups_end, "groups", t->domain[1].groups.first = 40000)                               \
	X(groups_short, "leave CPUs out", t->domain[1].groups.len--)                             \
	X(group_outside, "not inside", t->group[t->domain[1].groups.first].span.first = 90)      \
	X(group_weight, "weight", t->group[t->domain[1].groups.first].weight = 9)                \
	X(group_first, "first cid", t->group[t->domain[1].groups.first].first_cid++)             \
	X(chain_range, "domain", t->cid[2].chain[0] = 8000)                                      \
	X(chain_other, "not in its domain", t->cid[2].chain[0] = t->cid[100].chain[0])           \
	X(chain_short, "misses CPUs", t->cid[2].nr_levels--)                                     \
	X(chain_long, "levels", t->cid[2].nr_levels = 11)                                        \
	X(chain_order, "has no group", swap_levels(t, 2))                                        \
	X(shared_child, "is set above",                                                          \
	  t->domain[t->cid[0].chain[0]].flags &= ~(u32)WK_SD_WAKE_AFFINE)                        \
	X(shared_parent, "is set below", t->domain[t->cid[0].chain[0]].flags |= WK_SD_SERIALIZE) \
	X(llc_range, "LLC", t->cid[2].llc = 300)                                                 \
	X(llc_none, "LLC", t->cid[2].llc = WK_NONE)                                              \
	X(llc_domain, "has domain", t->llc[0].domain = t->cid[0].chain[0])                       \
	X(llc_parent, "has domain", t->llc[0].parent = WK_NONE)                                  \
	X(llc_span, "not the span", t->llc[0].span.len--)                                        \
	X(local_group, "not its own", t->llc[0].local_group++)                                   \
	X(smt, "not its core's", t->cid[8].smt.first = 0)                                        \
	X(l2, "less than the core", t->cid[8].l2.len = 0)                                        \
	X(share_id, "share id", t->cid[8].share_id++)                                            \
	X(scan, "scan", t->scan[3] = t->scan[4])                                                 \
	X(scan_order, "", swap_scan(t))                                                          \
	X(scan_pos, "scan", t->cid[3].scan_pos++)                                                \
	X(first_cid, "first cid", t->llc[0].first_cid++)                                         \
	X(llc_code, "outer bits", t->llc[0].code ^= t->llc[0].outer)                             \
	X(outer, "outer bits", t->llc[0].outer = ~0ULL)                                          \
	X(outer_hole, "outer bits", t->llc[0].outer &= ~(1ULL << 62))                            \
	X(llcs_nr, "LLCs for", t->domain[t->llc[0].parent].llcs.len--)                           \
	X(llcs_first, "not one of its LLCs", t->domain[t->llc[0].parent].llcs.first++)           \
	X(key, "cluster_active", t->cluster_active = !t->cluster_active)

static void swap_levels(struct wk_topo *t, u32 cid)
{
	u16 d = t->cid[cid].chain[0];

	t->cid[cid].chain[0] = t->cid[cid].chain[1];
	t->cid[cid].chain[1] = d;
}

static void swap_scan(struct wk_topo *t)
{
	u32 a = t->scan[2], b = t->scan[3];

	t->scan[2] = b;
	t->scan[3] = a;
	t->cid[b].scan_pos = 2;
	t->cid[a].scan_pos = 3;
}

FAULTS(FAULT)

static const struct fault faults[] = {
#define ROW(name_, expected_, statement) {#name_, expected_, fault_##name_},
	FAULTS(ROW)};

static void test_each_fault(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct wk_topo *t = malloc(sizeof(*t));
		struct wk_err err = {""};

		*t = *zen;
		faults[i].make(t);
		if (wk_topo_check(t, &err) != -EINVAL)
			fail_msg("fault %s: not seen", faults[i].name);
		if (!strstr(err.text, faults[i].expected))
			fail_msg("fault %s: found '%s', expected '%s'", faults[i].name, err.text,
				 faults[i].expected);
		free(t);
	}
}

/* Faults that need what Zen3 does not have: clusters and spans with a mask. */
static void test_faults_of_clusters_and_masks(void **state)
{
	struct wk_topo *t = malloc(sizeof(*t));
	struct wk_err err = {""};

	(void)state;
	*t = *kunpeng;
	assert_int_equal(wk_topo_check(t, &err), 0);
	t->cid[9].cluster = (struct wk_range){0, 0};
	assert_int_equal(wk_topo_check(t, &err), -EINVAL);
	assert_non_null(strstr(err.text, "against its domains"));
	*t = *kunpeng;
	t->cid[9].cluster.first = 40;
	assert_int_equal(wk_topo_check(t, &err), -EINVAL);
	*t = *kunpeng;
	assert_true(t->nr_xmasks > 0);
	wk_mask_clear(&t->xmask[0], 0);
	assert_int_equal(wk_topo_check(t, &err), -EINVAL);
	free(t);
}

static void test_offline_in_an_llc(void **state)
{
	struct wk_machine *m = must_open("zen2-tj-desktop");
	struct wk_topo *t;
	struct wk_err err = {""};

	(void)state;
	m->cpu[1].online = false;
	t = must_build(m, tip());
	t->cid[t->cid_of[1]].llc = 0;
	assert_int_equal(wk_topo_check(t, &err), -EINVAL);
	assert_non_null(strstr(err.text, "offline, but in an LLC"));
	t->cid[t->cid_of[1]].llc = WK_NONE;
	t->cid[t->cid_of[1]].nr_levels = 1;
	assert_int_equal(wk_topo_check(t, &err), -EINVAL);
	assert_non_null(strstr(err.text, "offline with 1 domains"));
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

static int setup(void **state)
{
	(void)state;
	zen = build_preset("epyc-zen3-2s-128c:nps2", tip());
	kunpeng = build_preset("kunpeng920", tip());
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	wk_topo_destroy(zen);
	wk_topo_destroy(kunpeng);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_fault),
		cmocka_unit_test(test_faults_of_clusters_and_masks),
		cmocka_unit_test(test_offline_in_an_llc),
	};

	return cmocka_run_group_tests_name("machine/check", tests, setup, teardown);
}
