// SPDX-License-Identifier: GPL-2.0-only
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lab/run.h"
#include "tests/bench/bench_sim.h"
#include "tests/unit/sim/case.h"

#define MS     1000000ULL
#define REPEAT 3 /* what disturbs a run makes it slower only: the fastest counts */

/* Tasks are senders and receivers: fds of each a group. Loops enough that no run ends early. */
#define HACKBENCH(groups, fds) "hackbench:groups=" #groups ",fds=" #fds ",loops=1000000"

static const struct wk_bench_sim sims[] = {
	{"pack:1 l3:1 core:8 pu:2", "tip", HACKBENCH(1, 16), 500 * MS},
	{"pack:2 l3:8 core:8 pu:2", "tip", HACKBENCH(16, 16), 40 * MS},
	{"epyc9654-2s-192c", "tip", HACKBENCH(16, 24), 30 * MS},
	{"pack:2 l3:32 core:8 pu:2", "tip", HACKBENCH(64, 16), 10 * MS},
	{"pack:2 l3:128 core:8 pu:2", "tip", HACKBENCH(256, 16), 3 * MS},
};
static const u32 sim_cpus[] = {16, 256, 384, 1024, 4096};

const struct wk_bench_sim wk_bench_sim_hackbench = {"epyc-zen3-2s-128c:nps1", "tip",
						    "hackbench:groups=16,loops=1000000", 40 * MS};

const struct wk_bench_sim *wk_bench_sim_of(u32 nr_cpus)
{
	for (u32 i = 0; i < sizeof(sims) / sizeof(sims[0]); i++)
		if (sim_cpus[i] == nr_cpus)
			return &sims[i];
	return NULL;
}

/* @clock: CPU time of this thread, so that others on the machine do not count; or wall time. */
static double now_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A run of @ns from the cold start. */
static struct wk_bench_speed run_for(struct wkt_case *c, u64 ns)
{
	double begin;

	wkt_case_whole(c, ns);
	begin = now_s(CLOCK_THREAD_CPUTIME_ID);
	wkt_need(!wkt_case_run(c), c->workload->bench, &c->err);
	return (struct wk_bench_speed){now_s(CLOCK_THREAD_CPUTIME_ID) - begin, c->res.count.events,
				       c->res.count.messages};
}

/* Simulated time until the last task has started: a run with next to no warm-up and window. */
static u64 start_ns(struct wkt_case *c)
{
	c->in.warmup_ns = c->in.window_ns = 1;
	c->in.max_ns = 0;
	wkt_need(!wkt_case_run(c), c->workload->bench, &c->err);
	return c->res.total_ns;
}

struct wk_bench_speed wk_bench_sim_run(const struct wk_bench_sim *b, u64 steady_ns)
{
	struct wk_bench_speed speed;
	struct wkt_case c;

	wkt_case_open(&c, b->machine, b->policy);
	wkt_case_workload(&c, b->spec);
	speed = run_for(&c, start_ns(&c) + steady_ns);
	wkt_case_close(&c);
	return speed;
}

struct wk_bench_speed wk_bench_sim_steady(const struct wk_bench_sim *b)
{
	struct wk_bench_speed start = {.seconds = 1e9}, all = {.seconds = 1e9}, again;
	struct wkt_case c;
	u64 from;

	wkt_case_open(&c, b->machine, b->policy);
	wkt_case_workload(&c, b->spec);
	from = start_ns(&c);
	for (u32 i = 0; i < REPEAT; i++) {
		again = run_for(&c, from);
		start = again.seconds < start.seconds ? again : start;
		again = run_for(&c, from + b->ns);
		all = again.seconds < all.seconds ? again : all;
	}
	wkt_case_close(&c);
	return (struct wk_bench_speed){all.seconds - start.seconds, all.events - start.events,
				       all.messages - start.messages};
}

/* The figure is about memory: the simulated time need only reach the last fork. */
double wk_bench_sim_rss_mib(void)
{
	const struct wk_bench_sim many = {"pack:2 l3:128 core:8 pu:2", "tip",
					  "hackbench:groups=2500,loops=1000000", 0};
	struct rusage usage = {0};
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		wk_bench_sim_run(&many, 0);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child || status)
		return -1;
	return (double)usage.ru_maxrss / 1024;
}

double wk_bench_compare_quick_s(void)
{
	const char *policies = "tip,sis_node,sis_node_limit4,sis_node_topoext,tg_load_avg";
	const struct wk_run run = {.jobs = 2, .simulate = wk_sim_run};
	struct wk_plan p = {.seed = 1};
	struct wk_err err = {0};
	double begin = now_s(CLOCK_MONOTONIC);

	wkt_need(!wk_plan_set_machine(&p, "epyc-zen3-2s-128c:nps1", NULL, &err), "machine", &err);
	wkt_need(!wk_plan_add_policies(&p, policies, NULL, &err), policies, &err);
	wkt_need(!wk_plan_add_bench(&p, "hackbench:groups=1/2/4/8/16", &err), "bench", &err);
	wk_plan_set_rule(&p, 0, true);
	wkt_need(!wk_plan_alloc(&p), "plan", &err);
	wkt_need(!wk_plan_run(&p, &run, &err), "compare", &err);
	wk_plan_destroy(&p);
	return now_s(CLOCK_MONOTONIC) - begin;
}
