// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lab/cell.h"
#include "lab/pool.h"
#include "lab/run.h"

struct task {
	u32 load, policy, i;
};

/* One round, as all its threads see it. */
struct round {
	struct wk_plan *plan;
	const struct wk_run *run;
	struct task *task;
	u32 nr, done_before;
	pthread_mutex_t lock;
	u32 failed_nr; /* under the lock: the lowest task that failed, and its error */
	int failed;
	struct wk_err err;
};

static void note_failure(struct round *r, u32 nr, int err, const struct wk_err *text)
{
	pthread_mutex_lock(&r->lock);
	if (!r->failed || nr < r->failed_nr) {
		r->failed = err;
		r->failed_nr = nr;
		r->err = *text;
	}
	pthread_mutex_unlock(&r->lock);
}

static void run_task(void *arg, u32 nr)
{
	struct round *r = arg;
	const struct wk_plan *p = r->plan;
	const struct task *t = &r->task[nr];
	struct wk_replica *replica = wk_plan_replica(p, t->load, t->policy, t->i);
	struct wk_sim_input in = {
		.machine = p->machine,
		.topo = p->policy[t->policy].topo,
		.cost = &p->cost,
		.workload = p->load[t->load].workload,
		.policy = &p->policy[t->policy].policy,
		.seed = replica->seed,
		.start = replica->start,
		.stop = r->run->stop,
	};
	struct wk_err text = {0};
	int err;

	wk_plan_window(p, t->load, &in.warmup_ns, &in.window_ns);
	err = r->run->simulate(&in, &replica->result, &text);
	if (err)
		note_failure(r, nr, err, &text);
	else if (!replica->result.stopped)
		replica->state = WK_REPLICA_DONE;
}

static void report(void *arg, u32 done)
{
	struct round *r = arg;

	if (r->run->progress)
		r->run->progress(r->run->arg, r->done_before + done, r->done_before + r->nr);
}

static int run_round(struct round *r, struct wk_err *ret_err)
{
	const struct wk_pool pool = {
		.jobs = r->run->jobs,
		.stop = r->run->stop,
		.task = run_task,
		.done = report,
		.arg = r,
	};
	int err;

	pthread_mutex_init(&r->lock, NULL);
	err = wk_pool_run(&pool, r->nr);
	pthread_mutex_destroy(&r->lock);
	r->done_before += r->nr;
	if (!r->failed)
		return err;
	*ret_err = r->err;
	return r->failed;
}

/* Is one of the load's intervals still wide? */
static int needs_more(const struct wk_plan *p, u32 load, bool *ret)
{
	*ret = false;
	for (u32 policy = 1; policy < p->nr_policies; policy++)
		for (u32 m = 0; m < p->load[load].workload->nr_metrics; m++) {
			struct wk_cell cell;
			int err = wk_cell_get(p, load, policy, m, &cell);

			if (err)
				return err;
			*ret |= cell.wide;
		}
	return 0;
}

/* How many replicas each policy of the load gets in this round. */
static int next_share(const struct wk_plan *p, u32 load, u32 *ret)
{
	u32 planned = p->load[load].planned;
	bool more;
	int err;

	*ret = 0;
	if (!planned) {
		*ret = p->rule.min_runs;
		return 0;
	}
	if (planned >= p->rule.max_runs)
		return 0;
	err = needs_more(p, load, &more);
	if (!err && more)
		*ret = WK_START_NR < p->rule.max_runs - planned ? WK_START_NR
								: p->rule.max_runs - planned;
	return err;
}

static void add_tasks(struct round *r, u32 load, u32 share)
{
	struct wk_plan_load *l = &r->plan->load[load];

	for (u32 i = l->planned; i < l->planned + share; i++)
		for (u32 policy = 0; policy < r->plan->nr_policies; policy++)
			r->task[r->nr++] = (struct task){load, policy, i};
	l->planned += share;
}

/* The round's tasks; none when every load has enough. */
static int plan_round(struct round *r)
{
	r->nr = 0;
	for (u32 load = 0; load < r->plan->nr_loads; load++) {
		u32 share;
		int err = next_share(r->plan, load, &share);

		if (err)
			return err;
		add_tasks(r, load, share);
	}
	return 0;
}

static bool is_stopped(const struct wk_run *run)
{
	return run->stop && __atomic_load_n(run->stop, __ATOMIC_RELAXED);
}

int wk_plan_run(struct wk_plan *p, const struct wk_run *run, struct wk_err *ret_err)
{
	struct round r = {.plan = p, .run = run};
	int err;

	r.task = calloc((size_t)p->nr_loads * p->nr_policies, p->rule.max_runs * sizeof(*r.task));
	if (!r.task)
		return -ENOMEM;
	do {
		err = plan_round(&r);
		if (!err && r.nr)
			err = run_round(&r, ret_err);
		if (!err && is_stopped(run))
			err = -EINTR;
	} while (!err && r.nr);
	free(r.task);
	return err;
}
