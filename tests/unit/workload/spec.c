// SPDX-License-Identifier: GPL-2.0-only
/* Specs: what they mean, what is refused and how, and lists of loads. */
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "workload/bench.h"

static void refused(const char *spec, const char *says)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_workload_open(spec, 4, &err);

	if (w)
		fail_msg("%s was taken", spec);
	assert_string_equal(err.text, says);
}

static void unknown_names_get_the_nearest(void **state)
{
	(void)state;
	refused("hackbenc", "unknown bench 'hackbenc' (did you mean 'hackbench'?); "
			    "'wakepath benches' lists them");
	refused("", "unknown bench ''; 'wakepath benches' lists them");
	refused("xyzzy:groups=1", "unknown bench 'xyzzy'; 'wakepath benches' lists them");
	refused("hackbench:gruops=1",
		"bench 'hackbench': unknown option 'gruops' (did you mean 'groups'?)");
	refused("perf-pipe:load=1", "bench 'perf-pipe': unknown option 'load'");
}

static void numbers_outside_get_the_range(void **state)
{
	(void)state;
	refused("hackbench:groups=0",
		"bench 'hackbench': groups: found '0', expected a number from 1 to 4096");
	refused("hackbench:load=4097",
		"bench 'hackbench': groups: found '4097', expected a number from 1 to 4096");
	refused("hackbench:groups=-1",
		"bench 'hackbench': groups: found '-1', expected a number from 1 to 4096");
	refused("hackbench:groups=1e3",
		"bench 'hackbench': groups: found '1e3', expected a number from 1 to 4096");
	refused("hackbench:groups=99999999999999999999999",
		"bench 'hackbench': groups: found '99999999999999999999999', expected a number "
		"from 1 to 4096");
	refused("hackbench:groups=auto",
		"bench 'hackbench': groups: found 'auto', expected a number from 1 to 4096");
	refused("hackbench:mode=thread",
		"bench 'hackbench': mode: found 'thread', expected threads|process");
	refused("schbench:workers=100000,message-threads=100000",
		"bench 'schbench': found 10000100001 tasks, expected at most 1000000");
}

static void broken_pairs(void **state)
{
	(void)state;
	refused("hackbench:", "bench 'hackbench': found '', expected key=value");
	refused("hackbench:groups", "bench 'hackbench': found 'groups', expected key=value");
	refused("hackbench:groups=", "bench 'hackbench': found 'groups=', expected key=value");
	refused("hackbench:=1", "bench 'hackbench': found '=1', expected key=value");
	refused("hackbench:groups=1,", "bench 'hackbench': found '', expected key=value");
	refused("hackbench:groups=1,load=2", "bench 'hackbench': option 'groups' stands twice");
	refused("rt-app", "bench 'rt-app': expected the option 'file': the file, at most 16 MiB");
}

static void long_words_are_cut(void **state)
{
	char spec[5000] = "hackbench:";
	struct wk_err err;

	(void)state;
	memset(spec + 10, 'x', 3000);
	assert_null(wk_workload_open(spec, 1, &err));
	assert_true(strlen(err.text) < 120);
	memset(spec + 10, 'x', sizeof(spec) - 11);
	assert_null(wk_workload_open(spec, 1, &err));
	assert_string_equal(err.text, "bench: found 4999 bytes, expected at most 4095");
	memset(spec, 'x', 3000);
	spec[3000] = 0;
	assert_null(wk_workload_open(spec, 1, &err));
	assert_true(strlen(err.text) < 120);
}

static void every_default_is_what_a_user_could_type(void **state)
{
	(void)state;
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = wk_bench_opt_at(i);
		struct wk_bench_args typed, untyped;
		struct wk_err err;
		char spec[200];

		if (!*opt->default_text)
			continue;
		snprintf(spec, sizeof(spec), "%s:%s=%s",
			 wk_bench_at((enum wk_bench_id)opt->bench)->name, opt->key,
			 opt->default_text);
		assert_int_equal(wk_bench_parse(spec, 1, &typed, &err), 0);
		*strchr(spec, ':') = 0;
		assert_int_equal(wk_bench_parse(spec, 1, &untyped, &err), 0);
		assert_int_equal(typed.value[i], untyped.value[i]);
	}
}

static void splits_into(const char *spec, u32 nr, const char *const *expected)
{
	struct wk_bench_list list;
	struct wk_err err = {""};

	if (wk_bench_split(spec, &list, &err))
		fail_msg("%s: %s", spec, err.text);
	assert_int_equal(list.nr, nr);
	for (u32 i = 0; i < nr; i++)
		assert_string_equal(list.spec[i], expected[i]);
	wk_bench_list_free(&list);
}

static void lists_of_loads(void **state)
{
	(void)state;
	splits_into("hackbench", 1, (const char *[]){"hackbench"});
	splits_into("hackbench:groups=1/2/16", 3,
		    (const char *[]){"hackbench:groups=1", "hackbench:groups=2",
				     "hackbench:groups=16"});
	splits_into("hackbench:ipc=pipe,load=1/2,fds=3", 2,
		    (const char *[]){"hackbench:load=1,ipc=pipe,fds=3",
				     "hackbench:load=2,ipc=pipe,fds=3"});
	splits_into("netperf-tcp-rr:threads=4/8", 2,
		    (const char *[]){"netperf-tcp-rr:threads=4", "netperf-tcp-rr:threads=8"});
	/* The list decides what the load is, wherever it stands. */
	splits_into("schbench-old:workers=16,message-threads=1/2", 2,
		    (const char *[]){"schbench-old:message-threads=1,workers=16",
				     "schbench-old:message-threads=2,workers=16"});
	splits_into("rt-app:file=a/b.json", 1, (const char *[]){"rt-app:file=a/b.json"});
}

static void not_split(const char *spec, const char *says)
{
	struct wk_bench_list list;
	struct wk_err err = {""};

	assert_true(wk_bench_split(spec, &list, &err) < 0);
	assert_string_equal(err.text, says);
	assert_null(list.spec);
}

static void lists_that_are_refused(void **state)
{
	char spec[4000] = "hackbench:groups=1";

	(void)state;
	not_split("hackbench:groups=1/0/2",
		  "bench 'hackbench': groups: found '0', expected a number from 1 to 4096");
	not_split("hackbench:groups=1//2",
		  "bench 'hackbench': found 'groups=', expected key=value");
	not_split("hackbench:groups=1/2,load=3/4",
		  "bench 'hackbench': two lists of loads, expected one");
	not_split("hackbench:fds=1/2",
		  "bench 'hackbench': fds: found '1/2', expected a number from 1 to 1000");
	not_split("hackbenc:groups=1/2", "unknown bench 'hackbenc' (did you mean 'hackbench'?); "
					 "'wakepath benches' lists them");
	for (size_t i = strlen(spec); i + 2 < sizeof(spec); i += 2)
		memcpy(spec + i, "/1", 3);
	not_split(spec, "bench: expected at most 1000 loads");
}

static void published_is(const char *benchmark, const char *metric, const char *load_name,
			 const char *spec)
{
	char found[200];

	assert_int_equal(
		wk_bench_from_published(benchmark, metric, load_name, 8, found, sizeof(found)), 0);
	assert_string_equal(found, spec);
}

static void rows_of_published_results(void **state)
{
	char found[200];

	(void)state;
	published_is("hackbench", "time", "groups", "hackbench:groups=8");
	published_is("hackbench", "process-sockets", "groups",
		     "hackbench:groups=8,mode=process,ipc=sockets");
	published_is("perf bench sched messaging", "threads-pipe", "groups",
		     "perf-messaging:groups=8,mode=threads,ipc=pipe");
	published_is("netperf", "TCP_RR", "threads", "netperf-tcp-rr:clients=8");
	published_is("netperf", "UDP_RR", "clients", "netperf-udp-rr:clients=8");
	published_is("schbench (old)", "latency", "workers", "schbench-old:workers=8");
	published_is("schbench", "normal", "message-threads", "schbench-old:message-threads=8");
	published_is("schbench (new)", "rps_summary", "workers", "schbench:workers=8");
	assert_true(wk_bench_from_published("stream", "Copy", "runs", 10, found, sizeof(found)) <
		    0);
	assert_true(wk_bench_from_published("hackbench", "threads-shm", "groups", 1, found,
					    sizeof(found)) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_names_get_the_nearest),
		cmocka_unit_test(numbers_outside_get_the_range),
		cmocka_unit_test(broken_pairs),
		cmocka_unit_test(long_words_are_cut),
		cmocka_unit_test(every_default_is_what_a_user_could_type),
		cmocka_unit_test(lists_of_loads),
		cmocka_unit_test(lists_that_are_refused),
		cmocka_unit_test(rows_of_published_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
