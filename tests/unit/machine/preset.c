// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>

#include "tests/unit/machine/topo_test.h"

/* Calls @fn for each preset in each of its configurations. */
static void each_source(void (*fn)(const char *src))
{
	u32 nr;
	const struct wk_preset *p = wk_presets(&nr);

	for (u32 i = 0; i < nr; i++)
		for (u32 k = 0; k < wk_preset_nr_configs(&p[i]); k++) {
			char src[100];

			snprintf(src, sizeof(src), "%s%s%s", p[i].name,
				 p[i].config[k].name[0] ? ":" : "", p[i].config[k].name);
			fn(src);
		}
}

static void builds_for_every_policy(const char *src)
{
	const struct wk_policy policies[] = {
		tip(),
		tip_with(WK_FEAT_NEAR, 2),
		tip_with(WK_FEAT_NEAR, 3),
		tip_with(WK_FEAT_NEAR_SHIFT, 5),
		tip_with(WK_FEAT_LLC_SPLIT, 4),
		tip_with(WK_FEAT_LLC_SPLIT, 3),
		tip_with(WK_FEAT_IDLE_SIBLING, 1),
		tip_with(WK_FEAT_CLUSTER_LEVEL, 0),
	};

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		wk_topo_destroy(build_preset(src, policies[i])); /* checked inside */
}

static void test_invariants(void **state)
{
	(void)state;
	each_source(builds_for_every_policy);
}

static void as_recorded(const char *src)
{
	char path[200], *text = NULL;
	struct wk_policy pol = tip();
	struct wk_machine *m = must_open(src);
	struct wk_topo *t = must_build(m, pol);
	const struct wk_show s = {t, m, &pol};
	size_t size;
	FILE *to = open_memstream(&text, &size);

	wk_show_text(to, &s);
	wk_show_domains(to, &s);
	fclose(to);
	snprintf(path, sizeof(path), "tests/golden/topo/%s%s%s.txt", m->name,
		 m->config[0] ? "-" : "", m->config);
	wk_golden(path, text);
	free(text);
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

static void test_golden(void **state)
{
	(void)state;
	each_source(as_recorded);
}

/* What a configuration must not change: where caches are. */
static void test_silicon_is_the_same_in_every_nps(void **state)
{
	struct wk_topo *one = build_preset("epyc-zen3-2s-128c:nps1", tip());
	struct wk_topo *four = build_preset("epyc-zen3-2s-128c:nps4", tip());

	(void)state;
	assert_memory_equal(one->cpu_of, four->cpu_of, sizeof(one->cpu_of));
	for (u32 a = 0; a < one->nr_cids; a++)
		for (u32 b = 0; b < one->nr_cids; b++)
			assert_int_equal(wk_topo_tier(one, a, b), wk_topo_tier(four, a, b));
	wk_topo_destroy(one);
	wk_topo_destroy(four);
}

static u32 tier_of_cpus(const struct wk_topo *t, u32 a, u32 b)
{
	return wk_topo_tier(t, (u32)t->cid_of[a], (u32)t->cid_of[b]);
}

static void test_tiers_of_zen3(void **state)
{
	struct wk_topo *t = build_preset("epyc-zen3-2s-128c", tip());

	(void)state;
	assert_int_equal(tier_of_cpus(t, 0, 0), WK_TIER_SELF);
	assert_int_equal(tier_of_cpus(t, 0, 128), WK_TIER_SMT);
	assert_int_equal(tier_of_cpus(t, 0, 7), WK_TIER_LLC);
	assert_int_equal(tier_of_cpus(t, 0, 8), WK_TIER_NEAR);
	assert_int_equal(tier_of_cpus(t, 0, 16), WK_TIER_HALF);
	assert_int_equal(tier_of_cpus(t, 0, 32), WK_TIER_PACKAGE);
	assert_int_equal(tier_of_cpus(t, 0, 64), WK_TIER_MACHINE);
	wk_topo_destroy(t);
}

static void test_bound_tasks(void **state)
{
	struct wk_machine *one = must_open("kunpeng920:node0"),
			  *two = must_open("kunpeng920:node0-1");
	struct wk_machine *all = must_open("kunpeng920");

	(void)state;
	assert_int_equal(one->affinity_first_node, 0);
	assert_int_equal(one->affinity_last_node, 0);
	assert_int_equal(two->affinity_last_node, 1);
	assert_int_equal(all->affinity_first_node, WK_NONE);
	assert_int_equal(one->nr_cpus, 128);
	wk_machine_destroy(one);
	wk_machine_destroy(two);
	wk_machine_destroy(all);
}

static void assert_refused(const char *src, const char *expected)
{
	struct wk_err err = {""};

	assert_null(wk_machine_open(src, &err));
	if (!strstr(err.text, expected))
		fail_msg("'%s': found '%s', expected '%s'", src, err.text, expected);
	assert_null(strchr(err.text, '\n'));
}

static void test_unknown_names(void **state)
{
	(void)state;
	assert_refused("epyc-zen3-2s-128", "did you mean 'epyc-zen3-2s-128c'?");
	assert_refused("kunpeng", "did you mean 'kunpeng920'?");
	assert_refused("nothing-like-it", "expected a preset");
	assert_refused("", "expected a preset");
	assert_refused("epyc-zen3-2s-128c:nps3", "expected one of nps1, nps2, nps4");
	assert_refused("epyc-zen3-2s-128c:", "expected one of nps1, nps2, nps4");
	assert_refused("power9-2s-44c:nps1", "expected no configuration");
	assert_refused("no/such/file", "No such file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_invariants),
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_silicon_is_the_same_in_every_nps),
		cmocka_unit_test(test_tiers_of_zen3),
		cmocka_unit_test(test_bound_tasks),
		cmocka_unit_test(test_unknown_names),
	};

	return cmocka_run_group_tests_name("machine/preset", tests, NULL, NULL);
}
