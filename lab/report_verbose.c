// SPDX-License-Identifier: GPL-2.0-only
/* The lower half of the table with --verbose: every count, and every start. */
#include <inttypes.h>

#include "lab/report.h"

struct row {
	const char *name, *unit, *sentence;
};

static const struct row count_row[] = {
#define WK_COUNT(name, unit, sentence) {#name, #unit, sentence},
#include "sim/count.def"
};
static const struct row why_row[] = {
#define WK_WHY(NAME, name, step, sentence) {#name, "n", sentence},
#include "core/why.def"
};
static const struct row handoff_row[] = {
#define WK_HANDOFF(NAME, name, sentence) {#name, "n", sentence},
#include "core/handoff.def"
};
static const struct row tier_row[] = {
#define WK_TIER(NAME, name, sentence) {#name, "n", sentence},
#include "core/tier.def"
};

/* Rows that are zero say nothing, except the counts'. */
static void print_rows(FILE *to, const char *title, const struct row *row, const u64 *x, u32 nr,
		       bool zeros)
{
	bool any = false;

	fprintf(to, "  %s\n", title);
	for (u32 i = 0; i < nr; i++)
		if (x[i] || zeros) {
			fprintf(to, "    %-22s %16" PRIu64 " %-2s  %s\n", row[i].name, x[i],
				row[i].unit, row[i].sentence);
			any = true;
		}
	if (!any)
		fprintf(to, "    none\n");
}

static void print_sis(FILE *to, const struct wk_sim_counts *c)
{
	struct wk_sis sis;
	const char *const name[] = {"search efficiency", "domain efficiency", "fast success rate",
				    "success rate"};
	double x[4];

	wk_sim_sis(c, &sis);
	x[0] = sis.search_efficiency;
	x[1] = sis.domain_efficiency;
	x[2] = sis.fast_success;
	x[3] = sis.success;
	fprintf(to, "  SIS\n");
	for (u32 i = 0; i < 4; i++)
		if (x[i] < 0)
			fprintf(to, "    %-22s %16s %%\n", name[i], "-");
		else
			fprintf(to, "    %-22s %16.2f %%\n", name[i], x[i]);
}

static int print_metric(FILE *to, const struct wk_plan *p, u32 load, u32 policy, u32 metric)
{
	const struct wk_metric *m = &p->load[load].workload->metric[metric];
	struct wk_cell c;
	int err = wk_cell_get(p, load, policy, metric, &c);

	if (err)
		return err;
	if (!c.runs) {
		fprintf(to, "  %s: nothing was measured\n", m->name);
		return 0;
	}
	fprintf(to, "  %s: mean %.6g %s, median %.6g, %.2f%%, %u run%s", m->name, c.mean, m->unit,
		c.median, c.std_pct, c.runs, &"s"[c.runs == 1]);
	if (policy && c.diff.n > 1)
		fprintf(to, "; %+.2f%% [%+.2f, %+.2f], %s", c.diff.mid, c.diff.lo, c.diff.hi,
			wk_verdict_name[c.verdict]);
	fprintf(to, "%s%s%s\n", c.wide ? ", wide" : "", c.unsettled ? ", unsettled" : "",
		c.regime ? ", regime-dependent" : "");
	for (u32 k = 0; k < WK_START_NR; k++)
		if (c.start_runs[k])
			fprintf(to, "    from %-5s: %u run%s, mean %.6g %s, %+.2f%%\n",
				wk_start_name[k], c.start_runs[k], &"s"[c.start_runs[k] == 1],
				c.start_mean[k], m->unit, c.start_diff[k]);
	return 0;
}

static void print_counts(FILE *to, const struct wk_plan *p, u32 load, u32 policy)
{
	struct wk_sim_counts c;
	u64 ns;

	wk_cell_counts(p, load, policy, &c, &ns);
	fprintf(to, "  measured %" PRIu64 " ns in all\n", ns);
	print_sis(to, &c);
	const u64 counts[] = {
#define WK_COUNT(name, unit, sentence) c.name,
#include "sim/count.def"
	};
	print_rows(to, "counts", count_row, counts, sizeof(counts) / sizeof(counts[0]), true);
	print_rows(to, "why", why_row, c.why, WK_WHY_NR, false);
	print_rows(to, "hand-off", handoff_row, c.handoff, WK_HANDOFF_NR, false);
	print_rows(to, "probes by tier", tier_row, c.probes, WK_TIER_NR, false);
	print_rows(to, "migrations by tier", tier_row, c.migrations, WK_TIER_NR, false);
}

int wk_report_verbose(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	int err = 0;

	for (u32 load = 0; !err && load < p->nr_loads; load++)
		for (u32 policy = 0; !err && policy < p->nr_policies; policy++) {
			fprintf(to, "\n%s, %s\n", p->load[load].spec, p->policy[policy].name);
			for (u32 m = 0; !err && m < p->load[load].workload->nr_metrics; m++)
				err = print_metric(to, p, load, policy, m);
			print_counts(to, p, load, policy);
		}
	return err;
}
