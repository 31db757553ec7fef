/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far apart two names are spelt: what every "did you mean" of the project
 * rests on. It lives here because every folder may include core/; no decision
 * uses it.
 */
#ifndef WK_CORE_SPELLING_H
#define WK_CORE_SPELLING_H

#include "core/host.h"

#define WK_WORD_MAX  63	     /* nobody mistypes a longer word in a way that we could mend */
#define WK_SPELT_FAR 0xffffU /* of words longer than that */

/*
 * Levenshtein's distance, one row at a time: row[j] is the cost of turning
 * a[0..i) into b[0..j).
 */
WK_INLINE u32 wk_spelling_distance(const char *a, u64 len_a, const char *b, u64 len_b)
{
	u32 row[WK_WORD_MAX + 1], i, j, diagonal, best;

	if (len_a > WK_WORD_MAX || len_b > WK_WORD_MAX)
		return WK_SPELT_FAR;
	for (j = 0; j <= len_b; j++)
		row[j] = j;
	for (i = 1; i <= len_a; i++) {
		diagonal = row[0];
		row[0] = i;
		for (j = 1; j <= len_b; j++) {
			best = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			best = best > row[j] + 1 ? row[j] + 1 : best;
			row[j] = best > row[j - 1] + 1 ? row[j - 1] + 1 : best;
		}
	}
	return row[len_b];
}

/* Near: at most a third of the letters differ, so that short names need a close match. */
WK_INLINE bool wk_spelling_near(u32 distance, u64 len_name)
{
	return distance <= (len_name + 2) / 3;
}

#endif
