// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/lab/fake.h"

#include "lab/published.h"

static const char rows[] = "machine,config,benchmark,metric,load_name,load,variant,pct_vs_baseline,"
			   "baseline_variant,notes\n"
			   "epyc-fake,nps1,hackbench,time,threads,1,sis_node,99,tip,\n"
			   "epyc-fake,nps1,hackbench,time,groups,1,sis_node,3.5,tip,\"a, b\"\n"
			   "epyc-fake,nps1,hackbench,time,groups,20,sis_node,-44.02,baseline,\n"
			   "epyc-fake,nps1,hackbench,threads-pipe,groups,20,sis_node,-7.25,tip,\n"
			   "epyc-fake,nps4,hackbench,time,groups,1,sis_node+limit=8,9,tip,\n"
			   "epyc-fake,nps1,hackbench,time,groups,20,sis_node+limit=8,9,sis_core,\n"
			   "epyc-fake,nps1,tbench,time,clients,1,sis_node+limit=8,9,tip,\n"
			   "epyc-fake,nps1,hackbench,time,groups,1,sis_node+limit=8,,tip,\n";

static void open_text(struct wk_published *pub, const char *text)
{
	char path[] = "/tmp/wk-published-XXXXXX";
	int fd = mkstemp(path);
	struct wk_err err;
	FILE *to;

	assert_true(fd >= 0);
	to = fdopen(fd, "w");
	fputs(text, to);
	fclose(to);
	assert_int_equal(wk_published_open(path, pub, &err), 0);
	remove(path);
}

static void cells_and_their_rows(void **state)
{
	struct wk_published pub;
	struct fake f;
	double pct = 0;

	(void)state;
	fake_init(&f);
	open_text(&pub, rows);
	/* A time of unknown mode, and one that says so, which is better. */
	assert_true(wk_published_find(&pub, &f.plan, 0, 1, 0, &pct));
	assert_true(pct == 3.5);
	assert_true(wk_published_find(&pub, &f.plan, 1, 1, 0, &pct));
	assert_true(pct == -7.25);
	/* Another configuration, another baseline, another benchmark, nothing published. */
	assert_false(wk_published_find(&pub, &f.plan, 0, 2, 0, &pct));
	assert_false(wk_published_find(&pub, &f.plan, 1, 2, 0, &pct));
	/* The baseline itself. */
	assert_false(wk_published_find(&pub, &f.plan, 0, 0, 0, &pct));
	wk_published_release(&pub);
}

/* The same number of something else is another load; a second name of it is not. */
static void loads_have_names(void **state)
{
	static const char text[] =
		"machine,config,benchmark,metric,load_name,load,variant,pct_vs_baseline,"
		"baseline_variant\n"
		"epyc-fake,nps1,netperf,TCP_RR,copies,1,sis_node,1,tip\n"
		"epyc-fake,nps1,netperf,TCP_RR,threads,1,sis_node,2,tip\n"
		"epyc-fake,nps1,schbench,normal,message-threads,20,sis_node,3,tip\n";
	struct wk_published pub;
	struct fake f;
	double pct = 0;

	(void)state;
	fake_init(&f);
	open_text(&pub, text);
	strcpy(f.workload[0].bench, "netperf-tcp-rr");
	strcpy(f.workload[0].load_name, "clients");
	strcpy(f.workload[1].bench, "schbench-old");
	strcpy(f.workload[1].load_name, "workers");
	strcpy(f.metric[0].name, "TCP_RR");
	assert_true(wk_published_find(&pub, &f.plan, 0, 1, 0, &pct));
	assert_true(pct == 2);
	strcpy(f.metric[0].name, "p99 latency");
	assert_false(wk_published_find(&pub, &f.plan, 1, 1, 0, &pct));
	strcpy(f.workload[1].load_name, "message-threads");
	assert_true(wk_published_find(&pub, &f.plan, 1, 1, 0, &pct));
	assert_true(pct == 3);
	wk_published_release(&pub);
}

static void a_file_of_another_kind(void **state)
{
	struct wk_published pub;
	struct wk_err err;

	(void)state;
	assert_int_equal(wk_published_open("COPYING", &pub, &err), -22);
	assert_int_equal(wk_published_open("tests/none", &pub, &err), -2);
}

static void the_published_file(void **state)
{
	const char *shared = wk_test_shared();
	struct wk_published pub;
	struct wk_err err;
	char path[4096];
	struct fake f;
	double pct;

	(void)state;
	if (!shared)
		skip();
	snprintf(path, sizeof(path), "%s/evidence/published.csv", shared);
	assert_int_equal(wk_published_open(path, &pub, &err), 0);
	assert_true(pub.csv.nr_rows > 500);
	fake_init(&f);
	strcpy(f.machine.name, "epyc-zen3-2s-128c");
	f.workload[0].load = 16;
	assert_true(wk_published_find(&pub, &f.plan, 0, 1, 0, &pct));
	wk_published_release(&pub);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_and_their_rows),
		cmocka_unit_test(loads_have_names),
		cmocka_unit_test(a_file_of_another_kind),
		cmocka_unit_test(the_published_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
