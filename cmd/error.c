// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>

#include "cmd/cmd.h"

static void print_line(const char *format, va_list ap)
{
	fflush(stdout);
	fputs("wakepath: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
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
