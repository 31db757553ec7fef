// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go offline and come back. */
#include "tests/unit/machine/topo_test.h"

static struct wk_topo *rebuild(const struct wk_topo *t, const struct wk_machine *m,
			       const struct wk_mask *online)
{
	struct wk_policy pol = tip();
	struct wk_topo *now = NULL;
	struct wk_err err = {"?"};

	if (wk_topo_rebuild(t, m, &pol, online, &now, &err) || wk_topo_check(now, &err))
		fail_msg("%s: %s", m->name, err.text);
	return now;
}

/* In no LLC and no scan; the check holds spans and groups against the online CPUs. */
static void assert_gone(const struct wk_topo *t, u32 cid)
{
	assert_false(wk_topo_online(t, cid));
	assert_int_equal(t->cid[cid].nr_levels, 0);
	assert_int_equal(t->cid[cid].llc, WK_NONE);
	for (u32 i = 0; i < t->nr_llcs; i++)
		for (u32 k = 0; k < t->llc[i].weight; k++)
			assert_int_not_equal(t->scan[t->llc[i].span.first + k], cid);
}

/* Each CPU off and back: the domain half is built anew each time and ends as it began. */
static void each_cpu_off_and_back(const char *src, u32 step)
{
	struct wk_machine *m = must_open(src);
	struct wk_topo *first = must_build(m, tip());

	for (u32 c = 0; c < first->nr_cids; c += step) {
		struct wk_mask online = first->online;
		struct wk_topo *without, *back;

		wk_mask_clear(&online, c);
		without = rebuild(first, m, &online);
		assert_gone(without, c);
		assert_memory_equal(without->sil, first->sil, sizeof(first->sil));
		back = rebuild(without, m, &first->online);
		assert_memory_equal(back, first, sizeof(*first));
		wk_topo_destroy(without);
		wk_topo_destroy(back);
	}
	wk_topo_destroy(first);
	wk_machine_destroy(m);
}

static void test_each_cpu_off_and_back(void **state)
{
	(void)state;
	each_cpu_off_and_back("epyc-zen3-2s-128c:nps2", 1);
	each_cpu_off_and_back("exynos5433-tm2e", 1);
	each_cpu_off_and_back("zen2-tj-desktop", 1);
	each_cpu_off_and_back("i9-13900k", 1);
	each_cpu_off_and_back("kunpeng920", 7);
	each_cpu_off_and_back("power9-2s-44c", 5);
	each_cpu_off_and_back("xeon-6980p", 31);
}

/* One after the other until one is left, as the crash of the SIS_NODE patch was found. */
static void test_down_to_one(void **state)
{
	struct wk_machine *m = must_open("exynos5433-tm2e");
	struct wk_topo *t = must_build(m, tip());
	struct wk_mask online = t->online;
	char buf[100];

	(void)state;
	for (u32 c = t->nr_cids - 1; c > 0; c--) {
		struct wk_topo *now;

		wk_mask_clear(&online, c);
		now = rebuild(t, m, &online);
		assert_gone(now, c);
		wk_topo_destroy(t);
		t = now;
	}
	assert_string_equal(levels(t, 0, buf), "");
	assert_int_equal(t->llc[t->cid[0].llc].domain, WK_NONE);
	assert_int_equal(t->nr_llcs, 1);
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

/* Without second threads SMT degenerates, and the rest keeps its shape. */
static void test_nosmt(void **state)
{
	struct wk_machine *m = must_open("epyc-zen3-2s-128c:nps1");
	struct wk_topo *t;
	char buf[100];

	(void)state;
	for (u32 i = 128; i < 256; i++)
		m->cpu[i].online = false;
	t = must_build(m, tip());
	assert_string_equal(levels(t, 0, buf), "MC PKG NUMA");
	assert_cpus(t, domain_at(t, 9, WK_LEVEL_MC), "8-15");
	assert_false(t->has_smt);
	assert_int_equal(t->sil[0].core_len, 2);
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

/* isolcpus: online, in no domain and no LLC, and nobody else's domain holds it. */
static void test_isolated(void **state)
{
	struct wk_machine *m = must_open("epyc-zen3-2s-128c:nps1");
	struct wk_topo *t;
	char buf[100];

	(void)state;
	for (u32 i = 10; i < 12; i++)
		m->cpu[i].isolated = true;
	t = must_build(m, tip());
	assert_true(wk_topo_online(t, (u32)t->cid_of[10]));
	assert_string_equal(levels(t, 10, buf), "");
	assert_int_equal(t->cid[t->cid_of[10]].llc, WK_NONE);
	assert_string_equal(levels(t, 138, buf), "MC PKG NUMA");
	assert_cpus(t, domain_at(t, 9, WK_LEVEL_MC), "8,9,12-15,136-143");
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

/* 7.3 counts nodes and packages for the package level; a node of memory only is none of them. */
static void test_memory_node(void **state)
{
	struct wk_machine *m = must_open("epyc-zen3-2s-128c:nps1");
	struct wk_topo *t;
	char buf[100];

	(void)state;
	m->node_id[m->nr_nodes++] = 9;
	for (u32 n = 0; n < 3; n++)
		m->distance[n][2] = m->distance[2][n] = n == 2 ? 10 : 20;
	t = must_build(m, tip_with(WK_FEAT_RULES, 7));
	assert_int_equal(t->nr_nodes, 3);
	assert_string_equal(levels(t, 0, buf), "SMT MC PKG NUMA");
	wk_topo_destroy(t);
	m->nr_nodes--;
	for (u32 i = 0; i < m->nr_cpus; i++)
		m->cpu[i].package = 0;
	t = must_build(m, tip_with(WK_FEAT_RULES, 7));
	assert_string_equal(levels(t, 0, buf), "SMT MC NODE NUMA");
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

/* A cluster of which one CPU is left is none; a machine with such clusters only has no key. */
static void test_clusters_of_one(void **state)
{
	struct wk_machine *m = must_open("kunpeng920");
	struct wk_topo *t;

	(void)state;
	for (u32 i = 0; i < 128; i++)
		m->cpu[i].online = i % 4 == 0;
	t = must_build(m, tip());
	assert_false(t->cluster_active);
	assert_int_equal(t->cid[0].share_id, t->llc[t->cid[0].llc].first_cid);
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

/* A node that is gone takes its distance along. */
static void test_node_gone(void **state)
{
	struct wk_machine *m = must_open("kunpeng920");
	struct wk_topo *t;
	char buf[100];

	(void)state;
	for (u32 i = 64; i < 128; i++)
		m->cpu[i].online = false;
	t = must_build(m, tip());
	assert_string_equal(levels(t, 0, buf), "CLS MC NUMA");
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_cpu_off_and_back),
		cmocka_unit_test(test_down_to_one),
		cmocka_unit_test(test_nosmt),
		cmocka_unit_test(test_isolated),
		cmocka_unit_test(test_memory_node),
		cmocka_unit_test(test_clusters_of_one),
		cmocka_unit_test(test_node_gone),
	};

	return cmocka_run_group_tests_name("machine/build_hotplug", tests, NULL, NULL);
}
