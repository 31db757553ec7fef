// SPDX-License-Identifier: GPL-2.0-only
/* Everything there is, with a stable order of keys: doc/formats.md. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>

#include "lab/report.h"

/* Numbers that are not defined are null. */
static json_t *real(double x, bool has)
{
	return has && isfinite(x) ? json_real(x) : json_null();
}

static json_t *counts_by_name(const char *const *name, const u64 *x, u32 nr)
{
	json_t *o = json_object();

	for (u32 i = 0; i < nr; i++)
		json_object_set_new(o, name[i], json_integer((json_int_t)x[i]));
	return o;
}

static json_t *counts(const struct wk_sim_counts *c)
{
	json_t *o = json_object();

#define WK_COUNT(name, unit, sentence) \
	json_object_set_new(o, #name, json_integer((json_int_t)c->name));
#include "sim/count.def"
	json_object_set_new(o, "why", counts_by_name(wk_why_name, c->why, WK_WHY_NR));
	json_object_set_new(o, "handoff",
			    counts_by_name(wk_handoff_name, c->handoff, WK_HANDOFF_NR));
	json_object_set_new(o, "probes", counts_by_name(wk_tier_name, c->probes, WK_TIER_NR));
	json_object_set_new(o, "migrations",
			    counts_by_name(wk_tier_name, c->migrations, WK_TIER_NR));
	return o;
}

static json_t *sis(const struct wk_sim_counts *c)
{
	struct wk_sis s;

	wk_sim_sis(c, &s);
	return json_pack("{s:o, s:o, s:o, s:o}", "search_efficiency",
			 real(s.search_efficiency, s.search_efficiency >= 0), "domain_efficiency",
			 real(s.domain_efficiency, s.domain_efficiency >= 0), "fast_success_rate",
			 real(s.fast_success, s.fast_success >= 0), "success_rate",
			 real(s.success, s.success >= 0));
}

static json_t *starts(const struct wk_cell *c)
{
	json_t *o = json_object();

	for (u32 k = 0; k < WK_START_NR; k++) {
		bool has = c->start_runs[k] > 0;

		json_object_set_new(o, wk_start_name[k],
				    json_pack("{s:i, s:o, s:o}", "runs", (int)c->start_runs[k],
					      "mean", real(c->start_mean[k], has),
					      "pct_vs_baseline", real(c->start_diff[k], has)));
	}
	return o;
}

static json_t *metric(const struct wk_report *r, u32 load, u32 policy, u32 m)
{
	const struct wk_metric *metric = &r->plan->load[load].workload->metric[m];
	double published = 0;
	struct wk_cell c;
	bool has;

	if (wk_cell_get(r->plan, load, policy, m, &c))
		return NULL;
	has = r->published && wk_published_find(r->published, r->plan, load, policy, m, &published);
	return json_pack("{s:s, s:s, s:b, s:i, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:s, "
			 "s:b, s:b, s:b, s:b, s:o}",
			 "metric", metric->name, "unit", metric->unit, "higher_is_better",
			 metric->higher_is_better, "runs", (int)c.runs, "mean",
			 real(c.mean, c.runs > 0), "hmean", real(c.hmean, c.hmean > 0), "median",
			 real(c.median, c.runs > 0), "std_pct", real(c.std_pct, c.runs > 1),
			 "pairs", (int)c.diff.n, "pct_vs_baseline", real(c.diff.mid, c.diff.n > 0),
			 "ci95_low", real(c.diff.lo, c.diff.n > 1), "ci95_high",
			 real(c.diff.hi, c.diff.n > 1), "published_pct", real(published, has),
			 "verdict", wk_verdict_name[c.verdict], "wide", c.wide, "unsettled",
			 c.unsettled, "regime_dependent", c.regime, "decided", c.decided, "starts",
			 starts(&c));
}

static json_t *replica(const struct wk_replica *r, u32 nr_metrics)
{
	json_t *values = json_array();
	char seed[24];

	for (u32 m = 0; m < nr_metrics; m++)
		json_array_append_new(values,
				      real(r->result.metric[m].value, wk_cell_measured(r, m)));
	/* As text: JSON numbers of 64 bits do not survive every reader. */
	snprintf(seed, sizeof(seed), "%#018llx", (unsigned long long)r->seed);
	return json_pack("{s:s, s:s, s:o, s:I, s:I, s:b, s:b}", "seed", seed, "start",
			 wk_start_name[r->start], "values", values, "window_ns",
			 (json_int_t)r->result.window_ns, "total_ns",
			 (json_int_t)r->result.total_ns, "settled", r->result.settled, "finished",
			 r->result.finished);
}

static json_t *cell(const struct wk_report *r, u32 load, u32 policy)
{
	const struct wk_plan *p = r->plan;
	u32 nr_metrics = p->load[load].workload->nr_metrics;
	json_t *metrics = json_array(), *replicas = json_array();
	struct wk_sim_counts c;
	u64 ns;

	for (u32 m = 0; m < nr_metrics; m++)
		json_array_append_new(metrics, metric(r, load, policy, m));
	for (u32 i = 0; i < p->load[load].planned; i++) {
		const struct wk_replica *one = wk_plan_replica(p, load, policy, i);

		if (one->state == WK_REPLICA_DONE)
			json_array_append_new(replicas, replica(one, nr_metrics));
	}
	wk_cell_counts(p, load, policy, &c, &ns);
	return json_pack("{s:s, s:o, s:o, s:I, s:o, s:o}", "policy", p->policy[policy].name,
			 "metrics", metrics, "sis", sis(&c), "window_ns", (json_int_t)ns, "counts",
			 counts(&c), "replicas", replicas);
}

static json_t *load_object(const struct wk_report *r, u32 load)
{
	const struct wk_plan_load *l = &r->plan->load[load];
	const struct wk_workload *w = l->workload;
	json_t *cells = json_array();

	for (u32 policy = 0; policy < r->plan->nr_policies; policy++)
		json_array_append_new(cells, cell(r, load, policy));
	return json_pack("{s:s, s:s, s:s, s:o, s:i, s:i, s:o}", "spec", l->spec, "benchmark",
			 w->bench, "load_name", w->load_name, "load",
			 *w->load_name ? json_integer((json_int_t)w->load) : json_null(), "tasks",
			 (int)w->nr_tasks, "planned_runs", (int)l->planned, "cells", cells);
}

int wk_report_json(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	json_t *policies = json_array(), *loads = json_array(), *root;
	char seed[24];
	int err;

	for (u32 policy = 0; policy < p->nr_policies; policy++)
		json_array_append_new(policies, json_string(p->policy[policy].name));
	for (u32 load = 0; load < p->nr_loads; load++)
		json_array_append_new(loads, load_object(r, load));
	root = json_pack("{s:i, s:s, s:s, s:i, s:s, s:s?, s:s?, s:b, s:f, s:o, s:o}", "format", 1,
			 "machine", p->machine->name, "config", p->machine->config, "cpus",
			 (int)wk_plan_nr_cpus(p), "family", p->machine->family, "costs", r->costs,
			 "fair", r->fair, "quick", p->quick, "limit_pct", p->rule.limit_pct,
			 "policies", policies, "loads", loads);
	if (!root)
		return -ENOMEM;
	snprintf(seed, sizeof(seed), "%" PRIu64, p->seed);
	json_object_set_new(root, "seed", json_string(seed));
	err = json_dumpf(root, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(root);
	fputc('\n', to);
	return err && !ferror(to) ? -ENOMEM : 0;
}
