/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine as the decision sees it: dense ids, ranges, and two tables.
 *
 * Problem: CPU numbers are sparse and say nothing about caches; the kernel's
 * domain tree is a web of per-CPU pointers that cannot be shipped into BPF or
 * compared between two runs.
 *
 * Idea: sort the CPUs once by the machine's own nesting (package, half,
 * quadrant, LLC, cluster, core, thread). The position is the *cid*; almost
 * every set of interest is then a range (first, len) of cids. Sets that cross
 * the nesting (interleaved nodes) have a mask beside the range.
 *
 *      cid   0 1 2 3   4 5 6 7   8 9 ...
 *      core  [ ] [ ]   [ ] [ ]   [ ]
 *      LLC   [-----]   [-----]   [--
 *      node  [---------------]   [--
 *
 * Silicon and domains are two tables. Silicon says where caches really are and
 * sets costs: it depends on the machine only. Domains are what the scheduler
 * believes; some policies change them (near groups, a split LLC, a flag), and
 * they are rebuilt over the CPUs that are online.
 *
 * Ownership: built privately by machine/, checked by wk_topo_check(), immutable
 * from then on; hotplug builds another one. CPU numbers stay at the edges:
 * cpu_of[] and cid_of[] translate.
 */
#ifndef WK_CORE_TOPO_H
#define WK_CORE_TOPO_H

#include "core/limits.h"
#include "core/mask.h"

enum wk_tier {
#define WK_TIER(NAME, name, sentence) WK_TIER_##NAME,
#include "core/tier.def"
	WK_TIER_NR
};

/* clang-format off */
enum wk_sdflag_index {
#define WK_SDFLAG(NAME, meta, sentence) WK_SDI_##NAME,
#include "core/sdflag.def"
	WK_SDI_NR
};
enum wk_sdflag {
#define WK_SDFLAG(NAME, meta, sentence) WK_SD_##NAME = 1 << WK_SDI_##NAME,
#include "core/sdflag.def"
};
/* clang-format on */
enum wk_metaflag {
	WK_MF_SHARED_CHILD = 1,
	WK_MF_SHARED_PARENT = 2,
	WK_MF_NEEDS_GROUPS = 4,
	WK_MF_LEVEL = 8,
};

enum wk_level {
#define WK_LEVEL(NAME, name, flags, sentence) WK_LEVEL_##NAME,
#include "core/level.def"
	WK_LEVEL_NR
};

/* Silicon of one cid. Ranges hold all possible CPUs, online or not. */
struct wk_silicon {
	u64 code;	/* mixed-radix position in the nesting: see wk_topo_tier() */
	u32 core_first; /* its hardware threads are [core_first, core_first + core_len) */
	u32 llc;	/* dense index of the silicon LLC */
	u16 core_len;
	u16 node;     /* dense NUMA node index, in the order of node ids */
	u16 package;  /* dense package index */
	u16 capacity; /* 1024 is the biggest CPU of the machine */
};

/* One scheduling domain: a distinct (level, span) seen by one or more CPUs. */
struct wk_domain {
	struct wk_range span;	/* the range, or with mask >= 0 its hull */
	s32 mask;		/* index into xmask[] when the span is no range, else WK_NONE */
	u32 weight;		/* CPUs in the span */
	u32 flags;		/* WK_SD_* */
	u16 level;		/* enum wk_level */
	u16 imbalance_pct;	/* 110 SMT, 117 caches and wider, as sd_init() */
	struct wk_range groups; /* rows of group[], a ring in order of their first CPU number */
	/* rows of llc[] where each group is one LLC and the rows are a range, else empty */
	struct wk_range llcs;
};

/* One group of a domain: the span of the child domain of its members. */
struct wk_group {
	struct wk_range span;
	s32 mask;
	u32 weight;
	u32 first_cid; /* its lowest-numbered CPU: the kernel's cpumask_first() */
};

/* What the wake-up path keeps at hand per cid, as the kernel's sd_llc, sd_share_id and so on. */
struct wk_cid {
	s32 llc;	     /* row of llc[], WK_NONE while the CPU is offline */
	s32 share_id;	     /* cluster where a cluster level survives, else as llc: first cid */
	struct wk_range smt; /* online threads of its core as a domain sees them */
	struct wk_range cluster; /* CLS domain where it survives, else empty */
	struct wk_range
		l2;    /* who shares the L2: the cluster, or the core where that is degenerate */
	u32 scan_pos;  /* where this cid stands in scan[] of its LLC, from the LLC's first */
	u32 nr_levels; /* length of chain[] */
	u16 chain[WK_MAX_LEVELS]; /* its domains, lowest first: rows of domain[] */
	u32 pad;		  /* to 64 bytes: an index is a shift, a row one cache line */
};

/* One last-level-cache domain of the domain table (not the silicon). */
struct wk_llc {
	struct wk_range span;
	s32 domain;	 /* row of domain[], WK_NONE where the LLC is a single CPU without domain */
	s32 parent;	 /* the domain above it, or WK_NONE */
	u32 local_group; /* this LLC's place in the parent's ring: 0 .. groups.len - 1 */
	u32 weight;	 /* online CPUs */
	u32 cluster_scan; /* 1 where the LLC's groups carry WK_SD_CLUSTER */
	s32 mask;	  /* xmask row if its online CPUs are no range, else WK_NONE */
	u32 first_cid;	  /* its lowest-numbered CPU */
	u64 code;	  /* of the silicon of span.first */
	u64 outer;	  /* the bits of code that all its CPUs share: see wk_topo_outer() */
};

struct wk_topo {
	/* identity and silicon: the machine */
	u32 nr_cids;		   /* possible CPUs */
	u32 nr_nodes, nr_packages; /* dense */
	u32 nr_silicon_llcs;
	u32 max_cpu;	     /* largest CPU number + 1; cid_of[] extends to it */
	bool has_smt;	     /* some core has two threads online */
	bool asym;	     /* capacities differ */
	bool cluster_active; /* a CLS level survived somewhere: the kernel's static key */
	u8 tier_of_bit[65];  /* see wk_topo_tier() */
	u8 distance[WK_MAX_NODES][WK_MAX_NODES];
	u32 node_id[WK_MAX_NODES]; /* the kernel's number of a dense node */
	struct wk_mask node_mask[WK_MAX_NODES];
	u32 cpu_of[WK_MAX_CPUS];
	s32 cid_of[WK_MAX_CPUS]; /* by CPU number; WK_NONE where there is none */
	struct wk_silicon sil[WK_MAX_CPUS];

	/* domains: machine, policy and who is online */
	u32 nr_llcs, nr_domains, nr_groups, nr_xmasks;
	struct wk_mask online;
	/* per LLC, from its span.first: cids in order of CPU number (weight of them) */
	u32 scan[WK_MAX_CPUS];
	struct wk_cid cid[WK_MAX_CPUS];
	struct wk_llc llc[WK_MAX_LLCS];
	struct wk_domain domain[WK_MAX_DOMAINS];
	struct wk_group group[WK_MAX_GROUPS];
	struct wk_mask xmask[WK_MAX_XMASKS];
};

/*
 * Where two cids meet. Each nesting level owns some bits of code, widest set on
 * top, so the highest bit that differs names the level: one xor, one bit search,
 * one byte. tier_of_bit[n] is the tier for n significant bits, [0] is SELF.
 */
WK_INLINE u32 wk_topo_tier(const struct wk_topo *t, u32 a, u32 b)
{
	u64 x;

	if (a >= WK_MAX_CPUS || b >= WK_MAX_CPUS)
		return WK_TIER_MACHINE;
	x = wk_at(t->sil, a).code ^ wk_at(t->sil, b).code;
	return x ? t->tier_of_bit[wk_bits64(x)] : (u32)WK_TIER_SELF;
}

/*
 * The bits above the highest in which two codes differ. cids are sorted by code, so that all
 * between the two agree in them.
 */
WK_INLINE u64 wk_topo_outer(u64 first, u64 last)
{
	u32 inner = wk_bits64(first ^ last);

	return inner < 64 ? ~0ULL << inner : 0;
}

/*
 * In which bits a CPU of @code differs from all CPUs of @llc alike. Unless that is 0 the highest
 * names one tier to every one of them.
 */
WK_INLINE u64 wk_llc_far(const struct wk_llc *llc, u64 code)
{
	return (code ^ llc->code) & llc->outer;
}

/* The kernel's cpus_share_cache(): the same CPU, or the same LLC domain. */
WK_INLINE bool wk_topo_share_llc(const struct wk_topo *t, u32 a, u32 b)
{
	if (a == b)
		return true;
	if (a >= WK_MAX_CPUS || b >= WK_MAX_CPUS)
		return false;
	return wk_at(t->cid, a).llc != WK_NONE && wk_at(t->cid, a).llc == wk_at(t->cid, b).llc;
}

WK_INLINE bool wk_topo_online(const struct wk_topo *t, u32 cid)
{
	return wk_mask_test(&t->online, cid);
}

#endif
