// SPDX-License-Identifier: GPL-2.0-only
/* CPUs go and come back at random: no thread is lost, run twice, or sent to one that is gone. */
#include "tests/unit/sim/stepper.h"

#include "workload/build.h"

#define MS	  1000000ULL
#define NR_EVENTS 400

/* CPU 0 never goes, so that one stays. */
static void random_hotplug(struct wk_hotplug *h, u32 nr, u32 nr_cpus, u64 span_ns, u64 seed)
{
	struct wk_rng rng;
	bool online[WK_MAX_CPUS];
	u64 t = 0;

	wk_rng_seed(&rng, seed);
	memset(online, 1, sizeof(online));
	for (u32 i = 0; i < nr; i++) {
		u32 cpu = 1 + (u32)wk_rng_below(&rng, nr_cpus - 1);

		t += wk_rng_below(&rng, 2 * span_ns / nr) + 1;
		online[cpu] = !online[cpu];
		h[i] = (struct wk_hotplug){.t_ns = t, .cpu = cpu, .online = online[cpu]};
	}
}

/* To the end of the workload, looked at from inside all the time. Returns the events. */
static u64 survive(const char *machine, const char *policy, const char *spec, u64 span_ns, u64 seed)
{
	struct wk_hotplug h[NR_EVENTS];
	struct wkt_case c;
	struct wk_sim *s;
	u64 t = 0, events;

	wkt_case_open(&c, machine, policy);
	wkt_case_workload(&c, spec);
	wkt_case_whole(&c, 3600000 * MS);
	random_hotplug(h, NR_EVENTS, c.topo->nr_cids, span_ns, seed);
	c.in.hotplug = h;
	c.in.nr_hotplug = NR_EVENTS;
	c.in.seed = seed;
	s = wkt_step_open(&c);
	while (wkt_step_to(s, t)) {
		wkt_check_sim(s);
		t += span_ns / 4096;
		if (t > 100 * span_ns)
			fail_msg("%s: not finished at %llu ns", spec, (unsigned long long)t);
	}
	if (s->failed)
		fail_msg("%s %s: %s", policy, spec, c.err.text);
	assert_true(c.res.finished);
	events = s->measure->warm.events + s->ret->count.events;
	wkt_step_close(s);
	wkt_case_close(&c);
	return events;
}

#define SMALL "pack:2 l3:2 core:2 pu:2"

static void no_thread_is_lost_or_run_twice_in_a_million_events(void **state)
{
	static const char *const policies[] = {"tip", "sis_node", "tip-7", "tip-5",
					       "queued_wakeup_l2"};
	u64 events = 0;

	(void)state;
	for (u64 seed = 1; events < 1000000; seed++)
		events += survive(SMALL, policies[seed % 5], "hackbench:groups=2,fds=6,loops=80",
				  20 * MS, seed);
}

static void no_thread_is_lost_with_sockets(void **state)
{
	(void)state;
	for (u64 seed = 1; seed < 6; seed++)
		survive(SMALL, seed & 1 ? "sis_node" : "tip-7",
			"hackbench:groups=2,fds=6,loops=60,ipc=sockets,mode=process", 20 * MS,
			seed);
}

static void no_thread_is_lost_with_timers_and_barriers(void **state)
{
	(void)state;
	survive(SMALL, "tip", "rt-app:file=tests/workloads/periodic.json", 1000 * MS, 1);
	survive(SMALL, "tip-7", "rt-app:file=tests/workloads/family.json", 1000 * MS, 2);
	survive(SMALL, "sis_node", "rt-app:file=tests/workloads/pipeline.json", 1000 * MS, 3);
}

/* ---- the records name no CPU that is gone ---- */

struct watch {
	const struct wk_hotplug *h;
	u32 nr, wrong;
};

static bool is_gone(const struct watch *w, u32 cpu, u64 now)
{
	bool gone = false;

	for (u32 i = 0; i < w->nr && w->h[i].t_ns < now; i++)
		if (w->h[i].cpu == cpu)
			gone = !w->h[i].online;
	return gone;
}

static const struct wk_topo *watch_topo;

static void on_record(void *arg, const struct wk_record *rec)
{
	struct watch *w = arg;

	if (rec->cid >= 0 && is_gone(w, watch_topo->cpu_of[rec->cid], rec->t_ns))
		w->wrong++;
}

static void no_policy_chooses_a_cpu_that_is_gone(void **state)
{
	static const char *const policies[] = {"tip",
					       "sis_node",
					       "sis_node_limit4",
					       "cluster_scan_v9",
					       "sis_node_topoext",
					       "sis_core",
					       "llc_split4",
					       "tip-7"};
	struct wk_hotplug h[64];

	(void)state;
	for (u32 i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct watch w = {.h = h, .nr = 64};
		struct wkt_case c;

		wkt_case_open(&c, SMALL, policies[i]);
		wkt_case_workload(&c, "hackbench:groups=1,fds=8,loops=100000");
		wkt_case_whole(&c, 30 * MS);
		random_hotplug(h, 64, c.topo->nr_cids, 20 * MS, i + 1);
		c.in.hotplug = h;
		c.in.nr_hotplug = 64;
		c.in.on_record = on_record;
		c.in.arg = &w;
		watch_topo = c.topo;
		if (wkt_case_run(&c))
			fail_msg("%s: %s", policies[i], c.err.text);
		assert_int_equal(w.wrong, 0);
		wkt_case_close(&c);
	}
}

/* ---- errors ---- */

/* The instant of the report: CPUs of other LLCs have lost their domains, ours still names them. */
static int wake_beside_lost_domains(struct wkt_case *c, const char *policy)
{
	wkt_case_open(c, "pack:1 numa:1 l3:4 core:2 pu:1", policy);
	wkt_case_workload(c, "hackbench:groups=2,fds=8,loops=100000");
	wkt_case_whole(c, 50 * MS);
	for (u32 i = 4; i < c->topo->nr_cids; i++)
		c->topo->cid[i].llc = WK_NONE;
	return wkt_case_run(c);
}

static void without_null_check_the_crash_is_an_error(void **state)
{
	struct wkt_case c;

	(void)state;
	assert_int_equal(wake_beside_lost_domains(&c, "sis_node+no_nullcheck"), -EINVAL);
	assert_non_null(strstr(c.err.text, "the kernel would crash"));
	assert_null(strchr(c.err.text, '\n'));
	wkt_case_close(&c);
}

static void with_null_check_it_goes_on(void **state)
{
	struct wkt_case c;

	(void)state;
	assert_int_equal(wake_beside_lost_domains(&c, "sis_node"), 0);
	wkt_case_close(&c);
}

/* A task that never sleeps does not keep its CPU. */
static void a_hog_leaves_a_cpu_that_goes(void **state)
{
	const struct wk_hotplug h = {.t_ns = 10 * MS, .cpu = 0};
	struct wk_build b;
	struct wkt_case c;
	struct wk_sim *s;

	(void)state;
	wkt_case_open(&c, "pack:1 core:2 pu:1", "tip");
	wk_build_init(&b, "hog", "", 0);
	wk_build_program(&b, wk_build_task(&b, NULL));
	wk_build_op(&b, WK_OP_RUN, 0, 0, 1000 * MS);
	wkt_case_take(&c, wk_build_finish(&b, &c.err));
	wkt_case_whole(&c, 1000 * MS);
	c.in.hotplug = &h;
	c.in.nr_hotplug = 1;
	s = wkt_step_open(&c);
	wkt_step_to(s, 9 * MS);
	assert_int_equal(s->thread[0].cpu, s->topo->cid_of[0]);
	wkt_step_to(s, 11 * MS);
	assert_int_equal(s->thread[0].cpu, s->topo->cid_of[1]);
	assert_int_equal(s->cpu[s->topo->cid_of[0]].phase, WK_PH_DOWN);
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void expect_refusal(const struct wk_hotplug *h, u32 nr, const char *text)
{
	struct wkt_case c;

	wkt_case_open(&c, "pack:1 core:2 pu:1", "tip");
	wkt_case_workload(&c, "hackbench:groups=1,fds=2,loops=100000");
	wkt_case_whole(&c, 10 * MS);
	c.in.hotplug = h;
	c.in.nr_hotplug = nr;
	assert_int_equal(wkt_case_run(&c), -EINVAL);
	if (!strstr(c.err.text, text) || strchr(c.err.text, '\n'))
		fail_msg("found '%s', expected '%s'", c.err.text, text);
	wkt_case_close(&c);
}

static void the_last_cpu_stays(void **state)
{
	const struct wk_hotplug h[] = {{.t_ns = MS, .cpu = 0}, {.t_ns = 2 * MS, .cpu = 1}};

	(void)state;
	expect_refusal(h, 2, "cpu 1: is the last one online");
}

static void a_cpu_that_does_not_exist_is_named(void **state)
{
	const struct wk_hotplug h = {.t_ns = MS, .cpu = 7};

	(void)state;
	expect_refusal(&h, 1, "cpu 7: no such CPU, expected 0 to 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_thread_is_lost_or_run_twice_in_a_million_events),
		cmocka_unit_test(no_thread_is_lost_with_sockets),
		cmocka_unit_test(no_thread_is_lost_with_timers_and_barriers),
		cmocka_unit_test(no_policy_chooses_a_cpu_that_is_gone),
		cmocka_unit_test(without_null_check_the_crash_is_an_error),
		cmocka_unit_test(with_null_check_it_goes_on),
		cmocka_unit_test(a_hog_leaves_a_cpu_that_goes),
		cmocka_unit_test(the_last_cpu_stays),
		cmocka_unit_test(a_cpu_that_does_not_exist_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
