/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one decision costs in the worst usual case: sis_node on a machine of two
 * packages of 16-CPU LLCs where everything is busy, so that each LLC of the node is
 * searched in vain.
 */
#ifndef WK_TESTS_BENCH_PICK_H
#define WK_TESTS_BENCH_PICK_H

#include "core/host.h"

/* Mean time of a pick on @nr_cpus (a multiple of 32, to 4,096), in ns. */
double wk_bench_pick_ns(u32 nr_cpus);

/* The same work @nr_picks times, for counting instructions. Returns the picks that were done. */
u64 wk_bench_pick_ops(u32 nr_cpus, u64 nr_picks);

#endif
