/* SPDX-License-Identifier: GPL-2.0-only */
/* One model a benchmark: from its options to a workload, or NULL and one line. */
#ifndef WK_WORKLOAD_MODELS_H
#define WK_WORKLOAD_MODELS_H

#include "workload/bench.h"
#include "workload/build.h"

#define WK_BENCH(id, name, published, aliases, sentence) \
	struct wk_workload *wk_model_##id(const struct wk_bench_args *args, struct wk_err *ret_err);
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence)
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence)
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence)
#include "workload/bench.def"

/* args->value[] of option @id of bench @bench. */
#define wk_arg(args, bench, id) ((args)->value[WK_BENCH_OPT_##bench##_##id])

#define WK_NS_PER_US		1000ULL
#define WK_NS_PER_MS		1000000ULL
#define WK_NS_PER_S		1000000000ULL

/* Refuses what would have too many tasks, in terms of the user's options. */
int wk_model_check_tasks(const char *bench, u64 nr_tasks, struct wk_err *ret_err);

/* The load's name for struct wk_workload: the key of the option that is the load. */
void wk_model_init(struct wk_build *b, const struct wk_bench_args *args);

/* A metric with that name and unit; the caller sets the rest. */
struct wk_metric wk_model_metric(const char *name, const char *unit, enum wk_metric_kind kind);
/* Percentile @pct10 of histogram @slot, printed in microseconds. */
void wk_model_latency(struct wk_build *b, const char *name, u32 slot, u32 pct10);

/* How long the real tool runs, and the least that is worth measuring of it. */
void wk_model_times(struct wk_build *b, u64 duration_ns, u64 warmup_ns, u64 window_ns);

#endif
