// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "lab/report.h"
#include "lab/run.h"
#include "lab/watch.h"

struct args {
	const char *machine, *policy, *costs, *fair, *published;
	struct wk_opt_list bench;
	uint64_t runs, seed, jobs;
	unsigned int format;
	bool quick, gate, verbose;
};

static const struct wk_opt opts[] = {
	WK_OPT_HEAD("What to compare"),
	WK_OPT_STR(struct args, machine, 'm', "SRC", NULL,
		   "the machine: a preset (epyc-zen3-2s-128c:nps1), this, or a file"),
	WK_OPT_LIST(struct args, bench, 'b', "NAME[:key=value,...]",
		    "a benchmark; the load can be a list (hackbench:groups=1/2/4); can be given "
		    "several times"),
	WK_OPT_STR(struct args, policy, 'p', "A,B,...", NULL,
		   "the policies; the first is the baseline"),
	WK_OPT_STR(struct args, fair, 0, "cfs|eevdf", NULL,
		   "the fair class, instead of each policy's own"),
	WK_OPT_STR(struct args, costs, 0, "FILE", NULL,
		   "costs from this file, not those of the machine's family"),
	WK_OPT_HEAD("How long"),
	WK_OPT_UINT(struct args, runs, 'n', "N", NULL, 1, 1000,
		    "runs of each policy and load; as many as the intervals need by default"),
	WK_OPT_UINT(struct args, seed, 0, "S", "1", 0, UINT64_MAX, "where chance begins"),
	WK_OPT_UINT(struct args, jobs, 'j', "J", NULL, 1, 1024, "threads; one a CPU by default"),
	WK_OPT_FLAG(struct args, quick, 'q', "short windows and few runs"),
	WK_OPT_HEAD("What to print"),
	WK_OPT_CHOICE(struct args, format, 'f', "table|schedtests|mmtests|csv|json", "table",
		      "the format"),
	WK_OPT_STR(struct args, published, 0, "FILE.csv", NULL,
		   "published differences beside the simulated ones (table and json)"),
	WK_OPT_FLAG(struct args, verbose, 'v', "every count of every cell (table)"),
	WK_OPT_FLAG(struct args, gate, 0,
		    "exit with 3 unless every comparison is decided; say which are not"),
	WK_OPT_DONE,
};

/* In the order of --format. */
static int (*const report[])(const struct wk_report *r, FILE *to) = {
	wk_report_table, wk_report_schedtests, wk_report_mmtests, wk_report_csv, wk_report_json,
};

static uint32_t nr_jobs(const struct args *args)
{
	cpu_set_t set;

	if (args->jobs)
		return (uint32_t)args->jobs;
	if (sched_getaffinity(0, sizeof(set), &set))
		return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	return (uint32_t)CPU_COUNT(&set);
}

static enum wk_exit check_args(const struct args *args)
{
	if (!args->machine)
		return wk_usage_error("compare: expected --machine SRC, see 'wakepath machines'");
	if (!args->bench.nr)
		return wk_usage_error("compare: expected --bench NAME, see 'wakepath benches'");
	if (!args->policy)
		return wk_usage_error(
			"compare: expected --policy A,B,..., see 'wakepath policies'");
	if (args->fair && strcmp(args->fair, "cfs") && strcmp(args->fair, "eevdf"))
		return wk_usage_error("--fair: found '%s', expected cfs|eevdf", args->fair);
	return WK_EXIT_DONE;
}

static enum wk_exit say(int err, const struct wk_err *text, enum wk_exit ret)
{
	if (err == -ENOMEM || !*text->text)
		return wk_error("%s", strerror(-err));
	if (ret == WK_EXIT_USAGE)
		return wk_usage_error("%s", text->text);
	return wk_error("%s", text->text);
}

static int open_plan(struct wk_plan *p, const struct args *args, struct wk_err *err)
{
	int ret = wk_plan_set_machine(p, args->machine, args->costs, err);

	p->seed = args->seed;
	wk_plan_set_rule(p, (u32)args->runs, args->quick);
	if (!ret)
		ret = wk_plan_add_policies(p, args->policy, args->fair, err);
	for (size_t i = 0; !ret && i < args->bench.nr; i++)
		ret = wk_plan_add_bench(p, args->bench.values[i], err);
	return ret ? ret : wk_plan_alloc(p);
}

struct progress {
	struct timespec begin, last;
};

static double seconds_since(const struct timespec *then, const struct timespec *now)
{
	return (double)(now->tv_sec - then->tv_sec) + (double)(now->tv_nsec - then->tv_nsec) / 1e9;
}

/* One line that is written over; the pool calls it from one thread at a time. */
static void show_progress(void *arg, u32 done, u32 planned)
{
	struct progress *p = arg;
	struct timespec now;
	double left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds_since(&p->last, &now) < 0.2 && done < planned)
		return;
	p->last = now;
	left = seconds_since(&p->begin, &now) / done * (planned - done);
	fprintf(stderr, "\r%u of %u runs, %d:%02d left\033[K", done, planned, (int)left / 60,
		(int)left % 60);
}

static int run_plan(struct wk_plan *p, const struct args *args, struct wk_err *err)
{
	struct progress progress = {0};
	struct wk_watch watch;
	bool terminal = isatty(STDERR_FILENO);
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &progress.begin);
	wk_watch_begin(&watch);
	const struct wk_run run = {
		.jobs = nr_jobs(args),
		.stop = &watch.stop,
		.simulate = wk_sim_run,
		.progress = terminal ? show_progress : NULL,
		.arg = &progress,
	};

	ret = wk_plan_run(p, &run, err);
	wk_watch_end(&watch);
	if (terminal)
		fprintf(stderr, "\r\033[K");
	return ret;
}

static u32 nr_done(const struct wk_plan *p, u32 load, u32 policy)
{
	u32 done = 0;

	for (u32 i = 0; i < p->load[load].planned; i++)
		done += wk_plan_replica(p, load, policy, i)->state == WK_REPLICA_DONE;
	return done;
}

/* One line: how much is missing, and the first cell of it. */
static enum wk_exit say_interrupted(const struct wk_plan *p)
{
	u32 cells = 0, missing = 0, first_load = 0, first_policy = 0;

	for (u32 load = 0; load < p->nr_loads; load++)
		for (u32 policy = 0; policy < p->nr_policies; policy++) {
			u32 done = nr_done(p, load, policy);

			if (done == p->load[load].planned)
				continue;
			if (!cells++)
				first_load = load, first_policy = policy;
			missing += p->load[load].planned - done;
		}
	if (!cells)
		return wk_error("interrupted: no run is missing, but some loads may need more");
	return wk_error("interrupted: %u runs of %u cells are missing, from %s, %s (%u of %u) on",
			missing, cells, p->load[first_load].spec, p->policy[first_policy].name,
			nr_done(p, first_load, first_policy), p->load[first_load].planned);
}

static bool gate_cell(const struct wk_plan *p, u32 load, u32 policy, u32 metric)
{
	char interval[80] = "";
	struct wk_cell c;

	if (wk_cell_get(p, load, policy, metric, &c))
		return false;
	if (c.decided)
		return true;
	if (c.diff.n > 1)
		snprintf(interval, sizeof(interval), ": %+.2f %% (%+.2f to %+.2f)", c.diff.mid,
			 c.diff.lo, c.diff.hi);
	wk_error("undecided: %s, %s, %s%s: %s", p->load[load].spec,
		 p->load[load].workload->metric[metric].name, p->policy[policy].name, interval,
		 wk_cell_reason(&c));
	return false;
}

static enum wk_exit gate(const struct wk_plan *p)
{
	bool decided = true;

	for (u32 load = 0; load < p->nr_loads; load++)
		for (u32 m = 0; m < p->load[load].workload->nr_metrics; m++)
			for (u32 policy = 1; policy < p->nr_policies; policy++)
				decided &= gate_cell(p, load, policy, m);
	return decided ? WK_EXIT_DONE : WK_EXIT_UNDECIDED;
}

static enum wk_exit compare(struct wk_plan *p, const struct args *args,
			    const struct wk_published *published)
{
	const struct wk_report r = {.plan = p,
				    .published = published,
				    .fair = args->fair,
				    .costs = args->costs,
				    .verbose = args->verbose};
	struct wk_err err = {0};
	int ret = run_plan(p, args, &err);

	if (ret && ret != -EINTR)
		return say(ret, &err, WK_EXIT_FAILED);
	if (report[args->format](&r, stdout))
		return wk_error("out of memory");
	if (ret)
		return say_interrupted(p);
	return args->gate ? gate(p) : WK_EXIT_DONE;
}

static enum wk_exit run(const void *void_args)
{
	const struct args *args = void_args;
	struct wk_published published = {0};
	struct wk_plan plan = {0};
	struct wk_err err = {0};
	enum wk_exit ret = check_args(args);
	int failed;

	if (ret)
		return ret;
	/* A wrong file is told of before the work, not after it. */
	failed = args->published ? wk_published_open(args->published, &published, &err) : 0;
	if (!failed)
		failed = open_plan(&plan, args, &err);
	if (failed)
		ret = say(failed, &err, WK_EXIT_USAGE);
	else if (args->gate && plan.nr_policies < 2)
		ret = wk_usage_error("--gate: found one policy, expected two or more to compare");
	else
		ret = compare(&plan, args, args->published ? &published : NULL);
	wk_plan_destroy(&plan);
	wk_published_release(&published);
	return ret;
}

const struct wk_cmd wk_cmd_compare = {
	.name = "compare",
	.summary = "simulate a benchmark under several policies",
	.text = "Simulates every load of the benchmarks under every policy on the machine and "
		"prints, for each, the mean of its runs and the difference to the first policy, "
		"positive being better.\n\n"
		"A run begins cold, in batching or in churn, in turn; all policies meet the same "
		"seeds. Rounds of runs follow each other until the 95 % interval of each "
		"difference is within 2 points or a quarter of the difference, up to 12 runs. "
		"Results depend on --seed and not on --jobs. Ctrl-C ends early and prints what is "
		"finished.\n\n"
		"Formats: table for reading, with what the scheduler did below; schedtests and "
		"mmtests as in mails to the kernel list; csv and json for scripts, see "
		"doc/formats.md.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
