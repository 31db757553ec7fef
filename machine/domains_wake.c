// SPDX-License-Identifier: GPL-2.0-only
/* What the wake-up path keeps at hand: LLC rows, their scan order, clusters, share ids. */
#include <errno.h>
#include <string.h>

#include "machine/domains.h"

/* The hull of the online members of a run of cids. */
static struct wk_range online_hull(const struct wk_topo *t, u32 first, u32 end)
{
	struct wk_range r = {0, 0};

	for (u32 c = first; c < end; c++) {
		if (!wk_topo_online(t, c))
			continue;
		if (r.len == 0)
			r.first = c;
		r.len = c - r.first + 1;
	}
	return r;
}

static void fill_smt(struct wk_topo *t)
{
	for (u32 c = 0; c < t->nr_cids; c++) {
		const struct wk_silicon *sil = &t->sil[c];

		if (!wk_topo_online(t, c))
			continue;
		t->cid[c].smt = online_hull(t, sil->core_first, sil->core_first + sil->core_len);
		t->has_smt |= t->cid[c].smt.len > 1;
	}
}

/* A silicon cluster is a run of cids, and holds whole cores. */
static void fill_l2(struct wk_topo *t)
{
	for (u32 first = 0, end; first < t->nr_cids; first = end) {
		struct wk_range hull;

		for (end = first + 1; end < t->nr_cids; end++)
			if (wk_topo_tier(t, first, end) > WK_TIER_CLUSTER)
				break;
		hull = online_hull(t, first, end);
		for (u32 c = first; c < end; c++)
			if (wk_topo_online(t, c))
				t->cid[c].l2 = hull;
	}
}

/* Place in the chain of the highest domain whose members share caches, or WK_NONE. */
static s32 llc_place(const struct wk_topo *t, u32 cid)
{
	const struct wk_cid *c = &t->cid[cid];
	s32 place = WK_NONE;

	for (u32 i = 0; i < c->nr_levels && t->domain[c->chain[i]].flags & WK_SD_SHARE_PKG; i++)
		place = (s32)i;
	return place;
}

static u32 place_in_ring(const struct wk_topo *t, const struct wk_domain *parent,
			 const struct wk_llc *llc)
{
	for (u32 i = 0; i < parent->groups.len; i++) {
		const struct wk_group *g = &t->group[parent->groups.first + i];

		if (g->span.first == llc->span.first && g->span.len == llc->span.len &&
		    g->mask == llc->mask)
			return i;
	}
	return 0;
}

/* How far an LLC is from a CPU outside, without a look at its CPUs: wk_llc_far(). */
static void fill_codes(struct wk_topo *t)
{
	for (u32 i = 0; i < t->nr_llcs; i++) {
		struct wk_llc *l = &t->llc[i];

		l->code = t->sil[l->span.first].code;
		l->outer = wk_topo_outer(l->code, t->sil[l->span.first + l->span.len - 1].code);
	}
}

/* The LLC that is all of group @g, or WK_NONE. */
static s32 llc_of_group(const struct wk_topo *t, const struct wk_group *g)
{
	s32 row = t->cid[g->first_cid].llc;

	return t->llc[row].weight == g->weight ? row : WK_NONE;
}

/* Groups do not overlap below NUMA: as many rows as groups are one each. */
static void fill_llcs_below(struct wk_topo *t, struct wk_domain *d)
{
	s32 first = (s32)t->nr_llcs, last = 0;

	for (u32 i = 0; i < d->groups.len; i++) {
		s32 row = llc_of_group(t, &t->group[d->groups.first + i]);

		if (row == WK_NONE)
			return;
		first = row < first ? row : first;
		last = row > last ? row : last;
	}
	if (!(d->flags & WK_SD_NUMA) && (u32)(last - first) + 1 == d->groups.len)
		d->llcs = (struct wk_range){(u32)first, d->groups.len};
}

static void fill_llc(struct wk_topo *t, struct wk_llc *llc, u32 cid, s32 place)
{
	const struct wk_cid *c = &t->cid[cid];
	const struct wk_domain *d;

	*llc = (struct wk_llc){
		.span = {cid, 1},
		.domain = WK_NONE,
		.parent = WK_NONE,
		.weight = 1,
		.mask = WK_NONE,
		.first_cid = cid,
	};
	if (place == WK_NONE)
		return;
	d = &t->domain[c->chain[place]];
	llc->span = d->span;
	llc->domain = c->chain[place];
	llc->weight = d->weight;
	llc->mask = d->mask;
	llc->first_cid = cid;
	if ((u32)place + 1 < c->nr_levels) {
		llc->parent = c->chain[place + 1];
		llc->local_group = place_in_ring(t, &t->domain[llc->parent], llc);
	}
}

static int fill_llcs(struct wk_build *b)
{
	struct wk_topo *t = b->t;
	s32 row_of_piece[WK_MAX_CPUS];

	for (u32 c = 0; c < t->nr_cids; c++)
		row_of_piece[c] = WK_NONE;
	for (u32 c = 0; c < t->nr_cids; c++) {
		s32 *row = &row_of_piece[b->piece_of[c]], place = llc_place(t, c);

		t->cid[c].llc = WK_NONE;
		if (!wk_build_has(b, c))
			continue;
		if (*row == WK_NONE) {
			if (t->nr_llcs == WK_MAX_LLCS)
				return wk_build_err(
					b->err, -E2BIG,
					"%s: more than %d last-level caches, expected fewer",
					b->m->name, WK_MAX_LLCS);
			*row = (s32)t->nr_llcs++;
			fill_llc(t, &t->llc[*row], c, place);
		}
		t->cid[c].llc = *row;
		if (t->cpu_of[c] < t->cpu_of[t->llc[*row].first_cid])
			t->llc[*row].first_cid = c;
		if (place > 0 && t->domain[t->cid[c].chain[place - 1]].flags & WK_SD_CLUSTER)
			t->llc[*row].cluster_scan = 1;
	}
	return 0;
}

static u32 lowest_cpu(const struct wk_topo *t, struct wk_range r)
{
	u32 best = WK_MAX_CPUS;

	for (u32 c = r.first; c < r.first + r.len; c++)
		if (t->cid[c].llc != WK_NONE &&
		    (best == WK_MAX_CPUS || t->cpu_of[c] < t->cpu_of[best]))
			best = c;
	return best;
}

static void fill_cluster(struct wk_topo *t, u32 cid)
{
	struct wk_cid *c = &t->cid[cid];

	c->share_id = (s32)t->llc[c->llc].first_cid;
	for (u32 i = 0; i < c->nr_levels; i++) {
		const struct wk_domain *d = &t->domain[c->chain[i]];

		if (!(d->flags & WK_SD_CLUSTER))
			continue;
		c->cluster = d->span;
		c->share_id = (s32)lowest_cpu(t, d->span);
		t->cluster_active = true;
		return;
	}
}

/* LLC pieces are runs of cids, so their parts of scan[] do not meet. */
static void fill_scan(struct wk_topo *t)
{
	u32 filled[WK_MAX_LLCS] = {0};

	for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
		s32 c = t->cid_of[cpu], llc;

		if (c == WK_NONE || t->cid[c].llc == WK_NONE)
			continue;
		llc = t->cid[c].llc;
		t->cid[c].scan_pos = filled[llc]++;
		t->scan[t->llc[llc].span.first + t->cid[c].scan_pos] = (u32)c;
	}
}

int wk_build_wake(struct wk_build *b)
{
	struct wk_topo *t = b->t;
	int err = fill_llcs(b);

	t->has_smt = t->asym = t->cluster_active = false;
	if (err)
		return err;
	fill_smt(t);
	fill_l2(t);
	for (u32 c = 0; c < t->nr_cids; c++) {
		t->cid[c].share_id = WK_NONE;
		if (wk_build_has(b, c))
			fill_cluster(t, c);
	}
	for (u32 i = 0; i < t->nr_domains; i++)
		t->asym |= (t->domain[i].flags & WK_SD_ASYM_CPUCAPACITY) != 0;
	fill_codes(t);
	for (u32 i = 0; i < t->nr_domains; i++)
		fill_llcs_below(t, &t->domain[i]);
	fill_scan(t);
	return 0;
}
