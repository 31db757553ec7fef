/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the sysfs reader share. The reader's rules stand in read_sysfs.c. */
#ifndef WK_MACHINE_READ_SYSFS_H
#define WK_MACHINE_READ_SYSFS_H

#include "machine/files.h"
#include "machine/relation.h"

#define WK_SYSFS_TEXT (1 << 16) /* a cpulist of every other CPU of 4,096 needs 10 KiB */

struct wk_sysread {
	const struct wk_files *f;
	const char *where; /* begins error lines */
	const char *sys;   /* "sys", or "" where the view starts inside it */
	struct wk_machine *m;
	struct wk_err *err;
	struct wk_mask cpus, online; /* by CPU number: has a folder, is online */
	bool x86, hybrid;
	char text[WK_SYSFS_TEXT]; /* of the file read last */
	char path[WK_FILES_PATH];
};

/* Text of a file below sys/devices/system into r->text; false when there is none. */
bool wk_sysfs_get(struct wk_sysread *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* r->path as wk_sysfs_get() would ask for it. */
const char *wk_sysfs_path(struct wk_sysread *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
bool wk_sysfs_number(struct wk_sysread *r, s32 *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "FILE_list", else "FILE" as a map. */
bool wk_sysfs_mask(struct wk_sysread *r, struct wk_mask *ret, const char *list, const char *map,
		   u32 cpu);

void wk_sysfs_note_relation(struct wk_sysread *r, const struct wk_rel *rel, const char *what);

struct wk_machine_cpu *wk_sysfs_cpu(struct wk_sysread *r, u32 cpu);

/* The parts, in this order; 0, or -1 with r->err filled. */
int wk_sysfs_cpus(struct wk_sysread *r);
int wk_sysfs_topology(struct wk_sysread *r);
int wk_sysfs_nodes(struct wk_sysread *r);
int wk_sysfs_caches(struct wk_sysread *r);
void wk_sysfs_cpuinfo(struct wk_sysread *r);
void wk_sysfs_capacity(struct wk_sysread *r);

/*
 * Looks for a snapshot below the view's prefix and moves the prefix there. Returns "sys", or ""
 * where the snapshot is the inside of /sys; NULL with *ret_err filled. @others gets the names of
 * further snapshots beside it, or "".
 */
const char *wk_sysfs_find(struct wk_files *f, const char *where, char *others, size_t size,
			  struct wk_err *ret_err);

#endif
