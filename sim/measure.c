// SPDX-License-Identifier: GPL-2.0-only
/*
 * When to measure, and what is printed.
 *
 * Time is cut in slices. The window begins once the tasks have all started, the
 * least warm-up has passed and wake-ups per message and the idle share are flat
 * over the last slices; at four times the warm-up it begins regardless and the
 * run is marked as not settled. Nothing is judged by the slices of the window
 * itself: intervals come from independent starts (lab/).
 */
#include <stdlib.h>

#include "sim/measure.h"

#define SLICES_A_WARMUP 32
#define FLAT_PCT	15

static u64 max_u64(u64 a, u64 b)
{
	return a > b ? a : b;
}

void wk_measure_init(struct wk_sim *s)
{
	const struct wk_workload *w = s->in.workload;
	struct wk_measure *m = calloc(1, sizeof(*m));

	s->measure = m;
	if (!m)
		return;
	m->slot_begin = calloc(w->nr_slots ? w->nr_slots : 1, sizeof(u64));
	m->warmup_ns = s->in.warmup_ns ? s->in.warmup_ns : w->warmup_ns;
	m->window_ns = s->in.window_ns ? s->in.window_ns : w->min_window_ns;
	m->slice_ns = max_u64(m->warmup_ns / SLICES_A_WARMUP, 100000);
	m->next_ns = m->slice_ns;
	m->window_end_ns = WK_NEVER;
	m->half_ns = WK_NEVER;
	s->count = &m->warm;
}

void wk_measure_destroy(struct wk_sim *s)
{
	if (s->measure)
		free(s->measure->slot_begin);
	free(s->measure);
}

u64 wk_measure_next(const struct wk_sim *s)
{
	return s->measure->next_ns;
}

/* ---- integrals over time ---- */

static void integrate(struct wk_sim *s)
{
	u64 dt = s->now - s->idle_noted_ns;
	u32 both = s->nr_idle_cpus < s->nr_waiting ? s->nr_idle_cpus : s->nr_waiting;

	s->idle_noted_ns = s->now;
	s->count->idle_ns += dt * s->nr_idle_cpus;
	s->count->idle_while_waiting_ns += dt * both;
}

void wk_note_idle(struct wk_sim *s, u32 cid, int change)
{
	if (s->bound && !wk_mask_test(s->bound, cid))
		return;
	integrate(s);
	s->nr_idle_cpus += (u32)change;
}

void wk_note_waiting(struct wk_sim *s, int change)
{
	integrate(s);
	s->nr_waiting += (u32)change;
}

void wk_note_woken(struct wk_sim *s, struct wk_thread *p)
{
	(void)p;
	s->count->wakeups++;
}

/* What was counted while the tasks were created belongs to nobody. */
static void forget_start(struct wk_sim *s)
{
	integrate(s);
	s->measure->warm = (struct wk_sim_counts){0};
	s->measure->last = (struct wk_slice){0};
	for (u32 i = 0; i < s->in.workload->nr_slots; i++)
		s->measure->slot_begin[i] = s->slot[i];
}

void wk_note_mark(struct wk_sim *s)
{
	if (s->marks_due && --s->marks_due == 0) {
		s->mark_ns = s->now;
		forget_start(s);
		wk_start_apply(s);
	}
}

/* ---- slices ---- */

static struct wk_slice totals(const struct wk_sim *s)
{
	return (struct wk_slice){s->count->wakeups, s->count->messages, s->count->idle_ns};
}

static struct wk_slice minus(struct wk_slice a, struct wk_slice b)
{
	return (struct wk_slice){a.wakeups - b.wakeups, a.messages - b.messages,
				 a.idle_ns - b.idle_ns};
}

static struct wk_slice sum(const struct wk_measure *m, u32 first, u32 len)
{
	struct wk_slice t = {0};

	for (u32 i = first; i < first + len; i++) {
		const struct wk_slice *x = &m->slice[(m->nr + i) % WK_SLICES];

		t.wakeups += x->wakeups;
		t.messages += x->messages;
		t.idle_ns += x->idle_ns;
	}
	return t;
}

/* a / b against c / d, as percent of the larger, without dividing. */
static bool near(u64 a, u64 b, u64 c, u64 d)
{
	unsigned __int128 x = (unsigned __int128)a * d, y = (unsigned __int128)c * b;
	unsigned __int128 hi = x > y ? x : y, lo = x > y ? y : x;

	return (hi - lo) * 100 <= hi * FLAT_PCT;
}

static bool flat(const struct wk_sim *s, struct wk_slice a, u64 a_ns, struct wk_slice b, u64 b_ns)
{
	u64 all_a = a_ns * s->nr_usable, all_b = b_ns * s->nr_usable;

	if (!a.messages != !b.messages)
		return false;
	if (a.messages && !near(a.wakeups, a.messages, b.wakeups, b.messages))
		return false;
	/* idle share: flat when the busy or the idle part is */
	return near(a.idle_ns, all_a, b.idle_ns, all_b) ||
	       near(all_a - a.idle_ns, all_a, all_b - b.idle_ns, all_b);
}

static bool warmed_up(const struct wk_sim *s, const struct wk_measure *m)
{
	u64 half_ns = m->slice_ns * (WK_SLICES / 2);

	if (m->nr < WK_SLICES)
		return false;
	return flat(s, sum(m, 0, WK_SLICES / 2), half_ns, sum(m, WK_SLICES / 2, WK_SLICES / 2),
		    half_ns);
}

static void begin_window(struct wk_sim *s, struct wk_measure *m, bool settled)
{
	s->ret->settled = settled;
	s->measuring = true;
	s->window_begin_ns = s->now;
	s->count = &s->ret->count;
	m->window_end_ns = s->now + m->window_ns;
	m->half_ns = s->now + m->window_ns / 2;
	m->begin = totals(s);
	for (u32 i = 0; i < s->in.workload->nr_slots; i++)
		m->slot_begin[i] = s->slot[i];
}

static void warm_slice(struct wk_sim *s, struct wk_measure *m)
{
	struct wk_slice now = totals(s);
	u64 since;

	m->slice[m->nr++ % WK_SLICES] = minus(now, m->last);
	m->last = now;
	if (s->marks_due)
		return;
	since = s->now - s->mark_ns;
	if (since * 4 >= (m->levelled + 1) * m->warmup_ns && m->levelled < 3)
		wk_start_step(s, m->levelled++);
	if (since < m->warmup_ns)
		return;
	if (warmed_up(s, m))
		begin_window(s, m, true);
	else if (since >= 4 * m->warmup_ns)
		begin_window(s, m, false);
}

static bool window_over(struct wk_sim *s, struct wk_measure *m)
{
	if (s->now >= m->half_ns) {
		m->half = totals(s);
		m->half_ns = WK_NEVER;
	}
	return s->now >= m->window_end_ns;
}

/* The window's halves agree: what we measured was one regime. */
static bool window_flat(const struct wk_sim *s, const struct wk_measure *m)
{
	u64 half = m->window_ns / 2;

	return m->half_ns == WK_NEVER &&
	       flat(s, minus(m->half, m->begin), half, minus(totals(s), m->half), half);
}

bool wk_measure_slice(struct wk_sim *s)
{
	struct wk_measure *m = s->measure;
	bool over = false;

	integrate(s);
	if (s->measuring)
		over = window_over(s, m);
	else
		warm_slice(s, m);
	m->next_ns = s->now + m->slice_ns;
	if (s->measuring && m->half_ns < m->next_ns)
		m->next_ns = m->half_ns;
	if (m->window_end_ns < m->next_ns)
		m->next_ns = m->window_end_ns;
	if (over && s->ret->settled)
		s->ret->settled = window_flat(s, m);
	return over;
}

/* ---- results ---- */

static double scaled(const struct wk_metric *m, double v)
{
	return v * (m->scale_num ? m->scale_num : 1) / (m->scale_den ? m->scale_den : 1);
}

static double elapsed(const struct wk_sim *s, const struct wk_metric *m, u64 counted)
{
	double window = (double)s->ret->window_ns;

	if (s->ret->finished && s->slot[m->slot] >= m->total)
		return (double)(s->now - s->mark_ns) / 1e9;
	return counted ? (double)m->total * window / (double)counted / 1e9 : 0;
}

static void print_metric(const struct wk_sim *s, const struct wk_metric *m,
			 struct wk_sim_metric *ret)
{
	u64 counted = 0;

	if (m->kind == WK_METRIC_LATENCY) {
		const struct wk_hist *h = &s->hist[m->slot];

		ret->samples = h->nr;
		ret->value = scaled(m, (double)wk_hist_percentile(h, m->pct10));
		return;
	}
	counted = s->slot[m->slot] - s->measure->slot_begin[m->slot];
	ret->samples = counted;
	if (m->kind == WK_METRIC_ELAPSED)
		ret->value = scaled(m, elapsed(s, m, counted));
	else
		ret->value = scaled(m, (double)counted * 1e9 / (double)s->ret->window_ns);
}

void wk_measure_finish(struct wk_sim *s)
{
	const struct wk_workload *w = s->in.workload;

	integrate(s);
	if (!s->measuring) { /* it ended before the warm-up did: all of it is the window */
		s->ret->count = s->measure->warm;
		s->window_begin_ns = s->mark_ns;
		s->ret->settled = s->ret->finished;
	}
	s->ret->window_ns = s->now - s->window_begin_ns;
	if (!s->ret->window_ns)
		s->ret->window_ns = 1;
	s->ret->total_ns = s->now;
	s->ret->nr_metrics = w->nr_metrics;
	for (u32 i = 0; i < w->nr_metrics && i < WK_SIM_MAX_METRICS; i++)
		print_metric(s, &w->metric[i], &s->ret->metric[i]);
}

static double pct(u64 a, u64 b)
{
	return b ? 100.0 * (double)a / (double)b : -1.0;
}

void wk_sim_sis(const struct wk_sim_counts *c, struct wk_sis *ret)
{
	u64 fast = c->sis_search - c->sis_domain_search;

	ret->search_efficiency = pct(c->sis_search - c->sis_failed, c->sis_scanned);
	ret->domain_efficiency = pct(c->sis_domain_search - c->sis_failed, c->sis_scanned - fast);
	ret->fast_success = pct(fast, c->sis_search);
	ret->success = pct(c->sis_search - c->sis_failed, c->sis_search);
}
