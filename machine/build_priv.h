/* SPDX-License-Identifier: GPL-2.0-only */
/* What the builder's files share. Each fills its part of a table that is not yet published. */
#ifndef WK_MACHINE_BUILD_PRIV_H
#define WK_MACHINE_BUILD_PRIV_H

#include "machine/build.h"

int wk_build_err(struct wk_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* build_silicon.c: cids, silicon, nodes and distances. 0 or -errno. */
int wk_build_silicon(struct wk_topo *t, const struct wk_machine *m, struct wk_err *err);

/* domains.c: everything that depends on t->online, which is set. 0 or -errno. */
int wk_build_domains(struct wk_topo *t, const struct wk_machine *m, const struct wk_policy *pol,
		     struct wk_err *err);

#endif
