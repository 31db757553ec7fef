// SPDX-License-Identifier: GPL-2.0-only
/*
 * hwloc XML and synthetic descriptions. What hwloc refuses without saying where is looked at
 * here first, so that the error line can name the place.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/files.h"
#include "machine/read.h"
#include "machine/read_hwloc.h"
#include "machine/text.h"

#define MAX_XML	      (48u << 20)
#define MAX_SYNTHETIC 4096
#define MAX_DEPTH     256

struct scan {
	const char *where, *p, *end;
	u32 line;
	struct {
		const char *name;
		size_t len;
		u32 line;
	} open[MAX_DEPTH];
	u32 depth;
	struct wk_err *err;
};

/* Moves to just behind @mark, counting lines; false at the end of the text. */
static bool skip_past(struct scan *s, const char *mark)
{
	size_t n = strlen(mark);

	for (; s->p + n <= s->end; s->p++) {
		if (!memcmp(s->p, mark, n)) {
			s->p += n;
			return true;
		}
		s->line += *s->p == '\n';
	}
	return false;
}

static bool not_closed(struct scan *s, const char *name, size_t len, u32 line)
{
	wk_read_error(s->err, "%s:%u: <%.*s> is not closed, expected whole XML", s->where, line,
		      len > 40 ? 40 : (int)len, name);
	return false;
}

static bool close_tag(struct scan *s, const char *name, size_t len)
{
	if (s->depth == 0) {
		wk_read_error(s->err, "%s:%u: </%.*s> closes nothing", s->where, s->line,
			      len > 40 ? 40 : (int)len, name);
		return false;
	}
	s->depth--;
	if (s->open[s->depth].len == len && !memcmp(s->open[s->depth].name, name, len))
		return true;
	return not_closed(s, s->open[s->depth].name, s->open[s->depth].len, s->open[s->depth].line);
}

static bool open_tag(struct scan *s, const char *name, size_t len, u32 line)
{
	if (s->depth == MAX_DEPTH) {
		wk_read_error(s->err, "%s:%u: nested deeper than %u", s->where, line, MAX_DEPTH);
		return false;
	}
	s->open[s->depth].name = name;
	s->open[s->depth].len = len;
	s->open[s->depth++].line = line;
	return true;
}

/* Behind '<': an element, or one of the kinds of markup that hold none. */
static bool take_tag(struct scan *s)
{
	const char *name = s->p;
	bool closing = s->p < s->end && *s->p == '/';
	u32 line = s->line;
	size_t len = 0;

	if (s->end - s->p >= 3 && !memcmp(s->p, "!--", 3))
		return skip_past(s, "-->") || not_closed(s, "!--", 3, line);
	if (s->p < s->end && (*s->p == '?' || *s->p == '!'))
		return skip_past(s, ">") || not_closed(s, name, 1, line);
	name += closing;
	while (name + len < s->end &&
	       (isalnum((unsigned char)name[len]) || name[len] == '_' || name[len] == '-'))
		len++;
	if (len == 0) {
		wk_read_error(s->err, "%s:%u: '<' without a name, expected an element", s->where,
			      line);
		return false;
	}
	if (!skip_past(s, ">"))
		return not_closed(s, name, len, line);
	if (closing)
		return close_tag(s, name, len);
	return s->p[-2] == '/' || open_tag(s, name, len, line);
}

/* False with the place of the first element that is open or crossed. */
static bool check_nesting(struct scan *s)
{
	while (skip_past(s, "<"))
		if (!take_tag(s))
			return false;
	if (s->depth == 0)
		return true;
	s->depth--;
	return not_closed(s, s->open[s->depth].name, s->open[s->depth].len, s->open[s->depth].line);
}

/* The root must be <topology>; its major version, 1 where it says none. */
static bool check_root(const char *where, const char *xml, struct wk_err *err)
{
	const char *root = strstr(xml, "<topology"), *end, *v;
	unsigned long major;

	if (!root) {
		wk_read_error(err, "%s: no element <topology>, expected XML written by lstopo",
			      where);
		return false;
	}
	end = strchr(root, '>');
	v = strstr(root, "version=\"");
	major = v && end && v < end ? strtoul(v + 9, NULL, 10) : 1;
	if (major <= 2 && strstr(xml, "<object type=\"System\"")) {
		wk_read_error(
			err,
			"%s: an object System, which is several machines, expected one machine",
			where);
		return false;
	}
	if (major <= 2)
		return true;
	wk_read_error(err, "%s: hwloc XML version %lu is not readable by the installed hwloc 2.9",
		      where, major);
	return false;
}

struct wk_machine *wk_read_xml_text(const char *where, const char *xml, size_t len,
				    struct wk_err *ret_err)
{
	struct scan s = {.where = where, .p = xml, .end = xml + len, .line = 1, .err = ret_err};
	struct wk_hwloc_job job = {WK_HWLOC_XML, where, xml, len};
	struct wk_machine *m;

	if (strlen(xml) != len) {
		wk_read_error(ret_err, "%s: a zero byte at offset %zu, expected XML text", where,
			      strlen(xml));
		return NULL;
	}
	if (!check_root(where, xml, ret_err) || !check_nesting(&s))
		return NULL;
	m = wk_hwloc_guarded(&job, ret_err);
	if (m)
		wk_name_of_path(m->name, sizeof(m->name), where);
	return m;
}

struct wk_machine *wk_read_hwloc_xml(const char *path, struct wk_err *ret_err)
{
	size_t len;
	char *xml = wk_read_whole(path, MAX_XML, &len, ret_err);
	struct wk_machine *m;

	if (!xml)
		return NULL;
	m = wk_read_xml_text(path, xml, len, ret_err);
	free(xml);
	return m;
}

/*
 * One level, "core:2(attributes)" or "2" or "[memory]": multiplies *pus. hwloc would build
 * whatever the numbers say before anyone could count.
 */
static bool take_level(const char *text, const char **p, u64 *pus, struct wk_err *err)
{
	static const char close[] = {'(', ')', '[', ']'};
	const char *level = *p, *colon;
	size_t len = strcspn(level, " \t\n([");
	char *end;

	colon = memchr(level, ':', len);
	if (len) {
		unsigned long n = strtoul(colon ? colon + 1 : level, &end, 10);

		if (end != level + len || n == 0 || n > 1u << 20) {
			wk_read_error(err, "synthetic: '%.*s' at column %td, expected TYPE:COUNT",
				      len > 40 ? 40 : (int)len, level, level - text + 1);
			return false;
		}
		*pus *= n;
	}
	*p = level + len;
	if (**p != '(' && **p != '[')
		return true;
	end = strchr(*p, **p == close[0] ? close[1] : close[3]);
	if (!end) {
		wk_read_error(err, "synthetic: '%c' at column %td is not closed", **p,
			      *p - text + 1);
		return false;
	}
	*p = end + 1;
	return true;
}

static bool check_synthetic(const char *text, struct wk_err *err)
{
	const char *p = text;
	u64 pus = 1;

	if (strlen(text) > MAX_SYNTHETIC) {
		wk_read_error(err, "synthetic: %zu characters, expected at most %u", strlen(text),
			      MAX_SYNTHETIC);
		return false;
	}
	for (p += strspn(p, " \t\n"); *p; p += strspn(p, " \t\n")) {
		if (!take_level(text, &p, &pus, err))
			return false;
		if (pus > WK_MAX_CPUS) {
			wk_read_error(err,
				      "synthetic: at column %td %llu CPUs, expected at most %u",
				      p - text + 1, (unsigned long long)pus, WK_MAX_CPUS);
			return false;
		}
	}
	return true;
}

struct wk_machine *wk_read_synthetic(const char *text, struct wk_err *ret_err)
{
	struct wk_hwloc_job job = {WK_HWLOC_SYNTHETIC, "synthetic", text, strlen(text)};
	struct wk_machine *m;

	if (!check_synthetic(text, ret_err))
		return NULL;
	m = wk_hwloc_guarded(&job, ret_err);
	if (m)
		snprintf(m->name, sizeof(m->name), "%.*s", WK_NAME_LEN - 1, text);
	return m;
}
