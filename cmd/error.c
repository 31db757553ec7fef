// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>

#include "cmd/cmd.h"

static void print_line(const char *format, va_list ap)
{
	char text[4096];

	fflush(stdout);
	vsnprintf(text, sizeof(text), format, ap);
	/* What came from a file or an argument neither ends the line nor moves the cursor. */
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	fprintf(stderr, "wakepath: %s\n", text);
}

enum wk_exit wk_error(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_line(format, ap);
	va_end(ap);
	return WK_EXIT_FAILED;
}

enum wk_exit wk_usage_error(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	print_line(format, ap);
	va_end(ap);
	return WK_EXIT_USAGE;
}

enum wk_exit wk_unknown(const char *kind, const char *word, const char *best, const char *see)
{
	if (best)
		return wk_usage_error("unknown %s '%s' (did you mean '%s'?)", kind, word, best);
	return wk_usage_error("unknown %s '%s', see '%s'", kind, word, see);
}
