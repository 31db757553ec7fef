// SPDX-License-Identifier: GPL-2.0-only
/* Any text as a cost file: a table, or one line that says what is wrong. */
#include <stdlib.h>
#include <string.h>

#include "sim/cost.h"
#include "tests/fuzz/fuzz.h"

static void check_error(const struct wk_err *err)
{
	size_t len = strnlen(err->text, WK_ERR_LEN);

	if (!len || len == WK_ERR_LEN || strchr(err->text, '\n'))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};
	struct wk_cost cost;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	if (wk_cost_parse(text, "fuzz", &cost, &err))
		check_error(&err);
	free(text);
	return 0;
}
