/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regular machines by hand, for tests of the core that must not depend on the
 * readers and the builder of machine/.
 *
 * A shape says how many of each unit stand in the next: packages, nodes, LLCs,
 * clusters, cores, threads. CPU numbers go as on x86, first threads first, or as
 * on Arm, cid = CPU number. Some CPUs may be offline: spans then become masks.
 */
#ifndef WK_TESTS_TOPO_HELPER_H
#define WK_TESTS_TOPO_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "core/topo.h"

struct wkt_shape {
	u32 packages, nodes, llcs, clusters, cores, threads; /* each per unit before it; 0 is 1 */
	u32 near;	   /* LLCs of a NEAR group, 0 for no such level */
	bool arm_numbers;  /* CPU numbers as cids */
	bool idle_sibling; /* MC domains carry the flag */
	bool asym;	   /* the last cluster of each LLC is small: set capacities yourself */
	const struct wk_mask *offline; /* cids */
};

/* Widths in cids of the silicon units, and of the domain levels. */
struct wkt_widths {
	u32 thread, core, cluster, llc, node, package, machine;
};

static inline struct wkt_widths wkt_widths(const struct wkt_shape *s)
{
	struct wkt_widths w = {.thread = 1};

	w.core = s->threads ? s->threads : 1;
	w.cluster = w.core * (s->cores ? s->cores : 1);
	w.llc = w.cluster * (s->clusters ? s->clusters : 1);
	w.node = w.llc * (s->llcs ? s->llcs : 1);
	w.package = w.node * (s->nodes ? s->nodes : 1);
	w.machine = w.package * (s->packages ? s->packages : 1);
	return w;
}

static inline u32 wkt_bits(u32 values)
{
	u32 bits = 0;

	while (1U << bits < values)
		bits++;
	return bits;
}

/* Silicon: one digit of the code a unit, widest on top; nodes stand for quadrants. */
static inline void wkt_silicon(struct wk_topo *t, const struct wkt_shape *s, struct wkt_widths w)
{
	const u32 width[] = {w.thread, w.core, w.cluster, w.llc, w.node, w.package, w.machine};
	u8 tier[] = {WK_TIER_SMT,  WK_TIER_CLUSTER, WK_TIER_LLC,
		     WK_TIER_NEAR, WK_TIER_HALF,    WK_TIER_MACHINE};
	u32 bit = 0;

	/* One cluster is no cluster. */
	if (w.cluster == w.llc)
		tier[1] = WK_TIER_LLC;
	t->tier_of_bit[0] = WK_TIER_SELF;
	for (u32 l = 0; l < 6; l++) {
		u32 bits = wkt_bits(width[l + 1] / width[l]);

		for (u32 c = 0; c < t->nr_cids; c++)
			t->sil[c].code |= (u64)(c % width[l + 1] / width[l]) << bit;
		for (u32 b = bit; b < bit + bits; b++)
			t->tier_of_bit[b + 1] = tier[l];
		bit += bits;
	}
	for (u32 b = bit; b < 64; b++)
		t->tier_of_bit[b + 1] = WK_TIER_MACHINE;
	for (u32 c = 0; c < t->nr_cids; c++) {
		u32 cores = t->nr_cids / w.core;

		t->sil[c].core_first = c / w.core * w.core;
		t->sil[c].core_len = (u16)w.core;
		t->sil[c].llc = c / w.llc;
		t->sil[c].node = (u16)(c / w.node);
		t->sil[c].package = (u16)(c / w.package);
		t->sil[c].capacity = 1024;
		t->cpu_of[c] = s->arm_numbers ? c : c % w.core * cores + c / w.core;
		t->cid_of[t->cpu_of[c]] = (s32)c;
		wk_mask_set(&t->node_mask[c / w.node], c);
	}
}

/* An xmask row with the online cids of @r, or WK_NONE where all of it is online. */
static inline s32 wkt_xmask(struct wk_topo *t, struct wk_range r)
{
	s32 row = WK_NONE;

	if (wk_mask_has_range(&t->online, r))
		return WK_NONE;
	row = (s32)t->nr_xmasks++;
	if (t->nr_xmasks > WK_MAX_XMASKS)
		abort();
	for (u32 c = r.first; c < r.first + r.len; c++)
		if (wk_mask_test(&t->online, c))
			wk_mask_set(&t->xmask[row], c);
	return row;
}

/* The online cid of @r with the lowest CPU number, or WK_NONE. */
static inline s32 wkt_lowest(const struct wk_topo *t, struct wk_range r)
{
	s32 best = WK_NONE;

	for (u32 c = r.first; c < r.first + r.len; c++)
		if (wk_mask_test(&t->online, c) && (best < 0 || t->cpu_of[c] < t->cpu_of[best]))
			best = (s32)c;
	return best;
}

static inline u32 wkt_weight(const struct wk_topo *t, struct wk_range r)
{
	return wk_mask_count_and(&t->online, NULL, r);
}

/* The groups of [first, first + width): units of @child, in order of their first CPU number. */
static inline struct wk_range wkt_groups(struct wk_topo *t, u32 first, u32 width, u32 child)
{
	struct wk_range ring = {.first = t->nr_groups};

	for (u32 at = first; at < first + width; at += child) {
		struct wk_range span = {at, child};
		struct wk_group g = {.span = span, .weight = wkt_weight(t, span)};
		u32 place = t->nr_groups;

		if (!g.weight)
			continue;
		g.mask = wkt_xmask(t, span);
		g.first_cid = (u32)wkt_lowest(t, span);
		while (place > ring.first &&
		       t->cpu_of[t->group[place - 1].first_cid] > t->cpu_of[g.first_cid]) {
			t->group[place] = t->group[place - 1];
			place--;
		}
		t->group[place] = g;
		t->nr_groups++;
		ring.len++;
	}
	return ring;
}

/* One level: a domain row for each unit that has more CPUs than its children; true if any has. */
static inline bool wkt_level(struct wk_topo *t, enum wk_level level, u32 flags, u32 width,
			     u32 child)
{
	const u32 all = WK_SD_BALANCE_NEWIDLE | WK_SD_BALANCE_EXEC | WK_SD_BALANCE_FORK |
			WK_SD_WAKE_AFFINE;
	bool any = false;

	for (u32 at = 0; width > child && at < t->nr_cids; at += width) {
		struct wk_range span = {at, width};
		struct wk_domain d = {.span = span, .weight = wkt_weight(t, span)};

		d.groups = wkt_groups(t, at, width, child);
		if (d.groups.len < 2)
			continue;
		d.mask = wkt_xmask(t, span);
		d.flags = all | flags;
		d.level = (u16)level;
		d.imbalance_pct = level == WK_LEVEL_SMT ? 110 : 117;
		for (u32 c = at; c < at + width; c++)
			if (wk_mask_test(&t->online, c))
				t->cid[c].chain[t->cid[c].nr_levels++] = (u16)t->nr_domains;
		t->domain[t->nr_domains++] = d;
		any = true;
	}
	return any;
}

/* Row of @level in the chain of @cid, or WK_NONE. */
static inline s32 wkt_domain(const struct wk_topo *t, u32 cid, enum wk_level level)
{
	for (u32 i = 0; i < t->cid[cid].nr_levels; i++)
		if (t->domain[t->cid[cid].chain[i]].level == level)
			return t->cid[cid].chain[i];
	return WK_NONE;
}

/* The domain above the LLC's, and the LLC's place in its ring. */
static inline void wkt_llc_parent(struct wk_topo *t, struct wk_llc *llc)
{
	const struct wk_cid *c = &t->cid[llc->first_cid];
	s32 own = WK_NONE;

	llc->parent = WK_NONE;
	for (u32 i = 0; i < c->nr_levels; i++) {
		if (t->domain[c->chain[i]].weight <= llc->weight) {
			own = c->chain[i];
			continue;
		}
		llc->parent = c->chain[i];
		break;
	}
	llc->domain = own;
	if (llc->parent == WK_NONE)
		return;
	for (u32 i = 0; i < t->domain[llc->parent].groups.len; i++) {
		const struct wk_group *g = &t->group[t->domain[llc->parent].groups.first + i];

		if (wk_range_has(g->span, llc->first_cid))
			llc->local_group = i;
	}
}

/* The rows of llc[] and the ring of each, in order of CPU number. */
static inline void wkt_llcs(struct wk_topo *t, struct wkt_widths w, bool clusters)
{
	for (u32 at = 0; at < t->nr_cids; at += w.llc) {
		struct wk_range span = {at, w.llc};
		struct wk_llc *llc = &t->llc[t->nr_llcs];
		u32 pos = 0;

		if (!wkt_weight(t, span))
			continue;
		*llc = (struct wk_llc){.span = span, .weight = wkt_weight(t, span)};
		llc->mask = wkt_xmask(t, span);
		llc->first_cid = (u32)wkt_lowest(t, span);
		llc->code = t->sil[at].code;
		llc->outer = wk_topo_outer(llc->code, t->sil[at + w.llc - 1].code);
		llc->cluster_scan = clusters && w.cluster > w.core && w.cluster < w.llc;
		for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
			s32 c = t->cid_of[cpu];

			if (c < 0 || !wk_range_has(span, (u32)c) ||
			    !wk_mask_test(&t->online, (u32)c))
				continue;
			t->cid[c].llc = (s32)t->nr_llcs;
			t->cid[c].scan_pos = pos;
			t->scan[at + pos++] = (u32)c;
		}
		wkt_llc_parent(t, llc);
		t->nr_llcs++;
	}
}

/* Rows of llc[] stand in order of cids: the first and last of a span are those of its ends. */
static inline void wkt_llcs_below(struct wk_topo *t, struct wk_domain *d)
{
	u32 first = t->nr_llcs, nr = 0;

	for (u32 i = 0; i < t->nr_llcs; i++)
		if (wk_range_has(d->span, t->llc[i].span.first)) {
			first = nr ? first : i;
			nr++;
		}
	if (d->weight > t->llc[first].weight && nr == d->groups.len)
		d->llcs = (struct wk_range){first, nr};
}

static inline void wkt_cids(struct wk_topo *t, struct wkt_widths w)
{
	for (u32 c = 0; c < t->nr_cids; c++) {
		struct wk_range core = {c / w.core * w.core, w.core};
		struct wk_range cluster = {c / w.cluster * w.cluster, w.cluster};
		bool clustered = wkt_domain(t, c, WK_LEVEL_CLS) >= 0;

		if (!wk_mask_test(&t->online, c))
			continue;
		t->cid[c].smt = core;
		t->cid[c].cluster = clustered ? cluster : (struct wk_range){0, 0};
		t->cid[c].l2 = clustered ? cluster : core;
		t->cid[c].share_id =
			wkt_lowest(t, clustered ? cluster : t->llc[t->cid[c].llc].span);
	}
}

static inline struct wk_topo *wkt_topo(const struct wkt_shape *s)
{
	struct wk_topo *t = calloc(1, sizeof(*t));
	struct wkt_widths w = wkt_widths(s);
	u32 below = w.llc;

	t->nr_cids = t->max_cpu = w.machine;
	t->nr_nodes = w.machine / w.node;
	t->nr_packages = w.machine / w.package;
	t->nr_silicon_llcs = w.machine / w.llc;
	t->has_smt = w.core > 1;
	t->asym = s->asym;
	for (u32 c = 0; c < w.machine; c++) {
		t->cid[c].llc = WK_NONE;
		if (!s->offline || !wk_mask_test(s->offline, c))
			wk_mask_set(&t->online, c);
	}
	wkt_silicon(t, s, w);
	wkt_level(t, WK_LEVEL_SMT, WK_SD_SHARE_CPUCAPACITY | WK_SD_SHARE_PKG, w.core, 1);
	if (w.cluster < w.llc)
		t->cluster_active = wkt_level(t, WK_LEVEL_CLS, WK_SD_CLUSTER | WK_SD_SHARE_PKG,
					      w.cluster, w.core);
	wkt_level(t, WK_LEVEL_MC,
		  WK_SD_SHARE_PKG | (s->idle_sibling ? WK_SD_IDLE_SIBLING : 0) |
			  (s->asym ? WK_SD_ASYM_CPUCAPACITY | WK_SD_ASYM_CPUCAPACITY_FULL : 0),
		  w.llc, w.cluster < w.llc ? w.cluster : w.core);
	if (s->near > 1 && wkt_level(t, WK_LEVEL_NEAR, 0, w.llc * s->near, w.llc))
		below = w.llc * s->near;
	wkt_level(t, WK_LEVEL_NODE, 0, w.node, below);
	wkt_level(t, WK_LEVEL_NUMA, WK_SD_NUMA, w.package, w.node);
	wkt_level(t, WK_LEVEL_NUMA, WK_SD_NUMA, w.machine, w.package);
	wkt_llcs(t, w, t->cluster_active);
	for (u32 i = 0; i < t->nr_domains; i++)
		wkt_llcs_below(t, &t->domain[i]);
	wkt_cids(t, w);
	return t;
}

#endif
