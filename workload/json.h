/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A reader for the JSON that rt-app's users write.
 *
 * Problem: rt-app files repeat keys in one object and mean their order, carry
 * comments and trailing commas, and name events without a value ("suspend",).
 * JSON libraries keep one value a key, or refuse.
 * Idea: an own small reader into a tree whose objects are lists of pairs as they
 * stood in the text, each with its line and column for later errors.
 * Limits: WK_JSON_MAX_DEPTH and WK_JSON_MAX_NODES, so that no input costs more
 * than a bounded time and memory.
 * Ownership: the caller's; wk_json_release(). It does not refer to the text.
 */
#ifndef WK_WORKLOAD_JSON_H
#define WK_WORKLOAD_JSON_H

#include <stddef.h>

#include "core/err.h"
#include "core/host.h"

#define WK_JSON_MAX_DEPTH 64
#define WK_JSON_MAX_NODES 1000000

enum wk_json_kind {
	WK_JSON_ABSENT, /* a key without value */
	WK_JSON_NULL,
	WK_JSON_BOOL, /* number is 0 or 1 */
	WK_JSON_INTEGER,
	WK_JSON_REAL, /* number is the part before the point */
	WK_JSON_STRING,
	WK_JSON_ARRAY,
	WK_JSON_OBJECT,
};

struct wk_json_node {
	u8 kind;    /* enum wk_json_kind */
	u32 key;    /* offset in text[]; 0 is "", for what is in no object */
	u32 string; /* offset in text[] */
	u32 line, col;
	u32 first, next; /* node numbers; 0: none */
	s64 number;
};

struct wk_json {
	struct wk_json_node *node; /* node[1] is the root; node[0] stands for "none" */
	u32 nr_nodes, room;
	char *text;
	u32 nr_text;
};

/* 0, or -EINVAL with "where:line:column: found ..., expected ...". */
int wk_json_parse(const char *text, size_t len, const char *where, struct wk_json *ret,
		  struct wk_err *ret_err);
void wk_json_release(struct wk_json *j);

static inline const char *wk_json_key(const struct wk_json *j, u32 n)
{
	return j->text + j->node[n].key;
}

static inline const char *wk_json_string(const struct wk_json *j, u32 n)
{
	return j->text + j->node[n].string;
}

/* The first value of @key in object @n; 0: there is none. */
u32 wk_json_get(const struct wk_json *j, u32 n, const char *key);

/* "an object", "a number" ... for errors. */
const char *wk_json_kind_name(enum wk_json_kind kind);

#endif
