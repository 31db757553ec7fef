/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF half of the seam: see core/host.h.
 *
 * A BPF unit that has included vmlinux.h defines WK_HAVE_VMLINUX first, since
 * that header already owns the integer types.
 */
#ifndef WK_CORE_HOST_BPF_H
#define WK_CORE_HOST_BPF_H

#ifndef WK_HAVE_VMLINUX
typedef __UINT8_TYPE__ u8;
typedef __UINT16_TYPE__ u16;
typedef __UINT32_TYPE__ u32;
typedef __UINT64_TYPE__ u64;
typedef __INT8_TYPE__ s8;
typedef __INT16_TYPE__ s16;
typedef __INT32_TYPE__ s32;
typedef __INT64_TYPE__ s64;
typedef _Bool bool;
enum { false, true };

/* Open-coded numeric iterator, kernel 6.4 and later: flat verifier cost in the trip count. */
struct bpf_iter_num {
	u64 opaque[1];
} __attribute__((aligned(8)));
#endif

extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end)
	__attribute__((section(".ksyms"), weak));
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __attribute__((section(".ksyms"), weak));
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __attribute__((section(".ksyms"), weak));

#define WK_INLINE    static inline __attribute__((unused, always_inline))
#define WK_STEP	     static __attribute__((unused, noinline))
#define WK_LONG_STEP WK_INLINE

/*
 * The caller declares u32 i. The iterator is destroyed by its cleanup attribute
 * on every way out of the loop (end, break, return), which the verifier demands;
 * repeating the bounds on the value it yields tells the verifier what i can be.
 */
#define wk_loop_for(i, from, to)                                                               \
	for (struct bpf_iter_num i##_it __attribute__((cleanup(bpf_iter_num_destroy))),        \
	     *i##_p                                                                            \
	     __attribute__((unused)) = (bpf_iter_num_new(&i##_it, (int)(from), (int)(to)),     \
					(void)bpf_iter_num_destroy, (struct bpf_iter_num *)0); \
	     ({                                                                                \
		     int *i##_v = bpf_iter_num_next(&i##_it);                                  \
		     i##_v && ((i) = (u32)*i##_v, (i) >= (from) && (i) < (to));                \
	     });)

/*
 * The row of a table whose size is a power of two. That @i is inside is known to the
 * reader; the verifier knows it of a register only, and the compiler checks one register
 * and uses another. So it is masked, behind an asm that the compiler cannot see through.
 */
#define wk_at(table, i)                                                               \
	(table)[({                                                                    \
		u32 wk_row = (u32)(i);                                                \
		_Static_assert(!(WK_ROWS(table) & (WK_ROWS(table) - 1)), "2^n rows"); \
		asm("" : "+r"(wk_row));                                               \
		wk_row &(WK_ROWS(table) - 1);                                         \
	})]
#define WK_ROWS(table) (sizeof(table) / sizeof((table)[0]))

WK_INLINE u32 wk_popcount64(u64 x)
{
	x -= (x >> 1) & 0x5555555555555555ULL;
	x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (u32)((x * 0x0101010101010101ULL) >> 56);
}

/*
 * Neither clz nor ctz exists before clang 19. A word of n ones times this number differs in its top
 * seven bits for every n from 0 to 64: they are the place of n in the table.
 */
#define WK_ONES_MAGIC 0xe832eb7369878d4fULL
static const u8 wk_ones[128] __attribute__((unused)) = {
	0,  16, 0,  60, 45, 0,	0,  0,	0,  0,	0,  64, 0,  0,	0,  5,	0,  0,	6, 41, 0,  0,
	0,  0,	7,  49, 0,  42, 0,  0,	0,  0,	0,  0,	0,  12, 37, 8,	50, 28, 0, 58, 43, 0,
	3,  0,	0,  0,	0,  0,	35, 56, 0,  54, 0,  0,	0,  19, 13, 0,	38, 0,	9, 0,  32, 51,
	29, 21, 0,  24, 15, 59, 44, 0,	0,  63, 0,  4,	0,  40, 0,  0,	48, 0,	0, 0,  0,  11,
	36, 27, 57, 0,	2,  0,	34, 55, 53, 0,	18, 0,	0,  0,	31, 20, 23, 14, 0, 62, 0,  39,
	0,  47, 0,  10, 26, 0,	1,  33, 52, 17, 0,  30, 22, 61, 0,  46, 0,  25,
};

/* How many ones: @x is 2^n - 1. */
WK_INLINE u32 wk_count_ones(u64 x)
{
	return wk_ones[x * WK_ONES_MAGIC >> 57];
}

WK_INLINE u32 wk_ctz64(u64 x)
{
	return wk_count_ones((x & (0 - x)) - 1);
}

/* Significant bits of @x, 0 has none. */
WK_INLINE u32 wk_bits64(u64 x)
{
	x |= x >> 1;
	x |= x >> 2;
	x |= x >> 4;
	x |= x >> 8;
	x |= x >> 16;
	x |= x >> 32;
	return wk_count_ones(x);
}

WK_INLINE u32 wk_clz64(u64 x)
{
	return 64 - wk_bits64(x);
}

#define wk_likely(x)	    __builtin_expect(!!(x), 1)
#define wk_unlikely(x)	    __builtin_expect(!!(x), 0)

#define wk_read_once(x)	    (*(volatile __typeof__(x) *)&(x))
#define wk_write_once(x, v) (*(volatile __typeof__(x) *)&(x) = (v))

/* One fetch-and: the bits that were set before and are in @mask are this caller's. */
WK_INLINE bool wk_claim64(u64 *word, u64 mask)
{
	return (__sync_fetch_and_and(word, ~mask) & mask) == mask;
}

#endif
