// SPDX-License-Identifier: GPL-2.0-only
#include <time.h>

#include "core/pick.h"
#include "tests/bench/bench_pick.h"
#include "tests/unit/core/topo_helper.h"

#define NR_TASKS 64
#define ROUNDS	 10

struct bench {
	struct wk_topo *topo;
	struct wk_state *state;
	struct wk_policy pol;
	struct wk_task task[NR_TASKS];
};

static void bench_init(struct bench *b, u32 nr_cpus)
{
	struct wkt_shape shape = {.packages = 2, .llcs = nr_cpus / 32, .cores = 8, .threads = 2};

	b->topo = wkt_topo(&shape);
	b->state = calloc(1, sizeof(*b->state));
	wk_policy_init(&b->pol);
	wk_policy_set(&b->pol, WK_FEAT_SIS_NODE, 1);
	for (u32 c = 0; c < b->topo->nr_cids; c++) {
		wk_mask_set(&b->state->active, c);
		b->state->cpu[c].nr_running = 2;
		b->state->cpu[c].load = 2048;
		b->state->cpu[c].capacity = 1024;
	}
	for (u32 l = 0; l < b->topo->nr_llcs; l++)
		b->state->llc[l].nr_idle_scan = 8;
	for (u32 i = 0; i < NR_TASKS; i++)
		b->task[i] = (struct wk_task){
			.id = i + 1, .prev = (s32)(i * 37 % nr_cpus), .recent = WK_NONE};
}

static void bench_finish(struct bench *b)
{
	free(b->topo);
	free(b->state);
}

/* The sum keeps the picks from being optimised away. */
static u64 bench_run(struct bench *b, u64 nr_picks)
{
	u64 sum = 0;
	u32 waker_cid = 0;

	for (u64 i = 0; i < nr_picks; i++) {
		struct wk_task *wakee = &b->task[i % NR_TASKS];
		struct wk_request req = {
			.waker_cid = waker_cid,
			.now_ns = i * 1000,
			.waker = &b->task[(i + 1) % NR_TASKS],
			.wakee = wakee,
		};
		struct wk_pick pick;

		wk_pick(b->topo, b->state, &b->pol, &req, &pick);
		sum += (u32)pick.cid + pick.scanned;
		waker_cid += 7;
		if (waker_cid >= b->topo->nr_cids)
			waker_cid -= b->topo->nr_cids;
	}
	return sum;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The fastest of several rounds: what others do on the machine can only add. */
double wk_bench_pick_ns(u32 nr_cpus)
{
	const u64 nr_picks = 200000;
	double best = 0;
	struct bench b;

	bench_init(&b, nr_cpus);
	for (u32 round = 0; round < ROUNDS; round++) {
		double start = now_ns(), ns;

		bench_run(&b, nr_picks);
		ns = (now_ns() - start) / (double)nr_picks;
		best = round && best < ns ? best : ns;
	}
	bench_finish(&b);
	return best;
}

u64 wk_bench_pick_ops(u32 nr_cpus, u64 nr_picks)
{
	struct bench b;

	bench_init(&b, nr_cpus);
	bench_run(&b, nr_picks);
	bench_finish(&b);
	return nr_picks;
}
