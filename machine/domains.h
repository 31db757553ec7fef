/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scratch of the domain builder, shared by the domains*.c files.
 *
 * The kernel keeps a domain object per CPU and level, each with a mask. Here a set of CPUs is a
 * *span*, interned once, so that two sets are equal where their numbers are; a level is a row of
 * span numbers by cid; and the CPUs' domains become rows of wk_topo.domain[], shared wherever
 * level, span, flags and groups are the same.
 *
 * Order of work: levels (domains_level.c), then for each CPU its chain with groups, flags and the
 * removal of degenerate levels (domains.c), then what the wake-up path keeps at hand
 * (domains_wake.c).
 */
#ifndef WK_MACHINE_DOMAINS_H
#define WK_MACHINE_DOMAINS_H

#include "machine/build_priv.h"

/* SMT CLS MC NEAR PKG NODE, and NUMA distances. */
#define WK_BUILD_NUMA	4
#define WK_BUILD_LEVELS (6 + WK_BUILD_NUMA)

struct wk_span {
	struct wk_range hull;
	s32 mask; /* row of topo->xmask, or WK_NONE for a range */
	u32 weight;
	u32 first_cid;	/* lowest CPU number */
	u64 capacities; /* bit set of capacity classes */
	s32 next;	/* of those that begin at the same cid */
	s32 domains;	/* rows of domain[] with this span, linked by domain_next */
};

struct wk_build_level {
	enum wk_level level;
	u32 flags;		  /* as the level table gives them, validated */
	u32 distance;		  /* of a NUMA level */
	u32 span_of[WK_MAX_CPUS]; /* by cid, for those in cpus */
	/* Group list + 1: by first cid of the span, or by node in NUMA levels. */
	u32 groups_of[WK_MAX_CPUS];
};

/* A list of spans in item[]. */
struct wk_group_list {
	u32 first, nr;
};

struct wk_build {
	struct wk_topo *t;
	const struct wk_machine *m;
	const struct wk_policy *pol;
	struct wk_err *err;
	struct wk_mask cpus;  /* who gets domains: online and not isolated */
	u32 nr_cpus;	      /* in cpus */
	u32 reclaim_distance; /* beyond it a NUMA level balances less */
	bool packing;	      /* capacities differ and cores have threads: ASYM_PACKING instead */
	u64 capacities;	      /* classes of all online CPUs */
	u8 capacity_class[WK_MAX_CPUS];
	u32 cluster_of[WK_MAX_CPUS]; /* silicon cluster of a cid: its first cid */
	u32 piece_of[WK_MAX_CPUS];   /* LLC as far as one domain may see it: its first cid */

	u32 nr_levels;
	struct wk_build_level level[WK_BUILD_LEVELS];

	u32 nr_spans, max_spans;
	struct wk_span *span;
	s32 span_head[WK_MAX_CPUS];

	u32 nr_lists, max_lists, nr_items, max_items;
	struct wk_group_list *list;
	u32 *item;

	s32 domain_next[WK_MAX_DOMAINS];
	u32 domain_list[WK_MAX_DOMAINS];
};

WK_INLINE bool wk_build_has(const struct wk_build *b, u32 cid)
{
	return wk_mask_test(&b->cpus, cid);
}

/* domains_span.c: the set, interned; *ret is its number. */
int wk_span_intern(struct wk_build *b, const struct wk_mask *set, u32 *ret);
bool wk_span_subset(const struct wk_build *b, u32 inner, u32 outer);

/* domains_level.c */
int wk_build_levels(struct wk_build *b);
bool wk_build_node_inside_package(const struct wk_topo *t, const struct wk_policy *pol);
bool wk_build_is_x86(const struct wk_machine *m); /* said by the source, or it knows APIC ids */
/* Distances that make NUMA levels, rising, without the local one, and how many were left out. */
u32 wk_build_distances(const struct wk_topo *t, u32 distances[WK_BUILD_NUMA], u32 *ret_dropped);

/* domains_group.c: the groups of @cid's domain at level @k, a list in order of first CPU number. */
int wk_build_groups(struct wk_build *b, u32 k, u32 cid, u32 *ret_list);

/* domains_wake.c */
int wk_build_wake(struct wk_build *b);

#endif
