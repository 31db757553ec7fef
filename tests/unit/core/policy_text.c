// SPDX-License-Identifier: GPL-2.0-only
/* Policies as text: what is read, what is refused and how, and that printing is the inverse. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab/policy_str.h"
#include "tests/support/test.h"
#include "tests/unit/core/random.h"

static struct wk_policy parse(const char *text)
{
	struct wk_policy pol;
	struct wk_err err = {""};

	if (wk_policy_parse(text, &pol, &err))
		fail_msg("%s", err.text);
	return pol;
}

static void same(const char *a, const char *b)
{
	struct wk_policy x = parse(a), y = parse(b);

	for (u32 f = 0; f < WK_FEAT_NR; f++)
		if (wk_num(&x, f) != wk_num(&y, f))
			fail_msg("'%s' and '%s' differ in %s", a, b, wk_feat_info[f].name);
	assert_int_equal(x.flags, y.flags);
}

/* @text is refused, and the line says @what. */
static void refused(const char *text, const char *what)
{
	struct wk_policy pol = {.flags = 77};
	struct wk_err err = {""};

	if (!wk_policy_parse(text, &pol, &err))
		fail_msg("'%s' was read", text);
	if (!strstr(err.text, what))
		fail_msg("'%s': '%s' does not say '%s'", text, err.text, what);
	assert_null(strchr(err.text, '\n'));
	assert_int_equal(pol.flags, 77);
}

static void every_named_policy_is_read(void **state)
{
	(void)state;
	for (u32 i = 0; i < wk_nr_policies; i++)
		parse(wk_policy_info[i].name);
}

static void every_variant_of_the_published_results_is_read(void **state)
{
	static const char *const variants[] = {
		"tip",
		"baseline",
		"cluster_scan_v9",
		"queued_wakeup_l2",
		"tg_load_avg",
		"queued_wakeup_l2+tg_load_avg",
		"sis_node",
		"sis_node_limit4",
		"sis_node_topoext",
		"sd_idle_sibling",
		"llc_split4",
		"llc_split4+sd_idle_sibling",
		"llc_split4+sd_idle_sibling+wakelist_node",
	};

	(void)state;
	for (u32 i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		parse(variants[i]);
}

static void tip_is_what_a_policy_starts_from(void **state)
{
	struct wk_policy pol;

	(void)state;
	wk_policy_init(&pol);
	same("tip", "baseline");
	same("sis_node", "tip+sis_node");
	assert_int_equal(wk_num(&pol, WK_FEAT_RULES), 6);
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		assert_int_equal(parse("tip").num[f], pol.num[f]);
}

static void a_rule_set_brings_its_rules_and_its_fair_class(void **state)
{
	struct wk_policy tip7 = parse("tip-7"), tip5 = parse("tip-5");

	(void)state;
	assert_int_equal(wk_num(&tip7, WK_FEAT_RULES), 7);
	assert_true(wk_has(&tip7, WK_FEAT_EEVDF));
	assert_true(wk_has(&tip7, WK_FEAT_CLUSTER_SCAN));
	assert_false(wk_has(&tip7, WK_FEAT_BUDGET_EQ));
	assert_false(wk_has(&tip7, WK_FEAT_RECHECK));
	assert_int_equal(wk_num(&tip5, WK_FEAT_RULES), 5);
	assert_true(wk_has(&tip5, WK_FEAT_SIS_PROP));
	assert_false(wk_has(&tip5, WK_FEAT_SIS_UTIL));
	assert_false(wk_has(&tip5, WK_FEAT_CLUSTER_LEVEL));
	assert_string_equal(wk_policy_rules(&tip7), "tip-7");
	same("tip-7+no_eevdf", "no_eevdf+tip-7");
}

static void the_order_of_parts_does_not_matter(void **state)
{
	(void)state;
	same("sis_node+limit=2+pair", "pair+limit=2+tip+sis_node");
	same("sis_core+siblings_first", "sis_core_siblings_first");
	same("queued_wakeup_l2", "queued_wakeup_l2=3");
	same("sis_node=1+ptr=1", "sis_node_ptr");
}

static void sis_core_brings_5_2_where_no_rule_set_is_named(void **state)
{
	struct wk_policy alone = parse("sis_core"), on_tip = parse("tip+sis_core");

	(void)state;
	assert_int_equal(wk_num(&alone, WK_FEAT_RULES), 5);
	assert_int_equal(wk_num(&on_tip, WK_FEAT_RULES), 6);
	assert_true(wk_has(&on_tip, WK_FEAT_WINDOW));
	assert_true(wk_has(&on_tip, WK_FEAT_SIS_UTIL));
}

static void an_unknown_name_is_refused_with_the_nearest_one(void **state)
{
	(void)state;
	refused("sis_nod", "did you mean 'sis_node'?");
	refused("tip+lmit=4", "unknown feature or policy 'lmit=4' (did you mean 'limit'?)");
	refused("tip+no_sis_utl", "did you mean 'no_sis_util'?");
	refused("tip+zzzzzz", "unknown feature or policy 'zzzzzz'");
	refused("TIP", "unknown");
}

static void a_value_out_of_range_is_refused_with_the_range(void **state)
{
	(void)state;
	refused("sis_node+limit=513", "expected 0 to 512");
	refused("sis_node+limit=-1", "expected 0 to 512");
	refused("sis_node+limit=", "expected 0 to 512");
	refused("sis_node+limit=99999999999999999999", "expected 0 to 512");
	refused("sis_node=2", "expected 0 to 1");
	refused("rules=8", "expected 5 to 7");
	refused("queued_wakeup_l2=2", "1 (the RFC) or 3 (series v3)");
	refused("sis_node+near=1", "0 or 2 to 64");
	refused("sis_node+limit", "expected 'limit=N' with N from 0 to 512");
	refused("no_limit", "expected 'limit=N'");
}

static void a_part_twice_and_two_that_disagree_are_refused(void **state)
{
	(void)state;
	refused("tip+tip", "'tip' twice");
	refused("sis_node+pair+sis_node", "'sis_node' twice");
	refused("tip+tip-7", "two rule sets");
	refused("tip+baseline", "two rule sets");
	refused("sis_node_limit4+limit=2", "'limit' is 4 by 'sis_node_limit4' and 2 by 'limit=2'");
	refused("sis_node+no_sis_node", "'sis_node' is 1");
}

static void a_part_without_effect_is_refused(void **state)
{
	(void)state;
	refused("ptr", "'ptr' has no effect without 'sis_node'");
	refused("limit=4", "'limit' has no effect without 'sis_node'");
	refused("pair", "'pair' has no effect without 'sis_node'");
	refused("no_nullcheck", "'no_nullcheck' has no effect without 'sis_node'");
	refused("sis_node_ptr+skiplocal", "beside");
	refused("idle_sibling", "'idle_sibling' has no effect without 'need_flag'");
	refused("tip-5+cluster_scan", "without 'cluster_level'");
	refused("tip-5+cluster_level+cluster_scan", "no effect by the rules of tip-5");
	refused("queued_wakeup_l2+wakelist_node", "beside");
	refused("no_wake_affine+no_wa_idle", "without 'wake_affine'");
}

static void empty_and_endless_texts_are_refused(void **state)
{
	char text[4000];
	struct wk_policy pol;
	struct wk_err err;

	(void)state;
	refused("", "empty part");
	refused("+", "empty part");
	refused("tip+", "empty part");
	refused("tip++pair", "empty part");
	memset(text, 'x', sizeof(text));
	text[WK_POLICY_TEXT_MAX] = 0;
	refused(text, "unknown");
	text[WK_POLICY_TEXT_MAX] = 'x';
	text[sizeof(text) - 1] = 0;
	assert_int_equal(wk_policy_parse(text, &pol, &err), -E2BIG);
	refused(text, "at most 1024 characters");
	refused("ti\np", "unknown");
}

static void printing_a_policy_and_reading_that_gives_the_policy(void **state)
{
	char text[WK_POLICY_TEXT_MAX], again[WK_POLICY_TEXT_MAX], mix[WK_POLICY_TEXT_MAX];
	struct wkt_rng g = {3};
	u32 nr_read = 0;

	(void)state;
	for (u32 i = 0; i < 20000; i++) {
		struct wk_policy pol;
		struct wk_err err;
		u32 at = 0;

		for (u32 parts = 1 + wkt_below(&g, 4); parts; parts--) {
			u32 f = wkt_below(&g, WK_FEAT_NR);
			const struct wk_feat_info *info = &wk_feat_info[f];

			if (wkt_one_in(&g, 2))
				at += (u32)snprintf(
					mix + at, sizeof(mix) - at, "+%s",
					wk_policy_info[wkt_below(&g, wk_nr_policies)].name);
			else
				at += (u32)snprintf(
					mix + at, sizeof(mix) - at, "+%s=%u", info->name,
					info->min + wkt_below(&g, info->max - info->min + 1));
		}
		if (wk_policy_parse(mix + 1, &pol, &err))
			continue;
		nr_read++;
		wk_policy_print(&pol, text);
		same(mix + 1, text);
		pol = parse(text);
		wk_policy_print(&pol, again);
		assert_string_equal(text, again);
	}
	assert_true(nr_read > 2000);
}

static void the_printed_text_is_short(void **state)
{
	static const char *const pairs[][2] = {
		{"baseline", "tip"},
		{"sis_node_limit4", "tip+sis_node+limit=4"},
		{"tip-7+no_cluster_scan", "tip-7+no_cluster_scan"},
		{"sis_core", "tip-5+core_bounds+window"},
	};
	char text[WK_POLICY_TEXT_MAX];

	(void)state;
	for (u32 i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct wk_policy pol = parse(pairs[i][0]);

		wk_policy_print(&pol, text);
		assert_string_equal(text, pairs[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_named_policy_is_read),
		cmocka_unit_test(every_variant_of_the_published_results_is_read),
		cmocka_unit_test(tip_is_what_a_policy_starts_from),
		cmocka_unit_test(a_rule_set_brings_its_rules_and_its_fair_class),
		cmocka_unit_test(the_order_of_parts_does_not_matter),
		cmocka_unit_test(sis_core_brings_5_2_where_no_rule_set_is_named),
		cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest_one),
		cmocka_unit_test(a_value_out_of_range_is_refused_with_the_range),
		cmocka_unit_test(a_part_twice_and_two_that_disagree_are_refused),
		cmocka_unit_test(a_part_without_effect_is_refused),
		cmocka_unit_test(empty_and_endless_texts_are_refused),
		cmocka_unit_test(printing_a_policy_and_reading_that_gives_the_policy),
		cmocka_unit_test(the_printed_text_is_short),
	};

	return cmocka_run_group_tests_name("policies as text", tests, NULL, NULL);
}
