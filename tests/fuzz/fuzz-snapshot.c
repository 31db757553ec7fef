// SPDX-License-Identifier: GPL-2.0-only
/* The sysfs reader; the input is a tree in the form of tests/machines/tree.h. */
#include "tests/fuzz/machine.h"
#define TREE_MAX_FILES 3000
#include "tests/machines/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_files *f = tree_parse((const char *)data, size);
	struct wk_err err = {""};

	if (!f)
		return 0;
	fuzz_machine(wk_read_files(f, "tree", "tree", &err), &err);
	wk_files_close(f);
	return 0;
}
