// SPDX-License-Identifier: GPL-2.0-only
/* A view over a folder, and the calls that both kinds of view share. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine/files_priv.h"
#include "machine/text.h"

struct wk_files *wk_files_open_dir(const char *path, struct wk_err *ret_err)
{
	struct wk_files *f = wk_files_create();

	if (!f) {
		wk_read_error(ret_err, "%s: out of memory", path);
		return NULL;
	}
	f->dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->dirfd < 0) {
		wk_read_error(ret_err, "%s: %s, expected a folder", path, strerror(errno));
		wk_files_close(f);
		return NULL;
	}
	return f;
}

void wk_files_close(struct wk_files *f)
{
	if (!f)
		return;
	if (f->dirfd >= 0)
		close(f->dirfd);
	for (u32 i = 0; i < f->nr; i++) {
		free(f->entry[i].path);
		free(f->entry[i].data);
	}
	free(f->entry);
	free(f);
}

/* Drops the last component of @buf, of @len bytes; the new length. */
static size_t path_parent(const char *buf, size_t len)
{
	while (len > 0 && buf[len - 1] != '/')
		len--;
	return len > 0 ? len - 1 : 0;
}

/* Appends the components of @path to @buf, which holds *len bytes. */
static int path_append(char *buf, size_t size, size_t *len, const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && !memcmp(path, "..", 2)) {
			*len = path_parent(buf, *len);
		} else if (n && !(n == 1 && *path == '.')) {
			if (*len + n + 2 > size)
				return -1;
			if (*len)
				buf[(*len)++] = '/';
			memcpy(buf + *len, path, n);
			*len += n;
		}
		path += n;
		path += strspn(path, "/");
	}
	buf[*len] = '\0';
	return 0;
}

int wk_path_join(char *buf, size_t size, const char *prefix, const char *path)
{
	size_t len = 0;

	if (path_append(buf, size, &len, prefix) < 0)
		return -1;
	return path_append(buf, size, &len, path);
}

int wk_files_set_prefix(struct wk_files *f, const char *prefix)
{
	return wk_path_join(f->prefix, sizeof(f->prefix), "", prefix) < 0 ? -ENAMETOOLONG : 0;
}

const char *wk_files_prefix(const struct wk_files *f)
{
	return f->prefix;
}

/*
 * Links of a copied tree stay inside it where the kernel can promise that; where it cannot,
 * a link may lead outside, which only shows the user a file of their own.
 */
static int open_inside(int dirfd, const char *path, int flags)
{
	struct open_how how = {.flags = (u64)flags, .resolve = RESOLVE_IN_ROOT};
	long fd;

	fd = syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
	if (fd < 0 && errno != ENOENT && errno != ELOOP && errno != ENOTDIR)
		fd = openat(dirfd, path, flags);
	return (int)fd;
}

/* A descriptor of @path for reading, never one that blocks or has side effects; -1 if none. */
static int open_at_prefix(const struct wk_files *f, const char *path, mode_t type)
{
	char full[WK_FILES_PATH];
	struct stat st;
	int fd;

	if (wk_path_join(full, sizeof(full), f->prefix, path) < 0)
		return -1;
	fd = open_inside(f->dirfd, *full ? full : ".",
			 O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0 || (st.st_mode & S_IFMT) != type) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Bytes read, at most @size; sysfs files have no size that stat() could tell. */
static long read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (long)len;
}

/* Ends the text at its first NUL and drops blanks before it. */
static long trim(char *buf, size_t len)
{
	buf[len] = '\0';
	len = strlen(buf);
	while (len && strchr(" \t\r\n", buf[len - 1]))
		buf[--len] = '\0';
	return (long)len;
}

static long dir_text(const struct wk_files *f, const char *path, char *buf, size_t size)
{
	int fd = open_at_prefix(f, path, S_IFREG);
	long len;

	if (fd < 0)
		return -1;
	len = read_all(fd, buf, size);
	close(fd);
	if (len < 0 || (size_t)len >= size)
		return -1;
	return trim(buf, (size_t)len);
}

long wk_files_text(const struct wk_files *f, const char *path, char *buf, size_t size)
{
	const struct wk_entry *e;

	if (f->dirfd >= 0)
		return dir_text(f, path, buf, size);
	e = wk_table_find(f, path);
	if (!e || e->kind != WK_ENTRY_FILE || e->len >= size)
		return -1;
	if (e->len)
		memcpy(buf, e->data, e->len);
	return trim(buf, e->len);
}

static char *dir_text_alloc(const struct wk_files *f, const char *path)
{
	int fd = open_at_prefix(f, path, S_IFREG);
	size_t cap = 1 << 14, len = 0;
	char *buf = NULL, *bigger;
	long n = -1;

	while (fd >= 0 && cap <= WK_FILES_MAX_FILE && (bigger = realloc(buf, cap))) {
		buf = bigger;
		n = read_all(fd, buf + len, cap - 1 - len);
		if (n < 0 || len + (size_t)n < cap - 1)
			break;
		len += (size_t)n;
		cap *= 4;
		n = -1;
	}
	if (fd >= 0)
		close(fd);
	if (n < 0) {
		free(buf);
		return NULL;
	}
	trim(buf, len + (size_t)n);
	return buf;
}

char *wk_files_text_alloc(const struct wk_files *f, const char *path)
{
	const struct wk_entry *e;
	char *buf;

	if (f->dirfd >= 0)
		return dir_text_alloc(f, path);
	e = wk_table_find(f, path);
	buf = e && e->kind == WK_ENTRY_FILE ? malloc(e->len + 1) : NULL;
	if (!buf)
		return NULL;
	if (e->len)
		memcpy(buf, e->data, e->len);
	trim(buf, e->len);
	return buf;
}

bool wk_files_is_dir(const struct wk_files *f, const char *path)
{
	int fd;

	if (f->dirfd < 0)
		return wk_table_is_dir(f, path);
	fd = open_at_prefix(f, path, S_IFDIR);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool wk_files_list(const struct wk_files *f, const char *path, wk_name_fn fn, void *arg)
{
	struct dirent *d;
	DIR *dir;
	int fd;

	if (f->dirfd < 0)
		return wk_table_list(f, path, fn, arg);
	fd = open_at_prefix(f, path, S_IFDIR);
	if (fd < 0)
		return false;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return false;
	}
	while ((d = readdir(dir)))
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			fn(arg, d->d_name);
	closedir(dir);
	return true;
}
