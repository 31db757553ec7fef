// SPDX-License-Identifier: GPL-2.0-only
/*
 * cache/: the last level is the highest level up to 3 that holds data, for each CPU by itself:
 * small cores may have an L2 where the big ones have an L3. A level 4 is memory-side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/mend.h"
#include "machine/read_sysfs.h"
#include "machine/text.h"

#define MAX_INDEX 16 /* index0 ... of one CPU; real machines have 3 to 6 */

struct caches {
	struct wk_rel *level[4];  /* 2 and 3 are used */
	struct wk_mask described; /* CPUs that have a level above 1 */
	u32 with_level4;
};

/* True with *ret_level where index @i of @cpu may hold data. */
static bool data_cache(struct wk_sysread *r, u32 cpu, u32 i, s32 *ret_level)
{
	if (!wk_sysfs_number(r, ret_level, "cpu/cpu%u/cache/index%u/level", cpu, i))
		return false;
	return !wk_sysfs_get(r, "cpu/cpu%u/cache/index%u/type", cpu, i) ||
	       strcmp(r->text, "Instruction") != 0;
}

/* Old kernels have no list, some have no id; without any of them the cache is private. */
static void say(struct wk_sysread *r, struct wk_rel *rel, u32 cpu, u32 i)
{
	char list[48], map[48];
	struct wk_mask mask;
	s32 id;

	snprintf(list, sizeof(list), "cache/index%u/shared_cpu_list", i);
	snprintf(map, sizeof(map), "cache/index%u/shared_cpu_map", i);
	if (wk_sysfs_number(r, &id, "cpu/cpu%u/cache/index%u/id", cpu, i) && id >= 0)
		rel->key[cpu] = id;
	if (wk_sysfs_mask(r, &mask, list, map, cpu)) {
		wk_rel_say(rel, cpu, &mask);
	} else if (rel->key[cpu] == WK_KEY_NONE) {
		memset(&mask, 0, sizeof(mask));
		wk_rel_say(rel, cpu, &mask);
	}
}

static void read_cpu(struct wk_sysread *r, struct caches *c, u32 cpu)
{
	s32 level;

	for (u32 i = 0; i < MAX_INDEX; i++) {
		if (!data_cache(r, cpu, i, &level))
			continue;
		if (level == 2 || level == 3) {
			say(r, c->level[level], cpu, i);
			wk_mask_set(&c->described, cpu);
		}
		c->with_level4 += level == 4;
	}
}

/* The set of row i by one id, as a count; and whether all of it is in one set of @cluster. */
static bool inside_cluster(const struct wk_machine *m, const struct wk_machine_cpu *cpu,
			   u32 *ret_llc, u32 *ret_cluster)
{
	bool inside = true;

	*ret_llc = *ret_cluster = 0;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		*ret_llc += m->cpu[i].llc == cpu->llc;
		*ret_cluster += m->cpu[i].cluster == cpu->cluster;
		if (m->cpu[i].llc == cpu->llc && m->cpu[i].cluster != cpu->cluster)
			inside = false;
	}
	return inside;
}

/*
 * Outside x86 the kernel (cpu_coregroup_mask) takes the cluster as the last level where the
 * caches described are smaller than it.
 */
static void widen_to_cluster(struct wk_sysread *r)
{
	struct wk_machine *m = r->m;
	u32 llc, cluster, widened = 0;

	if (r->x86)
		return;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		struct wk_machine_cpu *c = &m->cpu[i];

		if (c->llc == WK_NONE || c->cluster == WK_NONE || c->llc >= 4 * WK_MAX_CPUS ||
		    !inside_cluster(m, c, &llc, &cluster) || llc >= cluster)
			continue;
		for (u32 j = 0; j < m->nr_cpus; j++)
			if (m->cpu[j].cluster == c->cluster && m->cpu[j].online)
				m->cpu[j].llc = c->cluster + 4 * WK_MAX_CPUS;
		widened++;
	}
	if (widened)
		wk_machine_note(m,
				"caches smaller than their cluster: the cluster is taken as the "
				"last level of %u clusters",
				widened);
}

/* Sets of different levels must not be equal by their number. */
static void take_levels(struct wk_sysread *r, const struct caches *c)
{
	u32 by_l2 = 0;

	wk_for_each_cpu(cpu, &r->cpus) {
		struct wk_machine_cpu *m = wk_sysfs_cpu(r, (u32)cpu);
		s32 l2 = c->level[2]->set[cpu], l3 = c->level[3]->set[cpu];

		if (l3 != WK_NONE)
			m->llc = l3 + 3 * WK_MAX_CPUS;
		else if (l2 != WK_NONE)
			m->llc = l2 + 2 * WK_MAX_CPUS;
		by_l2 += l3 == WK_NONE && l2 != WK_NONE;
		/* kernels before 5.16 have no cluster files: who shares an L2 is one */
		if (m->cluster == WK_NONE)
			m->cluster = l2 != WK_NONE ? l2 : m->core;
	}
	if (by_l2)
		wk_machine_note(r->m,
				"no L3 described for %u CPUs: the L2 is their last level "
				"cache",
				by_l2);
	if (c->with_level4)
		wk_machine_note(r->m,
				"an L4 is described for %u CPUs: it is on the side of the "
				"memory and not used",
				c->with_level4);
}

int wk_sysfs_caches(struct wk_sysread *r)
{
	struct caches *c = calloc(1, sizeof(*c));
	int err = -1;

	if (c) {
		c->level[2] = wk_rel_create(&r->cpus);
		c->level[3] = wk_rel_create(&r->cpus);
	}
	if (!c || !c->level[2] || !c->level[3]) {
		wk_read_error(r->err, "%s: out of memory", r->where);
		goto out;
	}
	wk_for_each_cpu(cpu, &r->cpus)
		read_cpu(r, c, (u32)cpu);
	wk_rel_solve(c->level[2]);
	wk_rel_solve(c->level[3]);
	wk_sysfs_note_relation(r, c->level[2], "L2 sharing lists");
	wk_sysfs_note_relation(r, c->level[3], "L3 sharing lists");
	take_levels(r, c);
	wk_mend_llc(r->m);
	widen_to_cluster(r);
	err = 0;
out:
	if (c) {
		wk_rel_destroy(c->level[2]);
		wk_rel_destroy(c->level[3]);
	}
	free(c);
	return err;
}
