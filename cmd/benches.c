// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "cmd/cmd.h"
#include "cmd/nearest.h"
#include "workload/bench.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct args {
	unsigned int format;
	struct wk_opt_list names;
};

static const struct wk_opt opts[] = {
	WK_OPT_CHOICE(struct args, format, 'f', "text|csv|json", "text", "how to print"),
	WK_OPT_OPERANDS(struct args, names, "[NAME...]"),
	WK_OPT_DONE,
};

#define VALUES_MAX 64

/* What an option can be: "1 to 4096", "threads|process". */
static const char *values(const struct wk_bench_opt *opt, char buf[VALUES_MAX])
{
	switch ((enum wk_bench_opt_kind)opt->kind) {
	case WK_BENCH_KIND_UINT:
		snprintf(buf, VALUES_MAX, "%" PRIu64 " to %" PRIu64, (uint64_t)opt->min,
			 (uint64_t)opt->max);
		return buf;
	case WK_BENCH_KIND_CHOICE:
		return opt->choices;
	case WK_BENCH_KIND_TEXT:
		break;
	}
	return "PATH";
}

/* The next option of bench @id at or after @from, or NULL. */
static const struct wk_bench_opt *next_opt(enum wk_bench_id id, u32 *from)
{
	for (; *from < WK_BENCH_OPT_NR; ++*from)
		if (wk_bench_opt_at(*from)->bench == id)
			return wk_bench_opt_at((*from)++);
	return NULL;
}

static void show_opts(enum wk_bench_id id)
{
	const struct wk_bench_opt *opt;
	char buf[VALUES_MAX], text[400];
	u32 from = 0;

	while ((opt = next_opt(id, &from))) {
		int at = printf("  %-16s ", opt->key);

		snprintf(text, sizeof(text), "%s%s%s%s%s [%s]", opt->sentence,
			 *opt->load ? " [load]" : "", *opt->default_text ? " [default: " : "",
			 opt->default_text, *opt->default_text ? "]" : "", values(opt, buf));
		wk_print_wrapped(stdout, text, at, at);
	}
}

static void show_text(enum wk_bench_id id, bool in_full)
{
	const struct wk_bench *b = wk_bench_at(id);

	if (!in_full) {
		int at = printf("%-16s ", b->name);

		wk_print_wrapped(stdout, b->sentence, at, at);
		return;
	}
	wk_print_wrapped(stdout, b->sentence, printf("%s:", b->name), 2);
	if (*b->published)
		printf("  in published results: %s\n", b->published);
	show_opts(id);
}

/* Sentences have commas, no quotes. */
static void show_csv(enum wk_bench_id id)
{
	const struct wk_bench *b = wk_bench_at(id);
	const struct wk_bench_opt *opt;
	char buf[VALUES_MAX];
	u32 from = 0;

	while ((opt = next_opt(id, &from)))
		printf("%s,%s,%s,%s,%s,%s,\"%s\"\n", b->name, b->published, opt->key, opt->load,
		       opt->default_text, values(opt, buf), opt->sentence);
}

static json_t *opt_as_json(const struct wk_bench_opt *opt)
{
	char buf[VALUES_MAX];

	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "option", opt->key, "load", opt->load,
			 "default", opt->default_text, "values", values(opt, buf), "sentence",
			 opt->sentence);
}

static json_t *as_json(enum wk_bench_id id)
{
	const struct wk_bench *b = wk_bench_at(id);
	const struct wk_bench_opt *opt;
	json_t *list = json_array();
	u32 from = 0;

	while ((opt = next_opt(id, &from)))
		json_array_append_new(list, opt_as_json(opt));
	return json_pack("{s:s, s:s, s:s, s:o}", "bench", b->name, "published", b->published,
			 "sentence", b->sentence, "options", list);
}

static enum wk_exit unknown_bench(const char *word)
{
	struct wk_nearest near = {.word = word};
	const char *best = NULL;

	for (u32 i = 0; i < WK_BENCH_NR; i++)
		if (wk_nearest_offer(&near, wk_bench_at((enum wk_bench_id)i)->name))
			best = wk_bench_at((enum wk_bench_id)i)->name;
	return wk_unknown("bench", word, best, "wakepath benches");
}

static void show(enum wk_bench_id id, enum format format, bool in_full, json_t *list)
{
	if (format == FORMAT_TEXT)
		show_text(id, in_full);
	else if (format == FORMAT_CSV)
		show_csv(id);
	else
		json_array_append_new(list, as_json(id));
}

static void show_all(enum format format, json_t *list)
{
	if (format == FORMAT_TEXT)
		puts("Use one as NAME or NAME:OPTION=VALUE,...; a load can be a list, 1/2/4.\n"
		     "'wakepath benches NAME' shows the options.\n");
	for (u32 i = 0; i < WK_BENCH_NR; i++)
		show((enum wk_bench_id)i, format, false, list);
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;
	enum format format = (enum format)args->format;
	json_t *list;

	for (size_t i = 0; i < args->names.nr; i++)
		if (wk_bench_find(args->names.values[i]) == WK_BENCH_NR)
			return unknown_bench(args->names.values[i]);
	list = json_array();
	if (format == FORMAT_CSV)
		puts("bench,published,option,load,default,values,sentence");
	if (!args->names.nr)
		show_all(format, list);
	for (size_t i = 0; i < args->names.nr; i++)
		show(wk_bench_find(args->names.values[i]), format, true, list);
	if (format == FORMAT_JSON) {
		json_dumpf(list, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(list);
	return WK_EXIT_DONE;
}

const struct wk_cmd wk_cmd_benches = {
	.name = "benches",
	.summary = "list the benchmarks that have a model, and their options",
	.text = "Lists each benchmark, or the options of those named: what they mean, their "
		"defaults and their ranges. [load] marks what can be a list: "
		"hackbench:groups=1/2/4; 'load' means the first of them.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
