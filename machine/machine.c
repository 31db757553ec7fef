// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "machine/build_priv.h"
#include "machine/preset.h"
#include "machine/read.h"

/* Every id unknown, every CPU online: a reader fills in what it finds. */
struct wk_machine *wk_machine_create(u32 nr_cpus)
{
	struct wk_machine *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->cpu = calloc(nr_cpus ? nr_cpus : 1, sizeof(*m->cpu));
	if (!m->cpu) {
		free(m);
		return NULL;
	}
	m->nr_cpus = nr_cpus;
	m->affinity_first_node = m->affinity_last_node = WK_NONE;
	snprintf(m->family, sizeof(m->family), "generic");
	for (u32 i = 0; i < nr_cpus; i++)
		m->cpu[i] = (struct wk_machine_cpu){
			.cpu = i,
			.online = true,
			.package = WK_NONE,
			.half = WK_NONE,
			.quadrant = WK_NONE,
			.node = WK_NONE,
			.llc = WK_NONE,
			.cluster = WK_NONE,
			.core = WK_NONE,
			.thread = WK_NONE,
			.apicid = WK_NONE,
		};
	return m;
}

void wk_machine_destroy(struct wk_machine *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nr_notes; i++)
		free(m->note[i]);
	free(m->note);
	free(m->cpu);
	free(m);
}

/* A note that cannot be kept for want of memory is lost: nothing depends on it. */
void wk_machine_note(struct wk_machine *m, const char *fmt, ...)
{
	char **notes = reallocarray(m->note, m->nr_notes + 1, sizeof(*notes));
	va_list ap;
	char *text;
	int len;

	if (!notes)
		return;
	m->note = notes;
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len >= 0)
		m->note[m->nr_notes++] = text;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	return len >= n && !strcasecmp(name + len - n, suffix);
}

/* "FILE.tar.gz/INNER" is no path of its own, but names a snapshot inside. */
static bool is_archive(const char *src)
{
	return strstr(src, ".tar") || has_suffix(src, ".tgz") || has_suffix(src, ".tbz2") ||
	       has_suffix(src, ".txz");
}

/* "pack:2 core:4 pu:2", "numa:2 core:8", "2 4 2": what no preset's configuration looks like. */
static bool looks_synthetic(const char *src)
{
	if (src[0] && strspn(src, "0123456789 ") == strlen(src))
		return true;
	for (const char *c = src; (c = strchr(c, ':')) != NULL; c++)
		if (c[1] >= '0' && c[1] <= '9' && c > src && (isalnum((u8)c[-1]) || c[-1] == ']'))
			return !strchr(src, '/');
	return false;
}

/* A name says what a file is; where it does not, its first letter does. */
static bool is_xml(const char *path)
{
	FILE *f = has_suffix(path, ".xml") ? NULL : fopen(path, "r");
	int c = '<';

	if (f) {
		do
			c = getc(f);
		while (isspace(c));
		fclose(f);
	}
	return c == '<';
}

static struct wk_machine *open_path(const char *src, const struct stat *st, struct wk_err *err)
{
	if (S_ISDIR(st->st_mode))
		return wk_read_sysfs(src, err);
	if (!S_ISREG(st->st_mode)) {
		wk_build_err(err, 0, "%.180s: found a special file, expected a file or folder",
			     src);
		return NULL;
	}
	if (is_archive(src))
		return wk_read_archive(src, err);
	return is_xml(src) ? wk_read_hwloc_xml(src, err) : wk_read_lscpu(src, err);
}

struct wk_machine *wk_machine_open(const char *src, struct wk_err *ret_err)
{
	struct stat st;

	if (!strcmp(src, "this"))
		return wk_read_sysfs("/", ret_err);
	if (!strcmp(src, "-"))
		return wk_read_lscpu(src, ret_err);
	if (wk_preset_is_named(src))
		return wk_preset_open(src, ret_err);
	if (stat(src, &st) == 0)
		return open_path(src, &st, ret_err);
	if (looks_synthetic(src))
		return wk_read_synthetic(src, ret_err);
	if (is_archive(src) && strchr(src, '/'))
		return wk_read_archive(src, ret_err);
	if (strchr(src, '/') || has_suffix(src, ".xml") || is_archive(src)) {
		wk_build_err(ret_err, 0, "%.180s: %s", src, strerror(errno));
		return NULL;
	}
	return wk_preset_open(src, ret_err);
}
