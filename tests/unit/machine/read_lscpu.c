// SPDX-License-Identifier: GPL-2.0-only
/* Tables of lscpu in the forms that its options and versions give them. */
#include <unistd.h>

#include "tests/machines/load.h"

static struct wk_machine *read_text(const char *text)
{
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_lscpu_text("lscpu", text, strlen(text), &err);

	if (!m)
		fail_msg("%s", err.text);
	return m;
}

static void extended(void **state)
{
	struct wk_machine *m =
		read_text("CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE    MAXMHZ   MINMHZ\n"
			  "  0    0      0    0 0:0:0:0          yes 3700.0000 1200.0000\n"
			  "  1    0      0    1 1:1:1:0          yes 3700.0000 1200.0000\n"
			  "  2    1      1    2 2:2:2:1          yes 3700.0000 1200.0000\n"
			  "  3    1      1    3 3:3:3:1          yes 3700.0000 1200.0000\n"
			  "  4    0      0    0 0:0:0:0          yes 3700.0000 1200.0000\n"
			  "  5    -      -    - -                 no         -         -\n");

	(void)state;
	assert_int_equal(m->nr_cpus, 6);
	assert_int_equal(online_of(m), 5);
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 4)->core);
	assert_int_equal(cpu_of(m, 4)->thread, 1);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void parsable(void **state)
{
	struct wk_machine *m =
		read_text("# The following is the parsable format, which can be fed to\n"
			  "# other programs.\n"
			  "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n"
			  "0,0,0,0,,0,0,0,0\n1,0,0,0,,0,0,0,0\n"
			  "2,1,1,,,1,1,1,1\n3,1,1,,,1,1,1,1\n");

	(void)state;
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(distinct(m, core), 2);
	assert_int_equal(distinct(m, llc), 2);
	assert_true(has_note(m, "2 online CPUs do not say their node"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void summary_before_and_second_table_behind(void **state)
{
	struct wk_machine *m =
		read_text("CPU(s):                 2\nOn-line CPU(s) list:    0,1\n\n"
			  "# CPU,Core,Socket\n0,0,0\n1,1,0\n\n"
			  "# CPU,Core,Socket\n0,0,-\n1,0,-\n");

	(void)state;
	assert_int_equal(m->nr_cpus, 2);
	assert_int_equal(distinct(m, core), 2);
	wk_machine_destroy(m);
}

static void books_and_drawers(void **state)
{
	struct wk_machine *m = read_text("CPU DRAWER BOOK SOCKET CORE ONLINE\n"
					 "0 0 0 0 0 yes\n1 0 1 0 0 yes\n2 1 0 0 0 yes\n");

	(void)state;
	assert_int_equal(distinct(m, package), 3);
	assert_int_equal(distinct(m, core), 3);
	wk_machine_destroy(m);
}

static void model_names_with_blanks(void **state)
{
	struct wk_machine *m = read_text("CPU MODELNAME SOCKET CORE\n"
					 "0 Intel(R) Xeon(R) CPU @ 2.50GHz 0 0\n"
					 "1 Intel(R) Xeon(R) CPU @ 2.50GHz 1 1\n");

	(void)state;
	assert_int_equal(distinct(m, package), 2);
	wk_machine_destroy(m);
}

static void clusters(void **state)
{
	struct wk_machine *m = read_text("CPU,CLUSTER,CORE,SOCKET,L3\n0,0,0,0,0\n1,0,1,0,0\n"
					 "2,1,2,0,0\n3,1,3,0,0\n");

	(void)state;
	assert_int_equal(distinct(m, cluster), 2);
	assert_int_equal(distinct(m, llc), 1);
	wk_machine_destroy(m);
}

static void hybrid_by_threads_and_speed(void **state)
{
	struct wk_machine *m = read_text("CPU CORE SOCKET MAXMHZ\n0 0 0 5000.0\n1 0 0 5000.0\n"
					 "2 1 0 4000.0\n3 2 0 4000.0\n");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->capacity, 1024);
	assert_int_equal(cpu_of(m, 2)->capacity, 819);
	assert_true(has_note(m, "capacity from MAXMHZ"));
	wk_machine_destroy(m);
	/* turbo bins alone are no kinds */
	m = read_text("CPU CORE SOCKET MAXMHZ\n0 0 0 5000.0\n1 1 0 4900.0\n");
	assert_int_equal(cpu_of(m, 0)->capacity, 0);
	wk_machine_destroy(m);
}

static void refuse(const char *text, size_t len, const char *expect)
{
	struct wk_err err = {""};

	assert_null(wk_read_lscpu_text("lscpu.txt", text, len, &err));
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

#define REFUSE(text, expect) refuse(text, sizeof(text) - 1, expect)

static void refused_with_a_place(void **state)
{
	(void)state;
	REFUSE("", "lscpu.txt:1: ends without a table of CPUs");
	REFUSE("CPU NODE\n", "ends without a table");
	REFUSE("CPU NODE\n0 zero\n", "lscpu.txt:2: NODE 'zero', expected a number or '-'");
	REFUSE("CPU NODE\n5000 0\n", "lscpu.txt:2: CPU '5000', expected 0 to 4095");
	REFUSE("CPU NODE\n0 0\n0 0\n", "CPU 0 comes twice");
	REFUSE("CPU ONLINE\n0 perhaps\n", "ONLINE 'perhaps', expected yes or no");
	REFUSE("CPU NODE\n0 0\n\0\n", "zero byte at offset");
	REFUSE("\x7f"
	       "ELF\2\1\1",
	       "ends without a table");
}

static void from_a_file(void **state)
{
	char path[] = "/tmp/wk-lscpu-XXXXXX";
	static const char text[] = "CPU CORE\n0 0\n";
	int fd = mkstemp(path);
	struct wk_err err = {""};
	struct wk_machine *m;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	m = wk_read_lscpu(path, &err);
	assert_non_null(m);
	wk_machine_destroy(m);
	unlink(path);
	assert_null(wk_read_lscpu(path, &err));
	assert_non_null(strstr(err.text, "No such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extended),
		cmocka_unit_test(parsable),
		cmocka_unit_test(summary_before_and_second_table_behind),
		cmocka_unit_test(books_and_drawers),
		cmocka_unit_test(model_names_with_blanks),
		cmocka_unit_test(clusters),
		cmocka_unit_test(hybrid_by_threads_and_speed),
		cmocka_unit_test(refused_with_a_place),
		cmocka_unit_test(from_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
