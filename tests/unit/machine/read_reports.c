// SPDX-License-Identifier: GPL-2.0-only
/*
 * One test for each report on topology detection that users filed against schedulers and
 * libraries of the field; the snapshot beside it shows the same quirk.
 */
#include "tests/machines/load.h"

static void scx_1995_numa_off_is_one_node(void **state)
{
	struct wk_machine *m = load("numa-off");

	(void)state;
	assert_int_equal(m->nr_nodes, 1);
	assert_int_equal(cpu_of(m, 7)->node, 0);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(distinct(m, llc), 1);
	assert_true(has_note(m, "no NUMA nodes"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_2988_node_without_cpus_is_kept(void **state)
{
	struct wk_machine *m = load("cxl-node");

	(void)state;
	assert_int_equal(m->nr_nodes, 3);
	assert_int_equal(distinct(m, node), 2);
	assert_int_equal(m->distance[0][2], 14);
	assert_true(has_note(m, "without CPUs, for memory only: 2"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_2325_empty_nodes(void **state)
{
	struct wk_machine *m = load("grace-hopper");

	(void)state;
	assert_int_equal(m->nr_cpus, 72);
	assert_int_equal(m->nr_nodes, 9);
	assert_int_equal(distinct(m, node), 1);
	assert_int_equal(distinct(m, llc), 1);
	assert_int_equal(distinct(m, cluster), 72);
	assert_int_equal(m->distance[8][1], 255);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_981_llc_spans_nodes_of_a_guest(void **state)
{
	struct wk_machine *m = load("vm-llc-spans-nodes");

	(void)state;
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(distinct(m, llc), 1);
	assert_int_equal(distinct(m, package), 2);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_1397_core_ids_repeat_per_package(void **state)
{
	struct wk_machine *m = load("core-ids-repeat");

	(void)state;
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(cpu_of(m, 0)->core, cpu_of(m, 1)->core);
	assert_int_not_equal(cpu_of(m, 0)->core, cpu_of(m, 4)->core);
	assert_int_equal(cpu_of(m, 5)->thread, 1);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void kubernetes_53323_core_id_unique_in_socket_only(void **state)
{
	static const char text[] = "CPU SOCKET CORE NODE\n0 0 0 0\n1 0 1 0\n2 1 0 1\n3 1 1 1\n";
	struct wk_err err;
	struct wk_machine *m = wk_read_lscpu_text("text", text, strlen(text), &err);

	(void)state;
	assert_non_null(m);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(distinct(m, package), 2);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_1032_l2_is_last_level(void **state)
{
	struct wk_machine *m = load("x-elite");

	(void)state;
	assert_int_equal(distinct(m, llc), 3);
	assert_int_equal(distinct(m, cluster), 3);
	assert_int_equal(cpu_of(m, 4)->llc, cpu_of(m, 7)->llc);
	assert_true(has_note(m, "the L2 is their last level"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_744_195_cache_id_is_missing(void **state)
{
	struct wk_machine *m = load("no-cache-id");

	(void)state;
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 8)->llc, cpu_of(m, 15)->llc);
	assert_int_equal(distinct(m, core), 16);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void koordinator_960_no_cache_at_all(void **state)
{
	struct wk_machine *m = load("no-cache");

	(void)state;
	assert_int_equal(distinct(m, package), 2);
	assert_int_equal(distinct(m, core), 2);
	assert_int_equal(distinct(m, llc), 2);
	assert_true(has_note(m, "no L2 or L3"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void koordinator_1777_columns_by_name(void **state)
{
	static const char text[] = "L3 ONLINE CPU L2 CORE NODE SOCKET\n"
				   "0 yes 0 0 0 0 0\n0 yes 1 1 1 0 0\n"
				   "1 yes 2 2 2 0 0\n1 yes 3 3 3 0 0\n";
	struct wk_err err;
	struct wk_machine *m = wk_read_lscpu_text("text", text, strlen(text), &err);

	(void)state;
	assert_non_null(m);
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 2)->llc, cpu_of(m, 3)->llc);
	assert_int_equal(distinct(m, core), 4);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void ghw_402_one_l3_over_several_nodes(void **state)
{
	struct wk_machine *m = load("snc-llc-over-nodes");

	(void)state;
	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 0)->llc, cpu_of(m, 7)->llc);
	assert_int_not_equal(cpu_of(m, 0)->node, cpu_of(m, 7)->node);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void ghw_389_cpu_online_files_are_missing(void **state)
{
	struct wk_machine *m = load("no-cpu-online");

	(void)state;
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(online_of(m), 4);
	assert_false(cpu_of(m, 4)->online);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_280_nosmt(void **state)
{
	struct wk_machine *m = load("nosmt");

	(void)state;
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(online_of(m), 4);
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(distinct(m, llc), 1);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void isolated_cpus_are_read(void **state)
{
	struct wk_machine *m = load("isolcpus");

	(void)state;
	assert_int_equal(online_of(m), 7);
	assert_false(cpu_of(m, 1)->isolated);
	assert_true(cpu_of(m, 2)->isolated);
	assert_true(cpu_of(m, 7)->isolated);
	assert_true(has_note(m, "isolated CPUs (2-3) are in no domain"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_719_hotplug_while_reading(void **state)
{
	struct wk_machine *m = load("torn-hotplug");

	(void)state;
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(online_of(m), 3);
	assert_false(cpu_of(m, 3)->online);
	assert_int_equal(distinct(m, llc), 1);
	assert_int_equal(distinct(m, core), 2);
	assert_true(has_note(m, "as after hotplug"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_146_four_threads(void **state)
{
	struct wk_machine *m = load("smt4");

	(void)state;
	assert_int_equal(distinct(m, core), 8);
	assert_int_equal(distinct(m, llc), 4);
	assert_int_equal(distinct(m, package), 2);
	assert_int_equal(m->node_id[1], 8);
	assert_int_equal(m->distance[0][1], 40);
	assert_int_equal(cpu_of(m, 31)->thread, 3);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_146_eight_threads(void **state)
{
	struct wk_machine *m = load("smt8");

	(void)state;
	assert_int_equal(distinct(m, core), 4);
	assert_int_equal(cpu_of(m, 15)->thread, 7);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_1991_1992_capacities_of_three_kinds(void **state)
{
	struct wk_machine *m = load("pixel6");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->capacity, 142);
	assert_int_equal(cpu_of(m, 5)->capacity, 498);
	assert_int_equal(cpu_of(m, 7)->capacity, 1024);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_1893_performance_cores_are_stronger(void **state)
{
	struct wk_machine *m = load("i7-13650hx");

	(void)state;
	/* favoured cores are no kind of their own */
	assert_int_equal(cpu_of(m, 0)->capacity, 1024);
	assert_int_equal(cpu_of(m, 11)->capacity, 1024);
	assert_int_equal(cpu_of(m, 12)->capacity, 640);
	assert_int_equal(distinct(m, core), 14);
	assert_int_equal(cpu_of(m, 12)->cluster, cpu_of(m, 15)->cluster);
	assert_true(has_note(m, "highest_perf"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_3259_small_cores_beside_the_l3(void **state)
{
	struct wk_machine *m = load("lunar-lake");

	(void)state;
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 0)->llc, cpu_of(m, 3)->llc);
	assert_int_equal(cpu_of(m, 4)->llc, cpu_of(m, 7)->llc);
	assert_int_not_equal(cpu_of(m, 0)->llc, cpu_of(m, 4)->llc);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scx_3168_kinds_are_told_apart(void **state)
{
	struct wk_machine *m = load("lunar-lake");

	(void)state;
	assert_int_equal(cpu_of(m, 0)->capacity, 1024);
	assert_in_range(cpu_of(m, 4)->capacity, 780, 800);
	wk_machine_destroy(m);
}

static void likwid_447_uneven_counts(void **state)
{
	struct wk_machine *m = load("a64fx");

	(void)state;
	assert_int_equal(m->nr_cpus, 60);
	assert_int_equal(online_of(m), 50);
	assert_int_equal(distinct(m, llc), 5);
	assert_int_equal(m->nr_nodes, 6);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void hwloc_450_cpu0_is_offline(void **state)
{
	struct wk_machine *m = load("cpu0-offline");

	(void)state;
	assert_int_equal(distinct(m, llc), 2);
	assert_int_equal(cpu_of(m, 4)->llc, cpu_of(m, 7)->llc);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void hwloc_522_offline_cpus_are_shown(void **state)
{
	struct wk_machine *m = load("cpu0-offline");

	(void)state;
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(online_of(m), 7);
	assert_false(cpu_of(m, 0)->online);
	wk_machine_destroy(m);
}

static void hwloc_226_offline_cpus_of_a_phone(void **state)
{
	struct wk_machine *m = load("phone-offline");

	(void)state;
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(online_of(m), 4);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void hwloc_430_scylladb_6541_nodes_without_memory(void **state)
{
	struct wk_machine *m = load("threadripper-2970wx");

	(void)state;
	assert_int_equal(m->nr_nodes, 4);
	assert_int_equal(distinct(m, node), 4);
	assert_int_equal(distinct(m, llc), 8);
	assert_int_equal(distinct(m, core), 24);
	assert_true(has_note(m, "nodes without memory: 1 3"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void seastar_2925_scylladb_26344_corrupt_distances(void **state)
{
	struct wk_machine *m = load("corrupt-numa");

	(void)state;
	assert_int_equal(m->nr_nodes, 2);
	assert_int_equal(m->distance[0][0], 10);
	assert_int_equal(m->distance[0][1], 20);
	assert_true(has_note(m, "node/node0/distance: '10 0'"));
	assert_builds(m);
	wk_machine_destroy(m);
}

static void agave_13250_everything_is_optional(void **state)
{
	struct wk_machine *m = load("bare");

	(void)state;
	assert_int_equal(m->nr_cpus, 4);
	assert_int_equal(online_of(m), 4);
	assert_int_equal(distinct(m, package), 1);
	assert_int_equal(distinct(m, core), 4);
	assert_true(m->nr_notes >= 4);
	assert_builds(m);
	wk_machine_destroy(m);
}

static void scxsim_all_of_these_can_be_simulated(void **state)
{
	static const char *const names[] = {
		"odd-texts", "phantoms",       "contradictory", "contradictory-no-ids",
		"mixed-smt", "caches-on-cpu0", "links",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct wk_machine *m = load(names[i]);

		assert_builds(m);
		wk_machine_destroy(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scx_1995_numa_off_is_one_node),
		cmocka_unit_test(scx_2988_node_without_cpus_is_kept),
		cmocka_unit_test(scx_2325_empty_nodes),
		cmocka_unit_test(scx_981_llc_spans_nodes_of_a_guest),
		cmocka_unit_test(scx_1397_core_ids_repeat_per_package),
		cmocka_unit_test(kubernetes_53323_core_id_unique_in_socket_only),
		cmocka_unit_test(scx_1032_l2_is_last_level),
		cmocka_unit_test(scx_744_195_cache_id_is_missing),
		cmocka_unit_test(koordinator_960_no_cache_at_all),
		cmocka_unit_test(koordinator_1777_columns_by_name),
		cmocka_unit_test(ghw_402_one_l3_over_several_nodes),
		cmocka_unit_test(ghw_389_cpu_online_files_are_missing),
		cmocka_unit_test(scx_280_nosmt),
		cmocka_unit_test(isolated_cpus_are_read),
		cmocka_unit_test(scx_719_hotplug_while_reading),
		cmocka_unit_test(scx_146_four_threads),
		cmocka_unit_test(scx_146_eight_threads),
		cmocka_unit_test(scx_1991_1992_capacities_of_three_kinds),
		cmocka_unit_test(scx_1893_performance_cores_are_stronger),
		cmocka_unit_test(scx_3259_small_cores_beside_the_l3),
		cmocka_unit_test(scx_3168_kinds_are_told_apart),
		cmocka_unit_test(likwid_447_uneven_counts),
		cmocka_unit_test(hwloc_450_cpu0_is_offline),
		cmocka_unit_test(hwloc_522_offline_cpus_are_shown),
		cmocka_unit_test(hwloc_226_offline_cpus_of_a_phone),
		cmocka_unit_test(hwloc_430_scylladb_6541_nodes_without_memory),
		cmocka_unit_test(seastar_2925_scylladb_26344_corrupt_distances),
		cmocka_unit_test(agave_13250_everything_is_optional),
		cmocka_unit_test(scxsim_all_of_these_can_be_simulated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
