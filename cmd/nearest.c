// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "cmd/nearest.h"
#include "core/spelling.h"

bool wk_nearest_offer(struct wk_nearest *near, const char *name)
{
	size_t len = strlen(name);
	u32 distance = wk_spelling_distance(near->word, strlen(near->word), name, len);

	if (!wk_spelling_near(distance, len) || (near->found && distance >= near->distance))
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
