// SPDX-License-Identifier: GPL-2.0-only
/* Domains as the kernel builds them: hierarchies, flags, removed levels, broken machines. */
#include <errno.h>

#include "tests/unit/machine/topo_test.h"

/* ---- hierarchies of the published machines ---- */

static void test_nps_hierarchies(void **state)
{
	(void)state;
	assert_levels("epyc-zen3-2s-128c:nps1", tip(), 0, "SMT MC PKG NUMA");
	assert_levels("epyc-zen3-2s-128c:nps2", tip(), 0, "SMT MC NODE NUMA NUMA");
	assert_levels("epyc-zen3-2s-128c:nps4", tip(), 255, "SMT MC NODE NUMA NUMA");
	assert_levels("zen4-epyc-96c-picture:nps1", tip(), 0, "SMT MC PKG");
	assert_levels("zen4-epyc-96c-picture:nps2", tip(), 0, "SMT MC NODE NUMA");
	assert_levels("zen4-epyc-96c-picture:nps4", tip(), 191, "SMT MC NODE NUMA");
}

/* The published hierarchies with a level of three LLCs, here NEAR, there CLS. */
static void test_near_of_three(void **state)
{
	const struct wk_policy near3 = tip_with(WK_FEAT_NEAR, 3);
	struct wk_topo *t = build_preset("zen4-epyc-96c-picture:nps1", near3);

	(void)state;
	assert_levels("zen4-epyc-96c-picture:nps1", near3, 0, "SMT MC NEAR PKG");
	assert_levels("zen4-epyc-96c-picture:nps2", near3, 0, "SMT MC NEAR NODE NUMA");
	assert_levels("zen4-epyc-96c-picture:nps4", near3, 0, "SMT MC NEAR NUMA");
	assert_cpus(t, domain_at(t, 30, WK_LEVEL_NEAR), "24-47,120-143");
	wk_topo_destroy(t);
}

static void test_near_of_two(void **state)
{
	const struct wk_policy near2 = tip_with(WK_FEAT_NEAR, 2);
	const struct wk_policy shift5 = tip_with(WK_FEAT_NEAR_SHIFT, 5);
	struct wk_topo *t = build_preset("epyc-zen3-2s-128c:nps1", near2);
	struct wk_topo *by_id = build_preset("epyc-zen3-2s-128c:nps1", shift5);

	(void)state;
	assert_cpus(t, domain_at(t, 20, WK_LEVEL_NEAR), "16-31,144-159");
	assert_memory_equal(t->domain, by_id->domain, sizeof(t->domain));
	/* In NPS4 a node has two LLCs: the level takes the place of NODE and says nothing new. */
	assert_levels("epyc-zen3-2s-128c:nps4", near2, 0, "SMT MC NEAR NUMA NUMA");
	wk_topo_destroy(t);
	wk_topo_destroy(by_id);
	/* A group never leaves its node. */
	t = build_preset("epyc-zen3-2s-128c:nps4", tip_with(WK_FEAT_NEAR, 3));
	assert_cpus(t, domain_at(t, 0, WK_LEVEL_NEAR), "0-15,128-143");
	wk_topo_destroy(t);
	/* One LLC a node: nothing to group. */
	assert_levels("spr-2s-112c:snc-on", near2, 0, "SMT MC NUMA NUMA");
}

static void test_split_is_made_once(void **state)
{
	struct wk_topo *by_policy = build_preset("spr-2s-112c", tip_with(WK_FEAT_LLC_SPLIT, 4));
	struct wk_topo *by_config = build_preset("spr-2s-112c:snc-split4", tip());
	struct wk_topo *both =
		build_preset("spr-2s-112c:snc-split4", tip_with(WK_FEAT_LLC_SPLIT, 4));

	(void)state;
	assert_levels("spr-2s-112c", tip(), 0, "SMT MC NUMA");
	assert_levels("spr-2s-112c:snc-split4", tip(), 0, "SMT MC PKG NUMA");
	assert_cpus(both, domain_at(both, 0, WK_LEVEL_MC), "0-13,112-125");
	assert_memory_equal(by_policy, by_config, sizeof(*by_policy));
	assert_memory_equal(by_policy, both, sizeof(*by_policy));
	/* The cache itself is whole. */
	assert_int_equal(wk_topo_tier(both, (u32)both->cid_of[0], (u32)both->cid_of[55]),
			 WK_TIER_LLC);
	wk_topo_destroy(by_policy);
	wk_topo_destroy(by_config);
	wk_topo_destroy(both);
}

/* Slices of two LLCs each cut none of them. */
static void test_split_of_many_llcs(void **state)
{
	struct wk_topo *cut = build_preset("epyc-zen3-2s-128c", tip_with(WK_FEAT_LLC_SPLIT, 4));
	struct wk_topo *whole = build_preset("epyc-zen3-2s-128c", tip());

	(void)state;
	assert_memory_equal(cut, whole, sizeof(*cut));
	wk_topo_destroy(cut);
	wk_topo_destroy(whole);
}

static void test_kunpeng(void **state)
{
	struct wk_topo *t = build_preset("kunpeng920:node0", tip());
	const struct wk_cid *c = &t->cid[t->cid_of[37]];

	(void)state;
	/* Node 1 reaches two nodes at 12 and at 20: one of these levels is degenerate. */
	assert_levels("kunpeng920", tip(), 0, "CLS MC NUMA NUMA NUMA");
	assert_levels("kunpeng920", tip(), 37, "CLS MC NUMA NUMA NUMA");
	assert_levels("kunpeng920", tip_with(WK_FEAT_CLUSTER_LEVEL, 0), 0, "MC NUMA NUMA NUMA");
	assert_true(t->cluster_active);
	assert_int_equal(c->cluster.len, 4);
	assert_int_equal(t->cpu_of[c->share_id], 36);
	assert_int_equal(t->llc[c->llc].cluster_scan, 1);
	assert_int_equal(t->llc[c->llc].weight, 32);
	wk_topo_destroy(t);
	/* Without the level the silicon is still there. */
	t = build_preset("kunpeng920", tip_with(WK_FEAT_CLUSTER_LEVEL, 0));
	c = &t->cid[t->cid_of[37]];
	assert_false(t->cluster_active);
	assert_int_equal(c->cluster.len, 0);
	assert_int_equal(t->cpu_of[c->share_id], 32);
	assert_int_equal(c->l2.len, 4);
	wk_topo_destroy(t);
}

/* ---- flags ---- */

static void test_reclaim_distance(void **state)
{
	struct wk_topo *zen = build_preset("epyc-zen3-2s-128c", tip());
	struct wk_topo *p9 = build_preset("power9-2s-44c", tip());
	u32 gone = WK_SD_BALANCE_EXEC | WK_SD_BALANCE_FORK | WK_SD_WAKE_AFFINE;

	(void)state;
	/* 32 is near enough on Zen, 40 is too far elsewhere. */
	assert_int_equal(domain_at(zen, 0, WK_LEVEL_NUMA)->flags & gone, gone);
	assert_int_equal(domain_at(p9, 0, WK_LEVEL_NUMA)->flags & gone, 0);
	wk_topo_destroy(zen);
	wk_topo_destroy(p9);
}

static void test_capacities(void **state)
{
	struct wk_topo *little = build_preset("exynos5433-tm2e", tip());
	struct wk_topo *hybrid = build_preset("i9-13900k", tip());
	const struct wk_domain *pkg = domain_at(little, 0, WK_LEVEL_PKG);
	u32 asym = WK_SD_ASYM_CPUCAPACITY | WK_SD_ASYM_CPUCAPACITY_FULL;

	(void)state;
	assert_true(little->asym);
	assert_int_equal(pkg->flags & asym, asym);
	assert_false(domain_at(little, 0, WK_LEVEL_MC)->flags & WK_SD_PREFER_SIBLING);
	/* Cores with threads: no capacity domains, priorities instead. */
	assert_false(hybrid->asym);
	assert_int_equal(domain_at(hybrid, 0, WK_LEVEL_MC)->flags & asym, 0);
	assert_true(domain_at(hybrid, 16, WK_LEVEL_CLS)->flags & WK_SD_ASYM_PACKING);
	assert_levels("i9-13900k", tip(), 0, "SMT MC");
	assert_levels("i9-13900k", tip(), 16, "CLS MC");
	wk_topo_destroy(little);
	wk_topo_destroy(hybrid);
}

/* The published flaw: the flag was missing from what a level may carry. */
static void test_idle_sibling_mask(void **state)
{
	struct wk_policy masked = tip_with(WK_FEAT_IDLE_SIBLING, 1);
	struct wk_topo *on = build_preset("epyc-zen3-2s-128c", masked), *off;

	(void)state;
	wk_policy_set(&masked, WK_FEAT_IDLE_SIBLING_MASKED, 1);
	off = build_preset("epyc-zen3-2s-128c", masked);
	assert_true(domain_at(on, 0, WK_LEVEL_MC)->flags & WK_SD_IDLE_SIBLING);
	assert_false(domain_at(on, 0, WK_LEVEL_SMT)->flags & WK_SD_IDLE_SIBLING);
	assert_false(domain_at(on, 0, WK_LEVEL_PKG)->flags & WK_SD_IDLE_SIBLING);
	assert_false(domain_at(off, 0, WK_LEVEL_MC)->flags & WK_SD_IDLE_SIBLING);
	wk_topo_destroy(on);
	wk_topo_destroy(off);
}

/* ---- machines made by hand ---- */

/* @nr CPUs in one package and node, each its own core, LLC of all. */
static struct wk_machine *flat(u32 nr)
{
	struct wk_machine *m = wk_machine_create(nr);

	assert_non_null(m);
	snprintf(m->name, sizeof(m->name), "flat");
	for (u32 i = 0; i < nr; i++) {
		m->cpu[i].package = m->cpu[i].node = m->cpu[i].llc = 0;
		m->cpu[i].core = (s32)i;
	}
	return m;
}

static struct wk_topo *build_and_drop(struct wk_machine *m)
{
	struct wk_topo *t = must_build(m, tip());

	wk_machine_destroy(m);
	return t;
}

static void expect(struct wk_machine *m, u32 cpu, const char *expected, bool cluster_active)
{
	struct wk_topo *t = build_and_drop(m);
	char buf[100];

	assert_string_equal(levels(t, cpu, buf), expected);
	assert_int_equal(t->cluster_active, cluster_active);
	wk_topo_destroy(t);
}

static void test_cluster_equal_to_smt(void **state)
{
	struct wk_machine *m = flat(8);

	(void)state;
	for (u32 i = 0; i < 8; i++)
		m->cpu[i].core = m->cpu[i].cluster = (s32)i / 2;
	expect(m, 0, "SMT MC", false);
}

static void test_cluster_equal_to_llc(void **state)
{
	struct wk_machine *m = flat(8), *x86 = flat(8);

	(void)state;
	x86->x86 = true;
	for (u32 i = 0; i < 8; i++)
		m->cpu[i].cluster = x86->cpu[i].cluster = 0;
	expect(m, 0, "MC", false);
	/* x86 does not compare the two: CLS comes first, and MC adds nothing. */
	expect(x86, 0, "CLS", true);
}

static void test_cluster_inside(void **state)
{
	struct wk_machine *m = flat(8);

	(void)state;
	for (u32 i = 0; i < 8; i++)
		m->cpu[i].cluster = (s32)i / 4;
	expect(m, 0, "CLS MC", true);
}

static void test_single_cpu(void **state)
{
	struct wk_topo *t = build_and_drop(flat(1));

	(void)state;
	assert_int_equal(t->cid[0].nr_levels, 0);
	assert_int_equal(t->cid[0].llc, 0);
	assert_int_equal(t->llc[0].domain, WK_NONE);
	wk_topo_destroy(t);
}

/* Nothing known but numbers: a package of single cores below one cache. */
static void test_nothing_known(void **state)
{
	struct wk_machine *m = wk_machine_create(4);

	(void)state;
	expect(m, 3, "MC", false);
}

/* No L3: the L2 is the last level. */
static void test_no_llc_but_clusters(void **state)
{
	struct wk_machine *m = flat(12);
	struct wk_topo *t;

	(void)state;
	for (u32 i = 0; i < 12; i++) {
		m->cpu[i].llc = WK_NONE;
		m->cpu[i].cluster = (s32)i / 4;
	}
	t = build_and_drop(m);
	assert_int_equal(t->nr_llcs, 3);
	assert_cpus(t, domain_at(t, 5, WK_LEVEL_MC), "4-7");
	assert_cpus(t, domain_at(t, 5, WK_LEVEL_PKG), "0-11");
	wk_topo_destroy(t);
}

/* An LLC of two nodes, and core ids that repeat in each package. */
static void test_llc_spans_nodes(void **state)
{
	struct wk_machine *m = flat(8);
	struct wk_topo *t;

	(void)state;
	for (u32 i = 0; i < 8; i++)
		m->cpu[i].node = (s32)i % 2;
	t = build_and_drop(m);
	assert_int_equal(t->nr_silicon_llcs, 1);
	assert_int_equal(t->nr_llcs, 2);
	assert_cpus(t, domain_at(t, 0, WK_LEVEL_MC), "0,2,4,6");
	assert_int_equal(t->nr_xmasks, 0); /* cids put each node in a row */
	wk_topo_destroy(t);
}

static void test_core_ids_repeat(void **state)
{
	struct wk_machine *m = flat(8);
	struct wk_topo *t;

	(void)state;
	for (u32 i = 0; i < 8; i++) {
		m->cpu[i].package = m->cpu[i].llc = (s32)i / 4;
		m->cpu[i].core = (s32)i % 4 / 2;
	}
	t = build_and_drop(m);
	assert_cpus(t, domain_at(t, 4, WK_LEVEL_SMT), "4,5");
	assert_int_equal(t->nr_packages, 2);
	wk_topo_destroy(t);
}

/* Nodes that lie across packages: sets that are no range have a mask. */
static void test_interleaved_nodes(void **state)
{
	struct wk_machine *m = flat(16);
	struct wk_topo *t;

	(void)state;
	m->nr_nodes = 2;
	for (u32 n = 0; n < 2; n++) {
		m->node_id[n] = n;
		m->distance[n][n] = 10;
		m->distance[n][!n] = 20;
	}
	for (u32 i = 0; i < 16; i++) {
		m->cpu[i].package = (s32)i / 8;
		m->cpu[i].llc = (s32)i / 4;
		m->cpu[i].node = (s32)i / 4 % 2;
	}
	t = build_and_drop(m);
	assert_cpus(t, domain_at(t, 0, WK_LEVEL_PKG), "0-3,8-11");
	assert_cpus(t, domain_at(t, 0, WK_LEVEL_NUMA), "0-15");
	wk_topo_destroy(t);
}

/* Memory without CPUs has a place in the node table and none in the domains. */
static void test_node_without_cpus(void **state)
{
	struct wk_machine *m = flat(4);
	struct wk_topo *t;
	char buf[100];

	(void)state;
	m->nr_nodes = 2;
	m->node_id[1] = 7;
	m->distance[0][0] = m->distance[1][1] = 10;
	m->distance[0][1] = m->distance[1][0] = 99;
	t = build_and_drop(m);
	assert_int_equal(t->nr_nodes, 2);
	assert_int_equal(t->node_id[1], 7);
	assert_string_equal(levels(t, 0, buf), "MC");
	wk_topo_destroy(t);
}

/* Emulated NUMA: nodes at distance 10 from each other are one NODE domain above their packages. */
static void test_nodes_without_distance(void **state)
{
	struct wk_machine *m = flat(8);

	(void)state;
	m->nr_nodes = 2;
	m->node_id[1] = 1;
	for (u32 i = 0; i < 4; i++)
		m->distance[i / 2][i % 2] = 10;
	for (u32 i = 0; i < 8; i++)
		m->cpu[i].llc = m->cpu[i].package = m->cpu[i].node = (s32)i / 4;
	expect(m, 0, "MC NODE", false);
}

/* More distances than levels: the widest stays, so that balancing reaches everybody. */
static void test_many_distances(void **state)
{
	struct wk_machine *m = flat(16);
	struct wk_topo *t;

	(void)state;
	m->nr_nodes = 8;
	for (u32 a = 0; a < 8; a++) {
		m->node_id[a] = a;
		for (u32 b = 0; b < 8; b++)
			m->distance[a][b] = (u8)(10 + 5 * (a > b ? a - b : b - a));
	}
	for (u32 i = 0; i < 16; i++)
		m->cpu[i].node = m->cpu[i].package = m->cpu[i].llc = (s32)i / 2;
	t = build_and_drop(m); /* the check wants the widest domain to span all */
	wk_topo_destroy(t);
}

static void test_sparse_numbers(void **state)
{
	struct wk_machine *m = flat(4);
	struct wk_topo *t;

	(void)state;
	m->cpu[2].cpu = 100;
	m->cpu[3].cpu = 4095;
	m->cpu[1].online = false;
	t = build_and_drop(m);
	assert_int_equal(t->cid_of[5], WK_NONE);
	assert_int_equal(t->max_cpu, 4096);
	assert_int_equal(t->cid[t->cid_of[1]].llc, WK_NONE);
	assert_cpus(t, domain_at(t, 4095, WK_LEVEL_MC), "0,100,4095");
	wk_topo_destroy(t);
}

/* ---- what is refused ---- */

static void refused(struct wk_machine *m, int expected, const char *text)
{
	struct wk_policy pol = tip();
	struct wk_topo *t = NULL;
	struct wk_err err = {""};

	assert_int_equal(wk_topo_build(m, &pol, &t, &err), expected);
	if (!strstr(err.text, text))
		fail_msg("found '%s', expected '%s'", err.text, text);
	wk_machine_destroy(m);
}

static void test_refused(void **state)
{
	struct wk_machine *m;

	(void)state;
	refused(wk_machine_create(0), -EINVAL, "no CPU found");
	refused(wk_machine_create(4097), -E2BIG, "at most 4096");
	m = flat(2);
	m->cpu[1].cpu = 0;
	refused(m, -EINVAL, "CPU 0 after CPU 0");
	m = flat(2);
	m->cpu[1].cpu = 4096;
	refused(m, -E2BIG, "CPU 4096");
	m = flat(2);
	m->cpu[0].online = m->cpu[1].online = false;
	refused(m, -EINVAL, "no CPU is online");
	m = flat(600);
	for (u32 i = 0; i < 600; i++)
		m->cpu[i].llc = (s32)i;
	refused(m, -E2BIG, "more than 512 last-level caches");
	m = flat(200);
	for (u32 i = 0; i < 200; i++)
		m->cpu[i].node = (s32)i;
	refused(m, -E2BIG, "more than 128 nodes");
	m = flat(4096);
	for (u32 i = 0; i < 4096; i++) {
		m->cpu[i].core = (s32)i / 8;
		m->cpu[i].online = i % 8 % 2 == 0;
	}
	refused(m, -E2BIG, "no range");
}

static void test_largest(void **state)
{
	struct wk_machine *m = flat(4096);
	struct wk_topo *t;

	(void)state;
	for (u32 i = 0; i < 4096; i++) {
		m->cpu[i].package = m->cpu[i].node = (s32)i / 512;
		m->cpu[i].llc = (s32)i / 8;
		m->cpu[i].core = (s32)i / 2;
	}
	t = build_and_drop(m);
	assert_int_equal(t->nr_llcs, 512);
	wk_topo_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nps_hierarchies),
		cmocka_unit_test(test_near_of_three),
		cmocka_unit_test(test_near_of_two),
		cmocka_unit_test(test_split_is_made_once),
		cmocka_unit_test(test_split_of_many_llcs),
		cmocka_unit_test(test_kunpeng),
		cmocka_unit_test(test_reclaim_distance),
		cmocka_unit_test(test_capacities),
		cmocka_unit_test(test_idle_sibling_mask),
		cmocka_unit_test(test_cluster_equal_to_smt),
		cmocka_unit_test(test_cluster_equal_to_llc),
		cmocka_unit_test(test_cluster_inside),
		cmocka_unit_test(test_single_cpu),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_no_llc_but_clusters),
		cmocka_unit_test(test_llc_spans_nodes),
		cmocka_unit_test(test_core_ids_repeat),
		cmocka_unit_test(test_interleaved_nodes),
		cmocka_unit_test(test_node_without_cpus),
		cmocka_unit_test(test_nodes_without_distance),
		cmocka_unit_test(test_many_distances),
		cmocka_unit_test(test_sparse_numbers),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_largest),
	};

	return cmocka_run_group_tests_name("machine/build", tests, NULL, NULL);
}
