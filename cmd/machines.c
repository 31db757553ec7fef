// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include <jansson.h>

#include "cmd/cmd.h"
#include "machine/build.h"
#include "machine/preset.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct args {
	unsigned int format;
};

static const struct wk_opt opts[] = {
	WK_OPT_CHOICE(struct args, format, 'f', "text|csv|json", "text", "how to print"),
	WK_OPT_DONE,
};

/* One configuration of a preset, counted. */
struct row {
	const struct wk_preset *preset;
	const char *config;
	bool is_default;
	u32 cpus, llcs, nodes, packages;
};

static int count(struct row *row, struct wk_err *err)
{
	char src[2 * WK_NAME_LEN];
	struct wk_policy tip;
	struct wk_machine *m;
	struct wk_topo *t;
	int ret;

	snprintf(src, sizeof(src), "%s%s%s", row->preset->name, row->config[0] ? ":" : "",
		 row->config);
	m = wk_preset_open(src, err);
	if (!m)
		return -1;
	wk_policy_init(&tip);
	ret = wk_topo_build(m, &tip, &t, err);
	if (!ret) {
		row->cpus = t->nr_cids;
		row->llcs = t->nr_llcs;
		row->nodes = t->nr_nodes;
		row->packages = t->nr_packages;
		wk_topo_destroy(t);
	}
	wk_machine_destroy(m);
	return ret;
}

static void show_text(const struct row *row)
{
	const struct wk_preset *p = row->preset;

	if (row->is_default)
		printf("\n%s\n  %s.\n  Assumed: %s.\n  Source: %s.\n", p->name, p->published,
		       p->assumed, p->source);
	printf("    %-12s %4u CPUs, %u LLC domain%s, %u package%s, %u node%s%s\n",
	       row->config[0] ? row->config : "-", row->cpus, row->llcs, &"s"[row->llcs == 1],
	       row -> packages, &"s"[row->packages == 1], row -> nodes, &"s"[row->nodes == 1],
	       row -> is_default && row -> config[0] ? " (default)" : "");
}

static void show_csv(const struct row *row)
{
	const struct wk_preset *p = row->preset;

	printf("%s,%s,%d,%u,%u,%u,%u,%s,\"%s\",\"%s\",\"%s\"\n", p->name, row->config,
	       row->is_default, row->cpus, row->llcs, row->packages, row->nodes, p->family,
	       p->published, p->assumed, p->source);
}

static json_t *as_json(const struct row *row)
{
	const struct wk_preset *p = row->preset;

	return json_pack("{s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:s, s:s, s:s, s:s}", "machine",
			 p->name, "config", row->config, "default", (int)row->is_default, "cpus",
			 (int)row->cpus, "llcs", (int)row->llcs, "packages", (int)row->packages,
			 "nodes", (int)row->nodes, "costs", p->family, "published", p->published,
			 "assumed", p->assumed, "source", p->source);
}

static void show(const struct row *row, enum format format, json_t *list)
{
	if (format == FORMAT_TEXT)
		show_text(row);
	else if (format == FORMAT_CSV)
		show_csv(row);
	else
		json_array_append_new(list, as_json(row));
}

static enum wk_exit run(const void *va)
{
	enum format format = ((const struct args *)va)->format;
	json_t *list = json_array();
	struct wk_err err;
	u32 nr;
	const struct wk_preset *p = wk_presets(&nr);
	enum wk_exit ret = WK_EXIT_DONE;

	if (format == FORMAT_TEXT)
		puts("Use one as NAME or NAME:CONFIG. LLC domains are what the scheduler sees.");
	if (format == FORMAT_CSV)
		puts("machine,config,default,cpus,llcs,packages,nodes,costs,published,assumed,"
		     "source");
	for (u32 i = 0; i < nr && ret == WK_EXIT_DONE; i++)
		for (u32 k = 0; k < wk_preset_nr_configs(&p[i]) && ret == WK_EXIT_DONE; k++) {
			struct row row = {.preset = &p[i],
					  .config = p[i].config[k].name,
					  .is_default = k == 0};

			if (count(&row, &err))
				ret = wk_error("%s", err.text);
			else
				show(&row, format, list);
		}
	if (format == FORMAT_JSON && ret == WK_EXIT_DONE) {
		json_dumpf(list, stdout, JSON_INDENT(1));
		putchar('\n');
	}
	json_decref(list);
	return ret;
}

const struct wk_cmd wk_cmd_machines = {
	.name = "machines",
	.summary = "list the machines that are known by name",
	.text = "Lists each preset with its configurations, what is published about the machine, "
		"what is assumed, and where it comes from.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
