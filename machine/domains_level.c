// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/domains.h"

static const u32 level_flags[] = {
#define WK_LEVEL(NAME, name, flags, sentence) [WK_LEVEL_##NAME] = (flags),
#include "core/level.def"
};

/* The kernel's TOPOLOGY_SD_FLAGS: what a level of the table may claim. */
static u32 flags_a_level_may_carry(const struct wk_policy *pol)
{
	u32 flags = 0;

#define WK_SDFLAG(NAME, meta, sentence) flags |= (meta)&WK_MF_LEVEL ? WK_SD_##NAME : 0;
#include "core/sdflag.def"
	return wk_has(pol, WK_FEAT_IDLE_SIBLING_MASKED) ? flags & ~(u32)WK_SD_IDLE_SIBLING : flags;
}

static u32 flags_of_level(const struct wk_build *b, enum wk_level level)
{
	u32 flags = level_flags[level];

	if (level == WK_LEVEL_MC && wk_has(b->pol, WK_FEAT_IDLE_SIBLING))
		flags |= WK_SD_IDLE_SIBLING;
	/* Hybrid x86 packs by priority up to the package; capacities are for cores without SMT. */
	if (b->packing && level <= WK_LEVEL_PKG)
		flags |= WK_SD_ASYM_PACKING;
	return flags & flags_a_level_may_carry(b->pol);
}

static struct wk_build_level *add_level(struct wk_build *b, enum wk_level level)
{
	struct wk_build_level *l = &b->level[b->nr_levels++];

	l->level = level;
	l->flags = flags_of_level(b, level);
	return l;
}

/* Online cids with equal labels share a domain; a label is a number below WK_MAX_CPUS. */
static int spans_by_label(struct wk_build *b, enum wk_level level, const u32 *label)
{
	struct wk_build_level *l = add_level(b, level);
	const struct wk_topo *t = b->t;
	u32 last[WK_MAX_CPUS];
	bool done[WK_MAX_CPUS] = {false};

	for (u32 c = 0; c < t->nr_cids; c++)
		last[label[c]] = c;
	for (u32 first = 0; first < t->nr_cids; first++) {
		u32 unit = label[first], span;
		struct wk_mask set = {0};
		int err;

		if (done[unit] || !wk_build_has(b, first))
			continue;
		done[unit] = true;
		for (u32 c = first; c <= last[unit]; c++)
			if (label[c] == unit && wk_build_has(b, c))
				wk_mask_set(&set, c);
		err = wk_span_intern(b, &set, &span);
		if (err)
			return err;
		for (u32 c = first; c <= last[unit]; c++)
			if (label[c] == unit)
				l->span_of[c] = span;
	}
	return 0;
}

/* Which slice of its package a core is in where LLC domains are cut: ranges of cores. */
static void fill_slices(const struct wk_build *b, u32 *slice)
{
	const struct wk_topo *t = b->t;
	u32 cores[WK_MAX_CPUS] = {0}, seen[WK_MAX_CPUS] = {0};
	u32 nr = wk_num(b->pol, WK_FEAT_LLC_SPLIT) ? wk_num(b->pol, WK_FEAT_LLC_SPLIT)
						   : b->m->llc_split;

	for (u32 c = 0; c < t->nr_cids; c++)
		cores[t->sil[c].package] += t->sil[c].core_first == c;
	for (u32 c = 0; c < t->nr_cids; c++) {
		u32 p = t->sil[c].package;

		seen[p] += t->sil[c].core_first == c;
		slice[c] = nr ? (seen[p] - 1) * nr / cores[p] : 0;
	}
}

/* Runs of cids: neither an LLC domain nor a cluster spans nodes or slices. */
static void fill_runs(struct wk_build *b)
{
	const struct wk_topo *t = b->t;
	u32 slice[WK_MAX_CPUS];

	fill_slices(b, slice);
	for (u32 c = 0; c < t->nr_cids; c++) {
		const struct wk_silicon *sil = &t->sil[c];
		bool same = c && sil->llc == sil[-1].llc && sil->node == sil[-1].node &&
			    slice[c] == slice[c - 1];

		b->piece_of[c] = same ? b->piece_of[c - 1] : c;
		same = same && wk_topo_tier(t, c - 1, c) <= WK_TIER_CLUSTER;
		b->cluster_of[c] = same ? b->cluster_of[c - 1] : c;
	}
}

static int smt_level(struct wk_build *b)
{
	u32 label[WK_MAX_CPUS];

	for (u32 c = 0; c < b->t->nr_cids; c++)
		label[c] = b->t->sil[c].core_first;
	return spans_by_label(b, WK_LEVEL_SMT, label);
}

/*
 * The generic topology code gives a cluster that is no smaller than the LLC domain as the core, so
 * that MC survives; x86 leaves it as it is, and MC is then the one that degenerates.
 */
static int cls_level(struct wk_build *b)
{
	const struct wk_topo *t = b->t;
	u32 label[WK_MAX_CPUS], cluster[WK_MAX_CPUS] = {0}, piece[WK_MAX_CPUS] = {0};
	bool x86 = wk_build_is_x86(b->m);

	for (u32 c = 0; c < t->nr_cids; c++) {
		if (!wk_build_has(b, c))
			continue;
		cluster[b->cluster_of[c]]++;
		piece[b->piece_of[c]]++;
	}
	for (u32 c = 0; c < t->nr_cids; c++) {
		bool whole = cluster[b->cluster_of[c]] == piece[b->piece_of[c]];

		label[c] = whole && !x86 ? t->sil[c].core_first : b->cluster_of[c];
	}
	return spans_by_label(b, WK_LEVEL_CLS, label);
}

static s32 apicid_of(const struct wk_build *b, u32 cid)
{
	const struct wk_machine *m = b->m;
	u32 lo = 0, hi = m->nr_cpus;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (m->cpu[mid].cpu < b->t->cpu_of[cid])
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->nr_cpus && m->cpu[lo].cpu == b->t->cpu_of[cid] ? m->cpu[lo].apicid : WK_NONE;
}

/* The LLC of its node that @piece joins by its APIC id, or @piece itself. */
static u32 near_by_apicid(const struct wk_build *b, u32 piece, u32 shift)
{
	const struct wk_topo *t = b->t;
	s32 id = apicid_of(b, piece);

	for (u32 c = 0; c < piece && id != WK_NONE; c++) {
		s32 other = b->piece_of[c] == c && t->sil[c].node == t->sil[piece].node
				    ? apicid_of(b, c)
				    : WK_NONE;

		if (other != WK_NONE && other >> shift == id >> shift)
			return c;
	}
	return piece;
}

/* Offline CPUs count: which LLCs are neighbours does not change with them. */
static int near_level(struct wk_build *b)
{
	const struct wk_topo *t = b->t;
	u32 n = wk_num(b->pol, WK_FEAT_NEAR), shift = wk_num(b->pol, WK_FEAT_NEAR_SHIFT);
	u32 label[WK_MAX_CPUS], llcs[WK_MAX_NODES] = {0}, leader[WK_MAX_NODES];

	if (!n && !shift)
		return 0;
	for (u32 c = 0; c < t->nr_cids; c++) {
		u32 node = t->sil[c].node;

		if (b->piece_of[c] != c) {
			label[c] = label[b->piece_of[c]];
			continue;
		}
		if (n && llcs[node]++ % n == 0)
			leader[node] = c;
		label[c] = n ? leader[node] : near_by_apicid(b, c, shift);
	}
	return spans_by_label(b, WK_LEVEL_NEAR, label);
}

bool wk_build_is_x86(const struct wk_machine *m)
{
	bool x86 = m->x86;

	for (u32 i = 0; i < m->nr_cpus && !x86; i++)
		x86 = m->cpu[i].apicid >= 0;
	return x86;
}

/* Those with CPUs, online or not: memory of its own is no place for a domain. */
static u32 nodes_of_cpus(const struct wk_topo *t)
{
	struct wk_range all = {0, t->nr_cids};
	u32 nr = 0;

	for (u32 n = 0; n < t->nr_nodes; n++)
		nr += wk_mask_first_and(&t->node_mask[n], NULL, all) != WK_NONE;
	return nr;
}

bool wk_build_node_inside_package(const struct wk_topo *t, const struct wk_policy *pol)
{
	s32 node[WK_MAX_CPUS];

	/* 7.x counts. */
	if (wk_num(pol, WK_FEAT_RULES) >= 7)
		return nodes_of_cpus(t) > t->nr_packages;
	for (u32 p = 0; p < t->nr_packages; p++)
		node[p] = WK_NONE;
	for (u32 c = 0; c < t->nr_cids; c++) {
		s32 *seen = &node[t->sil[c].package];

		if (*seen != WK_NONE && *seen != t->sil[c].node)
			return true;
		*seen = t->sil[c].node;
	}
	return false;
}

static bool node_has_cpu(const struct wk_topo *t, u32 node)
{
	struct wk_range all = {0, t->nr_cids};

	return wk_mask_first_and(&t->node_mask[node], &t->online, all) != WK_NONE;
}

/*
 * The kernel's package level spans the node of a CPU, whatever the package is. Tables differ in
 * one thing: x86 leaves it out where packages hold several nodes, and NODE takes its place.
 */
static int pkg_level(struct wk_build *b)
{
	u32 label[WK_MAX_CPUS];

	if (wk_build_is_x86(b->m) && wk_build_node_inside_package(b->t, b->pol))
		return 0;
	for (u32 c = 0; c < b->t->nr_cids; c++)
		label[c] = b->t->sil[c].node;
	return spans_by_label(b, WK_LEVEL_PKG, label);
}

/*
 * Nodes at the local distance from each other are one NODE domain (emulated NUMA): same[] gives
 * each the lowest of them. False where that is no equivalence: then NODE is the node itself.
 */
static bool merge_nodes(const struct wk_topo *t, u32 same[WK_MAX_NODES])
{
	bool sane = true;

	for (u32 n = 0; n < t->nr_nodes; n++) {
		same[n] = n;
		for (u32 o = 0; o < n && same[n] == n; o++)
			if (t->distance[n][o] <= t->distance[n][n])
				same[n] = o;
	}
	for (u32 n = 0; n < t->nr_nodes; n++)
		for (u32 o = 0; o < t->nr_nodes; o++)
			sane &= (t->distance[n][o] <= t->distance[n][n]) == (same[n] == same[o]);
	for (u32 n = 0; n < t->nr_nodes && !sane; n++)
		same[n] = n;
	return sane;
}

static int node_level(struct wk_build *b)
{
	const struct wk_topo *t = b->t;
	u32 same[WK_MAX_NODES], label[WK_MAX_CPUS];

	merge_nodes(t, same);
	for (u32 c = 0; c < t->nr_cids; c++)
		label[c] = same[t->sil[c].node];
	return spans_by_label(b, WK_LEVEL_NODE, label);
}

u32 wk_build_distances(const struct wk_topo *t, u32 distances[WK_BUILD_NUMA], u32 *ret_dropped)
{
	bool found[256] = {false};
	u32 nr = 0, total = 0, same[WK_MAX_NODES];
	/* The local distance is the NODE level, unless that could not hold it. */
	u32 first = merge_nodes(t, same) ? 11 : 10;

	for (u32 a = 0; a < t->nr_nodes; a++)
		for (u32 o = 0; o < t->nr_nodes; o++)
			if (node_has_cpu(t, a) && node_has_cpu(t, o))
				found[t->distance[a][o]] = true;
	for (u32 d = first; d < 256; d++) {
		if (!found[d])
			continue;
		total++;
		/* The widest always stays: without it some CPUs would have no common domain. */
		if (nr == WK_BUILD_NUMA)
			distances[nr - 1] = d;
		else
			distances[nr++] = d;
	}
	*ret_dropped = total - nr;
	return nr;
}

static int numa_level(struct wk_build *b, u32 distance)
{
	struct wk_build_level *l = add_level(b, WK_LEVEL_NUMA);
	const struct wk_topo *t = b->t;

	l->distance = distance;
	for (u32 n = 0; n < t->nr_nodes; n++) {
		struct wk_mask set = {0};
		u32 span;
		int err;

		if (!node_has_cpu(t, n))
			continue;
		for (u32 c = 0; c < t->nr_cids; c++)
			if (t->distance[n][t->sil[c].node] <= distance && wk_build_has(b, c))
				wk_mask_set(&set, c);
		err = wk_span_intern(b, &set, &span);
		if (err)
			return err;
		for (u32 c = 0; c < t->nr_cids; c++)
			if (t->sil[c].node == n)
				l->span_of[c] = span;
	}
	return 0;
}

int wk_build_levels(struct wk_build *b)
{
	u32 distances[WK_BUILD_NUMA], dropped, nr = wk_build_distances(b->t, distances, &dropped);
	int err;

	fill_runs(b);
	err = smt_level(b);
	if (!err && wk_has(b->pol, WK_FEAT_CLUSTER_LEVEL))
		err = cls_level(b);
	if (!err)
		err = spans_by_label(b, WK_LEVEL_MC, b->piece_of);
	if (!err)
		err = near_level(b);
	if (!err)
		err = pkg_level(b);
	if (!err)
		err = node_level(b);
	for (u32 i = 0; i < nr && !err; i++)
		err = numa_level(b, distances[i]);
	return err;
}
