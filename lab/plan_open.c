// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan.h"
#include "lab/policy_str.h"
#include "lab/text.h"
#include "machine/build.h"
#include "workload/bench.h"

/* A grid larger than this is a sweep. */
#define MAX_POLICIES 64
#define MAX_LOADS    4096

static int complain(struct wk_err *ret, int err, const char *what, const char *text)
{
	snprintf(ret->text, sizeof(ret->text), "%s '%.150s'", what, text);
	return err;
}

/* One more zeroed element behind the array at *@array. */
static void *grow(void *array, u32 nr, size_t size)
{
	char *grown = reallocarray(array, nr + 1, size);

	if (grown)
		memset(grown + nr * size, 0, size);
	return grown;
}

static int open_costs(struct wk_plan *p, const char *file, struct wk_err *ret_err)
{
	char *text;
	int err;

	if (!file)
		return wk_cost_open(p->machine->family, &p->cost, ret_err);
	err = wk_text_read(file, &text, ret_err);
	if (err)
		return err;
	err = wk_cost_parse(text, file, &p->cost, ret_err);
	free(text);
	return err;
}

int wk_plan_set_machine(struct wk_plan *p, const char *source, const char *costs,
			struct wk_err *ret_err)
{
	p->machine = wk_machine_open(source, ret_err);
	if (!p->machine)
		return -EINVAL;
	/* Nothing is started on isolated CPUs, and nothing is moved there. */
	for (u32 i = 0; i < p->machine->nr_cpus; i++)
		p->machine->cpu[i].online &= !p->machine->cpu[i].isolated;
	return open_costs(p, costs, ret_err);
}

static int add_policy(struct wk_plan *p, const char *name, const char *fair, struct wk_err *ret_err)
{
	struct wk_plan_policy *policy;
	int err;

	if (!*name)
		return complain(ret_err, -EINVAL,
				"--policy: expected names with commas between them, found", name);
	for (u32 i = 0; i < p->nr_policies; i++)
		if (!strcmp(p->policy[i].name, name))
			return complain(ret_err, -EINVAL,
					"--policy: expected each policy once, found twice", name);
	if (p->nr_policies == MAX_POLICIES)
		return complain(ret_err, -E2BIG, "--policy: expected 1 to 64 policies, found also",
				name);
	policy = grow(p->policy, p->nr_policies, sizeof(*policy));
	if (!policy)
		return -ENOMEM;
	p->policy = policy;
	policy += p->nr_policies++;
	policy->name = strdup(name);
	if (!policy->name)
		return -ENOMEM;
	err = wk_policy_parse(name, &policy->policy, ret_err);
	if (err)
		return err;
	if (fair)
		wk_policy_set(&policy->policy, WK_FEAT_EEVDF, !strcmp(fair, "eevdf"));
	return wk_topo_build(p->machine, &policy->policy, &policy->topo, ret_err);
}

int wk_plan_add_policies(struct wk_plan *p, const char *policies, const char *fair,
			 struct wk_err *ret_err)
{
	char *list = strdup(policies), *rest = list, *name;
	int err = list ? 0 : -ENOMEM;

	while (!err && (name = strsep(&rest, ",")))
		err = add_policy(p, name, fair, ret_err);
	free(list);
	return err;
}

/* Everything of the spec that is not its load. */
static int set_options(struct wk_plan_load *load, struct wk_err *ret_err)
{
	const char *at = load->spec + strcspn(load->spec, ":");
	struct wk_bench_args args;
	char *to = load->options = calloc(1, strlen(load->spec) + 1);
	const char *key;
	int err = to ? wk_bench_parse(load->spec, 1, &args, ret_err) : -ENOMEM;

	if (err)
		return err;
	key = args.load_opt < WK_BENCH_OPT_NR ? wk_bench_opt_at(args.load_opt)->key : "";
	while (*at) {
		const char *word = at + 1;
		size_t len = strcspn(word, ","), len_key = strcspn(word, "=,");

		at = word + len;
		if ((len_key == strlen(key) && !strncmp(word, key, len_key)) ||
		    (len_key == 4 && !strncmp(word, "load", 4)))
			continue;
		to += sprintf(to, "%s%.*s", to == load->options ? "" : ",", (int)len, word);
	}
	return 0;
}

static int add_load(struct wk_plan *p, const char *spec, struct wk_err *ret_err)
{
	struct wk_plan_load *load;

	for (u32 i = 0; i < p->nr_loads; i++)
		if (!strcmp(p->load[i].spec, spec))
			return complain(ret_err, -EINVAL,
					"--bench: expected each load once, found twice", spec);
	if (p->nr_loads == MAX_LOADS)
		return complain(ret_err, -E2BIG, "--bench: expected 1 to 4096 loads, found also",
				spec);
	load = grow(p->load, p->nr_loads, sizeof(*load));
	if (!load)
		return -ENOMEM;
	p->load = load;
	load += p->nr_loads++;
	load->spec = strdup(spec);
	if (!load->spec)
		return -ENOMEM;
	load->workload = wk_workload_open(spec, wk_plan_nr_cpus(p), ret_err);
	return load->workload ? set_options(load, ret_err) : -EINVAL;
}

int wk_plan_add_bench(struct wk_plan *p, const char *spec, struct wk_err *ret_err)
{
	struct wk_bench_list list;
	int err = wk_bench_split(spec, &list, ret_err);

	for (u32 i = 0; !err && i < list.nr; i++)
		err = add_load(p, list.spec[i], ret_err);
	wk_bench_list_free(&list);
	return err;
}

void wk_plan_destroy(struct wk_plan *p)
{
	for (u32 i = 0; i < p->nr_policies; i++) {
		free(p->policy[i].name);
		if (p->policy[i].topo)
			wk_topo_destroy(p->policy[i].topo);
	}
	for (u32 i = 0; i < p->nr_loads; i++) {
		free(p->load[i].spec);
		free(p->load[i].options);
		if (p->load[i].workload)
			wk_workload_destroy(p->load[i].workload);
	}
	if (p->machine)
		wk_machine_destroy(p->machine);
	free(p->policy);
	free(p->load);
	free(p->replica);
	*p = (struct wk_plan){0};
}
