/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CSV as published tables have it: a line of names, then records; fields with
 * commas, quotes or line breaks stand in quotes, a quote being doubled there
 * (RFC 4180); lines end with LF or CRLF. Every record has as many fields as the
 * first line. Errors name file and line.
 * Ownership: wk_csv owns the text; the fields point into it. wk_csv_release().
 */
#ifndef WK_LAB_CSV_H
#define WK_LAB_CSV_H

#include <stdio.h>

#include "core/err.h"
#include "core/host.h"

struct wk_csv {
	char *where; /* names it in errors */
	char *text;
	u32 nr_columns, nr_rows; /* rows without the line of names */
	char **field;		 /* [row][column]; row 0 is the line of names */
	u32 *line;		 /* where row i begins, the line of names being row 0 */
};

int wk_csv_open(const char *path, struct wk_csv *ret, struct wk_err *ret_err);
/* The same from memory; takes @text over, in case of failure too. */
int wk_csv_parse(char *text, const char *where, struct wk_csv *ret, struct wk_err *ret_err);
void wk_csv_release(struct wk_csv *csv);

/* The column of this name, or WK_NONE with one line that names it. */
s32 wk_csv_column(const struct wk_csv *csv, const char *name, struct wk_err *ret_err);

/* Records count from 0 here. */
WK_INLINE const char *wk_csv_get(const struct wk_csv *csv, u32 row, u32 column)
{
	return csv->field[((u64)row + 1) * csv->nr_columns + column];
}

/* Empty field: *ret stays, *ret_has is false. -EINVAL with one line where it is no number. */
int wk_csv_number(const struct wk_csv *csv, u32 row, u32 column, double *ret, bool *ret_has,
		  struct wk_err *ret_err);

/* Write one field, in quotes where it needs them. */
void wk_csv_write(FILE *to, const char *field);

#endif
