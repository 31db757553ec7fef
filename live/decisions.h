/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recording the kernel's own decisions: bpf/decisions.bpf.c is loaded and attached, the command
 * (or a time) passes, and what was seen is written as trace/decision.h describes.
 *
 * Records are kept in memory as they come and turned into text at the end, so that writing does
 * not add decisions of its own. Where live was left out of the build there is a stand-in.
 */
#ifndef WK_LIVE_DECISIONS_H
#define WK_LIVE_DECISIONS_H

#include <stdio.h>

#include "core/err.h"
#include "core/host.h"

struct wk_record_decisions {
	FILE *to;
	char *const *command; /* NULL: time_ns passes instead */
	u64 time_ns;
	u32 every;	 /* one decision in so many */
	u64 max_records; /* what comes later is counted as lost */
};

struct wk_recorded {
	u64 seen, written, lost;
	int status; /* of the command, as waitpid() gives it */
};

/* 0, or -errno with *ret_err filled; -EOPNOTSUPP where the build lacks what it takes. */
int wk_record_decisions(const struct wk_record_decisions *how, struct wk_recorded *ret,
			struct wk_err *ret_err);

#endif
