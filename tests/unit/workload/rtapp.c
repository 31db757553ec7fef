// SPDX-License-Identifier: GPL-2.0-only
/* rt-app files: what they become, what is refused and where, and rt-app's own examples. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/golden.h"
#include "tests/support/test.h"
#include "tests/unit/workload/interp.h"
#include "workload/bench.h"
#include "workload/rtapp.h"

static struct wk_workload *open_file(const char *path)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_rtapp_open(path, &err);

	if (!w)
		fail_msg("%s", err.text);
	return w;
}

static u32 count_ops(const struct wk_workload *w, u32 task, u8 code)
{
	const struct wk_wtask *t = &w->task[task];
	u32 n = 0;

	for (u32 i = t->first_op; i < t->first_op + t->nr_ops; i++)
		n += w->op[i].code == code;
	return n;
}

static void periodic(void **state)
{
	struct wk_workload *w = open_file("tests/workloads/periodic.json");
	struct interp x;

	(void)state;
	assert_string_equal(w->bench, "rt-app");
	assert_int_equal(w->nr_tasks, 1 + 5);
	assert_string_equal(w->task[1].name, "light-0");
	assert_string_equal(w->task[5].name, "heavy-4");
	assert_int_equal(w->task[5].weight, 336); /* 1024 / 1.25^5 */
	assert_int_equal(w->duration_ns, 1000000000);
	assert_int_equal(w->nr_objs, 4); /* a timer each: "unique" */
	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_int_equal(x.counter[0], 4 * 10 + 5);	      /* loops */
	assert_int_equal(x.counter[1], 4 * 10 + 5 * (2 + 1)); /* phases */
	interp_release(&x);
	wk_workload_destroy(w);
}

static void conditions_and_barriers(void **state)
{
	struct wk_workload *w = open_file("tests/workloads/pipeline.json");
	struct interp x;

	(void)state;
	for (u32 i = 0; i < w->nr_objs; i++)
		if (w->obj[i].kind == WK_OBJ_BARRIER)
			assert_int_equal(w->obj[i].count, 2);
	assert_int_equal(w->nr_objs, 4); /* two barriers, a mutex, a condition */
	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_int_equal(x.counter[0], 6);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void forks_and_settings_of_phases(void **state)
{
	struct wk_workload *w = open_file("tests/workloads/family.json");
	struct interp x;

	(void)state;
	/* main; parent; two children; a grandchild of each. */
	assert_int_equal(w->nr_tasks, 6);
	assert_string_equal(w->task[1].name, "parent-0");
	assert_int_equal(w->task[2].parent, 1);
	assert_int_equal(w->task[3].parent, 1);
	assert_int_equal(w->task[4].parent, 2);
	assert_int_equal(w->task[5].parent, 3);
	assert_int_equal(count_ops(w, 1, WK_OP_SLEEP), 1);
	assert_int_equal(count_ops(w, 1, WK_OP_AFFINITY), 2);
	assert_int_equal(count_ops(w, 1, WK_OP_WEIGHT), 1);
	assert_true(wk_mask_test(&w->affinity[w->task[1].affinity], 1));
	assert_false(wk_mask_test(&w->affinity[w->task[1].affinity], 2));
	assert_int_equal(count_ops(w, 4, WK_OP_MEM), 1);
	assert_int_equal(count_ops(w, 4, WK_OP_SYSCALL), 1);
	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_int_equal(x.nr_ended, 6);
	assert_int_equal(x.nr_forks, 5);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void instances_meet_at_a_barrier(void **state)
{
	static const char text[] = "{\"tasks\":{\"t\":{\"instance\":7,\"loop\":3,\"run\":5,"
				   "\"barrier\":\"b\",\"barrier\":\"b\"},"
				   "\"u\":{\"loop\":6,\"barrier\":\"b\"}}}";
	struct wk_err err = {""};
	struct wk_workload *w = wk_rtapp_parse(text, strlen(text), "f", &err);
	struct interp x;

	(void)state;
	assert_non_null(w);
	assert_int_equal(w->nr_objs, 1);
	assert_int_equal(w->obj[0].count, 8);
	assert_int_equal(w->task[1].first_op, w->task[7].first_op);
	interp_run(&x, w, ~0ULL);
	assert_false(x.deadlock);
	assert_int_equal(x.counter[0], 7 * 3 + 6);
	interp_release(&x);
	wk_workload_destroy(w);
}

static void endless_files_get_an_end(void **state)
{
	struct wk_workload *w = open_file("tests/workloads/duet.json");

	(void)state;
	assert_int_equal(w->duration_ns, 10000000000ULL);
	assert_int_equal(count_ops(w, 1, WK_OP_SUSPEND), 1);
	assert_int_equal(w->nr_objs, 2);
	/* After what can sleep, its latency is noted. */
	assert_int_equal(count_ops(w, 1, WK_OP_LAT_WAKE), 1);
	assert_int_equal(wk_bench_metric(w, "wakeup p99"), 2);
	wk_workload_destroy(w);
}

static void refused(const char *text, const char *says)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_rtapp_parse(text, strlen(text), "f", &err);

	if (w)
		fail_msg("'%s' was taken", text);
	assert_string_equal(err.text, says);
}

#define TASK(text)  "{\"tasks\":{\"t\":{" text "}}}"
#define PHASE(text) TASK("\"phases\":{\"p\":{" text "}}")

static void what_is_refused_has_a_path(void **state)
{
	(void)state;
	refused("[]", "f:1:1: found an array, expected an object");
	refused("{}", "f:1:1: found no tasks, expected the key 'tasks'");
	refused("{\"tasks\":{}}", "f:1:1: found no thread to start");
	refused("{\"tasks\":{},\"task\":{}}", "f:1:13: task: unsupported key");
	refused("{\"tasks\":1}", "f:1:2: tasks: found a number, expected an object");
	refused("{\"global\":{\"durration\":1}}",
		"f:1:12: global.durration: unsupported key (did you mean 'duration'?)");
	refused("{\"global\":{\"io_device\":\"/dev/sda\"}}",
		"f:1:12: global.io_device: found '/dev/sda', expected /dev/null");
	refused("{\"resources\":{\"x\":{\"type\":\"y\"}}}",
		"f:1:20: resources.x: unsupported type 'y'");
	refused(PHASE("\"memory\":1"), "f:1:31: tasks.t.phases.p.memory: unsupported event");
	refused(PHASE("\"runn\":1"), "f:1:31: tasks.t.phases.p.runn: unsupported event "
				     "(did you mean 'run'?)");
	refused(PHASE("\"delay\":1"), "f:1:31: tasks.t.phases.p.delay: unsupported in a phase");
	refused(TASK("\"run\":1,\"phases\":{}"),
		"f:1:16: tasks.t.run: unsupported event beside phases");
	refused(TASK("\"run\":\"x\""), "f:1:16: tasks.t.run: found a string, expected a number");
	refused(TASK("\"run\":-1"),
		"f:1:16: tasks.t.run: found -1, expected a number from 0 to 1000000000000");
	refused(TASK("\"loop\":-2,\"run\":1"),
		"f:1:16: tasks.t.loop: found -2, expected a number from -1 to 1099511627776");
	refused(TASK("\"run\":0"), "f:1:11: tasks.t: a loop in which no time passes");
	refused(TASK("\"priority\":20,\"run\":1"),
		"f:1:16: tasks.t.priority: found 20, expected a number from -20 to 19");
	refused(TASK("\"policy\":\"SCHED_DEADLINE\",\"run\":1"),
		"f:1:16: tasks.t: unsupported policy 'SCHED_DEADLINE'");
	refused(TASK("\"cpus\":[4096],\"run\":1"),
		"f:1:24: tasks.t: found 4096, expected a number from 0 to 4095");
	refused(TASK("\"cpus\":[],\"run\":1"), "f:1:16: tasks.t: expected an array of CPU numbers");
	refused(TASK("\"timer\":{\"period\":1}"), "f:1:16: tasks.t.timer: expected the key 'ref'");
	refused(TASK("\"timer\":{\"ref\":\"r\",\"period\":1,\"mode\":\"x\"}"),
		"f:1:46: tasks.t.timer: found 'x', expected absolute or relative");
	refused(TASK("\"wait\":\"c\""),
		"f:1:16: tasks.t.wait: found a string, expected an object with 'mutex'");
	refused(TASK("\"fork\":\"u\",\"loop\":1"),
		"f:1:16: tasks.t.fork: found 'u', expected the name of a task");
	refused(TASK("\"fork\":\"t\""), "f:1:16: tasks.t.fork: unsupported inside of a loop");
}

/* Small files that ask for much are refused before they cost much. */
static void bombs_are_refused(void **state)
{
	(void)state;
	refused(TASK("\"instance\":100001,\"run\":1"), "f:1:16: tasks.t.instance: found 100001, "
						       "expected a number from 0 to 100000");
	refused("{\"tasks\":{\"t\":{\"instance\":100000,\"run\":1},\"u\":{\"run\":1}}}",
		"f:1:43: tasks.u: more than 100000 threads");
	refused(TASK("\"loop\":1,\"run\":1,\"fork\":\"t\""),
		"f:1:33: tasks.t.fork: more than 100000 threads");
	refused(TASK("\"instance\":100000,\"run\":1,\"mem\":1,\"run\":1,\"run\":1,\"run\":1"),
		"f:1:34: tasks.t.run: more than 1048576 events in all threads");
}

static void weights_are_near_the_kernels(void **state)
{
	static const struct {
		s32 nice;
		u32 kernel;
	} rows[] = {{-20, 88761}, {-10, 9548}, {-5, 3121}, {-1, 1277}, {0, 1024},
		    {1, 820},	  {5, 335},    {10, 110},  {19, 15}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s64 off = (s64)wk_nice_weight(rows[i].nice) - rows[i].kernel;

		assert_true(labs(off) * 200 <= rows[i].kernel || labs(off) <= 1);
	}
}

static void files_that_are_none(void **state)
{
	struct wk_err err;
	char path[] = "/tmp/wk-rtapp-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_null(wk_rtapp_open("tests/workloads", &err));
	assert_string_equal(err.text, "tests/workloads: expected a regular file");
	assert_null(wk_rtapp_open("tests/workloads/none.json", &err));
	assert_string_equal(err.text, "tests/workloads/none.json: No such file or directory");
	assert_null(wk_rtapp_open("/dev/zero", &err));
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, WK_RTAPP_MAX_BYTES + 1), 0);
	assert_null(wk_rtapp_open(path, &err));
	assert_non_null(strstr(err.text, "expected at most 16777216"));
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_null(wk_rtapp_open(path, &err));
	assert_non_null(strstr(err.text, ":1:1: found the end, expected a value"));
	close(fd);
	unlink(path);
}

static u32 taken, named;

/* Parses, or says in one line which key of which task it is that is not supported. */
static void try_example(const char *path)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_rtapp_open(path, &err);

	if (w) {
		taken++;
		wk_workload_destroy(w);
		return;
	}
	named++;
	if (!strstr(err.text, ": unsupported ") && !strstr(err.text, "expected the key 'tasks'"))
		fail_msg("%s", err.text);
}

static void try_folder(const char *folder)
{
	struct dirent *entry;
	DIR *dir = opendir(folder);
	char path[4096];

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (entry->d_type == DT_DIR)
			try_folder(path);
		else if (dot && !strcmp(dot, ".json"))
			try_example(path);
	}
	closedir(dir);
}

static void rt_apps_own_examples(void **state)
{
	const char *shared = wk_test_shared();
	char folder[4096];
	struct stat st;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/corpus/workloads/rt-app", shared ? shared : "");
	if (!shared || stat(folder, &st)) {
		skip();
		return;
	}
	try_folder(folder);
	/* The four of merge/ are parts of files, in a format of long ago. */
	assert_int_equal(named, 4);
	assert_int_equal(taken, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(periodic),
		cmocka_unit_test(conditions_and_barriers),
		cmocka_unit_test(forks_and_settings_of_phases),
		cmocka_unit_test(instances_meet_at_a_barrier),
		cmocka_unit_test(endless_files_get_an_end),
		cmocka_unit_test(what_is_refused_has_a_path),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(weights_are_near_the_kernels),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(rt_apps_own_examples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
