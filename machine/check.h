/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of wk_topo_check(). Each returns 0, or -EINVAL with the first violation in *err; a
 * later part may rely on what an earlier one has shown.
 */
#ifndef WK_MACHINE_CHECK_H
#define WK_MACHINE_CHECK_H

#include "machine/build_priv.h"

#define WK_BAD(err, ...) wk_build_err(err, -EINVAL, __VA_ARGS__)

int wk_check_domains(const struct wk_topo *t, struct wk_err *err); /* check_domains.c */
int wk_check_wake(const struct wk_topo *t, struct wk_err *err);	   /* check_wake.c */

/* The CPUs of a span; false where its numbers are out of bounds. */
bool wk_check_span(const struct wk_topo *t, struct wk_range hull, s32 mask, struct wk_mask *ret);

#endif
