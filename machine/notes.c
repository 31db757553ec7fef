// SPDX-License-Identifier: GPL-2.0-only
#include "machine/build_nest.h"
#include "machine/domains.h"
#include "machine/notes.h"

static void note_missing_ids(struct wk_machine *m)
{
	u32 no_llc = 0, no_core = 0, no_node = 0, no_package = 0;

	for (u32 i = 0; i < m->nr_cpus; i++) {
		no_llc += m->cpu[i].llc < 0;
		no_core += m->cpu[i].core < 0;
		no_node += m->cpu[i].node < 0;
		no_package += m->cpu[i].package < 0;
	}
	if (no_llc)
		wk_machine_note(m,
				"no last-level cache known for %u CPUs: the cluster, or else the "
				"package, stands for it",
				no_llc);
	if (no_core)
		wk_machine_note(m, "no core known for %u CPUs: each is its own", no_core);
	if (no_node && m->nr_nodes > 1)
		wk_machine_note(m, "no node known for %u CPUs: they are put in the first", no_node);
	if (no_package)
		wk_machine_note(m, "no package known for %u CPUs: they are put in one", no_package);
}

static void note_nesting(struct wk_machine *m, const struct wk_topo *t)
{
	for (u32 c = 1; c < t->nr_cids; c++)
		if (t->sil[c].llc == t->sil[c - 1].llc && t->sil[c].node != t->sil[c - 1].node) {
			wk_machine_note(m, "a last-level cache spans nodes: its domain ends at the "
					   "node, as the kernel builds it");
			break;
		}
	if (wk_nesting_llc_splits(m, WK_NEST_HALF) || wk_nesting_llc_splits(m, WK_NEST_QUADRANT))
		wk_machine_note(m,
				"a last-level cache spans halves or quadrants: these are left out");
}

static void note_distances(struct wk_machine *m, const struct wk_topo *t)
{
	u32 distances[WK_BUILD_NUMA], dropped, wrong = 0;

	for (u32 a = 0; a < m->nr_nodes; a++)
		for (u32 b = 0; b < m->nr_nodes; b++)
			wrong += a == b ? m->distance[a][b] != 10 : m->distance[a][b] < 10;
	if (wrong)
		wk_machine_note(m,
				"%u node distances are unknown or impossible: 10 to the node "
				"itself and 20 to others are assumed",
				wrong);
	wk_build_distances(t, distances, &dropped);
	if (dropped)
		wk_machine_note(m,
				"%u node distances more than the %d that make NUMA levels: the "
				"nearest and the farthest are kept",
				dropped, WK_BUILD_NUMA);
}

static void note_policy(struct wk_machine *m, const struct wk_policy *pol)
{
	u32 split = wk_num(pol, WK_FEAT_LLC_SPLIT);

	if (wk_has(pol, WK_FEAT_IDLE_SIBLING) && wk_has(pol, WK_FEAT_IDLE_SIBLING_MASKED))
		wk_machine_note(m, "wrong flags in topology description: IDLE_SIBLING is none that "
				   "a level may carry, dropped");
	if (split && m->llc_split)
		wk_machine_note(m,
				"LLC domains are cut once, in %u: by the policy, not in %u by "
				"the machine's configuration",
				split, m->llc_split);
}

static void note_capacities(struct wk_machine *m, const struct wk_topo *t)
{
	bool smt = false, differ = false;

	for (u32 c = 0; c < t->nr_cids; c++) {
		smt |= t->sil[c].core_len > 1;
		differ |= t->sil[c].capacity != t->sil[0].capacity;
	}
	if (smt && differ)
		wk_machine_note(m, "capacities differ and cores have threads: the kernel packs by "
				   "priority (ASYM_PACKING) and has no capacity domains here");
}

void wk_topo_notes(struct wk_machine *m, const struct wk_policy *pol, const struct wk_topo *t)
{
	note_missing_ids(m);
	note_nesting(m, t);
	note_distances(m, t);
	note_capacities(m, t);
	note_policy(m, pol);
}
