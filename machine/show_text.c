// SPDX-License-Identifier: GPL-2.0-only
/* The machine: counts, shape, tiers, and one line for each last-level cache of a node. */
#include <stdlib.h>
#include <string.h>

#include "machine/show.h"

/* Levels of the shape, widest first: two CPUs are in one unit up to this tier. */
static const struct {
	enum wk_tier tier;
	const char *one, *many;
	bool always; /* shown even if each holds a single one */
} shape_levels[] = {
	{WK_TIER_PACKAGE, "package", "packages", true},	 {WK_TIER_HALF, "half", "halves", false},
	{WK_TIER_NEAR, "quadrant", "quadrants", false},	 {WK_TIER_LLC, "LLC", "LLCs", true},
	{WK_TIER_CLUSTER, "cluster", "clusters", false}, {WK_TIER_SMT, "core", "cores", true},
	{WK_TIER_SELF, "thread", "threads", false},
};

#define NR_SHAPE_LEVELS (sizeof(shape_levels) / sizeof(shape_levels[0]))

static const char *const tier_names[] = {
#define WK_TIER(NAME, name, sentence) [WK_TIER_##NAME] = #name,
#include "core/tier.def"
};

struct bounds {
	u32 min, max;
};

static void take(struct bounds *b, u32 value)
{
	if (b->max == 0 || value < b->min)
		b->min = value;
	if (value > b->max)
		b->max = value;
}

/* leader[cid]: the first cid of its unit. Units are runs of cids, or nearly so. */
static void find_leaders(const struct wk_topo *t, enum wk_tier tier, u32 *leader)
{
	u32 found[WK_MAX_CPUS], nr = 0;

	for (u32 c = 0; c < t->nr_cids; c++) {
		u32 i = nr;

		while (i > 0 && wk_topo_tier(t, found[i - 1], c) > (u32)tier)
			i--;
		if (i == 0)
			found[nr++] = c;
		leader[c] = i ? found[i - 1] : c;
	}
}

/* How many units lie in each unit of @outer. */
static struct bounds units_in(const struct wk_topo *t, const u32 *outer, const u32 *leader)
{
	u32 nr[WK_MAX_CPUS] = {0};
	struct bounds b = {0, 0};

	for (u32 c = 0; c < t->nr_cids; c++)
		if (leader[c] == c)
			nr[outer[c]]++;
	for (u32 c = 0; c < t->nr_cids; c++)
		if (nr[c])
			take(&b, nr[c]);
	return b;
}

/* A cluster that is a core is not worth a word. */
static bool says_more(const struct wk_topo *t, u32 level, const u32 *leader)
{
	u32 inner[WK_MAX_CPUS];

	if (shape_levels[level].tier != WK_TIER_CLUSTER)
		return true;
	find_leaders(t, WK_TIER_SMT, inner);
	return memcmp(inner, leader, t->nr_cids * sizeof(*inner)) != 0;
}

static void show_shape(FILE *to, const struct wk_topo *t)
{
	u32 outer[WK_MAX_CPUS] = {0}, leader[WK_MAX_CPUS];
	const char *sep = "";

	for (u32 l = 0; l < NR_SHAPE_LEVELS; l++) {
		struct bounds b;

		find_leaders(t, shape_levels[l].tier, leader);
		b = units_in(t, outer, leader);

		if (!shape_levels[l].always && (b.max == 1 || !says_more(t, l, leader)))
			continue;
		if (b.min == b.max)
			fprintf(to, "%s%u", sep, b.max);
		else
			fprintf(to, "%s%u-%u", sep, b.min, b.max);
		fprintf(to, " %s", b.max == 1 ? shape_levels[l].one : shape_levels[l].many);
		memcpy(outer, leader, sizeof(outer));
		sep = " x ";
	}
	fputc('\n', to);
}

/* How many other CPUs a CPU meets at each tier. */
static void show_tiers(FILE *to, const struct wk_topo *t)
{
	struct bounds b[WK_TIER_NR] = {{0, 0}};
	u32 least[WK_TIER_NR];
	const char *sep = "";

	memset(least, 0xff, sizeof(least));
	for (u32 a = 0; a < t->nr_cids; a++) {
		u32 nr[WK_TIER_NR] = {0};

		for (u32 c = 0; c < t->nr_cids; c++)
			nr[wk_topo_tier(t, a, c)]++;
		for (u32 i = 0; i < WK_TIER_NR; i++) {
			b[i].max = nr[i] > b[i].max ? nr[i] : b[i].max;
			least[i] = nr[i] < least[i] ? nr[i] : least[i];
		}
	}
	for (u32 i = WK_TIER_SELF + 1; i < WK_TIER_NR; i++) {
		if (!b[i].max)
			continue;
		fprintf(to, "%s%s ", sep, tier_names[i]);
		if (least[i] == b[i].max)
			fprintf(to, "%u", b[i].max);
		else
			fprintf(to, "%u-%u", least[i], b[i].max);
		sep = ", ";
	}
	fputs(*sep ? " other CPUs\n" : "a single CPU\n", to);
}

static u32 count_cores(const struct wk_topo *t)
{
	u32 nr = 0;

	for (u32 c = 0; c < t->nr_cids; c++)
		nr += t->sil[c].core_first == c;
	return nr;
}

static void show_count(FILE *to, u32 nr, const char *one, const char *many)
{
	fprintf(to, ", %u %s", nr, nr == 1 ? one : many);
}

static void show_head(FILE *to, const struct wk_show *s)
{
	const struct wk_topo *t = s->t;
	struct wk_range all = {0, t->nr_cids};
	struct wk_mask offline = {0};

	fprintf(to, "machine  %s%s%s, costs of %s\n", s->m->name, s->m->config[0] ? ":" : "",
		s->m->config, s->m->family);
	fprintf(to, "counts   %u CPUs", t->nr_cids);
	show_count(to, count_cores(t), "core", "cores");
	show_count(to, t->nr_silicon_llcs, "LLC", "LLCs");
	show_count(to, t->nr_packages, "package", "packages");
	show_count(to, t->nr_nodes, "node", "nodes");
	fputs("\nshape    ", to);
	show_shape(to, t);
	fputs("tiers    ", to);
	show_tiers(to, t);
	if (wk_mask_count_and(&t->online, NULL, all) == t->nr_cids)
		return;
	for (u32 c = 0; c < t->nr_cids; c++)
		if (!wk_topo_online(t, c))
			wk_mask_set(&offline, c);
	fputs("offline  ", to);
	wk_show_cpus(to, t, &offline);
	fputc('\n', to);
}

static void show_distances(FILE *to, const struct wk_topo *t)
{
	if (t->nr_nodes < 2)
		return;
	fputs("\nnode  distances\n", to);
	for (u32 a = 0; a < t->nr_nodes; a++) {
		fprintf(to, "%4u ", t->node_id[a]);
		for (u32 b = 0; b < t->nr_nodes; b++)
			fprintf(to, " %3u", t->distance[a][b]);
		fputc('\n', to);
	}
}

static void show_llcs(FILE *to, const struct wk_topo *t)
{
	fputs("\npackage  node   LLC  CPUs\n", to);
	for (u32 c = 0; c < t->nr_cids; c++) {
		const struct wk_silicon *sil = &t->sil[c];
		struct wk_mask set = {0};

		if (c && sil->llc == sil[-1].llc && sil->node == sil[-1].node)
			continue;
		for (u32 i = c; i < t->nr_cids; i++)
			if (t->sil[i].llc == sil->llc && t->sil[i].node == sil->node)
				wk_mask_set(&set, i);
		fprintf(to, "%7u %5u %5u  ", sil->package, t->node_id[sil->node], sil->llc);
		wk_show_cpus(to, t, &set);
		fputc('\n', to);
	}
}

void wk_show_text(FILE *to, const struct wk_show *s)
{
	show_head(to, s);
	for (u32 i = 0; i < s->m->nr_notes; i++)
		fprintf(to, "note     %s\n", s->m->note[i]);
	show_distances(to, s->t);
	show_llcs(to, s->t);
}
