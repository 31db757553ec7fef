// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cmd/cmd.h"
#include "cmd/run_show.h"
#include "lab/policy_str.h"
#include "live/live.h"

/* How long the kernel's verdict may go unnoticed. */
#define POLL_NS 200000000L
/* Of the loader: after a hotplug it has to start again amid the load. */
#define LOADER_NICE (-20)
/* CPUs that come and go while the machine is read: tried this often. */
#define MAX_TRIES 50

struct args {
	const char *policy;
	const char *machine;
	const char *sample_file;
	uint64_t slice_us, timeout_ms, sample, stats, monitor;
	unsigned int far;
	bool partial, queued_wakeup, no_claim, dry_run, help_stats, verbose, version;
};

static const struct wk_opt opts[] = {
	WK_OPT_HEAD("What to run"),
	WK_OPT_STR(struct args, policy, 'p', "POLICY", "tip",
		   "how wake-ups choose a CPU: see 'wakepath policies'"),
	WK_OPT_UINT(struct args, slice_us, 's', "N", "0", 0, 100000,
		    "slice in microseconds, 0 for the kernel's own default"),
	WK_OPT_CHOICE(struct args, far, 0, "direct|queued", "direct",
		      "hand-off to a far idle CPU: into its local queue, or into its queue with a "
		      "kick, so that it fetches the task itself"),
	WK_OPT_FLAG(struct args, queued_wakeup, 0,
		    "let the kernel queue wake-ups to other CPUs (see doc/live.md for the price)"),
	WK_OPT_FLAG(struct args, no_claim, 0,
		    "do not claim idle CPUs: two wakers may choose the same, as in the kernel"),
	WK_OPT_FLAG(struct args, partial, 0, "schedule only tasks of policy SCHED_EXT"),
	WK_OPT_UINT(struct args, timeout_ms, 0, "MS", "30000", 100, 30000,
		    "a task that waits longer makes the kernel end the scheduler"),
	WK_OPT_HEAD("What to show"),
	WK_OPT_UINT(struct args, stats, 0, "SEC", "0", 0, 86400,
		    "print statistics every so many seconds"),
	WK_OPT_UINT(struct args, monitor, 0, "SEC", "0", 0, 86400,
		    "attach nothing; print the statistics of the scheduler that runs"),
	WK_OPT_FLAG(struct args, help_stats, 0, "explain the statistics"),
	WK_OPT_UINT(struct args, sample, 0, "N", "0", 0, 1000000000,
		    "record one decision in N wake-ups"),
	WK_OPT_STR(struct args, sample_file, 0, "FILE", NULL,
		   "where the records go, 64 bytes each (struct wk_record)"),
	WK_OPT_FLAG(struct args, dry_run, 0,
		    "load the programs through the verifier, attach nothing"),
	WK_OPT_STR(struct args, machine, 'm', "SRC", "this", "another machine, for --dry-run"),
	WK_OPT_FLAG(struct args, verbose, 'v', "say more, and let the verifier speak"),
	WK_OPT_FLAG(struct args, version, 'V', "print the version"),
	WK_OPT_DONE,
};

/* The signals that end it stay blocked, and are asked for. */
static sigset_t stop_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

static void catch_signals(void)
{
	const sigset_t set = stop_signals();

	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Waits a while; true if it is time to stop. */
static bool told_to_stop(void)
{
	const struct timespec a_while = {.tv_nsec = POLL_NS};
	const sigset_t set = stop_signals();

	return sigtimedwait(&set, NULL, &a_while) > 0;
}

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- statistics ---- */

struct shower {
	struct wk_live_watch *watch; /* or NULL: nothing is shown */
	struct wk_live_sum before, now;
	double last_s, every_s;
	bool histograms;
};

static void show_now(struct shower *s)
{
	double t = now_s();

	if (!s->watch || t - s->last_s < s->every_s)
		return;
	wk_live_watch_read(s->watch, &s->now);
	wk_run_show(stdout, &s->before, &s->now, t - s->last_s, s->histograms);
	s->before = s->now;
	s->last_s = t;
}

static int open_shower(struct shower *s, const struct wk_live *l, uint64_t every_s, bool histograms,
		       struct wk_err *err)
{
	*s = (struct shower){.every_s = (double)every_s, .histograms = histograms};
	if (!every_s)
		return 0;
	s->watch = wk_live_watch_open(l, err);
	if (!s->watch)
		return -EINVAL;
	wk_live_watch_read(s->watch, &s->before);
	s->last_s = now_s();
	return 0;
}

static enum wk_exit monitor(const struct args *args)
{
	struct wk_err err;
	struct shower s;
	bool stop = false;

	if (open_shower(&s, NULL, args->monitor, args->verbose, &err))
		return wk_error("%s", err.text);
	catch_signals();
	while (!stop && wk_live_watch_alive(s.watch)) {
		stop = told_to_stop();
		show_now(&s);
	}
	wk_live_watch_close(s.watch);
	if (!stop)
		return wk_error("the scheduler that was monitored has stopped");
	return WK_EXIT_DONE;
}

/* ---- run ---- */

enum outcome { OUTCOME_STOPPED, OUTCOME_RESTART, OUTCOME_ENDED, OUTCOME_FAILED };

static void report_exit(const struct wk_live_exit *exit)
{
	fflush(stdout);
	if (exit->kind)
		fprintf(stderr, "wakepath: the kernel ended the scheduler: %s%s%s\n", exit->reason,
			exit->msg[0] ? ": " : "", exit->msg);
	else
		fputs("wakepath: stopped, all tasks are back in the kernel's own class\n", stderr);
}

/* Until a signal, or until the kernel ends it. */
static enum outcome watch(struct wk_live *l, const struct args *args, FILE *records)
{
	const struct wk_live_exit *exit = wk_live_exit(l);
	struct wk_err err;
	struct shower s;
	bool stop = false;

	if (open_shower(&s, l, args->stats, args->verbose, &err)) {
		wk_error("%s", err.text);
		return OUTCOME_FAILED;
	}
	puts("wakepath: attached");
	fflush(stdout);
	while (!stop && !exit->kind) {
		stop = told_to_stop();
		wk_live_drain(l, records);
		show_now(&s);
	}
	wk_live_drain(l, records);
	wk_live_watch_close(s.watch);
	report_exit(exit);
	if (!exit->kind)
		return OUTCOME_STOPPED;
	return wk_live_wants_restart(exit) ? OUTCOME_RESTART
	       : wk_live_is_error(exit)	   ? OUTCOME_FAILED
					   : OUTCOME_ENDED;
}

static void report_start(const struct wk_live *l, const struct args *args,
			 const struct wk_policy *pol)
{
	char text[WK_POLICY_TEXT_MAX];

	wk_policy_print(pol, text);
	printf("wakepath: policy %s\n", text);
	wk_live_report(l, stdout);
	if (args->dry_run && args->verbose)
		wk_live_report_programs(l, stdout);
	fflush(stdout);
}

/* One scheduler, from its start to its end. */
static enum outcome run_once(const struct wk_live_options *options, const struct args *args,
			     FILE *records)
{
	struct wk_err err;
	struct wk_live *l = wk_live_open(options, &err);
	enum outcome ret = OUTCOME_STOPPED;
	int failed;

	if (!l) {
		wk_error("%s", err.text);
		return OUTCOME_FAILED;
	}
	report_start(l, args, &options->policy);
	if (args->dry_run) {
		puts("wakepath: dry run: the kernel accepts the programs, nothing is attached");
	} else {
		failed = wk_live_attach(l, &err);
		if (failed == -EBUSY)
			ret = OUTCOME_RESTART;
		else if (failed)
			ret = OUTCOME_FAILED;
		if (failed)
			wk_error("%s", err.text);
		else
			ret = watch(l, args, records);
	}
	wk_live_close(l);
	return ret;
}

static enum wk_exit run_all(const struct wk_live_options *options, const struct args *args,
			    FILE *records)
{
	enum outcome outcome = OUTCOME_RESTART;

	catch_signals();
	setpriority(PRIO_PROCESS, 0, LOADER_NICE);
	for (int tries = 0; outcome == OUTCOME_RESTART && tries < MAX_TRIES; tries++) {
		double start_s = now_s();

		if (tries)
			fputs("wakepath: CPUs have come or gone: starting again\n", stderr);
		outcome = run_once(options, args, records);
		/* Only starts that follow each other at once are counted. */
		if (now_s() - start_s > 10)
			tries = 0;
	}
	return outcome == OUTCOME_FAILED || outcome == OUTCOME_RESTART ? WK_EXIT_FAILED
								       : WK_EXIT_DONE;
}

static enum wk_exit start(const struct args *args, const struct wk_policy *pol)
{
	struct wk_live_options options = {
		.policy = *pol,
		.machine = args->machine,
		.slice_ns = args->slice_us * 1000,
		.timeout_ms = (u32)args->timeout_ms,
		.sample = (u32)args->sample,
		.partial = args->partial,
		.queued_wakeup = args->queued_wakeup,
		.far_queued = args->far != 0,
		.verbose = args->verbose,
	};
	FILE *records = NULL;
	enum wk_exit ret;

	wk_policy_set(&options.policy, WK_FEAT_CLAIM, !args->no_claim);
	if (args->sample_file) {
		records = fopen(args->sample_file, "we");
		if (!records)
			return wk_error("%s: %s", args->sample_file, strerror(errno));
	}
	ret = run_all(&options, args, records);
	if (records && fclose(records))
		ret = wk_error("%s: %s", args->sample_file, strerror(errno));
	return ret;
}

static enum wk_exit check(const struct args *args)
{
	if (strcmp(args->machine, "this") != 0 && !args->dry_run)
		return wk_usage_error("--machine: found '%s', expected --dry-run beside it",
				      args->machine);
	if (args->sample_file && !args->sample)
		return wk_usage_error("--sample-file without --sample N");
	if (args->monitor && (args->stats || args->dry_run))
		return wk_usage_error("--monitor goes with neither --stats nor --dry-run");
	return WK_EXIT_DONE;
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;
	struct wk_policy pol;
	struct wk_err err;
	enum wk_exit ret = check(args);

	if (ret != WK_EXIT_DONE)
		return ret;
	if (args->version) {
		printf("scx_wakepath %s\n", WK_VERSION);
		return WK_EXIT_DONE;
	}
	if (args->help_stats) {
		wk_run_show_help(stdout);
		return WK_EXIT_DONE;
	}
	if (wk_policy_parse(args->policy, &pol, &err))
		return wk_usage_error("%s", err.text);
	if (args->monitor)
		return monitor(args);
	if (wk_live_lacks(&err))
		return wk_error("%s", err.text);
	return start(args, &pol);
}

const struct wk_cmd wk_cmd_run = {
	.name = "run",
	.summary = "schedule this machine: the same decisions in a running kernel",
	.text = "Loads a sched_ext scheduler whose wake-ups are decided by the code that the "
		"simulator runs, and stays until a signal ends it. Needs root and a kernel with "
		"sched_ext (6.12 or later). The program is also installed as scx_wakepath.\n\n"
		"When CPUs come or go the kernel ends the scheduler, and it starts again on the "
		"machine as it is then. When the kernel ends it for another reason, that is "
		"printed, all tasks are back in the kernel's own class, and the exit status is 1 "
		"if it was an error.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
