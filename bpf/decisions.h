/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One decision of the kernel's own class, as bpf/decisions.bpf.c hands it over.
 *
 * The program only copies words of the kernel: what they mean is said in user space, in
 * live/decisions.c. Everything that a decision reads of other CPUs stands in an array by CPU
 * number, of which nr_cpus entries are sent: once as it was when the decision began, and once, in
 * fewer words, as it was when it ended. Where the two differ the state changed meanwhile.
 */
#ifndef WK_BPF_DECISIONS_H
#define WK_BPF_DECISIONS_H

#define WK_DEC_CPUS   64 /* the masks of the program are one word */
#define WK_DEC_LEVELS 10 /* domains of a CPU */

/* The kernel's WF_*, which no BTF has. */
#define WK_WF_EXEC	  0x02
#define WK_WF_FORK	  0x04
#define WK_WF_TTWU	  0x08
#define WK_WF_SYNC	  0x10
#define WK_WF_CURRENT_CPU 0x40

/* What makes a CPU idle, or not. */
struct wk_dec_idle {
	u16 nr_running;
	u16 nr_idle_policy; /* cfs.h_nr_idle */
	u16 nr_delayed;	    /* cfs.h_nr_queued - cfs.h_nr_runnable */
	u8 curr_is_idle;
	u8 pending; /* ttwu_pending */
};

struct wk_dec_cpu {
	struct wk_dec_idle before, after;
	u32 load, load_after, runnable; /* averages of the root cfs_rq */
	u16 util, util_est;
	u16 capacity; /* cpu_capacity */
	u16 pad;
	u32 exit_ns; /* of the idle state, where there is one */
	u64 idle_stamp;
};

struct wk_dec_llc {
	s32 has_idle_cores, nr_idle_scan; /* -1 where the CPU has no LLC domain */
};

struct wk_dec {
	u64 t_ns;
	u64 allowed; /* by CPU number */
	/* task_h_load() is load * h_load / (cfs_load + 1); h_load as it is after the decision */
	u64 wakee_load, wakee_cfs_load, wakee_h_load;
	u64 waker_load, waker_cfs_load, waker_h_load;
	u32 waker, wakee; /* pids */
	u32 waker_flips_before, waker_flips_after, wakee_flips;
	u32 wake_flags;
	u32 nr_allowed;
	u32 wakee_util, wakee_util_est, wakee_runnable;
	s32 cpu, prev, recent, recent_after, chosen;
	s32 queue_cpu; /* what ttwu_queue_wakelist() was asked about, -1 where it was not */
	s32 numa_node; /* the wakee's preferred node */
	struct wk_dec_llc waker_llc, prev_llc, waker_llc_after, prev_llc_after;
	u16 queue_nr_before, queue_nr_after; /* nr_running of queue_cpu around that question */
	u8 queued;
	u8 same_wakee; /* the waker's last wakee is this one */
	u8 decayed;    /* the waker's flips were halved first */
	u8 exiting;    /* the waker is on its way out: never sync */
	u8 percpu_kthread, in_task;
	u8 idle_policy;
	u8 new_task;	   /* never ran: it counts on no CPU */
	u32 marked_groups; /* fork and exec: see marked_groups() */
	u32 nr_cpus;
	struct wk_dec_cpu by_cpu[WK_DEC_CPUS];
};

/* What the program counted. */
struct wk_dec_counts {
	u64 seen, sent, lost;
};

#endif
