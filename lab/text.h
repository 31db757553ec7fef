/* SPDX-License-Identifier: GPL-2.0-only */
/* A text file in memory: no larger than 64 MiB, and without the bytes that make it no text. */
#ifndef WK_LAB_TEXT_H
#define WK_LAB_TEXT_H

#include "core/err.h"

/* The whole file with a 0 behind it, for free(). 0, or -errno with one line. */
int wk_text_read(const char *path, char **ret, struct wk_err *ret_err);

#endif
