/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decisions of the kernel's own class as a file: what `wakepath record --kernel-decisions` writes
 * and `wakepath replay --kernel-decisions` reads.
 *
 * Problem: whether our rules are the kernel's is answered by its decisions and by what it could
 * see when it took them, on machines that nobody has at hand later.
 * Idea: text, one decision a line, so that a case can be read, cut out and kept as a test. Numbers
 * stand as name=value in any order and have defaults (trace/decision.def); the CPUs stand in
 * lists in order of their numbers.
 *
 *      wakepath-decisions 1
 *      kernel 7.3.4
 *      cpus 4
 *      # a comment
 *      wake t=1200 wakee=815 cpu=1 prev=2 chosen=3 ... before=-,1,2,- loads=1:812:1024:812
 *      end 1 0
 *
 * The last line counts the decisions, and those that were lost while recording; without it the
 * file was cut off. A CPU in before= or after= is
 *
 *      -       idle: its idle task runs, nothing is queued, nothing is on the way
 *      3       three runnable tasks, one of them running
 *      3s1d2p  of them one SCHED_IDLE, two delayed (dequeued in all but name), a wake-up pending
 *      0i      as above, and the idle task runs
 *
 * after= is left out where nothing changed. loads= names CPUs: number, load, capacity and load
 * after the decision; at fork and exec also utilisation, its estimate, runnable average, exit
 * latency of the idle state and when the CPU went idle.
 */
#ifndef WK_TRACE_DECISION_H
#define WK_TRACE_DECISION_H

#include <stdio.h>

#include "core/err.h"
#include "core/record.h"

#define WK_DECISION_CPUS    64
#define WK_DECISION_VERSION 1
#define WK_DECISION_MAX	    0x7fffffffffffffff

enum wk_decision_number {
#define WK_DECISION(NAME, name, def, min, max, sentence) WK_DECISION_##NAME,
#include "trace/decision.def"
	WK_DECISION_NR
};

struct wk_decision_idle {
	u32 nr_running, nr_idle_policy, nr_delayed;
	bool curr_is_idle, pending;
};

struct wk_decision_cpu {
	struct wk_decision_idle before, after;
	bool has_loads;
	u64 load, capacity, load_after;
	u64 util, util_est, runnable, exit_ns, idle_stamp; /* fork and exec */
};

struct wk_decision {
	u8 kind; /* enum wk_request_kind */
	s64 v[WK_DECISION_NR];
	struct wk_decision_cpu cpu[WK_DECISION_CPUS];
};

struct wk_decision_file {
	char kernel[64];
	u32 nr_cpus;
	u64 lost;
	u64 nr;
	struct wk_decision *decision;
};

void wk_decision_init(struct wk_decision *ret);

/* Idle to the wake-up path: available_idle_cpu(). */
bool wk_decision_idle(const struct wk_decision_idle *i);
bool wk_decision_idle_equal(const struct wk_decision_idle *a, const struct wk_decision_idle *b);

/* The file, from its first line to its last. */
void wk_decision_write_head(FILE *to, const char *kernel, u32 nr_cpus);
void wk_decision_write(FILE *to, const struct wk_decision *d, u32 nr_cpus);
void wk_decision_write_end(FILE *to, u64 nr, u64 lost);

/*
 * Reads a whole file's text, which is cut up; @where begins error lines. 0, or -EINVAL or -ENOMEM
 * with *ret_err filled.
 */
int wk_decision_file_parse(char *text, const char *where, struct wk_decision_file *ret,
			   struct wk_err *ret_err);
void wk_decision_file_release(struct wk_decision_file *d);

#endif
