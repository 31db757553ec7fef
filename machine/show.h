/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A topology for people and for scripts.
 *
 * 256 CPUs have 256 chains of domains that differ in their spans only. The text shows one block
 * for all CPUs whose chains look alike (levels, sizes, flags, groups) and lists the spans in it.
 */
#ifndef WK_MACHINE_SHOW_H
#define WK_MACHINE_SHOW_H

#include <stdio.h>

#include "machine/build.h"

/* What is shown: a topology, and from what it was built. */
struct wk_show {
	const struct wk_topo *t;
	const struct wk_machine *m;
	const struct wk_policy *pol;
};

/* "0-7,128-135": the CPU numbers of a set of cids; "-" for none. */
void wk_show_cpus(FILE *to, const struct wk_topo *t, const struct wk_mask *cids);
/* "SHARE_PKG|PREFER_SIBLING", with @sep between the names. */
void wk_show_flags(FILE *to, u32 flags, const char *sep);
const char *wk_level_name(u32 level);
/* The CPUs of a range, or of the mask beside it. */
struct wk_mask wk_show_set(const struct wk_topo *t, struct wk_range hull, s32 mask);

/* Levels that the kernel would build for @cid and then remove as degenerate: how many of each. */
void wk_show_removed(const struct wk_show *s, u32 cid, u32 removed[WK_LEVEL_NR]);

void wk_show_text(FILE *to, const struct wk_show *s);
void wk_show_domains(FILE *to, const struct wk_show *s);
void wk_show_csv(FILE *to, const struct wk_show *s);	     /* a row for each CPU */
void wk_show_domains_csv(FILE *to, const struct wk_show *s); /* a row for each domain of each CPU */
int wk_show_json(FILE *to, const struct wk_show *s);	     /* 0, or -ENOMEM */

#endif
