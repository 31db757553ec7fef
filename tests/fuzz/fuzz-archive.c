// SPDX-License-Identifier: GPL-2.0-only
/* The archive reader and what it hands to the sysfs reader; the input is a tarball. */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};
	struct wk_files *f = wk_files_open_archive_memory("a.tar", data, size, &err);

	if (!f) {
		fuzz_one_line(err.text);
		return 0;
	}
	fuzz_machine(wk_read_files(f, "a.tar", "a", &err), &err);
	wk_files_close(f);
	return 0;
}
