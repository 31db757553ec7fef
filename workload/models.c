// SPDX-License-Identifier: GPL-2.0-only
/* What the models have in common. */
#include <inttypes.h>
#include <stdio.h>

#include "workload/models.h"

int wk_model_check_tasks(const char *bench, u64 nr_tasks, struct wk_err *ret_err)
{
	if (nr_tasks <= WK_MAX_TASKS)
		return 0;
	return wk_build_error(ret_err, "bench '%s': found %" PRIu64 " tasks, expected at most %d",
			      bench, (uint64_t)nr_tasks, WK_MAX_TASKS);
}

void wk_model_init(struct wk_build *b, const struct wk_bench_args *args)
{
	const struct wk_bench_opt *load = wk_bench_opt_at(args->load_opt);

	wk_build_init(b, wk_bench_at(args->bench)->name, load ? load->key : "",
		      load ? args->value[args->load_opt] : 0);
}

struct wk_metric wk_model_metric(const char *name, const char *unit, enum wk_metric_kind kind)
{
	struct wk_metric m = {.kind = (u8)kind,
			      .higher_is_better = kind == WK_METRIC_RATE,
			      .total = 1,
			      .scale_num = 1,
			      .scale_den = 1};

	snprintf(m.name, sizeof(m.name), "%s", name);
	snprintf(m.unit, sizeof(m.unit), "%s", unit);
	return m;
}

void wk_model_latency(struct wk_build *b, const char *name, u32 slot, u32 pct10)
{
	struct wk_metric m = wk_model_metric(name, "us", WK_METRIC_LATENCY);

	m.slot = (u16)slot;
	m.pct10 = (u16)pct10;
	m.scale_den = WK_NS_PER_US;
	wk_build_metric(b, &m);
}

void wk_model_times(struct wk_build *b, u64 duration_ns, u64 warmup_ns, u64 window_ns)
{
	if (!b->w)
		return;
	b->w->duration_ns = duration_ns;
	b->w->warmup_ns = warmup_ns;
	b->w->min_window_ns = window_ns;
}
