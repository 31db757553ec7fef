/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small table from (kind, name) to a number. Names are not copied: they have to outlive it.
 */
#ifndef WK_WORKLOAD_NAMES_H
#define WK_WORKLOAD_NAMES_H

#include "core/host.h"

struct wk_name {
	const char *name; /* NULL: free */
	u32 kind, value;
	u32 mark; /* the caller's */
};

struct wk_names {
	struct wk_name *slot;
	u32 nr, room; /* room is a power of two, at most half full */
};

/* The entry of that name, made with value 0 if *ret_new; NULL: out of memory. */
struct wk_name *wk_names_get(struct wk_names *n, u32 kind, const char *name, bool *ret_new);
void wk_names_release(struct wk_names *n);

#endif
