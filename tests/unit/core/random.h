/* SPDX-License-Identifier: GPL-2.0-only */
/* A small generator for tests: the same numbers on every system. */
#ifndef WK_TESTS_RANDOM_H
#define WK_TESTS_RANDOM_H

#include "core/host.h"

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

#endif
