// SPDX-License-Identifier: GPL-2.0-only
/* The tables that the mails of the field carry: schedtests and mmtests. */
#include <inttypes.h>
#include <string.h>

#include "lab/grid.h"
#include "lab/report.h"

static const char *load_word(const struct wk_workload *w)
{
	if (!strcmp(w->load_name, "message-threads"))
		return "mthreads";
	return w->load_name;
}

static int schedtests_line(const struct wk_report *r, u32 load, u32 policy, u32 metric, FILE *to)
{
	const struct wk_workload *w = r->plan->load[load].workload;
	struct wk_cell base, cell;
	char text[48];
	int err = wk_cell_get(r->plan, load, 0, metric, &base);

	if (!err)
		err = wk_cell_get(r->plan, load, policy, metric, &cell);
	if (err || !cell.diff.n)
		return err;
	snprintf(text, sizeof(text), "-");
	if (*w->load_name)
		snprintf(text, sizeof(text), "%" PRIu64 "-%s", w->load, load_word(w));
	fprintf(to, "%-16s\t%-8s\t 1.00 (%6.2f)\t%+6.2f (%6.2f)\n", w->metric[metric].name, text,
		base.std_pct, cell.diff.mid, cell.std_pct);
	return 0;
}

static int schedtests_group(const struct wk_report *r, u32 first, u32 end, u32 policy, FILE *to)
{
	const struct wk_workload *w = r->plan->load[first].workload;
	const char *options = r->plan->load[first].options;
	int err = 0, len;

	len = fprintf(to, "\n%s%s%s", w->bench, *options ? " " : "", options) - 1;
	fputc('\n', to);
	while (len-- > 0)
		fputc('=', to);
	fprintf(to, "\ncase            \tload    \tbaseline(std%%)\tcompare%%( std%%)\n");
	for (u32 m = 0; !err && m < w->nr_metrics; m++)
		for (u32 load = first; !err && load < end; load++)
			err = schedtests_line(r, load, policy, m, to);
	return err;
}

int wk_report_schedtests(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	char machine[2 * WK_NAME_LEN + 2];
	int err = 0;
	u32 end;

	wk_report_machine(p, machine, sizeof(machine));
	for (u32 policy = 1; !err && policy < p->nr_policies; policy++) {
		fprintf(to, "%s%s: baseline %s, compare %s\n", policy > 1 ? "\n" : "", machine,
			p->policy[0].name, p->policy[policy].name);
		for (u32 first = 0; !err && first < p->nr_loads; first = end) {
			end = wk_report_group_end(p, first);
			err = schedtests_group(r, first, end, policy, to);
		}
	}
	return err;
}

/* What a row of mmtests is of, and the value of a cell for it. */
enum statistic { AMEAN, HMEAN, STDDEV, COEFFVAR };

static const char *const statistic_name[] = {"Amean", "Hmean", "Stddev", "CoeffVar"};

static double statistic_of(const struct wk_cell *c, enum statistic s)
{
	const double x[] = {c->mean, c->hmean, c->std, c->std_pct};

	return x[s];
}

/* Four decimals as mmtests has them, more where they would leave few digits of the mean. */
static int decimals(const struct wk_cell *base, enum statistic s)
{
	int nr = 4;

	for (double x = base->mean; s != COEFFVAR && x > 0 && x < 0.1 && nr < 8; x *= 10)
		nr++;
	return nr;
}

/* mmtests: scatter is better when lower. */
static double gain(double x, double base, bool higher_is_better)
{
	if (!(base > 0))
		return 0;
	return (higher_is_better ? x - base : base - x) / base * 100;
}

static int mmtests_cell(const struct wk_report *r, struct wk_grid *g, u32 load, u32 policy,
			u32 metric, enum statistic s)
{
	bool higher = r->plan->load[load].workload->metric[metric].higher_is_better && s <= HMEAN;
	struct wk_cell base, c;
	bool sure;
	int err = wk_cell_get(r->plan, load, 0, metric, &base);

	if (!err)
		err = wk_cell_get(r->plan, load, policy, metric, &c);
	if (err)
		return err;
	sure = s <= HMEAN && policy &&
	       (c.verdict == WK_VERDICT_BETTER || c.verdict == WK_VERDICT_WORSE);
	if (!c.runs || !base.runs)
		wk_grid_add(g, "-");
	else
		wk_grid_add(g, "%12.*f %c%8.2f%%%c", decimals(&base, s), statistic_of(&c, s),
			    sure ? '*' : '(',
			    gain(statistic_of(&c, s), statistic_of(&base, s), higher),
			    sure ? '*' : ')');
	return 0;
}

static int mmtests_rows(const struct wk_report *r, u32 first, u32 end, u32 metric, enum statistic s,
			struct wk_grid *g)
{
	const struct wk_plan *p = r->plan;
	int err = 0;

	for (u32 load = first; load < end; load++) {
		const struct wk_workload *w = p->load[load].workload;

		wk_grid_add(g, "%s", statistic_name[s]);
		if (*w->load_name)
			wk_grid_add(g, "%s-%" PRIu64, w->metric[metric].name, w->load);
		else
			wk_grid_add(g, "%s", w->metric[metric].name);
		for (u32 policy = 0; !err && policy < p->nr_policies; policy++)
			err = mmtests_cell(r, g, load, policy, metric, s);
	}
	return err;
}

static int mmtests_group(const struct wk_report *r, u32 first, u32 end, FILE *to)
{
	const struct wk_plan *p = r->plan;
	const struct wk_workload *w = p->load[first].workload;
	struct wk_grid g = {.columns = p->nr_policies + 2, .left = 3};
	int err = 0, print_err;

	wk_grid_add(&g, "%s", "");
	wk_grid_add(&g, "%s", "");
	for (u32 policy = 0; policy < p->nr_policies; policy++)
		wk_grid_add(&g, "%s", p->policy[policy].name);
	for (u32 m = 0; !err && m < w->nr_metrics; m++) {
		bool rate = w->metric[m].kind == WK_METRIC_RATE;
		const enum statistic rows[] = {rate ? HMEAN : AMEAN, STDDEV, COEFFVAR};

		for (u32 i = 0; !err && i < 3; i++)
			err = mmtests_rows(r, first, end, m, rows[i], &g);
	}
	print_err = wk_grid_print(&g, to);
	return err ? err : print_err;
}

int wk_report_mmtests(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	char machine[2 * WK_NAME_LEN + 2];
	const char *options;
	int err = 0;
	u32 end;

	wk_report_machine(p, machine, sizeof(machine));
	for (u32 first = 0; !err && first < p->nr_loads; first = end) {
		end = wk_report_group_end(p, first);
		options = p->load[first].options;
		fprintf(to, "%s%s%s%s on %s\n", first ? "\n" : "", p->load[first].workload->bench,
			*options ? " " : "", options, machine);
		err = mmtests_group(r, first, end, to);
	}
	return err;
}
