// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "cmd/cmd.h"
#include "lab/policy_str.h"
#include "machine/build.h"
#include "machine/notes.h"
#include "machine/show.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct args {
	const char *machine;
	const char *policy;
	bool domains;
	bool check;
	unsigned int format;
};

static const struct wk_opt opts[] = {
	WK_OPT_STR(
		struct args, machine, 'm', "SRC", "this",
		"'this', a preset (see 'wakepath machines'), a folder or tarball with sys/ and "
		"proc/, hwloc XML, lscpu text, or a synthetic string such as 'pack:2 l3:4 core:8 "
		"pu:2'"),
	WK_OPT_FLAG(struct args, domains, 'd', "show the scheduling domains"),
	WK_OPT_STR(struct args, policy, 'p', "POLICY", "tip", "the policy whose domains are built"),
	WK_OPT_FLAG(struct args, check, 0, "check the tables, print 'ok' or what is wrong"),
	WK_OPT_CHOICE(struct args, format, 'f', "text|csv|json", "text", "how to print"),
	WK_OPT_DONE,
};

static enum wk_exit check(const struct wk_topo *t)
{
	struct wk_err err;

	if (wk_topo_check(t, &err))
		return wk_error("%s", err.text);
	puts("ok");
	return WK_EXIT_DONE;
}

static enum wk_exit show(const struct args *args, const struct wk_show *s)
{
	if (args->check)
		return check(s->t);
	switch ((enum format)args->format) {
	case FORMAT_CSV:
		if (args->domains)
			wk_show_domains_csv(stdout, s);
		else
			wk_show_csv(stdout, s);
		break;
	case FORMAT_JSON:
		if (wk_show_json(stdout, s))
			return wk_error("out of memory");
		break;
	case FORMAT_TEXT:
		wk_show_text(stdout, s);
		if (args->domains)
			wk_show_domains(stdout, s);
		break;
	}
	return WK_EXIT_DONE;
}

static enum wk_exit run(const void *va)
{
	const struct args *args = va;
	struct wk_policy pol;
	struct wk_err err;
	struct wk_machine *m;
	struct wk_topo *t;
	enum wk_exit ret;

	if (wk_policy_parse(args->policy, &pol, &err))
		return wk_usage_error("%s", err.text);
	m = wk_machine_open(args->machine, &err);
	if (!m)
		return wk_usage_error("%s", err.text);
	if (wk_topo_build(m, &pol, &t, &err)) {
		ret = wk_usage_error("%s", err.text);
	} else {
		wk_topo_notes(m, &pol, t);
		ret = show(args, &(struct wk_show){t, m, &pol});
		wk_topo_destroy(t);
	}
	wk_machine_destroy(m);
	return ret;
}

const struct wk_cmd wk_cmd_topo = {
	.name = "topo",
	.summary = "show a machine: its caches, nodes and scheduling domains",
	.text = "Reads a machine from any source and shows its shape, what had to be assumed about "
		"it, and the CPUs of each last-level cache. With --domains, also the scheduling "
		"domains as the kernel would build them: names, spans, groups, flags, and the "
		"levels that it would remove because they say nothing new.\n\n"
		"A policy can change the domains: 'near=2' groups neighbouring caches, "
		"'llc_split=4' cuts each package's caches in four, 'sd_idle_sibling' sets a flag.",
	.opts = opts,
	.args_size = sizeof(struct args),
	.run = run,
};
