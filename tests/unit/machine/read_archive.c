// SPDX-License-Identifier: GPL-2.0-only
/* Archives are made here, sound ones and hostile ones. */
#include <archive.h>
#include <archive_entry.h>
#include <time.h>
#include <unistd.h>

#include "tests/machines/load.h"

#define CPU "sys/devices/system/cpu/"

struct item {
	const char *path;
	const char *text; /* of a file; NULL for a folder */
	const char *link; /* target, for a link */
	long long size;	  /* of a file of zeros */
};

/* A tar archive of @items, ended by a path NULL, in @buf; the length. */
static size_t pack(void *buf, size_t size, const struct item *items, int filter)
{
	struct archive *a = archive_write_new();
	static const char zeros[1 << 16];
	size_t used = 0;

	archive_write_set_format_pax_restricted(a);
	archive_write_add_filter(a, filter);
	if (filter == ARCHIVE_FILTER_GZIP)
		archive_write_set_filter_option(a, NULL, "compression-level", "1");
	assert_int_equal(archive_write_open_memory(a, buf, size, &used), ARCHIVE_OK);
	for (; items->path; items++) {
		struct archive_entry *e = archive_entry_new();
		long long len = items->text ? (long long)strlen(items->text) : items->size;

		archive_entry_set_pathname(e, items->path);
		archive_entry_set_perm(e, 0600);
		archive_entry_set_filetype(e, items->link ? AE_IFLNK : AE_IFREG);
		if (items->link)
			archive_entry_set_symlink(e, items->link);
		else
			archive_entry_set_size(e, len);
		assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
		if (items->text)
			archive_write_data(a, items->text, (size_t)len);
		for (long long left = items->text || items->link ? 0 : len; left > 0;)
			left -= archive_write_data(a, zeros,
						   left < (long long)sizeof(zeros) ? (size_t)left
										   : sizeof(zeros));
		archive_entry_free(e);
	}
	archive_write_close(a);
	archive_write_free(a);
	return used;
}

static const struct item two_cpus[] = {
	{"top/" CPU "online", "0-1\n", NULL, 0},
	{"top/" CPU "cpu0/topology/core_cpus_list", "0-1\n", NULL, 0},
	{"top/" CPU "cpu1/topology/core_cpus_list", "0-1\n", NULL, 0},
	{"top/proc/cpuinfo", "processor : 0\n", NULL, 0},
	{NULL, NULL, NULL, 0},
};

static struct wk_machine *read_packed(const struct item *items, int filter, struct wk_err *err)
{
	size_t size = 8 << 20, len;
	char *buf = malloc(size);
	struct wk_machine *m = NULL;
	struct wk_files *f;

	len = pack(buf, size, items, filter);
	f = wk_files_open_archive_memory("a.tar", buf, len, err);
	free(buf);
	if (f)
		m = wk_read_files(f, "a.tar", "a", err);
	wk_files_close(f);
	return m;
}

static void every_compression(void **state)
{
	static const int filter[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2,
				     ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_ZSTD};

	(void)state;
	for (size_t i = 0; i < sizeof(filter) / sizeof(*filter); i++) {
		struct wk_err err = {""};
		struct wk_machine *m = read_packed(two_cpus, filter[i], &err);

		assert_non_null(m);
		assert_int_equal(m->nr_cpus, 2);
		assert_int_equal(distinct(m, core), 1);
		wk_machine_destroy(m);
	}
}

static void links_cannot_leave(void **state)
{
	static const struct item items[] = {
		{CPU "cpu0/topology/core_cpus_list", "0-1\n", NULL, 0},
		{CPU "cpu1/topology/core_cpus_list", "0-1\n", NULL, 0},
		{CPU "cpu0/cpu_capacity", NULL, "/etc/hostname", 0},
		{CPU "cpu1/cpu_capacity", NULL, "../../../../../../../../etc/hostname", 0},
		{CPU "cpu0/cache", NULL, "../cpu1/cache", 0},
		{CPU "cpu1/cache", NULL, "../cpu0/cache", 0},
		{"../../" CPU "cpu2/topology/core_cpus_list", "2\n", NULL, 0},
		{NULL, NULL, NULL, 0},
	};
	struct wk_err err = {""};
	struct wk_machine *m = read_packed(items, ARCHIVE_FILTER_NONE, &err);

	(void)state;
	assert_non_null(m);
	/* a path that climbs is clamped at the top of the archive */
	assert_int_equal(m->nr_cpus, 3);
	assert_int_equal(cpu_of(m, 0)->capacity, 0);
	wk_machine_destroy(m);
}

static void the_last_of_two_entries_counts(void **state)
{
	static const struct item items[] = {
		{CPU "online", "0\n", NULL, 0},
		{CPU "cpu0/topology/core_id", "0\n", NULL, 0},
		{CPU "cpu1/topology/core_id", "1\n", NULL, 0},
		{CPU "online", "0-1\n", NULL, 0},
		{NULL, NULL, NULL, 0},
	};
	struct wk_err err = {""};
	struct wk_machine *m = read_packed(items, ARCHIVE_FILTER_GZIP, &err);

	(void)state;
	assert_non_null(m);
	assert_int_equal(online_of(m), 2);
	wk_machine_destroy(m);
}

static void refused(const struct item *items, int filter, const char *expect)
{
	struct wk_err err = {""};
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	assert_null(read_packed(items, filter, &err));
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

static void bombs_are_refused(void **state)
{
	static const struct item one_file[] = {{CPU "cpu0/x", NULL, NULL, 65ll << 20},
					       {NULL, NULL, NULL, 0}};
	static struct item many[16];

	(void)state;
	refused(one_file, ARCHIVE_FILTER_GZIP, "expected at most 64 MiB a file");
	for (int i = 0; i < 10; i++)
		many[i] = (struct item){"other/file", NULL, NULL, 60ll << 20};
	refused(many, ARCHIVE_FILTER_GZIP, "unpacks to more than 512 MiB");
	memset(many, 0, sizeof(many));
	for (int i = 0; i < 4; i++)
		many[i] = (struct item){CPU "cpu0/x", NULL, NULL, 60ll << 20};
	refused(many, ARCHIVE_FILTER_GZIP, "too many or too large files");
}

static void no_archive(const void *data, size_t len, const char *expect)
{
	struct wk_err err = {""};

	assert_null(wk_files_open_archive_memory("a.tar", data, len, &err));
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

static void broken_archives(void **state)
{
	static char buf[1 << 20];
	size_t len;

	(void)state;
	no_archive("", 0, "a.tar:");
	no_archive("hello", 5, "expected a tar archive");
	no_archive("\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff", 14, "a.tar:");
	memset(buf, 0, sizeof(buf));
	no_archive(buf, 10240, "an empty archive");
	len = pack(buf, sizeof(buf), two_cpus, ARCHIVE_FILTER_GZIP);
	assert_true(len > 40);
	no_archive(buf, len / 2, "a.tar: ");
	len = pack(buf, sizeof(buf), two_cpus, ARCHIVE_FILTER_NONE);
	no_archive(buf, 700, "a.tar: ");
}

static void write_whole(const char *path, const void *data, size_t len)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, len, out), len);
	fclose(out);
}

static void one_of_several_inside(void **state)
{
	static const struct item items[] = {
		{"all/b/" CPU "cpu0/topology/core_id", "0\n", NULL, 0},
		{"all/a/" CPU "cpu0/topology/core_id", "0\n", NULL, 0},
		{"all/a/" CPU "cpu1/topology/core_id", "1\n", NULL, 0},
		{NULL, NULL, NULL, 0},
	};
	char path[] = "/tmp/wk-archive-XXXXXX", inner[64];
	static char buf[1 << 16];
	int fd = mkstemp(path);
	struct wk_err err = {""};
	struct wk_machine *m;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	write_whole(path, buf, pack(buf, sizeof(buf), items, ARCHIVE_FILTER_BZIP2));
	m = wk_read_archive(path, &err);
	assert_non_null(m);
	assert_int_equal(m->nr_cpus, 2);
	assert_true(has_note(m, "several snapshots: all/a is read, not all/b"));
	wk_machine_destroy(m);
	snprintf(inner, sizeof(inner), "%s/all/b", path);
	m = wk_read_archive(inner, &err);
	assert_non_null(m);
	assert_int_equal(m->nr_cpus, 1);
	assert_string_equal(m->name, "b");
	wk_machine_destroy(m);
	snprintf(inner, sizeof(inner), "%s/all/c", path);
	assert_null(wk_read_archive(inner, &err));
	assert_non_null(strstr(err.text, "holds no folder 'all/c'"));
	unlink(path);
	assert_null(wk_read_archive(path, &err));
	assert_non_null(strstr(err.text, "No such file"));
	assert_null(wk_read_archive("/dev/zero", &err));
	assert_non_null(strstr(err.text, "not a regular file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_compression),
		cmocka_unit_test(links_cannot_leave),
		cmocka_unit_test(the_last_of_two_entries_counts),
		cmocka_unit_test(bombs_are_refused),
		cmocka_unit_test(broken_archives),
		cmocka_unit_test(one_of_several_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
