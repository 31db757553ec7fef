// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/golden.h"

#include "lab/csv.h"

static int parse(const char *text, struct wk_csv *csv, struct wk_err *err)
{
	return wk_csv_parse(strdup(text), "f.csv", csv, err);
}

static void plain_and_quoted(void **state)
{
	struct wk_csv csv;
	struct wk_err err;

	(void)state;
	assert_int_equal(parse("a,b,c\n1,\"x, \"\"y\"\"\nz\",\r\n\"\",,\"\"\"\"\n", &csv, &err), 0);
	assert_int_equal(csv.nr_columns, 3);
	assert_int_equal(csv.nr_rows, 2);
	assert_string_equal(wk_csv_get(&csv, 0, 0), "1");
	assert_string_equal(wk_csv_get(&csv, 0, 1), "x, \"y\"\nz");
	assert_string_equal(wk_csv_get(&csv, 0, 2), "");
	assert_string_equal(wk_csv_get(&csv, 1, 0), "");
	assert_string_equal(wk_csv_get(&csv, 1, 2), "\"");
	/* A line break inside of quotes is a line too. */
	assert_int_equal(csv.line[2], 4);
	assert_int_equal(wk_csv_column(&csv, "c", &err), 2);
	assert_int_equal(wk_csv_column(&csv, "d", &err), WK_NONE);
	assert_string_equal(err.text, "f.csv:1: found no column 'd'");
	wk_csv_release(&csv);
}

static void ends_of_files(void **state)
{
	static const char *const same[] = {"a,b\n1,2", "a,b\n1,2\n", "a,b\r\n1,2\r\n",
					   "\xef\xbb\xbf"
					   "a,b\n1,\"2\""};
	struct wk_csv csv;
	struct wk_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		assert_int_equal(parse(same[i], &csv, &err), 0);
		assert_int_equal(csv.nr_rows, 1);
		assert_int_equal(wk_csv_column(&csv, "a", &err), 0);
		assert_string_equal(wk_csv_get(&csv, 0, 1), "2");
		wk_csv_release(&csv);
	}
}

static void errors_name_file_and_line(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{"", "f.csv:1: found an empty file, expected a line of names"},
		{"a,b\n1,2\n3\n", "f.csv:3: found 1 fields, expected 2"},
		{"a,b\n1,2,3\n", "f.csv:2: found 3 fields, expected 2"},
		{"a,b\n1,\"2\n3\n", "f.csv:2: found the end of the file, expected a closing quote"},
		{"a,b\n\"1\"x,2\n", "f.csv:2: found 'x' behind a closing quote, expected a comma"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wk_csv csv;
		struct wk_err err;

		assert_int_equal(parse(cases[i].text, &csv, &err), -22);
		assert_string_equal(err.text, cases[i].error);
	}
}

static void numbers(void **state)
{
	struct wk_csv csv;
	struct wk_err err;
	double x = 7;
	bool has;

	(void)state;
	assert_int_equal(parse("a,b\n-1.5e1,\n1x,nan\n", &csv, &err), 0);
	assert_int_equal(wk_csv_number(&csv, 0, 0, &x, &has, &err), 0);
	assert_true(has && x == -15);
	assert_int_equal(wk_csv_number(&csv, 0, 1, &x, &has, &err), 0);
	assert_true(!has && x == -15);
	assert_int_equal(wk_csv_number(&csv, 1, 0, &x, &has, &err), -22);
	assert_string_equal(err.text, "f.csv:3: a: found '1x', expected a number");
	assert_int_equal(wk_csv_number(&csv, 1, 1, &x, &has, &err), -22);
	wk_csv_release(&csv);
}

static void what_is_written_is_read(void **state)
{
	static const char *const fields[] = {"plain", "", "a,b", "\"", "two\nlines", "tip+limit=2"};
	struct wk_csv csv;
	struct wk_err err;
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	for (u32 line = 0; line < 2; line++)
		for (u32 i = 0; i < 6; i++) {
			wk_csv_write(to, fields[i]);
			fputc(i < 5 ? ',' : '\n', to);
		}
	fclose(to);
	assert_int_equal(wk_csv_parse(text, "f.csv", &csv, &err), 0);
	for (u32 i = 0; i < 6; i++)
		assert_string_equal(wk_csv_get(&csv, 0, i), fields[i]);
	wk_csv_release(&csv);
}

static void files_that_are_no_text(void **state)
{
	char path[] = "/tmp/wk-csv-XXXXXX";
	int fd = mkstemp(path);
	struct wk_csv csv;
	struct wk_err err;

	(void)state;
	assert_int_equal(wk_csv_open("tests/no-such-file", &csv, &err), -2);
	assert_string_equal(err.text, "tests/no-such-file: No such file or directory");
	assert_true(wk_csv_open("tests", &csv, &err) < 0);
	assert_string_equal(err.text, "tests: Is a directory");
	assert_int_equal(wk_csv_open("/dev/zero", &csv, &err), -22);
	assert_string_equal(err.text, "/dev/zero: found a special file, expected a text file");
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 16 << 20), 0);
	close(fd);
	assert_int_equal(wk_csv_open(path, &csv, &err), -27);
	assert_non_null(strstr(err.text, ": found 16 MiB or more, expected a text file"));
	remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_and_quoted),
		cmocka_unit_test(ends_of_files),
		cmocka_unit_test(errors_name_file_and_line),
		cmocka_unit_test(numbers),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(files_that_are_no_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
