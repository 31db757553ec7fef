/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The start state. Under overload a run stays for long in the regime it began
 * in: batching (few wake-ups a message) or churn. So a cell is run from several
 * starts; only what a real machine could bring along is changed: the spread of
 * virtual runtimes and the search budgets that the last minute left behind.
 */
#include "sim/internal.h"

static void set_vruntime(struct wk_sim *s, struct wk_thread *p, u64 v)
{
	struct wk_cpu *rq = &s->cpu[p->cpu];

	if (p->on_rq && p != rq->curr)
		return; /* its place in the queue is being used */
	if (p->moved)
		v -= rq->min_vruntime;
	if (!s->eevdf)
		p->node.key = v;
}

static void spread(struct wk_sim *s, struct wk_thread *p)
{
	u64 span = s->latency_ns, v = s->cpu[p->cpu].min_vruntime;

	set_vruntime(s, p, v - span / 2 + wk_rng_below(&s->rng, span + 1));
	p->vlag = (s64)wk_rng_below(&s->rng, 2 * s->slice_ns + 1) - (s64)s->slice_ns;
}

static void level(struct wk_sim *s, struct wk_thread *p)
{
	set_vruntime(s, p, s->cpu[p->cpu].min_vruntime);
	p->vlag = 0;
}

void wk_start_apply(struct wk_sim *s)
{
	bool batch = s->in.start == WK_START_BATCH;

	if (s->in.start == WK_START_COLD)
		return;
	for (u32 i = 0; i < s->nr_threads; i++) {
		struct wk_thread *p = &s->thread[i];

		if (p->state == WK_TS_NEW || p->state == WK_TS_DEAD)
			continue;
		if (batch)
			spread(s, p);
		else
			level(s, p);
	}
	for (u32 i = 0; i < s->topo->nr_llcs; i++)
		s->st.llc[i].nr_idle_scan = batch ? s->topo->llc[i].weight : 0;
}
