/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The userspace half of the live scheduler.
 *
 * Problem: the BPF programs know neither this machine nor the user's policy, and
 * the kernel may end them at any time: a CPU comes or goes, a task stalls.
 * Idea: a scheduler is a value. wk_live_open() reads the machine, fills the
 * tables and loads the programs through the verifier; attaching is a second
 * step; closing gives every task back to the kernel's own class. After a hotplug
 * the caller opens another one.
 * Where the build lacks libbpf 1.4 every function is there and says so.
 */
#ifndef WK_LIVE_LIVE_H
#define WK_LIVE_LIVE_H

#include <stddef.h>
#include <stdio.h>

#include "bpf/intf.h"
#include "core/err.h"
#include "core/policy.h"

struct wk_live_options {
	struct wk_policy policy;
	const char *machine; /* a source; only "this" can be attached */
	u64 slice_ns;	     /* 0: as the kernel's */
	u32 timeout_ms;	     /* of the kernel's watchdog, 0: its default */
	u32 sample;	     /* one decision in so many into the ring buffer, 0 for none */
	bool partial;	     /* tasks of policy SCHED_EXT only */
	bool queued_wakeup;  /* SCX_OPS_ALLOW_QUEUED_WAKEUP */
	bool far_queued;     /* far hand-offs by the target's queue and a kick */
	bool verbose;	     /* libbpf and the verifier may speak on stderr */
};

struct wk_live;

/* NULL if this system can run it, else what it lacks, in one line. */
const char *wk_live_lacks(struct wk_err *ret_err);

/* Reads the machine and loads the programs. NULL with *ret_err filled on failure. */
struct wk_live *wk_live_open(const struct wk_live_options *options, struct wk_err *ret_err);
void wk_live_close(struct wk_live *l);

/*
 * From here on the tasks are ours. 0, or -errno with *ret_err filled; -EBUSY where the set of CPUs
 * has changed since wk_live_open(): open again.
 */
int wk_live_attach(struct wk_live *l, struct wk_err *ret_err);

/* Lines about kernel, machine and choices, each beginning with "wakepath: ". */
void wk_live_report(const struct wk_live *l, FILE *to);

/* "program NAME verified N insns" for each program. */
void wk_live_report_programs(const struct wk_live *l, FILE *to);

/* Why the kernel ended it; kind 0 while it runs. Valid until wk_live_close(). */
const struct wk_live_exit *wk_live_exit(const struct wk_live *l);
bool wk_live_wants_restart(const struct wk_live_exit *exit);
/* Did the kernel end it because something went wrong? */
bool wk_live_is_error(const struct wk_live_exit *exit);

/* Takes what the ring buffer holds and writes it to @to as struct wk_record, if not NULL. */
void wk_live_drain(struct wk_live *l, FILE *to);

/* ---- statistics ---- */

/* What it costs, by callback. */
#define WK_LIVE_CALLBACKS 16
struct wk_live_cost {
	char name[16];
	u64 calls, ns;
};

/* All CPUs together, since the scheduler was loaded. */
struct wk_live_sum {
	struct wk_live_stats stats;
	struct wk_live_cost cost[WK_LIVE_CALLBACKS];
	u32 nr_costs;
};

struct wk_live_watch;

/* Of a scheduler in this process, or of one that runs in another (@l NULL). */
struct wk_live_watch *wk_live_watch_open(const struct wk_live *l, struct wk_err *ret_err);
void wk_live_watch_close(struct wk_live_watch *w);
void wk_live_watch_read(struct wk_live_watch *w, struct wk_live_sum *ret_sum);
/* Is the scheduler that is watched still the one of the kernel? */
bool wk_live_watch_alive(const struct wk_live_watch *w);

#endif
