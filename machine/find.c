// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where in a view the snapshot lies: at its top, below a top folder named after the machine, or
 * one of several side by side. The search goes level by level and stops at the first hit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/files_priv.h"
#include "machine/read_sysfs.h"
#include "machine/text.h"

#define MAX_FOLDERS 512
#define MAX_DEPTH   4

enum found {
	FOUND_NOTHING,
	FOUND_CPUID,   /* files pu0, pu1 ...: registers, not sysfs */
	FOUND_CPUINFO, /* proc/cpuinfo alone */
	FOUND_SYSFS,
};

struct search {
	struct wk_files *f;
	const char *parent;
	char *dir[MAX_FOLDERS]; /* a queue, level by level */
	u32 nr;
};

static void push_folder(void *arg, const char *name)
{
	struct search *s = arg;
	char path[WK_FILES_PATH];

	if (s->nr == MAX_FOLDERS || name[0] == '.' ||
	    wk_path_join(path, sizeof(path), s->parent, name) < 0 || !wk_files_is_dir(s->f, path))
		return;
	for (u32 i = 0; i < s->nr; i++)
		if (!strcmp(s->dir[i], path))
			return;
	s->dir[s->nr] = strdup(path);
	s->nr += s->dir[s->nr] != NULL;
}

static bool is_file(struct wk_files *f, const char *path)
{
	char *text = wk_files_text_alloc(f, path);

	free(text);
	return text != NULL;
}

static enum found look(struct wk_files *f, const char *dir, const char **ret_sys)
{
	static const struct {
		const char *path, *sys;
		enum found found;
	} sign[] = {
		{"sys/devices/system/cpu", "sys", FOUND_SYSFS},
		{"devices/system/cpu", "", FOUND_SYSFS},
		{"proc/cpuinfo", "sys", FOUND_CPUINFO},
		{"pu0", "sys", FOUND_CPUID},
	};
	char path[WK_FILES_PATH];

	for (u32 i = 0; i < sizeof(sign) / sizeof(*sign); i++) {
		if (wk_path_join(path, sizeof(path), dir, sign[i].path) < 0)
			continue;
		*ret_sys = sign[i].sys;
		if (sign[i].found == FOUND_SYSFS ? wk_files_is_dir(f, path) : is_file(f, path))
			return sign[i].found;
	}
	return FOUND_NOTHING;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Replaces the folders [*first, nr) by those one level below; false when there are none. */
static bool descend(struct search *s, u32 *first)
{
	u32 end = s->nr;

	for (u32 i = *first; i < end; i++) {
		s->parent = s->dir[i];
		wk_files_list(s->f, s->parent, push_folder, s);
	}
	*first = end;
	qsort(s->dir + end, s->nr - end, sizeof(*s->dir), by_name);
	return s->nr > end;
}

/* The best of one level; the names of equally good ones go to @others. */
static enum found best_of(struct search *s, u32 first, u32 *ret_at, const char **ret_sys,
			  char *others, size_t size)
{
	enum found best = FOUND_NOTHING;

	others[0] = '\0';
	for (u32 i = first; i < s->nr; i++) {
		const char *sys = NULL;
		enum found found = look(s->f, s->dir[i], &sys);
		size_t len = strlen(others);

		if (found > best) {
			best = found;
			*ret_at = i;
			*ret_sys = sys;
			others[0] = '\0';
		} else if (found == best && found != FOUND_NOTHING) {
			snprintf(others + len, size - len, "%s%s", len ? ", " : "", s->dir[i]);
		}
	}
	return best;
}

static const char *found_at(struct search *s, enum found found, const char *dir, const char *sys,
			    const char *where, struct wk_err *ret_err)
{
	char path[WK_FILES_PATH];

	if (found == FOUND_CPUID) {
		wk_read_error(ret_err,
			      "%s: %s/pu0: a dump of cpuid registers, expected a snapshot of "
			      "sysfs",
			      where, *dir ? dir : ".");
		return NULL;
	}
	if (found == FOUND_NOTHING ||
	    wk_path_join(path, sizeof(path), wk_files_prefix(s->f), dir) < 0) {
		wk_read_error(ret_err,
			      "%s: no folder sys/devices/system/cpu found, expected a snapshot "
			      "of sysfs",
			      where);
		return NULL;
	}
	wk_files_set_prefix(s->f, path);
	return sys;
}

const char *wk_sysfs_find(struct wk_files *f, const char *where, char *others, size_t size,
			  struct wk_err *ret_err)
{
	struct search s = {.f = f, .dir = {strdup("")}, .nr = 1};
	enum found found = FOUND_NOTHING;
	const char *sys = NULL;
	u32 first = 0, at = 0;

	if (!s.dir[0])
		return NULL;
	for (u32 depth = 0; depth <= MAX_DEPTH; depth++) {
		found = best_of(&s, first, &at, &sys, others, size);
		if (found != FOUND_NOTHING || !descend(&s, &first))
			break;
	}
	sys = found_at(&s, found, s.dir[at], sys, where, ret_err);
	for (u32 i = 0; i < s.nr; i++)
		free(s.dir[i]);
	return sys;
}
