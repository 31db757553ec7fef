// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "workload/names.h"

/* FNV-1a, then the kind. */
static u32 hash(u32 kind, const char *name)
{
	u32 h = 2166136261U;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619U;
	return (h ^ kind) * 16777619U;
}

static struct wk_name *find(const struct wk_names *n, u32 kind, const char *name)
{
	u32 i = hash(kind, name) & (n->room - 1);

	while (n->slot[i].name && (n->slot[i].kind != kind || strcmp(n->slot[i].name, name)))
		i = (i + 1) & (n->room - 1);
	return &n->slot[i];
}

static bool grow(struct wk_names *n)
{
	struct wk_names bigger = {.nr = n->nr, .room = n->room ? n->room * 2 : 64};

	bigger.slot = calloc(bigger.room, sizeof(*bigger.slot));
	if (!bigger.slot)
		return false;
	for (u32 i = 0; i < n->room; i++)
		if (n->slot[i].name)
			*find(&bigger, n->slot[i].kind, n->slot[i].name) = n->slot[i];
	free(n->slot);
	*n = bigger;
	return true;
}

struct wk_name *wk_names_get(struct wk_names *n, u32 kind, const char *name, bool *ret_new)
{
	struct wk_name *entry;

	if (n->nr * 2 >= n->room && !grow(n))
		return NULL;
	entry = find(n, kind, name);
	*ret_new = !entry->name;
	if (*ret_new) {
		*entry = (struct wk_name){.name = name, .kind = kind};
		n->nr++;
	}
	return entry;
}

void wk_names_release(struct wk_names *n)
{
	free(n->slot);
	*n = (struct wk_names){0};
}
