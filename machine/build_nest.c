// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/build_nest.h"

/* One CPU in the sort of a level. @tag tells apart ids that come from different columns. */
struct item {
	u32 parent, tag;
	s32 id;
	u32 row;
};

/* A unit found, or a CPU in the final sort. */
struct ranked {
	u32 key[8];
	u32 what;
};

static int cmp_u32(u32 a, u32 b)
{
	return (a > b) - (a < b);
}

static int same_unit(const struct item *a, const struct item *b)
{
	return a->parent == b->parent && a->tag == b->tag && a->id == b->id;
}

static int cmp_item(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;

	if (a->parent != b->parent)
		return cmp_u32(a->parent, b->parent);
	if (a->tag != b->tag)
		return cmp_u32(a->tag, b->tag);
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return cmp_u32(a->row, b->row);
}

static int cmp_ranked(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;

	for (u32 i = 0; i < 8; i++)
		if (a->key[i] != b->key[i])
			return cmp_u32(a->key[i], b->key[i]);
	return 0;
}

/* Number the units of @items by parent, then lowest row; unit[row] receives them. */
static int number_units(struct item *items, u32 nr, u32 *unit, u32 *ret_nr_units)
{
	struct ranked *units = calloc(nr, sizeof(*units));
	u32 *rank = calloc(nr, sizeof(*rank));
	u32 nr_units = 0;

	if (!units || !rank) {
		free(units);
		free(rank);
		return -ENOMEM;
	}
	qsort(items, nr, sizeof(*items), cmp_item);
	for (u32 i = 0; i < nr; i++) {
		if (i == 0 || !same_unit(&items[i - 1], &items[i])) {
			units[nr_units] = (struct ranked){.key = {items[i].parent, items[i].row},
							  .what = nr_units};
			nr_units++;
		}
		unit[items[i].row] = nr_units - 1;
	}
	qsort(units, nr_units, sizeof(*units), cmp_ranked);
	for (u32 i = 0; i < nr_units; i++)
		rank[units[i].what] = i;
	for (u32 i = 0; i < nr; i++)
		unit[items[i].row] = rank[unit[items[i].row]];
	*ret_nr_units = nr_units;
	free(units);
	free(rank);
	return 0;
}

/* No LLC known: the cluster is the last level, and without one the whole package. */
static struct item llc_item(const struct wk_machine_cpu *cpu)
{
	if (cpu->llc >= 0)
		return (struct item){.tag = 0, .id = cpu->llc};
	if (cpu->cluster >= 0)
		return (struct item){.tag = 1, .id = cpu->cluster};
	return (struct item){.tag = 2};
}

static struct item core_item(const struct wk_machine_cpu *cpu)
{
	if (cpu->core >= 0)
		return (struct item){.tag = 0, .id = cpu->core};
	return (struct item){.tag = 1, .id = (s32)cpu->cpu};
}

/* No cluster known: the core has the L2 for itself. */
static struct item cluster_item(const struct wk_machine_cpu *cpu)
{
	struct item item = core_item(cpu);

	if (cpu->cluster >= 0)
		return (struct item){.tag = 0, .id = cpu->cluster};
	item.tag++;
	return item;
}

static struct item known_or_whole(s32 id)
{
	return id >= 0 ? (struct item){.tag = 0, .id = id} : (struct item){.tag = 1};
}

static struct item level_item(const struct wk_nesting *nest, const struct wk_machine *m, u32 row,
			      enum wk_nest level)
{
	const struct wk_machine_cpu *cpu = &m->cpu[row];

	switch (level) {
	case WK_NEST_PACKAGE:
		return known_or_whole(cpu->package);
	case WK_NEST_HALF:
		return known_or_whole(cpu->half);
	case WK_NEST_QUADRANT:
		return known_or_whole(cpu->quadrant);
	case WK_NEST_LLC:
		return llc_item(cpu);
	case WK_NEST_PIECE:
		return (struct item){.id = (s32)nest->node[row]};
	case WK_NEST_CLUSTER:
		return cluster_item(cpu);
	case WK_NEST_CORE:
	case WK_NEST_NR:
		break;
	}
	return core_item(cpu);
}

bool wk_nesting_llc_splits(const struct wk_machine *m, enum wk_nest level)
{
	struct item *items = calloc(m->nr_cpus ? m->nr_cpus : 1, sizeof(*items));
	bool splits = false;

	if (!items)
		return true;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		items[i] = llc_item(&m->cpu[i]);
		items[i].parent = (u32)m->cpu[i].package;
		items[i].row = i;
	}
	qsort(items, m->nr_cpus, sizeof(*items), cmp_item);
	for (u32 i = 1; i < m->nr_cpus && !splits; i++) {
		const struct wk_machine_cpu *a = &m->cpu[items[i - 1].row];
		const struct wk_machine_cpu *b = &m->cpu[items[i].row];

		splits = same_unit(&items[i - 1], &items[i]) &&
			 (level == WK_NEST_HALF ? a->half != b->half : a->quadrant != b->quadrant);
	}
	free(items);
	return splits;
}

static int fill_level(struct wk_nesting *nest, const struct wk_machine *m, enum wk_nest level,
		      struct item *items)
{
	bool whole = (level == WK_NEST_HALF || level == WK_NEST_QUADRANT) &&
		     wk_nesting_llc_splits(m, level);

	for (u32 i = 0; i < m->nr_cpus; i++) {
		items[i] = whole ? (struct item){0} : level_item(nest, m, i, level);
		items[i].parent = level ? nest->unit[level - 1][i] : 0;
		items[i].row = i;
	}
	return number_units(items, m->nr_cpus, nest->unit[level], &nest->nr_units[level]);
}

/* Every unit of @inner lies in one unit of @outer; both have ids below WK_MAX_CPUS. */
static bool nests(const u32 *inner, const u32 *outer, u32 nr)
{
	u32 seen[WK_MAX_CPUS] = {0}; /* outer id + 1 */

	for (u32 i = 0; i < nr; i++) {
		if (seen[inner[i]] && seen[inner[i]] != outer[i] + 1)
			return false;
		seen[inner[i]] = outer[i] + 1;
	}
	return true;
}

/*
 * Put the node among the sort keys package, half, quadrant, LLC where it lies between two levels.
 * Where it crosses all of them, the first that lets a node be one range of cids wins: below the
 * package, then above it; else it only cuts LLCs into pieces. Returns the number of keys.
 */
static u32 order_keys(const struct wk_nesting *nest, u32 nr, const u32 **keys)
{
	const u32 *silicon[] = {nest->unit[WK_NEST_PACKAGE], nest->unit[WK_NEST_HALF],
				nest->unit[WK_NEST_QUADRANT], nest->unit[WK_NEST_LLC]};
	const u32 *llc = silicon[3];
	u32 at = 5;

	for (u32 p = 0; p <= 4 && at == 5; p++)
		if ((p == 0 || nests(nest->node, silicon[p - 1], nr)) &&
		    (p == 4 || nests(silicon[p], nest->node, nr)))
			at = p;
	if (at == 5)
		at = !nests(llc, nest->node, nr) ? 4 : nests(nest->node, silicon[0], nr) ? 1 : 0;
	for (u32 i = 0; i < 5; i++)
		keys[i] = i < at ? silicon[i] : i == at ? nest->node : silicon[i - 1];
	keys[5] = nest->unit[WK_NEST_CLUSTER];
	keys[6] = nest->unit[WK_NEST_CORE];
	return 7;
}

/* CPUs of a core by thread number where the source knows it, else by CPU number. */
static int order_rows(struct wk_nesting *nest, const struct wk_machine *m)
{
	struct ranked *rows = calloc(m->nr_cpus, sizeof(*rows));
	const u32 *keys[8];
	u32 nr_keys = order_keys(nest, m->nr_cpus, keys);

	if (!rows)
		return -ENOMEM;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		s32 thread = m->cpu[i].thread;

		for (u32 k = 0; k < nr_keys; k++)
			rows[i].key[k] = keys[k][i];
		/* Ties are broken by the row, so a thread number that repeats does no harm. */
		rows[i].key[nr_keys] =
			(thread > 0 && thread < WK_MAX_CPUS ? (u32)thread : 0) * WK_MAX_CPUS + i;
		rows[i].what = i;
	}
	qsort(rows, m->nr_cpus, sizeof(*rows), cmp_ranked);
	for (u32 i = 0; i < m->nr_cpus; i++)
		nest->order[i] = rows[i].what;
	free(rows);
	return 0;
}

int wk_nesting_fill(struct wk_nesting *nest, const struct wk_machine *m)
{
	struct item *items = calloc(m->nr_cpus, sizeof(*items));
	int err = items ? 0 : -ENOMEM;

	for (u32 level = 0; level < WK_NEST_NR && !err; level++)
		err = fill_level(nest, m, level, items);
	free(items);
	return err ? err : order_rows(nest, m);
}
