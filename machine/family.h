/* SPDX-License-Identifier: GPL-2.0-only */
/* From what a CPU says of itself to the cost table (data/costs) of its family. */
#ifndef WK_MACHINE_FAMILY_H
#define WK_MACHINE_FAMILY_H

#include "machine/machine.h"

/* What /proc/cpuinfo or an hwloc package tells; 0 and "" where it does not. */
struct wk_cpu_says {
	char vendor[16];       /* "AuthenticAMD" */
	u32 family, model;     /* x86 */
	u32 implementer, part; /* ARM */
	char cpu[16];	       /* POWER: "POWER9" */
};

/* The name of a cost table, "generic" for a CPU that none is known for. */
const char *wk_family_of(const struct wk_cpu_says *says);

#endif
