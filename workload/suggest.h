/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Did you mean" for names of benches and options. cmd/nearest.h does the same for the command
 * line; workload/ may not include cmd/.
 */
#ifndef WK_WORKLOAD_SUGGEST_H
#define WK_WORKLOAD_SUGGEST_H

#include "core/host.h"

struct wk_suggest {
	const char *word;
	const char *best; /* NULL while nothing is near */
	u32 distance;
};

void wk_suggest_offer(struct wk_suggest *s, const char *name);
/* " (did you mean 'groups'?)", or "". */
const char *wk_suggest_text(const struct wk_suggest *s, char buf[80]);

#endif
