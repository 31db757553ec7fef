// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as an rt-app file: a workload (which has passed its check), or one line. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "workload/rtapp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};
	struct wk_workload *w = wk_rtapp_parse((const char *)data, size, "fuzz", &err);

	if (!w && (!err.text[0] || strchr(err.text, '\n')))
		abort();
	wk_workload_destroy(w);
	return 0;
}
