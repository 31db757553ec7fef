/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text in columns as wide as their widest cell. Cells are added row by row; the
 * last cell of a row may be anything, nothing is padded behind it.
 */
#ifndef WK_LAB_GRID_H
#define WK_LAB_GRID_H

#include <stdio.h>

#include "core/host.h"

#define WK_GRID_CELL 160

struct wk_grid {
	u32 columns; /* set by the caller, the rest is zero */
	u64 left;    /* bit i: column i begins at its left edge */
	u32 nr, max;
	char (*cell)[WK_GRID_CELL];
	bool failed; /* out of memory: printing says so */
};

void wk_grid_add(struct wk_grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print and release. 0 or -ENOMEM. */
int wk_grid_print(struct wk_grid *g, FILE *to);

#endif
