// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-bench: one line a figure, `name value unit`.
 *
 *   wk-bench [NAME...]       all figures, or those
 *   wk-bench --table [...]   beside what design and issues ask for
 *   wk-bench --icount NAME   a fixed amount of work; prints its number of operations
 *
 * Figures say how fast this machine is: none fails.
 */
#include <stdio.h>
#include <string.h>

#include "tests/bench/bench_pick.h"
#include "tests/bench/bench_sim.h"

static double event_ns(u32 nr_cpus)
{
	struct wk_bench_speed speed = wk_bench_sim_steady(wk_bench_sim_of(nr_cpus));

	return speed.events ? speed.seconds * 1e9 / (double)speed.events : 0;
}

static double events_384(void)
{
	return 1e9 / event_ns(384);
}

static double event_16(void)
{
	return event_ns(16);
}

static double event_256(void)
{
	return event_ns(256);
}

static double event_1024(void)
{
	return event_ns(1024);
}

static double event_4096(void)
{
	return event_ns(4096);
}

static double event_ratio(void)
{
	return event_ns(4096) / event_ns(16);
}

static double messages_256(void)
{
	struct wk_bench_speed speed = wk_bench_sim_steady(&wk_bench_sim_hackbench);

	return (double)speed.messages / speed.seconds;
}

static double pick_16(void)
{
	return wk_bench_pick_ns(32);
}

static double pick_512(void)
{
	return wk_bench_pick_ns(512);
}

static double pick_4096(void)
{
	return wk_bench_pick_ns(4096);
}

/* In the order of printing; target 0 has none. */
static const struct figure {
	const char *name, *unit;
	double (*measure)(void);
	double target;
	bool at_least;
	const char *what;
} figures[] = {
	{"sim_384cpu_events_per_s", "events/s", events_384, 5e6, true,
	 "events a second: 2 nodes, 24 LLCs, SMT2, 768 tasks"},
	{"sim_256cpu_messages_per_s", "messages/s", messages_256, 0.8e6, true,
	 "simulated hackbench messages, 16 groups on epyc-zen3-2s-128c:nps1"},
	{"sim_16cpu_event_ns", "ns", event_16, 0, false, "cost of an event, 2 tasks a CPU"},
	{"sim_256cpu_event_ns", "ns", event_256, 0, false, "the same"},
	{"sim_1024cpu_event_ns", "ns", event_1024, 0, false, "the same"},
	{"sim_4096cpu_event_ns", "ns", event_4096, 0, false, "the same"},
	{"cost_4096_over_16", "ratio", event_ratio, 2, false, "of an event"},
	{"sim_4096cpu_100k_tasks_rss_mib", "MiB", wk_bench_sim_rss_mib, 512, false,
	 "largest resident set"},
	{"pick_32cpu_ns", "ns", pick_16, 0, false, "one decision, all LLCs of a node in vain"},
	{"pick_512cpu_ns", "ns", pick_512, 100, false, "the same"},
	{"pick_4096cpu_ns", "ns", pick_4096, 0, false, "the same"},
	{"compare_quick_s", "s", wk_bench_compare_quick_s, 60, false,
	 "5 policies x 5 loads of hackbench, --quick, 2 jobs"},
};

#define NR_FIGURES (sizeof(figures) / sizeof(figures[0]))

static const char *met(const struct figure *f, double value)
{
	if (!f->target)
		return "-";
	return (f->at_least ? value >= f->target : value <= f->target) ? "yes" : "no";
}

static void print_one(const struct figure *f, bool table)
{
	double value = f->measure();
	char target[32] = "-";

	if (f->target)
		snprintf(target, sizeof(target), "%s %.10g", f->at_least ? ">=" : "<=", f->target);
	if (table)
		printf("%-31s %12.5g %-11s %-10s %-4s %s\n", f->name, value, f->unit, target,
		       met(f, value), f->what);
	else
		printf("%s %.6g %s\n", f->name, value, f->unit);
	fflush(stdout);
}

static bool wanted(const struct figure *f, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!strcmp(f->name, argv[i]))
			return true;
	return argc == 0;
}

/* Deterministic: the same operations on every machine. */
static int icount(const char *name)
{
	u64 ops;

	if (!strcmp(name, "sim_event")) {
		ops = wk_bench_sim_run(wk_bench_sim_of(384), 2000000).events;
	} else if (!strcmp(name, "sim_message")) {
		ops = wk_bench_sim_run(&wk_bench_sim_hackbench, 5000000).messages;
	} else if (!strcmp(name, "pick_512cpu")) {
		ops = wk_bench_pick_ops(512, 100000);
	} else if (!strcmp(name, "pick_4096cpu")) {
		ops = wk_bench_pick_ops(4096, 50000);
	} else {
		fprintf(stderr,
			"wk-bench: --icount: found '%s', expected sim_event, sim_message, "
			"pick_512cpu or pick_4096cpu\n",
			name);
		return 2;
	}
	printf("%llu\n", (unsigned long long)ops);
	return 0;
}

int main(int argc, char **argv)
{
	bool table = argc > 1 && !strcmp(argv[1], "--table");
	u32 nr = 0;

	if (argc == 3 && !strcmp(argv[1], "--icount"))
		return icount(argv[2]);
	argc -= 1 + table;
	argv += 1 + table;
	if (table)
		printf("%-31s %12s %-11s %-10s %-4s %s\n", "figure", "value", "unit", "target",
		       "met?", "what");
	for (u32 i = 0; i < NR_FIGURES; i++) {
		if (!wanted(&figures[i], argc, argv))
			continue;
		print_one(&figures[i], table);
		nr++;
	}
	if (!nr)
		fprintf(stderr,
			"wk-bench: no figure of that name, expected one of 'wk-bench --table'\n");
	return nr ? 0 : 2;
}
