// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lab/policy_str.h"
#include "machine/build.h"
#include "machine/notes.h"
#include "machine/read.h"
#include "trace/decision_replay.h"

/* A recording longer than this is cut first. */
#define MAX_BYTES ((size_t)1 << 30)

/* Pairs of our why and what the kernel chose. */
#define MAX_PAIRS 128

struct args {
	const char *kernel_decisions;
	const char *machine;
	const char *policy;
	const char *at_least;
	uint64_t show;
	bool list;
};

static const struct wk_opt opts[] = {
	WK_OPT_STR(struct args, kernel_decisions, 0, "FILE", NULL,
		   "decisions of the kernel, from 'wakepath record --kernel-decisions'; '-' is "
		   "standard input"),
	WK_OPT_STR(struct args, machine, 'm', "SRC", "this",
		   "the machine that they were recorded on, as for 'wakepath topo'"),
	WK_OPT_STR(struct args, policy, 'p', "POLICY", "tip-7", "the policy that decides again"),
	WK_OPT_UINT(struct args, show, 's', "N", "0", 0, 1000000,
		    "print the first N decisions outside of races that differ"),
	WK_OPT_FLAG(struct args, list, 'l', "print a line of CSV for every decision instead"),
	WK_OPT_STR(struct args, at_least, 0, "PCT", NULL,
		   "fail where fewer than PCT percent of the wake-ups outside of races, or of the "
		   "wake lists, agree"),
	WK_OPT_DONE,
};

static const char *const why_names[] = {
#define WK_WHY(NAME, name, step, sentence) [WK_WHY_##NAME] = #name,
#include "core/why.def"
};

/* ---- counting ---- */

struct tally {
	u64 all, raced, equal, equal_outside;
};

struct pair {
	u8 why, kind;
	const char *chosen;
	u64 outside, raced;
};

enum row { ROW_WAKE, ROW_FORK, ROW_EXEC, ROW_MARKED, ROW_QUEUE, ROW_AFTER, ROW_NR };

struct report {
	struct tally row[ROW_NR];
	struct pair pair[MAX_PAIRS];
	u32 nr_pairs;
	u64 shown, listed;
};

static const char *const kind_names[] = {
	[WK_REQ_WAKE] = "wake", [WK_REQ_FORK] = "fork", [WK_REQ_EXEC] = "exec"};

static void count(struct tally *t, u8 verdict, bool raced)
{
	bool equal = verdict == WK_REPLAY_EQUAL;

	if (verdict == WK_REPLAY_NOT_ASKED)
		return;
	t->all++;
	t->raced += raced;
	t->equal += equal;
	t->equal_outside += equal && !raced;
}

static double percent_outside(const struct tally *t)
{
	u64 outside = t->all - t->raced;

	return outside ? 100.0 * (double)t->equal_outside / (double)outside : 100.0;
}

static void count_pair(struct report *rep, u8 kind, u8 why, const char *chosen, bool raced)
{
	struct pair *p = rep->pair;

	while (p < rep->pair + rep->nr_pairs &&
	       (p->why != why || p->kind != kind || strcmp(p->chosen, chosen)))
		p++;
	if (p == rep->pair + MAX_PAIRS)
		return;
	if (p == rep->pair + rep->nr_pairs) {
		*p = (struct pair){why, kind, chosen, 0, 0};
		rep->nr_pairs++;
	}
	p->raced += raced;
	p->outside += !raced;
}

/* ---- printing ---- */

static void show_decision(const struct wk_decision *d, u32 nr_cpus,
			  const struct wk_replay_result *res)
{
	printf("kernel %lld, ours %d (%s, target %d), %s\n  ", (long long)d->v[WK_DECISION_CHOSEN],
	       res->cpu, why_names[res->pick.why], res->target,
	       res->choice == WK_REPLAY_DIFFERENT  ? "another CPU"
	       : res->queue == WK_REPLAY_DIFFERENT ? "another wake list"
						   : "another recent CPU or other flips");
	wk_decision_write(stdout, d, nr_cpus);
}

static void list_head(void)
{
	puts("number,kind,why,target,ours,kernel,equal,raced,queued,queue_equal,queue_raced");
}

static void list_decision(u64 nr, const struct wk_decision *d, const struct wk_replay_result *res)
{
	printf("%llu,%s,%s,%d,%d,%lld,%d,%d,%lld,%d,%d\n", (unsigned long long)nr,
	       kind_names[d->kind], why_names[res->pick.why], res->target, res->cpu,
	       (long long)d->v[WK_DECISION_CHOSEN], res->choice == WK_REPLAY_EQUAL, res->raced,
	       (long long)d->v[WK_DECISION_QUEUED], res->queue != WK_REPLAY_DIFFERENT,
	       res->queue_raced);
}

static void show_rows(const struct report *rep)
{
	static const char *const names[ROW_NR] = {
		[ROW_WAKE] = "wake",	   [ROW_FORK] = "fork",
		[ROW_EXEC] = "exec",	   [ROW_MARKED] = "of marked",
		[ROW_QUEUE] = "wake list", [ROW_AFTER] = "recent, flips"};

	printf("\n%-14s %10s %10s %10s %12s %10s\n", "decision", "all", "equal", "raced", "outside",
	       "equal");
	for (u32 i = 0; i < ROW_NR; i++) {
		const struct tally *t = &rep->row[i];

		if (t->all)
			printf("%-14s %10llu %10llu %10llu %12llu %8.3f %%\n", names[i],
			       (unsigned long long)t->all, (unsigned long long)t->equal,
			       (unsigned long long)t->raced,
			       (unsigned long long)(t->all - t->raced), percent_outside(t));
	}
}

static int by_outside(const void *va, const void *vb)
{
	const struct pair *a = va, *b = vb;

	if (a->outside != b->outside)
		return a->outside < b->outside ? 1 : -1;
	return (a->raced < b->raced) - (a->raced > b->raced);
}

static void show_pairs(struct report *rep)
{
	if (!rep->nr_pairs)
		return;
	qsort(rep->pair, rep->nr_pairs, sizeof(*rep->pair), by_outside);
	printf("\n%-6s %-18s %-30s %10s %10s\n", "differ", "ours", "the kernel's", "outside",
	       "raced");
	for (const struct pair *p = rep->pair; p < rep->pair + rep->nr_pairs; p++)
		printf("%-6s %-18s %-30s %10llu %10llu\n", kind_names[p->kind], why_names[p->why],
		       p->chosen, (unsigned long long)p->outside, (unsigned long long)p->raced);
}

/* ---- the replay ---- */

static void one(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus,
		const struct args *args, struct report *rep)
{
	static const enum row row_of[] = {
		[WK_REQ_WAKE] = ROW_WAKE, [WK_REQ_FORK] = ROW_FORK, [WK_REQ_EXEC] = ROW_EXEC};
	struct wk_replay_result res;
	bool differs;

	wk_replay_decide(r, d, nr_cpus, &res);
	count(&rep->row[d->v[WK_DECISION_MARKED] ? ROW_MARKED : row_of[d->kind]], res.choice,
	      res.raced);
	count(&rep->row[ROW_QUEUE], res.queue, res.queue_raced);
	count(&rep->row[ROW_AFTER], res.after, res.raced);
	if (res.choice == WK_REPLAY_DIFFERENT)
		count_pair(rep, d->kind, res.pick.why, wk_replay_chosen_is(r, d, &res), res.raced);
	differs = (res.choice == WK_REPLAY_DIFFERENT && !res.raced) ||
		  (res.queue == WK_REPLAY_DIFFERENT && !res.queue_raced) ||
		  (res.after == WK_REPLAY_DIFFERENT && !res.raced);
	if (args->list)
		list_decision(++rep->listed, d, &res);
	else if (differs && rep->shown < args->show) {
		rep->shown++;
		show_decision(d, nr_cpus, &res);
	}
}

static enum wk_exit judge(const struct report *rep, double at_least)
{
	static const enum row judged[] = {ROW_WAKE, ROW_QUEUE};

	for (u32 i = 0; i < sizeof(judged) / sizeof(*judged); i++)
		if (percent_outside(&rep->row[judged[i]]) < at_least)
			return wk_error("--at-least: found %.3f %% of the %s equal outside of "
					"races, expected at least %.3f %%",
					percent_outside(&rep->row[judged[i]]),
					judged[i] == ROW_WAKE ? "wake-ups" : "wake lists",
					at_least);
	return WK_EXIT_DONE;
}

static void show_report(const struct wk_decision_file *d, struct report *rep)
{
	printf("%s%llu decisions of kernel %s on %u CPUs, %llu lost\n", rep->shown ? "\n" : "",
	       (unsigned long long)d->nr, d->kernel, d->nr_cpus, (unsigned long long)d->lost);
	show_rows(rep);
	show_pairs(rep);
}

static enum wk_exit replay(const struct args *args, const struct wk_decision_file *d,
			   struct wk_replay *r, double at_least)
{
	struct report *rep = calloc(1, sizeof(*rep));
	enum wk_exit ret;

	if (!rep)
		return wk_error("out of memory");
	if (args->list)
		list_head();
	for (u64 i = 0; i < d->nr; i++)
		one(r, &d->decision[i], d->nr_cpus, args, rep);
	if (!args->list)
		show_report(d, rep);
	ret = judge(rep, at_least);
	free(rep);
	return ret;
}
static enum wk_exit on_machine(const struct args *args, const struct wk_decision_file *d,
			       const struct wk_policy *pol, double at_least)
{
	struct wk_err err;
	struct wk_machine *m = wk_machine_open(args->machine, &err);
	struct wk_replay *r = NULL;
	enum wk_exit ret;
	struct wk_topo *t;

	if (!m)
		return wk_usage_error("%s", err.text);
	if (wk_topo_build(m, pol, &t, &err)) {
		wk_machine_destroy(m);
		return wk_usage_error("%s", err.text);
	}
	r = wk_replay_create(t, pol);
	if (!r)
		ret = wk_error("out of memory");
	else if (wk_replay_check(r, d, &err))
		ret = wk_usage_error("%s: %s", m->name, err.text);
	else
		ret = replay(args, d, r, at_least);
	wk_replay_destroy(r);
	wk_topo_destroy(t);
	wk_machine_destroy(m);
	return ret;
}

/* A percentage, or -1 for none; false where it is no such number. */
static bool parse_percent(const char *text, double *ret)
{
	char *end;

	*ret = -1;
	if (!text)
		return true;
	*ret = strtod(text, &end);
	return end != text && !*end && *ret >= 0 && *ret <= 100;
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;
	struct wk_decision_file d;
	struct wk_policy pol;
	struct wk_err err;
	enum wk_exit ret;
	const char *where;
	double at_least;
	size_t len;
	char *text;

	if (!args->kernel_decisions)
		return wk_usage_error("replay: expected --kernel-decisions FILE");
	if (!parse_percent(args->at_least, &at_least))
		return wk_usage_error("--at-least: found '%s', expected a percentage from 0 to 100",
				      args->at_least);
	if (wk_policy_parse(args->policy, &pol, &err))
		return wk_usage_error("%s", err.text);
	where = strcmp(args->kernel_decisions, "-") ? args->kernel_decisions : "standard input";
	text = wk_read_whole(args->kernel_decisions, MAX_BYTES, &len, &err);
	if (!text)
		return wk_usage_error("%s", err.text);
	if (wk_decision_file_parse(text, where, &d, &err)) {
		ret = wk_usage_error("%s", err.text);
	} else {
		ret = on_machine(args, &d, &pol, at_least);
		wk_decision_file_release(&d);
	}
	free(text);
	return ret;
}

const struct wk_cmd wk_cmd_replay = {
	.name = "replay",
	.summary = "decide recorded decisions again, and compare",
	.text = "Reads what the kernel's own class decided, with what it could see, and lets the "
		"core decide the same with a policy. A table says how many agree: the chosen CPU "
		"for wake-ups, fork and exec; whether the wake-up was put on the CPU's wake list; "
		"and what the decision leaves behind in the two tasks.\n\n"
		"A decision is raced where a word that it may have read changed while it was "
		"taken. The last column is the share of equal ones outside of races; what differs "
		"there is a rule that differs. The lower table counts what differs by why we chose "
		"and what the kernel chose.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
