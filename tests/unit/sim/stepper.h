/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A simulation that stops now and then, to be looked at from inside.
 *
 * sim.c has no step function, and the product needs none. So the test takes the file in whole: its
 * static functions become the test's, and the library's own copy is not linked, as nothing asks
 * for it.
 */
#ifndef WK_TESTS_SIM_STEPPER_H
#define WK_TESTS_SIM_STEPPER_H

#include "sim/sim.c"

#include "tests/support/test.h"
#include "tests/unit/sim/case.h"

/* As wk_sim_run() begins. The caller ends with wkt_step_close(). */
static inline struct wk_sim *wkt_step_open(struct wkt_case *c)
{
	struct wk_sim *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(check_input(&c->in, &c->err), 0);
	s->in = c->in;
	s->topo = c->in.topo;
	s->cost = c->in.cost;
	s->pol = *c->in.policy;
	s->ret = &c->res;
	s->err = &c->err;
	assert_int_equal(set_up(s), 0);
	return s;
}

/* Until simulated time @ns; false when the run is over. */
static inline bool wkt_step_to(struct wk_sim *s, u64 ns)
{
	s->end_ns = ns;
	run(s);
	return !s->failed && !s->ret->finished;
}

/* Exactly one event, without slices or hotplug. */
static inline void wkt_step_event(struct wk_sim *s)
{
	u32 cid = wk_events_first(&s->ev);

	s->now = wk_events_time(&s->ev, cid);
	s->count->events++;
	wk_cpu_event(s, &s->cpu[cid]);
}

static inline void wkt_step_close(struct wk_sim *s)
{
	tear_down(s);
	free(s);
}

/* ---- what has to hold between any two events ---- */

#define wkt_holds(s, condition, who)                                                         \
	do {                                                                                 \
		if (!(condition))                                                            \
			fail_msg("at %llu ns, %u: not so: %s", (unsigned long long)(s)->now, \
				 (unsigned)(who), #condition);                               \
	} while (0)

static inline void wkt_check_queue(const struct wk_sim *s, const struct wk_cpu *c)
{
	u64 weight = 0;
	s64 sum = 0;

	wkt_holds(s, wk_timeline_check(&c->queue), c->cid);
	wkt_holds(s, wk_timeline_check(&c->timers), c->cid);
	for (struct wk_tnode *n = wk_timeline_first(&c->queue); n; n = wk_timeline_next(n)) {
		const struct wk_thread *p = WK_THREAD_OF(n);

		weight += p->task.weight;
		sum += (s64)(n->key - c->min_vruntime) * (s64)p->task.weight;
		wkt_holds(s, p != c->curr && p->on_rq && p->cpu == c->cid, p->id);
		wkt_holds(s, p->state == WK_TS_RUNNABLE || p->delayed, p->id);
	}
	wkt_holds(s, weight == c->queue_weight, c->cid);
	wkt_holds(s, sum == c->queue_sum_wv, c->cid);
	wkt_holds(s, s->st.cpu[c->cid].nr_running == c->queue.nr + (c->curr ? 1 : 0), c->cid);
}

static inline void wkt_check_cpu(const struct wk_sim *s, const struct wk_cpu *c)
{
	const struct wk_cpu_state *st = &s->st.cpu[c->cid];
	bool idle = c->phase != WK_PH_DOWN && c->on_idle && !st->nr_running && !st->pending;

	wkt_holds(s, wk_events_time(&s->ev, c->cid) >= s->now, c->cid);
	wkt_holds(s, c->seen_idle == idle, c->cid);
	wkt_holds(s, wk_mask_test(&s->st.idle, c->cid) == c->seen_idle, c->cid);
	wkt_holds(s, !c->curr || c->curr->cpu == c->cid, c->cid);
	wkt_holds(s, !c->curr || c->curr->on_cpu, c->cid);
	wkt_holds(s, !c->in.head == !st->pending, c->cid);
	wkt_holds(s, wk_mask_test(&s->overloaded, c->cid) == (st->nr_running >= 2), c->cid);
	wkt_holds(s, c->phase != WK_PH_DOWN || (!st->nr_running && !c->curr && !c->in.head),
		  c->cid);
	wkt_holds(s, !c->lock.head || c->lock.holder, c->cid);
	wkt_check_queue(s, c);
}

/* A core's bit says that each of its threads that are online is idle. */
static inline void wkt_check_core(const struct wk_sim *s, u32 cid)
{
	const struct wk_silicon *sil = &s->topo->sil[cid];

	if (!wk_mask_test(&s->st.idle_core, sil->core_first))
		return;
	wkt_holds(s, s->cpu[cid].seen_idle || !wk_topo_online(s->topo, cid), cid);
}

/* Every thread is where its state says, and nowhere else. */
static inline void wkt_check_threads(const struct wk_sim *s)
{
	u32 *running = calloc(s->nr_threads, sizeof(u32)),
	    *waking = calloc(s->nr_threads, sizeof(u32));
	u32 alive = 0;

	for (u32 i = 0; i < s->nr_cpus; i++) {
		const struct wk_cpu *c = &s->cpu[i];

		if (c->curr)
			running[c->curr->id]++;
		if (c->waking)
			waking[c->waking->id]++;
		for (const struct wk_thread *p = c->in.head; p; p = p->next)
			waking[p->id]++;
	}
	for (u32 i = 0; i < s->nr_threads; i++) {
		const struct wk_thread *p = &s->thread[i];

		alive += p->state != WK_TS_DEAD;
		wkt_holds(s, running[i] <= 1, i);
		wkt_holds(s, p->state != WK_TS_WAKING || waking[i] == 1, i);
		wkt_holds(s, !p->on_rq || running[i] || s->cpu[p->cpu].queue.nr, i);
		wkt_holds(s, p->state != WK_TS_RUNNABLE || p->on_rq || (p->moved && p->on_cpu), i);
		wkt_holds(s, !p->on_rq || p->state != WK_TS_SLEEPING || p->delayed, i);
	}
	wkt_holds(s, alive == s->nr_alive, 0);
	free(running);
	free(waking);
}

static inline void wkt_check_sim(const struct wk_sim *s)
{
	u32 idle = 0, overloaded = 0;

	for (u32 i = 0; i < s->nr_cpus; i++) {
		wkt_check_cpu(s, &s->cpu[i]);
		wkt_check_core(s, i);
		idle += s->cpu[i].seen_idle;
		overloaded += s->st.cpu[i].nr_running >= 2;
	}
	wkt_holds(s, idle == s->nr_idle_cpus, 0);
	wkt_holds(s, overloaded == s->nr_overloaded, 0);
	wkt_check_threads(s);
}

#endif
