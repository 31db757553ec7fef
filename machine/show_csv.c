// SPDX-License-Identifier: GPL-2.0-only
#include "machine/show.h"

/* Number of the CPU's unit: the units begin where two neighbours meet above @tier. */
static u32 unit_of(const struct wk_topo *t, u32 cid, enum wk_tier tier)
{
	u32 unit = 0;

	for (u32 c = 1; c <= cid; c++)
		unit += wk_topo_tier(t, c - 1, c) > (u32)tier;
	return unit;
}

void wk_show_csv(FILE *to, const struct wk_show *s)
{
	const struct wk_topo *t = s->t;

	fputs("cpu,cid,online,package,node,llc,cluster,core,thread,capacity\n", to);
	for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
		const struct wk_silicon *sil;
		u32 c;

		if (t->cid_of[cpu] == WK_NONE)
			continue;
		c = (u32)t->cid_of[cpu];
		sil = &t->sil[c];
		fprintf(to, "%u,%u,%d,%u,%u,%u,%u,%u,%u,%u\n", cpu, c, wk_topo_online(t, c),
			sil->package, t->node_id[sil->node], sil->llc,
			unit_of(t, c, WK_TIER_CLUSTER), unit_of(t, c, WK_TIER_SMT),
			c - sil->core_first, sil->capacity);
	}
}

static void show_domain(FILE *to, const struct wk_topo *t, u32 cpu, u32 place,
			const struct wk_domain *d)
{
	struct wk_mask set = wk_show_set(t, d->span, d->mask);

	fprintf(to, "%u,%u,%s,%u,%u,\"", cpu, place, wk_level_name(d->level), d->weight,
		d->groups.len);
	wk_show_cpus(to, t, &set);
	fputs("\",", to);
	wk_show_flags(to, d->flags, "|");
	fputc('\n', to);
}

void wk_show_domains_csv(FILE *to, const struct wk_show *s)
{
	const struct wk_topo *t = s->t;

	fputs("cpu,place,level,weight,groups,span,flags\n", to);
	for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
		s32 c = t->cid_of[cpu];

		for (u32 i = 0; c != WK_NONE && i < t->cid[c].nr_levels; i++)
			show_domain(to, t, cpu, i, &t->domain[t->cid[c].chain[i]]);
	}
}
