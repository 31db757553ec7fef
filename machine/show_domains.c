// SPDX-License-Identifier: GPL-2.0-only
/* Chains of domains, CPUs with chains that look alike in one block. */
#include <stdlib.h>
#include <string.h>

#include "machine/show.h"

/* More spans than this are shown as the first ones and the last. */
#define SPANS_SHOWN  6
#define SPANS_HEAD   3
#define GROUPS_SHOWN 4

static bool domains_look_alike(const struct wk_domain *a, const struct wk_domain *b)
{
	return a->level == b->level && a->weight == b->weight && a->flags == b->flags &&
	       a->groups.len == b->groups.len;
}

static bool chains_look_alike(const struct wk_show *s, u32 a, u32 b)
{
	const struct wk_topo *t = s->t;
	const struct wk_cid *ca = &t->cid[a], *cb = &t->cid[b];
	u32 ra[WK_LEVEL_NR], rb[WK_LEVEL_NR];

	if (ca->nr_levels != cb->nr_levels)
		return false;
	for (u32 i = 0; i < ca->nr_levels; i++)
		if (!domains_look_alike(&t->domain[ca->chain[i]], &t->domain[cb->chain[i]]))
			return false;
	wk_show_removed(s, a, ra);
	wk_show_removed(s, b, rb);
	return !memcmp(ra, rb, sizeof(ra));
}

/* "8 groups of 2", "12 groups of 2-4" */
static void show_groups(FILE *to, const struct wk_topo *t, const struct wk_domain *d)
{
	u32 min = WK_MAX_CPUS, max = 0;

	for (u32 i = d->groups.first; i < d->groups.first + d->groups.len; i++) {
		min = t->group[i].weight < min ? t->group[i].weight : min;
		max = t->group[i].weight > max ? t->group[i].weight : max;
	}
	fprintf(to, "%u group%s of %u", d->groups.len, d->groups.len == 1 ? "" : "s", min);
	if (max != min)
		fprintf(to, "-%u", max);
}

static void show_span(FILE *to, const struct wk_topo *t, struct wk_range hull, s32 mask)
{
	struct wk_mask set = wk_show_set(t, hull, mask);

	wk_show_cpus(to, t, &set);
}

/* The domains at @place of the chains of a block, each once; returns how many. */
static u32 domains_of_block(const struct wk_topo *t, const struct wk_mask *block, u32 place,
			    u16 *domains)
{
	bool seen[WK_MAX_DOMAINS] = {false};
	u32 nr = 0;

	for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
		s32 c = t->cid_of[cpu];
		u16 d;

		if (c == WK_NONE || !wk_mask_test(block, (u32)c))
			continue;
		d = t->cid[c].chain[place];
		if (!seen[d])
			domains[nr++] = d;
		seen[d] = true;
	}
	return nr;
}

static void show_spans(FILE *to, const struct wk_topo *t, const u16 *domains, u32 nr)
{
	fputs("         ", to);
	for (u32 i = 0; i < nr; i++) {
		const struct wk_domain *d = &t->domain[domains[i]];

		if (nr > SPANS_SHOWN && i == SPANS_HEAD) {
			fputs("  ...", to);
			i = nr - 1;
			d = &t->domain[domains[i]];
		}
		fputs(i ? "  " : "", to);
		show_span(to, t, d->span, d->mask);
	}
	fputc('\n', to);
}

/* The groups themselves, where they are no mere repetition of the level below. */
static void show_overlap(FILE *to, const struct wk_topo *t, const struct wk_domain *d)
{
	fputs("         groups ", to);
	for (u32 i = 0; i < d->groups.len; i++) {
		const struct wk_group *g = &t->group[d->groups.first + i];

		if (i == GROUPS_SHOWN && d->groups.len > GROUPS_SHOWN + 1) {
			fputs(" | ...\n", to);
			return;
		}
		fputs(i ? " | " : "", to);
		show_span(to, t, g->span, g->mask);
	}
	fputc('\n', to);
}

static void show_place(FILE *to, const struct wk_topo *t, const struct wk_mask *block, u32 place,
		       u32 cid)
{
	const struct wk_domain *d = &t->domain[t->cid[cid].chain[place]];
	u16 domains[WK_MAX_DOMAINS];
	u32 nr = domains_of_block(t, block, place, domains);

	fprintf(to, "  %-5s  %u domain%s of %u CPUs, ", wk_level_name(d->level), nr,
		nr == 1 ? "" : "s", d->weight);
	show_groups(to, t, d);
	fputc('\n', to);
	show_spans(to, t, domains, nr);
	for (u32 i = 0; i < nr && d->flags & WK_SD_NUMA; i++)
		show_overlap(to, t, &t->domain[domains[i]]);
	fputs("         ", to);
	wk_show_flags(to, d->flags, " ");
	fputc('\n', to);
}

static void show_removed(FILE *to, const struct wk_show *s, u32 cid)
{
	u32 removed[WK_LEVEL_NR];
	bool any = false;

	wk_show_removed(s, cid, removed);
	for (u32 l = 0; l < WK_LEVEL_NR; l++)
		for (u32 i = 0; i < removed[l]; i++) {
			fprintf(to, "%s%s",
				any ? " " : "  removed as degenerate: ", wk_level_name(l));
			any = true;
		}
	if (any)
		fputc('\n', to);
}

static void show_block(FILE *to, const struct wk_show *s, const struct wk_mask *block, u32 cid)
{
	fputs("\nCPUs ", to);
	wk_show_cpus(to, s->t, block);
	fputc('\n', to);
	if (!s->t->cid[cid].nr_levels)
		fputs("  no domain\n", to);
	for (u32 i = 0; i < s->t->cid[cid].nr_levels; i++)
		show_place(to, s->t, block, i, cid);
	show_removed(to, s, cid);
}

void wk_show_domains(FILE *to, const struct wk_show *s)
{
	const struct wk_topo *t = s->t;
	struct wk_mask done = {0};

	for (u32 cpu = 0; cpu < t->max_cpu; cpu++) {
		struct wk_mask block = {0};
		s32 first = t->cid_of[cpu];

		if (first == WK_NONE || wk_mask_test(&done, (u32)first) ||
		    !wk_topo_online(t, (u32)first))
			continue;
		for (u32 c = 0; c < t->nr_cids; c++)
			if (wk_topo_online(t, c) && !wk_mask_test(&done, c) &&
			    chains_look_alike(s, (u32)first, c)) {
				wk_mask_set(&block, c);
				wk_mask_set(&done, c);
			}
		show_block(to, s, &block, (u32)first);
	}
	fprintf(to, "\nclusters are %sactive in the wake-up path\n",
		t->cluster_active ? "" : "not ");
}
