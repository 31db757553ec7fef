// SPDX-License-Identifier: GPL-2.0-only
/* Every format, held against the file recorded beside this one. */
#include <jansson.h>

#include "tests/unit/lab/fake.h"

#include "lab/report.h"
#include "lab/run.h"

#define FOLDER "tests/unit/lab/"

/* The second load scatters, and its last policy depends on the start. */
static int simulate(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *err)
{
	fake_simulate(in, ret, err);
	if (in->workload->load == 20 && wk_num(in->policy, WK_FEAT_LIMIT) == 4)
		ret->metric[0].value *= 1 + 0.2 * fake_own_noise(in);
	if (in->workload->load == 20 && wk_num(in->policy, WK_FEAT_LIMIT) == 8)
		ret->metric[0].value *= 1 + 0.3 * (in->start == WK_START_CHURN);
	return 0;
}

static int text_of_published(struct wk_published *pub)
{
	static const char rows[] =
		"machine,config,benchmark,metric,load_name,load,variant,pct_vs_baseline,"
		"baseline_variant\n"
		"epyc-fake,nps1,hackbench,time,groups,1,sis_node,3.5,tip\n"
		"epyc-fake,nps1,hackbench,time,groups,20,sis_node,-44.02,tip\n";
	struct wk_err err;

	*pub = (struct wk_published){.benchmark = 2,
				     .metric = 3,
				     .load_name = 4,
				     .load = 5,
				     .variant = 6,
				     .pct = 7,
				     .baseline = 8,
				     .config = 1};
	return wk_csv_parse(strdup(rows), "rows", &pub->csv, &err);
}

static char *print(struct wk_report *r, int (*report)(const struct wk_report *, FILE *))
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_int_equal(report(r, to), 0);
	fclose(to);
	return text;
}

static void run(struct fake *f, u32 runs)
{
	const struct wk_run run = {.jobs = 2, .simulate = simulate};

	wk_plan_set_rule(&f->plan, runs, false);
	assert_int_equal(wk_plan_alloc(&f->plan), 0);
	assert_int_equal(wk_plan_run(&f->plan, &run, NULL), 0);
}

static void golden(const char *path, int (*report)(const struct wk_report *, FILE *), bool verbose,
		   bool published)
{
	struct wk_published pub;
	struct wk_report r = {.verbose = verbose};
	struct fake f;
	char *text;

	assert_int_equal(text_of_published(&pub), 0);
	fake_init(&f);
	run(&f, 0);
	r.plan = &f.plan;
	r.published = published ? &pub : NULL;
	text = print(&r, report);
	wk_golden(path, text);
	free(text);
	wk_published_release(&pub);
	fake_release(&f);
}

static void table(void **state)
{
	(void)state;
	golden(FOLDER "table.golden", wk_report_table, false, false);
}

static void table_with_published(void **state)
{
	(void)state;
	golden(FOLDER "published.golden", wk_report_results, false, true);
}

static void verbose(void **state)
{
	(void)state;
	golden(FOLDER "verbose.golden", wk_report_verbose, true, false);
}

static void schedtests(void **state)
{
	(void)state;
	golden(FOLDER "schedtests.golden", wk_report_schedtests, false, false);
}

static void mmtests(void **state)
{
	(void)state;
	golden(FOLDER "mmtests.golden", wk_report_mmtests, false, false);
}

static void csv(void **state)
{
	(void)state;
	golden(FOLDER "csv.golden", wk_report_csv, false, true);
}

static void json(void **state)
{
	(void)state;
	golden(FOLDER "json.golden", wk_report_json, false, true);
}

static void csv_is_csv(void **state)
{
	struct wk_report r = {0};
	struct wk_csv parsed;
	struct wk_err err;
	struct fake f;

	(void)state;
	fake_init(&f);
	f.policy[1].name = "a,\"b\"";
	run(&f, 4);
	r.plan = &f.plan;
	assert_int_equal(wk_csv_parse(print(&r, wk_report_csv), "csv", &parsed, &err), 0);
	assert_int_equal(parsed.nr_rows, FAKE_LOADS * 2 * FAKE_POLICIES);
	assert_int_equal(parsed.nr_columns, 14);
	assert_string_equal(wk_csv_get(&parsed, 1, 7), "a,\"b\"");
	wk_csv_release(&parsed);
	fake_release(&f);
}

/* Of one run there is a mean and a difference, but no scatter and no interval. */
static void one_run(void **state)
{
	struct wk_report r = {0};
	struct fake f;
	json_t *root;
	char *text;

	(void)state;
	fake_init(&f);
	f.plan.nr_loads = 1;
	run(&f, 1);
	r.plan = &f.plan;
	text = print(&r, wk_report_csv);
	assert_non_null(strstr(text, ",sis_node,1,"));
	assert_non_null(strstr(text, ",,\n"));
	free(text);
	text = print(&r, wk_report_json);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	json_decref(root);
	free(text);
	free(print(&r, wk_report_table));
	free(print(&r, wk_report_schedtests));
	free(print(&r, wk_report_mmtests));
	fake_release(&f);
}

/* Interrupted at once: every format still prints. */
static void nothing_finished(void **state)
{
	struct wk_report r = {.verbose = true};
	struct fake f;

	(void)state;
	fake_init(&f);
	assert_int_equal(wk_plan_alloc(&f.plan), 0);
	f.load[0].planned = f.load[1].planned = 3;
	r.plan = &f.plan;
	free(print(&r, wk_report_table));
	free(print(&r, wk_report_counts));
	free(print(&r, wk_report_schedtests));
	free(print(&r, wk_report_mmtests));
	free(print(&r, wk_report_csv));
	free(print(&r, wk_report_json));
	fake_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),   cmocka_unit_test(table_with_published),
		cmocka_unit_test(verbose), cmocka_unit_test(schedtests),
		cmocka_unit_test(mmtests), cmocka_unit_test(csv),
		cmocka_unit_test(json),	   cmocka_unit_test(csv_is_csv),
		cmocka_unit_test(one_run), cmocka_unit_test(nothing_finished),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
