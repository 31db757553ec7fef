// SPDX-License-Identifier: GPL-2.0-only
/* hwloc XML and synthetic descriptions; the XML is written here. */
#include "tests/machines/load.h"

static struct wk_machine *synthetic(const char *text)
{
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_synthetic(text, &err);

	if (!m)
		fail_msg("%s: %s", text, err.text);
	return m;
}

static void synthetic_levels(void **state)
{
	struct wk_machine *m = synthetic("pack:2 [numa] l3:4 core:8 pu:2");

	(void)state;
	assert_int_equal(m->nr_cpus, 128);
	assert_int_equal(distinct(m, package), 2);
	assert_int_equal(distinct(m, llc), 8);
	assert_int_equal(distinct(m, core), 64);
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->distance[0][1], 20);
	assert_string_equal(m->name, "pack:2 [numa] l3:4 core:8 pu:2");
	assert_builds(m);
	wk_machine_destroy(m);
}

static void synthetic_l2_cluster(void **state)
{
	struct wk_machine *m = synthetic("numa:2 l3:1 l2:8 core:4 1");

	(void)state;
	assert_int_equal(distinct(m, cluster), 16);
	assert_int_equal(distinct(m, llc), 2);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void synthetic_without_caches(void **state)
{
	struct wk_machine *m = synthetic("pack:2 core:2 pu:1");

	(void)state;
	assert_int_equal(distinct(m, llc), 2);
	assert_true(has_note(m, "no L2 or L3"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void synthetic_memory_beside(void **state)
{
	struct wk_machine *m = synthetic("[numa(memory=1GB)] pack:2 [numa] core:4 pu:1");

	(void)state;
	assert_int_equal(m->nr_nodes, 3);
	assert_int_equal(distinct(m, node), 2);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void refuse_synthetic(const char *text, const char *expect)
{
	struct wk_err err = {""};

	assert_null(wk_read_synthetic(text, &err));
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

static void synthetic_refused(void **state)
{
	(void)state;
	refuse_synthetic("pack:2 core:x pu:1", "'core:x' at column 8, expected TYPE:COUNT");
	refuse_synthetic("pack:64 core:64 pu:2", "8192 CPUs, expected at most 4096");
	refuse_synthetic("core:0", "'core:0' at column 1");
	refuse_synthetic("pack:2(name core:2", "'(' at column 7 is not closed");
	refuse_synthetic("", "synthetic: hwloc refuses it");
	refuse_synthetic("pu:2 pack:2", "synthetic: hwloc refuses it");
	refuse_synthetic("wheel:4 pu:2", "synthetic: hwloc refuses it");
}

#define OBJ(type, more) "<object type=\"" type "\" " more
#define CPUS(x)		"cpuset=\"" x "\" complete_cpuset=\"" x "\" "
#define SET(x)		CPUS(x) "nodeset=\"0x1\" complete_nodeset=\"0x1\""
#define PU(n, x)	OBJ("PU", "os_index=\"" n "\" " SET(x) "/>")

/* Four CPUs on one L3; complete_cpuset knows of a fifth, which was offline. */
static const char v2[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
	"<topology version=\"2.0\">\n" OBJ(
		"Machine",
		"os_index=\"0\" cpuset=\"0xf\" complete_cpuset=\"0x1f\" allowed_cpuset=\"0xf\" "
		"nodeset=\"0x1\" complete_nodeset=\"0x1\" allowed_nodeset=\"0x1\" "
		"gp_index=\"1\">\n") OBJ("NUMANode",
					 "os_index=\"0\" " SET("0xf") " gp_index=\"2\"/>\n")
		OBJ("L3Cache", SET("0xf") " gp_index=\"3\" cache_size=\"1024\" depth=\"3\" "
					  "cache_linesize=\"64\" cache_associativity=\"8\" "
					  "cache_type=\"0\">\n")
			OBJ("Core", "os_index=\"0\" " SET("0x3") " gp_index=\"4\">\n")
				PU("0", "0x1") PU("1", "0x2") "</object>" OBJ(
					"Core", "os_index=\"1\" " SET(
							"0xc") " gp_index=\"5\">\n") PU("2", "0x4")
					PU("3", "0x8") "</object></object></object></topology>\n";

static void xml_version_2(void **state)
{
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_xml_text("dir/box.xml", v2, strlen(v2), &err);

	(void)state;
	if (!m)
		fail_msg("%s", err.text);
	assert_string_equal(m->name, "box");
	assert_int_equal(m->nr_cpus, 5);
	assert_int_equal(online_of(m), 4);
	assert_int_equal(distinct(m, core), 2);
	assert_int_equal(distinct(m, llc), 1);
	assert_int_equal(cpu_of(m, 3)->thread, 1);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void refuse_xml(const char *text, size_t len, const char *expect)
{
	struct wk_err err = {""};

	assert_null(wk_read_xml_text("box.xml", text, len, &err));
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

static void xml_refused(void **state)
{
	static const char v3[] = "<topology version=\"3.0\"></topology>";
	static const char crossed[] = "<topology version=\"2.0\">\n<object>\n</topology>\n";
	static const char several[] = "<topology><object type=\"System\"></object></topology>";
	static const char empty[] = "<topology version=\"2.0\"></topology>";

	(void)state;
	refuse_xml(v3, strlen(v3),
		   "box.xml: hwloc XML version 3 is not readable by the installed hwloc 2.9");
	refuse_xml("", 0, "no element <topology>");
	refuse_xml("\x89PNG", 4, "no element <topology>");
	refuse_xml("a\0b", 3, "zero byte at offset 1");
	refuse_xml(crossed, strlen(crossed), "box.xml:2: <object> is not closed");
	refuse_xml(empty, strlen(empty), "box.xml: hwloc refuses it");
	refuse_xml(several, strlen(several), "several machines");
}

/* Every prefix is refused, and each with a place; none crashes. */
static void xml_truncated_anywhere(void **state)
{
	struct wk_err err;

	(void)state;
	for (size_t len = 0; len + 20 < strlen(v2); len += 37) {
		char *copy = strndup(v2, len);

		assert_null(wk_read_xml_text("box.xml", copy, len, &err));
		assert_int_equal(strncmp(err.text, "box.xml", 7), 0);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synthetic_levels),
		cmocka_unit_test(synthetic_l2_cluster),
		cmocka_unit_test(synthetic_without_caches),
		cmocka_unit_test(synthetic_memory_beside),
		cmocka_unit_test(synthetic_refused),
		cmocka_unit_test(xml_version_2),
		cmocka_unit_test(xml_refused),
		cmocka_unit_test(xml_truncated_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
