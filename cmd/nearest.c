// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "cmd/nearest.h"

#define WORD_MAX 63 /* nobody mistypes a longer word in a way that we could mend */

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Levenshtein's distance, one row at a time: row[j] is the cost of a[0..i) to b[0..j). */
static size_t edit_distance(const char *a, size_t len_a, const char *b, size_t len_b)
{
	size_t row[WORD_MAX + 1];

	for (size_t j = 0; j <= len_b; j++)
		row[j] = j;

	for (size_t i = 1; i <= len_a; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			size_t change = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1, change);
		}
	}
	return row[len_b];
}

/* Near: at most a third of the letters differ, so that short names need a close match. */
bool wk_nearest_offer(struct wk_nearest *near, const char *name)
{
	size_t len_word = strlen(near->word), len_name = strlen(name);
	size_t distance;

	if (len_word > WORD_MAX || len_name > WORD_MAX)
		return false;

	distance = edit_distance(near->word, len_word, name, len_name);
	if (distance > (len_name + 2) / 3 || (near->found && distance >= near->distance))
		return false;
	near->found = true;
	near->distance = distance;
	return true;
}

const char *wk_nearest(const char *word, const char *const *names, size_t nr_names)
{
	struct wk_nearest near = {.word = word};
	const char *best = NULL;

	for (size_t i = 0; i < nr_names; i++)
		if (wk_nearest_offer(&near, names[i]))
			best = names[i];
	return best;
}
