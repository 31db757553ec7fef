/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rt-app files: threads described as phases of events.
 *
 * Problem: people have workloads of their own, and rt-app's JSON is what
 * scheduler developers write them in.
 * Idea: one program for each thread. The main task forks all threads and joins
 * them; every event is one operation or two. After each operation that can
 * sleep stands a LAT_WAKE, so that the metric is rt-app's wake-up latency.
 * Not modelled: real-time classes. SCHED_FIFO and SCHED_RR run in the fair class
 * with the weight of nice -20; SCHED_DEADLINE is refused.
 */
#ifndef WK_WORKLOAD_RTAPP_H
#define WK_WORKLOAD_RTAPP_H

#include "workload/workload.h"

#define WK_RTAPP_MAX_BYTES   (16U << 20)
#define WK_RTAPP_MAX_THREADS 100000

/* A workload, or NULL and "where:line:column: path: what". */
struct wk_workload *wk_rtapp_parse(const char *text, size_t len, const char *where,
				   struct wk_err *ret_err);
/* The same from a regular file. */
struct wk_workload *wk_rtapp_open(const char *path, struct wk_err *ret_err);

/* The kernel's weight of a nice value from -20 to 19, within half a percent. */
u32 wk_nice_weight(s32 nice);

#endif
