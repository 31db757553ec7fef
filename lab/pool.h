/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A pool of threads for work that is numbered.
 *
 * Which thread takes which number depends on timing, so nothing may depend on
 * that: a task writes to the place of its own number and reads nothing that
 * another task of the same call writes. Then the results are the same for any
 * number of threads.
 */
#ifndef WK_LAB_POOL_H
#define WK_LAB_POOL_H

#include "core/host.h"

struct wk_pool {
	u32 jobs;			   /* threads, at least 1 */
	const volatile int *stop;	   /* non-zero: hand out no more numbers; may be NULL */
	void (*task)(void *arg, u32 nr);   /* runs on any thread */
	void (*done)(void *arg, u32 done); /* after each task, one call at a time; may be NULL */
	void *arg;
};

/* Run task 0 .. nr - 1, the lower numbers first. 0, or -errno where no thread could be started. */
int wk_pool_run(const struct wk_pool *pool, u32 nr);

#endif
