/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happens next: one pending time per CPU, and the smallest of all.
 *
 * Problem: a general event queue pays for cancelling, and most events of a
 * scheduler are "this CPU does something else now".
 * Idea: a CPU has exactly one pending time, so that setting it replaces what was
 * there and nothing is ever cancelled. The times are the leaves of a tournament:
 *
 *                  [1] 30|2                     node i is the smaller of 2i and 2i+1;
 *           [2] 50|1        [3] 30|2            a leaf is time << 12 | cpu, so one
 *       [4]70|0 [5]50|1  [6]30|2 [7]never|3     compare settles time and tie at once.
 *
 * A set loads the siblings on its way up, which do not depend on each other;
 * the chain is one compare and one conditional move a level, always to the root.
 * Leaving early where a winner stays was measured slower (a mispredicted branch
 * costs more than three levels), so were 4-ary and 8-ary trees and a tree of
 * CPU numbers with the times beside it: by 20 %, 50 % and 200 % at 384 CPUs.
 *
 * Limits: a time is below 2^52 - 1 ns (52 days of simulated time); later ones
 * count as WK_NEVER.
 * Ownership: wk_events_init() allocates, wk_events_finish() frees.
 */
#ifndef WK_SIM_EVENTS_H
#define WK_SIM_EVENTS_H

#include "core/host.h"
#include "core/limits.h"

#define WK_NEVER	   (~0ULL)

#define WK_EVENTS_CPU_BITS 12
#define WK_EVENTS_LATEST   (WK_NEVER >> WK_EVENTS_CPU_BITS) /* stands for WK_NEVER in a leaf */

_Static_assert(WK_MAX_CPUS <= 1 << WK_EVENTS_CPU_BITS, "a cpu has to fit into a leaf");

struct wk_events {
	u32 n;	   /* CPUs */
	u32 first; /* index of the leaf of cpu 0: a power of two, at least n */
	u64 *node; /* 2 * first; [0] is unused, [1] the smallest */
};

/* Every CPU at WK_NEVER. 0, -EINVAL where @nr is 0 or above WK_MAX_CPUS, -ENOMEM. */
int wk_events_init(struct wk_events *ev, u32 nr);
void wk_events_finish(struct wk_events *ev);

/* @cpu < n. Replaces the pending time of @cpu; WK_NEVER for none. */
static inline void wk_events_set(struct wk_events *ev, u32 cpu, u64 t)
{
	u64 *node = ev->node;
	u32 i = ev->first + cpu;
	u64 least = (t < WK_EVENTS_LATEST ? t : WK_EVENTS_LATEST) << WK_EVENTS_CPU_BITS | cpu;

	node[i] = least;
	for (; i > 1; i >>= 1) {
		u64 sibling = node[i ^ 1];

		least = least < sibling ? least : sibling;
		node[i >> 1] = least;
	}
}

/* The CPU with the smallest (time, cpu); its time is WK_NEVER when nothing is pending. */
static inline u32 wk_events_first(const struct wk_events *ev)
{
	return (u32)(ev->node[1] & ((1u << WK_EVENTS_CPU_BITS) - 1));
}

static inline u64 wk_events_leaf_time(u64 leaf)
{
	u64 t = leaf >> WK_EVENTS_CPU_BITS;

	return t == WK_EVENTS_LATEST ? WK_NEVER : t;
}

/* The time of wk_events_first(), without looking at its leaf. */
static inline u64 wk_events_first_time(const struct wk_events *ev)
{
	return wk_events_leaf_time(ev->node[1]);
}

/*
 * Who comes after @first: the smallest of the subtrees that lost to it on its way
 * to the root. Those nodes were read a moment ago; what the next event touches
 * was not, and can be fetched meanwhile.
 */
static inline u32 wk_events_second(const struct wk_events *ev, u32 first)
{
	u64 least = ~0ULL;

	for (u32 i = ev->first + first; i > 1; i >>= 1)
		least = ev->node[i ^ 1] < least ? ev->node[i ^ 1] : least;
	return (u32)(least & ((1u << WK_EVENTS_CPU_BITS) - 1));
}

/* @cpu < n. */
static inline u64 wk_events_time(const struct wk_events *ev, u32 cpu)
{
	return wk_events_leaf_time(ev->node[ev->first + cpu]);
}

#endif
