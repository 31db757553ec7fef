// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's mutex: spin while the owner runs, sleep when it does not.
 *
 * Spinners stand in line (the MCS queue) and get the lock before sleepers; the
 * first sleeper is woken at every unlock and tries again, spinning if it can;
 * having been beaten once after a wake-up it demands a hand-off, and then the
 * next unlock gives the mutex to it and nobody else.
 */
#include "sim/internal.h"

static void take(struct wk_mutex *m, struct wk_thread *p)
{
	m->owner = p;
	p->held++;
	p->mutex = m;
	p->mutex_waiter = WK_MW_NONE;
}

static void go_to_sleep(struct wk_sim *s, struct wk_cpu *c, struct wk_mutex *m)
{
	struct wk_thread *p = c->curr;
	bool beaten = p->mutex_waiter == WK_MW_SLEEP;

	s->count->mutex_sleeps++;
	p->mutex = m;
	p->mutex_waiter = WK_MW_SLEEP;
	if (beaten) {
		wk_fifo_push_front(&m->sleepers, p);
		m->handoff = true;
	} else {
		wk_fifo_push(&m->sleepers, p);
	}
	wk_block(s, c, p->step);
}

static void spin(struct wk_sim *s, struct wk_cpu *c, struct wk_mutex *m)
{
	struct wk_thread *p = c->curr;

	p->mutex = m;
	if (p->mutex_waiter == WK_MW_SLEEP)
		wk_fifo_push_front(&m->spinners, p);
	else
		wk_fifo_push(&m->spinners, p);
	p->spin_slept = p->mutex_waiter == WK_MW_SLEEP;
	p->mutex_waiter = WK_MW_SPIN;
	c->spin_since_ns = s->now;
	wk_park(s, c, WK_PH_SPIN);
}

/* True: the current thread owns it. Else its step runs again once it should try again. */
bool wk_mutex_lock(struct wk_sim *s, struct wk_cpu *c, struct wk_mutex *m)
{
	struct wk_thread *p = c->curr;

	if (p->has_mutex) { /* it was handed over */
		p->has_mutex = 0;
		return true;
	}
	if (!m->owner) {
		take(m, p);
		return true;
	}
	if (p->mutex_waiter == WK_MW_NONE)
		s->count->mutex_contended++;
	if (m->owner->on_cpu && !c->need_resched && !m->handoff)
		spin(s, c, m);
	else
		go_to_sleep(s, c, m);
	return false;
}

static void stop_spinning(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	s->count->mutex_spin_ns += s->now - c->spin_since_ns;
	p->mutex_waiter = p->spin_slept ? WK_MW_SLEEP : WK_MW_NONE;
}

/* Its CPU goes on at once, or at the end of the interrupt it is in. */
static void grant_spinner(struct wk_sim *s, struct wk_mutex *m, struct wk_thread *p)
{
	struct wk_cpu *c = &s->cpu[p->cpu];

	stop_spinning(s, c, p);
	take(m, p);
	p->has_mutex = 1;
	if (c->in_irq)
		c->spin_granted = 1;
	else
		wk_seg_open(s, c, 0, wk_task_run);
}

void wk_mutex_unlock(struct wk_sim *s, struct wk_cpu *c, struct wk_mutex *m)
{
	struct wk_thread *p;

	m->owner->held--;
	m->owner->mutex = NULL;
	m->owner = NULL;
	if (m->handoff && m->sleepers.head) {
		p = wk_fifo_pop(&m->sleepers);
		m->handoff = false;
		take(m, p);
		p->has_mutex = 1;
		wk_wake_add(s, c, p, false);
		return;
	}
	m->handoff = false;
	p = wk_fifo_pop(&m->spinners);
	if (p)
		grant_spinner(s, m, p);
	p = wk_fifo_pop(&m->sleepers);
	if (p)
		wk_wake_add(s, c, p, false);
}

/* A spinner that must give way: it sleeps on the mutex (and its CPU runs something else). */
void wk_mutex_spin_end(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_thread *p = c->curr;
	struct wk_mutex *m = p->mutex;

	if (c->spin_granted) {
		c->spin_granted = 0;
		wk_task_run(s, c);
		return;
	}
	wk_fifo_remove(&m->spinners, p);
	stop_spinning(s, c, p);
	go_to_sleep(s, c, m);
}

/* Spinning for a thread that does not run is vain: all of them go to sleep. */
void wk_mutex_owner_off(struct wk_sim *s, struct wk_thread *owner)
{
	struct wk_mutex *m = owner->mutex;
	struct wk_thread *p;

	if (!m || m->owner != owner)
		return;
	for (p = m->spinners.head; p; p = p->next) {
		struct wk_cpu *c = &s->cpu[p->cpu];

		if (c->in_irq)
			c->need_resched = 1;
		else
			wk_seg(s, c, WK_SPIN_LOOK_NS, wk_mutex_spin_end);
	}
}
