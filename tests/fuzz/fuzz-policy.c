// SPDX-License-Identifier: GPL-2.0-only
/* Any text as a policy: refused with one line, or read, and then printing is the inverse. */
#include <stdlib.h>
#include <string.h>

#include "lab/policy_str.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char printed[WK_POLICY_TEXT_MAX], again[WK_POLICY_TEXT_MAX];
	struct wk_policy pol, back;
	struct wk_err err = {""};
	char *text = strndup((const char *)data, size);

	if (!text)
		abort();
	if (wk_policy_parse(text, &pol, &err)) {
		if (!err.text[0] || strchr(err.text, '\n'))
			abort();
		free(text);
		return 0;
	}
	wk_policy_print(&pol, printed);
	if (wk_policy_parse(printed, &back, &err) || memcmp(&pol, &back, sizeof(pol)))
		abort();
	wk_policy_print(&back, again);
	if (strcmp(printed, again))
		abort();
	free(text);
	return 0;
}
