// SPDX-License-Identifier: GPL-2.0-only
/* The readers' front: from a path to a view or a text. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/mend.h"
#include "machine/read.h"
#include "machine/read_sysfs.h"
#include "machine/text.h"

static int fill(struct wk_sysread *r)
{
	if (wk_sysfs_cpus(r) < 0)
		return -1;
	wk_sysfs_cpuinfo(r);
	if (wk_sysfs_topology(r) < 0 || wk_sysfs_nodes(r) < 0 || wk_sysfs_caches(r) < 0)
		return -1;
	wk_sysfs_capacity(r);
	wk_mend_threads(r->m);
	return 0;
}

struct wk_machine *wk_read_files(struct wk_files *f, const char *where, const char *name,
				 struct wk_err *ret_err)
{
	struct wk_sysread *r = calloc(1, sizeof(*r));
	struct wk_machine *m = NULL;
	char others[160];

	if (!r) {
		wk_read_error(ret_err, "%s: out of memory", where);
		return NULL;
	}
	r->f = f;
	r->where = where;
	r->err = ret_err;
	r->sys = wk_sysfs_find(f, where, others, sizeof(others), ret_err);
	if (r->sys && fill(r) == 0) {
		m = r->m;
		snprintf(m->name, sizeof(m->name), "%s", name);
		if (*others)
			wk_machine_note(m, "several snapshots: %s is read, not %s",
					wk_files_prefix(f), others);
	} else {
		wk_machine_destroy(r->m);
	}
	free(r);
	return m;
}

struct wk_machine *wk_read_sysfs(const char *root, struct wk_err *ret_err)
{
	struct wk_files *f = wk_files_open_dir(root, ret_err);
	struct wk_machine *m;
	char name[WK_NAME_LEN];

	if (!f)
		return NULL;
	wk_name_of_path(name, sizeof(name), root);
	if (!*name && gethostname(name, sizeof(name) - 1) < 0)
		snprintf(name, sizeof(name), "this");
	name[sizeof(name) - 1] = '\0';
	m = wk_read_files(f, root, name, ret_err);
	wk_files_close(f);
	return m;
}

/* Cuts "FILE.tar.gz/INNER" where FILE.tar.gz is a regular file: INNER, or "" without a cut. */
static const char *split_inner(char *path)
{
	struct stat st;

	for (char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		bool regular;

		if (p == path)
			continue;
		*p = '\0';
		regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);
		if (regular)
			return p + 1;
		*p = '/';
	}
	return "";
}

static bool check_regular(const char *path, struct wk_err *ret_err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		wk_read_error(ret_err, "%s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		wk_read_error(ret_err, "%s: not a regular file", path);
	else
		return true;
	return false;
}

static struct wk_machine *read_archive(const char *path, const char *inner, struct wk_err *ret_err)
{
	struct wk_machine *m = NULL;
	char name[WK_NAME_LEN];
	struct wk_files *f;

	if (!check_regular(path, ret_err))
		return NULL;
	f = wk_files_open_archive(path, ret_err);
	if (!f)
		return NULL;
	wk_name_of_path(name, sizeof(name), *inner ? inner : path);
	if (*inner && (wk_files_set_prefix(f, inner) < 0 || !wk_files_is_dir(f, "")))
		wk_read_error(ret_err, "%s: holds no folder '%s'", path, inner);
	else
		m = wk_read_files(f, path, name, ret_err);
	wk_files_close(f);
	return m;
}

struct wk_machine *wk_read_archive(const char *path, struct wk_err *ret_err)
{
	char *file = strdup(path);
	struct wk_machine *m;
	const char *inner;

	if (!file) {
		wk_read_error(ret_err, "%s: out of memory", path);
		return NULL;
	}
	inner = split_inner(file);
	m = read_archive(file, inner, ret_err);
	free(file);
	return m;
}

/* Grows as it reads, since standard input has no size. */
static char *read_stream(FILE *in, const char *path, size_t max, size_t *ret_len,
			 struct wk_err *ret_err)
{
	size_t cap = 1 << 16, len = 0;
	char *buf = malloc(cap + 1), *bigger;

	while (buf) {
		len += fread(buf + len, 1, cap - len, in);
		if (len < cap)
			break;
		bigger = cap < max ? realloc(buf, cap * 2 + 1) : NULL;
		if (!bigger) {
			free(buf);
			wk_read_error(ret_err, "%s: longer than %zu MiB", path, max >> 20);
			return NULL;
		}
		buf = bigger;
		cap *= 2;
	}
	if (!buf || ferror(in)) {
		wk_read_error(ret_err, "%s: %s", path, strerror(errno));
		free(buf);
		return NULL;
	}
	buf[len] = '\0';
	*ret_len = len;
	return buf;
}

char *wk_read_whole(const char *path, size_t max, size_t *ret_len, struct wk_err *ret_err)
{
	FILE *in;
	char *buf;

	if (!strcmp(path, "-"))
		return read_stream(stdin, "standard input", max, ret_len, ret_err);
	if (!check_regular(path, ret_err))
		return NULL;
	in = fopen(path, "re");
	if (!in) {
		wk_read_error(ret_err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	buf = read_stream(in, path, max, ret_len, ret_err);
	fclose(in);
	return buf;
}
