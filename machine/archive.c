// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tarball as a view in memory: nothing is written to the disk.
 *
 * Only what the sysfs reader asks for is kept, but everything is unpacked to get past it,
 * so both sums are bounded: a few kilobytes can unpack to terabytes.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/files_priv.h"
#include "machine/text.h"

struct unpack {
	const char *name;
	struct archive *a;
	struct wk_files *f;
	struct wk_err *err;
	u64 unpacked;
	u32 entries;
};

/* What the sysfs reader may ask for; links too, since they may lead there. */
static bool worth_keeping(const char *path, enum wk_entry_kind kind)
{
	const char *base = strrchr(path, '/');

	if (kind == WK_ENTRY_LINK || kind == WK_ENTRY_HARDLINK || kind == WK_ENTRY_DIR)
		return true;
	if (strstr(path, "devices/system/cpu/") || strstr(path, "devices/system/node/"))
		return true;
	if (strstr(path, "devices/cpu_core/") || strstr(path, "devices/cpu_atom/"))
		return true;
	base = base ? base + 1 : path;
	return !strcmp(base, "cpuinfo") || !strcmp(base, "pu0") ||
	       !strcmp(base, "hwloc-cpuid-info");
}

static const char *path_of(struct archive_entry *e)
{
	const char *path = archive_entry_pathname(e);

	return path ? path : archive_entry_pathname_utf8(e);
}

static bool classify(struct archive_entry *e, enum wk_entry_kind *kind, const char **target)
{
	*target = archive_entry_hardlink(e);
	if (*target) {
		*kind = WK_ENTRY_HARDLINK;
		return true;
	}
	switch (archive_entry_filetype(e)) {
	case AE_IFREG:
		*kind = WK_ENTRY_FILE;
		return true;
	case AE_IFDIR:
		*kind = WK_ENTRY_DIR;
		return true;
	case AE_IFLNK:
		*kind = WK_ENTRY_LINK;
		*target = archive_entry_symlink(e);
		return *target != NULL;
	default:
		return false;
	}
}

static int refuse_large(struct unpack *u)
{
	wk_read_error(u->err, "%s: unpacks to more than %llu MiB, expected a snapshot of sysfs",
		      u->name, WK_FILES_MAX_UNPACKED >> 20);
	return -1;
}

/* The bytes of one file. @size is what its header claims, which the blocks need not honour. */
static int read_data(struct unpack *u, const char *path, size_t size, char **ret, size_t *ret_len)
{
	char *buf = malloc(size + 1);
	size_t len = 0;
	la_ssize_t n;

	if (!buf) {
		wk_read_error(u->err, "%s: %s: out of memory", u->name, path);
		return -1;
	}
	while (len < size && (n = archive_read_data(u->a, buf + len, size - len)) != 0) {
		if (n < 0) {
			wk_read_error(u->err, "%s: %s: %s", u->name, path,
				      archive_error_string(u->a) ? archive_error_string(u->a)
								 : "truncated");
			free(buf);
			return -1;
		}
		len += (size_t)n;
	}
	*ret = buf;
	*ret_len = len;
	return 0;
}

static int add(struct unpack *u, enum wk_entry_kind kind, const char *path, const char *data,
	       size_t len)
{
	int err = wk_files_add(u->f, kind, path, data, len);

	if (err == -ENAMETOOLONG)
		return 0; /* no path that the reader asks for is that long */
	if (err < 0)
		wk_read_error(u->err, "%s: %s: %s, expected a snapshot of sysfs", u->name, path,
			      err == -EFBIG ? "too many or too large files" : "out of memory");
	return err;
}

static int take_file(struct unpack *u, const char *path, s64 size)
{
	char *data;
	size_t len;
	int err;

	if (read_data(u, path, (size_t)size, &data, &len) < 0)
		return -1;
	err = add(u, WK_ENTRY_FILE, path, data, len);
	free(data);
	return err;
}

static int take_entry(struct unpack *u, struct archive_entry *e)
{
	const char *path = path_of(e), *target;
	enum wk_entry_kind kind;
	s64 size = archive_entry_size(e);

	if (++u->entries > WK_FILES_MAX_ENTRIES) {
		wk_read_error(u->err, "%s: more than %u entries, expected a snapshot of sysfs",
			      u->name, WK_FILES_MAX_ENTRIES);
		return -1;
	}
	if (!path || !classify(e, &kind, &target))
		return 0;
	if (size < 0 || size > (s64)WK_FILES_MAX_FILE) {
		wk_read_error(u->err, "%s: %s: %lld bytes, expected at most %u MiB a file", u->name,
			      path, (long long)size, WK_FILES_MAX_FILE >> 20);
		return -1;
	}
	u->unpacked += (u64)size + 512;
	if (u->unpacked > WK_FILES_MAX_UNPACKED)
		return refuse_large(u);
	if (!worth_keeping(path, kind))
		return 0;
	if (kind == WK_ENTRY_FILE)
		return take_file(u, path, size);
	return add(u, kind, path, target ? target : "", target ? strlen(target) : 0);
}

static int unpack_all(struct unpack *u)
{
	struct archive_entry *e;
	int r;

	while ((r = archive_read_next_header(u->a, &e)) != ARCHIVE_EOF) {
		if (r < ARCHIVE_WARN) {
			const char *why = archive_error_string(u->a);

			wk_read_error(u->err, "%s: entry %u: %s, expected a tar archive", u->name,
				      u->entries + 1, why ? why : "damaged");
			return -1;
		}
		if ((u64)archive_filter_bytes(u->a, 0) > WK_FILES_MAX_UNPACKED)
			return refuse_large(u);
		if (take_entry(u, e) < 0)
			return -1;
	}
	if (u->entries == 0) {
		wk_read_error(u->err, "%s: an empty archive, expected a snapshot of sysfs",
			      u->name);
		return -1;
	}
	return wk_files_seal(u->f);
}

static struct archive *new_reader(void)
{
	struct archive *a = archive_read_new();

	if (!a)
		return NULL;
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_format_tar(a);
	return a;
}

/* @path, or where that is NULL the @len bytes at @data. */
static struct wk_files *open_archive(const char *name, const char *path, const void *data,
				     size_t len, struct wk_err *ret_err)
{
	struct unpack u = {.name = name, .a = new_reader(), .f = wk_files_create(), .err = ret_err};
	int r;

	if (!u.a || !u.f) {
		wk_read_error(ret_err, "%s: out of memory", name);
		goto fail;
	}
	r = path ? archive_read_open_filename(u.a, path, 1 << 16)
		 : archive_read_open_memory(u.a, data, len);
	if (r != ARCHIVE_OK) {
		wk_read_error(ret_err, "%s: %s, expected a tar archive", name,
			      archive_error_string(u.a) ? archive_error_string(u.a) : "unreadable");
		goto fail;
	}
	if (unpack_all(&u) < 0)
		goto fail;
	archive_read_free(u.a);
	return u.f;
fail:
	archive_read_free(u.a);
	wk_files_close(u.f);
	return NULL;
}

struct wk_files *wk_files_open_archive(const char *path, struct wk_err *ret_err)
{
	return open_archive(path, path, NULL, 0, ret_err);
}

struct wk_files *wk_files_open_archive_memory(const char *name, const void *data, size_t len,
					      struct wk_err *ret_err)
{
	return open_archive(name, NULL, data, len, ret_err);
}
