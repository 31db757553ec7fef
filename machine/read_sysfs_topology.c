// SPDX-License-Identifier: GPL-2.0-only
/* topology/: packages, dies, clusters and cores, from sibling lists first and ids second. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/read_sysfs.h"
#include "machine/text.h"

/* Where one kind of set is described; names changed with the kernels, the newer first. */
struct kind {
	const char *what; /* begins notes */
	const char *list[2], *map[2];
	const char *id;
};

static const struct kind package_kind = {
	"package siblings",
	{"topology/package_cpus_list", "topology/core_siblings_list"},
	{"topology/package_cpus", "topology/core_siblings"},
	"topology/physical_package_id",
};
static const struct kind die_kind = {
	"die siblings",
	{"topology/die_cpus_list"},
	{"topology/die_cpus"},
	"topology/die_id",
};
static const struct kind cluster_kind = {
	"cluster siblings",
	{"topology/cluster_cpus_list"},
	{"topology/cluster_cpus"},
	"topology/cluster_id",
};
static const struct kind core_kind = {
	"thread siblings",
	{"topology/core_cpus_list", "topology/thread_siblings_list"},
	{"topology/core_cpus", "topology/thread_siblings"},
	"topology/core_id",
};

/*
 * Reads the masks of all CPUs, and their ids as keys inside the sets of @within (NULL: the
 * machine), because core ids repeat from package to package. Negative ids say nothing.
 */
static struct wk_rel *read_kind(struct wk_sysread *r, const struct kind *k,
				const struct wk_rel *within)
{
	struct wk_rel *rel = wk_rel_create(&r->cpus);
	struct wk_mask mask;
	s32 id;

	if (!rel) {
		wk_read_error(r->err, "%s: out of memory", r->where);
		return NULL;
	}
	wk_for_each_cpu(c, &r->cpus) {
		for (u32 i = 0; i < 2 && k->list[i]; i++)
			if (wk_sysfs_mask(r, &mask, k->list[i], k->map[i], (u32)c)) {
				wk_rel_say(rel, (u32)c, &mask);
				break;
			}
		if (wk_sysfs_number(r, &id, "cpu/cpu%d/%s", c, k->id) && id >= 0)
			rel->key[c] = (within ? (long long)within->set[c] + 1 : 0) << 32 | id;
	}
	wk_rel_solve(rel);
	wk_sysfs_note_relation(r, rel, k->what);
	return rel;
}

static u32 count_online_without(struct wk_sysread *r, const struct wk_rel *rel)
{
	u32 n = 0;

	wk_for_each_cpu(c, &r->online)
		n += rel->set[c] == WK_NONE;
	return n;
}

/* A CPU of which nothing is known is in the first package, as in the kernel's own default. */
static void take_packages(struct wk_sysread *r, struct wk_rel *rel)
{
	u32 unknown = count_online_without(r, rel);
	s32 first = WK_NONE;

	wk_for_each_cpu(c, &r->cpus)
		if (first == WK_NONE && rel->set[c] != WK_NONE)
			first = rel->set[c];
	if (first == WK_NONE)
		first = wk_mask_next(&r->cpus, 0);
	if (unknown)
		wk_machine_note(r->m,
				"%u online CPUs do not say their package: taken as package "
				"of cpu%d",
				unknown, first);
	wk_for_each_cpu(c, &r->cpus) {
		if (rel->set[c] == WK_NONE && wk_mask_test(&r->online, (u32)c))
			rel->set[c] = first;
		wk_sysfs_cpu(r, (u32)c)->package = rel->set[c];
	}
}

/* True if no set of @part lies in two sets of @whole. */
static bool holds(struct wk_sysread *r, const struct wk_rel *whole, const struct wk_rel *part)
{
	wk_for_each_cpu(c, &r->online)
		if (part->set[c] != WK_NONE && whole->set[part->set[c]] != whole->set[c])
			return false;
	return true;
}

/*
 * Dies are kept where some package has two: on all others they say nothing new. Architectures
 * without dies give each CPU an id of -1 and a list of its own.
 */
static void take_dies(struct wk_sysread *r, const struct wk_rel *die, const struct wk_rel *package,
		      const struct wk_rel *core, const struct wk_rel *cluster)
{
	bool several = false;

	wk_for_each_cpu(c, &r->online) {
		if (die->set[c] == WK_NONE || die->key[c] == WK_KEY_NONE)
			return;
		several |= package->set[c] != WK_NONE && die->set[c] != die->set[package->set[c]];
	}
	if (!several)
		return;
	if (!holds(r, die, core) || !holds(r, die, cluster)) {
		wk_machine_note(r->m, "dies cut through cores or clusters: ignored");
		return;
	}
	wk_for_each_cpu(c, &r->cpus)
		wk_sysfs_cpu(r, (u32)c)->quadrant = die->set[c];
}

/* CPUs that share a core id but list only themselves are cores of their own. */
static void take_cores(struct wk_sysread *r, struct wk_rel *rel)
{
	u32 unknown = count_online_without(r, rel);

	if (unknown)
		wk_machine_note(r->m, "%u online CPUs do not say their core: one core each",
				unknown);
	wk_for_each_cpu(c, &r->cpus) {
		if (rel->set[c] == WK_NONE && wk_mask_test(&r->online, (u32)c))
			rel->set[c] = c;
		wk_sysfs_cpu(r, (u32)c)->core = rel->set[c];
	}
}

/* A cluster holds whole cores: one that the firmware made smaller is the core. */
static void take_clusters(struct wk_sysread *r, const struct wk_rel *rel, const struct wk_rel *core)
{
	wk_for_each_cpu(c, &r->cpus) {
		s32 set = rel->set[c], first = core->set[c];

		if (set != WK_NONE && first != WK_NONE && rel->set[first] != WK_NONE)
			set = rel->set[first];
		wk_sysfs_cpu(r, (u32)c)->cluster = set;
	}
}

static void merge_packages(struct wk_machine *m, s32 from, s32 to)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].package == from)
			m->cpu[i].package = to;
}

/* A package holds whole cores and clusters, also where its own lists say only "myself". */
static void widen_packages(struct wk_sysread *r, const struct wk_rel *rel, const char *what)
{
	u32 merged = 0;

	wk_for_each_cpu(c, &r->online) {
		s32 first = rel->set[c];
		s32 mine = wk_sysfs_cpu(r, (u32)c)->package, other;

		if (first == WK_NONE)
			continue;
		other = wk_sysfs_cpu(r, (u32)first)->package;
		if (mine == other || other == WK_NONE)
			continue;
		merge_packages(r->m, mine > other ? mine : other, mine > other ? other : mine);
		merged++;
	}
	if (merged)
		wk_machine_note(r->m, "%s reach over packages: %u packages joined", what, merged);
}

int wk_sysfs_topology(struct wk_sysread *r)
{
	struct wk_rel *package = read_kind(r, &package_kind, NULL), *die = NULL, *core = NULL;
	struct wk_rel *cluster = NULL;
	int err = -1;

	if (!package)
		goto out;
	take_packages(r, package);
	die = read_kind(r, &die_kind, package);
	if (!die)
		goto out;
	core = read_kind(r, &core_kind, package);
	if (!core)
		goto out;
	take_cores(r, core);
	cluster = read_kind(r, &cluster_kind, package);
	if (!cluster)
		goto out;
	take_clusters(r, cluster, core);
	take_dies(r, die, package, core, cluster);
	widen_packages(r, core, core_kind.what);
	widen_packages(r, cluster, cluster_kind.what);
	err = 0;
out:
	wk_rel_destroy(package);
	wk_rel_destroy(die);
	wk_rel_destroy(core);
	wk_rel_destroy(cluster);
	return err;
}
