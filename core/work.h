/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the steps of one decision tell each other.
 *
 * Problem: the BPF verifier follows every value that a program keeps in registers
 * or on its stack, and looks at a step again for each combination of them.
 * Idea: what steps share is in memory, inside the wk_pick that the host provides,
 * of which the verifier knows nothing but the size.
 * Rule: written by wk_pick() alone; nobody else reads it.
 */
#ifndef WK_CORE_WORK_H
#define WK_CORE_WORK_H

#include "core/mask.h"

/* One LLC being scanned: core/scan.h. */
struct wk_scan {
	u32 row; /* of topo->llc[] */
	u32 target;
	u32 first, weight;    /* of that LLC */
	u32 start;	      /* ring position */
	u32 at;		      /* the cid whose core is looked at */
	struct wk_range only; /* len != 0: candidates are in here */
	struct wk_range skip; /* len != 0: and not in here */
	s32 nr;		      /* the counter: see core/budget.h */
	s32 spare;	      /* one idle thread, met by the search for a whole core */
	bool hint;	      /* whole idle cores are searched */
	bool over;	      /* the budget ended the search */
	bool core;	      /* what was found is a whole core */
	bool window;	      /* every CPU visited is remembered */
	bool in_cluster;      /* and was found in the cluster's walk */
};

/* The other LLCs being scanned: core/node.h. */
struct wk_ring {
	u32 at;	      /* row of topo->group[] */
	u32 limit;    /* LLCs that may still be scanned in vain */
	u32 row, end; /* rows of topo->llc[] to be charged */
};

/* Uneven CPUs: the best so far. */
struct wk_best {
	s32 cid;
	u32 domain; /* row of the domain that is searched */
	u32 far, capacity;
	bool fits;
};

/* The domain tree being descended at fork and exec: core/slow.h. */
enum wk_group_type { WK_GROUP_SPARE, WK_GROUP_FULL, WK_GROUP_MISFIT, WK_GROUP_OVERLOADED };

struct wk_group_stats {
	u64 load, util, capacity, avg_load;
	u32 running, runnable, idle, weight, biggest;
	u8 type; /* enum wk_group_type */
	bool fits;
};

struct wk_idlest {
	s32 cid;
	u32 rank;  /* 0 runs SCHED_IDLE tasks only, 1 idle, 2 busy */
	u64 major; /* exit latency, or load */
	u64 minor; /* idle since: the later the warmer, so this is ~0 less the time */
	u32 cpu;   /* its number breaks ties */
};

/* How far two nodes may be out of balance, summed up from the lowest domain on. */
struct wk_imb {
	u32 imb, span, child, nr;
	bool numa_seen, shared;
};

struct wk_descent {
	u32 flag;   /* WK_SD_BALANCE_*: which domains take part */
	u32 cpu;    /* the cid it is seen from */
	u32 left;   /* levels of cpu that are left, from the bottom */
	u32 weight; /* levels that span less are left */
	u32 domain; /* row of topo->domain[] */
	u32 group;  /* row of topo->group[] */
	s32 mask;   /* with span: is a CPU in here allowed? */
	struct wk_range span;
	struct wk_group_stats stats, local, best; /* of group; of cpu's own; of the idlest other */
	struct wk_idlest try, idlest;
	s32 idlest_row; /* of best */
	bool has_local; /* local is filled */
	struct wk_imb imb;
};

struct wk_work {
	u32 waker;  /* < WK_MAX_CPUS */
	u32 target; /* < WK_MAX_CPUS */
	s32 prev;
	s32 prev_kept; /* idle, but outside the target's cluster: for step 12 */
	s32 recent_kept;
	s32 recent;		  /* of the wakee: written back */
	u32 load, util, runnable; /* of the wakee */
	u8 kind, context;	  /* of the request */
	bool want_affine;	  /* the waker's CPU may become the target */
	bool pair;		  /* waker and wakee only ever woke each other */
	u64 now_tick;		  /* of the request */
	bool sched_idle_ok;	  /* a CPU that runs SCHED_IDLE tasks only is as good as idle */
	bool plain; /* no feature and no affinity makes a scan more than a count: see core/vain.h */
	bool every_cpu; /* the wakee may use every CPU */
	bool prev_read; /* wake_affine() read prev's run queue: its line is here already */
	struct wk_scan scan;
	struct wk_ring ring;
	struct wk_best best;
	struct wk_descent descent;
};

#endif
