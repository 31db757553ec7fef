// SPDX-License-Identifier: GPL-2.0-only
/* A load that is a list, "groups=1/2/4", as one spec a load. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/bench.h"
#include "workload/build.h"

/* Where in a spec its list of loads stands. */
struct load_list {
	const char *key, *value; /* NULL: no list */
	size_t len_key, len_value;
};

static enum wk_bench_id bench_of(const char *spec)
{
	size_t len = strcspn(spec, ":");
	u32 id = 0;

	while (id < WK_BENCH_NR && (strlen(wk_bench_at((enum wk_bench_id)id)->name) != len ||
				    strncmp(wk_bench_at((enum wk_bench_id)id)->name, spec, len)))
		id++;
	return (enum wk_bench_id)id;
}

static bool is_load_key(enum wk_bench_id bench, const char *key, size_t len)
{
	if (len == 4 && !strncmp(key, "load", 4))
		return true;
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = wk_bench_opt_at(i);

		if (opt->bench == bench && *opt->load && wk_bench_opt_is(opt, key, len))
			return true;
	}
	return false;
}

static int find_list(const char *spec, enum wk_bench_id bench, struct load_list *ret,
		     struct wk_err *err)
{
	const char *at = spec + strcspn(spec, ":");

	*ret = (struct load_list){0};
	while (*at) {
		const char *key = at + 1, *value;
		size_t len = strcspn(key, ","), len_key = strcspn(key, "=,");

		at = key + len;
		if (len_key >= len || !is_load_key(bench, key, len_key) || !memchr(key, '/', len))
			continue;
		value = key + len_key + 1;
		if (ret->key)
			return wk_build_error(err, "bench '%s': two lists of loads, expected one",
					      wk_bench_at(bench)->name);
		*ret = (struct load_list){key, value, len_key, (size_t)(key + len - value)};
	}
	return 0;
}

static int add(struct wk_bench_list *list, char *spec, struct wk_err *err)
{
	char **grown = spec ? reallocarray(list->spec, list->nr + 1, sizeof(*grown)) : NULL;

	if (!grown) {
		free(spec);
		wk_build_error(err, "bench: out of memory");
		return -ENOMEM;
	}
	list->spec = grown;
	list->spec[list->nr++] = spec;
	return 0;
}

/* The list's key comes first: the first load key of a spec is its load. */
static char *one_spec(const char *spec, const struct load_list *l, const char *load, int len)
{
	int head = (int)strcspn(spec, ":"), before = (int)(l->key - spec) - head - 1;
	const char *after = l->value + l->len_value;
	char *ret = NULL;

	if (before) /* "groups=1" from "ipc=pipe,groups=1/2": the comma goes with what is before */
		before--;
	if (asprintf(&ret, "%.*s:%.*s=%.*s%s%.*s%s", head, spec, (int)l->len_key, l->key, len, load,
		     before ? "," : "", before, spec + head + 1, after) < 0)
		return NULL;
	return ret;
}

static int split_loads(const char *spec, const struct load_list *l, struct wk_bench_list *ret,
		       struct wk_err *err)
{
	const char *load = l->value, *end = l->value + l->len_value;

	for (;;) {
		size_t len = 0;

		while (load + len < end && load[len] != '/')
			len++;
		if (ret->nr == WK_BENCH_LIST_MAX)
			return wk_build_error(err, "bench: expected at most %d loads",
					      WK_BENCH_LIST_MAX);
		if (add(ret, one_spec(spec, l, load, (int)len), err))
			return -ENOMEM;
		if (load + len == end)
			return 0;
		load += len + 1;
	}
}

int wk_bench_split(const char *spec, struct wk_bench_list *ret, struct wk_err *ret_err)
{
	struct wk_bench_args args;
	struct load_list l = {0};
	enum wk_bench_id bench = bench_of(spec);
	int err = 0;

	*ret = (struct wk_bench_list){0};
	if (bench < WK_BENCH_NR && strlen(spec) < WK_BENCH_SPEC_MAX)
		err = find_list(spec, bench, &l, ret_err);
	if (!err)
		err = l.key ? split_loads(spec, &l, ret, ret_err) : add(ret, strdup(spec), ret_err);
	/* Every one is looked at now: nobody wants to hear of the last load after an hour. */
	for (u32 i = 0; !err && i < ret->nr; i++)
		err = wk_bench_parse(ret->spec[i], 1, &args, ret_err);
	if (err)
		wk_bench_list_free(ret);
	return err;
}

void wk_bench_list_free(struct wk_bench_list *list)
{
	for (u32 i = 0; i < list->nr; i++)
		free(list->spec[i]);
	free(list->spec);
	*list = (struct wk_bench_list){0};
}
