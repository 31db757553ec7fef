// SPDX-License-Identifier: GPL-2.0-only
/* The sysfs reader's rules beyond the reports: odd texts, contradictions, folders on disk. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/machines/load.h"

static void odd_texts(void **state)
{
	struct wk_machine *m = load("odd-texts");

	(void)state;
	assert_int_equal(online_of(m), 4);
	assert_int_equal(distinct(m, package), 1);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(distinct(m, llc), 1);
	assert_true(has_note(m, "do not say their package"));
	wk_machine_destroy(m);
}

static void phantom_cpus_are_ignored(void **state)
{
	struct wk_machine *m = load("phantoms");

	(void)state;
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(m->node_id[0], 7);
	assert_true(has_note(m, "thread siblings name CPUs that have no folder (64-67)"));
	assert_true(has_note(m, "node lists name CPUs"));
	wk_machine_destroy(m);
}

static void contradictions_fall_back_to_ids(void **state)
{
	struct wk_machine *m = load("contradictory");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 1)->core);
	assert_int_equal(cpu_of(m, 2)->core, cpu_of(m, 3)->core);
	assert_true(has_note(m, "contradict each other: ids used"));
	wk_machine_destroy(m);
}

static void without_ids_both_sides_must_say_it(void **state)
{
	struct wk_machine *m = load("contradictory-no-ids");

	(void)state;
	assert_int_not_equal(cpu_of(m, 0)->core, cpu_of(m, 1)->core);
	assert_int_equal(cpu_of(m, 2)->core, cpu_of(m, 3)->core);
	assert_true(has_note(m, "only what both sides say counts"));
	wk_machine_destroy(m);
}

static void sparse_cpus_and_nodes_mixed_smt(void **state)
{
	struct wk_machine *m = load("mixed-smt");

	(void)state;
	assert_int_equal(m->nr_cpus, 6);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(cpu_of(m, 40)->node, 200);
	assert_int_equal(m->distance[0][1], 32);
	wk_machine_destroy(m);
}

static void caches_on_cpu0_alone(void **state)
{
	struct wk_machine *m = load("caches-on-cpu0");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->llc, cpu_of(m, 3)->llc);
	assert_int_equal(cpu_of(m, 4)->llc, cpu_of(m, 7)->llc);
	assert_int_not_equal(cpu_of(m, 0)->llc, cpu_of(m, 4)->llc);
	wk_machine_destroy(m);
}

static void links_stay_inside(void **state)
{
	struct wk_machine *m = load("links");

	(void)state;
	assert_int_equal(distinct(m, llc), 1);
	assert_int_equal(cpu_of(m, 1)->capacity, 0);
	assert_false(has_note(m, "no L2 or L3"));
	wk_machine_destroy(m);
}

static void cluster_ids_repeat_per_package(void **state)
{
	struct wk_machine *m = load_text("clusters",
					 "in sys/devices/system/cpu\n"
					 "cpu[0-7]/topology/physical_package_id = {n/4}\n"
					 "cpu[0-7]/topology/core_id = {n%4}\n"
					 "cpu[0-7]/topology/cluster_id = {n%4/2}\n");

	(void)state;
	assert_int_equal(distinct(m, cluster), 4);
	assert_int_equal(cpu_of(m, 4)->cluster, cpu_of(m, 5)->cluster);
	wk_machine_destroy(m);
}

static void dies_are_kept_where_there_are_two(void **state)
{
	struct wk_machine *m = load_text("dies", "in sys/devices/system/cpu\n"
						 "cpu[0-7]/topology/physical_package_id = {n/4}\n"
						 "cpu[0-7]/topology/core_id = {n%4}\n"
						 "cpu[0-7]/topology/die_id = {n%4/2}\n");

	(void)state;
	assert_int_equal(distinct(m, quadrant), 4);
	assert_int_equal(distinct(m, package), 2);
	wk_machine_destroy(m);
}

static void cpu_in_two_nodes(void **state)
{
	struct wk_machine *m = load_text("twice", "in sys/devices/system/cpu\n"
						  "cpu[0-3]/topology/core_id = {n}\n"
						  "in sys/devices/system/node\n"
						  "node0/cpulist = 0-2\nnode1/cpulist = 2-3\n"
						  "node0/distance = 10 20\n"
						  "node1/distance = 20 10\n");

	(void)state;
	assert_int_equal(cpu_of(m, 2)->node, 0);
	assert_true(has_note(m, "CPUs 2 are in an earlier node"));
	wk_machine_destroy(m);
}

static void apic_ids_of_cpuinfo(void **state)
{
	struct wk_machine *m = load_text("apic",
					 "in sys/devices/system/cpu\n"
					 "cpu[0-1]/topology/core_id = {n}\n"
					 "in proc\ncpuinfo = processor\t: 0\\napicid\t\t: 0\\n"
					 "initial apicid\t: 9\\n\\nprocessor\t: 1\\n"
					 "apicid\t\t: 4\\n\n");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->apicid, 0);
	assert_int_equal(cpu_of(m, 1)->apicid, 4);
	wk_machine_destroy(m);
}

static void family_of(const char *cpuinfo, const char *expect)
{
	char text[512];
	struct wk_machine *m;

	snprintf(text, sizeof(text),
		 "in sys/devices/system/cpu\ncpu0/topology/core_id = 0\nin proc\n"
		 "cpuinfo = processor : 0\\n%s\n",
		 cpuinfo);
	m = load_text("family", text);
	assert_string_equal(m->family, expect);
	wk_machine_destroy(m);
}

static void family_from_cpuinfo(void **state)
{
	(void)state;
	family_of("vendor_id\t: AuthenticAMD\\ncpu family\t: 25\\nmodel\t\t: 1\\nmodel name\t: x",
		  "zen3");
	family_of("vendor_id\t: AuthenticAMD\\ncpu family\t: 25\\nmodel\t\t: 17", "zen4");
	family_of("vendor_id\t: GenuineIntel\\ncpu family\t: 6\\nmodel\t\t: 143", "spr");
	family_of("CPU implementer\t: 0x41\\nCPU part\t: 0xd0c", "altra");
	family_of("cpu\t\t: POWER9, altivec supported", "power9");
	family_of("vendor_id\t: GenuineIntel\\ncpu family\t: 6\\nmodel\t\t: 15", "generic");
}

static void cpuinfo_alone_counts(void **state)
{
	struct wk_machine *m = load_text("cpuinfo", "in old/proc\ncpuinfo = processor\t: 0\\n"
						    "processor\t: 1\\n\n");

	(void)state;
	assert_int_equal(m->nr_cpus, 2);
	assert_true(has_note(m, "counted in proc/cpuinfo"));
	wk_machine_destroy(m);
}

/* The error line of a tree that must be refused. */
static void refuse(const char *text, const char *expect)
{
	struct wk_files *f = tree_parse(text, strlen(text));
	struct wk_err err = {""};

	assert_null(wk_read_files(f, "tree", "tree", &err));
	wk_files_close(f);
	if (!strstr(err.text, expect))
		fail_msg("'%s' without '%s'", err.text, expect);
	assert_null(strchr(err.text, '\n'));
}

static void refused_in_one_line(void **state)
{
	(void)state;
	refuse("", "tree: no folder sys/devices/system/cpu found");
	refuse("in sys/devices/system/cpu\nonline = 0-3\n", "no CPU found");
	refuse("in sys/devices/system/cpu\ncpu4096/online = 1\n",
	       "cpu4096, expected CPU numbers up");
	refuse("in sys/devices/system\ncpu/cpu0/online = 1\nnode/node[0-199]/cpulist = 0\n",
	       "200 NUMA nodes, expected at most 128");
	refuse("in dump\npu[0-3] = 0 0 => 1 2 3 4\n", "dump/pu0: a dump of cpuid registers");
}

static void four_thousand_cpus(void **state)
{
	struct wk_machine *m = load_text(
		"large", "in sys/devices/system/cpu\nonline = 0-4095\n"
			 "cpu[0-4095]/topology/physical_package_id = {n/512}\n"
			 "cpu[0-4095]/topology/core_id = {n%512/2}\n"
			 "cpu[0-4095]/topology/core_cpus_list = {n/2*2}-{n/2*2+1}\n"
			 "cpu[0-4095]/topology/package_cpus_list = {n/512*512}-{n/512*512+511}\n"
			 "cpu[0-4095]/cache/index3/level = 3\n"
			 "cpu[0-4095]/cache/index3/shared_cpu_list = {n/16*16}-{n/16*16+15}\n");

	(void)state;
	assert_int_equal(m->nr_cpus, 4096);
	assert_int_equal(distinct(m, package), 8);
	assert_int_equal(distinct(m, core), 2048);
	assert_int_equal(distinct(m, llc), 256);
	wk_machine_destroy(m);
}

static void write_file(const char *root, const char *path, const char *text)
{
	char full[512], *slash;
	FILE *out;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void remove_tree(const char *root)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf -- '%s'", root);
	assert_int_equal(system(command), 0);
}

static void folder_on_disk(void **state)
{
	char root[] = "/tmp/wk-read-XXXXXX", path[512];
	struct wk_err err = {""};
	struct wk_machine *m;

	(void)state;
	assert_non_null(mkdtemp(root));
	write_file(root, "top/sys/devices/system/cpu/online", "0-1\n");
	write_file(root, "top/sys/devices/system/cpu/cpu0/topology/core_cpus_list", "0-1\n");
	write_file(root, "top/sys/devices/system/cpu/cpu1/topology/core_cpus_list", "0-1\n");
	snprintf(path, sizeof(path), "%s/top/sys/devices/system/cpu/cpu0/cpu_capacity", root);
	assert_int_equal(mkfifo(path, 0600), 0); /* must not be waited for */
	snprintf(path, sizeof(path), "%s/top/sys/devices/system/cpu/cpu1/cache", root);
	assert_int_equal(symlink("cache", path), 0);
	m = wk_read_sysfs(root, &err);
	assert_non_null(m);
	assert_int_equal(m->nr_cpus, 2);
	assert_int_equal(distinct(m, core), 1);
	wk_machine_destroy(m);
	remove_tree(root);
	assert_null(wk_read_sysfs(root, &err));
	assert_non_null(strstr(err.text, "expected a folder"));
}

static void this_machine(void **state)
{
	struct wk_err err = {""};
	struct wk_machine *m;

	(void)state;
	if (access("/sys/devices/system/cpu/cpu0", F_OK) < 0)
		skip();
	m = wk_read_sysfs("/", &err);
	assert_non_null(m);
	assert_int_equal(online_of(m), (u32)sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(m->name[0] != '\0');
	assert_builds(m);
	wk_machine_destroy(m);
}

static void lists_and_maps(void **state)
{
	struct wk_mask mask;
	u32 beyond;
	char text[64];

	(void)state;
	assert_true(wk_parse_cpulist("0-3,8, 10-20:2/4\n", &mask, &beyond));
	assert_string_equal(wk_mask_print(text, sizeof(text), &mask), "0-3,8,10-11,14-15,18-19");
	assert_true(wk_parse_cpulist("", &mask, &beyond));
	assert_true(wk_parse_cpulist("4094-5000", &mask, &beyond));
	assert_int_equal(beyond, 905);
	assert_false(wk_parse_cpulist("3-1", &mask, &beyond));
	assert_false(wk_parse_cpulist("0-", &mask, &beyond));
	assert_false(wk_parse_cpulist("0-3:0/0", &mask, &beyond));
	assert_false(wk_parse_cpulist("99999999999", &mask, &beyond));
	assert_true(wk_parse_cpumap("80000000,00000001", &mask, &beyond));
	assert_string_equal(wk_mask_print(text, sizeof(text), &mask), "0,63");
	assert_true(wk_parse_cpumap("0xf0", &mask, &beyond));
	assert_string_equal(wk_mask_print(text, sizeof(text), &mask), "4-7");
	assert_false(wk_parse_cpumap("xyz", &mask, &beyond));
	assert_false(wk_parse_cpumap("", &mask, &beyond));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_texts),
		cmocka_unit_test(phantom_cpus_are_ignored),
		cmocka_unit_test(contradictions_fall_back_to_ids),
		cmocka_unit_test(without_ids_both_sides_must_say_it),
		cmocka_unit_test(sparse_cpus_and_nodes_mixed_smt),
		cmocka_unit_test(caches_on_cpu0_alone),
		cmocka_unit_test(links_stay_inside),
		cmocka_unit_test(cluster_ids_repeat_per_package),
		cmocka_unit_test(dies_are_kept_where_there_are_two),
		cmocka_unit_test(cpu_in_two_nodes),
		cmocka_unit_test(apic_ids_of_cpuinfo),
		cmocka_unit_test(family_from_cpuinfo),
		cmocka_unit_test(cpuinfo_alone_counts),
		cmocka_unit_test(refused_in_one_line),
		cmocka_unit_test(four_thousand_cpus),
		cmocka_unit_test(folder_on_disk),
		cmocka_unit_test(this_machine),
		cmocka_unit_test(lists_and_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
