/* SPDX-License-Identifier: GPL-2.0-only */
/* What every reader does at its end with the gaps that its source left. */
#ifndef WK_MACHINE_MEND_H
#define WK_MACHINE_MEND_H

#include "machine/machine.h"

/* An id space of its own for sets made up here: readers' own ids of LLCs stay below or above it. */
#define WK_MEND_LLC(cpu) (WK_MAX_CPUS + (s32)(cpu))

/* CPUs without a last level get one for each (package, node), as the kernel does; notes it. */
void wk_mend_llc(struct wk_machine *m);
/* Numbers the threads of each core by CPU number. */
void wk_mend_threads(struct wk_machine *m);

/* 10 on the diagonal, 20 elsewhere. */
void wk_default_distances(struct wk_machine *m);
/* The kernel's own checks (numa_set_distance): local is 10, nothing is nearer. */
bool wk_valid_distances(const u8 *row, u32 nr, u32 self);

#endif
