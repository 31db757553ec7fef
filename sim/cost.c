// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cost_data.h"

#define MAX_LINE  1024
#define MAX_DEPTH 8
#define MAX_VALUE 4000000000u

struct key {
	const char *name;
	size_t offset; /* of its u32 in struct wk_cost */
};

static const struct key keys[] = {
#define WK_COST(name, sentence) {#name, offsetof(struct wk_cost, name)},
#include "sim/cost.def"
#define WK_TIER(NAME, name, sentence) \
	{"tier_" #name "_ns", offsetof(struct wk_cost, tier_ns) + WK_TIER_##NAME * sizeof(u32)},
#include "core/tier.def"
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

static const char *const kinds[] = {"published:", "measured:", "derived:", "assumed:"};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* What all files of one parse share. */
struct parse {
	const struct wk_cost_file *files;
	u32 nr_files;
	struct wk_cost cost;
	bool have[NR_KEYS];
	const char *open[MAX_DEPTH]; /* names of the files being included */
	u32 depth;
	struct wk_err *err;
};

/* One file. A later file may override what it includes, but not itself. */
struct source {
	const char *where;
	u32 line;
	u32 line_of[NR_KEYS]; /* 0: not yet */
	bool has_values;
};

/* A piece of a line: not terminated. */
struct word {
	const char *at;
	size_t len;
};

/* User text for an error: short, and printable whatever it holds. */
struct quoted {
	char text[44];
};

static struct quoted quote(struct word w)
{
	struct quoted q;
	size_t i, len = w.len < sizeof(q.text) ? w.len : sizeof(q.text) - 4;

	for (i = 0; i < len; i++)
		q.text[i] = w.at[i] >= ' ' && w.at[i] <= '~' ? w.at[i] : '?';
	strcpy(q.text + i, len < w.len ? "..." : "");
	return q;
}

__attribute__((format(printf, 3, 4))) static int complain(struct parse *p, const struct source *s,
							  const char *fmt, ...)
{
	int used = snprintf(p->err->text, WK_ERR_LEN, "%.100s:%u: ", s->where, s->line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->err->text + used, (size_t)(WK_ERR_LEN - used), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct word *rest)
{
	while (rest->len && is_blank(*rest->at))
		rest->at++, rest->len--;
}

/* Takes the next word off @rest; an empty one at the end or before a comment. */
static struct word next_word(struct word *rest)
{
	struct word w;

	skip_blanks(rest);
	w = (struct word){rest->at, 0};
	while (rest->len && !is_blank(*rest->at) && *rest->at != '#') {
		rest->at++;
		rest->len--;
		w.len++;
	}
	return w;
}

static bool word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.at, text, w.len);
}

/* Letters shared at the front and at the back: one slip anywhere leaves all but one. */
static size_t likeness(struct word w, const char *name)
{
	size_t len = strlen(name), shorter = w.len < len ? w.len : len, front = 0, back = 0;

	while (front < shorter && w.at[front] == name[front])
		front++;
	while (back < shorter - front && w.at[w.len - 1 - back] == name[len - 1 - back])
		back++;
	return front + back;
}

static const char *nearest_key(struct word w)
{
	const char *best = keys[0].name;
	size_t most = 0;

	for (size_t i = 0; i < NR_KEYS; i++) {
		size_t like = likeness(w, keys[i].name);

		/* What is longer than the letters shared counts against it. */
		like = 2 * like > strlen(keys[i].name) ? 2 * like - strlen(keys[i].name) : 0;
		if (like > most) {
			most = like;
			best = keys[i].name;
		}
	}
	return best;
}

/* The end of the line, without blanks in front, has to say where the value comes from. */
static bool has_source(struct word rest)
{
	struct word kind;

	if (!rest.len || *rest.at != '#')
		return false;
	rest.at++, rest.len--;
	kind = next_word(&rest);
	skip_blanks(&rest);
	for (size_t i = 0; i < NR_KINDS; i++)
		if (word_is(kind, kinds[i]))
			return rest.len > 0;
	return false;
}

static bool read_value(struct word w, u32 *ret)
{
	u64 value = 0;

	for (size_t i = 0; i < w.len; i++) {
		if (w.at[i] < '0' || w.at[i] > '9')
			return false;
		value = value * 10 + (u64)(w.at[i] - '0');
		if (value > MAX_VALUE)
			return false;
	}
	*ret = (u32)value;
	return w.len > 0;
}

static int parse_value(struct parse *p, struct source *s, struct word name, struct word rest)
{
	struct word value = next_word(&rest);
	size_t i = 0;
	u32 number;

	while (i < NR_KEYS && !word_is(name, keys[i].name))
		i++;
	if (i == NR_KEYS)
		return complain(p, s, "key '%s', expected a known one such as '%s'",
				quote(name).text, nearest_key(name));
	if (s->line_of[i])
		return complain(p, s, "key '%s' again, expected once (line %u)", keys[i].name,
				s->line_of[i]);
	if (!read_value(value, &number))
		return complain(p, s, "%s is '%s', expected a whole number from 0 to %u",
				keys[i].name, quote(value).text, MAX_VALUE);
	skip_blanks(&rest);
	if (!has_source(rest))
		return complain(p, s,
				"%s has '%s' behind its value, expected '# KIND: source' with "
				"KIND published, measured, derived or assumed",
				keys[i].name, quote(rest).text);
	memcpy((char *)&p->cost + keys[i].offset, &number, sizeof(number));
	s->line_of[i] = s->line;
	s->has_values = p->have[i] = true;
	return 0;
}

static const struct wk_cost_file *find_file(const struct wk_cost_file *files, u32 nr,
					    struct word name)
{
	for (u32 i = 0; i < nr; i++)
		if (word_is(name, files[i].name))
			return &files[i];
	return NULL;
}

static int parse_text(struct parse *p, const char *where, const char *text);

static int parse_include(struct parse *p, struct source *s, struct word rest)
{
	struct word name = next_word(&rest);
	const struct wk_cost_file *file = find_file(p->files, p->nr_files, name);
	int err;

	skip_blanks(&rest);
	if (rest.len && *rest.at != '#')
		return complain(p, s, "'%s' behind the name, expected nothing", quote(rest).text);
	if (s->has_values)
		return complain(p, s, "include after a value, expected before the first");
	if (!file)
		return complain(p, s, "include '%s', expected a built-in family such as 'generic'",
				quote(name).text);
	for (u32 i = 0; i < p->depth; i++)
		if (!strcmp(p->open[i], file->name))
			return complain(p, s, "include '%s' inside itself, expected another",
					file->name);
	if (p->depth == MAX_DEPTH)
		return complain(p, s, "include '%s' is %d files deep, expected at most %d",
				file->name, MAX_DEPTH + 1, MAX_DEPTH);
	p->open[p->depth++] = file->name;
	err = parse_text(p, file->where, file->text);
	p->depth--;
	return err;
}

static int parse_line(struct parse *p, struct source *s, struct word line)
{
	struct word first;

	if (line.len > MAX_LINE)
		return complain(p, s, "line of %zu bytes, expected at most %d", line.len, MAX_LINE);
	first = next_word(&line);
	if (word_is(first, "include"))
		return parse_include(p, s, line);
	if (first.len)
		return parse_value(p, s, first, line);
	return 0; /* empty, or a comment */
}

static int parse_text(struct parse *p, const char *where, const char *text)
{
	struct source s = {.where = where};
	int err;

	while (*text) {
		struct word line = {text, strcspn(text, "\n")};

		s.line++;
		err = parse_line(p, &s, line);
		if (err)
			return err;
		text += line.len + (text[line.len] == '\n');
	}
	return 0;
}

/* All keys that no file gave, as far as they fit into the line. */
static int check_complete(struct parse *p, const char *where)
{
	size_t nr = 0, used;

	used = (size_t)snprintf(p->err->text, WK_ERR_LEN,
				"%.100s: missing, expected a value:", where);
	for (size_t i = 0; i < NR_KEYS; i++) {
		if (p->have[i])
			continue;
		nr++;
		if (used < WK_ERR_LEN)
			used += (size_t)snprintf(p->err->text + used, WK_ERR_LEN - used, " %s",
						 keys[i].name);
	}
	if (used >= WK_ERR_LEN)
		strcpy(p->err->text + WK_ERR_LEN - 4, "...");
	return nr ? -EINVAL : 0;
}

static void scale_software(struct wk_cost *cost)
{
	const u64 pct = cost->software_pct;
#define WK_COST(name, sentence)
#define WK_COST_SW(name, sentence) cost->name = (u32)(cost->name * pct / 100);
#include "sim/cost.def"
}

/* The simulator divides by them, and a timer of 0 would fire before its sleeper sleeps. */
static int check_not_0(struct parse *p, const char *where)
{
	const struct {
		const char *name;
		u32 value;
	} key[] = {
		{"timer_ns", p->cost.timer_ns},
		{"nr_tick_us", p->cost.nr_tick_us},
		{"cfs_min_gran_us", p->cost.cfs_min_gran_us},
		{"smt_pct", p->cost.smt_pct},
		{"smt4_pct", p->cost.smt4_pct},
	};

	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++) {
		if (key[i].value)
			continue;
		snprintf(p->err->text, WK_ERR_LEN,
			 "%.100s: %s is 0 (times software_pct, where it is software), expected at "
			 "least 1",
			 where, key[i].name);
		return -EINVAL;
	}
	return 0;
}

static int parse_whole(struct parse *p, const char *text, const char *where, struct wk_cost *ret)
{
	int err = parse_text(p, where, text);

	if (!err)
		err = check_complete(p, where);
	if (err)
		return err;
	scale_software(&p->cost);
	err = check_not_0(p, where);
	if (!err)
		*ret = p->cost;
	return err;
}

int wk_cost_parse_with(const struct wk_cost_file *files, u32 nr_files, const char *text,
		       const char *where, struct wk_cost *ret, struct wk_err *ret_err)
{
	struct parse p = {.files = files, .nr_files = nr_files, .err = ret_err};

	return parse_whole(&p, text, where, ret);
}

int wk_cost_parse(const char *text, const char *where, struct wk_cost *ret, struct wk_err *ret_err)
{
	return wk_cost_parse_with(wk_cost_files, wk_nr_cost_files, text, where, ret, ret_err);
}

int wk_cost_open(const char *family, struct wk_cost *ret, struct wk_err *ret_err)
{
	struct parse p = {.files = wk_cost_files, .nr_files = wk_nr_cost_files, .err = ret_err};
	struct word name = {family, strlen(family)}, generic = {"generic", 7};
	const struct wk_cost_file *file = find_file(p.files, p.nr_files, name);

	if (!file)
		file = find_file(p.files, p.nr_files, generic);
	if (!file) {
		snprintf(ret_err->text, WK_ERR_LEN, "cost table '%s': not built in, nor 'generic'",
			 quote(name).text);
		return -ENOENT;
	}
	p.open[p.depth++] = file->name;
	return parse_whole(&p, file->text, file->where, ret);
}
