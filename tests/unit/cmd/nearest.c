// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include "cmd/nearest.h"

static const char *const words[] = {"compare", "machines", "policies", "topo"};

static void one_letter_off(void **state)
{
	(void)state;
	assert_string_equal(wk_nearest("compar", words, 4), "compare");
	assert_string_equal(wk_nearest("topos", words, 4), "topo");
	assert_string_equal(wk_nearest("machimes", words, 4), "machines");
}

static void nothing_near(void **state)
{
	(void)state;
	assert_null(wk_nearest("xyzzy", words, 4));
	assert_null(wk_nearest("", words, 4));
	assert_null(wk_nearest("compare", words, 0));
}

static void the_nearest_of_several(void **state)
{
	static const char *const near[] = {"sis_node", "sis_core", "sis_nod"};

	(void)state;
	assert_string_equal(wk_nearest("sis_nide", near, 3), "sis_node");
}

static void very_long_words_are_not_near(void **state)
{
	static const char *const word[] = {"topo"};
	char longest[1000] = "";

	(void)state;
	for (size_t i = 0; i < sizeof(longest) - 1; i++)
		longest[i] = 't';
	assert_null(wk_nearest(longest, word, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_letter_off),
		cmocka_unit_test(nothing_near),
		cmocka_unit_test(the_nearest_of_several),
		cmocka_unit_test(very_long_words_are_not_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
