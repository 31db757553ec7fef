// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "core/spelling.h"
#include "workload/suggest.h"

void wk_suggest_offer(struct wk_suggest *s, const char *name)
{
	size_t len = strlen(name);
	u32 distance = wk_spelling_distance(s->word, strlen(s->word), name, len);

	if (!wk_spelling_near(distance, len) || (s->best && distance >= s->distance))
		return;
	s->best = name;
	s->distance = distance;
}

const char *wk_suggest_text(const struct wk_suggest *s, char buf[80])
{
	buf[0] = 0;
	if (s->best)
		snprintf(buf, 80, " (did you mean '%s'?)", s->best);
	return buf;
}
