// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lab/grid.h"
#include "lab/report.h"

static void add_published(const struct wk_report *r, u32 load, u32 policy, u32 metric, char *ret,
			  size_t size)
{
	double pct;

	if (!r->published)
		ret[0] = 0;
	else if (wk_published_find(r->published, r->plan, load, policy, metric, &pct))
		snprintf(ret, size, " [%+7.2f]", pct);
	else
		snprintf(ret, size, " [      -]");
}

static int add_cell(const struct wk_report *r, struct wk_grid *g, u32 load, u32 policy, u32 metric)
{
	char mean[32], published[32];
	struct wk_cell c;
	int err = wk_cell_get(r->plan, load, policy, metric, &c);

	if (err)
		return err;
	wk_report_number(c.mean, mean, sizeof(mean));
	add_published(r, load, policy, metric, published, sizeof(published));
	if (!c.runs)
		wk_grid_add(g, "- ");
	else if (!policy)
		wk_grid_add(g, "%s (%5.2f%%)%c", mean, c.std_pct, wk_cell_mark(&c));
	else if (!c.diff.n)
		wk_grid_add(g, "%s (%5.2f%%)        - %s", mean, c.std_pct, published);
	else
		wk_grid_add(g, "%s (%5.2f%%) %+8.2f%%%c%s", mean, c.std_pct, c.diff.mid,
			    wk_cell_mark(&c), published);
	return 0;
}

static int metric_table(const struct wk_report *r, u32 first, u32 end, u32 metric, FILE *to)
{
	const struct wk_plan *p = r->plan;
	const struct wk_workload *w = p->load[first].workload;
	const struct wk_metric *m = &w->metric[metric];
	struct wk_grid g = {.columns = p->nr_policies + 1};

	const char *options = p->load[first].options;
	char number[WK_REPORT_LOAD_MAX];

	fprintf(to, "\n%s%s%s: %s in %s, %s is better\n", w->bench, *options ? " " : "", options,
		m->name, m->unit, m->higher_is_better ? "higher" : "lower");
	wk_grid_add(&g, "%s", *w->load_name ? w->load_name : "load");
	for (u32 policy = 0; policy < p->nr_policies; policy++)
		wk_grid_add(&g, "%s ", p->policy[policy].name);
	for (u32 load = first; load < end; load++) {
		wk_grid_add(&g, "%s", wk_report_load(p->load[load].workload, number));
		for (u32 policy = 0; policy < p->nr_policies; policy++) {
			int err = add_cell(r, &g, load, policy, metric);

			g.failed |= err != 0;
		}
	}
	return wk_grid_print(&g, to);
}

static void legend(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;

	fprintf(to, "\nmean (standard deviation of the runs)");
	if (p->nr_policies > 1)
		fprintf(to, ", difference to %s: positive is better", p->policy[0].name);
	fprintf(to,
		"\n~  still open: the 95 %% interval is wide, or more than a quarter of the runs "
		"had not settled\n"
		"!  regime-dependent: the start states (cold, batch, churn) disagree\n");
	if (r->published)
		fprintf(to, "[] published difference, - where none is known\n");
}

static void title(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	char machine[2 * WK_NAME_LEN + 2];
	u32 least = ~0u, most = 0;

	for (u32 load = 0; load < p->nr_loads; load++) {
		u32 planned = p->load[load].planned;

		least = planned < least ? planned : least;
		most = planned > most ? planned : most;
	}
	wk_report_machine(p, machine, sizeof(machine));
	fprintf(to, "%s, %u CPUs; seed %" PRIu64 "; ", machine, wk_plan_nr_cpus(p), p->seed);
	if (least < most)
		fprintf(to, "%u to ", least);
	fprintf(to, "%u runs a cell%s", most, p->quick ? " with short windows (--quick)" : "");
	if (r->fair)
		fprintf(to, "; fair class %s", r->fair);
	if (r->costs)
		fprintf(to, "; costs of %s", r->costs);
	fputc('\n', to);
}

int wk_report_results(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	int err = 0;
	u32 end;

	title(r, to);
	for (u32 first = 0; !err && first < p->nr_loads; first = end) {
		end = wk_report_group_end(p, first);
		for (u32 m = 0; !err && m < p->load[first].workload->nr_metrics; m++)
			err = metric_table(r, first, end, m, to);
	}
	legend(r, to);
	return err;
}

int wk_report_table(const struct wk_report *r, FILE *to)
{
	int err = wk_report_results(r, to);

	if (!err)
		err = r->verbose ? wk_report_verbose(r, to) : wk_report_counts(r, to);
	return err;
}
