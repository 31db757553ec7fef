// SPDX-License-Identifier: GPL-2.0-only
/* The reader of lscpu's tables; the input is its output. */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};

	fuzz_machine(wk_read_lscpu_text("lscpu", (const char *)data, size, &err), &err);
	return 0;
}
