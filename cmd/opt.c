// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/nearest.h"
#include "cmd/opt.h"

/* What is left of the command line. */
struct cursor {
	int argc;
	char **argv;
};

const struct wk_opt wk_opt_help = {
	.name = "help", .letter = 'h', .kind = WK_OPT_KIND_FLAG, .help = "print this help"};

static bool opt_is_named(const struct wk_opt *opt)
{
	return opt->kind != WK_OPT_KIND_HEAD && opt->kind != WK_OPT_KIND_OPERANDS;
}

static bool opt_takes_value(const struct wk_opt *opt)
{
	return opt->kind != WK_OPT_KIND_FLAG;
}

static void *opt_field(const struct wk_opt *opt, void *args)
{
	return (char *)args + opt->at;
}

const char *wk_opt_spell(const struct wk_opt *opt, char buf[WK_OPT_NAME_MAX])
{
	snprintf(buf, WK_OPT_NAME_MAX, "--%s", opt->name);
	for (char *c = buf; *c; c++)
		if (*c == '_')
			*c = '-';
	return buf;
}

static int refuse(const struct wk_opt *opt, const char *value, const char *expected)
{
	char name[WK_OPT_NAME_MAX];

	return wk_usage_error("%s: found '%s', expected %s", wk_opt_spell(opt, name), value,
			      expected);
}

static int set_uint(const struct wk_opt *opt, uint64_t *ret, const char *text)
{
	char expected[80];
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	/* strtoull() would also take blanks and signs. */
	if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && value >= opt->min &&
	    value <= opt->max) {
		*ret = value;
		return 0;
	}
	if (opt->max == UINT64_MAX)
		snprintf(expected, sizeof(expected), "a number from %" PRIu64, opt->min);
	else
		snprintf(expected, sizeof(expected), "a number from %" PRIu64 " to %" PRIu64,
			 opt->min, opt->max);
	return refuse(opt, text, expected);
}

static int set_choice(const struct wk_opt *opt, unsigned int *ret, const char *text)
{
	const char *choice = opt->arg;

	for (unsigned int i = 0;; i++) {
		size_t len = strcspn(choice, "|");

		if (len == strlen(text) && !strncmp(choice, text, len)) {
			*ret = i;
			return 0;
		}
		if (!choice[len])
			return refuse(opt, text, opt->arg);
		choice += len + 1;
	}
}

static int list_add(struct wk_opt_list *list, const char *text)
{
	const char **values = reallocarray(list->values, list->nr + 1, sizeof(*values));

	if (!values)
		return wk_error("out of memory");
	list->values = values;
	list->values[list->nr++] = text;
	return 0;
}

static int set_value(const struct wk_opt *opt, void *args, const char *text)
{
	void *field = opt_field(opt, args);

	switch (opt->kind) {
	case WK_OPT_KIND_FLAG:
		*(bool *)field = true;
		return 0;
	case WK_OPT_KIND_STR:
		*(const char **)field = text;
		return 0;
	case WK_OPT_KIND_UINT:
		return set_uint(opt, field, text);
	case WK_OPT_KIND_CHOICE:
		return set_choice(opt, field, text);
	case WK_OPT_KIND_LIST:
	case WK_OPT_KIND_OPERANDS:
		return list_add(field, text);
	case WK_OPT_KIND_DONE:
	case WK_OPT_KIND_HEAD:
		break;
	}
	return wk_usage_error("option row '%s' has no value", opt->name);
}

static int set_defaults(const struct wk_opt *opts, void *args)
{
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt->default_text && set_value(opt, args, opt->default_text))
			return -1;
	return 0;
}

/* @typed is "--name" or "--name=value"; its first @len bytes are the name. */
static const struct wk_opt *find_long(const struct wk_opt *opts, const char *typed, size_t len)
{
	char name[WK_OPT_NAME_MAX];

	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt_is_named(opt) && strlen(wk_opt_spell(opt, name)) == len &&
		    !strncmp(name, typed, len))
			return opt;
	return NULL;
}

static const struct wk_opt *find_letter(const struct wk_opt *opts, char letter)
{
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt_is_named(opt) && opt->letter == letter)
			return opt;
	return NULL;
}

static int unknown_option(const struct wk_opt *opts, const char *typed, size_t len)
{
	char word[WK_OPT_NAME_MAX], name[WK_OPT_NAME_MAX];
	struct wk_nearest near = {.word = word};
	const struct wk_opt *best = NULL;

	snprintf(word, sizeof(word), "%.*s", (int)len, typed);
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt_is_named(opt) && wk_nearest_offer(&near, wk_opt_spell(opt, name)))
			best = opt;
	if (wk_nearest_offer(&near, "--help"))
		best = &wk_opt_help;
	return wk_unknown("option", word, best ? wk_opt_spell(best, name) : NULL,
			  "wakepath SUBCOMMAND --help");
}

/* The value of @opt: what follows in the same word, or else the next word. */
static int parse_value(const struct wk_opt *opt, void *args, const char *attached,
		       struct cursor *at)
{
	char name[WK_OPT_NAME_MAX];

	if (!attached && opt_takes_value(opt)) {
		if (!at->argc)
			return wk_usage_error("option '%s' needs a value: %s",
					      wk_opt_spell(opt, name), opt->arg);
		attached = *at->argv++;
		at->argc--;
	}
	if (attached && !opt_takes_value(opt))
		return wk_usage_error("option '%s' takes no value", wk_opt_spell(opt, name));
	return set_value(opt, args, attached);
}

static int parse_long(const struct wk_opt *opts, void *args, const char *typed, struct cursor *at)
{
	size_t len = strcspn(typed, "=");
	const struct wk_opt *opt = find_long(opts, typed, len);

	if (!opt)
		return unknown_option(opts, typed, len);
	return parse_value(opt, args, typed[len] ? typed + len + 1 : NULL, at);
}

/* "-qn5": letters without a value can stand together, the last one may have one. */
static int parse_letters(const struct wk_opt *opts, void *args, const char *typed,
			 struct cursor *at)
{
	for (const char *c = typed + 1; *c; c++) {
		const struct wk_opt *opt = find_letter(opts, *c);

		if (!opt)
			return unknown_option(opts, typed, strlen(typed));
		if (opt_takes_value(opt))
			return parse_value(opt, args, c[1] ? c + 1 : NULL, at);
		if (parse_value(opt, args, NULL, at))
			return -1;
	}
	return 0;
}

static int parse_operand(const struct wk_opt *opts, void *args, const char *word)
{
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++)
		if (opt->kind == WK_OPT_KIND_OPERANDS)
			return set_value(opt, args, word);
	return wk_usage_error("unexpected argument '%s'", word);
}

static int parse_word(const struct wk_opt *opts, void *args, const char *word, struct cursor *at)
{
	if (!strncmp(word, "--", 2))
		return parse_long(opts, args, word, at);
	if (word[0] == '-' && word[1])
		return parse_letters(opts, args, word, at);
	return parse_operand(opts, args, word);
}

enum wk_opt_result wk_opt_parse(const struct wk_opt *opts, void *args, int argc, char **argv)
{
	struct cursor at = {.argc = argc, .argv = argv};
	bool only_operands = false;
	int err = set_defaults(opts, args);

	while (!err && at.argc) {
		const char *word = *at.argv++;

		at.argc--;
		if (only_operands)
			err = parse_operand(opts, args, word);
		else if (!strcmp(word, "--"))
			only_operands = true;
		else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
			return WK_OPT_HELP;
		else
			err = parse_word(opts, args, word, &at);
	}
	return err ? WK_OPT_WRONG : WK_OPT_OK;
}

void wk_opt_release(const struct wk_opt *opts, void *args)
{
	for (const struct wk_opt *opt = opts; opt->kind != WK_OPT_KIND_DONE; opt++) {
		struct wk_opt_list *list = opt_field(opt, args);

		if (opt->kind != WK_OPT_KIND_LIST && opt->kind != WK_OPT_KIND_OPERANDS)
			continue;
		free(list->values);
		*list = (struct wk_opt_list){0};
	}
}
