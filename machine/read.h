/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One reader for each kind of source, all filling struct wk_machine.
 *
 * Problem: bug reports come with whatever the reporter had at hand, and much of it is
 * torn, truncated or contradicts itself.
 * Idea: a reader is tolerant and talks: it takes what can be taken, and each assumption
 * becomes one note of the machine. It refuses only what holds no CPU at all or breaks a
 * limit, with one line: where, what was found, what was expected.
 * Ownership: the caller destroys the machine. Readers keep no state between calls.
 */
#ifndef WK_MACHINE_READ_H
#define WK_MACHINE_READ_H

#include "machine/files.h"

/* The running machine ("/"), a folder that holds sys/ and proc/, or one that holds such folders. */
struct wk_machine *wk_read_sysfs(const char *root, struct wk_err *ret_err);
/* The same inside .tar, .tar.gz, .tar.bz2, .tar.xz; "FILE.tar.gz/INNER" picks one of several. */
struct wk_machine *wk_read_archive(const char *path, struct wk_err *ret_err);
/* The same from a view; @where begins error lines, @name names the machine. */
struct wk_machine *wk_read_files(struct wk_files *f, const char *where, const char *name,
				 struct wk_err *ret_err);

/* hwloc XML of versions 1 and 2; hwloc synthetic descriptions ("pack:2 l3:4 core:8 pu:2"). */
struct wk_machine *wk_read_hwloc_xml(const char *path, struct wk_err *ret_err);
struct wk_machine *wk_read_xml_text(const char *where, const char *xml, size_t len,
				    struct wk_err *ret_err);
struct wk_machine *wk_read_synthetic(const char *text, struct wk_err *ret_err);

/* Output of `lscpu -e` or `lscpu -p` with any columns, "-" for standard input. */
struct wk_machine *wk_read_lscpu(const char *path, struct wk_err *ret_err);
struct wk_machine *wk_read_lscpu_text(const char *where, const char *text, size_t len,
				      struct wk_err *ret_err);

/* A whole regular file (or "-") of at most @max bytes, NUL-terminated; the caller frees it. */
char *wk_read_whole(const char *path, size_t max, size_t *ret_len, struct wk_err *ret_err);

#endif
