/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The nesting of a machine: which units there are, and in which order its CPUs stand.
 *
 * Sources give ids that may be missing, repeat below another parent, or cross each other. Here
 * every level's unit is the pair (unit of the level above, id), so that the levels nest by
 * construction: a core id that appears in two packages makes two cores. Units are numbered by
 * parent, then by their lowest CPU number.
 *
 * NUMA nodes are no level of the silicon and may lie anywhere in it (a package of several nodes,
 * a last-level cache of several nodes, a node of several packages). The scheduler never lets a
 * cache domain span nodes, hence the level PIECE: the part of an LLC that lies in one node.
 */
#ifndef WK_MACHINE_BUILD_NEST_H
#define WK_MACHINE_BUILD_NEST_H

#include "machine/machine.h"

enum wk_nest {
	WK_NEST_PACKAGE,
	WK_NEST_HALF,
	WK_NEST_QUADRANT,
	WK_NEST_LLC,
	WK_NEST_PIECE,
	WK_NEST_CLUSTER,
	WK_NEST_CORE,
	WK_NEST_NR
};

/* All by row of wk_machine.cpu[], which is by CPU number. */
struct wk_nesting {
	u32 nr_units[WK_NEST_NR];
	u32 unit[WK_NEST_NR][WK_MAX_CPUS];
	u32 node[WK_MAX_CPUS];	/* dense: set by the caller before wk_nesting_fill() */
	u32 order[WK_MAX_CPUS]; /* rows in the order of cids */
};

/* 0, or -ENOMEM. */
int wk_nesting_fill(struct wk_nesting *nest, const struct wk_machine *m);

/* True where an LLC holds several units of @level, so that the level is left out. */
bool wk_nesting_llc_splits(const struct wk_machine *m, enum wk_nest level);

#endif
