// SPDX-License-Identifier: GPL-2.0-only
/*
 * The presets. Node distances are those that firmware of the family usually reports (Zen 10/12/32,
 * Intel servers 10/12/21, POWER9 10/40); where a machine's own table is known it is written out.
 */
#include "machine/preset.h"

#define UNBOUND .first_node = 0, .last_node = -1

#define NPS1                                        \
	{                                           \
		.name = "nps1", .nodes = 1, UNBOUND \
	}
#define NPS2                                        \
	{                                           \
		.name = "nps2", .nodes = 2, UNBOUND \
	}
#define NPS4                                        \
	{                                           \
		.name = "nps4", .nodes = 4, UNBOUND \
	}
#define ONE_CONFIG                              \
	{                                       \
		.name = "", .nodes = 1, UNBOUND \
	}

/* The I/O die has two halves and four quadrants whatever NPS says. */
#define EPYC .x86 = true, .halves = 2, .quadrants = 4, .distance_inside = 12, .distance_outside = 32

static const u8 kunpeng920_distances[] = {
	10, 12, 20, 22, /* as numactl prints it on such servers */
	12, 10, 22, 24, /* */
	20, 22, 10, 12, /* */
	22, 24, 12, 10, /* */
};

static const struct wk_preset presets[] = {
	{
		.name = "epyc9654-2s-192c",
		.family = "zen4",
		.published = "2 sockets, 192 cores, 12 LLCs a socket of 8 cores and 16 threads",
		.assumed = "NPS1; thread n of a core is CPU n + 192",
		.source = "ttwu_queue_cond RFC, Aug 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 96, .threads = 2, .llcs = 12}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "epyc-zen3-2s-128c",
		.family = "zen3",
		.published =
			"2 x 64 cores, SMT2, 8 LLCs a socket of 8 cores, CPU numbers, nodes of every NPS",
		.assumed = "two LLCs in a quadrant",
		.source = "Multi-LLC select_idle_sibling, Jun 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 64, .threads = 2, .llcs = 8}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "kunpeng920",
		.family = "kunpeng920",
		.published =
			"nodes of 8 clusters of 4 cores, no SMT, tasks bound to node 0 or nodes 0-1",
		.assumed = "2 sockets of 2 nodes, the LLC is the node, node distances",
		.source = "Scan cluster before scanning LLC v9, Jul 2023",
		.packages = 2,
		.distances = kunpeng920_distances,
		.kind = {{.cores = 64, .threads = 1, .llcs = 2, .cluster = 4}},
		.config = {{.name = "all", .nodes = 2, UNBOUND},
			   {.name = "node0", .nodes = 2, .first_node = 0, .last_node = 0},
			   {.name = "node0-1", .nodes = 2, .first_node = 0, .last_node = 1}},
	},
};

const struct wk_preset *wk_presets(u32 *ret_nr)
{
	*ret_nr = sizeof(presets) / sizeof(presets[0]);
	return presets;
}
