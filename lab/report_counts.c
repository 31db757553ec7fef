// SPDX-License-Identifier: GPL-2.0-only
/* The lower half of the table: what the scheduler did, one line a policy and load. */
#include <string.h>

#include "lab/grid.h"
#include "lab/report.h"

#define TOP_WHYS 3

static double per(u64 a, u64 b)
{
	return b ? (double)a / (double)b : 0;
}

static u64 sum(const u64 *x, u32 from, u32 to)
{
	u64 all = 0;

	for (u32 i = from; i <= to; i++)
		all += x[i];
	return all;
}

/* Percent, or "-" where it is undefined. */
static void add_percent(struct wk_grid *g, double x)
{
	if (x < 0)
		wk_grid_add(g, "-");
	else
		wk_grid_add(g, "%.1f", x);
}

/* "llc_idle 51%, prev_idle 30%, target_busy 9%" */
static void add_whys(struct wk_grid *g, const struct wk_sim_counts *c)
{
	u64 all = sum(c->why, 0, WK_WHY_NR - 1), left[WK_WHY_NR];
	char text[WK_GRID_CELL] = "";
	size_t used = 0;

	memcpy(left, c->why, sizeof(left));
	for (u32 n = 0; n < TOP_WHYS; n++) {
		u32 top = 0;

		for (u32 i = 1; i < WK_WHY_NR; i++)
			top = left[i] > left[top] ? i : top;
		if (!left[top] || used >= sizeof(text))
			break;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %.0f%%",
					 n ? ", " : "", wk_why_name[top],
					 per(left[top], all) * 100);
		left[top] = 0;
	}
	wk_grid_add(g, "%s", text);
}

/* Two lines of headings, after the load and the policy. */
static void add_headings(struct wk_grid *g, const struct wk_workload *w,
			 const char *const (*heading)[2])
{
	for (u32 line = 0; line < 2; line++) {
		wk_grid_add(g, "%s", !line ? "" : *w->load_name ? w->load_name : "load");
		wk_grid_add(g, "%s", line ? "policy" : "");
		for (u32 i = 0; i + 2 < g->columns; i++)
			wk_grid_add(g, "%s", heading[i][line]);
	}
}

static const char *const search_heading[][2] = {
	{"search", "efficiency"}, {"domain", "efficiency"}, {"fast", "success rate"},
	{"success", "rate"},	  {"SIS", "aborts"},	    {"", "why, most often"},
};
#define SEARCH_COLUMNS (2 + sizeof(search_heading) / sizeof(search_heading[0]))

/* Percents: how the search for an idle CPU went. */
static void add_search(struct wk_grid *g, const struct wk_sim_counts *c)
{
	struct wk_sis sis;

	wk_sim_sis(c, &sis);
	add_percent(g, sis.search_efficiency);
	add_percent(g, sis.domain_efficiency);
	add_percent(g, sis.fast_success);
	add_percent(g, sis.success);
	wk_grid_add(g, "%.1f", per(c->sis_aborts, c->sis_search) * 100);
	add_whys(g, c);
}

static const char *const cost_heading[][2] = {
	{"wake-ups", "/message"}, {"lock wait", "ns"},	     {"", "IPIs"},
	{"migrated", "in LLC"},	  {"in", "package"},	     {"to other", "package"},
	{"", "preemptions"},	  {"idle while", "waiting"},
};
#define COST_COLUMNS (2 + sizeof(cost_heading) / sizeof(cost_heading[0]))

/* By wake-up, but for the first and the last. */
static void add_costs(struct wk_grid *g, const struct wk_sim_counts *c)
{
	u64 n = c->wakeups;

	wk_grid_add(g, "%.3f", per(n, c->messages));
	wk_grid_add(g, "%.0f", per(c->lock_wait_ns, n));
	wk_grid_add(g, "%.2f", per(c->ipis, n));
	wk_grid_add(g, "%.3f", per(sum(c->migrations, WK_TIER_SMT, WK_TIER_LLC), n));
	wk_grid_add(g, "%.3f", per(sum(c->migrations, WK_TIER_NEAR, WK_TIER_PACKAGE), n));
	wk_grid_add(g, "%.3f", per(c->migrations[WK_TIER_MACHINE], n));
	wk_grid_add(g, "%.3f", per(c->preemptions, n));
	wk_grid_add(g, "%.1f%%", per(c->idle_while_waiting_ns, c->idle_ns) * 100);
}

static int print_group(const struct wk_plan *p, u32 first, u32 end, struct wk_grid *g,
		       void (*add)(struct wk_grid *, const struct wk_sim_counts *), FILE *to)
{
	char number[WK_REPORT_LOAD_MAX];
	struct wk_sim_counts c;
	u64 ns;

	for (u32 load = first; load < end; load++)
		for (u32 policy = 0; policy < p->nr_policies; policy++) {
			wk_cell_counts(p, load, policy, &c, &ns);
			wk_grid_add(g, "%s", wk_report_load(p->load[load].workload, number));
			wk_grid_add(g, "%s", p->policy[policy].name);
			add(g, &c);
		}
	return wk_grid_print(g, to);
}

/* Loads [first, end), which are one benchmark. */
static int print_both(const struct wk_plan *p, u32 first, u32 end, FILE *to)
{
	struct wk_grid search = {.columns = SEARCH_COLUMNS,
				 .left = 1 << 1 | 1 << (SEARCH_COLUMNS - 1)};
	struct wk_grid costs = {.columns = COST_COLUMNS, .left = 1 << 1};
	const struct wk_workload *w = p->load[first].workload;
	int err;

	fprintf(to, "\n%s: searches for an idle CPU, in percent\n", w->bench);
	add_headings(&search, w, search_heading);
	err = print_group(p, first, end, &search, add_search, to);
	if (err)
		return err;
	fprintf(to, "\n%s: what a wake-up cost\n", w->bench);
	add_headings(&costs, w, cost_heading);
	return print_group(p, first, end, &costs, add_costs, to);
}

int wk_report_counts(const struct wk_report *r, FILE *to)
{
	const struct wk_plan *p = r->plan;
	int err = 0;
	u32 end;

	for (u32 first = 0; !err && first < p->nr_loads; first = end) {
		end = wk_report_group_end(p, first);
		err = print_both(p, first, end, to);
	}
	fprintf(to,
		"\nlock wait, IPIs, migrations and preemptions are by wake-up; idle while waiting "
		"is a share of\nidle time; --verbose prints every count\n");
	return err;
}
