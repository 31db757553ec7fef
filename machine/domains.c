// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/domains.h"

/* AMD raises the distance up to which nodes are near to 32, its distance between sockets. */
#define RECLAIM_DISTANCE     30
#define RECLAIM_DISTANCE_ZEN 32

/* The kernel's sd_init(): every level gets these. */
#define BASE_FLAGS                                                                             \
	(WK_SD_BALANCE_NEWIDLE | WK_SD_BALANCE_EXEC | WK_SD_BALANCE_FORK | WK_SD_WAKE_AFFINE | \
	 WK_SD_PREFER_SIBLING)

/* One domain of one CPU while its chain is being made. */
struct link {
	u32 k; /* of build->level[] */
	u32 span, list, nr_groups, flags;
};

static u32 flags_that_need_groups(void)
{
	u32 flags = 0;

#define WK_SDFLAG(NAME, meta, sentence) flags |= (meta)&WK_MF_NEEDS_GROUPS ? WK_SD_##NAME : 0;
#include "core/sdflag.def"
	return flags;
}

/* FULL where no capacity of the machine is missing from the span. */
static u32 capacity_flags(const struct wk_build *b, const struct wk_span *span)
{
	if (b->packing || wk_popcount64(span->capacities) < 2)
		return 0;
	if (span->capacities != b->capacities)
		return WK_SD_ASYM_CPUCAPACITY;
	return WK_SD_ASYM_CPUCAPACITY | WK_SD_ASYM_CPUCAPACITY_FULL;
}

static u32 flags_of_link(const struct wk_build *b, const struct wk_build_level *level,
			 const struct wk_span *span)
{
	u32 flags = BASE_FLAGS | level->flags | capacity_flags(b, span);

	if (level->level != WK_LEVEL_NUMA)
		return flags;
	flags &= ~(u32)WK_SD_PREFER_SIBLING;
	flags |= WK_SD_SERIALIZE;
	/* In 7.3 groups overlap where the level is NUMA; there is no flag for it. */
	if (wk_num(b->pol, WK_FEAT_RULES) < 7)
		flags |= WK_SD_OVERLAP;
	if (level->distance > b->reclaim_distance)
		flags &= ~(u32)(WK_SD_BALANCE_EXEC | WK_SD_BALANCE_FORK | WK_SD_WAKE_AFFINE);
	return flags;
}

/* All levels up to the first that spans everybody. */
static int full_chain(struct wk_build *b, u32 cid, struct link *chain, u32 *ret_nr)
{
	u32 nr = 0;

	for (u32 k = 0; k < b->nr_levels; k++) {
		struct link *l = &chain[nr++];
		int err;

		l->k = k;
		l->span = b->level[k].span_of[cid];
		l->flags = flags_of_link(b, &b->level[k], &b->span[l->span]);
		/* Tasks are not spread over CPUs of different capacity. */
		if (k && l->flags & WK_SD_ASYM_CPUCAPACITY)
			l[-1].flags &= ~(u32)WK_SD_PREFER_SIBLING;
		err = wk_build_groups(b, k, cid, &l->list);
		if (err)
			return err;
		l->nr_groups = b->list[l->list].nr;
		if (b->span[l->span].weight == b->nr_cpus)
			break;
	}
	*ret_nr = nr;
	return 0;
}

/* Nothing to balance between, and no wake-up to attract. */
static bool degenerate(const struct wk_build *b, const struct link *l)
{
	if (b->span[l->span].weight == 1)
		return true;
	if (l->flags & flags_that_need_groups() && l->nr_groups > 1)
		return false;
	return !(l->flags & WK_SD_WAKE_AFFINE);
}

/* The parent says nothing that the child does not say. */
static bool parent_degenerate(const struct wk_build *b, const struct link *child,
			      const struct link *parent)
{
	u32 flags = parent->flags;

	if (degenerate(b, parent))
		return true;
	if (child->span != parent->span)
		return false;
	if (parent->nr_groups == 1)
		flags &= ~flags_that_need_groups();
	return !(flags & ~child->flags);
}

/* In place; returns how many survive. */
static u32 drop_degenerate(const struct wk_build *b, struct link *chain, u32 nr)
{
	u32 kept = 1;

	for (u32 i = 1; i < nr; i++) {
		struct link *child = &chain[kept - 1];

		if (!parent_degenerate(b, child, &chain[i]))
			chain[kept++] = chain[i];
		else if (chain[i].flags & WK_SD_PREFER_SIBLING)
			child->flags |= WK_SD_PREFER_SIBLING;
	}
	if (degenerate(b, &chain[0])) {
		kept--;
		memmove(chain, chain + 1, kept * sizeof(*chain));
	}
	return kept;
}

static int emit_groups(struct wk_build *b, const struct link *l, struct wk_range *ret)
{
	struct wk_topo *t = b->t;
	const struct wk_group_list *list = &b->list[l->list];

	if (t->nr_groups + list->nr > WK_MAX_GROUPS)
		return wk_build_err(b->err, -E2BIG,
				    "%s: more than %d groups of domains, expected fewer",
				    b->m->name, WK_MAX_GROUPS);
	*ret = (struct wk_range){t->nr_groups, list->nr};
	for (u32 i = 0; i < list->nr; i++) {
		const struct wk_span *s = &b->span[b->item[list->first + i]];
		struct wk_group *g = &t->group[t->nr_groups++];

		g->span = s->hull;
		g->mask = s->mask;
		g->weight = s->weight;
		g->first_cid = s->first_cid;
	}
	return 0;
}

static int emit_domain(struct wk_build *b, const struct link *l, u16 *ret)
{
	struct wk_topo *t = b->t;
	struct wk_span *s = &b->span[l->span];
	u32 i = t->nr_domains;
	struct wk_domain *d = &t->domain[i];
	int err;

	if (i == WK_MAX_DOMAINS)
		return wk_build_err(b->err, -E2BIG, "%s: more than %d domains, expected fewer",
				    b->m->name, WK_MAX_DOMAINS);
	err = emit_groups(b, l, &d->groups);
	if (err)
		return err;
	d->span = s->hull;
	d->mask = s->mask;
	d->weight = s->weight;
	d->flags = l->flags;
	d->level = (u16)b->level[l->k].level;
	d->imbalance_pct = l->flags & WK_SD_SHARE_CPUCAPACITY ? 110 : 117;
	b->domain_list[i] = l->list;
	b->domain_next[i] = s->domains;
	s->domains = (s32)i;
	t->nr_domains++;
	*ret = (u16)i;
	return 0;
}

static int intern_domain(struct wk_build *b, const struct link *l, u16 *ret)
{
	const struct wk_topo *t = b->t;

	for (s32 i = b->span[l->span].domains; i != WK_NONE; i = b->domain_next[i])
		if (t->domain[i].level == b->level[l->k].level && t->domain[i].flags == l->flags &&
		    b->domain_list[i] == l->list) {
			*ret = (u16)i;
			return 0;
		}
	return emit_domain(b, l, ret);
}

static int attach(struct wk_build *b, u32 cid)
{
	struct wk_cid *c = &b->t->cid[cid];
	struct link chain[WK_BUILD_LEVELS];
	u32 nr;
	int err = full_chain(b, cid, chain, &nr);

	if (err)
		return err;
	c->nr_levels = drop_degenerate(b, chain, nr);
	for (u32 i = 0; i < c->nr_levels && !err; i++)
		err = intern_domain(b, &chain[i], &c->chain[i]);
	return err;
}

/* More than 64 capacities are noise of a measurement: the smallest share a class. */
static void classify_capacities(struct wk_build *b)
{
	const struct wk_topo *t = b->t;
	bool seen[1025] = {false}, smt = false;
	u8 class_of[1025];
	u32 nr = 0;

	for (u32 c = 0; c < t->nr_cids; c++) {
		seen[t->sil[c].capacity] = true;
		smt |= t->sil[c].core_len > 1;
	}
	for (u32 cap = 1025; cap-- > 0;) {
		class_of[cap] = (u8)(nr < 63 ? nr : 63);
		nr += seen[cap];
	}
	for (u32 c = 0; c < t->nr_cids; c++) {
		b->capacity_class[c] = class_of[t->sil[c].capacity];
		if (wk_build_has(b, c))
			b->capacities |= 1ULL << b->capacity_class[c];
	}
	b->packing = nr > 1 && smt;
}

static struct wk_build *create(struct wk_topo *t, const struct wk_machine *m,
			       const struct wk_policy *pol, struct wk_err *err)
{
	struct wk_build *b = calloc(1, sizeof(*b));
	struct wk_range all = {0, t->nr_cids};

	if (!b)
		return NULL;
	b->t = t;
	b->m = m;
	b->pol = pol;
	b->err = err;
	b->cpus = t->online;
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].isolated)
			wk_mask_clear(&b->cpus, (u32)t->cid_of[m->cpu[i].cpu]);
	b->nr_cpus = wk_mask_count_and(&b->cpus, NULL, all);
	b->reclaim_distance = strncmp(m->family, "zen", 3) ? RECLAIM_DISTANCE
							   : RECLAIM_DISTANCE_ZEN;
	for (u32 c = 0; c < WK_MAX_CPUS; c++)
		b->span_head[c] = WK_NONE;
	classify_capacities(b);
	return b;
}

static void destroy(struct wk_build *b)
{
	free(b->span);
	free(b->list);
	free(b->item);
	free(b);
}

int wk_build_domains(struct wk_topo *t, const struct wk_machine *m, const struct wk_policy *pol,
		     struct wk_err *err)
{
	struct wk_build *b = create(t, m, pol, err);
	int ret;

	if (!b)
		return wk_build_err(err, -ENOMEM, "%s: out of memory", m->name);
	ret = wk_build_levels(b);
	for (u32 c = 0; c < t->nr_cids && !ret; c++)
		if (wk_build_has(b, c))
			ret = attach(b, c);
	if (!ret)
		ret = wk_build_wake(b);
	destroy(b);
	return ret;
}
