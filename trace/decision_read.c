// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/decision.h"

static const struct {
	const char *name;
	s64 min, max;
} numbers[] = {
#define WK_DECISION(NAME, name, def, min, max, sentence) [WK_DECISION_##NAME] = {#name, min, max},
#include "trace/decision.def"
};

struct reader {
	const char *where;
	u32 line;
	struct wk_decision_file *to;
	u64 room;
	bool ended;
	struct wk_err *err;
};

/* "FILE:LINE: found 'WORD', expected WHAT"; bytes that do not print become '?'. */
static int complain(const struct reader *r, const char *word, const char *expected)
{
	snprintf(r->err->text, sizeof(r->err->text), "%.100s:%u: found '%.60s', expected %s",
		 r->where, r->line, word, expected);
	for (char *p = r->err->text; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return -EINVAL;
}

/* A whole number at *text, which moves on behind it. */
static bool number(const char **text, s64 min, s64 max, s64 *ret)
{
	char *end;

	if (**text != '-' && (**text < '0' || **text > '9'))
		return false;
	errno = 0;
	*ret = strtoll(*text, &end, 10);
	if (errno || end == *text || *ret < min || *ret > max)
		return false;
	*text = end;
	return true;
}

static bool unsigned_number(const char **text, u64 max, u64 *ret)
{
	s64 v;

	if (!number(text, 0, (s64)max, &v))
		return false;
	*ret = (u64)v;
	return true;
}

static bool tasks(const char **text, u32 *ret)
{
	s64 v;

	if (!number(text, 0, 0xffff, &v))
		return false;
	*ret = (u32)v;
	return true;
}

/* One CPU of before= or after=. */
static bool idle_state(const char **text, struct wk_decision_idle *ret)
{
	*ret = (struct wk_decision_idle){0};
	if (**text == '-') {
		ret->curr_is_idle = true;
		++*text;
		return true;
	}
	if (!tasks(text, &ret->nr_running))
		return false;
	if (**text == 's' && (++*text, !tasks(text, &ret->nr_idle_policy)))
		return false;
	if (**text == 'd' && (++*text, !tasks(text, &ret->nr_delayed)))
		return false;
	if (**text == 'i')
		++*text, ret->curr_is_idle = true;
	if (**text == 'p')
		++*text, ret->pending = true;
	return true;
}

static int read_states(struct reader *r, const char *text, struct wk_decision *d, bool after)
{
	const char *all = text;

	for (u32 c = 0; c < r->to->nr_cpus; c++) {
		if ((c && *text++ != ',') ||
		    !idle_state(&text, after ? &d->cpu[c].after : &d->cpu[c].before))
			return complain(r, all, "the state of each CPU, with commas between them");
	}
	return *text ? complain(r, all, "no more states than CPUs") : 0;
}

/* The kernel's averages are words of 64 bits, but no load comes near 31. */
#define MAX_LOAD     0x7fffffff
#define MAX_CAPACITY 0xffff

static bool loads_of_cpu(const char **text, struct wk_decision *d, u32 nr_cpus)
{
	u32 nr = d->kind == WK_REQ_WAKE ? 3 : 8;
	struct wk_decision_cpu *c;
	s64 cpu;

	if (!number(text, 0, nr_cpus - 1, &cpu))
		return false;
	c = &d->cpu[cpu];
	const struct {
		u64 *to, max;
	} field[] = {{&c->load, MAX_LOAD},	 {&c->capacity, MAX_CAPACITY},
		     {&c->load_after, MAX_LOAD}, {&c->util, MAX_LOAD},
		     {&c->util_est, MAX_LOAD},	 {&c->runnable, MAX_LOAD},
		     {&c->exit_ns, MAX_LOAD},	 {&c->idle_stamp, WK_DECISION_MAX}};

	c->has_loads = true;
	for (u32 i = 0; i < nr; i++)
		if (*(*text)++ != ':' || !unsigned_number(text, field[i].max, field[i].to))
			return false;
	return true;
}

static int read_loads(struct reader *r, const char *text, struct wk_decision *d)
{
	const char *all = text;

	do {
		if (!loads_of_cpu(&text, d, r->to->nr_cpus))
			return complain(r, all, "CPU:LOAD:CAPACITY:LOAD and so on");
	} while (*text == ',' && text++);
	return *text ? complain(r, all, "a comma between CPUs") : 0;
}

static int read_number(struct reader *r, const char *name, const char *text, struct wk_decision *d)
{
	for (u32 i = 0; i < WK_DECISION_NR; i++) {
		if (strcmp(name, numbers[i].name))
			continue;
		if (!number(&text, numbers[i].min, numbers[i].max, &d->v[i]) || *text)
			return complain(r, text, "a number in its range");
		return 0;
	}
	return complain(r, name, "a name of trace/decision.def");
}

/* The CPUs that a decision names are there. */
static int check(struct reader *r, const struct wk_decision *d, bool has_before)
{
	static const enum wk_decision_number cpus[] = {WK_DECISION_CPU, WK_DECISION_PREV,
						       WK_DECISION_RECENT, WK_DECISION_CHOSEN,
						       WK_DECISION_QUEUE_CPU};

	for (u32 i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
		if (d->v[cpus[i]] >= r->to->nr_cpus)
			return complain(r, numbers[cpus[i]].name, "a CPU below the number of CPUs");
	return has_before ? 0 : complain(r, "no before=", "the state of each CPU");
}

static int read_words(struct reader *r, char *rest, struct wk_decision *d)
{
	bool has_before = false, has_after = false;
	char *word;
	int err = 0;

	while (!err && (word = strsep(&rest, " "))) {
		char *text = strchr(word, '=');

		if (!text)
			return complain(r, word, "NAME=VALUE");
		*text++ = '\0';
		if (!strcmp(word, "before")) {
			err = read_states(r, text, d, false);
			has_before = true;
		} else if (!strcmp(word, "after")) {
			err = read_states(r, text, d, true);
			has_after = true;
		} else if (!strcmp(word, "loads")) {
			err = read_loads(r, text, d);
		} else {
			err = read_number(r, word, text, d);
		}
	}
	for (u32 c = 0; c < r->to->nr_cpus && !has_after; c++)
		d->cpu[c].after = d->cpu[c].before;
	return err ? err : check(r, d, has_before);
}

static int read_decision(struct reader *r, u8 kind, char *rest)
{
	struct wk_decision *d;

	if (!r->to->nr_cpus)
		return complain(r, "a decision", "cpus N before it");
	if (r->to->nr == r->room) {
		u64 room = r->room ? 2 * r->room : 256;

		d = reallocarray(r->to->decision, room, sizeof(*d));
		if (!d) {
			complain(r, "too many decisions", "less memory used");
			return -ENOMEM;
		}
		r->to->decision = d;
		r->room = room;
	}
	d = &r->to->decision[r->to->nr++];
	wk_decision_init(d);
	d->kind = kind;
	return read_words(r, rest, d);
}

static int read_version(struct reader *r, const char *rest)
{
	s64 v;

	if (!number(&rest, WK_DECISION_VERSION, WK_DECISION_VERSION, &v) || *rest)
		return complain(r, rest, "version 1");
	return 0;
}

static int read_cpus(struct reader *r, const char *rest)
{
	s64 v;

	if (r->to->nr_cpus || !number(&rest, 1, WK_DECISION_CPUS, &v) || *rest)
		return complain(r, rest, "cpus N, once, N being 1 to 64");
	r->to->nr_cpus = (u32)v;
	return 0;
}

static int read_end(struct reader *r, const char *rest)
{
	const char *all = rest;
	u64 nr;

	if (!unsigned_number(&rest, WK_DECISION_MAX, &nr) || *rest++ != ' ' ||
	    !unsigned_number(&rest, WK_DECISION_MAX, &r->to->lost) || *rest)
		return complain(r, all, "end DECISIONS LOST");
	if (nr != r->to->nr)
		return complain(r, all, "the number of decisions above");
	r->ended = true;
	return 0;
}

static int read_line(struct reader *r, char *line)
{
	char *rest = line, *word = strsep(&rest, " ");

	rest = rest ? rest : line + strlen(line);
	if (r->line == 1 && strcmp(word, "wakepath-decisions"))
		return complain(r, word, "'wakepath-decisions 1'");
	if (r->ended)
		return complain(r, word, "nothing after 'end'");
	if (!strcmp(word, "wakepath-decisions"))
		return read_version(r, rest);
	if (!strcmp(word, "kernel")) {
		snprintf(r->to->kernel, sizeof(r->to->kernel), "%s", rest);
		return 0;
	}
	if (!strcmp(word, "cpus"))
		return read_cpus(r, rest);
	if (!strcmp(word, "wake"))
		return read_decision(r, WK_REQ_WAKE, rest);
	if (!strcmp(word, "fork"))
		return read_decision(r, WK_REQ_FORK, rest);
	if (!strcmp(word, "exec"))
		return read_decision(r, WK_REQ_EXEC, rest);
	if (!strcmp(word, "end"))
		return read_end(r, rest);
	return complain(r, word, "kernel, cpus, wake, fork, exec or end");
}

int wk_decision_file_parse(char *text, const char *where, struct wk_decision_file *ret,
			   struct wk_err *ret_err)
{
	struct reader r = {.where = where, .to = ret, .err = ret_err};
	char *line;
	int err = 0;

	memset(ret, 0, sizeof(*ret));
	while (!err && (line = strsep(&text, "\n"))) {
		r.line++;
		if ((*line && *line != '#') || r.line == 1)
			err = read_line(&r, line);
	}
	if (!err && !r.ended)
		err = complain(&r, "the end of the file", "a line 'end', the file is cut off");
	if (err)
		wk_decision_file_release(ret);
	return err;
}

void wk_decision_file_release(struct wk_decision_file *d)
{
	free(d->decision);
	d->decision = NULL;
	d->nr = 0;
}
