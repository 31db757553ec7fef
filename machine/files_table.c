// SPDX-License-Identifier: GPL-2.0-only
/*
 * A view over a sorted table of entries. Folders need no entry: a path is a folder
 * when something lies below it. '/' sorts before every other byte, so that all that
 * lies below a folder is one run of the table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/files_priv.h"

#define MAX_LINKS 40 /* as the kernel's own limit: more is a cycle */

struct wk_files *wk_files_create(void)
{
	struct wk_files *f = calloc(1, sizeof(*f));

	if (f)
		f->dirfd = -1;
	return f;
}

static int grow(struct wk_files *f)
{
	u32 cap = f->cap ? f->cap * 2 : 256;
	struct wk_entry *entry = realloc(f->entry, cap * sizeof(*entry));

	if (!entry)
		return -ENOMEM;
	f->entry = entry;
	f->cap = cap;
	return 0;
}

static int fill(struct wk_entry *e, const char *path, const char *data, size_t len)
{
	e->path = strdup(path);
	e->data = malloc(len + 1);
	if (!e->path || !e->data) {
		free(e->path);
		free(e->data);
		return -ENOMEM;
	}
	if (len)
		memcpy(e->data, data, len);
	e->data[len] = '\0';
	e->len = len;
	return 0;
}

int wk_files_add(struct wk_files *f, enum wk_entry_kind kind, const char *path, const char *data,
		 size_t len)
{
	char clean[WK_FILES_PATH];
	size_t cost;
	int err;

	if (wk_path_join(clean, sizeof(clean), "", path) < 0)
		return -ENAMETOOLONG;
	cost = strlen(clean) + len + 2 + sizeof(struct wk_entry);
	if (f->nr >= WK_FILES_MAX_ENTRIES || f->kept + cost > WK_FILES_MAX_KEPT)
		return -EFBIG;
	if (f->nr == f->cap && (err = grow(f)) < 0)
		return err;
	err = fill(&f->entry[f->nr], clean, data, len);
	if (err < 0)
		return err;
	f->entry[f->nr].kind = kind;
	f->entry[f->nr].seq = f->nr;
	f->nr++;
	f->kept += cost;
	return 0;
}

static int byte_rank(char c)
{
	return c == '/' ? 1 : c == '\0' ? 0 : (unsigned char)c + 2;
}

static int path_cmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return byte_rank(*a) - byte_rank(*b);
}

static int entry_cmp(const void *va, const void *vb)
{
	const struct wk_entry *a = va, *b = vb;
	int c = path_cmp(a->path, b->path);

	return c ? c : (a->seq > b->seq) - (a->seq < b->seq);
}

int wk_files_seal(struct wk_files *f)
{
	u32 n = 0;

	if (f->nr)
		qsort(f->entry, f->nr, sizeof(*f->entry), entry_cmp);
	for (u32 i = 0; i < f->nr; i++) {
		if (i + 1 < f->nr && !strcmp(f->entry[i].path, f->entry[i + 1].path)) {
			free(f->entry[i].path);
			free(f->entry[i].data);
		} else {
			f->entry[n++] = f->entry[i];
		}
	}
	f->nr = n;
	return 0;
}

/* The first entry that does not sort before @path. */
static u32 lower_bound(const struct wk_files *f, const char *path)
{
	u32 lo = 0, hi = f->nr;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (path_cmp(f->entry[mid].path, path) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct wk_entry *exact(const struct wk_files *f, const char *path)
{
	u32 i = lower_bound(f, path);

	return i < f->nr && !strcmp(f->entry[i].path, path) ? &f->entry[i] : NULL;
}

/* Where link @e leads, without what followed it in the path. */
static int link_target(const struct wk_files *f, const struct wk_entry *e, char *buf, size_t size)
{
	char folder[WK_FILES_PATH];

	if (e->kind == WK_ENTRY_HARDLINK)
		return wk_path_join(buf, size, "", e->data);
	if (e->data[0] == '/')
		return wk_path_join(buf, size, f->prefix, e->data);
	if (wk_path_join(folder, sizeof(folder), e->path, "..") < 0)
		return -1;
	return wk_path_join(buf, size, folder, e->data);
}

/* Replaces the first link on the way to @path by its target: 1 replaced, 0 none, -1 too long. */
static int resolve_one(const struct wk_files *f, char *path)
{
	char head[WK_FILES_PATH], target[WK_FILES_PATH], joined[WK_FILES_PATH];

	for (size_t n = strcspn(path, "/");; n += 1 + strcspn(path + n + 1, "/")) {
		const struct wk_entry *e;

		memcpy(head, path, n);
		head[n] = '\0';
		e = exact(f, head);
		if (e && (e->kind == WK_ENTRY_LINK || e->kind == WK_ENTRY_HARDLINK)) {
			if (link_target(f, e, target, sizeof(target)) < 0 ||
			    wk_path_join(joined, sizeof(joined), target, path + n) < 0)
				return -1;
			strcpy(path, joined);
			return 1;
		}
		if (!path[n])
			return 0;
	}
}

static int resolve(const struct wk_files *f, const char *path, char *buf, size_t size)
{
	if (wk_path_join(buf, size, f->prefix, path) < 0)
		return -1;
	for (int i = 0; i < MAX_LINKS; i++) {
		int r = resolve_one(f, buf);

		if (r <= 0)
			return r;
	}
	return -1;
}

const struct wk_entry *wk_table_find(const struct wk_files *f, const char *path)
{
	char full[WK_FILES_PATH];

	return resolve(f, path, full, sizeof(full)) < 0 ? NULL : exact(f, full);
}

/* The run of entries below folder @full (resolved): its first, or nr; *skip is its head. */
static u32 first_below(const struct wk_files *f, char *full, size_t *skip)
{
	size_t len = strlen(full);
	u32 i;

	if (len)
		strcpy(full + len, "/");
	*skip = len ? len + 1 : 0;
	i = lower_bound(f, full);
	return i < f->nr && !strncmp(f->entry[i].path, full, *skip) ? i : f->nr;
}

bool wk_table_is_dir(const struct wk_files *f, const char *path)
{
	char full[WK_FILES_PATH + 1];
	const struct wk_entry *e;
	size_t skip;

	if (resolve(f, path, full, WK_FILES_PATH) < 0)
		return false;
	e = exact(f, full);
	return (e && e->kind == WK_ENTRY_DIR) || first_below(f, full, &skip) < f->nr;
}

bool wk_table_list(const struct wk_files *f, const char *path, wk_name_fn fn, void *arg)
{
	char full[WK_FILES_PATH + 1], name[WK_FILES_PATH], last[WK_FILES_PATH] = "";
	size_t skip;

	if (!wk_table_is_dir(f, path) || resolve(f, path, full, WK_FILES_PATH) < 0)
		return false;
	for (u32 i = first_below(f, full, &skip); i < f->nr; i++) {
		const char *rest;
		size_t n;

		if (strncmp(f->entry[i].path, full, skip))
			break;
		rest = f->entry[i].path + skip;
		n = strcspn(rest, "/");
		memcpy(name, rest, n);
		name[n] = '\0';
		if (n && strcmp(name, last))
			fn(arg, name);
		strcpy(last, name);
	}
	return true;
}
