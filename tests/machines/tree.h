/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file tree as a few lines of text, so that a snapshot of a machine is readable in a review.
 *
 *	# comment
 *	in sys/devices/system/cpu		paths below are from here
 *	online = 0-3				a file and its text
 *	cpu[0-3]/topology/core_id = {n/2}	one file for each n of the list in brackets
 *	cpu[0-3]/online = 1\0			\0 and \n are a NUL and a line end
 *	cpu[0-3]/topology/			a folder
 *	node0/cpu0 -> ../../cpu/cpu0		a link
 *
 * In braces stands n with the operators / * % + - and numbers, worked out from left to right.
 * The tests and the fuzz target of the sysfs reader share it; it is a header for that reason.
 */
#ifndef WK_TESTS_MACHINES_TREE_H
#define WK_TESTS_MACHINES_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/files.h"
#include "machine/relation.h"
#include "machine/text.h"

/* A fuzzer writes large ranges, and sets a lower limit before it includes this. */
#ifndef TREE_MAX_FILES
#define TREE_MAX_FILES 200000
#endif

struct tree {
	struct wk_files *f;
	char in[WK_FILES_PATH];
	unsigned int files;
};

/* "{n/2*2+1}" at *s, moved behind it. */
static inline long tree_expression(const char **s, long n)
{
	const char *p = *s + 1;
	long v = n;

	p += *p == 'n';
	while (*p && strchr("/*%+-", *p)) {
		char op = *p;
		long x = strtol(p + 1, (char **)&p, 10) % 100000;

		if (op == '/' || op == '%')
			v = x ? (op == '/' ? v / x : v % x) : 0;
		else
			v = (op == '*' ? v * x : op == '+' ? v + x : v - x) % 1000000;
	}
	p += strcspn(p, "}");
	*s = *p ? p + 1 : p;
	return v;
}

/* @text with its braces worked out for @n and its escapes replaced; the length. */
static inline size_t tree_expand(char *buf, size_t size, const char *text, long n)
{
	size_t len = 0;

	while (*text && len + 24 < size) {
		if (*text == '{') {
			long v = tree_expression(&text, n);

			len += (size_t)snprintf(buf + len, size - len, "%ld", v);
		} else if (text[0] == '\\' && (text[1] == '0' || text[1] == 'n')) {
			buf[len++] = text[1] == '0' ? '\0' : '\n';
			text += 2;
		} else {
			buf[len++] = *text++;
		}
	}
	buf[len] = '\0';
	return len;
}

static inline void tree_add(struct tree *t, const char *path, enum wk_entry_kind kind,
			    const char *text, long n)
{
	char full[2 * WK_FILES_PATH], data[8192];
	size_t len = tree_expand(data, sizeof(data), text, n);

	if (++t->files > TREE_MAX_FILES)
		return;
	snprintf(full, sizeof(full), "%s/%s", t->in, path);
	wk_files_add(t->f, kind, full, data, len);
}

/* One line's path, its bracket written out. */
static inline void tree_paths(struct tree *t, const char *path, enum wk_entry_kind kind,
			      const char *text)
{
	const char *open = strchr(path, '['), *close = open ? strchr(open, ']') : NULL;
	char list[256], one[WK_FILES_PATH], name[WK_FILES_PATH];
	struct wk_mask mask;

	if (!close) {
		tree_expand(one, sizeof(one), path, 0);
		tree_add(t, one, kind, text, 0);
		return;
	}
	snprintf(list, sizeof(list), "%.*s", (int)(close - open - 1), open + 1);
	if (!wk_parse_cpulist(list, &mask, NULL))
		return;
	wk_for_each_cpu(n, &mask) {
		snprintf(name, sizeof(name), "%.*s%d%s", (int)(open - path), path, n, close + 1);
		tree_expand(one, sizeof(one), name, n);
		tree_add(t, one, kind, text, n);
	}
}

static inline void tree_line(struct tree *t, char *line)
{
	char *value = strstr(line, " = "), *target = strstr(line, " -> ");
	size_t len = strlen(line);

	if (*line == '#' || !*line)
		return;
	if (!strncmp(line, "in ", 3)) {
		snprintf(t->in, sizeof(t->in), "%s", line + 3);
	} else if (value && (!target || value < target)) {
		*value = '\0';
		tree_paths(t, line, WK_ENTRY_FILE, value + 3);
	} else if (target) {
		*target = '\0';
		tree_paths(t, line, WK_ENTRY_LINK, target + 4);
	} else if (line[len - 1] == '/') {
		tree_paths(t, line, WK_ENTRY_DIR, "");
	}
}

/* A view of the tree that @text describes; lines that are none are passed over. */
static inline struct wk_files *tree_parse(const char *text, size_t len)
{
	struct tree t = {.f = wk_files_create()};
	char *copy = malloc(len + 1), *rest = copy, *line;

	if (t.f && copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
		while ((line = strsep(&rest, "\n")))
			tree_line(&t, line);
		wk_files_seal(t.f);
	}
	free(copy);
	return t.f;
}

#endif
