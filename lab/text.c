// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/text.h"

#define MAX_BYTES (16u << 20)

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

/* A pipe that nobody writes to would be waited for, and a device may not end. */
static FILE *open_file(const char *path, struct wk_err *ret_err, int *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	FILE *file = NULL;

	if (fd < 0 || fstat(fd, &st))
		*ret = complain(ret_err, -errno, path, strerror(errno));
	else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		*ret = complain(ret_err, -EINVAL, path,
				"found a special file, expected a text file");
	else if (!(file = fdopen(fd, "r")))
		*ret = -ENOMEM;
	if (!file && fd >= 0)
		close(fd);
	return file;
}

int wk_text_read(const char *path, char **ret, struct wk_err *ret_err)
{
	size_t len = 0;
	int err = 0;
	FILE *file = open_file(path, ret_err, &err);

	*ret = NULL;
	if (!file)
		return err;
	err = read_all(file, ret, &len);
	/* Reading a folder fails here and not in fopen(). */
	if (err)
		complain(ret_err, err, path, strerror(errno));
	else if (len >= MAX_BYTES)
		err = complain(ret_err, -EFBIG, path, "found 16 MiB or more, expected a text file");
	else if (memchr(*ret, 0, len))
		err = complain(ret_err, -EINVAL, path, "found a zero byte, expected a text file");
	fclose(file);
	if (err) {
		free(*ret);
		*ret = NULL;
	}
	return err;
}
