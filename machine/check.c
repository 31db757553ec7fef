// SPDX-License-Identifier: GPL-2.0-only
/* The invariants of the silicon half of a topology, and what the halves promise each other. */
#include <errno.h>
#include <string.h>

#include "machine/check.h"

static int check_counts(const struct wk_topo *t, struct wk_err *err)
{
	if (t->nr_cids == 0 || t->nr_cids > WK_MAX_CPUS || t->max_cpu > WK_MAX_CPUS ||
	    t->nr_nodes == 0 || t->nr_nodes > WK_MAX_NODES || t->nr_llcs > WK_MAX_LLCS ||
	    t->nr_domains > WK_MAX_DOMAINS || t->nr_groups > WK_MAX_GROUPS ||
	    t->nr_xmasks > WK_MAX_XMASKS)
		return WK_BAD(err, "counts: %u cids, %u nodes, %u LLCs, %u domains, %u groups",
			      t->nr_cids, t->nr_nodes, t->nr_llcs, t->nr_domains, t->nr_groups);
	for (u32 c = t->nr_cids; c < WK_MAX_CPUS; c++)
		if (wk_topo_online(t, c))
			return WK_BAD(err, "cid %u: online, but there are %u cids", c, t->nr_cids);
	return 0;
}

static int check_numbers(const struct wk_topo *t, struct wk_err *err)
{
	u32 nr = 0;

	for (u32 c = 0; c < t->nr_cids; c++)
		if (t->cpu_of[c] >= t->max_cpu || t->cid_of[t->cpu_of[c]] != (s32)c)
			return WK_BAD(err, "cid %u: CPU %u does not lead back", c, t->cpu_of[c]);
	for (u32 cpu = 0; cpu < WK_MAX_CPUS; cpu++)
		nr += t->cid_of[cpu] != WK_NONE;
	if (nr != t->nr_cids)
		return WK_BAD(err, "cid_of: %u CPUs have a cid, expected %u", nr, t->nr_cids);
	return 0;
}

static int check_nodes(const struct wk_topo *t, struct wk_err *err)
{
	for (u32 n = 0; n < t->nr_nodes; n++) {
		if (n && t->node_id[n] <= t->node_id[n - 1])
			return WK_BAD(err, "node %u: id %u after %u", n, t->node_id[n],
				      t->node_id[n - 1]);
		for (u32 o = 0; o < t->nr_nodes; o++)
			if (t->distance[n][o] < 10 || (n == o && t->distance[n][o] != 10))
				return WK_BAD(err, "node %u: distance %u to node %u", n,
					      t->distance[n][o], o);
	}
	for (u32 c = 0; c < t->nr_cids; c++)
		for (u32 n = 0; n < t->nr_nodes; n++)
			if (wk_mask_test(&t->node_mask[n], c) != (t->sil[c].node == n))
				return WK_BAD(err,
					      "cid %u: node %u, but the mask of node %u differs", c,
					      t->sil[c].node, n);
	return 0;
}

static int check_silicon_row(const struct wk_topo *t, u32 c, struct wk_err *err)
{
	const struct wk_silicon *s = &t->sil[c];

	if (s->node >= t->nr_nodes || s->package >= t->nr_packages || s->llc >= t->nr_silicon_llcs)
		return WK_BAD(err, "cid %u: node %u, package %u, LLC %u out of range", c, s->node,
			      s->package, s->llc);
	if (s->capacity == 0 || s->capacity > 1024)
		return WK_BAD(err, "cid %u: capacity %u", c, s->capacity);
	if (s->core_first > c || s->core_first + s->core_len <= c ||
	    s->core_first + s->core_len > t->nr_cids)
		return WK_BAD(err, "cid %u: not in its core [%u, %u)", c, s->core_first,
			      s->core_first + s->core_len);
	for (u32 i = s->core_first; i < s->core_first + s->core_len; i++)
		if (t->sil[i].core_first != s->core_first || t->sil[i].core_len != s->core_len ||
		    wk_topo_tier(t, i, c) > WK_TIER_SMT)
			return WK_BAD(err, "cid %u: its core is not that of cid %u", c, i);
	return 0;
}

/* A tier means what the silicon columns say. Codes differ, so that only SELF has no bit. */
static int check_pair(const struct wk_topo *t, u32 a, u32 c, struct wk_err *err)
{
	const struct wk_silicon *sa = &t->sil[a], *sc = &t->sil[c];
	u32 tier = wk_topo_tier(t, a, c);

	if ((tier == WK_TIER_SELF) != (a == c))
		return WK_BAD(err, "cids %u and %u: the same code", a, c);
	if ((tier <= WK_TIER_SMT) != (sa->core_first == sc->core_first))
		return WK_BAD(err, "cids %u and %u: tier %u against cores", a, c, tier);
	if ((tier <= WK_TIER_LLC) != (sa->llc == sc->llc))
		return WK_BAD(err, "cids %u and %u: tier %u against LLCs", a, c, tier);
	if ((tier <= WK_TIER_PACKAGE) != (sa->package == sc->package))
		return WK_BAD(err, "cids %u and %u: tier %u against packages", a, c, tier);
	return 0;
}

/* Symmetry and nesting follow from the xor and from tiers that rise with the bit. */
static int check_tier_table(const struct wk_topo *t, struct wk_err *err)
{
	if (t->tier_of_bit[0] != WK_TIER_SELF)
		return WK_BAD(err, "tier_of_bit: %u for no bit", t->tier_of_bit[0]);
	for (u32 b = 1; b < 65; b++)
		if (t->tier_of_bit[b] >= WK_TIER_NR || t->tier_of_bit[b] < t->tier_of_bit[b - 1] ||
		    t->tier_of_bit[b] == WK_TIER_SELF)
			return WK_BAD(err, "tier_of_bit: %u for %u bits", t->tier_of_bit[b], b);
	return 0;
}

/* All pairs up to 512 CPUs, a sample of them on larger machines. */
static int check_pairs(const struct wk_topo *t, struct wk_err *err)
{
	u32 step = 1 + t->nr_cids / 512;

	for (u32 a = 0; a < t->nr_cids; a++)
		for (u32 c = a % step; c < t->nr_cids; c += step)
			if (check_pair(t, a, c, err))
				return -EINVAL;
	return 0;
}

static int check_silicon(const struct wk_topo *t, struct wk_err *err)
{
	int ret = check_counts(t, err);

	if (!ret)
		ret = check_numbers(t, err);
	if (!ret)
		ret = check_tier_table(t, err);
	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		ret = check_silicon_row(t, c, err);
	if (!ret)
		ret = check_nodes(t, err);
	return ret ? ret : check_pairs(t, err);
}

int wk_topo_check(const struct wk_topo *t, struct wk_err *ret_err)
{
	int ret = check_silicon(t, ret_err);

	if (!ret)
		ret = wk_check_domains(t, ret_err);
	return ret ? ret : wk_check_wake(t, ret_err);
}
