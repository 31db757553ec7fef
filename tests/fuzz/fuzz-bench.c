// SPDX-License-Identifier: GPL-2.0-only
/* Any text as a bench spec: split into loads, and each read. Files are not opened. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "workload/bench.h"

/* Models of up to this many tasks are built too; larger ones only take longer. */
#define TASKS_WORTH_BUILDING 1000

static void build(const struct wk_bench_args *args, const char *spec)
{
	struct wk_err err = {""};
	struct wk_workload *w;
	u64 tasks = 1;

	if (args->bench == WK_BENCH_ID_rt_app)
		return;
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++)
		if (args->value[i] != WK_BENCH_AUTO && args->value[i] > 1 &&
		    wk_bench_opt_at(i)->max <= 1000000)
			tasks *= args->value[i] < 1000000 ? args->value[i] : 1000000;
	if (tasks > TASKS_WORTH_BUILDING * 1000ULL)
		return;
	w = wk_workload_open(spec, 4, &err);
	if (!w && !err.text[0])
		abort();
	wk_workload_destroy(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_bench_list list;
	struct wk_bench_args args;
	struct wk_err err = {""};
	char *spec = strndup((const char *)data, size);

	if (!spec)
		abort();
	if (wk_bench_split(spec, &list, &err)) {
		if (!err.text[0] || strchr(err.text, '\n') || list.spec)
			abort();
	}
	for (u32 i = 0; i < list.nr; i++) {
		if (wk_bench_parse(list.spec[i], 4, &args, &err))
			abort(); /* split said yes */
		build(&args, list.spec[i]);
	}
	wk_bench_list_free(&list);
	free(spec);
	return 0;
}
