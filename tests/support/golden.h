/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text held against a file of the repository. WK_RERECORD=1 rewrites the file instead: the one
 * switch for every golden file of the project (`WK_RERECORD=1 make check`, then `git diff`).
 */
#ifndef WK_TESTS_SUPPORT_GOLDEN_H
#define WK_TESTS_SUPPORT_GOLDEN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

/* The folder of shared data, or NULL: the test then calls skip(). */
static inline const char *wk_test_shared(void)
{
	const char *shared = getenv("WK_SHARED");
	FILE *probe;
	char path[4096];

	shared = shared && *shared ? shared : "../shared";
	snprintf(path, sizeof(path), "%s/evidence/machines.csv", shared);
	probe = fopen(path, "r");
	if (!probe)
		return NULL;
	fclose(probe);
	return shared;
}

/* The whole file at @path with a 0 behind it, for free(); NULL when it cannot be read. */
static inline char *wk_test_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

static inline void wk_golden_write(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Fails at the first line that differs from the file at @path. */
static inline void wk_golden(const char *path, const char *text)
{
	const char *rerecord = getenv("WK_RERECORD");
	const char *found = text, *line;
	char *expected;
	int nr = 1;

	if (rerecord && !strcmp(rerecord, "1")) {
		wk_golden_write(path, text);
		return;
	}
	expected = wk_test_read(path);
	if (!expected)
		fail_msg("%s: no such file; WK_RERECORD=1 makes it", path);
	for (line = expected; *line && *line == *found; line++, found++)
		nr += *line == '\n';
	if (*line == *found) {
		free(expected);
		return;
	}
	while (line > expected && line[-1] != '\n')
		line--, found--;
	fail_msg("%s:%d: expected '%.*s', found '%.*s'", path, nr, (int)strcspn(line, "\n"), line,
		 (int)strcspn(found, "\n"), found);
}

#endif
