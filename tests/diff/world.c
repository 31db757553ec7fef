// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/build.h"
#include "machine/preset.h"
#include "tests/diff/world.h"

/* ---- machines ---- */

/* How many of each stand in the next; of the LLCs, what is odd as well. */
struct nesting {
	u32 cpus, threads, cluster, cores, llcs, nodes;
	bool odd_llcs;	    /* no two of one size */
	bool crossed_nodes; /* nodes take CPUs in turn: their sets are no ranges */
	bool arm, asym, quadrants;
	u32 offline_one_in; /* 0: all are online */
};

static u32 random_size(struct wkt_rng *g)
{
	static const u32 most[] = {8, 16, 64, 64, 200, 512, 1024, WK_MAX_CPUS};

	return 2 + wkt_below(g, most[wkt_below(g, 8)] - 1);
}

static void random_nesting(struct wkt_rng *g, struct nesting *n)
{
	*n = (struct nesting){
		.cpus = wkt_one_in(g, 60) ? WK_MAX_CPUS : random_size(g),
		.threads = 1U << wkt_below(g, 3),
		.cluster = 1 + wkt_below(g, 4),
		.cores = 1 + wkt_below(g, wkt_one_in(g, 3) ? 40 : 10),
		.llcs = 1 + wkt_below(g, 8),
		.nodes = 1 + wkt_below(g, 4),
		.odd_llcs = wkt_one_in(g, 3),
		.crossed_nodes = wkt_one_in(g, 6),
		.arm = wkt_one_in(g, 3),
		.asym = wkt_one_in(g, 6),
		.quadrants = wkt_one_in(g, 2),
		.offline_one_in = wkt_one_in(g, 2) ? 2 + wkt_below(g, 20) : 0,
	};
	/* Neither LLCs nor nodes may be more than the tables hold. */
	if (n->cpus / n->threads / n->cores > 200)
		n->cores = n->cpus / n->threads / 200 + 1;
	while (n->cpus / n->threads / n->cores / n->llcs > 8)
		n->llcs *= 2;
}

/* The rows in the order of the nesting; CPU numbers come later. */
static void fill_rows(struct wkt_rng *g, const struct nesting *n, struct wk_machine *m)
{
	u32 llc = 0, left = n->cores * n->threads;

	for (u32 i = 0; i < m->nr_cpus; i++, left--) {
		u32 core = i / n->threads, node;

		if (!left && i % n->threads == 0) {
			llc++;
			left = n->threads * (n->odd_llcs ? 1 + wkt_below(g, n->cores) : n->cores);
		} else if (!left) {
			left = 1;
		}
		if (llc >= 400)
			llc = 400;
		node = n->crossed_nodes ? i / n->threads % n->nodes : llc / n->llcs;
		m->cpu[i] = (struct wk_machine_cpu){
			.online = true,
			.package = (s32)(n->crossed_nodes ? 0 : node / n->nodes),
			.half = WK_NONE,
			.quadrant = n->quadrants && !n->crossed_nodes ? (s32)node : WK_NONE,
			.node = (s32)node,
			.llc = (s32)llc,
			.cluster = (s32)(llc * 1000 + core / n->cluster),
			.core = (s32)core,
			.thread = (s32)(i % n->threads),
			.apicid = WK_NONE,
			.capacity = n->asym && core % 3 == 0 ? 500 : 1024,
		};
	}
}

/* First threads first, or in the order of the rows; some are offline. */
static void number_rows(struct wkt_rng *g, const struct nesting *n, struct wk_machine *m)
{
	u32 cores = (m->nr_cpus + n->threads - 1) / n->threads;

	for (u32 i = 0; i < m->nr_cpus; i++) {
		m->cpu[i].cpu = n->arm || m->nr_cpus % n->threads
					? i
					: i % n->threads * cores + i / n->threads;
		m->cpu[i].online = i == 0 || !n->offline_one_in ||
				   !wkt_one_in(g, n->offline_one_in);
	}
}

static void fill_distances(struct wkt_rng *g, struct wk_machine *m)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if ((u32)m->cpu[i].node >= m->nr_nodes)
			m->nr_nodes = (u32)m->cpu[i].node + 1;
	for (u32 a = 0; a < m->nr_nodes; a++) {
		m->node_id[a] = a;
		for (u32 b = 0; b <= a; b++)
			m->distance[a][b] = m->distance[b][a] =
				(u8)(a == b	      ? 10
				     : a / 2 == b / 2 ? 12
						      : 20 + 10 * wkt_below(g, 2));
	}
}

static struct wk_machine *random_machine(struct wkt_rng *g)
{
	struct wk_machine *m;
	struct nesting n;

	random_nesting(g, &n);
	m = wk_machine_create(n.cpus);
	if (!m)
		return NULL;
	fill_rows(g, &n, m);
	number_rows(g, &n, m);
	m->nr_nodes = 0;
	fill_distances(g, m);
	m->x86 = !n.arm;
	snprintf(m->name, sizeof(m->name), "random");
	return m;
}

static struct wk_machine *random_preset(struct wkt_rng *g)
{
	u32 nr;
	const struct wk_preset *p = wk_presets(&nr);
	struct wk_err err;

	return wk_preset_open(p[wkt_below(g, nr)].name, &err);
}

struct wk_topo *wk_diff_preset(const struct wk_policy *pol)
{
	struct wk_err err;
	struct wk_machine *m = wk_preset_open("epyc-zen3-2s-128c", &err);
	struct wk_topo *t = NULL;

	if (m && wk_topo_build(m, pol, &t, &err))
		t = NULL;
	wk_machine_destroy(m);
	return t;
}

struct wk_topo *wk_diff_machine(struct wkt_rng *g, const struct wk_policy *pol)
{
	struct wk_topo *t = NULL;

	/* Some nestings are too much for the tables: then another one. */
	while (!t) {
		struct wk_machine *m = wkt_one_in(g, 5) ? random_preset(g) : random_machine(g);
		struct wk_policy built = *pol;
		struct wk_err err;

		if (!m)
			return NULL;
		if (wkt_one_in(g, 4))
			wk_policy_set(&built, WK_FEAT_CLUSTER_LEVEL, wkt_below(g, 2));
		if (wkt_one_in(g, 6))
			wk_policy_set(&built, WK_FEAT_NEAR, 2 + wkt_below(g, 2));
		if (wk_topo_build(m, &built, &t, &err))
			t = NULL;
		wk_machine_destroy(m);
	}
	return t;
}

/* ---- what runs on it ---- */

static void set_bit(struct wk_mask *m, u32 cid, bool on)
{
	if (on)
		wk_mask_set(m, cid);
	else
		wk_mask_clear(m, cid);
}

static void random_cpu(struct wkt_rng *g, const struct wk_topo *t, struct wk_state *s, u32 cid,
		       u32 busy_pct)
{
	bool online = wk_topo_online(t, cid), idle = online && wkt_below(g, 100) >= busy_pct;

	set_bit(&s->idle, cid, idle);
	set_bit(&s->idle_only, cid, online && !idle && wkt_one_in(g, 8));
	set_bit(&s->idle_core, cid, wkt_one_in(g, 4));
	set_bit(&s->active, cid, online && !wkt_one_in(g, 40));
	s->cpu[cid] = (struct wk_cpu_state){
		.nr_running = idle ? 0 : wkt_below(g, 4),
		.load = wkt_below(g, 3) * 512,
		.runnable = wkt_below(g, 3000),
		.util = wkt_below(g, 1025),
		.capacity = t->asym ? 200 + wkt_below(g, 825) : 1024 - wkt_below(g, 3) * 100,
		.scan_next = wkt_one_in(g, 3) ? 1 + wkt_below(g, 40) : 0,
		.avg_idle_ns = wkt_below(g, 500000),
		.wake_avg_idle_ns = wkt_below(g, 10000),
		.wake_stamp_tick = wkt_below(g, 20),
		.exit_ns = wkt_below(g, 3) * 1000,
		.idle_since_ns = wkt_below(g, 1000),
		.scan_cost_ns = wkt_below(g, 2000),
		.pending = wkt_one_in(g, 10),
	};
	if (s->cpu[cid].nr_running && wkt_one_in(g, 4))
		s->cpu[cid].nr_delayed = wkt_below(g, s->cpu[cid].nr_running + 1);
}

void wk_diff_state(struct wkt_rng *g, const struct wk_topo *t, struct wk_state *ret)
{
	static const u32 busy_pct[] = {0, 50, 90, 97, 100, 100};
	u32 busy = busy_pct[wkt_below(g, 6)];

	memset(ret, 0, sizeof(*ret));
	for (u32 c = 0; c < t->nr_cids; c++)
		random_cpu(g, t, ret, c, busy);
	for (u32 l = 0; l < t->nr_llcs; l++) {
		ret->llc[l].has_idle_core = wkt_one_in(g, 3);
		ret->llc[l].nr_idle_scan =
			wkt_below(g, wkt_one_in(g, 2) ? 3 : t->llc[l].weight + 3);
	}
}

/* ---- requests ---- */

static void random_affinity(struct wkt_rng *g, const struct wk_topo *t, struct wk_mask *m,
			    struct wk_request *req)
{
	u32 n = t->nr_cids, keep = wkt_below(g, 5);

	req->nr_allowed = 0;
	if (!wkt_one_in(g, 3))
		return;
	memset(m, 0, sizeof(*m));
	for (u32 c = 0; c < n && keep; c++)
		if (wkt_below(g, 4) < keep)
			wk_mask_set(m, c);
	wk_mask_set(m, wkt_below(g, n));
	req->nr_allowed = wk_mask_count_and(m, NULL, (struct wk_range){0, n});
}

void wk_diff_request(struct wkt_rng *g, const struct wk_topo *t, struct wk_diff_world *w,
		     struct wk_diff_case *ret)
{
	struct wk_request *req = &ret->req;
	u64 now_ns = req->now_ns + wkt_below(g, 400000000);

	ret->waker = wkt_below(g, WK_DIFF_TASKS);
	ret->wakee = (ret->waker + 1 + wkt_below(g, 3)) % WK_DIFF_TASKS;
	*req = (struct wk_request){
		.kind = (u8)(wkt_one_in(g, 8) ? 1 + wkt_below(g, 2) : WK_REQ_WAKE),
		.context = (u8)wkt_below(g, 3),
		.sync = wkt_one_in(g, 2),
		.wakee_on_cpu = wkt_one_in(g, 10),
		.waker_cid = wkt_below(g, t->nr_cids),
		.now_ns = now_ns,
		.now_tick = wkt_below(g, 40),
	};
	random_affinity(g, t, &w->allowed, req);
	wkt_random_task(g, t->nr_cids, &w->task[ret->wakee]);
	w->task[ret->waker].id = ret->waker + 1;
	w->task[ret->wakee].id = ret->wakee + 1;
	if (wkt_one_in(g, 3)) /* a 1:1 pair */
		w->task[ret->wakee].last_wakee = ret->waker + 1;
}
