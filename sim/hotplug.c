// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that go and come back. A CPU that goes is taken out of the active mask
 * first, its threads are moved, then the domains are rebuilt over who is left;
 * nothing that was queued or pushed is lost.
 */
#include <errno.h>

#include "sim/internal.h"

static struct wk_cpu *refuge(struct wk_sim *s, struct wk_thread *p)
{
	struct wk_range all = {0, s->nr_cpus};
	s32 to = wk_mask_first_and(&s->st.active, p->allowed, all);

	if (to < 0) { /* select_fallback_rq(): better anywhere than nowhere */
		p->allowed = NULL;
		p->nr_allowed = 0;
		to = wk_mask_first_and(&s->st.active, NULL, all);
	}
	return &s->cpu[to];
}

static void requeue(struct wk_sim *s, struct wk_cpu *from, struct wk_thread *p)
{
	struct wk_cpu *to = refuge(s, p);
	struct wk_enqueue how = {.migrated = true};

	wk_fair_dequeue(s, from, p, false);
	if (p->state == WK_TS_SLEEPING)
		return; /* it was kept for its lag only */
	wk_fair_detach(s, from, p);
	p->cpu = to->cid;
	s->count->migrations[wk_tier(s, from->cid, to->cid)]++;
	wk_fair_enqueue(s, to, p, how);
	if (wk_fair_preempts(s, to, p))
		wk_kick(s, from, to);
}

/* schedule() on a CPU that is to go: what it runs and what waits there moves elsewhere. */
void wk_hotplug_evict(struct wk_sim *s, struct wk_cpu *c)
{
	struct wk_tnode *n;

	if (c->curr && c->curr->state == WK_TS_RUNNABLE)
		c->push_to = (s32)refuge(s, c->curr)->cid;
	while ((n = wk_timeline_first(&c->queue)))
		requeue(s, c, WK_THREAD_OF(n));
}

/* Timers of the dying CPU go to one that lives. */
static void move_timers(struct wk_sim *s, struct wk_cpu *from)
{
	s32 heir = wk_mask_first_and(&s->st.active, NULL, (struct wk_range){0, s->nr_cpus});
	struct wk_tnode *n;

	while ((n = wk_timeline_first(&from->timers))) {
		wk_timeline_remove(&from->timers, n);
		WK_THREAD_OF_TIMER(n)->timer_cpu = (u32)heir;
		wk_timeline_insert(&s->cpu[heir].timers, n);
	}
	wk_rearm(s, &s->cpu[heir]);
}

/* Called by the CPU itself, idle and with nothing in hand. */
static void park_down(struct wk_sim *s, struct wk_cpu *c)
{
	wk_hotplug_evict(s, c);
	move_timers(s, c);
	c->need_resched = 0;
	c->tick_at = c->irq_at = WK_NEVER;
	wk_set_awake(s, c, false);
	wk_park(s, c, WK_PH_DOWN);
	wk_idle_sync(s, c);
}

/* After every idle entry and interrupt: is this CPU to go? */
bool wk_hotplug_leaves(struct wk_sim *s, struct wk_cpu *c)
{
	if (wk_mask_test(&s->st.active, c->cid) || c->in.head || wk_st(s, c)->pending ||
	    c->lock.holder || c->lock.head)
		return false;
	park_down(s, c);
	return true;
}

static int rebuild(struct wk_sim *s)
{
	struct wk_topo *topo;
	int err = wk_topo_rebuild(s->topo, s->in.machine, &s->pol, &s->st.active, &topo, s->err);

	if (err)
		return err;
	wk_topo_destroy(s->own_topo);
	s->own_topo = topo;
	s->topo = topo;
	for (u32 i = 0; i < topo->nr_llcs; i++)
		s->st.llc[i] = (struct wk_llc_state){.has_idle_core = 1,
						     .nr_idle_scan = topo->llc[i].weight};
	return 0;
}

static void go_down(struct wk_sim *s, struct wk_cpu *c)
{
	wk_mask_clear(&s->st.active, c->cid);
	if (c->curr)
		c->need_resched = 1;
	c->irq_at = s->now;
	wk_rearm(s, c);
}

static void come_up(struct wk_sim *s, struct wk_cpu *c)
{
	wk_mask_set(&s->st.active, c->cid);
	if (c->phase == WK_PH_DOWN)
		wk_idle_enter(s, c);
}

int wk_hotplug_apply(struct wk_sim *s, const struct wk_hotplug *h)
{
	s32 cid = h->cpu < s->topo->max_cpu ? s->topo->cid_of[h->cpu] : WK_NONE;
	u32 active;

	if (cid < 0) {
		wk_fail(s, "hotplug: cpu %u: no such CPU, expected 0 to %u", h->cpu,
			s->topo->max_cpu - 1);
		return -EINVAL;
	}
	active = wk_mask_count_and(&s->st.active, NULL, (struct wk_range){0, s->nr_cpus});
	if (!h->online && active == 1) {
		wk_fail(s, "hotplug: cpu %u: is the last one online, expected another to stay",
			h->cpu);
		return -EINVAL;
	}
	if (wk_mask_test(&s->st.active, (u32)cid) == h->online)
		return 0;
	if (h->online)
		come_up(s, &s->cpu[cid]);
	else
		go_down(s, &s->cpu[cid]);
	return rebuild(s);
}
