/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tree of small text files, wherever it lies.
 *
 * Problem: sysfs comes as the running system, as a copied folder or inside a
 * tarball from a bug report, with a top folder or without. Unpacking a stranger's
 * tarball onto the disk is how paths escape and disks fill.
 * Idea: one read-only view with three questions (text of a file, is it there,
 * names in a folder), over a folder or over a sorted table in memory. Links are
 * resolved inside the view: an absolute target starts at the snapshot's own root.
 * Ownership: open or create, close. Nothing is cached; a view is used by one thread.
 * Limits: WK_FILES_* below; what goes over is refused, not cut.
 */
#ifndef WK_MACHINE_FILES_H
#define WK_MACHINE_FILES_H

#include "machine/machine.h"

#define WK_FILES_PATH	      1024	     /* bytes of a path inside a view */
#define WK_FILES_MAX_FILE     (64u << 20)    /* bytes of one file */
#define WK_FILES_MAX_ENTRIES  (1u << 20)     /* files, folders and links of an archive */
#define WK_FILES_MAX_UNPACKED (512ull << 20) /* bytes an archive may unpack to, kept or not */
#define WK_FILES_MAX_KEPT     (192u << 20)   /* bytes of an archive that stay in memory */

struct wk_files;

enum wk_entry_kind {
	WK_ENTRY_FILE,
	WK_ENTRY_DIR,
	WK_ENTRY_LINK,	   /* data is the target, from the folder of the link */
	WK_ENTRY_HARDLINK, /* data is the target, from the top of the archive */
};

typedef void (*wk_name_fn)(void *arg, const char *name);

struct wk_files *wk_files_open_dir(const char *path, struct wk_err *ret_err);
struct wk_files *wk_files_open_archive(const char *path, struct wk_err *ret_err);
struct wk_files *wk_files_open_archive_memory(const char *name, const void *data, size_t len,
					      struct wk_err *ret_err);
void wk_files_close(struct wk_files *f);

/* A view of entries added one by one: 0 or -errno; seal sorts them, after it the view is read. */
struct wk_files *wk_files_create(void);
int wk_files_add(struct wk_files *f, enum wk_entry_kind kind, const char *path, const char *data,
		 size_t len);
int wk_files_seal(struct wk_files *f);

/* Everything below reads relative to @prefix; "" is the top. */
int wk_files_set_prefix(struct wk_files *f, const char *prefix);
const char *wk_files_prefix(const struct wk_files *f);

/*
 * The text of a file, cut at its first NUL, blanks at the end removed. The length,
 * or -1 when it is absent, unreadable, or longer than @size - 1.
 */
long wk_files_text(const struct wk_files *f, const char *path, char *buf, size_t size);
/* The same, allocated: for files that may be long. NULL as above, at most WK_FILES_MAX_FILE. */
char *wk_files_text_alloc(const struct wk_files *f, const char *path);
bool wk_files_is_dir(const struct wk_files *f, const char *path);
/* Calls @fn for each name in a folder, in no order, perhaps twice; false when there is none. */
bool wk_files_list(const struct wk_files *f, const char *path, wk_name_fn fn, void *arg);

#endif
