/* SPDX-License-Identifier: GPL-2.0-only */
/* Small parsing that every reader needs. Nothing here trusts its input. */
#ifndef WK_MACHINE_TEXT_H
#define WK_MACHINE_TEXT_H

#include "machine/machine.h"

/*
 * One line into @err (may be NULL). Bytes that do not print, which come with names and
 * texts of strangers, become '?', so that the line stays one line.
 */
void wk_read_error(struct wk_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A whole decimal number, blanks allowed around it; false for anything else or out of range. */
bool wk_parse_u32(const char *s, u32 *ret);
bool wk_parse_s32(const char *s, s32 *ret);

/* The number behind @head in @name, as 12 in "cpu12"; false unless that is all. */
bool wk_parse_suffix(const char *name, const char *head, u32 *ret);

/*
 * Lists as the kernel prints them: "0-3,8,10-20:2/4" and "ff,00000001". CPUs beyond the limit
 * are counted in *ret_beyond (may be NULL) and left out; false when the text is no list.
 */
bool wk_parse_cpulist(const char *s, struct wk_mask *ret, u32 *ret_beyond);
bool wk_parse_cpumap(const char *s, struct wk_mask *ret, u32 *ret_beyond);

/* Last path component without the suffix of an archive: a name for the machine. */
void wk_name_of_path(char *buf, size_t size, const char *path);

#endif
