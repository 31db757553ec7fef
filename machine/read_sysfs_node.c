// SPDX-License-Identifier: GPL-2.0-only
/* node/: which CPUs are where, and how far. No folder at all is CONFIG_NUMA=n: one node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/mend.h"
#include "machine/read_sysfs.h"
#include "machine/text.h"

struct node_folders {
	u32 id[WK_MAX_NODES], nr;
	u32 beyond; /* folders over the limit */
};

static void take_node_folder(void *arg, const char *name)
{
	struct node_folders *d = arg;
	u32 n;

	if (!wk_parse_suffix(name, "node", &n) || n > 0x7fffffff)
		return;
	for (u32 i = 0; i < d->nr; i++)
		if (d->id[i] == n)
			return;
	if (d->nr == WK_MAX_NODES)
		d->beyond++;
	else
		d->id[d->nr++] = n;
}

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static bool node_cpus(struct wk_sysread *r, u32 node, struct wk_mask *ret)
{
	if (wk_sysfs_get(r, "node/node%u/cpulist", node))
		return wk_parse_cpulist(r->text, ret, NULL);
	if (wk_sysfs_get(r, "node/node%u/cpumap", node))
		return wk_parse_cpumap(r->text, ret, NULL);
	memset(ret, 0, sizeof(*ret));
	return true;
}

static void place_cpus(struct wk_sysread *r, u32 node, struct wk_mask *phantom)
{
	struct wk_mask mask, twice = {{0}};
	char list[80];

	if (!node_cpus(r, node, &mask)) {
		wk_machine_note(r->m, "node/node%u: its list of CPUs is unreadable: ignored", node);
		return;
	}
	wk_for_each_cpu(c, &mask) {
		struct wk_machine_cpu *m;

		if (!wk_mask_test(&r->cpus, (u32)c)) {
			wk_mask_set(phantom, (u32)c);
			continue;
		}
		m = wk_sysfs_cpu(r, (u32)c);
		if (m->node != WK_NONE)
			wk_mask_set(&twice, (u32)c);
		else
			m->node = (s32)node;
	}
	if (wk_mask_next(&twice, 0) != WK_NONE)
		wk_machine_note(r->m, "node/node%u: CPUs %s are in an earlier node, which counts",
				node, wk_mask_print(list, sizeof(list), &twice));
}

/* cpuN/nodeM is a link that some kernels have and some snapshots kept. */
static void node_of_link(void *arg, const char *name)
{
	u32 n;

	if (wk_parse_suffix(name, "node", &n))
		*(s32 *)arg = (s32)n;
}

static bool known_node(const struct wk_machine *m, s32 node)
{
	for (u32 i = 0; i < m->nr_nodes; i++)
		if ((s32)m->node_id[i] == node)
			return true;
	return false;
}

/* The node of most of the CPU's package, else the first: an online CPU must be somewhere. */
static s32 likely_node(const struct wk_machine *m, const struct wk_machine_cpu *cpu)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].package == cpu->package && m->cpu[i].package != WK_NONE &&
		    m->cpu[i].node != WK_NONE)
			return m->cpu[i].node;
	return (s32)m->node_id[0];
}

static void place_rest(struct wk_sysread *r)
{
	struct wk_mask lost = {{0}};
	char list[80];

	for (u32 i = 0; i < r->m->nr_cpus; i++) {
		struct wk_machine_cpu *m = &r->m->cpu[i];
		s32 node = WK_NONE;

		if (m->node != WK_NONE)
			continue;
		wk_files_list(r->f, wk_sysfs_path(r, "cpu/cpu%u", m->cpu), node_of_link, &node);
		if (known_node(r->m, node))
			m->node = node;
		else if (m->online)
			wk_mask_set(&lost, m->cpu);
	}
	wk_for_each_cpu(c, &lost)
		wk_sysfs_cpu(r, (u32)c)->node = likely_node(r->m, wk_sysfs_cpu(r, (u32)c));
	if (wk_mask_next(&lost, 0) != WK_NONE)
		wk_machine_note(r->m, "no node names the online CPUs %s: placed by their package",
				wk_mask_print(list, sizeof(list), &lost));
}

/* One row of the table; false where it is no row of @nr distances. */
static bool parse_row(const char *s, u8 *row, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		char *end;
		unsigned long v = strtoul(s, &end, 10);

		if (end == s || v > 255)
			return false;
		row[i] = (u8)v;
		s = end;
	}
	return s[strspn(s, " \t\n")] == '\0';
}

static void read_distances(struct wk_sysread *r)
{
	struct wk_machine *m = r->m;
	u32 missing = 0;

	for (u32 i = 0; i < m->nr_nodes; i++) {
		u32 id = m->node_id[i];

		if (!wk_sysfs_get(r, "node/node%u/distance", id)) {
			missing++;
			continue;
		}
		if (parse_row(r->text, m->distance[i], m->nr_nodes) &&
		    wk_valid_distances(m->distance[i], m->nr_nodes, i))
			continue;
		r->text[40] = '\0';
		wk_machine_note(m,
				"node/node%u/distance: '%s' is no row of %u distances: 10 and 20 "
				"used for all",
				id, r->text, m->nr_nodes);
		wk_default_distances(m);
		return;
	}
	if (missing && m->nr_nodes > 1)
		wk_machine_note(m, "node distances are missing: 10 and 20 used for all");
	if (missing)
		wk_default_distances(m);
}

static bool node_has_cpu(const struct wk_machine *m, u32 id)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].node == (s32)id)
			return true;
	return false;
}

/* Legal both, but worth knowing: no thread runs there, no page lies there. */
static void note_odd_nodes(struct wk_sysread *r)
{
	char cpuless[96] = "", no_memory[96] = "";

	for (u32 i = 0; i < r->m->nr_nodes; i++) {
		u32 id = r->m->node_id[i];
		const char *p;
		size_t len = strlen(cpuless);

		if (!node_has_cpu(r->m, id))
			snprintf(cpuless + len, sizeof(cpuless) - len, " %u", id);
		len = strlen(no_memory);
		if (wk_sysfs_get(r, "node/node%u/meminfo", id) &&
		    (p = strstr(r->text, "MemTotal:")) && strtoul(p + 9, NULL, 10) == 0)
			snprintf(no_memory + len, sizeof(no_memory) - len, " %u", id);
	}
	if (*cpuless)
		wk_machine_note(r->m, "nodes without CPUs, for memory only:%s", cpuless);
	if (*no_memory)
		wk_machine_note(r->m, "nodes without memory:%s", no_memory);
}

static void one_node(struct wk_sysread *r)
{
	wk_machine_note(r->m, "no NUMA nodes in sysfs: one node");
	r->m->nr_nodes = 1;
	r->m->node_id[0] = 0;
	r->m->distance[0][0] = 10;
	for (u32 i = 0; i < r->m->nr_cpus; i++)
		r->m->cpu[i].node = 0;
}

int wk_sysfs_nodes(struct wk_sysread *r)
{
	struct node_folders d = {.nr = 0};
	struct wk_mask phantom = {{0}};
	char list[80];

	wk_files_list(r->f, wk_sysfs_path(r, "node"), take_node_folder, &d);
	if (d.beyond) {
		wk_read_error(r->err, "%s: %u NUMA nodes, expected at most %u", r->where,
			      d.nr + d.beyond, WK_MAX_NODES);
		return -1;
	}
	if (!d.nr) {
		one_node(r);
		return 0;
	}
	qsort(d.id, d.nr, sizeof(*d.id), by_number);
	r->m->nr_nodes = d.nr;
	memcpy(r->m->node_id, d.id, d.nr * sizeof(*d.id));
	for (u32 i = 0; i < d.nr; i++)
		place_cpus(r, d.id[i], &phantom);
	if (wk_mask_next(&phantom, 0) != WK_NONE)
		wk_machine_note(r->m, "node lists name CPUs that have no folder (%s): ignored",
				wk_mask_print(list, sizeof(list), &phantom));
	place_rest(r);
	read_distances(r);
	note_odd_nodes(r);
	return 0;
}
