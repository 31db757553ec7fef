/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machines by name.
 *
 * A preset is a few numbers: how many of each unit a package holds, how its CPUs are numbered and
 * how far its nodes are from each other. Its sentence says what is published about the machine and
 * what is assumed. Configurations (NPS, SNC, tasks bound to nodes) are rows of the same preset; the
 * silicon, halves and quadrants, is the same in all of them.
 */
#ifndef WK_MACHINE_PRESET_H
#define WK_MACHINE_PRESET_H

#include "machine/machine.h"

/* Cores of one kind, per package. */
struct wk_preset_cores {
	u16 cores, threads;
	u16 llcs;     /* caches over these cores; 0: those of the kind before */
	u16 cluster;  /* cores that share an L2 or the LLC tags; 0: the core has it alone */
	u16 capacity; /* 1024 is the biggest */
};

struct wk_preset_config {
	const char *name; /* "" where there is one only */
	u16 nodes;	  /* per package */
	u16 llc_split;
	s16 first_node, last_node; /* tasks are bound to these; last < first: not bound */
};

enum wk_numbering {
	WK_NUMBER_THREADS_LAST, /* x86: first threads of all cores, then second threads */
	WK_NUMBER_THREADS_NEXT, /* the threads of a core have neighbouring numbers */
};

struct wk_preset {
	const char *name, *family;
	const char *published, *assumed, *source; /* sentences */
	bool x86;
	enum wk_numbering numbering;
	u16 packages;
	u16 halves, quadrants; /* silicon, per package; 0: not told apart */
	u16 node_stride;       /* 0: node ids are dense */
	struct wk_preset_cores kind[2];
	u8 distance_inside, distance_outside; /* between nodes of a package, of two packages */
	const u8 *distances;		      /* or all of them, row by row */
	struct wk_preset_config config[4];    /* the first is the default */
};

#define WK_PRESET_CONFIGS 4

const struct wk_preset *wk_presets(u32 *ret_nr);

/* How many configurations a preset has: one at least. */
u32 wk_preset_nr_configs(const struct wk_preset *p);

/* "NAME" or "NAME:CONFIG"; *ret_err says what was unknown, with the nearest name. */
struct wk_machine *wk_preset_open(const char *src, struct wk_err *ret_err);

/* True where the part of @src before a ':' is the name of a preset. */
bool wk_preset_is_named(const char *src);

#endif
