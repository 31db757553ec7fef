/* SPDX-License-Identifier: GPL-2.0-only */
/* What the BPF program and its driver share: one request, and where its pointers point. */
#ifndef WK_TESTS_DIFF_CORE_H
#define WK_TESTS_DIFF_CORE_H

#include "core/record.h"

#define WK_DIFF_TASKS 16 /* a power of two */

struct wk_diff_case {
	struct wk_request req; /* its pointers are not used */
	u32 waker, wakee;      /* rows of the tables of tasks */
};

/* All that a decision reads and writes, besides the topology and the policy. */
struct wk_diff_world {
	struct wk_task task[WK_DIFF_TASKS];
	struct wk_mask allowed;
	struct wk_pick pick;
};

#endif
