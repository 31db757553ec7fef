// SPDX-License-Identifier: GPL-2.0-only
/* Random wake-ups on random machines, decided by the core and by tests/unit/core/reference.h. */
#include <stdio.h>

#include "core/pick.h"
#include "machine/build.h"
#include "machine/preset.h"
#include "tests/support/test.h"
#include "tests/unit/core/random.h"
#include "tests/unit/core/reference.h"
#include "tests/unit/core/topo_helper.h"

#define CASES_PER_MACHINE 4000
#define NR_TASKS	  12

struct world {
	struct wkt_rng rng;
	struct wk_topo *topo;
	struct wk_state *core, *ref; /* what each side made of the same beginning */
	struct wk_policy pol;
	struct wk_mask offline, allowed;
	struct wk_task task[NR_TASKS];
	u64 now_ns;
};

static void random_shape(struct world *w, struct wkt_shape *s)
{
	struct wkt_rng *g = &w->rng;
	u32 cpus;

	*s = (struct wkt_shape){
		.packages = 1 + wkt_below(g, 2),
		.nodes = 1 + wkt_below(g, 2),
		.llcs = 1 + wkt_below(g, 4),
		.clusters = 1 + wkt_below(g, 3),
		.cores = 1 + wkt_below(g, 5),
		.threads = 1U << wkt_below(g, 3),
		.near = wkt_below(g, 3),
		.arm_numbers = wkt_one_in(g, 3),
		.idle_sibling = wkt_one_in(g, 2),
		.asym = wkt_one_in(g, 6),
	};
	if (s->llcs % 2)
		s->near = 0;
	cpus = wkt_widths(s).machine;
	memset(&w->offline, 0, sizeof(w->offline));
	for (u32 c = 1; c < cpus && wkt_one_in(g, 3); c++)
		wk_mask_set(&w->offline, wkt_below(g, cpus));
	wk_mask_clear(&w->offline, 0);
	s->offline = &w->offline;
}

static void adopt_machine(struct world *w, struct wk_topo *topo)
{
	w->topo = topo;
	w->core = calloc(1, sizeof(*w->core));
	w->ref = calloc(1, sizeof(*w->ref));
	memset(w->task, 0, sizeof(w->task));
	for (u32 i = 0; i < NR_TASKS; i++)
		w->task[i] = (struct wk_task){.id = i + 1, .recent = WK_NONE, .weight = 1024};
}

static void random_machine(struct world *w)
{
	struct wkt_shape s;

	random_shape(w, &s);
	adopt_machine(w, wkt_topo(&s));
}

static void free_machine(struct world *w)
{
	free(w->core);
	free(w->ref);
}

/* Flags are turned over, numbers drawn: not every mix is one that the parser lets through. */
static void random_policy(struct world *w)
{
	static const u32 l2[] = {0, 0, 1, 3};
	static const u32 flags[] = {
		WK_FEAT_WAKE_AFFINE,   WK_FEAT_WA_IDLE,		WK_FEAT_WA_WEIGHT,
		WK_FEAT_WA_BIAS,       WK_FEAT_WAKE_WIDE,	WK_FEAT_SIS_UTIL,
		WK_FEAT_SIS_PROP,      WK_FEAT_IDLE_CORE,	WK_FEAT_BUDGET_EQ,
		WK_FEAT_CLUSTER_SCAN,  WK_FEAT_CLUSTER_OVERRUN, WK_FEAT_RECHECK,
		WK_FEAT_SIS_CORE,      WK_FEAT_WINDOW,		WK_FEAT_SIBLINGS_FIRST,
		WK_FEAT_SIS_NODE,      WK_FEAT_SIS_NODE,	WK_FEAT_PTR,
		WK_FEAT_SKIPLOCAL,     WK_FEAT_NEED_FLAG,	WK_FEAT_PAIR,
		WK_FEAT_WAKELIST_NODE,
	};
	struct wkt_rng *g = &w->rng;

	wk_policy_init(&w->pol);
	wk_policy_set(&w->pol, WK_FEAT_RULES, 5 + wkt_below(g, 3));
	for (u32 i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (wkt_one_in(g, 4))
			wk_policy_set(&w->pol, flags[i], !wk_num(&w->pol, flags[i]));
	wk_policy_set(&w->pol, WK_FEAT_LIMIT, wkt_one_in(g, 3) ? 1 + wkt_below(g, 3) : 0);
	wk_policy_set(&w->pol, WK_FEAT_QUEUED_L2, l2[wkt_below(g, 4)]);
}

static void random_cpu(struct world *w, u32 c, u32 busy)
{
	struct wk_state *s = w->core;
	struct wkt_rng *g = &w->rng;
	bool idle = wkt_below(g, 100) >= busy, online = wk_topo_online(w->topo, c);

	wk_mask_clear(&s->idle, c);
	wk_mask_clear(&s->idle_only, c);
	wk_mask_clear(&s->active, c);
	if (online && idle)
		wk_mask_set(&s->idle, c);
	else if (online && wkt_one_in(g, 8))
		wk_mask_set(&s->idle_only, c);
	if (online && !wkt_one_in(g, 40))
		wk_mask_set(&s->active, c);
	s->cpu[c].nr_running = idle ? 0 : wkt_below(g, 4);
	s->cpu[c].nr_delayed = wkt_below(g, s->cpu[c].nr_running + 1);
	s->cpu[c].load = wkt_below(g, 3) * 512;
	s->cpu[c].capacity = w->topo->asym && wkt_one_in(g, 2) ? 400 : 1024;
	s->cpu[c].avg_idle_ns = wkt_below(g, 500000);
	s->cpu[c].scan_cost_ns = wkt_below(g, 2000);
	s->cpu[c].wake_avg_idle_ns = wkt_below(g, 10000);
	s->cpu[c].wake_stamp_tick = wkt_below(g, 20);
}

static void random_state(struct world *w)
{
	static const u32 busy[] = {0, 50, 90, 97, 100, 100};
	u32 level = busy[wkt_below(&w->rng, 6)];

	for (u32 c = 0; c < w->topo->nr_cids; c++)
		random_cpu(w, c, level);
	for (u32 l = 0; l < w->topo->nr_llcs; l++) {
		w->core->llc[l].has_idle_core = wkt_one_in(&w->rng, 3);
		w->core->llc[l].nr_idle_scan =
			wkt_below(&w->rng, wkt_one_in(&w->rng, 2) ? 3 : w->topo->llc[l].weight + 3);
	}
	*w->ref = *w->core;
}

static void random_affinity(struct world *w, struct wk_request *req)
{
	struct wk_mask *m = &w->allowed;
	u32 n = w->topo->nr_cids, keep = 1 + wkt_below(&w->rng, 4);

	req->allowed = NULL;
	req->nr_allowed = 0;
	if (!wkt_one_in(&w->rng, 3))
		return;
	memset(m, 0, sizeof(*m));
	for (u32 c = 0; c < n; c++)
		if (wkt_below(&w->rng, 4) < keep)
			wk_mask_set(m, c);
	if (wkt_one_in(&w->rng, 5))
		memset(m, 0, sizeof(*m));
	wk_mask_set(m, wkt_below(&w->rng, n));
	req->allowed = m;
	req->nr_allowed = wk_mask_count_and(m, NULL, (struct wk_range){0, n});
}

static void random_request(struct world *w, struct wk_request *req)
{
	struct wkt_rng *g = &w->rng;
	u32 a = wkt_below(g, NR_TASKS), b = (a + 1 + wkt_below(g, NR_TASKS - 1)) % NR_TASKS;

	random_affinity(w, req);
	wkt_random_task(g, w->topo->nr_cids, &w->task[b]);
	w->now_ns += wkt_below(g, 400000000);
	do {
		req->waker_cid = wkt_below(g, w->topo->nr_cids);
	} while (!wk_topo_online(w->topo, req->waker_cid));
	req->kind = WK_REQ_WAKE;
	req->context = (u8)wkt_below(g, 3);
	req->sync = wkt_one_in(g, 2);
	req->wakee_on_cpu = wkt_one_in(g, 10);
	req->now_ns = w->now_ns;
	req->now_tick = wkt_below(g, 40);
	req->waker = &w->task[a];
	req->wakee = &w->task[b];
}

static bool same_pick(const struct wk_pick *a, const struct wk_pick *b)
{
	return a->cid == b->cid && a->target == b->target && a->why == b->why &&
	       a->handoff == b->handoff && a->flags == b->flags && a->nr_llcs == b->nr_llcs &&
	       a->scanned == b->scanned && a->budget == b->budget &&
	       !memcmp(a->probes, b->probes, sizeof(a->probes));
}

static bool same_state(const struct world *w)
{
	u32 n = w->topo->nr_cids, l = w->topo->nr_llcs;

	return !memcmp(w->core->cpu, w->ref->cpu, n * sizeof(w->core->cpu[0])) &&
	       !memcmp(w->core->llc, w->ref->llc, l * sizeof(w->core->llc[0])) &&
	       !memcmp(&w->core->idle, &w->ref->idle, sizeof(w->core->idle));
}

static void show_pick(const char *who, const struct wk_pick *p)
{
	print_message(
		"# %s: cid %d target %d why %u handoff %u flags %#x llcs %u scanned %u budget %u"
		" probes %u %u %u %u %u %u %u %u\n",
		who, p->cid, p->target, p->why, p->handoff, p->flags, p->nr_llcs, p->scanned,
		p->budget, p->probes[0], p->probes[1], p->probes[2], p->probes[3], p->probes[4],
		p->probes[5], p->probes[6], p->probes[7]);
}

static void show_difference(const struct world *w, const struct wk_pick *core,
			    const struct wk_pick *ref)
{
	print_message("# policy:");
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		if (w->pol.num[f])
			print_message(" %u=%u", f, w->pol.num[f]);
	print_message("\n");
	show_pick("core", core);
	show_pick("reference", ref);
}

/* One wake-up, decided twice from the same beginning. True if all is equal after it. */
static bool one_case(struct world *w, struct ref *r, bool show)
{
	struct wk_task before[NR_TASKS], core_after[NR_TASKS];
	struct wk_request req = {0};
	struct wk_pick pick;
	bool same;

	random_request(w, &req);
	memcpy(before, w->task, sizeof(before));
	wk_pick(w->topo, w->core, &w->pol, &req, &pick);
	memcpy(core_after, w->task, sizeof(before));
	memcpy(w->task, before, sizeof(before));
	r->t = w->topo;
	r->s = w->ref;
	r->pol = &w->pol;
	r->req = &req;
	ref_pick(r);
	same = same_pick(&pick, &r->pick) && same_state(w) &&
	       !memcmp(core_after, w->task, sizeof(core_after));
	if (!same && show)
		show_difference(w, &pick, &r->pick);
	return same;
}

/* How many of @nr_cases on this machine differ. */
static u32 differences_here(struct world *w, struct ref *r, u32 nr_cases)
{
	u32 nr = 0;

	for (u32 i = 0; i < nr_cases; i++) {
		if (i % 10 == 0)
			random_policy(w);
		if (i % 5 == 0)
			random_state(w);
		if (!one_case(w, r, r->fault == REF_RIGHT && nr < 5)) {
			nr++;
			*w->ref = *w->core;
		}
	}
	return nr;
}

/* The same on @nr_machines of any shape. */
static u32 differences(u32 nr_machines, u64 seed, enum ref_fault fault)
{
	struct world *w = calloc(1, sizeof(*w));
	struct ref *r = calloc(1, sizeof(*r));
	u32 nr = 0;

	w->rng.x = seed;
	r->fault = fault;
	for (u32 m = 0; m < nr_machines; m++) {
		random_machine(w);
		nr += differences_here(w, r, CASES_PER_MACHINE);
		free(w->topo);
		free_machine(w);
	}
	free(r);
	free(w);
	return nr;
}

/* The domains of machine/ and not those of the helper, with and without near groups and a split. */
static void they_agree_on_every_preset(void **state)
{
	static const struct wk_policy_change {
		u32 feat, value;
	} changes[] = {{WK_FEAT_RULES, 6}, {WK_FEAT_NEAR, 2}, {WK_FEAT_LLC_SPLIT, 4}};
	struct world *w = calloc(1, sizeof(*w));
	struct ref *r = calloc(1, sizeof(*r));
	u32 nr_presets, nr;
	const struct wk_preset *p = wk_presets(&nr_presets);

	(void)state;
	w->rng.x = 5;
	for (u32 i = 0; i < nr_presets * 3; i++) {
		struct wk_err err = {""};
		struct wk_machine *m = wk_preset_open(p[i / 3].name, &err);
		struct wk_topo *topo = NULL;
		struct wk_policy pol;

		wk_policy_init(&pol);
		wk_policy_set(&pol, changes[i % 3].feat, changes[i % 3].value);
		if (!m || wk_topo_build(m, &pol, &topo, &err))
			fail_msg("%s: %s", p[i / 3].name, err.text);
		adopt_machine(w, topo);
		nr = differences_here(w, r, 1000);
		if (nr)
			fail_msg("%s: %u of 1000 differ", p[i / 3].name, nr);
		free_machine(w);
		wk_topo_destroy(topo);
		wk_machine_destroy(m);
	}
	free(r);
	free(w);
}

static void core_and_reference_agree_on_400000_wakeups(void **state)
{
	(void)state;
	assert_int_equal(differences(100, 1, REF_RIGHT), 0);
}

static void every_fault_of_the_reference_is_noticed(void **state)
{
	(void)state;
	for (u32 fault = REF_RIGHT + 1; fault < REF_FAULT_NR; fault++) {
		u32 nr = differences(12, 2, (enum ref_fault)fault);

		if (!nr)
			print_message("# fault %u was not noticed\n", fault);
		assert_int_not_equal(nr, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(core_and_reference_agree_on_400000_wakeups),
		cmocka_unit_test(they_agree_on_every_preset),
		cmocka_unit_test(every_fault_of_the_reference_is_noticed),
	};

	return cmocka_run_group_tests_name("core against reference", tests, NULL, NULL);
}
