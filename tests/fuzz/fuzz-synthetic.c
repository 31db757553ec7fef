// SPDX-License-Identifier: GPL-2.0-only
/* hwloc synthetic descriptions. */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_machine(wk_read_synthetic(text, &err), &err);
	free(text);
	return 0;
}
