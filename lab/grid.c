// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lab/grid.h"

void wk_grid_add(struct wk_grid *g, const char *format, ...)
{
	va_list ap;

	if (g->nr == g->max && !g->failed) {
		u32 max = g->max ? g->max * 2 : 64;
		void *grown = reallocarray(g->cell, max, WK_GRID_CELL);

		g->failed = !grown;
		if (grown) {
			g->cell = grown;
			g->max = max;
		}
	}
	if (g->failed)
		return;
	va_start(ap, format);
	vsnprintf(g->cell[g->nr++], WK_GRID_CELL, format, ap);
	va_end(ap);
}

static int width(const struct wk_grid *g, u32 column)
{
	size_t most = 0;

	for (u32 i = column; i < g->nr; i += g->columns) {
		size_t len = strlen(g->cell[i]);

		most = len > most ? len : most;
	}
	return (int)most;
}

/* Cells up to the last one that is not empty. */
static u32 nr_used(const struct wk_grid *g, u32 row)
{
	u32 nr = g->columns;

	while (nr > 1 && !g->cell[row + nr - 1][0])
		nr--;
	return nr;
}

/* No blanks at the end of a line. */
static int printed_length(const char *text, bool last)
{
	size_t len = strlen(text);

	while (last && len && text[len - 1] == ' ')
		len--;
	return (int)len;
}

static void print_row(const struct wk_grid *g, u32 row, const int *widths, FILE *to)
{
	u32 nr = nr_used(g, row);

	for (u32 c = 0; c < nr; c++) {
		const char *text = g->cell[row + c];
		bool left = g->left >> c & 1, last = c + 1 == nr;
		int pad = widths[c] - (int)strlen(text);

		fprintf(to, "%s%*s%.*s%*s", c ? "  " : "", left ? 0 : pad, "",
			printed_length(text, last), text, left && !last ? pad : 0, "");
	}
	fputc('\n', to);
}

int wk_grid_print(struct wk_grid *g, FILE *to)
{
	int *widths = calloc(g->columns, sizeof(*widths));
	int err = g->failed || !widths ? -ENOMEM : 0;

	for (u32 c = 0; !err && c < g->columns; c++)
		widths[c] = width(g, c);
	for (u32 row = 0; !err && row + g->columns <= g->nr; row += g->columns)
		print_row(g, row, widths, to);
	free(widths);
	free(g->cell);
	g->cell = NULL;
	g->nr = g->max = 0;
	return err;
}
