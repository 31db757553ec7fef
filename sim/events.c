// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "sim/events.h"

#define CACHE_LINE 64

int wk_events_init(struct wk_events *ev, u32 nr)
{
	u32 first = 1;
	size_t size;
	u64 *node;

	if (!nr || nr > WK_MAX_CPUS)
		return -EINVAL;
	while (first < nr)
		first *= 2;
	/* aligned_alloc() wants a multiple of the alignment; four leaves fill a line. */
	size = sizeof(*node) * 2 * (first < 4 ? 4 : first);
	node = aligned_alloc(CACHE_LINE, size);
	if (!node)
		return -ENOMEM;
	/* The leaves behind the last CPU lose against every CPU: none has number 4095 at NEVER. */
	for (u32 i = 0; i < 2 * first; i++)
		node[i] = WK_NEVER;
	*ev = (struct wk_events){.n = nr, .first = first, .node = node};
	for (u32 cpu = 0; cpu < nr; cpu++)
		wk_events_set(ev, cpu, WK_NEVER);
	return 0;
}

void wk_events_finish(struct wk_events *ev)
{
	free(ev->node);
	ev->node = NULL;
	ev->n = 0;
}
