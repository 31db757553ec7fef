// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/build.h"
#include "workload/json.h"

struct reader {
	const char *at, *end, *line_start;
	u32 line, depth;
	const char *where;
	struct wk_json *json;
	struct wk_err *err;
};

static int value(struct reader *r, u32 node);

const char *wk_json_kind_name(enum wk_json_kind kind)
{
	static const char *const names[] = {
		[WK_JSON_ABSENT] = "nothing",	  [WK_JSON_NULL] = "null",
		[WK_JSON_BOOL] = "true or false", [WK_JSON_INTEGER] = "a number",
		[WK_JSON_REAL] = "a fraction",	  [WK_JSON_STRING] = "a string",
		[WK_JSON_ARRAY] = "an array",	  [WK_JSON_OBJECT] = "an object",
	};

	return names[kind];
}

static u32 column(const struct reader *r)
{
	return (u32)(r->at - r->line_start) + 1;
}

/* "found 'x', expected ..." at the place the reader is. */
static int expected(const struct reader *r, const char *what)
{
	char found[16];

	if (r->at == r->end)
		snprintf(found, sizeof(found), "the end");
	else if ((unsigned char)*r->at < ' ' || (unsigned char)*r->at > '~')
		snprintf(found, sizeof(found), "byte 0x%02x", (unsigned char)*r->at);
	else
		snprintf(found, sizeof(found), "'%c'", *r->at);
	return wk_build_error(r->err, "%s:%u:%u: found %s, expected %s", r->where, r->line,
			      column(r), found, what);
}

static void step(struct reader *r)
{
	if (*r->at++ == '\n') {
		r->line++;
		r->line_start = r->at;
	}
}

static bool looking_at(const struct reader *r, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(r->end - r->at) >= len && !memcmp(r->at, word, len);
}

static int skip_comment(struct reader *r)
{
	if (looking_at(r, "//")) {
		while (r->at < r->end && *r->at != '\n')
			step(r);
		return 0;
	}
	r->at += 2;
	while (r->at < r->end && !looking_at(r, "*/"))
		step(r);
	if (r->at == r->end)
		return expected(r, "'*/'");
	r->at += 2;
	return 0;
}

static int skip_blanks(struct reader *r)
{
	while (r->at < r->end) {
		if (looking_at(r, "/*") || looking_at(r, "//")) {
			if (skip_comment(r))
				return -EINVAL;
		} else if (*r->at && strchr(" \t\r\n", *r->at)) {
			step(r);
		} else {
			break;
		}
	}
	return 0;
}

/* A node number; 0 and one line when there are too many. */
static u32 new_node(struct reader *r)
{
	struct wk_json *j = r->json;

	if (j->nr_nodes > WK_JSON_MAX_NODES) {
		expected(r, "at most 1000000 values");
		return 0;
	}
	if (j->nr_nodes == j->room) {
		u32 room = j->room ? j->room * 2 : 256;
		struct wk_json_node *grown = reallocarray(j->node, room, sizeof(*grown));

		if (!grown) {
			wk_build_error(r->err, "%s: out of memory", r->where);
			return 0;
		}
		j->node = grown;
		j->room = room;
	}
	j->node[j->nr_nodes] = (struct wk_json_node){.line = r->line, .col = column(r)};
	return j->nr_nodes++;
}

/* text[] is as large as the source plus 1; what a string says is shorter than how it is written. */
static void put(struct reader *r, u32 c)
{
	r->json->text[r->json->nr_text++] = (char)c;
}

static void put_utf8(struct reader *r, u32 c)
{
	if (c < 0x80) {
		put(r, c);
		return;
	}
	if (c < 0x800) {
		put(r, 0xc0 | c >> 6);
	} else {
		put(r, 0xe0 | c >> 12);
		put(r, 0x80 | (c >> 6 & 0x3f));
	}
	put(r, 0x80 | (c & 0x3f));
}

static int hex(struct reader *r)
{
	u32 c = 0;

	for (int i = 0; i < 4; i++, r->at++) {
		static const char digits[] = "0123456789abcdefABCDEF";
		const char *digit;

		if (r->at == r->end || !*r->at || !(digit = strchr(digits, *r->at)))
			return expected(r, "four hexadecimal digits");
		c = c * 16 + (u32)(digit - digits < 16 ? digit - digits : digit - digits - 6);
	}
	if (!c)
		return expected(r, "no zero in a string");
	put_utf8(r, c);
	return 0;
}

static int escape(struct reader *r)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *which;

	r->at++;
	if (r->at < r->end && *r->at == 'u') {
		r->at++;
		return hex(r);
	}
	if (r->at == r->end || !*r->at || !(which = strchr(from, *r->at)))
		return expected(r, "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
	put(r, (unsigned char)to[which - from]);
	r->at++;
	return 0;
}

static int string(struct reader *r, u32 *ret_offset)
{
	u32 offset = r->json->nr_text;

	r->at++;
	while (r->at < r->end && *r->at != '"') {
		if ((unsigned char)*r->at < ' ')
			return expected(r, "'\"' at the end of the string");
		if (*r->at == '\\') {
			if (escape(r))
				return -EINVAL;
			continue;
		}
		put(r, (unsigned char)*r->at++);
	}
	if (r->at == r->end)
		return expected(r, "'\"'");
	r->at++;
	put(r, 0);
	*ret_offset = offset;
	return 0;
}

static bool is_digit(const struct reader *r)
{
	return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static int digits(struct reader *r, s64 *number)
{
	if (!is_digit(r))
		return expected(r, "a digit");
	for (; is_digit(r); r->at++) {
		if (*number > (INT64_MAX - 9) / 10)
			return expected(r, "a number below 2^63");
		*number = *number * 10 + (*r->at - '0');
	}
	return 0;
}

static int number(struct reader *r, u32 node)
{
	bool minus = *r->at == '-';
	s64 n = 0, ignored = 0;

	r->json->node[node].kind = WK_JSON_INTEGER;
	if (minus)
		r->at++;
	if (digits(r, &n))
		return -EINVAL;
	if (r->at < r->end && *r->at == '.') {
		r->at++;
		r->json->node[node].kind = WK_JSON_REAL;
		if (digits(r, &ignored))
			return -EINVAL;
	}
	r->json->node[node].number = minus ? -n : n;
	return 0;
}

static int word(struct reader *r, u32 node)
{
	static const struct {
		const char *word;
		u8 kind, number;
	} words[] = {
		{"true", WK_JSON_BOOL, 1}, {"false", WK_JSON_BOOL, 0}, {"null", WK_JSON_NULL, 0}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (looking_at(r, words[i].word)) {
			r->json->node[node].kind = words[i].kind;
			r->json->node[node].number = words[i].number;
			r->at += strlen(words[i].word);
			return 0;
		}
	return expected(r, "a value");
}

/* "key": value, or "key" alone; returns its node by *ret. */
static int member(struct reader *r, u32 *ret)
{
	u32 key;

	*ret = new_node(r);
	if (!*ret)
		return -EINVAL;
	if (*r->at != '"')
		return expected(r, "'\"' before a key, or '}'");
	if (string(r, &key) || skip_blanks(r))
		return -EINVAL;
	r->json->node[*ret].key = key;
	if (r->at < r->end && (*r->at == ',' || *r->at == '}'))
		return 0;
	if (r->at == r->end || *r->at != ':')
		return expected(r, "':' after the key");
	r->at++;
	return skip_blanks(r) ? -EINVAL : value(r, *ret);
}

static int element(struct reader *r, u32 *ret)
{
	*ret = new_node(r);
	return *ret ? value(r, *ret) : -EINVAL;
}

/* What stands between { and } or [ and ]. */
static int container(struct reader *r, u32 node, char close)
{
	u32 last = 0, child;

	r->json->node[node].kind = close == '}' ? WK_JSON_OBJECT : WK_JSON_ARRAY;
	if (r->depth == WK_JSON_MAX_DEPTH)
		return expected(r, "at most 64 levels");
	r->depth++;
	r->at++;
	for (;;) {
		if (skip_blanks(r))
			return -EINVAL;
		if (r->at < r->end && *r->at == close)
			break;
		if (r->at == r->end)
			return expected(r, close == '}' ? "'}'" : "']'");
		if (close == '}' ? member(r, &child) : element(r, &child))
			return -EINVAL;
		if (last)
			r->json->node[last].next = child;
		else
			r->json->node[node].first = child;
		last = child;
		if (skip_blanks(r))
			return -EINVAL;
		if (r->at < r->end && *r->at == ',')
			r->at++;
		else if (r->at == r->end || *r->at != close)
			return expected(r, close == '}' ? "',' or '}'" : "',' or ']'");
	}
	r->at++;
	r->depth--;
	return 0;
}

static int value(struct reader *r, u32 node)
{
	if (r->at == r->end)
		return expected(r, "a value");
	switch (*r->at) {
	case '{':
		return container(r, node, '}');
	case '[':
		return container(r, node, ']');
	case '"':
		r->json->node[node].kind = WK_JSON_STRING;
		return string(r, &r->json->node[node].string);
	case '-':
	case '0' ... '9':
		return number(r, node);
	default:
		return word(r, node);
	}
}

static int document(struct reader *r)
{
	u32 none = new_node(r), root;

	(void)none; /* node 0 */
	put(r, 0);  /* offset 0 is "" */
	if (skip_blanks(r))
		return -EINVAL;
	root = new_node(r);
	if (!root || value(r, root) || skip_blanks(r))
		return -EINVAL;
	return r->at == r->end ? 0 : expected(r, "the end");
}

int wk_json_parse(const char *text, size_t len, const char *where, struct wk_json *ret,
		  struct wk_err *ret_err)
{
	struct reader r = {.at = text,
			   .end = text + len,
			   .line_start = text,
			   .line = 1,
			   .where = where,
			   .json = ret,
			   .err = ret_err};

	*ret = (struct wk_json){.text = malloc(len + 2)};
	if (!ret->text)
		return wk_build_error(ret_err, "%s: out of memory", where);
	if (!document(&r))
		return 0;
	wk_json_release(ret);
	return -EINVAL;
}

void wk_json_release(struct wk_json *j)
{
	free(j->node);
	free(j->text);
	*j = (struct wk_json){0};
}

u32 wk_json_get(const struct wk_json *j, u32 n, const char *key)
{
	if (j->node[n].kind != WK_JSON_OBJECT)
		return 0;
	for (u32 i = j->node[n].first; i; i = j->node[i].next)
		if (!strcmp(wk_json_key(j, i), key))
			return i;
	return 0;
}
