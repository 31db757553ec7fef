// SPDX-License-Identifier: GPL-2.0-only
/*
 * EEVDF: of the threads that are owed time (vruntime not past the average), the
 * one with the earliest virtual deadline.
 *
 *      average V = min + sum(w (v - min)) / sum(w)      lag = V - v
 *
 * A thread keeps its lag across a sleep. One that sleeps with negative lag stays
 * queued until the debt is gone (delayed dequeue). The running one is left alone
 * until its slice ends or it stops being eligible (RUN_TO_PARITY).
 */
#include "sim/fair.h"

/* Of everything on @rq, the running thread included. */
static u64 average(const struct wk_cpu *rq)
{
	s64 sum = rq->queue_sum_wv, weight = (s64)rq->queue_weight;

	if (rq->curr) {
		sum += (s64)(rq->curr->node.key - rq->min_vruntime) * (s64)rq->curr->task.weight;
		weight += rq->curr->task.weight;
	}
	if (!weight)
		return rq->min_vruntime;
	if (sum < 0)
		sum -= weight - 1; /* round down */
	return rq->min_vruntime + (u64)(sum / weight);
}

static bool eligible(const struct wk_cpu *rq, const struct wk_thread *p)
{
	return (s64)(average(rq) - p->node.key) >= 0;
}

static s64 clamp_lag(const struct wk_sim *s, const struct wk_thread *p, s64 lag)
{
	s64 limit = (s64)wk_fair_vtime(2 * s->slice_ns > s->tick_ns ? 2 * s->slice_ns : s->tick_ns,
				       p->task.weight);

	return lag > limit ? limit : lag < -limit ? -limit : lag;
}

/* Time asleep earns nothing: what stayed behind delayed keeps no positive lag (DELAY_ZERO). */
void wk_eevdf_save_lag(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	p->vlag = clamp_lag(s, p, (s64)(average(rq) - p->node.key));
	if (p->delayed && p->vlag > 0)
		p->vlag = 0;
}

/*
 * Joining moves the average by the joiner's own lag; scaling the lag up first
 * leaves it with the lag it had: l' = l (W + w) / W.
 */
void wk_eevdf_place(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, bool fork)
{
	u64 slice = wk_fair_vtime(s->slice_ns, p->task.weight);
	s64 weight = (s64)rq->queue_weight, lag = fork ? 0 : p->vlag;

	if (rq->curr)
		weight += rq->curr->task.weight;
	if (weight)
		lag = lag * (weight + p->task.weight) / weight;
	else
		lag = 0;
	p->node.key = average(rq) - (u64)lag;
	p->node.aux = p->node.key + (fork ? slice / 2 : slice);
}

void wk_eevdf_protect(struct wk_thread *p)
{
	p->protected_until = p->node.aux;
}

/* The running thread used up its slice: a new deadline, and others may go. */
void wk_eevdf_deadline(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *curr)
{
	if ((s64)(curr->node.key - curr->node.aux) < 0)
		return;
	curr->node.aux = curr->node.key + wk_fair_vtime(s->slice_ns, curr->task.weight);
	curr->protected_until = curr->node.key;
	if (rq->queue.nr)
		rq->slice_over = 1;
}

bool wk_eevdf_delays(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	(void)s;
	return rq->queue.nr && !eligible(rq, p);
}

static bool keeps_running(const struct wk_cpu *rq, const struct wk_thread *curr)
{
	return curr && eligible(rq, curr) && (s64)(curr->node.key - curr->protected_until) < 0;
}

static struct wk_thread *best_queued(const struct wk_cpu *rq)
{
	struct wk_tnode *n = wk_timeline_best_eligible(&rq->queue, average(rq));

	if (!n)
		n = wk_timeline_first(&rq->queue);
	return n ? WK_THREAD_OF(n) : NULL;
}

/* A delayed thread that is picked has paid its debt: it leaves, and the next is looked for. */
struct wk_thread *wk_eevdf_pick(struct wk_sim *s, struct wk_cpu *rq)
{
	struct wk_thread *p;

	while ((p = best_queued(rq)) && p->delayed)
		wk_fair_dequeue(s, rq, p, false);
	return p;
}

bool wk_eevdf_preempts(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	const struct wk_thread *best;

	if (p->spec->flags & WK_WTASK_BATCH)
		return false;
	wk_fair_update_curr(s, rq);
	if (keeps_running(rq, rq->curr))
		return false;
	best = best_queued(rq);
	if (best != p)
		return false;
	return !eligible(rq, rq->curr) || (s64)(p->node.aux - rq->curr->node.aux) < 0;
}

bool wk_eevdf_tick(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	bool over = rq->slice_over;

	(void)s;
	rq->slice_over = 0;
	return over || !eligible(rq, p);
}

/*
 * Woken before it left: it goes on from where it stood, with no lag to its name if that was
 * positive.
 */
void wk_fair_undelay(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p)
{
	wk_fair_update_curr(s, rq);
	if (p != rq->curr) {
		p->queue_ns = s->now;
		if ((s64)(average(rq) - p->node.key) > 0)
			wk_fair_requeue(s, rq, p, average(rq));
	}
	wk_st(s, rq)->nr_delayed -= p->delayed;
	p->delayed = 0;
}
