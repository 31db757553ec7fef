/* SPDX-License-Identifier: GPL-2.0-only */
/* What the builder had to assume or change, as notes beside those of the reader. */
#ifndef WK_MACHINE_NOTES_H
#define WK_MACHINE_NOTES_H

#include "machine/build.h"

/* Adds to the notes of @m; @t was built from it for @pol. Builds nothing, call it once. */
void wk_topo_notes(struct wk_machine *m, const struct wk_policy *pol, const struct wk_topo *t);

#endif
