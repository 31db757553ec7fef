/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of benchmarks as data, and specs: "hackbench:groups=1/2/4,ipc=pipe".
 *
 * Problem: the parser, its errors, `wakepath benches` and the text of the manual
 * would each have their own list of options, and drift apart.
 * Idea: bench.def is the only list; everything here reads it.
 * Ownership: the table is constant. A list of specs belongs to the caller, who
 * frees it with wk_bench_list_free().
 */
#ifndef WK_WORKLOAD_BENCH_H
#define WK_WORKLOAD_BENCH_H

#include "workload/workload.h"

enum wk_bench_id {
#define WK_BENCH(id, name, published, aliases, sentence) WK_BENCH_ID_##id,
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence)
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence)
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence)
#include "workload/bench.def"
	WK_BENCH_NR
};

/* All options of all benches, each bench's in a row. */
enum wk_bench_opt_id {
#define WK_BENCH(id, name, published, aliases, sentence)
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence) \
	WK_BENCH_OPT_##bench##_##id,
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence) \
	WK_BENCH_OPT_##bench##_##id,
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence) WK_BENCH_OPT_##bench##_##id,
#include "workload/bench.def"
	WK_BENCH_OPT_NR
};

enum wk_bench_opt_kind { WK_BENCH_KIND_UINT, WK_BENCH_KIND_CHOICE, WK_BENCH_KIND_TEXT };

/* Value of a number whose default is "auto" and that nobody set. */
#define WK_BENCH_AUTO	  ((u64)-1)
#define WK_BENCH_TEXT_MAX 1024
#define WK_BENCH_SPEC_MAX 4096
#define WK_BENCH_LIST_MAX 1000 /* loads of one list */

struct wk_bench_opt {
	u8 bench; /* enum wk_bench_id */
	u8 kind;  /* enum wk_bench_opt_kind */
	const char *key;
	const char *load; /* how published results name this load, between '|'; "" if none */
	const char *default_text; /* "": none, the user has to say it */
	const char *choices;	  /* "threads|process" */
	u64 min, max;
	const char *sentence;
};

struct wk_bench {
	const char *name, *published, *aliases, *sentence;
};

/* What a spec says: values by enum wk_bench_opt_id, those of other benches 0. */
struct wk_bench_args {
	enum wk_bench_id bench;
	u64 value[WK_BENCH_OPT_NR];   /* a number, or the index of a choice */
	char text[WK_BENCH_TEXT_MAX]; /* of the one option of kind text */
	u32 load_opt; /* enum wk_bench_opt_id of the load, WK_BENCH_OPT_NR if the bench has none */
	u32 nr_cpus;
};

const struct wk_bench *wk_bench_at(enum wk_bench_id id);
const struct wk_bench_opt *wk_bench_opt_at(u32 id);
/* Does @key mean this option? Its own key does, and each name of the load in published results. */
bool wk_bench_opt_is(const struct wk_bench_opt *opt, const char *key, size_t len);
/* WK_BENCH_NR where there is none. */
enum wk_bench_id wk_bench_find(const char *name);

/* 0, or -EINVAL with one line: unknown names with the nearest match, numbers with their range. */
int wk_bench_parse(const char *spec, u32 nr_cpus, struct wk_bench_args *ret,
		   struct wk_err *ret_err);

struct wk_bench_list {
	char **spec;
	u32 nr;
};

/* A spec whose load is a list (groups=1/2/4) as one spec for each load; others as they are. */
int wk_bench_split(const char *spec, struct wk_bench_list *ret, struct wk_err *ret_err);
void wk_bench_list_free(struct wk_bench_list *list);

/*
 * The metric of @w that published results call @name ("threads-pipe", or "time" where any fits);
 * WK_NONE if it has none of that name.
 */
s32 wk_bench_metric(const struct wk_workload *w, const char *name);

/*
 * The spec that a row of published results means: "hackbench", "process-sockets", "groups", 4 is
 * "hackbench:groups=4,mode=process,ipc=sockets". -ENOENT if no model stands for it.
 */
int wk_bench_from_published(const char *benchmark, const char *metric, const char *load_name,
			    u64 load, char *ret_spec, size_t size);

#endif
