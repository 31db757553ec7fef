/* SPDX-License-Identifier: GPL-2.0-only */
/* The program of core.bpf.c, loaded with one policy, and its memory as the driver sees it. */
#ifndef WK_TESTS_DIFF_OBJECT_H
#define WK_TESTS_DIFF_OBJECT_H

#include <stddef.h>

#include "core/policy.h"
#include "tests/diff/core.h"

struct bpf_object;

struct wk_diff_object {
	struct bpf_object *obj;
	int prog_fd;
	void *bss, *rodata; /* mapped, with the ids and sizes of their maps */
	size_t bss_size, rodata_size;
	u32 bss_id, rodata_id;
	struct wk_topo *topo;
	struct wk_state *state;
	struct wk_diff_case *request;
	struct wk_diff_world *world;
};

/* What the kernel says of a loaded program. */
struct wk_diff_cost {
	u32 verified, xlated; /* instructions */
};

/* NULL where this system lets us load programs, else why it does not. */
const char *wk_diff_why_not(void);

/* 0 or -errno, with a line on stderr. wk_diff_close() in either case. */
int wk_diff_open(const char *file, const struct wk_policy *pol, struct wk_diff_object *ret);
void wk_diff_close(struct wk_diff_object *o);

/* Decides *o->request in the kernel. */
int wk_diff_run(const struct wk_diff_object *o);

/* The memory of the map with that id, or NULL. */
char *wk_diff_global(const struct wk_diff_object *o, u32 map_id);

int wk_diff_cost(const struct wk_diff_object *o, struct wk_diff_cost *ret);

#endif
