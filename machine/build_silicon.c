// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/build_nest.h"
#include "machine/build_priv.h"

#define DISTANCE_LOCAL	10
#define DISTANCE_REMOTE 20

/* A level of the nesting that owns bits of wk_silicon.code, and where two of its units meet. */
struct code_level {
	enum wk_nest level, parent;
	enum wk_tier meet;
};

/* Widest first. The pieces that nodes cut from an LLC are no silicon. */
static const struct code_level code_levels[] = {
	{WK_NEST_PACKAGE, WK_NEST_NR, WK_TIER_MACHINE},
	{WK_NEST_HALF, WK_NEST_PACKAGE, WK_TIER_PACKAGE},
	{WK_NEST_QUADRANT, WK_NEST_HALF, WK_TIER_HALF},
	{WK_NEST_LLC, WK_NEST_QUADRANT, WK_TIER_NEAR},
	{WK_NEST_CLUSTER, WK_NEST_LLC, WK_TIER_LLC},
	{WK_NEST_CORE, WK_NEST_CLUSTER, WK_TIER_CLUSTER},
	{WK_NEST_NR, WK_NEST_CORE, WK_TIER_SMT}, /* the threads */
};

#define NR_CODE_LEVELS (sizeof(code_levels) / sizeof(code_levels[0]))

static int add_node(struct wk_topo *t, const struct wk_machine *m, u32 id, struct wk_err *err)
{
	u32 at = t->nr_nodes;

	for (u32 n = 0; n < t->nr_nodes; n++)
		if (t->node_id[n] == id)
			return 0;
	if (t->nr_nodes == WK_MAX_NODES)
		return wk_build_err(err, -E2BIG, "%s: found more than %d nodes", m->name,
				    WK_MAX_NODES);
	while (at > 0 && t->node_id[at - 1] > id) {
		t->node_id[at] = t->node_id[at - 1];
		at--;
	}
	t->node_id[at] = id;
	t->nr_nodes++;
	return 0;
}

/* CPUs without a node are in the first, as in a kernel without NUMA. */
static u32 node_of(const struct wk_topo *t, const struct wk_machine_cpu *cpu)
{
	for (u32 n = 0; n < t->nr_nodes; n++)
		if (cpu->node >= 0 && t->node_id[n] == (u32)cpu->node)
			return n;
	return 0;
}

/* Nodes that the source lists, and nodes that only its CPUs name. */
static int find_nodes(struct wk_topo *t, const struct wk_machine *m, struct wk_err *err)
{
	int ret = 0;

	for (u32 n = 0; n < m->nr_nodes && n < WK_MAX_NODES && !ret; n++)
		ret = add_node(t, m, m->node_id[n], err);
	for (u32 i = 0; i < m->nr_cpus && !ret; i++)
		if (m->cpu[i].node >= 0)
			ret = add_node(t, m, (u32)m->cpu[i].node, err);
	if (!ret && t->nr_nodes == 0)
		ret = add_node(t, m, 0, err);
	return ret;
}

/* Row of machine->distance[] for a dense node, or WK_NONE. */
static s32 distance_row(const struct wk_topo *t, const struct wk_machine *m, u32 node)
{
	for (u32 n = 0; n < m->nr_nodes && n < WK_MAX_NODES; n++)
		if (m->node_id[n] == t->node_id[node])
			return (s32)n;
	return WK_NONE;
}

/* The kernel refuses distances under 10; 0 is our reader's "not known". */
static void fill_distances(struct wk_topo *t, const struct wk_machine *m)
{
	for (u32 a = 0; a < t->nr_nodes; a++)
		for (u32 b = 0; b < t->nr_nodes; b++) {
			s32 ra = distance_row(t, m, a), rb = distance_row(t, m, b);
			u8 d = ra >= 0 && rb >= 0 ? m->distance[ra][rb] : 0;

			if (a == b)
				d = DISTANCE_LOCAL;
			else if (d < DISTANCE_LOCAL)
				d = DISTANCE_REMOTE;
			t->distance[a][b] = d;
		}
}

/* Position of each unit within its parent unit: units are numbered by parent. */
static void units_below_parent(const struct wk_nesting *nest, u32 nr,
			       const struct code_level *level, u32 *index)
{
	u32 first[WK_MAX_CPUS];

	for (u32 i = 0; i < nr; i++)
		first[i] = WK_MAX_CPUS;
	for (u32 i = 0; i < nr; i++) {
		u32 unit = nest->unit[level->level][i];
		u32 parent = level->parent == WK_NEST_NR ? 0 : nest->unit[level->parent][i];

		if (unit < first[parent])
			first[parent] = unit;
	}
	for (u32 i = 0; i < nr; i++) {
		u32 parent = level->parent == WK_NEST_NR ? 0 : nest->unit[level->parent][i];

		index[i] = nest->unit[level->level][i] - first[parent];
	}
}

/* Threads are counted in the order of cids, which keeps those of a core together. */
static void threads_of_cores(const struct wk_nesting *nest, u32 nr, u32 *index)
{
	for (u32 c = 0, thread = 0; c < nr; c++) {
		const u32 *core = nest->unit[WK_NEST_CORE];

		thread = c && core[nest->order[c]] == core[nest->order[c - 1]] ? thread + 1 : 0;
		index[nest->order[c]] = thread;
	}
}

static u32 bits_for(u32 max)
{
	return max ? 64 - wk_clz64(max) : 0;
}

static u32 max_of(const u32 *values, u32 nr)
{
	u32 max = 0;

	for (u32 i = 0; i < nr; i++)
		max = values[i] > max ? values[i] : max;
	return max;
}

/* From the threads upwards: each level takes the next bits of code. */
static int fill_codes(struct wk_topo *t, const struct wk_nesting *nest, const struct wk_machine *m,
		      struct wk_err *err)
{
	u32 index[WK_MAX_CPUS], shift = 0;

	memset(t->tier_of_bit, WK_TIER_MACHINE, sizeof(t->tier_of_bit));
	t->tier_of_bit[0] = WK_TIER_SELF;
	for (u32 l = NR_CODE_LEVELS; l-- > 0;) {
		const struct code_level *level = &code_levels[l];
		u32 bits;

		if (level->level == WK_NEST_NR)
			threads_of_cores(nest, m->nr_cpus, index);
		else
			units_below_parent(nest, m->nr_cpus, level, index);
		bits = bits_for(max_of(index, m->nr_cpus));
		if (shift + bits > 64)
			return wk_build_err(
				err, -E2BIG,
				"%s: the nesting needs more than 64 bits, expected fewer or "
				"more even levels",
				m->name);
		for (u32 b = shift; b < shift + bits; b++)
			t->tier_of_bit[b + 1] = level->meet;
		for (u32 c = 0; c < m->nr_cpus && bits; c++)
			t->sil[c].code |= (u64)index[nest->order[c]] << shift;
		shift += bits;
	}
	return 0;
}

static void fill_cid(struct wk_topo *t, const struct wk_nesting *nest, const struct wk_machine *m,
		     u32 cid)
{
	u32 row = nest->order[cid];
	struct wk_silicon *sil = &t->sil[cid];

	t->cpu_of[cid] = m->cpu[row].cpu;
	t->cid_of[m->cpu[row].cpu] = (s32)cid;
	sil->llc = nest->unit[WK_NEST_LLC][row];
	sil->package = (u16)nest->unit[WK_NEST_PACKAGE][row];
	sil->node = (u16)nest->node[row];
	sil->capacity = m->cpu[row].capacity && m->cpu[row].capacity < 1024
				? (u16)m->cpu[row].capacity
				: 1024;
	wk_mask_set(&t->node_mask[sil->node], cid);
}

static void fill_cores(struct wk_topo *t, const struct wk_nesting *nest)
{
	const u32 *core = nest->unit[WK_NEST_CORE];

	for (u32 c = 0, end; c < t->nr_cids; c = end) {
		for (end = c + 1; end < t->nr_cids; end++)
			if (core[nest->order[end]] != core[nest->order[c]])
				break;
		for (u32 i = c; i < end; i++) {
			t->sil[i].core_first = c;
			t->sil[i].core_len = (u16)(end - c);
		}
	}
}

static int fill_silicon(struct wk_topo *t, struct wk_nesting *nest, const struct wk_machine *m,
			struct wk_err *err)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		nest->node[i] = node_of(t, &m->cpu[i]);
	if (wk_nesting_fill(nest, m))
		return wk_build_err(err, -ENOMEM, "%s: out of memory", m->name);
	t->nr_cids = m->nr_cpus;
	t->nr_packages = nest->nr_units[WK_NEST_PACKAGE];
	t->nr_silicon_llcs = nest->nr_units[WK_NEST_LLC];
	t->max_cpu = m->cpu[m->nr_cpus - 1].cpu + 1;
	for (u32 i = 0; i < WK_MAX_CPUS; i++)
		t->cid_of[i] = WK_NONE;
	for (u32 c = 0; c < t->nr_cids; c++)
		fill_cid(t, nest, m, c);
	fill_cores(t, nest);
	return fill_codes(t, nest, m, err);
}

int wk_build_silicon(struct wk_topo *t, const struct wk_machine *m, struct wk_err *err)
{
	struct wk_nesting *nest;
	int ret = find_nodes(t, m, err);

	if (ret)
		return ret;
	fill_distances(t, m);
	nest = calloc(1, sizeof(*nest));
	if (!nest)
		return wk_build_err(err, -ENOMEM, "%s: out of memory", m->name);
	ret = fill_silicon(t, nest, m, err);
	free(nest);
	return ret;
}
