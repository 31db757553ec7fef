// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-diff: the core as a BPF program against the core as a library.
 *
 * For every policy and random worlds both decide the same requests, each in its own copy
 * of the state; then picks, tasks and states have to be equal. With --verifier it
 * only loads, and prints what the verifier had to do, as scripts/verifier-budget reads it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/pick.h"
#include "lab/policy_str.h"
#include "machine/build.h"
#include "tests/diff/interp.h"
#include "tests/diff/object.h"
#include "tests/diff/world.h"

#define CASES_PER_STATE	   25
#define STATES_PER_MACHINE 16
#define MAX_JOBS	   64
#define SHOWN		   3	/* differences that are shown in full */
#define COUNTED		   2000 /* decisions of which instructions are counted */
#define SKIPPED		   77

struct options {
	const char *object, *policy;
	u64 cases, seed;
	u32 jobs;
	bool verifier;
};

struct result {
	u64 cases, different;
	u32 failed;
};

/* One policy, with or without a claim. */
struct run {
	const struct options *opt;
	const char *name;
	struct wk_policy pol;
	bool claim;
	struct wkt_rng rng;
	struct wk_diff_object bpf;
	struct wk_state state;	    /* the library's */
	struct wk_diff_world world; /* the library's */
	struct wk_diff_case request;
	struct result result;
};

/* ---- one case ---- */

static void decide_natively(struct run *r, const struct wk_topo *topo)
{
	struct wk_request req = r->request.req;

	req.waker = &r->world.task[r->request.waker];
	req.wakee = &r->world.task[r->request.wakee];
	req.allowed = &r->world.allowed;
	wk_pick(topo, &r->state, &r->pol, &req, &r->world.pick);
}

static void show_pick(const char *who, const struct wk_pick *p)
{
	printf("  %s: cid %d target %d why %u handoff %u flags %#x llcs %u scanned %u budget %u"
	       " probes %u %u %u %u %u %u %u %u\n",
	       who, p->cid, p->target, p->why, p->handoff, p->flags, p->nr_llcs, p->scanned,
	       p->budget, p->probes[0], p->probes[1], p->probes[2], p->probes[3], p->probes[4],
	       p->probes[5], p->probes[6], p->probes[7]);
}

static void show(const struct run *r, const struct wk_topo *t, const char *what)
{
	if (r->result.different > SHOWN)
		return;
	printf("%s%s: %s of a request of kind %u on %u CPUs differs\n", r->name,
	       r->claim ? ", claim" : "", what, r->request.req.kind, t->nr_cids);
	show_pick("library", &r->world.pick);
	show_pick("BPF", &r->bpf.world->pick);
}

static bool same_answer(const struct run *r)
{
	return !memcmp(&r->world.pick, &r->bpf.world->pick, offsetof(struct wk_pick, work)) &&
	       !memcmp(r->world.task, r->bpf.world->task, sizeof(r->world.task));
}

/* Decides one request twice; true if the answers are the same. */
static bool one_case(struct run *r, const struct wk_topo *topo)
{
	wk_diff_request(&r->rng, topo, &r->world, &r->request);
	*r->bpf.request = r->request;
	*r->bpf.world = r->world;
	decide_natively(r, topo);
	if (wk_diff_run(&r->bpf)) {
		printf("%s: the program did not run: %s\n", r->name, strerror(errno));
		r->result.failed++;
		return true;
	}
	return same_answer(r);
}

static void one_state(struct run *r, const struct wk_topo *topo, u64 cases)
{
	wk_diff_state(&r->rng, topo, &r->state);
	*r->bpf.state = r->state;
	for (u64 i = 0; i < cases && !r->result.failed; i++) {
		r->result.cases++;
		if (one_case(r, topo))
			continue;
		r->result.different++;
		show(r, topo, "the answer");
		*r->bpf.state = r->state;
	}
	if (memcmp(&r->state, r->bpf.state, sizeof(r->state))) {
		r->result.different++;
		show(r, topo, "the state after it or one before");
	}
}

/* ---- one policy ---- */

static void one_machine(struct run *r, u64 cases)
{
	struct wk_topo *topo = wk_diff_machine(&r->rng, &r->pol);

	if (!topo) {
		fprintf(stderr, "diff: out of memory\n");
		r->result.failed++;
		return;
	}
	*r->bpf.topo = *topo;
	for (u64 done = 0; done < cases; done += CASES_PER_STATE)
		one_state(r, topo, cases - done < CASES_PER_STATE ? cases - done : CASES_PER_STATE);
	wk_topo_destroy(topo);
}

static void compare(struct run *r, u64 cases)
{
	const u64 per_machine = CASES_PER_STATE * STATES_PER_MACHINE;

	while (r->result.cases < cases && !r->result.failed) {
		u64 left = cases - r->result.cases;

		one_machine(r, left < per_machine ? left : per_machine);
	}
}

/* ---- what it costs ---- */

/* Interprets *bpf->request; instructions, or 0 where the kernel then decides another way. */
static u64 interpret(struct run *r, struct wk_interp *interp)
{
	struct wk_pick pick;
	u64 steps;

	r->state = *r->bpf.state;
	r->world = *r->bpf.world;
	steps = wk_interp_run(interp);
	pick = r->bpf.world->pick;
	*r->bpf.state = r->state;
	*r->bpf.world = r->world;
	if (wk_diff_run(&r->bpf) ||
	    memcmp(&pick, &r->bpf.world->pick, offsetof(struct wk_pick, work)))
		return 0;
	return steps;
}

/* Instructions of the average of COUNTED decisions on one machine, 0 if that cannot be told. */
static u64 count_instructions(struct run *r, struct wk_interp *interp, u8 kind)
{
	struct wk_topo *topo = wk_diff_preset(&r->pol);
	u64 sum = 0, one = 1;

	r->rng.x = 1;
	if (topo)
		*r->bpf.topo = *topo;
	for (u32 i = 0; topo && one && i < COUNTED; i++) {
		if (i % CASES_PER_STATE == 0)
			wk_diff_state(&r->rng, topo, r->bpf.state);
		wk_diff_request(&r->rng, topo, r->bpf.world, r->bpf.request);
		r->bpf.request->req.kind = kind;
		one = interpret(r, interp);
		sum += one;
	}
	wk_topo_destroy(topo);
	return topo && one ? sum / COUNTED : 0;
}

static void show_count(struct run *r, const char *what, struct wk_interp *interp, u8 kind)
{
	u64 count = count_instructions(r, interp, kind);

	if (count)
		printf("core:%s %s%s %llu\n", what, r->name, r->claim ? "+claim" : "",
		       (unsigned long long)count);
	else
		r->result.failed++;
}

static void show_cost(struct run *r)
{
	struct wk_interp *interp = wk_interp_create(&r->bpf);
	const char *claim = r->claim ? "+claim" : "";
	struct wk_diff_cost cost;

	if (wk_diff_cost(&r->bpf, &cost)) {
		r->result.failed++;
	} else {
		printf("core %s%s %u\n", r->name, claim, cost.verified);
		printf("core:code %s%s %u\n", r->name, claim, cost.xlated);
	}
	if (interp) {
		show_count(r, "wake", interp, WK_REQ_WAKE);
		show_count(r, "fork", interp, WK_REQ_FORK);
		wk_interp_destroy(interp);
	}
}

static struct result one_run(const struct options *opt, u32 row, bool claim, u64 cases)
{
	struct run *r = calloc(1, sizeof(*r));
	struct result result = {.failed = 1};
	struct wk_err err;

	if (!r)
		return result;
	r->opt = opt;
	r->name = wk_policy_info[row].name;
	r->claim = claim;
	r->rng.x = opt->seed * 1000 + row * 2 + claim;
	if (!wk_policy_parse(r->name, &r->pol, &err)) {
		wk_policy_set(&r->pol, WK_FEAT_CLAIM, claim);
		r->result.failed = wk_diff_open(opt->object, &r->pol, &r->bpf) != 0;
		if (!r->result.failed && opt->verifier)
			show_cost(r);
		else if (!r->result.failed)
			compare(r, cases);
		wk_diff_close(&r->bpf);
		result = r->result;
	}
	free(r);
	return result;
}

/* ---- all of them, by several processes ---- */

static bool is_asked_for(const struct options *opt, u32 row)
{
	return !opt->policy || !strcmp(opt->policy, wk_policy_info[row].name);
}

static void add(struct result *sum, struct result one)
{
	sum->cases += one.cases;
	sum->different += one.different;
	sum->failed += one.failed;
}

/* Every opt->jobs-th run, from the @job-th on; none after one that could not be made. */
static struct result job(const struct options *opt, u32 job)
{
	struct result sum = {0};
	u32 nr = 0, at = 0;

	for (u32 p = 0; p < wk_nr_policies; p++)
		nr += 2 * is_asked_for(opt, p);
	for (u32 i = 0; i < 2 * wk_nr_policies && !sum.failed; i++) {
		if (!is_asked_for(opt, i / 2))
			continue;
		if (at++ % opt->jobs == job)
			add(&sum, one_run(opt, i / 2, i % 2, (opt->cases + nr - 1) / nr));
	}
	fflush(stdout);
	return sum;
}

/* Forks one job; the end of a pipe that its result comes out of, or -1. */
static int start(const struct options *opt, u32 nr)
{
	int ends[2];
	struct result r;

	if (pipe(ends))
		return -1;
	fflush(stdout);
	switch (fork()) {
	case -1:
		return -1;
	case 0:
		r = job(opt, nr);
		_exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
	}
	close(ends[1]);
	return ends[0];
}

static struct result all_jobs(const struct options *opt)
{
	struct result sum = {0}, one;
	int from[MAX_JOBS];

	for (u32 i = 0; i < opt->jobs; i++)
		from[i] = start(opt, i);
	for (u32 i = 0; i < opt->jobs; i++) {
		if (from[i] < 0 || read(from[i], &one, sizeof(one)) != sizeof(one))
			one = (struct result){.failed = 1};
		add(&sum, one);
	}
	while (wait(NULL) > 0)
		continue;
	return sum;
}

/* ---- the command line ---- */

static void usage(FILE *to)
{
	fprintf(to, "usage: wk-diff --object FILE [--cases N] [--seed S] [--policy NAME] [--jobs N]"
		    " [--verifier]\n");
}

static bool number(const char *text, u64 least, u64 most, u64 *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *ret >= least && *ret <= most;
}

/* False for a value that is none. */
static bool take(struct options *opt, int option, const char *value)
{
	u64 n = 0;

	switch (option) {
	case 'o':
		opt->object = value;
		return true;
	case 'p':
		opt->policy = value;
		return true;
	case 'v':
		opt->verifier = true;
		return true;
	case 'c':
		return number(value, 1, 1000000000, &opt->cases);
	case 's':
		return number(value, 0, ~0U, &opt->seed);
	case 'j':
		if (!number(value, 1, MAX_JOBS, &n))
			return false;
		opt->jobs = (u32)n;
		return true;
	}
	return false;
}

static bool read_options(int argc, char **argv, struct options *ret)
{
	static const struct option table[] = {
		{"object", required_argument, NULL, 'o'},
		{"policy", required_argument, NULL, 'p'},
		{"cases", required_argument, NULL, 'c'},
		{"seed", required_argument, NULL, 's'},
		{"jobs", required_argument, NULL, 'j'},
		{"verifier", no_argument, NULL, 'v'},
		{0},
	};
	bool known = false;
	int option;

	*ret = (struct options){.cases = 1000000, .seed = 1, .jobs = 2};
	while ((option = getopt_long(argc, argv, "", table, NULL)) != -1)
		if (!take(ret, option, optarg))
			return false;
	for (u32 p = 0; p < wk_nr_policies; p++)
		known |= is_asked_for(ret, p);
	return known && ret->object && optind == argc;
}

int main(int argc, char **argv)
{
	struct options opt;
	struct result sum;
	const char *why_not;

	if (!read_options(argc, argv, &opt)) {
		usage(stderr);
		return 2;
	}
	if (access(opt.object, R_OK)) {
		fprintf(stderr, "wk-diff: %s: %s, expected the object of core.bpf.c\n", opt.object,
			strerror(errno));
		return 2;
	}
	why_not = wk_diff_why_not();
	if (why_not) {
		printf("skipped: %s\n", why_not);
		return SKIPPED;
	}
	if (opt.verifier)
		opt.jobs = 1; /* lines in order */
	sum = all_jobs(&opt);
	if (sum.failed)
		printf("%u policies could not be compared\n", sum.failed);
	if (!opt.verifier)
		printf("%llu cases, %llu different\n", (unsigned long long)sum.cases,
		       (unsigned long long)sum.different);
	return sum.failed || sum.different ? 1 : 0;
}
