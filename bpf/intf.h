/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the two halves of the live scheduler share: the BPF programs and the
 * loader. Plain C in the types of core/.
 *
 * The loader writes the configuration, the policy, the topology and the first
 * state before the programs are loaded, and only reads afterwards. All of it
 * lives in sections of global variables, which the loader has mapped: reading a
 * statistic is reading memory.
 */
#ifndef WK_BPF_INTF_H
#define WK_BPF_INTF_H

#include "core/record.h"

/* Name of the scheduler in /sys/kernel/sched_ext/root/ops. */
#define WK_LIVE_NAME "wakepath"

/* The map of the rows of struct wk_live_cpu: by this name a monitor finds it. */
#define WK_LIVE_CPUS_SECTION ".bss.wk_cpus"

enum wk_live_count {
#define WK_LIVE_COUNT(NAME, name, sentence) WK_LIVE_COUNT_##NAME,
#include "bpf/count.def"
	WK_LIVE_COUNT_NR
};

/* Bucket b of a latency histogram counts times of [2^b, 2^(b + 1)) ns; the last one all above. */
#define WK_LIVE_BUCKETS 32

/* Counted on the CPU where it happens; tiers are those between the waker and the chosen CPU. */
struct wk_live_stats {
	u64 why[WK_WHY_NR];
	u64 tier[WK_TIER_NR];
	u64 handoff[WK_HANDOFF_NR];
	u64 count[WK_LIVE_COUNT_NR];
	u64 latency[WK_TIER_NR][WK_LIVE_BUCKETS]; /* from wake-up to running */
};

/* What the scheduler keeps for one CPU. Written on that CPU, but for what is marked. */
struct wk_live_cpu {
	u64 vnow;	   /* virtual time: where the run queue's furthest start stands */
	u64 run_since_ns;  /* when the running task began its slice */
	u64 idle_since_ns; /* 0 while busy */
	u64 busy_since_ns; /* start of the present busy period, or of what is not yet summed */
	u64 busy_ns;	   /* of the window that began at util_stamp_ns */
	u64 util_stamp_ns; /* when util and load were averaged last */
	u64 pull_cost_ns[WK_LEVEL_NR]; /* mean cost of taking a task from that level */
	u32 since_sample;	       /* wake-ups since the last sampled one */
	u32 inbox;	   /* any CPU: tasks that others put into the queue for it to fetch */
	u32 kicked;	   /* any CPU: asked to look for work, whatever the gate says */
	u32 longer;	   /* 1 + the cid of a longer queue to take a task from, 0 for none */
	u64 balance_at_ns; /* when to look for one again */
	struct wk_task idle_task; /* the waker where an interrupt of an idle CPU wakes */
	struct wk_pick pick;	  /* of the decision that is being made here; no other can begin */
	struct wk_live_stats stats;
} __attribute__((aligned(128)));

/* Rodata. */
struct wk_live_config {
	u64 slice_ns;	 /* what a task runs before it is asked to give way */
	u32 nr_cpus;	 /* rows of the table of CPUs */
	u32 nr_online;	 /* CPUs that the topology calls online */
	u32 sample;	 /* one decision in so many goes to the ring buffer, 0 for none */
	bool far_queued; /* far hand-offs go through the queue of the target, which is kicked */
	u8 pad[3];
};

/* Why the kernel ended the scheduler; kind 0 while it runs. */
struct wk_live_exit {
	u32 kind;
	u32 pad;
	s64 code;
	char reason[128];
	char msg[1024];
};

#endif
