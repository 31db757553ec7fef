// SPDX-License-Identifier: GPL-2.0-only
/* The invariants of domains, groups and chains. */
#include <errno.h>
#include <string.h>

#include "machine/check.h"

static const char *const level_names[] = {
#define WK_LEVEL(NAME, name, flags, sentence) [WK_LEVEL_##NAME] = #name,
#include "core/level.def"
};

static const struct {
	const char *name;
	u32 meta;
} sdflags[] = {
#define WK_SDFLAG(NAME, meta, sentence) [WK_SDI_##NAME] = {#NAME, (meta)},
#include "core/sdflag.def"
};

bool wk_check_span(const struct wk_topo *t, struct wk_range hull, s32 mask, struct wk_mask *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (hull.len == 0 || hull.len > t->nr_cids || hull.first > t->nr_cids - hull.len ||
	    mask < WK_NONE || mask >= (s32)t->nr_xmasks)
		return false;
	if (mask == WK_NONE) {
		for (u32 c = hull.first; c < hull.first + hull.len; c++)
			wk_mask_set(ret, c);
		return true;
	}
	*ret = t->xmask[mask];
	/* A hull is tight, and nothing lies outside. */
	return wk_mask_test(ret, hull.first) && wk_mask_test(ret, hull.first + hull.len - 1) &&
	       wk_mask_count_and(ret, NULL, hull) ==
		       wk_mask_count_and(ret, NULL, (struct wk_range){0, WK_MAX_CPUS});
}

static bool subset(const struct wk_mask *inner, const struct wk_mask *outer)
{
	for (u32 w = 0; w < WK_MASK_WORDS; w++)
		if (inner->word[w] & ~outer->word[w])
			return false;
	return true;
}

static u32 lowest(const struct wk_topo *t, const struct wk_mask *set)
{
	u32 best = WK_MAX_CPUS;

	for (u32 c = 0; c < t->nr_cids; c++)
		if (wk_mask_test(set, c) && (best == WK_MAX_CPUS || t->cpu_of[c] < t->cpu_of[best]))
			best = c;
	return best;
}

static u32 count(const struct wk_mask *set)
{
	return wk_mask_count_and(set, NULL, (struct wk_range){0, WK_MAX_CPUS});
}

static int check_group(const struct wk_topo *t, u32 i, const struct wk_mask *span,
		       struct wk_mask *covered, bool overlap, struct wk_err *err)
{
	const struct wk_group *g = &t->group[i];
	struct wk_mask set;

	if (!wk_check_span(t, g->span, g->mask, &set))
		return WK_BAD(err, "group %u: span [%u, +%u) out of bounds", i, g->span.first,
			      g->span.len);
	if (!subset(&set, span))
		return WK_BAD(err, "group %u: not inside its domain", i);
	if (g->weight != count(&set))
		return WK_BAD(err, "group %u: weight %u of %u CPUs", i, g->weight, count(&set));
	if (g->first_cid != lowest(t, &set))
		return WK_BAD(err, "group %u: first cid %u, expected %u", i, g->first_cid,
			      lowest(t, &set));
	for (u32 w = 0; w < WK_MASK_WORDS; w++) {
		if (!overlap && covered->word[w] & set.word[w])
			return WK_BAD(err, "group %u: overlaps a group before it", i);
		covered->word[w] |= set.word[w];
	}
	return 0;
}

static int check_groups(const struct wk_topo *t, u32 i, const struct wk_mask *span,
			struct wk_err *err)
{
	const struct wk_domain *d = &t->domain[i];
	struct wk_mask covered = {0};
	u32 end = d->groups.first + d->groups.len;

	if (d->groups.len == 0 || d->groups.first > t->nr_groups ||
	    d->groups.len > t->nr_groups - d->groups.first)
		return WK_BAD(err, "domain %u: groups [%u, +%u) of %u", i, d->groups.first,
			      d->groups.len, t->nr_groups);
	for (u32 g = d->groups.first; g < end; g++) {
		if (check_group(t, g, span, &covered, d->flags & WK_SD_NUMA, err))
			return -EINVAL;
		if (g > d->groups.first &&
		    t->cpu_of[t->group[g].first_cid] < t->cpu_of[t->group[g - 1].first_cid])
			return WK_BAD(err, "group %u: not in order of first CPUs", g);
	}
	if (memcmp(&covered, span, sizeof(covered)))
		return WK_BAD(err, "domain %u: its groups leave CPUs out", i);
	return 0;
}

static int check_domain(const struct wk_topo *t, u32 i, struct wk_err *err)
{
	const struct wk_domain *d = &t->domain[i];
	struct wk_mask span;

	if (d->level >= WK_LEVEL_NR || d->flags >> WK_SDI_NR)
		return WK_BAD(err, "domain %u: level %u, flags %#x", i, d->level, d->flags);
	if (!wk_check_span(t, d->span, d->mask, &span))
		return WK_BAD(err, "domain %u: span [%u, +%u) out of bounds", i, d->span.first,
			      d->span.len);
	if (!subset(&span, &t->online))
		return WK_BAD(err, "domain %u: holds an offline CPU", i);
	if (d->weight != count(&span))
		return WK_BAD(err, "domain %u: weight %u of %u CPUs", i, d->weight, count(&span));
	if (d->weight < 2)
		return WK_BAD(err, "domain %u: of a single CPU", i);
	if (d->imbalance_pct != (d->flags & WK_SD_SHARE_CPUCAPACITY ? 110 : 117))
		return WK_BAD(err, "domain %u: imbalance %u %%", i, d->imbalance_pct);
	return check_groups(t, i, &span, err);
}

/* What a flag demands of the domain above (or below) the one that has it. */
static int check_flags(const struct wk_topo *t, u32 lower, u32 upper, struct wk_err *err)
{
	u32 low = t->domain[lower].flags, up = t->domain[upper].flags;

	for (u32 f = 0; f < WK_SDI_NR; f++) {
		if (sdflags[f].meta & WK_MF_SHARED_CHILD && up & ~low & 1u << f)
			return WK_BAD(err, "domain %u (%s): %s is set above and not here", lower,
				      level_names[t->domain[lower].level], sdflags[f].name);
		if (sdflags[f].meta & WK_MF_SHARED_PARENT && low & ~up & 1u << f)
			return WK_BAD(err, "domain %u (%s): %s is set below and not here", upper,
				      level_names[t->domain[upper].level], sdflags[f].name);
	}
	return 0;
}

static bool span_of_domain(const struct wk_topo *t, u32 i, struct wk_mask *ret)
{
	return wk_check_span(t, t->domain[i].span, t->domain[i].mask, ret);
}

/* The group of the CPU is what its domain below spans. */
static int check_local_group(const struct wk_topo *t, u32 cid, u32 place,
			     const struct wk_mask *below, struct wk_err *err)
{
	const struct wk_domain *d = &t->domain[t->cid[cid].chain[place]];

	for (u32 g = d->groups.first; g < d->groups.first + d->groups.len; g++) {
		struct wk_mask set;

		wk_check_span(t, t->group[g].span, t->group[g].mask, &set);
		if (!memcmp(&set, below, sizeof(set)))
			return 0;
	}
	return WK_BAD(err, "cid %u: domain %u (%s) has no group for it", cid,
		      t->cid[cid].chain[place], level_names[d->level]);
}

static int check_link(const struct wk_topo *t, u32 cid, u32 place, struct wk_mask *below,
		      struct wk_err *err)
{
	const struct wk_cid *c = &t->cid[cid];
	u32 i = c->chain[place];
	struct wk_mask span;

	if (i >= t->nr_domains)
		return WK_BAD(err, "cid %u: domain %u of %u", cid, i, t->nr_domains);
	span_of_domain(t, i, &span);
	if (!wk_mask_test(&span, cid))
		return WK_BAD(err, "cid %u: not in its domain %u", cid, i);
	if (!subset(below, &span))
		return WK_BAD(err, "cid %u: domain %u does not hold the one below", cid, i);
	if (place && t->domain[i].level < t->domain[c->chain[place - 1]].level)
		return WK_BAD(err, "cid %u: level %s above a higher one", cid,
			      level_names[t->domain[i].level]);
	if (place && check_flags(t, c->chain[place - 1], i, err))
		return -EINVAL;
	if (check_local_group(t, cid, place, below, err))
		return -EINVAL;
	*below = span;
	return 0;
}

/* In no LLC and in no domain. */
static bool is_isolated(const struct wk_topo *t, u32 cid)
{
	return t->cid[cid].llc == WK_NONE && !t->cid[cid].nr_levels;
}

static int check_chain(const struct wk_topo *t, u32 cid, struct wk_err *err)
{
	const struct wk_cid *c = &t->cid[cid];
	struct wk_mask below = {0};

	if (!wk_topo_online(t, cid))
		return c->nr_levels
			       ? WK_BAD(err, "cid %u: offline with %u domains", cid, c->nr_levels)
			       : 0;
	if (c->nr_levels > WK_MAX_LEVELS)
		return WK_BAD(err, "cid %u: %u levels", cid, c->nr_levels);
	wk_mask_set(&below, cid);
	for (u32 i = 0; i < c->nr_levels; i++)
		if (check_link(t, cid, i, &below, err))
			return -EINVAL;
	/* Balancing has to reach everybody, the isolated excepted. */
	for (u32 i = 0; i < t->nr_cids && !is_isolated(t, cid); i++)
		if (wk_mask_test(&below, i) != (wk_topo_online(t, i) && !is_isolated(t, i)))
			return WK_BAD(err, "cid %u: its widest domain misses CPUs", cid);
	return 0;
}

int wk_check_domains(const struct wk_topo *t, struct wk_err *err)
{
	int ret = 0;

	for (u32 i = 0; i < t->nr_domains && !ret; i++)
		ret = check_domain(t, i, err);
	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		ret = check_chain(t, c, err);
	return ret;
}
