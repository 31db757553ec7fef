// SPDX-License-Identifier: GPL-2.0-only
/* The fair classes: shares, credit, slices, lag, and the queue against a naive model. */
#include "tests/unit/sim/program.h"
#include "tests/unit/sim/stepper.h"

#define ONE_CPU "pack:1 core:1 pu:1"
#define NR_HOGS 5

static const u32 hog_weight[NR_HOGS] = {1024, 1024, 335, 3121, 655};

static u32 add_hog(struct wk_build *b, u32 weight)
{
	u32 task = wkt_task(b, weight, WK_NONE);

	wk_build_loop(b, 0);
	wk_build_op(b, WK_OP_RUN, 0, 0, MS);
	wk_build_end(b);
	return task;
}

/* Time by weight within 2 % of the whole over a second, and nobody starves. */
static void shares_go_by_weight(const char *policy)
{
	u64 weight = 0, total = 0, ran[NR_HOGS];
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;

	wkt_program_open(&c, ONE_CPU, policy, &b);
	for (u32 i = 0; i < NR_HOGS; i++)
		add_hog(&b, hog_weight[i]);
	wkt_program_take(&c, &b, 2000 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 200 * MS);
	for (u32 i = 0; i < NR_HOGS; i++)
		ran[i] = s->thread[i].sum_exec_ns;
	wkt_step_to(s, 1200 * MS);
	for (u32 i = 0; i < NR_HOGS; i++) {
		ran[i] = s->thread[i].sum_exec_ns - ran[i];
		total += ran[i];
		weight += hog_weight[i];
	}
	assert_true(total > 980 * MS && total <= 1020 * MS);
	for (u32 i = 0; i < NR_HOGS; i++) {
		u64 fair = total * hog_weight[i] / weight;
		u64 off = ran[i] > fair ? ran[i] - fair : fair - ran[i];

		if (off > total / 50)
			fail_msg("%s: weight %u got %llu us, expected %llu", policy, hog_weight[i],
				 (unsigned long long)ran[i] / 1000,
				 (unsigned long long)fair / 1000);
	}
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void cfs_shares_by_weight(void **state)
{
	(void)state;
	shares_go_by_weight("tip");
}

static void eevdf_shares_by_weight(void **state)
{
	(void)state;
	shares_go_by_weight("tip-7");
}

/* ---- one hog and one that sleeps ---- */

/* How long a task that sleeps @sleep_us and runs 100 us beside a hog waits, on average. */
static u64 mean_wait_ns(const char *policy, u64 sleep_us, u32 flags)
{
	struct wk_wtask proto = {
		.weight = 1024, .affinity = WK_NONE, .parent = WK_NONE, .flags = flags};
	struct wkt_case c;
	struct wk_build b;
	u64 mean;

	wkt_program_open(&c, ONE_CPU, policy, &b);
	add_hog(&b, 1024);
	wk_build_program(&b, wk_build_task(&b, &proto));
	wk_build_loop(&b, 0);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, sleep_us * US);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 100 * US);
	wk_build_end(&b);
	wkt_program_take(&c, &b, 1000 * MS);
	assert_int_equal(wkt_case_run(&c), 0);
	mean = c.res.count.wake_to_run_ns / c.res.count.wakeups;
	wkt_case_close(&c);
	return mean;
}

/*
 * Half a latency of credit is more than the wake-up granularity: the sleeper preempts at once. Its
 * very first turn is that of a new task, which waits for a tick of 4 ms.
 */
static void a_cfs_sleeper_preempts_a_hog(void **state)
{
	(void)state;
	assert_in_range(mean_wait_ns("tip", 20000, 0), 0, 200 * US);
}

/* SCHED_BATCH does not preempt: it waits until the tick finds that the hog has had its part. */
static void a_batch_task_waits_for_the_tick(void **state)
{
	(void)state;
	assert_in_range(mean_wait_ns("tip", 20000, WK_WTASK_BATCH), MS, 30 * MS);
}

/* A slice is at least the granularity: two hogs change at ticks, not at each wake-up. */
static void two_hogs_change_by_the_tick(const char *policy, u64 least, u64 most)
{
	struct wkt_case c;
	struct wk_build b;

	wkt_program_open(&c, ONE_CPU, policy, &b);
	add_hog(&b, 1024);
	add_hog(&b, 1024);
	wkt_program_take(&c, &b, 1000 * MS);
	assert_int_equal(wkt_case_run(&c), 0);
	assert_in_range(c.res.count.preemptions, least, most);
	wkt_case_close(&c);
}

static void cfs_gives_each_hog_its_part_of_the_latency(void **state)
{
	(void)state;
	/* latency 6 ms on one CPU: 3 ms each, met by a tick of 4 ms */
	two_hogs_change_by_the_tick("tip", 1000 / 9, 1000 / 4);
}

static void eevdf_runs_to_parity(void **state)
{
	(void)state;
	/* base slice about 3 ms, met by the next tick */
	two_hogs_change_by_the_tick("tip-7", 1000 / 12, 1000 / 3);
}

/* ---- EEVDF ---- */

/* A thread that sleeps in debt stays queued (nr_running counts it) until the debt is paid. */
static void eevdf_keeps_a_sleeper_that_is_in_debt(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u32 delayed = 0;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip-7", &b);
	add_hog(&b, 1024);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 0);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, MS);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 2 * MS);
	wk_build_end(&b);
	wkt_program_take(&c, &b, 1000 * MS);
	s = wkt_step_open(&c);
	for (u32 i = 0; i < 20000; i++) {
		wkt_step_event(s);
		if (!s->thread[1].delayed)
			continue;
		delayed++;
		assert_true(s->thread[1].on_rq);
		assert_int_equal(s->st.cpu[0].nr_running,
				 s->cpu[0].queue.nr + (s->cpu[0].curr ? 1 : 0));
	}
	assert_true(delayed > 0);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* Lag is kept: a sleeper whose sleeps are short gets no more than its half. */
static void eevdf_gives_no_credit_for_short_sleeps(void **state)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u64 hog, sleeper;

	(void)state;
	wkt_program_open(&c, ONE_CPU, "tip-7", &b);
	add_hog(&b, 1024);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_loop(&b, 0);
	wk_build_op(&b, WK_OP_RUN, 0, 0, 900 * US);
	wk_build_op(&b, WK_OP_SLEEP, 0, 0, 200 * US);
	wk_build_end(&b);
	wkt_program_take(&c, &b, 3000 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 2000 * MS);
	hog = s->thread[0].sum_exec_ns;
	sleeper = s->thread[1].sum_exec_ns;
	assert_in_range(sleeper * 100 / (hog + sleeper), 35, 53);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* Twenty of them: each runs in every stretch of half a second. */
static void nobody_starves(const char *policy)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u64 before[20];

	wkt_program_open(&c, ONE_CPU, policy, &b);
	for (u32 i = 0; i < 20; i++) {
		wkt_task(&b, i % 3 ? 1024 : 110, WK_NONE);
		wk_build_loop(&b, 0);
		wk_build_op(&b, WK_OP_RUN, 50, 0, 300 * US);
		if (i & 1)
			wk_build_op(&b, WK_OP_SLEEP, 50, 0, 500 * US);
		wk_build_end(&b);
	}
	wkt_program_take(&c, &b, 10000 * MS);
	s = wkt_step_open(&c);
	wkt_step_to(s, 500 * MS);
	for (u64 t = 1000; t < 6000; t += 2000) {
		for (u32 i = 0; i < 20; i++)
			before[i] = s->thread[i].sum_exec_ns;
		wkt_step_to(s, (t + 1500) * MS);
		for (u32 i = 0; i < 20; i++)
			if (s->thread[i].sum_exec_ns == before[i])
				fail_msg("%s: task %u did not run from %llu ms on", policy, i,
					 (unsigned long long)t);
	}
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void nobody_starves_under_cfs(void **state)
{
	(void)state;
	nobody_starves("tip");
}

static void nobody_starves_under_eevdf(void **state)
{
	(void)state;
	nobody_starves("tip-7");
}

/* ---- what is picked, against a walk over the queue ---- */

static const struct wk_thread *naive_cfs(const struct wk_cpu *rq)
{
	const struct wk_thread *best = NULL;

	for (struct wk_tnode *n = wk_timeline_first(&rq->queue); n; n = wk_timeline_next(n))
		if (!best || (s64)(n->key - best->node.key) < 0)
			best = WK_THREAD_OF(n);
	return best;
}

/* The average in 128 bits, from all of the queue. */
static const struct wk_thread *naive_eevdf(const struct wk_cpu *rq)
{
	const struct wk_thread *best = NULL;
	__int128 sum = 0, weight = 0;

	if (rq->curr) {
		weight = rq->curr->task.weight;
		sum = (__int128)(s64)(rq->curr->node.key - rq->min_vruntime) * weight;
	}
	for (struct wk_tnode *n = wk_timeline_first(&rq->queue); n; n = wk_timeline_next(n)) {
		sum += (__int128)(s64)(n->key - rq->min_vruntime) * WK_THREAD_OF(n)->task.weight;
		weight += WK_THREAD_OF(n)->task.weight;
	}
	for (struct wk_tnode *n = wk_timeline_first(&rq->queue); n; n = wk_timeline_next(n)) {
		if ((__int128)(s64)(n->key - rq->min_vruntime) * weight > sum)
			continue;
		if (!best || (s64)(n->aux - best->node.aux) < 0)
			best = WK_THREAD_OF(n);
	}
	return best;
}

static void the_pick_is_the_naive_one(const char *policy)
{
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u32 looked = 0;

	wkt_program_open(&c, "pack:1 core:2 pu:1", policy, &b);
	for (u32 i = 0; i < 12; i++) {
		wkt_task(&b, 100 + 300 * i, WK_NONE);
		wk_build_loop(&b, 0);
		wk_build_op(&b, WK_OP_RUN, 90, 0, 400 * US);
		wk_build_op(&b, WK_OP_SLEEP, 90, 0, 600 * US);
		wk_build_end(&b);
	}
	wkt_program_take(&c, &b, 10000 * MS);
	s = wkt_step_open(&c);
	for (u32 i = 0; i < 100000; i++) {
		struct wk_cpu *rq = &s->cpu[i & 1];
		const struct wk_thread *naive;

		wkt_step_event(s);
		if (rq->queue.nr < 2 || rq->last_buddy)
			continue;
		naive = s->eevdf ? naive_eevdf(rq) : naive_cfs(rq);
		if (!naive ||
		    naive->delayed) /* nobody else is eligible, or the pick would change it */
			continue;
		if (wk_fair_pick(s, rq) != naive)
			fail_msg("%s: event %u: not the one expected", policy, i);
		looked++;
	}
	assert_true(looked > 10000);
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void cfs_picks_the_smallest_vruntime(void **state)
{
	(void)state;
	the_pick_is_the_naive_one("tip");
}

static void eevdf_picks_the_earliest_deadline_of_those_eligible(void **state)
{
	(void)state;
	the_pick_is_the_naive_one("tip-7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cfs_shares_by_weight),
		cmocka_unit_test(eevdf_shares_by_weight),
		cmocka_unit_test(a_cfs_sleeper_preempts_a_hog),
		cmocka_unit_test(a_batch_task_waits_for_the_tick),
		cmocka_unit_test(cfs_gives_each_hog_its_part_of_the_latency),
		cmocka_unit_test(eevdf_runs_to_parity),
		cmocka_unit_test(eevdf_keeps_a_sleeper_that_is_in_debt),
		cmocka_unit_test(eevdf_gives_no_credit_for_short_sleeps),
		cmocka_unit_test(nobody_starves_under_cfs),
		cmocka_unit_test(nobody_starves_under_eevdf),
		cmocka_unit_test(cfs_picks_the_smallest_vruntime),
		cmocka_unit_test(eevdf_picks_the_earliest_deadline_of_those_eligible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
