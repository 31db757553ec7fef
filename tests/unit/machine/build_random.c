// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random machines against a naive model: irregular trees, missing columns, interleaved nodes,
 * shuffled and sparse CPU numbers, CPUs offline. Whatever the builder accepts has to pass the
 * check and to agree with the model about who shares a cache, a core and a node.
 */
#include "tests/unit/machine/topo_test.h"

#define MACHINES 3000

static u64 seed;

static u32 below(u32 n)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(seed >> 33) % n;
}

static bool one_in(u32 n)
{
	return below(n) == 0;
}

/* Rows in the order of the tree, before they get CPU numbers. */
static struct wk_machine_cpu tree[512];

static u32 grow_llc(u32 nr, s32 package, s32 llc, u32 max_cores, u32 max_threads)
{
	u32 cores = 1 + below(max_cores), cluster = 1 + below(4);

	for (u32 core = 0; core < cores; core++)
		for (u32 t = 0, threads = 1 + below(max_threads); t < threads; t++)
			tree[nr++] = (struct wk_machine_cpu){
				.online = true,
				.package = package,
				.half = WK_NONE,
				.quadrant = one_in(2) ? WK_NONE : package,
				.node = package,
				.llc = llc,
				.cluster = llc * 100 + (s32)(core / cluster),
				.core = llc * 100 + (s32)core,
				.thread = (s32)t,
				.apicid = one_in(2) ? WK_NONE : llc * 16,
				.capacity = 1024,
			};
	return nr;
}

static u32 grow_tree(void)
{
	u32 nr = 0, llc = 0, packages = 1 + below(3), cores = 1 + below(4), threads = 1 + below(4);

	for (u32 p = 0; p < packages; p++)
		for (u32 l = 0, llcs = 1 + below(4); l < llcs; l++)
			nr = grow_llc(nr, (s32)p, (s32)llc++, cores, threads);
	return nr;
}

static void place_nodes(u32 nr)
{
	u32 mode = below(6), nodes = 1 + below(5);

	for (u32 i = 0; i < nr; i++) {
		s32 *node = &tree[i].node;

		*node = mode == 0   ? tree[i].package
			: mode == 1 ? tree[i].llc / 2
			: mode == 2 ? (s32)(i % nodes)
			: mode == 3 ? tree[i].llc % (s32)nodes
			: mode == 4 ? (s32)(i * nodes / nr)
				    : WK_NONE;
	}
}

static void lose_columns(u32 nr)
{
	bool no_llc = one_in(6), no_core = one_in(8), no_cluster = one_in(2),
	     no_package = one_in(8);
	bool capacities = one_in(5);

	for (u32 i = 0; i < nr; i++) {
		tree[i].llc = no_llc ? WK_NONE : tree[i].llc;
		tree[i].core = no_core ? WK_NONE : tree[i].core;
		tree[i].cluster = no_cluster ? WK_NONE : tree[i].cluster;
		tree[i].package = no_package ? WK_NONE : tree[i].package;
		tree[i].capacity = capacities ? 1 + below(3) * 300 : 0;
	}
}

static void distances(struct wk_machine *m)
{
	bool symmetric = !one_in(4);

	m->nr_nodes = 1 + below(6);
	for (u32 a = 0; a < m->nr_nodes; a++) {
		m->node_id[a] = a;
		for (u32 b = 0; b < m->nr_nodes; b++)
			m->distance[a][b] = a == b ? 10
					    : symmetric && b < a
						    ? m->distance[b][a]
						    : (u8)(below(8) ? 10 + below(9) * 5 : 0);
	}
}

/* A random permutation gives the rows their CPU numbers, with gaps. */
static struct wk_machine *random_machine(void)
{
	u32 nr = grow_tree(), number = 0, offline = one_in(2) ? 1 + below(4) : 0;
	struct wk_machine *m = wk_machine_create(nr);
	bool shuffle = one_in(2), gaps = one_in(3);

	place_nodes(nr);
	lose_columns(nr);
	for (u32 i = 0; i < nr && shuffle; i++) {
		u32 k = i + below(nr - i);
		struct wk_machine_cpu row = tree[i];

		tree[i] = tree[k];
		tree[k] = row;
	}
	for (u32 i = 0; i < nr; i++) {
		m->cpu[i] = tree[i];
		m->cpu[i].cpu = number;
		m->cpu[i].online = i == 0 || !offline || !one_in(offline + 1);
		number += 1 + (gaps ? below(3) : 0);
	}
	m->x86 = one_in(2);
	distances(m);
	snprintf(m->name, sizeof(m->name), "random");
	return m;
}

/* What "the same" means, written down naively. */
static bool same_package(const struct wk_machine_cpu *a, const struct wk_machine_cpu *b)
{
	return a->package == b->package;
}

static bool same_llc(const struct wk_machine_cpu *a, const struct wk_machine_cpu *b)
{
	if (!same_package(a, b))
		return false;
	if (a->llc != WK_NONE || b->llc != WK_NONE)
		return a->llc == b->llc;
	return a->cluster == b->cluster;
}

static bool same_node(const struct wk_machine_cpu *a, const struct wk_machine_cpu *b)
{
	/* An unknown node is the first. */
	return (a->node < 0 ? 0 : a->node) == (b->node < 0 ? 0 : b->node);
}

/* No core is in two clusters, LLCs or nodes. */
static bool same_core(const struct wk_machine_cpu *a, const struct wk_machine_cpu *b)
{
	return same_llc(a, b) && same_node(a, b) && a->cluster == b->cluster &&
	       a->core != WK_NONE && a->core == b->core;
}

/* Where the quadrant is known for some only, the model of the tiers above the LLC is left out. */
static void compare_pair(const struct wk_topo *t, const struct wk_machine *m, u32 i, u32 k)
{
	const struct wk_machine_cpu *a = &m->cpu[i], *b = &m->cpu[k];
	u32 ca = (u32)t->cid_of[a->cpu], cb = (u32)t->cid_of[b->cpu];
	u32 tier = wk_topo_tier(t, ca, cb);
	bool online = a->online && b->online;

	if (i == k)
		return;
	assert_int_equal(tier <= WK_TIER_LLC, same_llc(a, b));
	assert_int_equal(tier <= WK_TIER_SMT, same_core(a, b));
	assert_int_equal(tier <= WK_TIER_PACKAGE, same_package(a, b));
	assert_int_equal(tier, wk_topo_tier(t, cb, ca));
	assert_int_equal(t->sil[ca].node == t->sil[cb].node, same_node(a, b));
	assert_int_equal(wk_topo_share_llc(t, ca, cb), online && same_llc(a, b) && same_node(a, b));
	if (online)
		assert_int_equal(t->cid[ca].smt.first == t->cid[cb].smt.first, same_core(a, b));
}

static void test_random_machines(void **state)
{
	(void)state;
	for (u32 n = 0; n < MACHINES; n++) {
		struct wk_machine *m;
		struct wk_policy pol = tip();
		struct wk_topo *t;

		seed = n;
		m = random_machine();
		if (one_in(3))
			wk_policy_set(&pol, WK_FEAT_NEAR, 1 + below(4));
		if (one_in(4))
			wk_policy_set(&pol, WK_FEAT_NEAR_SHIFT, 1 + below(6));
		if (one_in(4))
			wk_policy_set(&pol, WK_FEAT_CLUSTER_LEVEL, 0);
		t = must_build(m, pol);
		for (u32 i = 0; i < m->nr_cpus; i++)
			for (u32 k = 0; k < m->nr_cpus; k++)
				compare_pair(t, m, i, k);
		wk_topo_destroy(t);
		wk_policy_set(&pol, WK_FEAT_LLC_SPLIT, 1 + below(5));
		wk_topo_destroy(must_build(m, pol));
		wk_machine_destroy(m);
	}
}

/* CPUs go and come in any order; in the end the table is the one of the start. */
static void test_random_hotplug(void **state)
{
	(void)state;
	for (u32 n = 0; n < 200; n++) {
		struct wk_policy pol = tip();
		struct wk_machine *m;
		struct wk_topo *first, *now;
		struct wk_err err;

		seed = 1000000 + n;
		m = random_machine();
		first = must_build(m, pol);
		for (u32 step = 0; step < 8; step++) {
			struct wk_mask online = {0};

			for (u32 c = 0; c < first->nr_cids; c++)
				if (!one_in(3) || c == step % first->nr_cids)
					wk_mask_set(&online, c);
			assert_int_equal(wk_topo_rebuild(first, m, &pol, &online, &now, &err), 0);
			if (wk_topo_check(now, &err))
				fail_msg("machine %u, step %u: %s", n, step, err.text);
			wk_topo_destroy(now);
		}
		assert_int_equal(wk_topo_rebuild(first, m, &pol, &first->online, &now, &err), 0);
		assert_memory_equal(now, first, sizeof(*now));
		wk_topo_destroy(now);
		wk_topo_destroy(first);
		wk_machine_destroy(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_machines),
		cmocka_unit_test(test_random_hotplug),
	};

	return cmocka_run_group_tests_name("machine/build_random", tests, NULL, NULL);
}
