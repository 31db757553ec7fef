// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lab/cell.h"

/* Starts that lie closer than this many percent are one regime, however sure the difference is. */
#define MIN_SPREAD_PCT 5

const char *const wk_verdict_name[] = {"open", "better", "worse", "equal"};
const char *const wk_start_name[WK_START_NR] = {"cold", "batch", "churn"};

/* The finished replicas of a cell, and the pairs of those with the baseline's. */
struct sample {
	double *x, *pair_x, *pair_base, *scaled;
	u8 *start, *pair_start;
	u32 n, pairs, unsettled, base_n, base_unsettled;
	void *memory;
};

static int sample_alloc(struct sample *s, u32 max)
{
	s->memory = calloc(max ? max : 1, 4 * sizeof(double) + 2);
	if (!s->memory)
		return -ENOMEM;
	s->x = s->memory;
	s->pair_x = s->x + max;
	s->pair_base = s->pair_x + max;
	s->scaled = s->pair_base + max;
	s->start = (u8 *)(s->scaled + max);
	s->pair_start = s->start + max;
	return 0;
}

static bool settled(const struct wk_sim_result *r)
{
	return r->settled || r->finished;
}

bool wk_cell_measured(const struct wk_replica *r, u32 metric)
{
	const struct wk_sim_metric *m = &r->result.metric[metric];

	return r->state == WK_REPLICA_DONE && (m->samples || m->value > 0);
}

static void sample_fill(struct sample *s, const struct wk_plan *p, u32 load, u32 policy, u32 metric)
{
	for (u32 i = 0; i < p->load[load].planned; i++) {
		const struct wk_replica *r = wk_plan_replica(p, load, policy, i);
		const struct wk_replica *base = wk_plan_replica(p, load, 0, i);

		if (wk_cell_measured(base, metric)) {
			s->base_n++;
			s->base_unsettled += !settled(&base->result);
		}
		if (!wk_cell_measured(r, metric))
			continue;
		s->unsettled += !settled(&r->result);
		s->start[s->n] = r->start;
		s->x[s->n++] = r->result.metric[metric].value;
		if (!wk_cell_measured(base, metric))
			continue;
		s->pair_start[s->pairs] = r->start;
		s->pair_x[s->pairs] = r->result.metric[metric].value;
		s->pair_base[s->pairs++] = base->result.metric[metric].value;
	}
}

/* Positive is better. */
static void orient(struct wk_interval *i, bool higher_is_better)
{
	double lo = i->lo;

	if (higher_is_better)
		return;
	/* 0 - x: no negative zero, which prints as -0.00 */
	i->mid = 0 - i->mid;
	i->lo = 0 - i->hi;
	i->hi = 0 - lo;
}

static void by_start(const struct sample *s, bool higher, struct wk_cell *ret)
{
	double sum[WK_START_NR] = {0}, x[WK_START_NR] = {0}, base[WK_START_NR] = {0};

	for (u32 i = 0; i < s->n; i++) {
		ret->start_runs[s->start[i]]++;
		sum[s->start[i]] += s->x[i];
	}
	for (u32 i = 0; i < s->pairs; i++) {
		x[s->pair_start[i]] += s->pair_x[i];
		base[s->pair_start[i]] += s->pair_base[i];
	}
	for (u32 k = 0; k < WK_START_NR; k++) {
		ret->start_mean[k] = ret->start_runs[k] ? sum[k] / ret->start_runs[k] : 0;
		if (base[k] > 0)
			ret->start_diff[k] =
				(higher ? x[k] - base[k] : base[k] - x[k]) / base[k] * 100;
	}
}

/* Do the starts disagree about the mean, or about the difference? */
static bool regime(const struct sample *s, const struct wk_cell *c)
{
	double base = wk_stats_mean(s->pair_base, s->pairs);

	if (!(c->mean > 0))
		return false;
	for (u32 i = 0; i < s->n; i++)
		s->scaled[i] = s->x[i] / c->mean * 100;
	if (wk_stats_disagree(s->scaled, s->start, s->n, MIN_SPREAD_PCT))
		return true;
	for (u32 i = 0; i < s->pairs && base > 0; i++)
		s->scaled[i] = (s->pair_x[i] - s->pair_base[i]) / base * 100;
	return base > 0 && wk_stats_disagree(s->scaled, s->pair_start, s->pairs, MIN_SPREAD_PCT);
}

static enum wk_verdict verdict(const struct wk_interval *d, double limit)
{
	if (d->n < 2)
		return WK_VERDICT_OPEN;
	if (d->lo > 0)
		return WK_VERDICT_BETTER;
	if (d->hi < 0)
		return WK_VERDICT_WORSE;
	return d->lo >= -limit && d->hi <= limit ? WK_VERDICT_EQUAL : WK_VERDICT_OPEN;
}

/* A large difference need not be known as finely as a small one. */
static bool is_wide(const struct wk_interval *d, double limit)
{
	double half = (d->hi - d->lo) / 2;

	return d->n < 2 || (half > limit && half > fabs(d->mid) / 4);
}

/* Regimes do not matter where every start gives the same answer. */
static bool starts_concur(const struct wk_cell *c)
{
	for (u32 k = 0; k < WK_START_NR; k++) {
		double better = c->verdict == WK_VERDICT_BETTER ? c->start_diff[k]
								: -c->start_diff[k];

		if (c->start_runs[k] && !(better > 0))
			return false;
	}
	return c->verdict == WK_VERDICT_BETTER || c->verdict == WK_VERDICT_WORSE;
}

static void judge(const struct wk_plan *p, u32 policy, const struct sample *s, struct wk_cell *c)
{
	c->regime = regime(s, c);
	c->unsettled = s->unsettled * 4 > s->n || s->base_unsettled * 4 > s->base_n;
	if (policy == 0) {
		c->diff = (struct wk_interval){.n = s->pairs};
		c->verdict = WK_VERDICT_EQUAL;
	} else {
		c->wide = is_wide(&c->diff, p->rule.limit_pct);
		c->verdict = verdict(&c->diff, p->rule.limit_pct);
	}
	c->decided = c->verdict != WK_VERDICT_OPEN && !c->unsettled &&
		     (!c->regime || starts_concur(c));
}

int wk_cell_get(const struct wk_plan *p, u32 load, u32 policy, u32 metric, struct wk_cell *ret)
{
	bool higher = p->load[load].workload->metric[metric].higher_is_better;
	struct sample s = {0};
	int err = sample_alloc(&s, p->load[load].planned);

	*ret = (struct wk_cell){0};
	if (err)
		return err;
	sample_fill(&s, p, load, policy, metric);
	ret->runs = s.n;
	ret->mean = wk_stats_mean(s.x, s.n);
	ret->hmean = wk_stats_hmean(s.x, s.n);
	ret->std = wk_stats_std(s.x, s.n);
	ret->std_pct = ret->mean > 0 ? ret->std / ret->mean * 100 : 0;
	if (wk_stats_ratio(s.pair_x, s.pair_base, s.pairs, &ret->diff))
		orient(&ret->diff, higher);
	else
		ret->diff.n = 0;
	by_start(&s, higher, ret);
	judge(p, policy, &s, ret);
	ret->median = wk_stats_median(s.x, s.n);
	free(s.memory);
	return 0;
}

static void add(u64 *sum, const u64 *x, u32 n)
{
	for (u32 i = 0; i < n; i++)
		sum[i] += x[i];
}

void wk_cell_counts(const struct wk_plan *p, u32 load, u32 policy, struct wk_sim_counts *ret,
		    u64 *ret_window_ns)
{
	*ret = (struct wk_sim_counts){0};
	*ret_window_ns = 0;
	for (u32 i = 0; i < p->load[load].planned; i++) {
		const struct wk_replica *r = wk_plan_replica(p, load, policy, i);
		const struct wk_sim_counts *c = &r->result.count;

		if (r->state != WK_REPLICA_DONE)
			continue;
#define WK_COUNT(name, unit, sentence) ret->name += c->name;
#include "sim/count.def"
		add(ret->why, c->why, WK_WHY_NR);
		add(ret->handoff, c->handoff, WK_HANDOFF_NR);
		add(ret->probes, c->probes, WK_TIER_NR);
		add(ret->migrations, c->migrations, WK_TIER_NR);
		*ret_window_ns += r->result.window_ns;
	}
}

const char *wk_cell_reason(const struct wk_cell *c)
{
	if (c->decided)
		return "decided";
	if (!c->runs)
		return "nothing was measured";
	if (c->diff.n < 2)
		return "an interval needs two runs";
	if (c->verdict == WK_VERDICT_OPEN)
		return "the interval includes 0 and is wide";
	if (c->unsettled)
		return "runs have not settled";
	return "regime-dependent: the start states disagree";
}

char wk_cell_mark(const struct wk_cell *c)
{
	if (c->regime)
		return '!';
	return c->wide || c->unsettled ? '~' : ' ';
}
