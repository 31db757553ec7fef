// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/text.h"

#define MAX_BYTES (64u << 20)

static int complain(struct wk_err *ret, int err, const char *path, const char *what)
{
	snprintf(ret->text, sizeof(ret->text), "%.150s: %s", path, what);
	return err;
}

static int read_all(FILE *file, char **ret, size_t *ret_len)
{
	size_t len = 0, size = 1 << 16, got;
	char *text = malloc(size + 1);

	while (text && (got = fread(text + len, 1, size - len, file)) > 0) {
		char *grown;

		len += got;
		if (len < size || len >= MAX_BYTES)
			continue;
		size *= 2;
		grown = realloc(text, size + 1);
		if (!grown)
			free(text);
		text = grown;
	}
	*ret = text;
	*ret_len = len;
	if (!text)
		return -ENOMEM;
	text[len] = 0;
	return ferror(file) ? -EIO : 0;
}

int wk_text_read(const char *path, char **ret, struct wk_err *ret_err)
{
	FILE *file = fopen(path, "re");
	size_t len = 0;
	int err;

	*ret = NULL;
	if (!file)
		return complain(ret_err, -errno, path, strerror(errno));
	err = read_all(file, ret, &len);
	/* Reading a folder fails here and not in fopen(). */
	if (err)
		complain(ret_err, err, path, strerror(errno));
	else if (len >= MAX_BYTES)
		err = complain(ret_err, -EFBIG, path, "found 64 MiB or more, expected a text file");
	else if (memchr(*ret, 0, len))
		err = complain(ret_err, -EINVAL, path, "found a zero byte, expected a text file");
	fclose(file);
	if (err) {
		free(*ret);
		*ret = NULL;
	}
	return err;
}
