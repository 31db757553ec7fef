/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One simulation for tests and benches: machine, policy, costs and workload by name. A name that
 * does not open is a mistake of the test itself, so it ends the program.
 */
#ifndef WK_TESTS_SIM_CASE_H
#define WK_TESTS_SIM_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/policy_str.h"
#include "machine/build.h"
#include "sim/sim.h"

struct wkt_case {
	struct wk_machine *machine;
	struct wk_topo *topo;
	struct wk_policy policy;
	struct wk_cost cost;
	struct wk_workload *workload;
	struct wk_sim_input in;
	struct wk_sim_result res;
	struct wk_err err;
};

static inline void wkt_need(bool ok, const char *what, const struct wk_err *err)
{
	if (ok)
		return;
	fprintf(stderr, "test set-up: %s: %s\n", what, err->text);
	abort();
}

/* The caller changes c->in and c->cost as it likes, then wkt_case_workload() and wkt_case_run(). */
static inline void wkt_case_open(struct wkt_case *c, const char *machine, const char *policy)
{
	memset(c, 0, sizeof(*c));
	c->machine = wk_machine_open(machine, &c->err);
	wkt_need(c->machine, machine, &c->err);
	wkt_need(!wk_policy_parse(policy, &c->policy, &c->err), policy, &c->err);
	wkt_need(!wk_cost_open(c->machine->family, &c->cost, &c->err), machine, &c->err);
	wkt_need(!wk_topo_build(c->machine, &c->policy, &c->topo, &c->err), machine, &c->err);
	c->in = (struct wk_sim_input){
		.machine = c->machine,
		.topo = c->topo,
		.cost = &c->cost,
		.policy = &c->policy,
		.seed = 1,
	};
}

/* The case owns @w from here on. */
static inline void wkt_case_take(struct wkt_case *c, struct wk_workload *w)
{
	wkt_need(w, "workload", &c->err);
	if (c->workload)
		wk_workload_destroy(c->workload);
	c->workload = w;
	c->in.workload = w;
}

static inline void wkt_case_workload(struct wkt_case *c, const char *spec)
{
	struct wk_workload *w = wk_workload_open(spec, c->topo->nr_cids, &c->err);

	wkt_need(w, spec, &c->err);
	wkt_case_take(c, w);
}

/* Counts begin anew when all tasks have passed their marks: without, they are the whole run's. */
static inline void wkt_case_unmark(struct wkt_case *c)
{
	for (u32 i = 0; i < c->workload->nr_ops; i++)
		if (c->workload->op[i].code == WK_OP_MARK)
			c->workload->op[i] = (struct wk_op){.code = WK_OP_COUNT, .c = 1};
}

/*
 * @ns of simulated time from the cold start, all of it counted: a warm-up that is longer than the
 * run never ends.
 */
static inline void wkt_case_whole(struct wkt_case *c, u64 ns)
{
	c->in.warmup_ns = 1000 * ns;
	c->in.window_ns = ns;
	c->in.max_ns = ns;
}

static inline int wkt_case_run(struct wkt_case *c)
{
	return wk_sim_run(&c->in, &c->res, &c->err);
}

static inline void wkt_case_close(struct wkt_case *c)
{
	if (c->workload)
		wk_workload_destroy(c->workload);
	wk_topo_destroy(c->topo);
	wk_machine_destroy(c->machine);
}

#endif
