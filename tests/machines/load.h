/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine from tests/machines/NAME.tree, and questions to it. Tests run in the project's root. */
#ifndef WK_TESTS_MACHINES_LOAD_H
#define WK_TESTS_MACHINES_LOAD_H

#include "tests/support/test.h"

#include "core/policy.h"
#include "machine/build.h"
#include "machine/read.h"
#include "tests/machines/tree.h"

static inline struct wk_files *load_tree(const char *name)
{
	char path[256];
	struct wk_err err;
	size_t len;
	char *text;
	struct wk_files *f;

	snprintf(path, sizeof(path), "tests/machines/%s.tree", name);
	text = wk_read_whole(path, 1 << 20, &len, &err);
	assert_non_null(text);
	f = tree_parse(text, len);
	free(text);
	assert_non_null(f);
	return f;
}

static inline struct wk_machine *load_text(const char *name, const char *text)
{
	struct wk_files *f = tree_parse(text, strlen(text));
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_files(f, name, name, &err);

	wk_files_close(f);
	if (!m)
		fail_msg("%s", err.text);
	return m;
}

static inline struct wk_machine *load(const char *name)
{
	struct wk_files *f = load_tree(name);
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_files(f, name, name, &err);

	wk_files_close(f);
	if (!m)
		fail_msg("%s", err.text);
	return m;
}

static inline const struct wk_machine_cpu *cpu_of(const struct wk_machine *m, u32 cpu)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].cpu == cpu)
			return &m->cpu[i];
	fail_msg("no cpu%u", cpu);
	return NULL;
}

static inline u32 online_of(const struct wk_machine *m)
{
	u32 n = 0;

	for (u32 i = 0; i < m->nr_cpus; i++)
		n += m->cpu[i].online;
	return n;
}

static inline int load_cmp(const void *va, const void *vb)
{
	s32 a = *(const s32 *)va, b = *(const s32 *)vb;

	return (a > b) - (a < b);
}

/* How many different values a field has over the online CPUs, unknown ones apart. */
static inline u32 distinct_at(const struct wk_machine *m, size_t field)
{
	s32 v[WK_MAX_CPUS];
	u32 n = 0, d = 0;

	for (u32 i = 0; i < m->nr_cpus; i++) {
		s32 x = *(const s32 *)((const char *)&m->cpu[i] + field);

		if (m->cpu[i].online && x != WK_NONE)
			v[n++] = x;
	}
	qsort(v, n, sizeof(*v), load_cmp);
	for (u32 i = 0; i < n; i++)
		d += i == 0 || v[i] != v[i - 1];
	return d;
}

#define distinct(m, field) distinct_at((m), offsetof(struct wk_machine_cpu, field))

/* True if one note holds @part; each note must be one line. */
static inline bool has_note(const struct wk_machine *m, const char *part)
{
	bool found = false;

	for (u32 i = 0; i < m->nr_notes; i++) {
		assert_null(strchr(m->note[i], '\n'));
		found |= strstr(m->note[i], part) != NULL;
	}
	return found;
}

/* The builder takes the machine, and what it builds is sound. */
static inline void assert_builds(const struct wk_machine *m)
{
	struct wk_policy pol;
	struct wk_topo *t = NULL;
	struct wk_err err = {""};

	wk_policy_init(&pol);
	if (wk_topo_build(m, &pol, &t, &err) != 0)
		fail_msg("%s: build: %s", m->name, err.text);
	if (wk_topo_check(t, &err) != 0)
		fail_msg("%s: check: %s", m->name, err.text);
	assert_int_equal(t->nr_cids, m->nr_cpus);
	wk_topo_destroy(t);
}

#endif
