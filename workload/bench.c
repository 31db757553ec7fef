// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "workload/bench.h"

static const struct wk_bench benches[] = {
#define WK_BENCH(id, name, published, aliases, sentence) {name, published, aliases, sentence},
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence)
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence)
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence)
#include "workload/bench.def"
};

static const struct wk_bench_opt opts[] = {
#define WK_BENCH(id, name, published, aliases, sentence)
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence) \
	{WK_BENCH_ID_##bench, WK_BENCH_KIND_UINT, key, load, default_text, "", min, max, sentence},
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence) \
	{WK_BENCH_ID_##bench, WK_BENCH_KIND_CHOICE, key, "", default_text, choices, 0, 0, sentence},
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence) \
	{WK_BENCH_ID_##bench, WK_BENCH_KIND_TEXT, key, "", default_text, "", 0, 0, sentence},
#include "workload/bench.def"
};

const struct wk_bench *wk_bench_at(enum wk_bench_id id)
{
	return id < WK_BENCH_NR ? &benches[id] : NULL;
}

const struct wk_bench_opt *wk_bench_opt_at(u32 id)
{
	return id < WK_BENCH_OPT_NR ? &opts[id] : NULL;
}

enum wk_bench_id wk_bench_find(const char *name)
{
	u32 id = 0;

	while (id < WK_BENCH_NR && strcmp(benches[id].name, name))
		id++;
	return (enum wk_bench_id)id;
}

/* True if the word of @len bytes is one of those of @list, which stand between '|'. */
static bool has_word(const char *list, const char *word, size_t len)
{
	for (;;) {
		size_t n = strcspn(list, "|");

		if (n == len && !strncmp(list, word, n))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

static bool is_among(const char *list, const char *word)
{
	return has_word(list, word, strlen(word));
}

bool wk_bench_opt_is(const struct wk_bench_opt *opt, const char *key, size_t len)
{
	return has_word(opt->key, key, len) || (len && has_word(opt->load, key, len));
}

/* What @aliases, "THEIRS=OURS|...", says about @name: OURS with its length, or NULL. */
static const char *find_alias(const char *aliases, const char *name, size_t *ret_len)
{
	size_t len = strlen(name);

	while (*aliases) {
		size_t n = strcspn(aliases, "|");

		if (n > len && aliases[len] == '=' && !strncmp(aliases, name, len)) {
			*ret_len = n - len - 1;
			return aliases + len + 1;
		}
		aliases += n + (aliases[n] == '|');
	}
	return NULL;
}

s32 wk_bench_metric(const struct wk_workload *w, const char *name)
{
	enum wk_bench_id id = wk_bench_find(w->bench);
	const char *ours = id < WK_BENCH_NR ? find_alias(benches[id].aliases, name, &(size_t){0})
					    : NULL;
	size_t len = strlen(name);

	if (ours)
		find_alias(benches[id].aliases, name, &len), name = ours;
	for (u32 i = 0; i < w->nr_metrics; i++)
		/* An alias of nothing, "time=", fits whatever the bench measures. */
		if (!len ||
		    (strlen(w->metric[i].name) == len && !strncmp(w->metric[i].name, name, len)))
			return (s32)i;
	return WK_NONE;
}

/* hackbench's metric says how it ran: "process-sockets". */
static bool split_mode(const char *metric, char *ret, size_t size)
{
	const char *dash = strchr(metric, '-');

	*ret = 0;
	if (!dash)
		return !strcmp(metric, "time");
	if (!is_among("threads-pipe|threads-sockets|process-pipe|process-sockets", metric))
		return false;
	/* Both modes have seven letters. */
	snprintf(ret, size, ",mode=%.7s,ipc=%s", metric, dash + 1);
	return true;
}

/* Does a row of published results with this metric mean bench @id? */
static bool metric_fits(enum wk_bench_id id, const char *metric, char *more, size_t size)
{
	*more = 0;
	switch (id) {
	case WK_BENCH_ID_hackbench:
	case WK_BENCH_ID_messaging:
		return split_mode(metric, more, size);
	case WK_BENCH_ID_netperf_tcp_rr:
		return !strcmp(metric, "TCP_RR");
	case WK_BENCH_ID_netperf_udp_rr:
		return !strcmp(metric, "UDP_RR");
	default:
		return true;
	}
}

int wk_bench_from_published(const char *benchmark, const char *metric, const char *load_name,
			    u64 load, char *ret_spec, size_t size)
{
	char more[80];

	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = &opts[i];
		const struct wk_bench *bench = &benches[opt->bench];

		if (!*opt->load || !is_among(opt->load, load_name) ||
		    !is_among(bench->published, benchmark) ||
		    !metric_fits((enum wk_bench_id)opt->bench, metric, more, sizeof(more)))
			continue;
		snprintf(ret_spec, size, "%s:%s=%llu%s", bench->name, opt->key,
			 (unsigned long long)load, more);
		return 0;
	}
	return -ENOENT;
}
