// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "workload/suggest.h"

#define WORD_MAX 40

/* Levenshtein's distance, one row at a time. */
static u32 distance(const char *a, u32 len_a, const char *b, u32 len_b)
{
	u32 row[WORD_MAX + 1];

	for (u32 j = 0; j <= len_b; j++)
		row[j] = j;
	for (u32 i = 1; i <= len_a; i++) {
		u32 diagonal = row[0];

		row[0] = i;
		for (u32 j = 1; j <= len_b; j++) {
			u32 best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[len_b];
}

void wk_suggest_offer(struct wk_suggest *s, const char *name)
{
	size_t len_word = strlen(s->word), len_name = strlen(name);
	u32 d;

	if (len_word > WORD_MAX || len_name > WORD_MAX)
		return;
	d = distance(s->word, (u32)len_word, name, (u32)len_name);
	if (d > (len_name + 2) / 3 || (s->best && d >= s->distance))
		return;
	s->best = name;
	s->distance = d;
}

const char *wk_suggest_text(const struct wk_suggest *s, char buf[80])
{
	buf[0] = 0;
	if (s->best)
		snprintf(buf, 80, " (did you mean '%s'?)", s->best);
	return buf;
}
