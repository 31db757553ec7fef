/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What changes while the machine runs, as the decision reads it.
 *
 * Problem: the kernel's decision reads remote run queues all over the machine;
 * a host other than the kernel has no run queues to read.
 * Idea: one plain structure that the host keeps current. The simulator's own
 * CPUs live in it; the live host fills it from its callbacks.
 * Ownership: the host's. Who may write each word stands beside it: "CPU" is the
 * code that runs on that CPU (or holds its run queue), "waker" the CPU inside
 * wk_pick(), "balancer" the CPU that balances the LLC.
 */
#ifndef WK_CORE_STATE_H
#define WK_CORE_STATE_H

#include "core/limits.h"
#include "core/mask.h"

/* Loads and utilisations are in the kernel's units: 1024 is one nice-0 task, or one full CPU. */
struct wk_cpu_state {
	u32 nr_running;	    /* CPU: runnable tasks, the running one included */
	u32 nr_idle_policy; /* CPU: of those, SCHED_IDLE ones */
	u32 load;	    /* CPU: decayed runnable load (cfs_rq load_avg) */
	u32 runnable;	    /* CPU: decayed number of runnable tasks, 1024 each (runnable_avg) */
	u32 util;	    /* CPU: decayed utilisation, 0..1024 */
	u32 capacity;	    /* CPU: capacity left to the fair class, 1024 at most */
	/* waker: where the sliding window of sis_core stands, scan position + 1; 0 unset */
	u32 scan_next;
	u64 avg_idle_ns;      /* CPU: mean length of its idle periods */
	u64 wake_avg_idle_ns; /* CPU: the same, aged by wake-ups (SIS_PROP only) */
	u64 wake_stamp_tick;  /* waker: tick of the last ageing (SIS_PROP only) */
	u32 exit_ns;	      /* CPU: exit latency of its idle state, 0 unknown (fork and exec) */
	u32 nr_delayed;	      /* CPU: of nr_running, asleep in all but name (delayed dequeue) */
	u64 idle_since_ns;    /* CPU: when it went idle (fork and exec) */
	u64 scan_cost_ns; /* waker: mean cost of one search from here (SIS_PROP's avg_scan_cost) */
	u8 pending; /* waker sets, CPU clears: a queued wake-up is on its way (ttwu_pending) */
	u8 pad[7];
};

struct wk_llc_state {
	/* CPU sets on going idle with its whole core, waker clears after a vain search */
	u32 has_idle_core;
	u32 nr_idle_scan; /* balancer: probes SIS_UTIL allows in this LLC */
};

struct wk_state {
	struct wk_mask
		idle; /* CPU: nothing runs, nothing queued, nothing pending: available_idle_cpu() */
	struct wk_mask idle_only; /* CPU: runs SCHED_IDLE tasks only: sched_idle_cpu() */
	struct wk_mask
		/* CPU: bit of a core's first cid, set while all its online threads are idle */
		idle_core;
	struct wk_mask active;		      /* hotplug: online and accepting tasks */
	struct wk_cpu_state cpu[WK_MAX_CPUS]; /* by cid */
	struct wk_llc_state llc[WK_MAX_LLCS]; /* by row of topo->llc[] */
};

/* Flags of a task. */
enum {
	WK_TASK_IDLE_POLICY = 1,    /* SCHED_IDLE */
	WK_TASK_PERCPU_KTHREAD = 2, /* a kernel thread bound to one CPU */
	WK_TASK_MIGRATION_DISABLED = 4,
};

/*
 * What the decision knows of a task, and remembers of it. Times in ns, loads as
 * above. No pointers: a BPF host keeps it in the task's storage as it is.
 */
struct wk_task {
	u32 id;
	s32 prev;	   /* cid it last ran on */
	s32 recent;	   /* cid before that (recent_used_cpu), or WK_NONE */
	u32 last_wakee;	   /* waker side: id of the last task it woke */
	u32 wakee_flips;   /* waker side: how often that changed, halved every second */
	u32 weight;	   /* 1024 at nice 0 */
	u64 flip_decay_ns; /* when it was halved last */
	u32 load;	   /* task_h_load() */
	u32 util;	   /* what select_idle_capacity() compares: 0..1024 */
	u32 runnable;	   /* its share of a CPU's runnable */
	u8 flags;	   /* WK_TASK_* */
	u8 pad[3];
};

#endif
