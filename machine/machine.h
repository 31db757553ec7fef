/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine as some source describes it, before cids exist.
 *
 * Problem: sysfs of this machine, a tarball from a bug report, hwloc XML, a
 * synthetic string, lscpu text and our presets say the same things in different
 * words, and half of them lie (repeated ids, missing caches, phantom CPUs).
 * Idea: every reader fills this one flat table and nothing else; what it had to
 * assume it says in notes, one line each. One builder (machine/build.h) turns
 * the table into cids, silicon and domains, so that no quirk is handled twice.
 * Ownership: wk_machine_create/destroy; readers return a new machine.
 * Ids here are arbitrary but equal ids mean "the same unit" within the whole
 * machine (readers make them unique: a core id that repeats per package is
 * mended by the reader). WK_NONE means unknown: the builder derives it.
 */
#ifndef WK_MACHINE_MACHINE_H
#define WK_MACHINE_MACHINE_H

#include <stddef.h>

#include "core/err.h"
#include "core/topo.h"

#define WK_NAME_LEN 64

struct wk_machine_cpu {
	u32 cpu; /* the kernel's number */
	bool online;
	bool isolated; /* isolcpus: online, but in no scheduling domain */
	s32 package;
	s32 half;     /* silicon: half of the package (the NPS2 line) */
	s32 quadrant; /* silicon: quadrant or die (the NPS4 line) */
	s32 node;     /* the kernel's NUMA node number */
	s32 llc;
	s32 cluster; /* L2 or LLC tags shared; equal to the core's set where that is all */
	s32 core;
	s32 thread;   /* 0 .. within its core */
	s32 apicid;   /* WK_NONE except on x86 sources that have it */
	u32 capacity; /* 1024 is the biggest; 0 unknown (all equal) */
};

struct wk_machine {
	char name[WK_NAME_LEN];	  /* preset name, host name or file */
	char config[WK_NAME_LEN]; /* "nps1", ... or empty */
	char family[WK_NAME_LEN]; /* its table in data/costs: "zen3", "spr"; "generic" if unknown */
	bool x86;		  /* the kernel's x86 level table; else the generic one */
	u32 nr_cpus;		  /* rows of cpu[], sorted by cpu number */
	struct wk_machine_cpu *cpu;
	u32 nr_nodes;
	u32 node_id[WK_MAX_NODES];
	u8 distance[WK_MAX_NODES][WK_MAX_NODES]; /* rows in the order of node_id[]; 10 is local */
	/* Tasks are bound to these nodes ("kunpeng920:node0"), or WK_NONE. */
	s32 affinity_first_node, affinity_last_node;
	u32 llc_split; /* configuration that cuts LLC domains ("snc-split4"), 0 for none */
	u32 nr_notes;
	char **note; /* what was assumed, one line each */
};

/*
 * Any SRC of the command line: "this", a folder or tarball, an .xml file, hwloc
 * synthetic string, lscpu text, or PRESET[:CONFIG]. NULL with *ret_err filled on
 * failure. The caller destroys it.
 */
struct wk_machine *wk_machine_open(const char *src, struct wk_err *ret_err);
struct wk_machine *wk_machine_create(u32 nr_cpus);
void wk_machine_destroy(struct wk_machine *m);
void wk_machine_note(struct wk_machine *m, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
