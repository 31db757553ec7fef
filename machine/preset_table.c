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
		.assumed = "NPS1; the second thread of core n is CPU n + 192",
		.source = "thread on queued wakeups across L2 caches, Aug 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 96, .threads = 2, .llcs = 12}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "epyc-3rdgen-prateek-log",
		.family = "zen3",
		.published = "LLC ids 0, 8, ... 120, thread siblings n and n + 128, flags "
			     "of its domains",
		.assumed = "the same box as epyc-zen3-2s-128c in NPS1",
		.source = "thread on queued wakeups across L2 caches, Aug 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 64, .threads = 2, .llcs = 8}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "kunpeng920",
		.family = "kunpeng920",
		.published = "nodes of 8 clusters of 4 cores, no SMT, tasks bound to node 0 "
			     "or nodes 0-1",
		.assumed = "2 sockets of 2 nodes, one LLC a node, the distances of such servers",
		.source = "thread on scanning the cluster first, v9, Jul 2023",
		.packages = 2,
		.distances = kunpeng920_distances,
		.kind = {{.cores = 64, .threads = 1, .llcs = 2, .cluster = 4}},
		.config = {{.name = "all", .nodes = 2, UNBOUND},
			   {.name = "node0", .nodes = 2, .first_node = 0, .last_node = 0},
			   {.name = "node0-1", .nodes = 2, .first_node = 0, .last_node = 1}},
	},
	{
		.name = "jacobsville-24",
		.family = "jacobsville",
		.published = "24 CPUs in clusters of 4 that share an L2, no SMT",
		.assumed = "one socket, one node, one LLC",
		.source = "thread on scanning the cluster first, v9, Jul 2023",
		.x86 = true,
		.packages = 1,
		.kind = {{.cores = 24, .threads = 1, .llcs = 1, .cluster = 4}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "epyc-4thgen-2s-256c",
		.family = "zen4",
		.published = "2 x 128 cores, 512 CPUs, NPS1",
		.assumed = "8 cores an LLC (the dense part: two LLCs a die), second "
			   "threads from CPU 256",
		.source = "test report on queued wakeups v3, Aug 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 128, .threads = 2, .llcs = 16}},
		.config = {NPS1},
	},
	{
		.name = "epyc-zen3-2s-128c",
		.family = "zen3",
		.published = "2 x 64 cores, SMT2, 8 LLCs a socket, all CPU numbers, the "
			     "nodes of every NPS",
		.assumed = "node distances 10, 12, 32",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 64, .threads = 2, .llcs = 8}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "spr-2s-112c",
		.family = "spr",
		.published = "Sapphire Rapids, 2 x 56 cores, SMT2, the domain masks of CPU "
			     "0 in all three",
		.assumed = "node distances 10, 12, 21; slices of 14 cores in snc-split4",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		.x86 = true,
		.packages = 2,
		.distance_inside = 12,
		.distance_outside = 21,
		.kind = {{.cores = 56, .threads = 2, .llcs = 1}},
		.config = {{.name = "snc-off", .nodes = 1, UNBOUND},
			   {.name = "snc-on", .nodes = 2, UNBOUND},
			   {.name = "snc-split4", .nodes = 1, .llc_split = 4, UNBOUND}},
	},
	{
		.name = "power9-2s-44c",
		.family = "power9",
		.published = "2 sockets, 44 cores, SMT4, 176 CPUs, the LLC is a pair of cores",
		.assumed =
			"the pair shares its L2 too; threads numbered core by core; nodes 0 and 8",
		.source = "thread on SIS_CORE, Jul 2019",
		.numbering = WK_NUMBER_THREADS_NEXT,
		.packages = 2,
		.node_stride = 8,
		.distance_inside = 20,
		.distance_outside = 40,
		.kind = {{.cores = 22, .threads = 4, .llcs = 11, .cluster = 2}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "sparc-smt8",
		.family = "generic",
		.published = "SMT8, more cores in the LLC than POWER9 has, an L1 for each core",
		.assumed = "one socket of 32 cores below one LLC, threads numbered core by core",
		.source = "thread on SIS_CORE, Jul 2019",
		.numbering = WK_NUMBER_THREADS_NEXT,
		.packages = 1,
		.kind = {{.cores = 32, .threads = 8, .llcs = 1}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "zen2-tj-desktop",
		.family = "zen2",
		.published = "a Zen2 desktop with 4 LLCs of 3 cores",
		.assumed = "SMT2, two dies of two LLCs, second threads from CPU 12",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		.x86 = true,
		.packages = 1,
		.quadrants = 2,
		.kind = {{.cores = 12, .threads = 2, .llcs = 4}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "zen-older-epyc-4c-llc",
		.family = "zen2",
		.published = "EPYC before Zen3: 4 cores an LLC, two LLCs a die",
		.assumed = "a 7742: 2 x 64 cores, SMT2, second threads from CPU 128",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 64, .threads = 2, .llcs = 16}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "epyc7763-latency-picture",
		.family = "zen3",
		.published = "latencies: 20s in the LLC, 80-90s out of it, 100-110s in the "
			     "other half, 180s",
		.assumed = "2 sockets of 64 cores, 8 LLCs each, numbered as epyc-zen3-2s-128c",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 64, .threads = 2, .llcs = 8}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "zen4-epyc-96c-picture",
		.family = "zen4",
		.published = "one socket of 12 LLCs, four groups of three, CPU numbers, "
			     "halves and quarters",
		.assumed = "node distance 12 inside the socket",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		EPYC,
		.packages = 1,
		.kind = {{.cores = 96, .threads = 2, .llcs = 12}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "exynos5433-tm2e",
		.family = "generic",
		.published = "8 CPUs, big.LITTLE, 4 cores in each cluster, one node",
		.assumed = "CPUs 0-3 are the Cortex-A53, 4-7 the A57; each L2 is a last "
			   "level; capacities",
		.source = "thread on select_idle_sibling over several LLCs, May-Jul 2023",
		.packages = 1,
		.kind = {{.cores = 4, .threads = 1, .llcs = 1, .cluster = 4, .capacity = 420},
			 {.cores = 4, .threads = 1, .llcs = 1, .cluster = 4, .capacity = 1024}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "epyc-9755",
		.family = "zen5",
		.published = "128 Zen5 cores, SMT2, 16 dies of 8 cores and 32 MB of L3 each",
		.assumed = "2 sockets, second threads from CPU 256",
		.source = "AMD data sheet",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 128, .threads = 2, .llcs = 16}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "epyc-9965",
		.family = "zen5",
		.published = "192 Zen5c cores, SMT2, 12 dies of 16 cores and 32 MB of L3 each",
		.assumed = "2 sockets, second threads from CPU 384",
		.source = "AMD data sheet",
		EPYC,
		.packages = 2,
		.kind = {{.cores = 192, .threads = 2, .llcs = 12}},
		.config = {NPS1, NPS2, NPS4},
	},
	{
		.name = "xeon-6980p",
		.family = "gnr",
		.published = "128 Redwood Cove cores, SMT2, 504 MB of L3, SNC3 by default, "
			     "hex mode without",
		.assumed = "2 sockets, dies of 43, 43 and 42 cores, node distances 10, 12, 21",
		.source = "Intel data sheet",
		.x86 = true,
		.packages = 2,
		.distance_inside = 12,
		.distance_outside = 21,
		.kind = {{.cores = 128, .threads = 2, .llcs = 1}},
		.config = {{.name = "snc3", .nodes = 3, UNBOUND},
			   {.name = "hex", .nodes = 1, UNBOUND}},
	},
	{
		.name = "graviton4",
		.family = "graviton4",
		.published = "96 Neoverse V2 cores, 2 MB of L2 each, no SMT, up to 2 sockets",
		.assumed = "2 sockets, the system-level cache of a socket is the LLC, "
			   "distances 10, 20",
		.source = "AWS announcement",
		.packages = 2,
		.distance_inside = 20,
		.distance_outside = 20,
		.kind = {{.cores = 96, .threads = 1, .llcs = 1}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "ampere-altra",
		.family = "altra",
		.published = "80 Neoverse N1 cores, no SMT; clusters of 2 and no shared LLC "
			     "in firmware tables",
		.assumed =
			"one socket, one node; the kernel takes the cluster of 2 as the last level",
		.source = "kernel commits on core_mask and cluster siblings, 2022",
		.packages = 1,
		.kind = {{.cores = 80, .threads = 1, .llcs = 40, .cluster = 2}},
		.config = {ONE_CONFIG},
	},
	{
		.name = "i9-13900k",
		.family = "hybrid",
		.published = "8 P-cores with SMT2 and 16 E-cores in clusters of 4 that "
			     "share an L2, one L3",
		.assumed =
			"P-cores are CPUs 0-15 with threads side by side; capacities 1024 and 620",
		.source = "Intel data sheet",
		.x86 = true,
		.numbering = WK_NUMBER_THREADS_NEXT,
		.packages = 1,
		.kind = {{.cores = 8, .threads = 2, .llcs = 1, .capacity = 1024},
			 {.cores = 16, .threads = 1, .cluster = 4, .capacity = 620}},
		.config = {ONE_CONFIG},
	},
};

const struct wk_preset *wk_presets(u32 *ret_nr)
{
	*ret_nr = sizeof(presets) / sizeof(presets[0]);
	return presets;
}
