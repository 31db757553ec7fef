// SPDX-License-Identifier: GPL-2.0-only
/* The words that every format shares. */
#include "machine/domains.h"
#include "machine/show.h"

static const char *const level_names[] = {
#define WK_LEVEL(NAME, name, flags, sentence) [WK_LEVEL_##NAME] = #name,
#include "core/level.def"
};

static const char *const flag_names[] = {
#define WK_SDFLAG(NAME, meta, sentence) [WK_SDI_##NAME] = #NAME,
#include "core/sdflag.def"
};

const char *wk_level_name(u32 level)
{
	return level < WK_LEVEL_NR ? level_names[level] : "?";
}

void wk_show_flags(FILE *to, u32 flags, const char *sep)
{
	bool any = false;

	for (u32 f = 0; f < WK_SDI_NR; f++)
		if (flags >> f & 1) {
			fprintf(to, "%s%s", any ? sep : "", flag_names[f]);
			any = true;
		}
}

static bool has_cpu(const struct wk_topo *t, const struct wk_mask *cids, u32 cpu)
{
	return cpu < t->max_cpu && t->cid_of[cpu] != WK_NONE &&
	       wk_mask_test(cids, (u32)t->cid_of[cpu]);
}

void wk_show_cpus(FILE *to, const struct wk_topo *t, const struct wk_mask *cids)
{
	const char *sep = "";

	for (u32 cpu = 0, end; cpu < t->max_cpu; cpu = end) {
		end = cpu + 1;
		if (!has_cpu(t, cids, cpu))
			continue;
		while (has_cpu(t, cids, end))
			end++;
		if (end == cpu + 1)
			fprintf(to, "%s%u", sep, cpu);
		else
			fprintf(to, "%s%u%s%u", sep, cpu, end == cpu + 2 ? "," : "-", end - 1);
		sep = ",";
	}
	if (!*sep)
		fputc('-', to);
}

struct wk_mask wk_show_set(const struct wk_topo *t, struct wk_range hull, s32 mask)
{
	struct wk_mask set = {0};

	if (mask != WK_NONE)
		return t->xmask[mask];
	for (u32 c = hull.first; c < hull.first + hull.len; c++)
		wk_mask_set(&set, c);
	return set;
}

/* NUMA levels up to the first that reaches every node with a CPU online. */
static u32 numa_levels_built(const struct wk_topo *t, u32 node)
{
	u32 distances[WK_BUILD_NUMA], dropped, nr = wk_build_distances(t, distances, &dropped);

	for (u32 i = 0; i < nr; i++) {
		bool all = true;

		for (u32 c = 0; c < t->nr_cids; c++)
			if (wk_topo_online(t, c) &&
			    t->distance[node][t->sil[c].node] > distances[i])
				all = false;
		if (all)
			return i + 1;
	}
	return nr;
}

static bool level_is_built(const struct wk_show *s, u32 level)
{
	if (level == WK_LEVEL_CLS)
		return wk_has(s->pol, WK_FEAT_CLUSTER_LEVEL);
	if (level == WK_LEVEL_NEAR)
		return wk_has(s->pol, WK_FEAT_NEAR) || wk_has(s->pol, WK_FEAT_NEAR_SHIFT);
	if (level == WK_LEVEL_PKG)
		return !wk_build_is_x86(s->m) || !wk_build_node_inside_package(s->t, s->pol);
	return true;
}

/* Building ends at the first level that spans everybody, and that one is never degenerate. */
void wk_show_removed(const struct wk_show *s, u32 cid, u32 removed[WK_LEVEL_NR])
{
	const struct wk_cid *c = &s->t->cid[cid];
	u32 top = c->nr_levels ? s->t->domain[c->chain[c->nr_levels - 1]].level : 0;

	for (u32 l = 0; l < WK_LEVEL_NR; l++)
		removed[l] = c->nr_levels && l < top && level_is_built(s, l);
	if (top == WK_LEVEL_NUMA)
		removed[top] = numa_levels_built(s->t, s->t->sil[cid].node);
	for (u32 i = 0; i < c->nr_levels; i++) {
		u32 level = s->t->domain[c->chain[i]].level;

		if (removed[level])
			removed[level]--;
	}
}
