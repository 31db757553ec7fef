/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line that says where, what was found and what was expected; filled by
 * whoever returns an error.
 */
#ifndef WK_CORE_ERR_H
#define WK_CORE_ERR_H

#define WK_ERR_LEN 256

struct wk_err {
	char text[WK_ERR_LEN];
};

#endif
