// SPDX-License-Identifier: GPL-2.0-only
/* Who touches the run queue, what it costs, what is counted; idle states. */
#include "tests/unit/sim/program.h"
#include "tests/unit/sim/stepper.h"

#define TWO_SOCKETS "pack:2 l3:2 core:4 pu:2"

/* ---- the wake list and its interrupt ---- */

/*
 * CPU 0 wakes @nr at once on a CPU of the other package, which sleeps so deeply that it takes
 * 100 us to come. Returns what was counted from 5 ms on.
 */
static void wake_far_away(struct wk_sim_counts *ret, u32 nr, u32 poll_ns)
{
	struct wk_sim_counts before;
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u32 sem, far;

	wkt_program_open(&c, TWO_SOCKETS, "tip", &b);
	c.cost.exit_c1_ns = 100000;
	c.cost.poll_ns = poll_ns;
	sem = wk_build_obj(&b, WK_OBJ_SEM, 0, 0);
	far = wkt_pin(&b, c.topo->cpu_of[c.topo->nr_cids - 1]);
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 0));
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 10 * MS);
	wk_build_op(&b, WK_OP_SEM_POST, 0, sem, nr);
	for (u32 i = 0; i < nr; i++) {
		wkt_task(&b, 1024, (s32)far);
		wk_build_op(&b, WK_OP_SEM_WAIT, 0, sem, 0);
	}
	wkt_program_take(&c, &b, 100 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 5 * MS);
	before = *s->count;
	wkt_step_to(s, 50 * MS);
	assert_true(c.res.finished);
	*ret = *s->count;
	ret->ipis -= before.ipis;
	for (u32 i = 0; i < WK_HANDOFF_NR; i++)
		ret->handoff[i] -= before.handoff[i];
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void wakeups_across_packages_are_queued_behind_one_interrupt(void **state)
{
	struct wk_sim_counts n;

	(void)state;
	wake_far_away(&n, 3, 0);
	assert_int_equal(n.handoff[WK_HANDOFF_QUEUED], 3);
	assert_int_equal(n.handoff[WK_HANDOFF_DIRECT], 0);
	assert_int_equal(n.ipis, 1);
}

static void a_cpu_that_polls_needs_no_interrupt(void **state)
{
	struct wk_sim_counts n;

	(void)state;
	wake_far_away(&n, 1, 1000000000);
	assert_int_equal(n.handoff[WK_HANDOFF_QUEUED], 1);
	assert_int_equal(n.ipis, 0);
}

static void drained(struct wk_sim *s, struct wk_cpu *c)
{
	wk_park(s, c, WK_PH_IDLE);
}

/* Its turn comes when the thread has gone on and sleeps for another reason: nobody wakes it. */
static void a_wake_up_of_an_earlier_sleep_is_dropped(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u64 wakeups;

	(void)state;
	wkt_program_open(&c, "pack:1 core:2 pu:1", "tip", &b);
	wkt_task(&b, 1024, (s32)wkt_pin(&b, 0));
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 10 * MS);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 10 * MS);
	wkt_program_take(&c, &b, 100 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 5 * MS);
	wk_wake_add(s, &s->cpu[1], &s->thread[0], false);
	wkt_step_to(s, 15 * MS);
	assert_int_equal(s->thread[0].state, WK_TS_SLEEPING);
	wakeups = s->count->wakeups;
	wk_wake_all(s, &s->cpu[1], drained);
	wkt_step_to(s, 16 * MS);
	assert_int_equal(s->count->wakeups, wakeups);
	assert_int_equal(s->thread[0].state, WK_TS_SLEEPING);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* ---- what is counted ---- */

struct tally {
	u64 records, kind[3], probes, scanned;
};

static void on_record(void *arg, const struct wk_record *rec)
{
	struct tally *t = arg;

	t->records++;
	t->kind[rec->kind]++;
	t->scanned += rec->scanned;
	for (u32 i = 0; i < WK_TIER_NR; i++)
		t->probes += rec->probes[i];
}

static u64 sum(const u64 *v, u32 nr)
{
	u64 total = 0;

	for (u32 i = 0; i < nr; i++)
		total += v[i];
	return total;
}

static void counts_add_up(const char *policy, const char *spec)
{
	const struct wk_sim_counts *n;
	struct tally t = {0};
	struct wkt_case c;
	u64 found;

	wkt_case_open(&c, TWO_SOCKETS, policy);
	wkt_case_workload(&c, spec);
	wkt_case_unmark(&c);
	wkt_case_whole(&c, 30 * MS);
	c.in.on_record = on_record;
	c.in.arg = &t;
	if (wkt_case_run(&c))
		fail_msg("%s %s: %s", policy, spec, c.err.text);
	n = &c.res.count;
	/* every decision has one reason, every wake-up one hand-off */
	assert_int_equal(sum(n->why, WK_WHY_NR), t.records);
	assert_in_range(t.kind[WK_REQ_WAKE] - sum(n->handoff, WK_HANDOFF_NR), 0, c.topo->nr_cids);
	/* a search that failed is one that ended at the busy target */
	assert_int_equal(n->sis_failed, n->why[WK_WHY_TARGET_BUSY]);
	assert_true(n->sis_domain_search <= n->sis_search);
	assert_true(n->sis_failed <= n->sis_domain_search);
	found = sum(n->why, WK_WHY_NR) - n->why[WK_WHY_PINNED] - n->why[WK_WHY_ON_CPU] -
		n->why[WK_WHY_FORK_IDLEST] - n->why[WK_WHY_NOT_ALLOWED] -
		n->why[WK_WHY_TARGET_BUSY];
	if (n->sis_search - n->sis_failed != found)
		fail_msg("%s: %llu searches, %llu failed, %llu found", policy,
			 (unsigned long long)n->sis_search, (unsigned long long)n->sis_failed,
			 (unsigned long long)found);
	/* fast tests count as one scan, each probe of the domain as another */
	assert_int_equal(n->sis_scanned, t.scanned);
	assert_true(n->sis_scanned >= n->sis_search);
	if (t.kind[WK_REQ_FORK] == 0)
		assert_int_equal(sum(n->probes, WK_TIER_NR), t.probes);
	wkt_case_close(&c);
}

static void counts_of_all_rule_sets_add_up(void **state)
{
	(void)state;
	counts_add_up("tip", "hackbench:groups=1,fds=16,loops=100000");
	counts_add_up("tip-7", "hackbench:groups=1,fds=16,loops=100000");
	counts_add_up("tip-5", "hackbench:groups=1,fds=16,loops=100000");
	counts_add_up("sis_node", "netperf-tcp-rr:clients=24");
	counts_add_up("cluster_scan_v9", "schbench-old:workers=10");
}

static void the_four_measures_follow_from_the_counts(void **state)
{
	const struct wk_sim_counts n = {
		.sis_search = 100, .sis_domain_search = 60, .sis_failed = 20, .sis_scanned = 400};
	const struct wk_sim_counts none = {0};
	struct wk_sis sis;

	(void)state;
	wk_sim_sis(&n, &sis);
	assert_true(sis.success == 80 && sis.fast_success == 40);
	assert_true(sis.search_efficiency == 20);
	assert_true(sis.domain_efficiency > 11.1 && sis.domain_efficiency < 11.2); /* 40 of 360 */
	wk_sim_sis(&none, &sis);
	assert_true(sis.success == -1 && sis.domain_efficiency == -1);
}

static void a_probe_costs_its_tier_and_no_less_than_a_hit(void **state)
{
	struct wkt_case c;
	struct wk_sim *s;

	(void)state;
	wkt_case_open(&c, "epyc-zen3-2s-128c:nps1", "tip");
	wkt_case_workload(&c, "netperf-tcp-rr:clients=1");
	s = wkt_step_open(&c);
	for (u32 t = 0; t < WK_TIER_NR; t++) {
		u32 part = c.cost.tier_ns[t] * c.cost.probe_pct / 100;

		assert_int_equal(s->probe_ns[t],
				 part > c.cost.probe_min_ns ? part : c.cost.probe_min_ns);
		assert_true(t == 0 || s->probe_ns[t] >= s->probe_ns[t - 1]);
	}
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* ---- idle ---- */

static u64 ten_sleeps_ns(u32 exit_ns)
{
	struct wkt_case c;
	struct wk_build b;
	u64 ns;

	wkt_program_open(&c, "pack:1 core:1 pu:1", "tip", &b);
	c.cost.exit_c1_ns = exit_ns;
	c.cost.c2_after_ns = 0;
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 10);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, MS);
	wk_build_end(&b);
	wkt_program_finish(&c, &b);
	ns = c.res.total_ns;
	wkt_case_close(&c);
	return ns;
}

static void leaving_an_idle_state_takes_its_latency(void **state)
{
	u64 more;

	(void)state;
	more = ten_sleeps_ns(21000) - ten_sleeps_ns(1000);
	/* ten sleeps and the first start; way out of system calls varies by some ns */
	assert_in_range(more, 199 * US, 221 * US);
}

/* The machine falls asleep: every core's bit is set and every LLC hopes. */
static void idle_cores_are_seen_when_all_is_over(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;

	(void)state;
	wkt_program_open(&c, TWO_SOCKETS, "tip", &b);
	for (u32 i = 0; i < 64; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_op(&b, WK_OP_RUN, 50, 0, MS);
	}
	wkt_program_take(&c, &b, 1000 * MS);
	s = wkt_step_open(&c);
	for (u32 i = 0; i < s->topo->nr_llcs; i++)
		s->st.llc[i].has_idle_core = 0;
	while (wk_events_first_time(&s->ev) != WK_NEVER)
		wkt_step_event(s);
	wkt_check_sim(s);
	assert_int_equal(s->nr_idle_cpus, s->nr_cpus);
	for (u32 i = 0; i < s->nr_cpus; i++)
		assert_true(wk_mask_test(&s->st.idle_core, s->topo->sil[i].core_first));
	for (u32 i = 0; i < s->topo->nr_llcs; i++)
		assert_int_equal(s->st.llc[i].has_idle_core, 1);
	wkt_step_close(s);
	wkt_case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wakeups_across_packages_are_queued_behind_one_interrupt),
		cmocka_unit_test(a_cpu_that_polls_needs_no_interrupt),
		cmocka_unit_test(a_wake_up_of_an_earlier_sleep_is_dropped),
		cmocka_unit_test(counts_of_all_rule_sets_add_up),
		cmocka_unit_test(the_four_measures_follow_from_the_counts),
		cmocka_unit_test(a_probe_costs_its_tier_and_no_less_than_a_hit),
		cmocka_unit_test(leaving_an_idle_state_takes_its_latency),
		cmocka_unit_test(idle_cores_are_seen_when_all_is_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
