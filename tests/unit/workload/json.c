// SPDX-License-Identifier: GPL-2.0-only
/* The reader of JSON: order, repeated keys, comments, places of errors, limits. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"
#include "workload/json.h"

static void parse(const char *text, struct wk_json *j)
{
	struct wk_err err = {""};

	if (wk_json_parse(text, strlen(text), "t", j, &err))
		fail_msg("%s: %s", text, err.text);
}

static void order_and_repeated_keys(void **state)
{
	struct wk_json j;
	u32 i;

	(void)state;
	parse("{\"b\":1,\"a\":2,\"b\":3,\"s\",}", &j);
	assert_int_equal(wk_json_get(&j, 1, "none"), 0);
	assert_int_equal(j.node[wk_json_get(&j, 1, "b")].number, 1);
	i = j.node[1].first;
	assert_string_equal(wk_json_key(&j, i), "b");
	i = j.node[i].next;
	assert_string_equal(wk_json_key(&j, i), "a");
	i = j.node[i].next;
	assert_int_equal(j.node[i].number, 3);
	i = j.node[i].next;
	assert_string_equal(wk_json_key(&j, i), "s");
	assert_int_equal(j.node[i].kind, WK_JSON_ABSENT);
	assert_int_equal(j.node[i].next, 0);
	wk_json_release(&j);
}

static void values_of_every_kind(void **state)
{
	struct wk_json j;

	(void)state;
	parse("/* c */ [ -12, 1.5, true, false, null, \"a\\n\\u00e9\\\"\", {}, [], ] // end", &j);
	assert_int_equal(j.node[2].kind, WK_JSON_INTEGER);
	assert_int_equal(j.node[2].number, -12);
	assert_int_equal(j.node[3].kind, WK_JSON_REAL);
	assert_int_equal(j.node[4].kind, WK_JSON_BOOL);
	assert_int_equal(j.node[4].number, 1);
	assert_int_equal(j.node[5].number, 0);
	assert_int_equal(j.node[6].kind, WK_JSON_NULL);
	assert_string_equal(wk_json_string(&j, 7), "a\n\xc3\xa9\"");
	assert_int_equal(j.node[8].kind, WK_JSON_OBJECT);
	assert_int_equal(j.node[9].kind, WK_JSON_ARRAY);
	wk_json_release(&j);
}

static void places_of_values(void **state)
{
	struct wk_json j;

	(void)state;
	parse("{\n  \"a\" : 1, /* x\n y */ \"b\" : 2 }", &j);
	assert_int_equal(j.node[2].line, 2);
	assert_int_equal(j.node[2].col, 3);
	assert_int_equal(j.node[3].line, 3);
	assert_int_equal(j.node[3].col, 7);
	wk_json_release(&j);
}

static void refused(const char *text, size_t len, const char *says)
{
	struct wk_err err = {""};
	struct wk_json j;

	if (!wk_json_parse(text, len, "t", &j, &err))
		fail_msg("'%s' was taken", text);
	assert_string_equal(err.text, says);
	assert_null(j.node);
}

static void errors_have_their_place(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"", "t:1:1: found the end, expected a value"},
		{"\n\n  x", "t:3:3: found 'x', expected a value"},
		{"{\"a\":1", "t:1:7: found the end, expected ',' or '}'"},
		{"{\"a\":1\n 2}", "t:2:2: found '2', expected ',' or '}'"},
		{"[1 2]", "t:1:4: found '2', expected ',' or ']'"},
		{"{1:2}", "t:1:2: found '1', expected '\"' before a key, or '}'"},
		{"{\"a\" 1}", "t:1:6: found '1', expected ':' after the key"},
		{"{\"a\"", "t:1:5: found the end, expected ':' after the key"},
		{"{\"a\":}", "t:1:6: found '}', expected a value"},
		{"\"a", "t:1:3: found the end, expected '\"'"},
		{"\"a\nb\"", "t:1:3: found byte 0x0a, expected '\"' at the end of the string"},
		{"\"\\x\"",
		 "t:1:3: found 'x', expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"},
		{"\"\\u12g4\"", "t:1:6: found 'g', expected four hexadecimal digits"},
		{"\"\\u0000\"", "t:1:8: found '\"', expected no zero in a string"},
		{"-", "t:1:2: found the end, expected a digit"},
		{"1.", "t:1:3: found the end, expected a digit"},
		{"99999999999999999999", "t:1:19: found '9', expected a number below 2^63"},
		{"/* x", "t:1:5: found the end, expected '*/'"},
		{"{} {}", "t:1:4: found '{', expected the end"},
		{"{,}", "t:1:2: found ',', expected '\"' before a key, or '}'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		refused(rows[i].text, strlen(rows[i].text), rows[i].says);
	refused("{\0}", 3, "t:1:2: found byte 0x00, expected '\"' before a key, or '}'");
}

static void depth_and_size_have_limits(void **state)
{
	char deep[65];
	char *wide = malloc(2200000);
	struct wk_err err;
	struct wk_json j;

	(void)state;
	memset(deep, '[', sizeof(deep));
	refused(deep, sizeof(deep), "t:1:65: found '[', expected at most 64 levels");
	refused(deep, sizeof(deep) - 1, "t:1:65: found the end, expected ']'");
	wide[0] = '[';
	for (size_t i = 1; i + 2 <= 2200000; i += 2)
		memcpy(wide + i, "1,", 2);
	assert_true(wk_json_parse(wide, 2199999, "t", &j, &err) < 0);
	assert_string_equal(err.text, "t:1:2000000: found '1', expected at most 1000000 values");
	free(wide);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_and_repeated_keys),
		cmocka_unit_test(values_of_every_kind),
		cmocka_unit_test(places_of_values),
		cmocka_unit_test(errors_have_their_place),
		cmocka_unit_test(depth_and_size_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
