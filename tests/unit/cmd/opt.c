// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "tests/support/test.h"

#include "cmd/cmd.h"

struct args {
	bool quick;
	const char *machine_file;
	uint64_t runs;
	uint64_t seed;
	unsigned int format;
	struct wk_opt_list where;
	struct wk_opt_list files;
};

static const struct wk_opt opts[] = {
	WK_OPT_HEAD("What to run"),
	WK_OPT_FLAG(struct args, quick, 'q', "fewer starts"),
	WK_OPT_STR(struct args, machine_file, 'm', "SRC", "this", "the machine"),
	WK_OPT_UINT(struct args, runs, 'n', "N", "10", 1, 100, "independent starts"),
	WK_OPT_UINT(struct args, seed, 0, "S", NULL, 0, UINT64_MAX, "where chance begins"),
	WK_OPT_CHOICE(struct args, format, 0, "text|csv|json", "csv", "how to print"),
	WK_OPT_LIST(struct args, where, 'w', "COL=VALUE", "which rows"),
	WK_OPT_OPERANDS(struct args, files, "FILE..."),
	WK_OPT_DONE,
};

static enum wk_opt_result parse_(struct args *args, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	*args = (struct args){0};
	return wk_opt_parse(opts, args, argc, argv);
}

#define parse(args, ...) parse_(args, (char *[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static void defaults_come_from_the_table(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse(&args), WK_OPT_OK);
	assert_false(args.quick);
	assert_string_equal(args.machine_file, "this");
	assert_int_equal(args.runs, 10);
	assert_int_equal(args.seed, 0);
	assert_int_equal(args.format, 1);
	assert_int_equal(args.where.nr, 0);
}

static void values_in_each_spelling(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse(&args, "--quick", "--machine-file", "a", "--runs=3"), WK_OPT_OK);
	assert_true(args.quick);
	assert_string_equal(args.machine_file, "a");
	assert_int_equal(args.runs, 3);

	assert_int_equal(parse(&args, "-qn5", "-m", "b", "--format=json",
			       "--seed="
			       "18446744073709551615"),
			 WK_OPT_OK);
	assert_true(args.quick);
	assert_int_equal(args.runs, 5);
	assert_string_equal(args.machine_file, "b");
	assert_int_equal(args.format, 2);
	assert_true(args.seed == UINT64_MAX);

	assert_int_equal(parse(&args, "--machine-file="), WK_OPT_OK);
	assert_string_equal(args.machine_file, "");
}

static void lists_and_operands_keep_their_order(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse(&args, "x", "-w", "a=1", "-", "--where=b=2", "--", "--quick"),
			 WK_OPT_OK);
	assert_int_equal(args.where.nr, 2);
	assert_string_equal(args.where.values[0], "a=1");
	assert_string_equal(args.where.values[1], "b=2");
	assert_int_equal(args.files.nr, 3);
	assert_string_equal(args.files.values[0], "x");
	assert_string_equal(args.files.values[1], "-");
	assert_string_equal(args.files.values[2], "--quick");
	assert_false(args.quick);
	wk_opt_release(opts, &args);
	assert_null(args.where.values);
}

static void help_wins(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse(&args, "--quick", "--help", "--nonsense"), WK_OPT_HELP);
	assert_int_equal(parse(&args, "-h"), WK_OPT_HELP);
	/* ... unless it is the value of an option, or an operand. */
	assert_int_equal(parse(&args, "-m", "--help"), WK_OPT_OK);
	assert_int_equal(parse(&args, "--", "--help"), WK_OPT_OK);
	wk_opt_release(opts, &args);
}

static void wrong_words_are_refused(void **state)
{
	struct args args;

	(void)state;
	assert_int_equal(parse(&args, "--machin"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--nonsense"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "-x"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--runs"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--quick=yes"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--format", "xml"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--format", "tex"), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--format", ""), WK_OPT_WRONG);
}

static void numbers_are_whole_and_in_range(void **state)
{
	static const char *const wrong[] = {"0",  "101", "-1", "+1",  " 1",
					    "1 ", "1x",	 "",   "1.5", "99999999999999999999"};
	struct args args;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(parse(&args, "--runs", (char *)wrong[i]), WK_OPT_WRONG);
	assert_int_equal(parse(&args, "--runs", "1"), WK_OPT_OK);
	assert_int_equal(parse(&args, "--runs", "100"), WK_OPT_OK);
}

static void operands_need_a_row(void **state)
{
	static const struct wk_opt none[] = {WK_OPT_DONE};
	char *argv[] = {"x"};
	char args;

	(void)state;
	assert_int_equal(wk_opt_parse(none, &args, 1, argv), WK_OPT_WRONG);
	assert_int_equal(wk_opt_parse(none, &args, 0, argv), WK_OPT_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_come_from_the_table),
		cmocka_unit_test(values_in_each_spelling),
		cmocka_unit_test(lists_and_operands_keep_their_order),
		cmocka_unit_test(help_wins),
		cmocka_unit_test(wrong_words_are_refused),
		cmocka_unit_test(numbers_are_whole_and_in_range),
		cmocka_unit_test(operands_need_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
