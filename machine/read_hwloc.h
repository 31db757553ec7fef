/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading by libhwloc, in a process of its own.
 *
 * Problem: libhwloc trusts its input. A malformed file can stop it by an assertion, crash it,
 * keep it busy for minutes or make it print; what it prints depends on the environment, which
 * a library must not change.
 * Idea: a child loads the topology and flattens it, with limits of time and memory, silent; the
 * parent takes the result from a pipe. Whatever happens to the child is one error line.
 */
#ifndef WK_MACHINE_READ_HWLOC_H
#define WK_MACHINE_READ_HWLOC_H

#include "machine/machine.h"

enum wk_hwloc_kind { WK_HWLOC_XML, WK_HWLOC_SYNTHETIC };

struct wk_hwloc_job {
	enum wk_hwloc_kind kind;
	const char *where; /* begins error lines */
	const char *text;  /* NUL-terminated */
	size_t len;
};

/* In the child: loads and flattens. */
struct wk_machine *wk_hwloc_load(const struct wk_hwloc_job *job, struct wk_err *ret_err);
/* In the parent: runs wk_hwloc_load() in a child. */
struct wk_machine *wk_hwloc_guarded(const struct wk_hwloc_job *job, struct wk_err *ret_err);

#endif
