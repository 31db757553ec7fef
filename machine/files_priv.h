/* SPDX-License-Identifier: GPL-2.0-only */
/* The two stores behind struct wk_files: a folder by descriptor, or a sorted table. */
#ifndef WK_MACHINE_FILES_PRIV_H
#define WK_MACHINE_FILES_PRIV_H

#include "machine/files.h"

struct wk_entry {
	char *path; /* no leading or trailing '/', no "." or ".." */
	char *data;
	size_t len;
	enum wk_entry_kind kind;
	u32 seq; /* order of arrival: of two entries with one path the later counts */
};

struct wk_files {
	int dirfd; /* -1 for a table */
	char prefix[WK_FILES_PATH];
	struct wk_entry *entry;
	u32 nr, cap;
	size_t kept; /* bytes of data and paths */
};

/* @path joined to @prefix with "." and ".." worked out and clamped at the top; -1 if too long. */
int wk_path_join(char *buf, size_t size, const char *prefix, const char *path);

const struct wk_entry *wk_table_find(const struct wk_files *f, const char *path);
bool wk_table_is_dir(const struct wk_files *f, const char *path);
bool wk_table_list(const struct wk_files *f, const char *path, wk_name_fn fn, void *arg);

#endif
