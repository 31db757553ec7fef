/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A workload: tasks that run little programs over shared objects.
 *
 * Problem: every disputed table was made with a program (hackbench, netperf,
 * schbench ...) whose pattern of wake-ups, not its arithmetic, decides.
 * Idea: a benchmark's model is data: for each task a list of operations
 * (op.def), and the pipes, sockets, mutexes and lists they share. The simulator
 * interprets them; it knows operations, never benchmarks. One exact model of
 * each object (the pipe's mutex and 16 slots, the socket's buffer and iolock)
 * lives in the simulator.
 * Ownership: built by one call, immutable from then on, any number of
 * simulations may read it at once; wk_workload_destroy().
 */
#ifndef WK_WORKLOAD_WORKLOAD_H
#define WK_WORKLOAD_WORKLOAD_H

#include <stddef.h>

#include "core/err.h"
#include "core/mask.h"

#define WK_MAX_LOOPS 8
#define WK_NO_METRIC 0xffff

enum wk_op_code {
#define WK_OP(NAME, name, a, b, c, sentence) WK_OP_##NAME,
#include "workload/op.def"
	WK_OP_NR
};

struct wk_op {
	u8 code; /* enum wk_op_code */
	u8 pad;
	u16 a;
	u32 b;
	u64 c;
};

enum wk_obj_kind {
	WK_OBJ_PIPE, /* 16 slots of a page, a mutex, exclusive waiters */
	WK_OBJ_UNIX, /* unix stream socket, one direction */
	WK_OBJ_TCP,  /* loopback TCP, one direction: the sender's CPU wakes from softirq */
	WK_OBJ_UDP,  /* loopback UDP, one direction */
	WK_OBJ_MUTEX,
	WK_OBJ_COND,
	WK_OBJ_BARRIER, /* count members */
	WK_OBJ_EVENT,	/* suspend and resume */
	WK_OBJ_SEM,	/* count is the initial value */
	WK_OBJ_LIST,	/* schbench: workers join, one server wakes them all */
	WK_OBJ_TIMER,
	WK_OBJ_MEM, /* a buffer of size bytes with a home node by first touch */
	WK_OBJ_NR
};

struct wk_obj {
	u8 kind; /* enum wk_obj_kind */
	u32 count;
	u64 bytes; /* channels: buffer size, 0 for the kernel's default; MEM: size */
};

enum { WK_WTASK_IDLE_POLICY = 1, WK_WTASK_BATCH = 2 };

struct wk_wtask {
	char name[16];
	u32 first_op, nr_ops; /* in wk_workload.op[] */
	u32 process;	      /* tasks with the same number share their memory */
	s32 parent; /* WK_NONE: exists from start_ns on; else it starts when that task FORKs it */
	u64 start_ns;
	u32 weight;	     /* 1024 is nice 0 */
	u32 flags;	     /* WK_WTASK_* */
	s32 affinity;	     /* row of affinity[], WK_NONE for every CPU */
	u32 footprint_bytes; /* what it touches between two sleeps; refilled after a migration */
};

enum wk_metric_kind {
	WK_METRIC_ELAPSED, /* seconds for total work: (start-up + total / rate); lower is better */
	WK_METRIC_RATE,	   /* counter per second; higher is better */
	WK_METRIC_LATENCY, /* a histogram of ns; pct10 picks what is printed; lower is better */
};

struct wk_metric {
	char name[32]; /* as published.csv names it: "threads-pipe", "p99 latency", ... */
	char unit[16]; /* "s", "trans/s", "us" ... */
	u8 kind;       /* enum wk_metric_kind */
	bool higher_is_better;
	u16 slot;  /* which counter or histogram (several metrics may print one histogram);
			 * slot 0 is the counter of messages, with or without a metric */
	u16 pct10; /* percentile in tenths: 500, 990, 999 */
	u64 total; /* ELAPSED: counts of the whole real run; RATE: what one count is worth */
	u32 scale_num, scale_den; /* printed value = raw * num / den (bytes to MB, ns to us) */
};

struct wk_workload {
	char bench[32];	    /* "hackbench" */
	char load_name[16]; /* "groups" */
	u64 load;
	u32 nr_tasks, nr_ops, nr_objs, nr_metrics, nr_affinities, nr_slots, nr_processes;
	struct wk_wtask *task;
	struct wk_op *op;
	struct wk_obj *obj;
	struct wk_metric *metric;
	struct wk_mask *affinity; /* bits are CPU numbers, not cids */
	u64 duration_ns;	  /* what the real tool runs, 0 if until the work is done */
	u64 warmup_ns;		  /* at least this long before measuring */
	u64 min_window_ns;	  /* shortest useful measurement */
};

void wk_workload_destroy(struct wk_workload *w);

/* Operands in range, loops nested, objects of the right kind; else -EINVAL and one line. */
int wk_workload_check(const struct wk_workload *w, struct wk_err *ret_err);

/*
 * "hackbench:groups=2,ipc=pipe" to a workload; a load list (groups=1/2/4) must
 * have been split by wk_bench_split(). nr_cpus is what tools take as default
 * where they ask the system.
 */
struct wk_workload *wk_workload_open(const char *spec, u32 nr_cpus, struct wk_err *ret_err);

#endif
