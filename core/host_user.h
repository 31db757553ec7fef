/* SPDX-License-Identifier: GPL-2.0-only */
/* The native half of the seam: see core/host.h. Compiler built-ins only, no libc. */
#ifndef WK_CORE_HOST_USER_H
#define WK_CORE_HOST_USER_H

typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef __INT8_TYPE__ s8;
typedef __INT16_TYPE__ s16;
typedef __INT32_TYPE__ s32;
typedef __INT64_TYPE__ s64;

#ifndef __cplusplus
#include <stdbool.h> /* part of the freestanding language, not of libc */
#endif

#define WK_INLINE static inline __attribute__((unused))
/* A step that BPF keeps out of line, and verifies at each call. Long ones are units: core/ctx.h. */
#define WK_STEP static inline __attribute__((unused))
/* A long step beside a short way: inlined it would make the short way save its registers. */
#define WK_LONG_STEP static __attribute__((unused, noinline))

/* The caller declares u32 i; @to is evaluated every time round, so keep it a variable. */
#define wk_loop_for(i, from, to) for ((i) = (from); (i) < (to); (i)++)

/* Row @i of a table: in BPF the verifier has to be shown that it is one. */
#define wk_at(table, i) (table)[i]

WK_INLINE u32 wk_ctz64(u64 x) /* x != 0 */
{
	return (u32)__builtin_ctzll(x);
}

WK_INLINE u32 wk_clz64(u64 x) /* x != 0 */
{
	return (u32)__builtin_clzll(x);
}

/* Significant bits of @x, 0 has none. The xor is what the instruction gives: no subtraction. */
WK_INLINE u32 wk_bits64(u64 x)
{
	return x ? ((u32)__builtin_clzll(x) ^ 63) + 1 : 0;
}

WK_INLINE u32 wk_popcount64(u64 x)
{
	return (u32)__builtin_popcountll(x);
}

#define wk_likely(x)   __builtin_expect(!!(x), 1)
#define wk_unlikely(x) __builtin_expect(!!(x), 0)

/* Natively the tables are written by one thread: a plain access is a one-shot access. */
#define wk_read_once(x)	    (x)
#define wk_write_once(x, v) ((x) = (v))

/* Clears the bits of @mask in *word if all are set there; true if this caller cleared them. */
WK_INLINE bool wk_claim64(u64 *word, u64 mask)
{
	if ((*word & mask) != mask)
		return false;
	*word &= ~mask;
	return true;
}

#endif
