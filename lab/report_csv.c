// SPDX-License-Identifier: GPL-2.0-only
/* The CSV of `compare`: the columns are a contract, see doc/formats.md. */
#include <inttypes.h>

#include "lab/report.h"

/* "12.34", or nothing. No negative zero. */
static void number(FILE *to, bool has, double x)
{
	if (has)
		fprintf(to, ",%.2f", x > -0.005 && x < 0.005 ? 0 : x);
	else
		fputc(',', to);
}

static void text(FILE *to, const char *field)
{
	wk_csv_write(to, field);
	fputc(',', to);
}

static int line(const struct wk_plan *p, u32 load, u32 policy, u32 metric, FILE *to)
{
	const struct wk_workload *w = p->load[load].workload;
	struct wk_cell c;
	int err = wk_cell_get(p, load, policy, metric, &c);

	if (err || !c.runs)
		return err;
	text(to, p->machine->name);
	text(to, p->machine->config);
	text(to, w->bench);
	text(to, w->metric[metric].name);
	text(to, w->metric[metric].unit);
	text(to, w->load_name);
	if (*w->load_name)
		fprintf(to, "%" PRIu64, w->load);
	fputc(',', to);
	text(to, p->policy[policy].name);
	fprintf(to, "%u,%.9g", c.runs, c.mean);
	number(to, c.runs > 1, c.std_pct);
	number(to, c.diff.n > 0, c.diff.mid);
	number(to, c.diff.n > 1, c.diff.lo);
	number(to, c.diff.n > 1, c.diff.hi);
	fputc('\n', to);
	return 0;
}

int wk_report_csv(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	int err = 0;

	fprintf(to, "machine,config,benchmark,metric,unit,load_name,load,policy,runs,mean,std_pct,"
		    "pct_vs_baseline,ci95_low,ci95_high\n");
	for (u32 load = 0; !err && load < p->nr_loads; load++)
		for (u32 m = 0; !err && m < p->load[load].workload->nr_metrics; m++)
			for (u32 policy = 0; !err && policy < p->nr_policies; policy++)
				err = line(p, load, policy, m, to);
	return err;
}
