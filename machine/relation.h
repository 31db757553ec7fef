/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Who belongs together", from sibling masks that may contradict each other.
 *
 * Problem: every CPU tells its own siblings; hotplug between two reads, broken firmware and
 * hypervisors make them disagree. Ids (core_id, physical_package_id) repeat or are -1.
 * Idea: masks that partition the CPUs are taken as they are. Where they do not, ids decide if
 * every CPU has one; else only what both sides say counts (a lists b and b lists a).
 * A CPU without a mask joins the set that lists it, or the one with its id.
 */
#ifndef WK_MACHINE_RELATION_H
#define WK_MACHINE_RELATION_H

#include "machine/machine.h"

#define WK_KEY_NONE (-1ll)

struct wk_rel {
	struct wk_mask cpus;	    /* the CPUs there are */
	struct wk_mask phantom;	    /* CPUs that masks name and that do not exist */
	struct wk_mask has;	    /* CPUs with a mask of their own */
	struct wk_mask *mask;	    /* by CPU number */
	long long key[WK_MAX_CPUS]; /* id, made unique by the caller; WK_KEY_NONE unknown */
	s32 set[WK_MAX_CPUS];	    /* result: lowest CPU of its set, WK_NONE unknown */
	bool contradictory, by_key; /* what wk_rel_solve() met, and what it fell back to */
	u32 odd_a, odd_b;	    /* the first pair that disagrees */
};

struct wk_rel *wk_rel_create(const struct wk_mask *cpus);
void wk_rel_destroy(struct wk_rel *rel);
/* What CPU @cpu says: @mask is cut to the CPUs there are. */
void wk_rel_say(struct wk_rel *rel, u32 cpu, const struct wk_mask *mask);
void wk_rel_solve(struct wk_rel *rel);

/* Next set bit of @m from @from on, WK_NONE at the end. */
s32 wk_mask_next(const struct wk_mask *m, u32 from);

/* "0-3,8" into @buf, cut with "..." where it does not fit. */
const char *wk_mask_print(char *buf, size_t size, const struct wk_mask *m);

#define wk_for_each_cpu(c, m) \
	for (s32 c = wk_mask_next((m), 0); c != WK_NONE; c = wk_mask_next((m), (u32)c + 1))

#endif
