// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables of lscpu: `lscpu -e` (blanks between columns) and `lscpu -p` (commas, the names in
 * the last comment). Columns are found by name: their order, their number and the cache levels
 * they show change with the options and the version. "-" and "" mean unknown.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "machine/mend.h"
#include "machine/read.h"
#include "machine/text.h"

#define MAX_TEXT    (16u << 20)
#define MAX_COLUMNS 64

enum column {
	COL_CPU,
	COL_NODE,
	COL_SOCKET,
	COL_CORE,
	COL_BOOK,
	COL_DRAWER,
	COL_CLUSTER,
	COL_L2,
	COL_L3,
	COL_ONLINE,
	COL_MAXMHZ,
	COL_NR,
};

static const char *const column_name[COL_NR] = {
	"CPU",	   "NODE", "SOCKET", "CORE",   "BOOK",	 "DRAWER",
	"CLUSTER", "L2",   "L3",     "ONLINE", "MAXMHZ",
};

struct table {
	const char *where;
	struct wk_err *err;
	bool commas;
	u32 line; /* of the text, from 1 */
	struct {
		s32 cell, part; /* "L2" is part 2 of the cell "L1d:L1i:L2:L3"; WK_NONE: no such */
	} at[COL_NR];
	u32 nr_cells;	/* of the header */
	s32 model_cell; /* MODELNAME may hold blanks */
	u32 nr_rows;
	struct row {
		s32 value[COL_NR];
	} row[WK_MAX_CPUS];
};

/* Cuts @line into cells, in place. */
static u32 split(const struct table *t, char *line, char **cell)
{
	char *p, *save = NULL;
	u32 n = 0;

	if (t->commas) {
		while (n < MAX_COLUMNS && (p = strsep(&line, ",")))
			cell[n++] = p + strspn(p, " \t\"");
		return n;
	}
	for (p = strtok_r(line, " \t", &save); p && n < MAX_COLUMNS;
	     p = strtok_r(NULL, " \t", &save))
		cell[n++] = p;
	return n;
}

/* Part @i of "0:0:0:1" into @buf; "" where there are fewer, as the single "-" of an offline CPU. */
static const char *part_of(const char *cell, s32 i, char *buf, size_t size)
{
	size_t n;

	while (i-- > 0 && (cell = strchr(cell, ':')))
		cell++;
	n = cell ? strcspn(cell, ":") : 0;
	snprintf(buf, size, "%.*s", (int)(n < size ? n : size - 1), cell ? cell : "");
	return buf;
}

static s32 column_of(const char *name)
{
	size_t n = strcspn(name, " \t\r\"");

	for (s32 i = 0; i < COL_NR; i++)
		if (strlen(column_name[i]) == n && !strncasecmp(name, column_name[i], n))
			return i;
	/* lscpu -p calls an L2 of data alone L2d */
	if (n == 3 && !strncasecmp(name, "L2d", n))
		return COL_L2;
	return WK_NONE;
}

static u32 name_parts(struct table *t, const char *cell, s32 place)
{
	char name[32];
	u32 known = 0;
	s32 c;

	for (s32 part = 0; part < 8 && *part_of(cell, part, name, sizeof(name)); part++) {
		c = column_of(name);
		if (c == WK_NONE || t->at[c].cell != WK_NONE)
			continue;
		t->at[c].cell = place;
		t->at[c].part = part;
		known++;
	}
	return known;
}

/* True if @line names columns, CPU among them, and at least one more that says where it is. */
static bool take_header(struct table *t, char *line)
{
	char *cell[MAX_COLUMNS];
	u32 known = 0;

	t->commas = *line == '#';
	line += strspn(line, "# \t");
	if (!strncasecmp(line, "CPU,", 4) || strstr(line, ",CPU"))
		t->commas = true;
	t->nr_cells = split(t, line, cell);
	t->model_cell = WK_NONE;
	memset(t->at, 0xff, sizeof(t->at));
	for (u32 i = 0; i < t->nr_cells; i++) {
		if (!strncasecmp(cell[i], "MODELNAME", 9))
			t->model_cell = (s32)i;
		known += name_parts(t, cell[i], (s32)i);
	}
	return t->at[COL_CPU].cell != WK_NONE && known > 1;
}

static bool parse_cell(const char *s, enum column c, s32 *ret)
{
	char *end;
	double mhz;

	*ret = WK_NONE;
	if (*s == '\0' || !strcmp(s, "-") || !strcmp(s, "-1"))
		return true;
	if (c == COL_ONLINE) {
		bool yes = !strcasecmp(s, "yes") || !strcasecmp(s, "y") || !strcmp(s, "1");

		*ret = yes;
		return yes || !strcasecmp(s, "no") || !strcasecmp(s, "n") || !strcmp(s, "0");
	}
	if (c != COL_MAXMHZ)
		return wk_parse_s32(s, ret) && *ret >= 0;
	mhz = strtod(s, &end); /* "3700,0000" in some languages: the first part is enough */
	*ret = mhz >= 0 && mhz < 1e6 ? (s32)mhz : WK_NONE;
	return end > s;
}

/* A model name with blanks makes a row longer: what stands behind it is counted from the end. */
static s32 place(const struct table *t, enum column c, u32 cells)
{
	s32 at = t->at[c].cell;

	if (t->model_cell != WK_NONE && at > t->model_cell && cells > t->nr_cells)
		at += (s32)(cells - t->nr_cells);
	return at;
}

static bool fail_cell(struct table *t, const char *text, enum column c)
{
	wk_read_error(t->err, "%s:%u: %s '%s', expected %s", t->where, t->line, column_name[c],
		      text,
		      c == COL_ONLINE ? "yes or no"
		      : c == COL_CPU  ? "0 to 4095"
				      : "a number or '-'");
	return false;
}

static bool take_row(struct table *t, char *line)
{
	char *cell[MAX_COLUMNS], text[40] = "";
	struct row row;
	u32 n = split(t, line, cell);

	for (enum column c = 0; c < COL_NR; c++) {
		s32 at = place(t, c, n);

		row.value[c] = WK_NONE;
		if (at == WK_NONE || at >= (s32)n)
			continue;
		part_of(cell[at], t->at[c].part, text, sizeof(text));
		if (!parse_cell(text, c, &row.value[c]) ||
		    (c == COL_CPU && row.value[c] >= WK_MAX_CPUS))
			return fail_cell(t, text, c);
	}
	if (row.value[COL_CPU] < 0)
		return fail_cell(t, "", COL_CPU);
	if (t->nr_rows == WK_MAX_CPUS) {
		wk_read_error(t->err, "%s:%u: more than %u CPUs", t->where, t->line, WK_MAX_CPUS);
		return false;
	}
	t->row[t->nr_rows++] = row;
	return true;
}

/* Rows follow their header until something else comes; the summary before it is passed over. */
static bool take_text(struct table *t, char *text)
{
	bool header = false;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		size_t n = strlen(line);

		t->line++;
		while (n && isspace((unsigned char)line[n - 1]))
			line[--n] = '\0';
		line += strspn(line, " \t");
		if (t->nr_rows && (*line == '\0' || *line == '#'))
			break;
		if (*line == '\0')
			continue;
		if (!header || *line == '#')
			header |= take_header(t, line);
		else if (!take_row(t, line))
			return false;
	}
	if (t->nr_rows)
		return true;
	wk_read_error(t->err,
		      "%s:%u: ends without a table of CPUs, expected the output of lscpu -e or "
		      "lscpu -p",
		      t->where, t->line);
	return false;
}

static int row_cmp(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	return (a->value[COL_CPU] > b->value[COL_CPU]) - (a->value[COL_CPU] < b->value[COL_CPU]);
}

static bool sort_rows(struct table *t)
{
	qsort(t->row, t->nr_rows, sizeof(*t->row), row_cmp);
	for (u32 i = 1; i < t->nr_rows; i++)
		if (t->row[i].value[COL_CPU] == t->row[i - 1].value[COL_CPU]) {
			wk_read_error(t->err, "%s: CPU %d comes twice, expected one row a CPU",
				      t->where, t->row[i].value[COL_CPU]);
			return false;
		}
	return true;
}

/* The row before @i that agrees in all of @key, as its set's name; itself if there is none. */
static s32 set_of(const struct table *t, u32 i, const enum column *key, u32 nr)
{
	for (u32 j = 0; j < i; j++) {
		bool same = true;

		for (u32 k = 0; k < nr; k++)
			same &= t->row[j].value[key[k]] == t->row[i].value[key[k]];
		if (same)
			return (s32)j;
	}
	return (s32)i;
}

static s32 llc_of(const struct table *t, u32 i)
{
	static const enum column l2[] = {COL_L2, COL_L3};

	if (t->row[i].value[COL_L3] != WK_NONE)
		return 3 * WK_MAX_CPUS + set_of(t, i, l2 + 1, 1);
	if (t->row[i].value[COL_L2] != WK_NONE)
		return 2 * WK_MAX_CPUS + set_of(t, i, l2, 2);
	return WK_NONE;
}

/* Core ids repeat from socket to socket with --physical, so all outer ids are part of the key. */
static void fill_cpu(const struct table *t, u32 i, struct wk_machine_cpu *cpu)
{
	static const enum column package[] = {COL_DRAWER, COL_BOOK, COL_SOCKET, COL_CORE};
	static const enum column cluster[] = {COL_DRAWER, COL_BOOK, COL_SOCKET, COL_CLUSTER};
	const s32 *v = t->row[i].value;

	cpu->cpu = (u32)v[COL_CPU];
	cpu->online = v[COL_ONLINE] != 0;
	if (v[COL_SOCKET] != WK_NONE || cpu->online)
		cpu->package = set_of(t, i, package, 3);
	if (v[COL_CORE] != WK_NONE)
		cpu->core = set_of(t, i, package, 4);
	else if (cpu->online)
		cpu->core = WK_MAX_CPUS + (s32)i;
	cpu->llc = llc_of(t, i);
	if (v[COL_CLUSTER] != WK_NONE)
		cpu->cluster = set_of(t, i, cluster, 4);
	else if (v[COL_L2] != WK_NONE)
		cpu->cluster = WK_MAX_CPUS + set_of(t, i, (const enum column[]){COL_L2}, 1);
	else if (cpu->core != WK_NONE)
		cpu->cluster = 2 * WK_MAX_CPUS + cpu->core;
}

static bool add_node(struct wk_machine *m, u32 id)
{
	u32 i = m->nr_nodes;

	for (u32 k = 0; k < m->nr_nodes; k++)
		if (m->node_id[k] == id)
			return true;
	if (m->nr_nodes == WK_MAX_NODES)
		return false;
	for (; i > 0 && m->node_id[i - 1] > id; i--)
		m->node_id[i] = m->node_id[i - 1];
	m->node_id[i] = id;
	m->nr_nodes++;
	return true;
}

static bool fill_nodes(struct table *t, struct wk_machine *m)
{
	u32 placed = 0;

	for (u32 i = 0; i < t->nr_rows; i++) {
		s32 node = t->row[i].value[COL_NODE];

		if (node == WK_NONE)
			continue;
		if (!add_node(m, (u32)node)) {
			wk_read_error(t->err, "%s: more than %u NUMA nodes", t->where,
				      WK_MAX_NODES);
			return false;
		}
		m->cpu[i].node = node;
	}
	if (!m->nr_nodes) {
		add_node(m, 0);
		wk_machine_note(m, "no column NODE, or nothing in it: one node");
	} else if (m->nr_nodes > 1) {
		wk_machine_note(m, "lscpu does not tell distances: 10 and 20 used for all nodes");
	}
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].node == WK_NONE && m->cpu[i].online) {
			m->cpu[i].node = (s32)m->node_id[0];
			placed++;
		}
	if (placed && placed < m->nr_cpus)
		wk_machine_note(m, "%u online CPUs do not say their node: node %u", placed,
				m->node_id[0]);
	wk_default_distances(m);
	return true;
}

/* Certainly hybrid: cores with and without a second thread, and with different top speeds. */
static void fill_capacity(const struct table *t, struct wk_machine *m)
{
	u32 top[2] = {0}, threads[3 * WK_MAX_CPUS] = {0};

	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].core >= 0)
			threads[m->cpu[i].core]++;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		s32 mhz = t->row[i].value[COL_MAXMHZ];
		u32 smt = m->cpu[i].core >= 0 && threads[m->cpu[i].core] > 1;

		if (mhz > (s32)top[smt])
			top[smt] = (u32)mhz;
	}
	if (!top[0] || !top[1] || top[0] >= top[1])
		return;
	for (u32 i = 0; i < m->nr_cpus; i++) {
		u32 smt = m->cpu[i].core >= 0 && threads[m->cpu[i].core] > 1;

		m->cpu[i].capacity = smt ? 1024 : top[0] * 1024 / top[1];
	}
	wk_machine_note(m, "cores with and without a second thread: capacity from MAXMHZ");
}

static struct wk_machine *build(struct table *t)
{
	struct wk_machine *m;
	bool any = false;

	if (!sort_rows(t))
		return NULL;
	m = wk_machine_create(t->nr_rows);
	if (!m) {
		wk_read_error(t->err, "%s: out of memory", t->where);
		return NULL;
	}
	for (u32 i = 0; i < t->nr_rows; i++) {
		fill_cpu(t, i, &m->cpu[i]);
		any |= m->cpu[i].online;
	}
	if (!any)
		wk_machine_note(m, "no CPU is online: all are taken as online");
	for (u32 i = 0; i < m->nr_cpus && !any; i++)
		m->cpu[i].online = true;
	if (t->at[COL_L3].cell == WK_NONE && t->at[COL_L2].cell == WK_NONE)
		wk_machine_note(m, "no column L2 or L3");
	if (!fill_nodes(t, m)) {
		wk_machine_destroy(m);
		return NULL;
	}
	fill_capacity(t, m);
	wk_mend_llc(m);
	wk_mend_threads(m);
	return m;
}

struct wk_machine *wk_read_lscpu_text(const char *where, const char *text, size_t len,
				      struct wk_err *ret_err)
{
	struct table *t = calloc(1, sizeof(*t));
	char *copy = strndup(text, len);
	struct wk_machine *m = NULL;

	if (!t || !copy) {
		wk_read_error(ret_err, "%s: out of memory", where);
	} else if (strlen(copy) != len) {
		wk_read_error(ret_err, "%s: a zero byte at offset %zu, expected text", where,
			      strlen(copy));
	} else {
		t->where = where;
		t->err = ret_err;
		if (take_text(t, copy))
			m = build(t);
	}
	if (m)
		wk_name_of_path(m->name, sizeof(m->name), where);
	free(copy);
	free(t);
	return m;
}

struct wk_machine *wk_read_lscpu(const char *path, struct wk_err *ret_err)
{
	bool in = !strcmp(path, "-");
	size_t len;
	char *text = wk_read_whole(path, MAX_TEXT, &len, ret_err);
	struct wk_machine *m;

	if (!text)
		return NULL;
	m = wk_read_lscpu_text(in ? "standard input" : path, text, len, ret_err);
	free(text);
	return m;
}
