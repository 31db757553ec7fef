// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "cmd/cmd.h"
#include "lab/policy_str.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct args {
	unsigned int format;
	struct wk_opt_list policy;
};

static const struct wk_opt opts[] = {
	WK_OPT_CHOICE(struct args, format, 'f', "text|csv|json", "text", "how to print"),
	WK_OPT_OPERANDS(struct args, policy, "[POLICY]"),
	WK_OPT_DONE,
};

/* ---- all there are ---- */

static void feature_text(const struct wk_feat_info *info)
{
	char value[16], range[32] = "", text[400];
	int at;

	snprintf(value, sizeof(value), "%s", info->def ? "on" : "off");
	if (info->type == WK_TYPE_NUMBER) {
		snprintf(value, sizeof(value), "%u", info->def);
		snprintf(range, sizeof(range), " (%u to %u)", info->min, info->max);
	}
	at = printf("  %-20s %-4s ", info->name, value);
	snprintf(text, sizeof(text), "%s%s", info->sentence, range);
	wk_print_wrapped(stdout, text, at, at);
}

static void policy_text(const struct wk_policy_info *info)
{
	int at = printf("  %-24s ", info->name);

	wk_print_wrapped(stdout, info->sentence, at, at);
	printf("%*s  = %s\n", at, "", info->parts);
}

static void list_text(void)
{
	puts("Policies; join them with '+' to each other and to features (sis_node+limit=2):\n");
	for (u32 i = 0; i < wk_nr_policies; i++)
		policy_text(&wk_policy_info[i]);
	puts("\nFeatures, with their values in tip; NAME, no_NAME or NAME=N:");
	for (u32 kind = 0; kind < WK_KIND_NR; kind++) {
		printf("\n%s\n", wk_feat_kind_name[kind]);
		for (u32 f = 0; f < WK_FEAT_NR; f++)
			if (wk_feat_info[f].kind == kind)
				feature_text(&wk_feat_info[f]);
	}
}

static void list_csv(void)
{
	puts("what,name,parts,thread,kind,default,min,max,sentence");
	for (u32 i = 0; i < wk_nr_policies; i++)
		printf("policy,%s,%s,%s,,,,,\"%s\"\n", wk_policy_info[i].name,
		       wk_policy_info[i].parts, wk_policy_info[i].thread,
		       wk_policy_info[i].sentence);
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		printf("feature,%s,,,%s,%u,%u,%u,\"%s\"\n", wk_feat_info[f].name,
		       wk_feat_kind_name[wk_feat_info[f].kind], wk_feat_info[f].def,
		       wk_feat_info[f].min, wk_feat_info[f].max, wk_feat_info[f].sentence);
}

static json_t *list_json(void)
{
	json_t *policies = json_array(), *features = json_array();

	for (u32 i = 0; i < wk_nr_policies; i++)
		json_array_append_new(policies, json_pack("{s:s, s:s, s:s, s:s}", "name",
							  wk_policy_info[i].name, "parts",
							  wk_policy_info[i].parts, "thread",
							  wk_policy_info[i].thread, "sentence",
							  wk_policy_info[i].sentence));
	for (u32 f = 0; f < WK_FEAT_NR; f++) {
		const struct wk_feat_info *info = &wk_feat_info[f];

		json_array_append_new(features,
				      json_pack("{s:s, s:s, s:i, s:i, s:i, s:s}", "name",
						info->name, "kind", wk_feat_kind_name[info->kind],
						"default", (int)info->def, "min", (int)info->min,
						"max", (int)info->max, "sentence", info->sentence));
	}
	return json_pack("{s:o, s:o}", "policies", policies, "features", features);
}

/* ---- one of them ---- */

static const char *sentence_of(const char *name)
{
	for (u32 i = 0; i < wk_nr_policies; i++)
		if (!strcmp(wk_policy_info[i].name, name))
			return wk_policy_info[i].sentence;
	return "";
}

static void show_text(const char *name, const struct wk_policy *pol, const char *canonical)
{
	printf("%s = %s\n", name, canonical);
	if (*sentence_of(name))
		printf("%s\n", sentence_of(name));
	puts("\n  value  feature, * where it differs from tip");
	for (u32 f = 0; f < WK_FEAT_NR; f++) {
		int at = printf("  %5u%s %-20s ", wk_num(pol, f),
				wk_num(pol, f) == wk_feat_info[f].def ? " " : "*",
				wk_feat_info[f].name);

		wk_print_wrapped(stdout, wk_feat_info[f].sentence, at, at);
	}
}

static void show_csv(const struct wk_policy *pol)
{
	puts("feature,kind,value,tip,sentence");
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		printf("%s,%s,%u,%u,\"%s\"\n", wk_feat_info[f].name,
		       wk_feat_kind_name[wk_feat_info[f].kind], wk_num(pol, f), wk_feat_info[f].def,
		       wk_feat_info[f].sentence);
}

static json_t *show_json(const char *name, const struct wk_policy *pol, const char *canonical)
{
	json_t *features = json_object();

	for (u32 f = 0; f < WK_FEAT_NR; f++)
		json_object_set_new(features, wk_feat_info[f].name, json_integer(wk_num(pol, f)));
	return json_pack("{s:s, s:s, s:s, s:s, s:o}", "policy", name, "canonical", canonical,
			 "rules", wk_policy_rules(pol), "sentence", sentence_of(name), "features",
			 features);
}

static void print_json(json_t *json)
{
	json_dumpf(json, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(json);
}

static enum wk_exit show(const char *name, enum format format)
{
	char canonical[WK_POLICY_TEXT_MAX];
	struct wk_policy pol;
	struct wk_err err;

	if (wk_policy_parse(name, &pol, &err))
		return wk_usage_error("%s", err.text);
	wk_policy_print(&pol, canonical);
	if (format == FORMAT_TEXT)
		show_text(name, &pol, canonical);
	else if (format == FORMAT_CSV)
		show_csv(&pol);
	else
		print_json(show_json(name, &pol, canonical));
	return WK_EXIT_DONE;
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;

	if (args->policy.nr > 1)
		return wk_usage_error("policies: found %zu policies, expected at most one",
				      args->policy.nr);
	if (args->policy.nr == 1)
		return show(args->policy.values[0], args->format);
	if (args->format == FORMAT_TEXT)
		list_text();
	else if (args->format == FORMAT_CSV)
		list_csv();
	else
		print_json(list_json());
	return WK_EXIT_DONE;
}

const struct wk_cmd wk_cmd_policies = {
	.name = "policies",
	.summary = "list the policies and the features they are made of",
	.text = "Without POLICY, lists every named policy and every feature with what it does.\n\n"
		"With POLICY, which may be a composition such as tip+sis_node+limit=2, prints the "
		"value of every feature and the shortest text that means the same.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
