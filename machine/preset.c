// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/spelling.h"
#include "machine/preset.h"

u32 wk_preset_nr_configs(const struct wk_preset *p)
{
	u32 nr = 1;

	while (nr < WK_PRESET_CONFIGS && p->config[nr].name)
		nr++;
	return nr;
}

static u32 cores_of_package(const struct wk_preset *p)
{
	return p->kind[0].cores + p->kind[1].cores;
}

static u32 cpus_of_package(const struct wk_preset *p)
{
	return p->kind[0].cores * p->kind[0].threads + p->kind[1].cores * p->kind[1].threads;
}

/* Bits that numbers below @nr take. */
static u32 bits_below(u32 nr)
{
	return nr > 1 ? 64 - wk_clz64(nr - 1) : 0;
}

/* A core while CPUs are made: its package, its number there, and its number among its kind. */
struct core {
	const struct wk_preset *p;
	const struct wk_preset_cores *kind;
	u32 package, number, of_kind;
	u32 first_cpu; /* of the package, numbered core by core */
};

static u32 cpu_number(const struct core *c, u32 thread)
{
	u32 global = c->package * cores_of_package(c->p) + c->number;

	if (c->p->numbering == WK_NUMBER_THREADS_LAST)
		return thread * c->p->packages * cores_of_package(c->p) + global;
	return c->package * cpus_of_package(c->p) + c->first_cpu + thread;
}

/* Which of @nr equal parts of its package the core is in; parts may differ by one core. */
static s32 part_of_package(const struct core *c, u32 nr)
{
	return nr ? (s32)(c->package * nr + c->number * nr / cores_of_package(c->p)) : WK_NONE;
}

static u32 llc_in_package(const struct core *c)
{
	u32 before = c->kind == &c->p->kind[1] ? c->p->kind[0].llcs : 0;

	if (!c->kind->llcs)
		return before - 1;
	return before + c->of_kind * c->kind->llcs / c->kind->cores;
}

/* As x86 firmware packs it: package, LLC, core, thread, each in the bits it needs. */
static s32 apicid(const struct core *c, u32 thread)
{
	u32 per_llc = c->kind->llcs ? c->kind->cores / c->kind->llcs : cores_of_package(c->p);
	u32 llcs = c->p->kind[0].llcs + c->p->kind[1].llcs, id = c->package;

	id = id << bits_below(llcs) | llc_in_package(c);
	id = id << bits_below(per_llc) | c->of_kind % per_llc;
	return (s32)(id << bits_below(c->p->kind[0].threads) | thread);
}

static void fill_core(struct wk_machine *m, const struct core *c,
		      const struct wk_preset_config *cfg)
{
	const struct wk_preset *p = c->p;
	u32 stride = p->node_stride ? p->node_stride : 1;
	u32 llcs = p->kind[0].llcs + p->kind[1].llcs;
	u32 global = c->package * cores_of_package(p) + c->number;

	for (u32 t = 0; t < c->kind->threads; t++) {
		u32 cpu = cpu_number(c, t);

		m->cpu[cpu] = (struct wk_machine_cpu){
			.cpu = cpu,
			.online = true,
			.package = (s32)c->package,
			.half = part_of_package(c, p->halves),
			.quadrant = part_of_package(c, p->quadrants),
			.node = part_of_package(c, cfg->nodes) * (s32)stride,
			.llc = (s32)(c->package * llcs + llc_in_package(c)),
			.cluster = (s32)global,
			.core = (s32)global,
			.thread = (s32)t,
			.apicid = p->x86 ? apicid(c, t) : WK_NONE,
			.capacity = c->kind->capacity,
		};
		/* The first core of a cluster gives it its number. */
		if (c->kind->cluster)
			m->cpu[cpu].cluster = (s32)(global - c->of_kind % c->kind->cluster);
	}
}

static void fill_package(struct wk_machine *m, const struct wk_preset *p,
			 const struct wk_preset_config *cfg, u32 package)
{
	struct core c = {.p = p, .package = package};

	for (u32 k = 0; k < 2; k++) {
		c.kind = &p->kind[k];
		for (c.of_kind = 0; c.of_kind < c.kind->cores; c.of_kind++) {
			fill_core(m, &c, cfg);
			c.first_cpu += c.kind->threads;
			c.number++;
		}
	}
}

static void fill_nodes(struct wk_machine *m, const struct wk_preset *p,
		       const struct wk_preset_config *cfg)
{
	u32 stride = p->node_stride ? p->node_stride : 1;

	m->nr_nodes = (u32)p->packages * cfg->nodes;
	for (u32 a = 0; a < m->nr_nodes; a++) {
		m->node_id[a] = a * stride;
		for (u32 b = 0; b < m->nr_nodes; b++) {
			bool inside = a / cfg->nodes == b / cfg->nodes;

			m->distance[a][b] = p->distances ? p->distances[a * m->nr_nodes + b]
					    : a == b	 ? 10
					    : inside	 ? p->distance_inside
							 : p->distance_outside;
		}
	}
}

static struct wk_machine *create(const struct wk_preset *p, const struct wk_preset_config *cfg)
{
	struct wk_machine *m = wk_machine_create(p->packages * cpus_of_package(p));

	if (!m)
		return NULL;
	snprintf(m->name, sizeof(m->name), "%s", p->name);
	snprintf(m->config, sizeof(m->config), "%s", cfg->name);
	snprintf(m->family, sizeof(m->family), "%s", p->family);
	m->x86 = p->x86;
	m->llc_split = cfg->llc_split;
	if (cfg->last_node >= cfg->first_node) {
		m->affinity_first_node = cfg->first_node;
		m->affinity_last_node = cfg->last_node;
	}
	for (u32 package = 0; package < p->packages; package++)
		fill_package(m, p, cfg, package);
	fill_nodes(m, p, cfg);
	wk_machine_note(m, "published: %s (%s)", p->published, p->source);
	wk_machine_note(m, "assumed: %s", p->assumed);
	return m;
}

static const struct wk_preset *find_preset(const char *name, size_t len)
{
	u32 nr;
	const struct wk_preset *p = wk_presets(&nr);

	for (u32 i = 0; i < nr; i++)
		if (strlen(p[i].name) == len && !strncmp(p[i].name, name, len))
			return &p[i];
	return NULL;
}

bool wk_preset_is_named(const char *src)
{
	return find_preset(src, strcspn(src, ":")) != NULL;
}

static struct wk_machine *unknown_preset(const char *src, size_t len, struct wk_err *err)
{
	u32 nr, best = 64;
	const struct wk_preset *p = wk_presets(&nr), *near = NULL;

	for (u32 i = 0; i < nr; i++) {
		u32 d = wk_spelling_distance(src, len, p[i].name, strlen(p[i].name));

		/* A name that begins with the word is nearer than its length says. */
		if (len >= 4 && !strncmp(p[i].name, src, len))
			d = 1;
		if (d < best && d <= 2 + len / 4) {
			best = d;
			near = &p[i];
		}
	}
	if (near)
		snprintf(err->text, sizeof(err->text),
			 "machine: unknown '%.80s' (did you mean '%s'?)", src, near->name);
	else
		snprintf(err->text, sizeof(err->text),
			 "machine: unknown '%.80s', expected a preset (see 'wakepath machines'), a "
			 "file or folder, a synthetic string, or 'this'",
			 src);
	return NULL;
}

static struct wk_machine *unknown_config(const struct wk_preset *p, const char *config,
					 struct wk_err *err)
{
	char known[100] = "";
	size_t at = 0;

	for (u32 i = 0; i < wk_preset_nr_configs(p) && at < sizeof(known); i++)
		at += (size_t)snprintf(known + at, sizeof(known) - at, "%s%s", i ? ", " : "",
				       p->config[i].name);
	snprintf(err->text, sizeof(err->text), "machine: found '%s:%.40s', expected %s%s", p->name,
		 config, known[0] ? "one of " : "no configuration", known);
	return NULL;
}

struct wk_machine *wk_preset_open(const char *src, struct wk_err *ret_err)
{
	size_t len = strcspn(src, ":");
	const struct wk_preset *p = find_preset(src, len);
	const char *config = src[len] ? src + len + 1 : NULL;
	struct wk_machine *m;

	if (!p)
		return unknown_preset(src, len, ret_err);
	for (u32 i = 0; i < wk_preset_nr_configs(p); i++)
		if (!config || (config[0] && !strcmp(p->config[i].name, config))) {
			m = create(p, &p->config[i]);
			if (!m)
				snprintf(ret_err->text, sizeof(ret_err->text), "out of memory");
			return m;
		}
	return unknown_config(p, config, ret_err);
}
