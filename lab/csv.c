// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab/csv.h"
#include "lab/text.h"

struct reader {
	struct wk_csv *csv;
	struct wk_err *err;
	char *at;
	u32 line, nr_fields, max_fields, max_rows, in_row;
};

static int __attribute__((format(printf, 4, 5)))
complain(struct wk_err *ret, const struct wk_csv *csv, u32 line, const char *format, ...)
{
	va_list ap;
	int len = snprintf(ret->text, sizeof(ret->text), "%.100s:%u: ", csv->where, line);

	va_start(ap, format);
	vsnprintf(ret->text + len, sizeof(ret->text) - (size_t)len, format, ap);
	va_end(ap);
	return -EINVAL;
}

static int add_field(struct reader *r, char *field)
{
	if (r->nr_fields == r->max_fields) {
		u32 max = r->max_fields ? r->max_fields * 2 : 256;
		char **grown = reallocarray(r->csv->field, max, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		r->csv->field = grown;
		r->max_fields = max;
	}
	r->csv->field[r->nr_fields++] = field;
	r->in_row++;
	return 0;
}

/* The record's first line; nr_rows counts the line of names until the end. */
static int begin_row(struct reader *r)
{
	if (r->csv->nr_rows == r->max_rows) {
		u32 max = r->max_rows ? r->max_rows * 2 : 64;
		u32 *grown = reallocarray(r->csv->line, max, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		r->csv->line = grown;
		r->max_rows = max;
	}
	r->csv->line[r->csv->nr_rows++] = r->line;
	r->in_row = 0;
	return 0;
}

static int end_row(struct reader *r)
{
	struct wk_csv *csv = r->csv;

	if (csv->nr_rows == 1)
		csv->nr_columns = r->in_row;
	if (r->in_row != csv->nr_columns)
		return complain(r->err, csv, csv->line[csv->nr_rows - 1],
				"found %u fields, expected %u", r->in_row, csv->nr_columns);
	return 0;
}

/* From behind the opening quote to behind the closing one; the text moves together. */
static int quoted(struct reader *r)
{
	u32 first_line = r->line;
	char *to = r->at;

	for (;; r->at++) {
		if (!*r->at)
			return complain(r->err, r->csv, first_line,
					"found the end of the file, expected a closing quote");
		if (*r->at == '"' && *++r->at != '"')
			break;
		r->line += *r->at == '\n';
		*to++ = *r->at;
	}
	if (*r->at && !strchr(",\r\n", *r->at))
		return complain(r->err, r->csv, r->line,
				"found '%c' behind a closing quote, expected a comma", *r->at);
	/* At the latest over the closing quote. */
	*to = 0;
	return 0;
}

/* One field and what ends it, which becomes a 0; *ret_end is that character. */
static int read_field(struct reader *r, char *ret_end)
{
	char *field = r->at + (*r->at == '"');
	int err = 0;

	if (*r->at == '"') {
		r->at++;
		err = quoted(r);
		if (err)
			return err;
	} else {
		r->at += strcspn(r->at, ",\r\n");
	}
	if (*r->at == '\r' && r->at[1] == '\n')
		*r->at++ = 0;
	*ret_end = *r->at;
	if (*r->at)
		*r->at++ = 0;
	return add_field(r, field);
}

static int read_row(struct reader *r)
{
	int err = begin_row(r);
	char end = ',';

	while (!err && end == ',')
		err = read_field(r, &end);
	r->line++;
	return err ? err : end_row(r);
}

int wk_csv_parse(char *text, const char *where, struct wk_csv *ret, struct wk_err *ret_err)
{
	struct reader r = {.csv = ret, .err = ret_err, .at = text, .line = 1};
	int err;

	*ret = (struct wk_csv){.text = text, .where = strdup(where)};
	err = ret->where ? 0 : -ENOMEM;
	if (!err && !*text)
		err = complain(ret_err, ret, 1, "found an empty file, expected a line of names");
	if (!strncmp(text, "\xef\xbb\xbf", 3))
		r.at += 3;
	while (!err && *r.at)
		err = read_row(&r);
	if (err)
		wk_csv_release(ret);
	else
		ret->nr_rows--;
	return err;
}

int wk_csv_open(const char *path, struct wk_csv *ret, struct wk_err *ret_err)
{
	char *text;
	int err = wk_text_read(path, &text, ret_err);

	*ret = (struct wk_csv){0};
	return err ? err : wk_csv_parse(text, path, ret, ret_err);
}

void wk_csv_release(struct wk_csv *csv)
{
	free(csv->where);
	free(csv->text);
	free(csv->field);
	free(csv->line);
	*csv = (struct wk_csv){0};
}

s32 wk_csv_column(const struct wk_csv *csv, const char *name, struct wk_err *ret_err)
{
	for (u32 i = 0; i < csv->nr_columns; i++)
		if (!strcmp(csv->field[i], name))
			return (s32)i;
	complain(ret_err, csv, csv->line[0], "found no column '%s'", name);
	return WK_NONE;
}

int wk_csv_number(const struct wk_csv *csv, u32 row, u32 column, double *ret, bool *ret_has,
		  struct wk_err *ret_err)
{
	const char *text = wk_csv_get(csv, row, column);
	double value;
	char *end;

	*ret_has = *text != 0;
	if (!*text)
		return 0;
	value = strtod(text, &end);
	if (*end || !isfinite(value))
		return complain(ret_err, csv, csv->line[row + 1],
				"%s: found '%.60s', expected a number", csv->field[column], text);
	*ret = value;
	return 0;
}

void wk_csv_write(FILE *to, const char *field)
{
	if (!field[strcspn(field, ",\"\r\n")]) {
		fputs(field, to);
		return;
	}
	fputc('"', to);
	for (; *field; field++) {
		if (*field == '"')
			fputc('"', to);
		fputc(*field, to);
	}
	fputc('"', to);
}
