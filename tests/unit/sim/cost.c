// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/cost_data.h"

/* The error that @text gives with @files to include from. */
static const char *error_of_with(const struct wk_cost_file *files, u32 nr, const char *text)
{
	static struct wk_err err;
	struct wk_cost cost = {.switch_ns = 77};

	err.text[0] = 0;
	assert_int_equal(wk_cost_parse_with(files, nr, text, "here", &cost, &err), -EINVAL);
	assert_int_equal(cost.switch_ns, 77); /* untouched on failure */
	return err.text;
}

static const char *error_of(const char *text)
{
	return error_of_with(wk_cost_files, wk_nr_cost_files, text);
}

static void assert_begins(const char *text, const char *start)
{
	if (strncmp(text, start, strlen(start)))
		fail_msg("'%s' does not begin with '%s'", text, start);
}

static void every_family_is_complete(void **state)
{
	struct wk_cost cost;
	struct wk_err err = {""};

	(void)state;
	assert_in_range(wk_nr_cost_files, 13, 100);
	for (u32 i = 0; i < wk_nr_cost_files; i++) {
		if (wk_cost_open(wk_cost_files[i].name, &cost, &err))
			fail_msg("%s", err.text);
		for (u32 tier = 1; tier < WK_TIER_NR; tier++)
			if (cost.tier_ns[tier] < cost.tier_ns[tier - 1])
				fail_msg("%s: tier %u is below the one before",
					 wk_cost_files[i].name, tier);
		assert_in_range(cost.memory_remote_ns, cost.memory_ns, 1000);
		assert_in_range(cost.smt4_pct, cost.smt_pct, 400);
		assert_in_range(cost.exit_c1_ns, cost.exit_poll_ns, cost.exit_c2_ns);
		assert_in_range(cost.refill_overlap_pct, 1, 100);
		assert_in_range(cost.line_overlap_pct, 1, 100);
	}
}

static void a_family_overrides_what_it_includes(void **state)
{
	struct wk_cost zen3, generic;
	struct wk_err err;

	(void)state;
	assert_int_equal(wk_cost_open("zen3", &zen3, &err), 0);
	assert_int_equal(wk_cost_open("generic", &generic, &err), 0);
	assert_int_equal(zen3.tier_ns[WK_TIER_LLC], 22);
	assert_int_equal(zen3.tier_ns[WK_TIER_MACHINE], 180);
	assert_int_equal(zen3.switch_ns, generic.switch_ns);
	assert_int_not_equal(zen3.tier_ns[WK_TIER_LLC], generic.tier_ns[WK_TIER_LLC]);
}

static void generic_stands_in(void **state)
{
	struct wk_cost unknown, generic;
	struct wk_err err;

	(void)state;
	assert_int_equal(wk_cost_open("zen99", &unknown, &err), 0);
	assert_int_equal(wk_cost_open("generic", &generic, &err), 0);
	assert_memory_equal(&unknown, &generic, sizeof(unknown));
	assert_int_equal(wk_cost_open("", &unknown, &err), 0);
}

static void a_file_of_the_user(void **state)
{
	static const char text[] = "# mine\r\n"
				   "\n"
				   "  include zen3 # the nearest\n"
				   "switch_ns\t1234 # measured: on my desk\n"
				   "smt_pct 4000000000#assumed: no\n"
				   "tg_levels 0   #   derived: no cgroups";
	struct wk_cost cost;
	struct wk_err err = {""};

	(void)state;
	assert_int_equal(wk_cost_parse(text, "mine", &cost, &err), 0);
	assert_int_equal(cost.switch_ns, 1234);
	assert_int_equal(cost.smt_pct, 4000000000u);
	assert_int_equal(cost.tg_levels, 0);
	assert_int_equal(cost.tier_ns[WK_TIER_NEAR], 88);
}

static void keys(void **state)
{
	(void)state;
	assert_string_equal(error_of("\nswich_ns 1 # assumed: x"),
			    "here:2: key 'swich_ns', expected a known one such as 'switch_ns'");
	assert_string_equal(error_of("tier_packge_ns 1"),
			    "here:1: key 'tier_packge_ns', expected a known one such as "
			    "'tier_package_ns'");
	assert_string_equal(error_of("exit_c3_ns 1"),
			    "here:1: key 'exit_c3_ns', expected a known one such as 'exit_c1_ns'");
	assert_string_equal(error_of("irq_ns 1 # assumed: x\n\nirq_ns 1 # assumed: x"),
			    "here:3: key 'irq_ns' again, expected once (line 1)");
	assert_string_equal(error_of("\x01\xff"
				     "bad\"key 1"),
			    "here:1: key '??bad\"key', expected a known one such as 'syscall_ns'");
}

static void values(void **state)
{
	static const char *const bad[] = {
		"", "-1", "1.5", "12x", "0x10", "4000000001", "99999999999999999999999999"};
	char text[100], expected[200];

	(void)state;
	for (u32 i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "irq_ns %s # assumed: x", bad[i]);
		snprintf(expected, sizeof(expected),
			 "here:1: irq_ns is '%s', expected a whole number from 0 to 4000000000",
			 bad[i]);
		assert_string_equal(error_of(text), expected);
	}
}

static void every_value_has_a_source(void **state)
{
	static const char *const bad[] = {"",		"# assumed:",	 "# assumed",	  "#",
					  "# guess: x", "# assumed : x", "2 # assumed: x"};
	char text[100], expected[200];

	(void)state;
	for (u32 i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "irq_ns 1%s%s", *bad[i] ? " " : "", bad[i]);
		snprintf(expected, sizeof(expected),
			 "here:1: irq_ns has '%s' behind its value, "
			 "expected '# KIND: source' with KIND published, measured, derived or "
			 "assumed",
			 bad[i]);
		assert_string_equal(error_of(text), expected);
	}
}

static void includes(void **state)
{
	(void)state;
	assert_string_equal(error_of("include zen1"),
			    "here:1: include 'zen1', expected a built-in family such as 'generic'");
	assert_string_equal(error_of("include"),
			    "here:1: include '', expected a built-in family such as 'generic'");
	assert_string_equal(error_of("include zen3 zen4"),
			    "here:1: 'zen4' behind the name, expected nothing");
	assert_string_equal(error_of("irq_ns 1 # assumed: x\ninclude zen3"),
			    "here:2: include after a value, expected before the first");
}

static void cycles(void **state)
{
	static const struct wk_cost_file files[] = {
		{"a", "a.cost", "include b\n"},
		{"b", "b.cost", "\ninclude c\n"},
		{"c", "c.cost", "include a\n"},
		{"self", "self.cost", "include self\n"},
	};

	(void)state;
	assert_string_equal(error_of_with(files, 4, "include a"),
			    "c.cost:1: include 'a' inside itself, expected another");
	assert_string_equal(error_of_with(files, 4, "include self"),
			    "self.cost:1: include 'self' inside itself, expected another");
}

static void too_deep(void **state)
{
	static char name[10][16], text[10][32];
	struct wk_cost_file files[10];

	(void)state;
	for (u32 i = 0; i < 10; i++) {
		snprintf(name[i], sizeof(name[i]), "f%u", i);
		snprintf(text[i], sizeof(text[i]), "include f%u\n", i + 1);
		files[i] = (struct wk_cost_file){name[i], name[i], text[i]};
	}
	assert_string_equal(error_of_with(files, 10, "include f0"),
			    "f7:1: include 'f8' is 9 files deep, expected at most 8");
}

static void a_divisor_is_not_0(void **state)
{
	static const char *const key[] = {"timer_ns", "nr_tick_us", "cfs_min_gran_us", "smt_pct",
					  "smt4_pct"};
	char text[100], start[60];

	(void)state;
	for (u32 i = 0; i < sizeof(key) / sizeof(*key); i++) {
		snprintf(text, sizeof(text), "include generic\n%s 0 # assumed: me\n", key[i]);
		snprintf(start, sizeof(start), "here: %s is 0 ", key[i]);
		assert_begins(error_of(text), start);
	}
	assert_begins(error_of("include generic\nsoftware_pct 0 # assumed: me\n"),
		      "here: timer_ns is 0 ");
}

static void missing_keys_are_named(void **state)
{
	static const struct wk_cost_file generic[] = {{"nearly", "nearly.cost", ""}};
	const char *text = error_of("irq_ns 1 # assumed: x");

	(void)state;
	assert_begins(text, "here: missing, expected a value: syscall_ns switch_ns ");
	assert_int_equal(strlen(text), WK_ERR_LEN - 1);
	assert_string_equal(text + strlen(text) - 3, "...");
	assert_begins(error_of_with(generic, 1, "include nearly"), "here: missing");
	assert_begins(error_of(""), "here: missing");
}

static void long_lines(void **state)
{
	char text[1100];

	(void)state;
	memset(text, ' ', sizeof(text));
	text[1025] = 0;
	assert_string_equal(error_of(text), "here:1: line of 1025 bytes, expected at most 1024");
	text[1024] = '\n';
	assert_begins(error_of(text), "here: missing");
	memset(text, 'k', 200);
	assert_begins(error_of(text),
		      "here:1: key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...', ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_family_is_complete),
		cmocka_unit_test(a_family_overrides_what_it_includes),
		cmocka_unit_test(generic_stands_in),
		cmocka_unit_test(a_file_of_the_user),
		cmocka_unit_test(keys),
		cmocka_unit_test(values),
		cmocka_unit_test(every_value_has_a_source),
		cmocka_unit_test(includes),
		cmocka_unit_test(cycles),
		cmocka_unit_test(too_deep),
		cmocka_unit_test(a_divisor_is_not_0),
		cmocka_unit_test(missing_keys_are_named),
		cmocka_unit_test(long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
