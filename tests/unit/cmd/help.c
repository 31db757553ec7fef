// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "tests/support/golden.h"

#include "cmd/cmd.h"

struct args {
	const char *machine;
	uint64_t runs;
	bool very_long_name_of_a_flag;
	struct wk_opt_list files;
};

static const struct wk_opt opts[] = {
	WK_OPT_HEAD("What to run"),
	WK_OPT_STR(struct args, machine, 'm', "SRC", "this",
		   "the machine, which can be a name, a file, or a string that is much too long to "
		   "stand on one line of a terminal"),
	WK_OPT_HEAD("How long"),
	WK_OPT_UINT(struct args, runs, 'n', "N", "10", 1, 100, "independent starts"),
	WK_OPT_FLAG(struct args, very_long_name_of_a_flag, 0, "no room beside it"),
	WK_OPT_OPERANDS(struct args, files, "FILE..."),
	WK_OPT_DONE,
};

static const struct wk_cmd cmd = {
	.name = "example",
	.summary = "show what help looks like",
	.text = "The first paragraph is long enough to be broken into two lines at the width of "
		"the help.\n\n.The second begins with a full stop, has a back\\slash and a -dash.",
	.opts = opts,
	.args_size = sizeof(struct args),
};

static void prints_as_recorded(const char *path, void (*print)(FILE *, const struct wk_cmd *))
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	print(to, &cmd);
	fclose(to);
	wk_golden(path, text);
	free(text);
}

static void help_of_a_subcommand(void **state)
{
	(void)state;
	prints_as_recorded("tests/unit/cmd/help.golden", wk_help_cmd);
}

static void man_page_of_a_subcommand(void **state)
{
	(void)state;
	prints_as_recorded("tests/unit/cmd/man.golden", wk_man_cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_of_a_subcommand),
		cmocka_unit_test(man_page_of_a_subcommand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
