// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/text.h"

void wk_read_error(struct wk_err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	for (char *p = err->text; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
}

static bool parse_long(const char *s, long *ret)
{
	char *end;

	errno = 0;
	*ret = strtol(s, &end, 10);
	if (end == s || errno)
		return false;
	while (isspace((unsigned char)*end))
		end++;
	return *end == '\0';
}

bool wk_parse_u32(const char *s, u32 *ret)
{
	long v;

	if (!parse_long(s, &v) || v < 0 || v > 0xffffffffL)
		return false;
	*ret = (u32)v;
	return true;
}

bool wk_parse_s32(const char *s, s32 *ret)
{
	long v;

	if (!parse_long(s, &v) || v < -0x7fffffffL || v > 0x7fffffffL)
		return false;
	*ret = (s32)v;
	return true;
}

bool wk_parse_suffix(const char *name, const char *head, u32 *ret)
{
	size_t n = strlen(head);

	return !strncmp(name, head, n) && isdigit((unsigned char)name[n]) &&
	       wk_parse_u32(name + n, ret);
}

/* A number at *s, at most 9 digits, so that sums stay in range. */
static bool take_number(const char **s, u32 *ret)
{
	u32 v = 0, digits = 0;

	while (isdigit((unsigned char)**s)) {
		v = v * 10 + (u32)(*(*s)++ - '0');
		if (++digits > 9)
			return false;
	}
	*ret = v;
	return digits > 0;
}

/* "10-20:2/4" is 2 of every 4 from 10 to 20. */
static bool take_range(const char **s, struct wk_mask *ret, u32 *beyond)
{
	u32 first, last, used = 1, step = 1;

	if (!take_number(s, &first))
		return false;
	last = first;
	if (**s == '-' && (++*s, !take_number(s, &last)))
		return false;
	if (**s == ':') {
		if (++*s, !take_number(s, &used) || **s != '/')
			return false;
		if (++*s, !take_number(s, &step) || step == 0 || used > step)
			return false;
	}
	if (last < first)
		return false;
	for (u32 c = first; c <= last && c < WK_MAX_CPUS; c++)
		if ((c - first) % step < used)
			wk_mask_set(ret, c);
	if (last >= WK_MAX_CPUS)
		*beyond += last - (first > WK_MAX_CPUS ? first - 1 : WK_MAX_CPUS - 1);
	return true;
}

bool wk_parse_cpulist(const char *s, struct wk_mask *ret, u32 *ret_beyond)
{
	u32 beyond = 0;

	memset(ret, 0, sizeof(*ret));
	s += strspn(s, " \t\n");
	while (*s) {
		if (!take_range(&s, ret, &beyond))
			return false;
		s += strspn(s, " \t\n");
		if (*s == ',')
			s++;
		else if (*s)
			return false;
		s += strspn(s, " \t\n");
	}
	if (ret_beyond)
		*ret_beyond = beyond;
	return true;
}

static int hex_digit(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Digits count from the end; a comma stands after each 8 and says nothing more. */
bool wk_parse_cpumap(const char *s, struct wk_mask *ret, u32 *ret_beyond)
{
	size_t len;
	u32 bit = 0, beyond = 0;

	memset(ret, 0, sizeof(*ret));
	s += strspn(s, " \t\n");
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		s += 2;
	len = strcspn(s, " \t\n");
	if (s[len + strspn(s + len, " \t\n")] || len == 0)
		return false;
	while (len-- > 0) {
		int v = hex_digit(s[len]);

		if (s[len] == ',')
			continue;
		if (v < 0)
			return false;
		for (u32 i = 0; i < 4; i++, bit++) {
			if (!(v >> i & 1))
				continue;
			beyond += bit >= WK_MAX_CPUS;
			wk_mask_set(ret, bit);
		}
	}
	if (ret_beyond)
		*ret_beyond = beyond;
	return true;
}

void wk_name_of_path(char *buf, size_t size, const char *path)
{
	static const char *const suffix[] = {".gz",  ".bz2", ".xz",  ".zst",
					     ".tar", ".tgz", ".xml", ".txt"};
	size_t len = strlen(path), start;

	while (len && path[len - 1] == '/')
		len--;
	for (start = len; start && path[start - 1] != '/';)
		start--;
	path += start;
	len -= start;
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
			size_t n = strlen(suffix[i]);

			if (len > n && !memcmp(path + len - n, suffix[i], n))
				len -= n;
		}
	if (len >= size)
		len = size - 1;
	memcpy(buf, path, len);
	buf[len] = '\0';
}
