// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include <jansson.h>

#include "machine/show.h"

/* CPU lists are strings, as in sysfs: short, and every tool can read them. */
static json_t *cpus(const struct wk_topo *t, const struct wk_mask *set)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	json_t *ret;

	if (!to)
		return NULL;
	wk_show_cpus(to, t, set);
	fclose(to);
	ret = json_string(text);
	free(text);
	return ret;
}

static json_t *flags(u32 bits)
{
	json_t *ret = json_array();

	for (u32 f = 0; f < WK_SDI_NR; f++) {
		char name[32] = "";
		FILE *to = bits >> f & 1 ? fmemopen(name, sizeof(name), "w") : NULL;

		if (!to)
			continue;
		wk_show_flags(to, 1u << f, "");
		fclose(to);
		json_array_append_new(ret, json_string(name));
	}
	return ret;
}

static json_t *domain(const struct wk_topo *t, const struct wk_domain *d)
{
	struct wk_mask set = wk_show_set(t, d->span, d->mask);
	json_t *groups = json_array();

	for (u32 i = 0; i < d->groups.len; i++) {
		const struct wk_group *g = &t->group[d->groups.first + i];
		struct wk_mask members = wk_show_set(t, g->span, g->mask);

		json_array_append_new(groups, cpus(t, &members));
	}
	return json_pack("{s:s, s:o, s:i, s:o, s:o, s:i}", "level", wk_level_name(d->level), "span",
			 cpus(t, &set), "weight", (int)d->weight, "groups", groups, "flags",
			 flags(d->flags), "imbalance_pct", (int)d->imbalance_pct);
}

static json_t *cpu(const struct wk_topo *t, u32 number, u32 c)
{
	const struct wk_silicon *sil = &t->sil[c];
	json_t *chain = json_array();

	for (u32 i = 0; i < t->cid[c].nr_levels; i++)
		json_array_append_new(chain, json_integer(t->cid[c].chain[i]));
	return json_pack("{s:i, s:i, s:b, s:i, s:i, s:i, s:i, s:i, s:o}", "cpu", (int)number, "cid",
			 (int)c, "online", (int)wk_topo_online(t, c), "package", (int)sil->package,
			 "node", (int)t->node_id[sil->node], "llc", (int)sil->llc, "core",
			 (int)t->cpu_of[sil->core_first], "capacity", (int)sil->capacity, "domains",
			 chain);
}

static json_t *nodes(const struct wk_topo *t)
{
	json_t *ret = json_array();

	for (u32 a = 0; a < t->nr_nodes; a++) {
		json_t *row = json_array();

		for (u32 b = 0; b < t->nr_nodes; b++)
			json_array_append_new(row, json_integer(t->distance[a][b]));
		json_array_append_new(ret,
				      json_pack("{s:i, s:o, s:o}", "id", (int)t->node_id[a], "cpus",
						cpus(t, &t->node_mask[a]), "distances", row));
	}
	return ret;
}

int wk_show_json(FILE *to, const struct wk_show *s)
{
	const struct wk_topo *t = s->t;
	json_t *list = json_array(), *domains = json_array(), *notes = json_array(), *all;
	int err;

	for (u32 n = 0; n < t->max_cpu; n++)
		if (t->cid_of[n] != WK_NONE)
			json_array_append_new(list, cpu(t, n, (u32)t->cid_of[n]));
	for (u32 i = 0; i < t->nr_domains; i++)
		json_array_append_new(domains, domain(t, &t->domain[i]));
	for (u32 i = 0; i < s->m->nr_notes; i++)
		json_array_append_new(notes, json_string(s->m->note[i]));
	all = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:b}", "machine", s->m->name, "config",
			s->m->config, "costs", s->m->family, "notes", notes, "nodes", nodes(t),
			"cpus", list, "domains", domains, "cluster_active", (int)t->cluster_active);
	err = all ? json_dumpf(all, to, JSON_INDENT(1) | JSON_COMPACT) : -1;
	if (ferror(to))
		err = 0; /* the caller looks at the stream, and knows its name */
	json_decref(all);
	fputc('\n', to);
	return err ? -ENOMEM : 0;
}
