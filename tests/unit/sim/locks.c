// SPDX-License-Identifier: GPL-2.0-only
/* The run-queue lock and the kernel's mutex. */
#include "tests/unit/sim/program.h"
#include "tests/unit/sim/stepper.h"

/* ---- the run-queue lock: idle CPUs of a machine where nothing else happens ---- */

#define HOLD_NS 1000

static struct {
	u32 cid[16];
	u64 t_ns[16];
	u32 nr;
} taken;

static struct wk_cpu *contended; /* whose run queue they all want */

static void release(struct wk_sim *s, struct wk_cpu *c)
{
	wk_rq_unlock(s, contended);
	wk_park(s, c, WK_PH_IDLE);
}

static void got_it(struct wk_sim *s, struct wk_cpu *c)
{
	taken.cid[taken.nr] = c->cid;
	taken.t_ns[taken.nr++] = s->now;
	wk_seg(s, c, HOLD_NS, release);
}

static struct wk_sim *open_idle(struct wkt_case *c)
{
	struct wk_build b;
	struct wk_sim *s;

	wkt_program_open(c, "epyc-zen3-2s-128c:nps1", "tip", &b);
	wkt_task(&b, 1024, WK_NONE);
	wk_build_op(&b, WK_OP_RUN, 0, 0, US);
	wkt_program_take(c, &b, 1000 * MS);
	s = wkt_step_open(c);
	while (wk_events_first_time(&s->ev) != WK_NEVER)
		wkt_step_event(s);
	contended = &s->cpu[0];
	memset(&taken, 0, sizeof(taken));
	return s;
}

static void waiters_get_the_run_queue_lock_in_order_of_arrival(void **state)
{
	static const u32 order[] = {17, 3, 200, 96, 2, 130};
	struct wkt_case c;
	struct wk_sim *s = open_idle(&c);

	(void)state;
	for (u32 i = 0; i < 6; i++)
		wk_rq_lock(s, &s->cpu[order[i]], contended, got_it);
	while (taken.nr < 6)
		wkt_step_event(s);
	for (u32 i = 0; i < 6; i++)
		assert_int_equal(taken.cid[i], order[i]);
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void a_hand_over_costs_the_tier_between_the_holders(void **state)
{
	static const u32 order[] = {0, 1, 2, 200, 201};
	struct wkt_case c;
	struct wk_sim *s = open_idle(&c);

	(void)state;
	for (u32 i = 0; i < 5; i++)
		wk_rq_lock(s, &s->cpu[order[i]], contended, got_it);
	while (taken.nr < 5)
		wkt_step_event(s);
	for (u32 i = 1; i < 5; i++) {
		u32 tier = wk_tier(s, order[i - 1], order[i]);

		assert_int_equal(taken.t_ns[i] - taken.t_ns[i - 1], HOLD_NS + c.cost.tier_ns[tier]);
	}
	assert_int_equal(wk_tier(s, 0, 1), WK_TIER_SMT);
	assert_int_equal(wk_tier(s, 2, 200), WK_TIER_MACHINE);
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void waiting_for_the_lock_is_counted(void **state)
{
	struct wkt_case c;
	struct wk_sim *s = open_idle(&c);
	u64 contended_before = s->count->lock_contended, taken_before = s->count->lock_acquired;
	u64 wait_before = s->count->lock_wait_ns;

	(void)state;
	for (u32 i = 0; i < 3; i++)
		wk_rq_lock(s, &s->cpu[i], contended, got_it);
	while (taken.nr < 3)
		wkt_step_event(s);
	assert_int_equal(s->count->lock_acquired - taken_before, 3);
	assert_int_equal(s->count->lock_contended - contended_before, 2);
	assert_int_equal(s->count->lock_wait_ns - wait_before,
			 3 * HOLD_NS + 2 * c.cost.tier_ns[WK_TIER_SMT] +
				 c.cost.tier_ns[WK_TIER_LLC]);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/* ---- the mutex of a pipe ---- */

/* @nr tasks that write and read one pipe, so that its mutex is always wanted. */
static void open_crowd(struct wkt_case *c, const char *policy, u32 nr, u32 times)
{
	struct wk_build b;

	wkt_program_open(c, "pack:1 core:4 pu:1", policy, &b);
	wk_build_obj(&b, WK_OBJ_PIPE, 0, 0);
	for (u32 i = 0; i < nr; i++) {
		wkt_task(&b, 1024, WK_NONE);
		wk_build_loop(&b, times);
		wk_build_op(&b, WK_OP_WRITE, 0, 0, 100);
		wk_build_op(&b, WK_OP_READ, 0, 0, 100);
		wk_build_op(&b, WK_OP_COUNT, 0, 0, 1);
		wk_build_end(&b);
	}
	wkt_program_take(c, &b, 3600 * 1000 * MS);
}

static void nobody_waits_for_a_mutex_for_ever(const char *policy)
{
	struct wkt_case c;

	open_crowd(&c, policy, 2000, 10);
	if (wkt_case_run(&c))
		fail_msg("%s: %s", policy, c.err.text);
	assert_true(c.res.finished);
	assert_int_equal(c.res.count.messages, 20000);
	assert_true(c.res.count.mutex_contended > 0);
	wkt_case_close(&c);
}

static void thousands_of_lock_users_on_four_cpus_all_finish(void **state)
{
	(void)state;
	nobody_waits_for_a_mutex_for_ever("tip");
	nobody_waits_for_a_mutex_for_ever("tip-7");
}

/* The owner runs as long as others spin for it; who spins is on a CPU that does nothing else. */
static void check_spinners(const struct wk_sim *s, const struct wk_mutex *m)
{
	for (const struct wk_thread *p = m->spinners.head; p; p = p->next) {
		const struct wk_cpu *c = &s->cpu[p->cpu];

		wkt_holds(s, m->owner, p->id);
		wkt_holds(s, c->curr == p, p->id);
		wkt_holds(s, c->phase == WK_PH_SPIN || c->in_irq || !m->owner->on_cpu, p->id);
		wkt_holds(s, p->mutex == m && p->mutex_waiter == WK_MW_SPIN, p->id);
	}
	for (const struct wk_thread *p = m->sleepers.head; p; p = p->next)
		wkt_holds(s, m->owner || s->now, p->id);
}

static void spinners_spin_only_for_an_owner(void **state)
{
	struct wkt_case c;
	struct wk_sim *s;

	(void)state;
	open_crowd(&c, "tip", 50, 200);
	s = wkt_step_open(&c);
	for (u32 i = 0; i < 300000 && s->nr_alive; i++) {
		wkt_step_event(s);
		check_spinners(s, &s->obj[0].chan.mutex);
	}
	assert_true(s->count->mutex_spin_ns > 0);
	wkt_step_close(s);
	wkt_case_close(&c);
}

/*
 * The mutex itself, called as a pipe does: thread 0 owns it, 1 spins, 2 sleeps. An unlock gives it
 * to the spinner, and wakes the sleeper to try again.
 */
static void an_unlock_prefers_the_spinner_and_wakes_the_sleeper(void **state)
{
	struct wkt_case c;
	struct wk_mutex m = {0};
	struct wk_thread *p;
	struct wk_sim *s;

	(void)state;
	open_crowd(&c, "tip", 3, 1);
	s = wkt_step_open(&c);
	p = s->thread;
	for (u32 i = 0; i < 3; i++) {
		p[i].cpu = i;
		p[i].state = WK_TS_SLEEPING;
		s->cpu[i].curr = i < 2 ? &p[i] : NULL;
		p[i].on_cpu = i < 2;
	}
	assert_true(wk_mutex_lock(s, &s->cpu[0], &m));
	assert_false(wk_mutex_lock(s, &s->cpu[1], &m));
	assert_int_equal(s->cpu[1].phase, WK_PH_SPIN);
	wk_fifo_push(&m.sleepers, &p[2]);
	p[2].mutex_waiter = WK_MW_SLEEP;
	wk_mutex_unlock(s, &s->cpu[0], &m);
	assert_ptr_equal(m.owner, &p[1]);
	assert_true(p[1].has_mutex);
	assert_int_equal(s->cpu[1].phase, WK_PH_OPEN);
	assert_int_equal(s->cpu[0].out.nr, 1);
	assert_ptr_equal(s->cpu[0].out.at[s->cpu[0].out.head].thread, &p[2]);
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void a_demanded_hand_off_goes_to_the_first_sleeper(void **state)
{
	struct wkt_case c;
	struct wk_mutex m = {0};
	struct wk_thread *p;
	struct wk_sim *s;

	(void)state;
	open_crowd(&c, "tip", 3, 1);
	s = wkt_step_open(&c);
	p = s->thread;
	s->cpu[0].curr = &p[0];
	assert_true(wk_mutex_lock(s, &s->cpu[0], &m));
	wk_fifo_push(&m.spinners, &p[1]);
	wk_fifo_push(&m.sleepers, &p[2]);
	m.handoff = true;
	wk_mutex_unlock(s, &s->cpu[0], &m);
	assert_ptr_equal(m.owner, &p[2]);
	assert_true(p[2].has_mutex);
	assert_false(m.handoff);
	assert_ptr_equal(m.spinners.head, &p[1]);
	s->cpu[0].curr = NULL;
	wkt_step_close(s);
	wkt_case_close(&c);
}

static void a_spinner_gives_up_when_the_owner_is_switched_out(void **state)
{
	struct wkt_case c;
	struct wk_mutex m = {0};
	struct wk_thread *p;
	struct wk_sim *s;

	(void)state;
	open_crowd(&c, "tip", 2, 1);
	s = wkt_step_open(&c);
	p = s->thread;
	for (u32 i = 0; i < 2; i++) {
		p[i].cpu = i;
		p[i].on_cpu = 1;
		s->cpu[i].curr = &p[i];
	}
	assert_true(wk_mutex_lock(s, &s->cpu[0], &m));
	assert_false(wk_mutex_lock(s, &s->cpu[1], &m));
	p[0].on_cpu = 0;
	wk_mutex_owner_off(s, &p[0]);
	assert_int_not_equal(s->cpu[1].phase, WK_PH_SPIN);
	s->cpu[0].curr = s->cpu[1].curr = NULL;
	wkt_step_close(s);
	wkt_case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waiters_get_the_run_queue_lock_in_order_of_arrival),
		cmocka_unit_test(a_hand_over_costs_the_tier_between_the_holders),
		cmocka_unit_test(waiting_for_the_lock_is_counted),
		cmocka_unit_test(thousands_of_lock_users_on_four_cpus_all_finish),
		cmocka_unit_test(spinners_spin_only_for_an_owner),
		cmocka_unit_test(an_unlock_prefers_the_spinner_and_wakes_the_sleeper),
		cmocka_unit_test(a_demanded_hand_off_goes_to_the_first_sleeper),
		cmocka_unit_test(a_spinner_gives_up_when_the_owner_is_switched_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
