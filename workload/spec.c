// SPDX-License-Identifier: GPL-2.0-only
/* Specs: "NAME[:key=value,...]". */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/models.h"
#include "workload/suggest.h"

/* One "key=value" of a spec, pointing into it. */
struct pair {
	const char *key, *value;
	int len_key, len_value;
};

/* How much of a user's word goes into an error. */
static int shown(size_t len)
{
	return len < 40 ? (int)len : 40;
}

static enum wk_bench_id find_bench(const char *spec, struct wk_err *err)
{
	char name[WK_BENCH_SPEC_MAX], did_you_mean[80];
	struct wk_suggest near = {.word = name};
	enum wk_bench_id id;

	if (strlen(spec) >= WK_BENCH_SPEC_MAX) {
		wk_build_error(err, "bench: found %zu bytes, expected at most %d", strlen(spec),
			       WK_BENCH_SPEC_MAX - 1);
		return WK_BENCH_NR;
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ":"), spec);
	id = wk_bench_find(name);
	if (id < WK_BENCH_NR)
		return id;
	for (u32 i = 0; i < WK_BENCH_NR; i++)
		wk_suggest_offer(&near, wk_bench_at((enum wk_bench_id)i)->name);
	wk_build_error(err, "unknown bench '%.*s'%s; 'wakepath benches' lists them",
		       shown(strlen(name)), name, wk_suggest_text(&near, did_you_mean));
	return WK_BENCH_NR;
}

/* The next pair at *at, which then points behind it. 0: there was none; -EINVAL: no '='. */
static int next_pair(const char *bench, const char **at, struct pair *ret, struct wk_err *err)
{
	const char *s = *at, *equals;
	size_t len;

	if (!*s)
		return 0;
	s++; /* the ':' or ',' before it */
	len = strcspn(s, ",");
	equals = memchr(s, '=', len);
	if (!equals || equals == s || equals + 1 == s + len)
		return wk_build_error(err, "bench '%s': found '%.*s', expected key=value", bench,
				      shown(len), s);
	*ret = (struct pair){.key = s,
			     .value = equals + 1,
			     .len_key = (int)(equals - s),
			     .len_value = (int)(s + len - equals - 1)};
	*at = s + len;
	return 1;
}

static bool key_is(const struct pair *p, const char *key)
{
	return strlen(key) == (size_t)p->len_key && !strncmp(key, p->key, (size_t)p->len_key);
}

static u32 default_load(enum wk_bench_id bench)
{
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++)
		if (wk_bench_opt_at(i)->bench == bench && *wk_bench_opt_at(i)->load)
			return i;
	return WK_BENCH_OPT_NR;
}

/* The option a pair names; WK_BENCH_OPT_NR and one line if there is none. */
static u32 find_opt(enum wk_bench_id bench, const struct pair *p, struct wk_err *err)
{
	char word[80], did_you_mean[80];
	struct wk_suggest near = {.word = word};
	u32 load = default_load(bench);

	if (load < WK_BENCH_OPT_NR && key_is(p, "load"))
		return load;
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++)
		if (wk_bench_opt_at(i)->bench == bench &&
		    wk_bench_opt_is(wk_bench_opt_at(i), p->key, (size_t)p->len_key))
			return i;
	snprintf(word, sizeof(word), "%.*s", p->len_key, p->key);
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++)
		if (wk_bench_opt_at(i)->bench == bench)
			wk_suggest_offer(&near, wk_bench_opt_at(i)->key);
	wk_build_error(err, "bench '%s': unknown option '%.*s'%s", wk_bench_at(bench)->name,
		       shown((size_t)p->len_key), p->key, wk_suggest_text(&near, did_you_mean));
	return WK_BENCH_OPT_NR;
}

static int refuse(const struct wk_bench_opt *opt, const struct pair *p, struct wk_err *err)
{
	const char *bench = wk_bench_at((enum wk_bench_id)opt->bench)->name;
	int len = shown((size_t)p->len_value);

	if (opt->kind == WK_BENCH_KIND_CHOICE)
		return wk_build_error(err, "bench '%s': %s: found '%.*s', expected %s", bench,
				      opt->key, len, p->value, opt->choices);
	if (opt->kind == WK_BENCH_KIND_TEXT)
		return wk_build_error(err, "bench '%s': %s: expected at most %d bytes", bench,
				      opt->key, WK_BENCH_TEXT_MAX - 1);
	return wk_build_error(
		err, "bench '%s': %s: found '%.*s', expected a number from %" PRIu64 " to %" PRIu64,
		bench, opt->key, len, p->value, (uint64_t)opt->min, (uint64_t)opt->max);
}

static bool read_uint(const char *s, int len, u64 *ret)
{
	*ret = 0;
	for (int i = 0; i < len; i++) {
		if (s[i] < '0' || s[i] > '9' || *ret > (u64)-1 / 10 - 9)
			return false;
		*ret = *ret * 10 + (u64)(s[i] - '0');
	}
	return len > 0;
}

static bool read_choice(const char *choices, const struct pair *p, u64 *ret)
{
	for (*ret = 0;; ++*ret) {
		size_t n = strcspn(choices, "|");

		if (n == (size_t)p->len_value && !strncmp(choices, p->value, n))
			return true;
		if (!choices[n])
			return false;
		choices += n + 1;
	}
}

static bool is_auto(const struct wk_bench_opt *opt, const struct pair *p)
{
	return !strcmp(opt->default_text, "auto") && p->len_value == 4 &&
	       !strncmp(p->value, "auto", 4);
}

static int set_value(struct wk_bench_args *args, u32 id, const struct pair *p, struct wk_err *err)
{
	const struct wk_bench_opt *opt = wk_bench_opt_at(id);
	u64 *value = &args->value[id];

	switch ((enum wk_bench_opt_kind)opt->kind) {
	case WK_BENCH_KIND_UINT:
		if (is_auto(opt, p)) {
			*value = WK_BENCH_AUTO;
			return 0;
		}
		if (read_uint(p->value, p->len_value, value) && *value >= opt->min &&
		    *value <= opt->max)
			return 0;
		break;
	case WK_BENCH_KIND_CHOICE:
		if (read_choice(opt->choices, p, value))
			return 0;
		break;
	case WK_BENCH_KIND_TEXT:
		if (p->len_value >= WK_BENCH_TEXT_MAX)
			break;
		memcpy(args->text, p->value, (size_t)p->len_value);
		args->text[p->len_value] = 0;
		return 0;
	}
	return refuse(opt, p, err);
}

static int set_defaults(struct wk_bench_args *args, struct wk_err *err)
{
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = wk_bench_opt_at(i);
		struct pair p = {.key = opt->key,
				 .value = opt->default_text,
				 .len_key = (int)strlen(opt->key),
				 .len_value = (int)strlen(opt->default_text)};

		if (opt->bench == args->bench && p.len_value && set_value(args, i, &p, err))
			return -EINVAL;
	}
	return 0;
}

/* The load is the load key that stands first, or else the bench's own. */
static void note_load(struct wk_bench_args *args, u32 id, bool *load_named)
{
	if (*load_named || !*wk_bench_opt_at(id)->load)
		return;
	args->load_opt = id;
	*load_named = true;
}

static int check_given(const struct wk_bench_args *args, const bool *given, struct wk_err *err)
{
	for (u32 i = 0; i < WK_BENCH_OPT_NR; i++) {
		const struct wk_bench_opt *opt = wk_bench_opt_at(i);

		if (opt->bench == args->bench && !*opt->default_text && !given[i])
			return wk_build_error(err, "bench '%s': expected the option '%s': %s",
					      wk_bench_at(args->bench)->name, opt->key,
					      opt->sentence);
	}
	return 0;
}

int wk_bench_parse(const char *spec, u32 nr_cpus, struct wk_bench_args *ret, struct wk_err *ret_err)
{
	bool given[WK_BENCH_OPT_NR] = {false}, load_named = false;
	const char *at, *name;
	struct pair p;
	int more;

	*ret = (struct wk_bench_args){.bench = find_bench(spec, ret_err), .nr_cpus = nr_cpus};
	if (ret->bench == WK_BENCH_NR)
		return -EINVAL;
	name = wk_bench_at(ret->bench)->name;
	ret->load_opt = default_load(ret->bench);
	if (set_defaults(ret, ret_err))
		return -EINVAL;
	at = spec + strlen(name);
	while ((more = next_pair(name, &at, &p, ret_err)) > 0) {
		u32 id = find_opt(ret->bench, &p, ret_err);

		if (id == WK_BENCH_OPT_NR)
			return -EINVAL;
		if (given[id])
			return wk_build_error(ret_err, "bench '%s': option '%s' stands twice", name,
					      wk_bench_opt_at(id)->key);
		given[id] = true;
		note_load(ret, id, &load_named);
		if (set_value(ret, id, &p, ret_err))
			return -EINVAL;
	}
	return more < 0 ? -EINVAL : check_given(ret, given, ret_err);
}

struct wk_workload *wk_workload_open(const char *spec, u32 nr_cpus, struct wk_err *ret_err)
{
	struct wk_bench_args args;

	if (wk_bench_parse(spec, nr_cpus ? nr_cpus : 1, &args, ret_err))
		return NULL;
	switch (args.bench) {
#define WK_BENCH(id, name, published, aliases, sentence) \
	case WK_BENCH_ID_##id:                           \
		return wk_model_##id(&args, ret_err);
#define WK_BENCH_UINT(bench, id, key, load, default_text, min, max, sentence)
#define WK_BENCH_CHOICE(bench, id, key, choices, default_text, sentence)
#define WK_BENCH_TEXT(bench, id, key, default_text, sentence)
#include "workload/bench.def"
	case WK_BENCH_NR:
		break;
	}
	return NULL;
}
