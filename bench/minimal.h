/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two halves of the minimal scheduler share.
 */
#ifndef WK_BENCH_MINIMAL_H
#define WK_BENCH_MINIMAL_H

/* Why the kernel ended it; kind 0 while it runs. */
struct wk_minimal_exit {
	unsigned int kind;
	char reason[124];
};

#endif
