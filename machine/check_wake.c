// SPDX-License-Identifier: GPL-2.0-only
/* The invariants of what the wake-up path keeps at hand. */
#include <errno.h>
#include <string.h>

#include "machine/check.h"

/* Of the highest domain that shares caches, counted from the lowest; chain length if all do. */
static u32 levels_that_share(const struct wk_topo *t, u32 cid)
{
	u32 nr = 0;

	while (nr < t->cid[cid].nr_levels &&
	       t->domain[t->cid[cid].chain[nr]].flags & WK_SD_SHARE_PKG)
		nr++;
	return nr;
}

static int check_llc_domain(const struct wk_topo *t, u32 cid, u32 i, struct wk_err *err)
{
	const struct wk_cid *c = &t->cid[cid];
	const struct wk_llc *l = &t->llc[i];
	u32 nr = levels_that_share(t, cid);
	s32 domain = nr ? c->chain[nr - 1] : WK_NONE;
	s32 parent = nr && nr < c->nr_levels ? c->chain[nr] : WK_NONE;
	const struct wk_domain *d;

	if (l->domain != domain || l->parent != parent)
		return WK_BAD(err, "cid %u: LLC %u has domain %d and parent %d, expected %d and %d",
			      cid, i, l->domain, l->parent, domain, parent);
	if (domain != WK_NONE) {
		d = &t->domain[domain];
		if (memcmp(&d->span, &l->span, sizeof(d->span)) || d->mask != l->mask ||
		    d->weight != l->weight)
			return WK_BAD(err, "LLC %u: not the span of its domain", i);
	}
	if (parent != WK_NONE) {
		d = &t->domain[parent];
		if (l->local_group >= d->groups.len ||
		    memcmp(&t->group[d->groups.first + l->local_group].span, &l->span,
			   sizeof(l->span)))
			return WK_BAD(err, "LLC %u: group %u of its parent is not its own", i,
				      l->local_group);
	}
	return 0;
}

static int check_cid(const struct wk_topo *t, u32 cid, struct wk_err *err)
{
	const struct wk_cid *c = &t->cid[cid];
	const struct wk_silicon *s = &t->sil[cid];

	if (!wk_topo_online(t, cid)) {
		if (c->llc != WK_NONE || c->share_id != WK_NONE || c->smt.len || c->l2.len ||
		    c->cluster.len)
			return WK_BAD(err, "cid %u: offline, but in an LLC, core or cluster", cid);
		return 0;
	}
	if (c->llc == WK_NONE) /* isolated */
		return c->nr_levels || c->share_id != WK_NONE || c->cluster.len
			       ? WK_BAD(err, "cid %u: in no LLC, but in domains", cid)
			       : 0;
	if (c->llc < 0 || c->llc >= (s32)t->nr_llcs)
		return WK_BAD(err, "cid %u: LLC %d of %u", cid, c->llc, t->nr_llcs);
	if (!wk_range_has(c->smt, cid) || c->smt.first < s->core_first ||
	    c->smt.first + c->smt.len > s->core_first + s->core_len)
		return WK_BAD(err, "cid %u: threads [%u, +%u) are not its core's", cid,
			      c->smt.first, c->smt.len);
	if (!wk_range_has(c->l2, cid) || c->l2.first > c->smt.first ||
	    c->l2.first + c->l2.len < c->smt.first + c->smt.len)
		return WK_BAD(err, "cid %u: L2 [%u, +%u) is less than the core", cid, c->l2.first,
			      c->l2.len);
	if (c->cluster.len && !wk_range_has(c->cluster, cid))
		return WK_BAD(err, "cid %u: not in its cluster", cid);
	return check_llc_domain(t, cid, (u32)c->llc, err);
}

static u32 lowest_in(const struct wk_topo *t, u32 cid, struct wk_range cluster)
{
	const struct wk_llc *l = &t->llc[t->cid[cid].llc];
	struct wk_range r = cluster.len ? cluster : l->span;
	u32 best = cid;

	for (u32 c = r.first; c < r.first + r.len; c++)
		if (t->cid[c].llc == t->cid[cid].llc && t->cpu_of[c] < t->cpu_of[best])
			best = c;
	return best;
}

static int check_share(const struct wk_topo *t, u32 cid, bool *active, struct wk_err *err)
{
	const struct wk_cid *c = &t->cid[cid];
	bool carries = false;

	if (c->llc == WK_NONE)
		return 0;
	for (u32 i = 0; i < c->nr_levels; i++)
		carries |= (t->domain[c->chain[i]].flags & WK_SD_CLUSTER) != 0;
	*active |= carries;
	if (carries != (c->cluster.len > 0))
		return WK_BAD(err, "cid %u: cluster [%u, +%u) against its domains", cid,
			      c->cluster.first, c->cluster.len);
	if (c->share_id != (s32)lowest_in(t, cid, c->cluster))
		return WK_BAD(err, "cid %u: share id %d, expected %u", cid, c->share_id,
			      lowest_in(t, cid, c->cluster));
	return 0;
}

/* From outside all CPUs of an LLC are at the tier that its code and the outer bits give, or 0. */
static int check_llc_code(const struct wk_topo *t, u32 i, struct wk_err *err)
{
	const struct wk_llc *l = &t->llc[i];
	u64 differ = 0;

	for (u32 k = 0; k < l->weight; k++)
		differ |= l->code ^ t->sil[t->scan[l->span.first + k]].code;
	if (differ & l->outer || l->outer != 0 - (l->outer & (0 - l->outer)))
		return WK_BAD(err, "LLC %u: outer bits %#llx, but its codes differ in %#llx", i,
			      (unsigned long long)l->outer, (unsigned long long)differ);
	return 0;
}

static int check_llc(const struct wk_topo *t, u32 i, struct wk_mask *seen, struct wk_err *err)
{
	const struct wk_llc *l = &t->llc[i];
	struct wk_mask set;

	if (!wk_check_span(t, l->span, l->mask, &set) ||
	    wk_mask_count_and(&set, NULL, l->span) != l->weight)
		return WK_BAD(err, "LLC %u: span [%u, +%u) of weight %u", i, l->span.first,
			      l->span.len, l->weight);
	for (u32 k = 0; k < l->weight; k++) {
		u32 c = t->scan[l->span.first + k];

		if (c >= t->nr_cids || !wk_mask_test(&set, c) || wk_mask_test(seen, c) ||
		    t->cid[c].llc != (s32)i || t->cid[c].scan_pos != k)
			return WK_BAD(err, "LLC %u: cid %u at place %u of its scan", i, c, k);
		if (k && t->cpu_of[c] <= t->cpu_of[t->scan[l->span.first + k - 1]])
			return WK_BAD(err, "LLC %u: place %u of its scan not in order of CPUs", i,
				      k);
		wk_mask_set(seen, c);
	}
	if (l->first_cid != t->scan[l->span.first])
		return WK_BAD(err, "LLC %u: first cid %u, expected %u", i, l->first_cid,
			      t->scan[l->span.first]);
	return check_llc_code(t, i, err);
}

/* Each group of the domain is one LLC, and these are the rows, in whatever order. */
static int check_llcs_below(const struct wk_topo *t, u32 i, struct wk_err *err)
{
	const struct wk_domain *d = &t->domain[i];

	if (!d->llcs.len)
		return 0;
	if (d->llcs.len != d->groups.len || d->flags & WK_SD_NUMA)
		return WK_BAD(err, "domain %u: %u LLCs for %u groups", i, d->llcs.len,
			      d->groups.len);
	for (u32 k = d->groups.first; k < d->groups.first + d->groups.len; k++) {
		const struct wk_group *g = &t->group[k];
		u32 row = (u32)t->cid[g->first_cid].llc;

		if (!wk_range_has(d->llcs, row) || t->llc[row].weight != g->weight ||
		    t->llc[row].first_cid != g->first_cid)
			return WK_BAD(err, "domain %u: group %u is not one of its LLCs", i, k);
	}
	return 0;
}

int wk_check_wake(const struct wk_topo *t, struct wk_err *err)
{
	struct wk_mask seen = {0};
	bool active = false;
	int ret = 0;

	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		ret = check_cid(t, c, err);
	for (u32 i = 0; i < t->nr_llcs && !ret; i++)
		ret = check_llc(t, i, &seen, err);
	for (u32 i = 0; i < t->nr_domains && !ret; i++)
		ret = check_llcs_below(t, i, err);
	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		if (wk_mask_test(&seen, c) != (t->cid[c].llc != WK_NONE))
			ret = WK_BAD(err, "LLCs: cid %u is in an LLC and in no scan", c);
	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		ret = check_share(t, c, &active, err);
	if (!ret && active != t->cluster_active)
		ret = WK_BAD(err, "cluster_active is %d against the domains", t->cluster_active);
	return ret;
}
