// SPDX-License-Identifier: GPL-2.0-only
/*
 * From hwloc's tree of objects to the flat table. complete_cpuset also holds the CPUs that were
 * offline when the topology was written, cpuset those that had objects.
 */
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/family.h"
#include "machine/mend.h"
#include "machine/read_hwloc.h"
#include "machine/text.h"

struct load {
	const struct wk_hwloc_job *job;
	hwloc_topology_t t;
	struct wk_machine *m;
	struct wk_err *err;
	s32 row[WK_MAX_CPUS]; /* by CPU number */
};

static hwloc_topology_t open_topology(const struct wk_hwloc_job *job)
{
	hwloc_topology_t t;
	int err;

	if (hwloc_topology_init(&t) < 0)
		return NULL;
	hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_io_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(t, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	if (job->kind == WK_HWLOC_XML)
		err = hwloc_topology_set_xmlbuffer(t, job->text, (int)job->len + 1);
	else
		err = hwloc_topology_set_synthetic(t, job->text);
	if (err < 0 || hwloc_topology_load(t) < 0) {
		hwloc_topology_destroy(t);
		return NULL;
	}
	return t;
}

/* The CPUs there are, online or not: a finite set, or NULL. */
static hwloc_const_cpuset_t all_cpus(hwloc_topology_t t)
{
	hwloc_const_cpuset_t set = hwloc_topology_get_complete_cpuset(t);

	if (!set || hwloc_bitmap_weight(set) <= 0)
		set = hwloc_topology_get_topology_cpuset(t);
	return set && hwloc_bitmap_weight(set) > 0 ? set : NULL;
}

static int create_rows(struct load *l)
{
	hwloc_const_cpuset_t all = all_cpus(l->t), there = hwloc_topology_get_topology_cpuset(l->t);
	u32 row = 0;
	int c;

	if (!all || hwloc_bitmap_last(all) >= WK_MAX_CPUS) {
		wk_read_error(l->err, "%s: CPU numbers up to %d, expected 0 to %u", l->job->where,
			      all ? hwloc_bitmap_last(all) : -1, WK_MAX_CPUS - 1);
		return -1;
	}
	l->m = wk_machine_create((u32)hwloc_bitmap_weight(all));
	if (!l->m) {
		wk_read_error(l->err, "%s: out of memory", l->job->where);
		return -1;
	}
	memset(l->row, 0xff, sizeof(l->row));
	for (c = hwloc_bitmap_first(all); c >= 0; c = hwloc_bitmap_next(all, c)) {
		l->row[c] = (s32)row;
		l->m->cpu[row].cpu = (u32)c;
		l->m->cpu[row++].online = hwloc_bitmap_isset(there, (unsigned int)c);
	}
	return 0;
}

/* Sets one field of all CPUs of @set that have none yet. */
static void assign(struct load *l, hwloc_const_cpuset_t set, size_t field, s32 value)
{
	int c;

	if (!set)
		return;
	for (c = hwloc_bitmap_first(set); c >= 0 && c < WK_MAX_CPUS;
	     c = hwloc_bitmap_next(set, c)) {
		s32 *p;

		if (l->row[c] == WK_NONE)
			continue;
		p = (s32 *)((char *)&l->m->cpu[l->row[c]] + field);
		if (*p == WK_NONE)
			*p = value;
	}
}

/* Objects of a type name sets by their place in hwloc's order; @base keeps types apart. */
static u32 assign_type(struct load *l, hwloc_obj_type_t type, size_t field, s32 base)
{
	hwloc_obj_t o = NULL;
	u32 n = 0;

	while ((o = hwloc_get_next_obj_by_type(l->t, type, o))) {
		assign(l, o->complete_cpuset ? o->complete_cpuset : o->cpuset, field,
		       base + (s32)n);
		n++;
	}
	return n;
}

#define FIELD(name) offsetof(struct wk_machine_cpu, name)

/* Kernel clusters come as groups; a group that holds memory is something larger. */
static void assign_clusters(struct load *l)
{
	hwloc_obj_t o = NULL;
	s32 n = 0;

	for (int d = 0; d < hwloc_topology_get_depth(l->t); d++) {
		if (hwloc_get_depth_type(l->t, d) != HWLOC_OBJ_GROUP)
			continue;
		for (o = hwloc_get_obj_by_depth(l->t, d, 0); o; o = o->next_cousin)
			if (o->subtype && !strcmp(o->subtype, "Cluster") && !o->memory_arity)
				assign(l, o->complete_cpuset, FIELD(cluster), WK_MAX_CPUS + n++);
	}
	assign_type(l, HWLOC_OBJ_L2CACHE, FIELD(cluster), 0);
}

static void assign_cores(struct load *l)
{
	u32 cores = assign_type(l, HWLOC_OBJ_CORE, FIELD(core), 0), alone = 0;

	for (u32 i = 0; i < l->m->nr_cpus; i++)
		if (l->m->cpu[i].core == WK_NONE && l->m->cpu[i].online) {
			l->m->cpu[i].core = (s32)cores++;
			alone++;
		}
	if (alone)
		wk_machine_note(l->m, "%u CPUs are in no core object: one core each", alone);
}

static void assign_objects(struct load *l)
{
	u32 packages = assign_type(l, HWLOC_OBJ_PACKAGE, FIELD(package), 0);
	u32 dies = (u32)hwloc_get_nbobjs_by_type(l->t, HWLOC_OBJ_DIE);

	if (!packages)
		wk_machine_note(l->m, "no package object: one package");
	for (u32 i = 0; i < l->m->nr_cpus; i++)
		if (l->m->cpu[i].package == WK_NONE && l->m->cpu[i].online)
			l->m->cpu[i].package = (s32)packages;
	if ((s32)dies > (s32)packages)
		assign_type(l, HWLOC_OBJ_DIE, FIELD(quadrant), 0);
	assign_cores(l);
	assign_type(l, HWLOC_OBJ_L3CACHE, FIELD(llc), 3 * WK_MAX_CPUS);
	assign_type(l, HWLOC_OBJ_L2CACHE, FIELD(llc), 2 * WK_MAX_CPUS);
	assign_clusters(l);
	for (u32 i = 0; i < l->m->nr_cpus; i++)
		if (l->m->cpu[i].cluster == WK_NONE && l->m->cpu[i].core != WK_NONE)
			l->m->cpu[i].cluster = 2 * WK_MAX_CPUS + l->m->cpu[i].core;
}

struct node {
	hwloc_obj_t obj;
	u32 id, weight;
};

static int node_by_id(const void *va, const void *vb)
{
	const struct node *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

static int node_by_weight(const void *va, const void *vb)
{
	const struct node *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return node_by_id(va, vb);
}

static u32 collect_nodes(struct load *l, struct node *node)
{
	hwloc_obj_t o = NULL;
	bool sound = true;
	u32 n = 0;

	while ((o = hwloc_get_next_obj_by_type(l->t, HWLOC_OBJ_NUMANODE, o)) && n < WK_MAX_NODES) {
		int w = o->cpuset ? hwloc_bitmap_weight(o->cpuset) : 0;

		node[n++] = (struct node){o, o->os_index, w < 0 ? WK_MAX_CPUS : (u32)w};
		sound &= o->os_index <= 0x7fffffff;
	}
	qsort(node, n, sizeof(*node), node_by_id);
	for (u32 i = 1; i < n; i++)
		sound &= node[i].id != node[i - 1].id;
	if (!sound) {
		wk_machine_note(l->m, "node numbers are missing or repeat: counted from 0");
		for (u32 i = 0; i < n; i++)
			node[i].id = i;
	}
	return n;
}

/*
 * hwloc gives memory without CPUs the CPUs around it. The kernel puts a CPU in one node: the
 * most local one, and of equals the lowest number, which is the ordinary memory.
 */
static int assign_nodes(struct load *l)
{
	struct node node[WK_MAX_NODES];
	int all = hwloc_get_nbobjs_by_type(l->t, HWLOC_OBJ_NUMANODE);
	u32 n;

	if (all > WK_MAX_NODES) {
		wk_read_error(l->err, "%s: %d NUMA nodes, expected at most %u", l->job->where, all,
			      WK_MAX_NODES);
		return -1;
	}
	n = collect_nodes(l, node);
	l->m->nr_nodes = n ? n : 1;
	for (u32 i = 0; i < n; i++)
		l->m->node_id[i] = node[i].id;
	qsort(node, n, sizeof(*node), node_by_weight);
	for (u32 i = 0; i < n; i++)
		assign(l, node[i].obj->complete_cpuset, FIELD(node), (s32)node[i].id);
	for (u32 i = 0; i < l->m->nr_cpus; i++)
		if (l->m->cpu[i].node == WK_NONE && l->m->cpu[i].online)
			l->m->cpu[i].node = (s32)l->m->node_id[0];
	wk_default_distances(l->m);
	return 0;
}

static s32 node_index(const struct wk_machine *m, hwloc_obj_t o)
{
	for (u32 i = 0; i < m->nr_nodes; i++)
		if (o && m->node_id[i] == o->os_index)
			return (s32)i;
	return WK_NONE;
}

static bool copy_distances(struct wk_machine *m, const struct hwloc_distances_s *d)
{
	if (d->nbobjs != m->nr_nodes)
		return false;
	for (u32 i = 0; i < d->nbobjs; i++) {
		s32 a = node_index(m, d->objs[i]);

		for (u32 j = 0; j < d->nbobjs; j++) {
			s32 b = node_index(m, d->objs[j]);
			hwloc_uint64_t v = d->values[i * d->nbobjs + j];

			if (a == WK_NONE || b == WK_NONE || v > 255)
				return false;
			m->distance[a][b] = (u8)v;
		}
	}
	for (u32 i = 0; i < m->nr_nodes; i++)
		if (!wk_valid_distances(m->distance[i], m->nr_nodes, i))
			return false;
	return true;
}

static void read_distances(struct load *l)
{
	struct hwloc_distances_s *d = NULL;
	unsigned int nr = 1;

	if (l->m->nr_nodes < 2)
		return;
	if (hwloc_distances_get_by_type(l->t, HWLOC_OBJ_NUMANODE, &nr, &d,
					HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) < 0 ||
	    nr == 0 || !d) {
		wk_machine_note(l->m, "no distances between nodes: 10 and 20 used for all");
		return;
	}
	if (!copy_distances(l->m, d)) {
		wk_machine_note(l->m,
				"distances are no table of the nodes with 10 as local: 10 and "
				"20 used for all");
		wk_default_distances(l->m);
	}
	hwloc_distances_release(l->t, d);
}

static u32 kind_info(hwloc_topology_t t, unsigned int kind, hwloc_bitmap_t set, const char *name)
{
	struct hwloc_info_s *info = NULL;
	unsigned int nr = 0;

	if (hwloc_cpukinds_get_info(t, kind, set, NULL, &nr, &info, 0) < 0)
		return 0;
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(info[i].name, name))
			return (u32)strtoul(info[i].value, NULL, 10);
	return 0;
}

/* The kernel's own capacities, where hwloc kept them; a frequency alone proves nothing. */
static void read_capacities(struct load *l)
{
	int kinds = hwloc_cpukinds_get_nr(l->t, 0);
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	u32 max = 0;

	for (int k = 0; set && kinds > 1 && k < kinds; k++) {
		u32 v = kind_info(l->t, (unsigned int)k, set, "LinuxCapacity");

		max = v > max ? v : max;
	}
	for (int k = 0; max && k < kinds; k++) {
		u64 v = kind_info(l->t, (unsigned int)k, set, "LinuxCapacity");
		int c;

		for (c = hwloc_bitmap_first(set); v && c >= 0 && c < WK_MAX_CPUS;
		     c = hwloc_bitmap_next(set, c))
			if (l->row[c] != WK_NONE)
				l->m->cpu[l->row[c]].capacity = (u32)((v * 1024 + max / 2) / max);
	}
	hwloc_bitmap_free(set);
}

static u32 info_number(hwloc_obj_t o, const char *name)
{
	const char *v = hwloc_obj_get_info_by_name(o, name);

	return v ? (u32)strtoul(v, NULL, 0) : 0;
}

/* Which cost table: what the first package tells of its CPUs. */
static void read_family(struct load *l)
{
	hwloc_obj_t o = hwloc_get_obj_by_type(l->t, HWLOC_OBJ_PACKAGE, 0);
	struct wk_cpu_says says = {.vendor = ""};
	const char *v;

	if (!o)
		return;
	v = hwloc_obj_get_info_by_name(o, "CPUVendor");
	snprintf(says.vendor, sizeof(says.vendor), "%s", v ? v : "");
	v = hwloc_obj_get_info_by_name(o, "CPUModel");
	snprintf(says.cpu, sizeof(says.cpu), "%s", v ? v : "");
	says.family = info_number(o, "CPUFamilyNumber");
	says.model = info_number(o, "CPUModelNumber");
	says.implementer = info_number(o, "CPUImplementer");
	says.part = info_number(o, "CPUPart");
	snprintf(l->m->family, sizeof(l->m->family), "%s", wk_family_of(&says));
}

static void note_disallowed(struct load *l)
{
	hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(l->t);
	u32 n = 0;

	for (u32 i = 0; allowed && i < l->m->nr_cpus; i++)
		n += l->m->cpu[i].online && !hwloc_bitmap_isset(allowed, l->m->cpu[i].cpu);
	if (n)
		wk_machine_note(l->m,
				"%u CPUs were not allowed to the process that wrote it: taken "
				"as online",
				n);
}

static int flatten(struct load *l)
{
	if (create_rows(l) < 0)
		return -1;
	assign_objects(l);
	if (assign_nodes(l) < 0)
		return -1;
	read_distances(l);
	read_capacities(l);
	read_family(l);
	note_disallowed(l);
	wk_mend_llc(l->m);
	wk_mend_threads(l->m);
	return 0;
}

struct wk_machine *wk_hwloc_load(const struct wk_hwloc_job *job, struct wk_err *ret_err)
{
	struct load l = {.job = job, .err = ret_err};

	l.t = open_topology(job);
	if (!l.t) {
		wk_read_error(ret_err, "%s: hwloc refuses it, expected %s", job->where,
			      job->kind == WK_HWLOC_XML ? "lstopo XML of version 1 or 2"
							: "a synthetic description");
		return NULL;
	}
	if (flatten(&l) < 0) {
		wk_machine_destroy(l.m);
		l.m = NULL;
	}
	hwloc_topology_destroy(l.t);
	return l.m;
}
