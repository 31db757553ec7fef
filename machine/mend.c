// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "machine/mend.h"

static bool made_up(s32 llc)
{
	return llc >= WK_MEND_LLC(0) && llc < WK_MEND_LLC(WK_MAX_CPUS);
}

void wk_mend_llc(struct wk_machine *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->nr_cpus; i++) {
		struct wk_machine_cpu *a = &m->cpu[i];

		if (a->llc != WK_NONE || !a->online)
			continue;
		n++;
		a->llc = WK_MEND_LLC(i);
		for (u32 j = 0; j < i; j++) {
			const struct wk_machine_cpu *b = &m->cpu[j];

			if (made_up(b->llc) && b->package == a->package && b->node == a->node) {
				a->llc = b->llc;
				break;
			}
		}
	}
	if (n)
		wk_machine_note(m,
				"no L2 or L3 described for %u CPUs: the package is taken as "
				"their last level cache",
				n);
}

struct by_core {
	s32 core;
	u32 row;
};

static int core_cmp(const void *va, const void *vb)
{
	const struct by_core *a = va, *b = vb;

	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

void wk_mend_threads(struct wk_machine *m)
{
	struct by_core order[WK_MAX_CPUS];
	s32 thread = 0;

	for (u32 i = 0; i < m->nr_cpus; i++)
		order[i] = (struct by_core){m->cpu[i].core, i};
	qsort(order, m->nr_cpus, sizeof(*order), core_cmp);
	for (u32 i = 0; i < m->nr_cpus; i++) {
		bool same = i > 0 && order[i].core == order[i - 1].core && order[i].core >= 0;

		thread = same ? thread + 1 : 0;
		m->cpu[order[i].row].thread = thread;
	}
}

void wk_default_distances(struct wk_machine *m)
{
	for (u32 i = 0; i < m->nr_nodes; i++)
		for (u32 j = 0; j < m->nr_nodes; j++)
			m->distance[i][j] = i == j ? 10 : 20;
}

bool wk_valid_distances(const u8 *row, u32 nr, u32 self)
{
	for (u32 i = 0; i < nr; i++)
		if (row[i] < 10 || (i == self && row[i] != 10))
			return false;
	return true;
}
