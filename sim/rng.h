/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers of a run.
 *
 * Problem: a run is a function of (machine, workload, policy, seed); libc's
 * generators are global, differ between systems and are short of state.
 * Idea: xoshiro256** (Blackman and Vigna), 32 bytes of state, filled from one
 * 64-bit seed by splitmix64 so that neighbouring seeds share nothing.
 * Ownership: the caller's struct; two streams never disturb each other.
 */
#ifndef WK_SIM_RNG_H
#define WK_SIM_RNG_H

#include "core/host.h"

struct wk_rng {
	u64 s[4]; /* never all zero: wk_rng_seed() */
};

/* A bijection of 64 bits that scatters small differences; also good as a hash. */
static inline u64 wk_mix64(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static inline void wk_rng_seed(struct wk_rng *r, u64 seed)
{
	/* Four different inputs of a bijection: at most one word can be zero. */
	for (u32 i = 0; i < 4; i++)
		r->s[i] = wk_mix64(seed += 0x9e3779b97f4a7c15ULL);
}

static inline u64 wk_rotl64(u64 x, u32 n) /* 0 < n < 64 */
{
	return (x << n) | (x >> (64 - n));
}

static inline u64 wk_rng_next(struct wk_rng *r)
{
	u64 *s = r->s, t = s[1] << 17, ret = wk_rotl64(s[1] * 5, 7) * 9;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = wk_rotl64(s[3], 45);
	return ret;
}

/*
 * A number in [0, n), 0 when n is 0: the high half of a 64x64-bit product, with
 * no divide. The bias is at most n / 2^64, which no run can see.
 */
static inline u64 wk_rng_below(struct wk_rng *r, u64 n)
{
	return (u64)(((unsigned __int128)wk_rng_next(r) * n) >> 64);
}

#endif
