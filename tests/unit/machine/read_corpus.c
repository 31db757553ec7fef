// SPDX-License-Identifier: GPL-2.0-only
/*
 * Snapshots of real machines, read from the shared corpus where there is one: every file is read
 * or refused in one line, and the counts are those of hwloc and of lscpu.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "tests/machines/load.h"

#define MAX_PATHS 2048
#define PATH	  512

struct paths {
	char *path[MAX_PATHS]; /* below the corpus */
	u32 nr;
};

static const char *corpus(void)
{
	static char path[PATH];
	const char *shared = getenv("WK_SHARED");
	struct stat st;

	snprintf(path, sizeof(path), "%s/corpus/topology", shared ? shared : "../shared");
	return stat(path, &st) == 0 ? path : NULL;
}

static void walk(const char *root, const char *below, struct paths *ret)
{
	char path[PATH];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", root, below);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		if (d->d_name[0] == '.' || ret->nr == MAX_PATHS)
			continue;
		snprintf(path, sizeof(path), "%s%s%s", below, *below ? "/" : "", d->d_name);
		if (d->d_type == DT_DIR)
			walk(root, path, ret);
		else
			ret->path[ret->nr++] = strdup(path);
	}
	if (dir)
		closedir(dir);
}

static void walk_all(struct paths *ret)
{
	ret->nr = 0;
	if (!corpus())
		skip();
	walk(corpus(), "", ret);
	assert_true(ret->nr > 0);
}

static void forget(struct paths *p)
{
	for (u32 i = 0; i < p->nr; i++)
		free(p->path[i]);
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t a = strlen(s), b = strlen(suffix);

	return a >= b && !strcmp(s + a - b, suffix);
}

static bool is_archive(const char *path)
{
	return ends_with(path, ".tar.gz") || ends_with(path, ".tar.bz2") ||
	       ends_with(path, ".tar.xz");
}

static struct wk_machine *open_archive(const char *below, const char *inner, struct wk_err *err)
{
	char path[3 * PATH];

	snprintf(path, sizeof(path), "%s/%s%s%s", corpus(), below, *inner ? "/" : "", inner);
	return wk_read_archive(path, err);
}

/* Dumps of cpuid registers are no snapshots, and are refused as such. */
static void every_archive_is_read(void **state)
{
	struct paths p;

	(void)state;
	walk_all(&p);
	for (u32 i = 0; i < p.nr; i++) {
		struct wk_err err = {""};
		struct wk_machine *m;

		if (!is_archive(p.path[i]))
			continue;
		m = open_archive(p.path[i], "", &err);
		if (!m && !(strstr(p.path[i], "/x86/") && strstr(err.text, "cpuid registers")))
			fail_msg("%s", err.text);
		if (m)
			assert_builds(m);
		wk_machine_destroy(m);
	}
	forget(&p);
}

static bool version_is_3(const char *path)
{
	struct wk_err err;
	size_t len;
	char *xml = wk_read_whole(path, 64 << 20, &len, &err);
	bool is = xml && strstr(xml, "<topology version=\"3.");

	free(xml);
	return is;
}

/* Version 3 is answered in one line, and so is a cluster of several machines of hwloc 1. */
static void every_xml_is_read(void **state)
{
	struct paths p;
	u32 read = 0;

	(void)state;
	walk_all(&p);
	for (u32 i = 0; i < p.nr; i++) {
		struct wk_err err = {""};
		struct wk_machine *m;
		char path[2 * PATH];

		if (!ends_with(p.path[i], ".xml"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", corpus(), p.path[i]);
		m = wk_read_hwloc_xml(path, &err);
		if (!m && !(version_is_3(path) && strstr(err.text, "hwloc XML version 3")) &&
		    !strstr(err.text, "several machines"))
			fail_msg("%s", err.text);
		if (!m)
			continue;
		assert_builds(m);
		wk_machine_destroy(m);
		read++;
	}
	assert_true(read > 0);
	forget(&p);
}

struct counts {
	u32 pus, absent, packages, cores, nodes, l2, l3;
};

/* "depth 3:  7 L2Cache (type #5)" of lstopo's summary: 7, or 0 where there is no such line. */
static u32 count_of(const char *text, const char *type)
{
	char mark[32], *at = NULL;
	const char *p = text;

	snprintf(mark, sizeof(mark), " %s (type #", type);
	p = strstr(text, mark);
	if (!p)
		return 0;
	while (p > text && p[-1] >= '0' && p[-1] <= '9')
		p--;
	return (u32)strtoul(p, &at, 10);
}

static struct counts parse_console(const char *text)
{
	struct counts c = {
		.pus = count_of(text, "PU"),
		.packages = count_of(text, "Package"),
		.cores = count_of(text, "Core"),
		.nodes = count_of(text, "NUMANode"),
		.l2 = count_of(text, "L2Cache"),
		.l3 = count_of(text, "L3Cache"),
	};
	const char *p = strstr(text, " processors not represented");

	while (p && p > text && p[-1] >= '0' && p[-1] <= '9')
		p--;
	c.absent = p ? (u32)strtoul(p, NULL, 10) : 0;
	return c;
}

/*
 * Where hwloc 2.9 tells something else than the kernel of that machine would, and why.
 * 'p' PUs online, 'c' cores, 'n' nodes, 'l' caches.
 */
static const struct {
	const char *name, *what;
} exceptions[] = {
	/* hwloc leaves out CPUs that the cpuset of the process in the snapshot does not allow */
	{"16em64t-4s2ca2c-cpusetreorder", "pc"},
	/* a made-up L3 in memory, which is not the CPUs' cache */
	{"64intel64-fakeKNL-A2A-cache", "l"},
	/* node/online of the tree says 0-7, the folders are node0 to node73; hwloc 2.9 reads the
	 * list, hwloc 1.11 and we the folders */
	{"hwloc-v1.11__tests__linux__48amd64-4d2n6c-sparse", "n"},
	/* made-up nodes over each other, of which hwloc drops two */
	{"fakeheterocpunuma", "n"},
	/* nodes without memory, which hwloc drops and the kernel does not */
	{"fakememinitiators", "n"},
};

static bool excepted(const char *oracle, char what)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++)
		if (strstr(oracle, exceptions[i].name) && strchr(exceptions[i].what, what))
			return true;
	return false;
}

static void equal(const char *oracle, char what, const char *name, u32 got, u32 want)
{
	if (got != want && !excepted(oracle, what))
		fail_msg("%s: %u %s, hwloc says %u", oracle, got, name, want);
}

static bool all_have_l3(const struct wk_machine *m)
{
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].online && m->cpu[i].llc / WK_MAX_CPUS != 3)
			return false;
	return true;
}

static void compare(const char *oracle, const struct wk_machine *m, const struct counts *c)
{
	equal(oracle, 'p', "CPUs", m->nr_cpus, c->pus + c->absent);
	equal(oracle, 'p', "online CPUs", online_of(m), c->pus);
	equal(oracle, 'c', "cores", distinct(m, core), c->cores);
	equal(oracle, 'n', "nodes", m->nr_nodes, c->nodes);
	/* without a mask of siblings hwloc makes no package, where we must have one */
	if (c->packages)
		equal(oracle, 's', "packages", distinct(m, package), c->packages);
	if (c->l3 || all_have_l3(m))
		equal(oracle, 'l', "L3", distinct(m, llc), c->l3);
	else if (c->l2)
		equal(oracle, 'l', "L2", distinct(m, llc), c->l2);
}

/* The path of archive @below as the oracle writes it: '/' as "__", no suffix. */
static void mangle(char *buf, size_t size, const char *below)
{
	size_t len = 0, end = (size_t)(strstr(below, ".tar.") - below);

	for (size_t i = 0; i < end && len + 3 < size; i++) {
		if (below[i] == '/')
			buf[len++] = '_';
		buf[len++] = below[i] == '/' ? '_' : below[i];
	}
	buf[len] = '\0';
}

/* The archive of the oracle's @name, and in @inner the folder inside it. */
static const char *archive_of(const struct paths *p, const char *name, char *inner, size_t size)
{
	const char *best = NULL;
	size_t longest = 0;
	char mangled[PATH];

	for (u32 i = 0; i < p->nr; i++) {
		size_t n;

		if (!is_archive(p->path[i]))
			continue;
		mangle(mangled, sizeof(mangled), p->path[i]);
		n = strlen(mangled);
		if (n <= longest || strncmp(name, mangled, n) ||
		    (name[n] && strncmp(name + n, "__", 2)))
			continue;
		best = p->path[i];
		longest = n;
	}
	name += longest;
	name += *name ? 2 : 0;
	for (size = size - 1; *name && size; size--) {
		bool slash = !strncmp(name, "__", 2);

		*inner++ = slash ? '/' : *name;
		name += slash ? 2 : 1;
	}
	*inner = '\0';
	return best;
}

static bool compare_one(const struct paths *p, const char *console)
{
	char name[PATH], inner[PATH], path[2 * PATH];
	const char *archive;
	struct wk_machine *m;
	struct counts c;
	struct wk_err err;
	size_t len;
	char *text;

	snprintf(name, sizeof(name), "%s", strrchr(console, '/') + 1);
	name[strlen(name) - strlen(".console")] = '\0';
	archive = archive_of(p, name, inner, sizeof(inner));
	if (!archive)
		return false; /* in the other part of the collection */
	snprintf(path, sizeof(path), "%s/%s", corpus(), console);
	text = wk_read_whole(path, 16 << 20, &len, &err);
	assert_non_null(text);
	c = parse_console(text);
	free(text);
	m = open_archive(archive, inner, &err);
	if (!m)
		fail_msg("%s", err.text);
	compare(name, m, &c);
	wk_machine_destroy(m);
	return true;
}

static void counts_are_those_of_hwloc(void **state)
{
	struct paths p;
	u32 compared = 0;

	(void)state;
	walk_all(&p);
	for (u32 i = 0; i < p.nr; i++)
		if (ends_with(p.path[i], ".console") && strstr(p.path[i], "oracle-hwloc290/"))
			compared += compare_one(&p, p.path[i]);
	assert_true(compared > 0);
	forget(&p);
}

/* lscpu merges cores of this phone whose ids repeat per cluster; the kernel does not. */
static bool lscpu_differs(const char *name)
{
	return !strcmp(name, "arm-A510-A710-A715-X3");
}

static void compare_lscpu(const char *name, const struct wk_machine *a, const struct wk_machine *b)
{
	if (online_of(a) != online_of(b))
		fail_msg("%s: %u online, lscpu says %u", name, online_of(a), online_of(b));
	if (a->nr_nodes != b->nr_nodes)
		fail_msg("%s: %u nodes, lscpu says %u", name, a->nr_nodes, b->nr_nodes);
	if (lscpu_differs(name))
		return;
	if (distinct(a, package) != distinct(b, package))
		fail_msg("%s: %u sockets, lscpu says %u", name, distinct(a, package),
			 distinct(b, package));
	if (distinct(a, core) != distinct(b, core))
		fail_msg("%s: %u cores, lscpu says %u", name, distinct(a, core), distinct(b, core));
}

/* The expected outputs hold the table of `lscpu -p`, which our own reader takes. */
static void counts_are_those_of_lscpu(void **state)
{
	struct paths p;
	u32 compared = 0;

	(void)state;
	walk_all(&p);
	for (u32 i = 0; i < p.nr; i++) {
		char archive[2 * PATH], path[2 * PATH];
		const char *name = strstr(p.path[i], "expected/lscpu/lscpu-");
		struct wk_machine *a, *b;
		struct wk_err err = {""};
		struct stat st;

		if (!name)
			continue;
		name += strlen("expected/lscpu/lscpu-");
		snprintf(archive, sizeof(archive), "%s/util-linux/tests/ts/lscpu/dumps/%s.tar.gz",
			 corpus(), name);
		snprintf(path, sizeof(path), "%s/%s", corpus(), p.path[i]);
		if (stat(archive, &st) < 0)
			continue;
		a = wk_read_archive(archive, &err);
		b = wk_read_lscpu(path, &err);
		if (!a || !b)
			fail_msg("%s", err.text);
		compare_lscpu(name, a, b);
		wk_machine_destroy(a);
		wk_machine_destroy(b);
		compared++;
	}
	assert_true(compared > 0);
	forget(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_archive_is_read),
		cmocka_unit_test(every_xml_is_read),
		cmocka_unit_test(counts_are_those_of_hwloc),
		cmocka_unit_test(counts_are_those_of_lscpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
