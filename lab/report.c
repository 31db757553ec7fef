// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lab/report.h"

const char *const wk_why_name[WK_WHY_NR] = {
#define WK_WHY(NAME, name, step, sentence) #name,
#include "core/why.def"
};
const char *const wk_handoff_name[WK_HANDOFF_NR] = {
#define WK_HANDOFF(NAME, name, sentence) #name,
#include "core/handoff.def"
};
const char *const wk_tier_name[WK_TIER_NR] = {
#define WK_TIER(NAME, name, sentence) #name,
#include "core/tier.def"
};

void wk_report_machine(const struct wk_plan *p, char *ret, size_t size)
{
	const struct wk_machine *m = p->machine;

	snprintf(ret, size, "%s%s%s", m->name, *m->config ? ":" : "", m->config);
}

const char *wk_report_load(const struct wk_workload *w, char ret[WK_REPORT_LOAD_MAX])
{
	snprintf(ret, WK_REPORT_LOAD_MAX, "-");
	if (*w->load_name)
		snprintf(ret, WK_REPORT_LOAD_MAX, "%" PRIu64, w->load);
	return ret;
}

void wk_report_number(double x, char *ret, size_t size)
{
	double a = fabs(x);
	int digits = 3;

	for (; a >= 10 && digits > 0; a /= 10)
		digits--;
	for (; a > 0 && a < 1 && digits < 6; a *= 10)
		digits++;
	snprintf(ret, size, "%.*f", digits, x);
}

static bool same_table(const struct wk_plan_load *a, const struct wk_plan_load *b)
{
	const struct wk_workload *x = a->workload, *y = b->workload;

	if (strcmp(x->bench, y->bench) || strcmp(x->load_name, y->load_name) ||
	    x->nr_metrics != y->nr_metrics || strcmp(a->options, b->options))
		return false;
	for (u32 i = 0; i < x->nr_metrics; i++)
		if (strcmp(x->metric[i].name, y->metric[i].name))
			return false;
	return true;
}

u32 wk_report_group_end(const struct wk_plan *p, u32 first)
{
	u32 end = first + 1;

	while (end < p->nr_loads && same_table(&p->load[first], &p->load[end]))
		end++;
	return end;
}
