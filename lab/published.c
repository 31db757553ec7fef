// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/published.h"
#include "workload/bench.h"

/* The cell that is looked for. */
struct key {
	const struct wk_workload *workload;
	const char *machine, *config, *variant, *baseline;
	const char *benchmarks; /* names for ours in published tables, between '|' */
	enum wk_bench_id bench;
	u32 metric;
};

static int find_columns(struct wk_published *pub, struct wk_err *ret_err)
{
	const struct {
		const char *name;
		u32 *at;
	} columns[] = {
		{"machine", &pub->machine},	      {"config", &pub->config},
		{"benchmark", &pub->benchmark},	      {"metric", &pub->metric},
		{"load_name", &pub->load_name},	      {"load", &pub->load},
		{"variant", &pub->variant},	      {"pct_vs_baseline", &pub->pct},
		{"baseline_variant", &pub->baseline},
	};

	for (u32 i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		s32 column = wk_csv_column(&pub->csv, columns[i].name, ret_err);

		if (column == WK_NONE)
			return -EINVAL;
		*columns[i].at = (u32)column;
	}
	return 0;
}

int wk_published_open(const char *path, struct wk_published *ret, struct wk_err *ret_err)
{
	int err = wk_csv_open(path, &ret->csv, ret_err);
	double pct;
	bool has;

	if (err)
		return err;
	err = find_columns(ret, ret_err);
	for (u32 row = 0; !err && row < ret->csv.nr_rows; row++)
		err = wk_csv_number(&ret->csv, row, ret->pct, &pct, &has, ret_err);
	if (err)
		wk_published_release(ret);
	return err;
}

void wk_published_release(struct wk_published *pub)
{
	wk_csv_release(&pub->csv);
}

/* "tip" is what some tables call their baseline. */
static const char *plain_baseline(const char *name)
{
	return strcmp(name, "baseline") ? name : "tip";
}

static bool same_load(const char *text, u64 load)
{
	char *end;

	/* Benchmarks without a load key. */
	if (!*text)
		return true;
	return strtoull(text, &end, 10) == load && !*end;
}

/* Four workers are not four message threads; netperf's clients are also called threads. */
static bool same_load_name(const struct key *key, const char *name)
{
	const char *own = key->workload->load_name;

	/* Benchmarks without a load key. */
	if (!*name || !strcmp(own, name))
		return true;
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = wk_bench_opt_at(i);

		if (opt->bench == key->bench && *opt->load && !strcmp(opt->key, own))
			return wk_bench_opt_is(opt, name, strlen(name));
	}
	return false;
}

static bool is_among(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; *list; list += strcspn(list, "|"), list += *list == '|')
		if (strcspn(list, "|") == len && !strncmp(list, word, len))
			return true;
	return false;
}

/* @exact: by the metric's own name, not by a name that tells less. */
static bool same_metric(const struct key *key, const char *metric, bool exact)
{
	if (exact)
		return !strcmp(key->workload->metric[key->metric].name, metric);
	return wk_bench_metric(key->workload, metric) == (s32)key->metric;
}

static bool same_cell(const struct wk_published *pub, u32 row, const struct key *key, bool exact)
{
	const struct wk_csv *csv = &pub->csv;

	return !strcmp(wk_csv_get(csv, row, pub->variant), key->variant) &&
	       !strcmp(wk_csv_get(csv, row, pub->machine), key->machine) &&
	       !strcmp(wk_csv_get(csv, row, pub->config), key->config) &&
	       !strcmp(plain_baseline(wk_csv_get(csv, row, pub->baseline)), key->baseline) &&
	       same_load_name(key, wk_csv_get(csv, row, pub->load_name)) &&
	       same_load(wk_csv_get(csv, row, pub->load), key->workload->load) &&
	       is_among(key->benchmarks, wk_csv_get(csv, row, pub->benchmark)) &&
	       same_metric(key, wk_csv_get(csv, row, pub->metric), exact);
}

static bool find_by(const struct wk_published *pub, const struct key *key, bool exact, double *ret)
{
	struct wk_err unused;
	bool has;

	for (u32 row = 0; row < pub->csv.nr_rows; row++)
		if (same_cell(pub, row, key, exact) &&
		    !wk_csv_number(&pub->csv, row, pub->pct, ret, &has, &unused) && has)
			return true;
	return false;
}

bool wk_published_find(const struct wk_published *pub, const struct wk_plan *p, u32 load,
		       u32 policy, u32 metric, double *ret_pct)
{
	const struct wk_workload *w = p->load[load].workload;
	enum wk_bench_id bench = wk_bench_find(w->bench);
	const struct key key = {
		.workload = w,
		.machine = p->machine->name,
		.config = p->machine->config,
		.variant = p->policy[policy].name,
		.baseline = plain_baseline(p->policy[0].name),
		.benchmarks = bench < WK_BENCH_NR ? wk_bench_at(bench)->published : w->bench,
		.bench = bench,
		.metric = metric,
	};

	return policy && (find_by(pub, &key, true, ret_pct) || find_by(pub, &key, false, ret_pct));
}
