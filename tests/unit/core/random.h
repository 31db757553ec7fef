/* SPDX-License-Identifier: GPL-2.0-only */
/* A small generator for tests: the same numbers on every system. */
#ifndef WK_TESTS_RANDOM_H
#define WK_TESTS_RANDOM_H

#include "core/state.h"

struct wkt_rng {
	u64 x;
};

static inline u64 wkt_random(struct wkt_rng *g)
{
	u64 z = (g->x += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* 0 .. n - 1 */
static inline u32 wkt_below(struct wkt_rng *g, u32 n)
{
	return (u32)(wkt_random(g) % n);
}

/* True once in @n. */
static inline bool wkt_one_in(struct wkt_rng *g, u32 n)
{
	return wkt_below(g, n) == 0;
}

/* A task of a machine of @nr_cids, with loads, flips and flags of all kinds. */
static inline void wkt_random_task(struct wkt_rng *g, u32 nr_cids, struct wk_task *p)
{
	p->prev = (s32)wkt_below(g, nr_cids);
	p->recent = wkt_one_in(g, 8) ? WK_NONE : (s32)wkt_below(g, nr_cids);
	p->load = wkt_below(g, 1024);
	p->util = wkt_below(g, 1024);
	p->runnable = wkt_below(g, 1024);
	if (wkt_one_in(g, 4))
		p->wakee_flips = wkt_below(g, 60);
	p->flags = wkt_one_in(g, 6) ? WK_TASK_IDLE_POLICY : 0;
	if (wkt_one_in(g, 50))
		p->flags |= WK_TASK_MIGRATION_DISABLED;
}

#endif
