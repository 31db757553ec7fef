/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Did you mean": offer the known names one after the other and keep the last one that was taken.
 *
 *	struct wk_nearest near = {.word = "--machin"};
 *
 *	for (...)
 *		if (wk_nearest_offer(&near, names[i]))
 *			best = names[i];
 */
#ifndef WK_CMD_NEAREST_H
#define WK_CMD_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

struct wk_nearest {
	const char *word;
	bool found;
	size_t distance; /* of the name found */
};

/* True: @name is near to the word, and nearer than those offered before. */
bool wk_nearest_offer(struct wk_nearest *near, const char *name);

/* The one of names[0..nr_names) that is nearest, or NULL when none is near. */
const char *wk_nearest(const char *word, const char *const *names, size_t nr_names);

#endif
