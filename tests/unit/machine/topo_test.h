/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines and topologies for tests: what fails to open or build fails the test with its line. */
#ifndef WK_TESTS_UNIT_MACHINE_TOPO_TEST_H
#define WK_TESTS_UNIT_MACHINE_TOPO_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/build.h"
#include "machine/preset.h"
#include "machine/show.h"
#include "tests/support/golden.h"

/* tip, with one feature changed. */
static inline struct wk_policy tip_with(enum wk_feat feat, u32 value)
{
	struct wk_policy pol;

	wk_policy_init(&pol);
	wk_policy_set(&pol, feat, value);
	return pol;
}

static inline struct wk_policy tip(void)
{
	return tip_with(WK_FEAT_RULES, 6);
}

static inline struct wk_topo *must_build(const struct wk_machine *m, struct wk_policy pol)
{
	struct wk_topo *t = NULL;
	struct wk_err err = {"?"};

	if (wk_topo_build(m, &pol, &t, &err))
		fail_msg("%s:%s: %s", m->name, m->config, err.text);
	if (wk_topo_check(t, &err))
		fail_msg("%s:%s: %s", m->name, m->config, err.text);
	return t;
}

static inline struct wk_machine *must_open(const char *src)
{
	struct wk_err err = {"?"};
	struct wk_machine *m = wk_preset_open(src, &err);

	if (!m)
		fail_msg("%s", err.text);
	return m;
}

static inline struct wk_topo *build_preset(const char *src, struct wk_policy pol)
{
	struct wk_machine *m = must_open(src);
	struct wk_topo *t = must_build(m, pol);

	wk_machine_destroy(m);
	return t;
}

/* "SMT MC NODE NUMA": the levels of a CPU; the caller's buffer of 100 bytes. */
static inline const char *levels(const struct wk_topo *t, u32 cpu, char *buf)
{
	const struct wk_cid *c = &t->cid[t->cid_of[cpu]];

	buf[0] = 0;
	for (u32 i = 0; i < c->nr_levels; i++) {
		strcat(buf, i ? " " : "");
		strcat(buf, wk_level_name(t->domain[c->chain[i]].level));
	}
	return buf;
}

static inline void assert_levels(const char *src, struct wk_policy pol, u32 cpu,
				 const char *expected)
{
	struct wk_topo *t = build_preset(src, pol);
	char buf[100];

	if (strcmp(levels(t, cpu, buf), expected))
		fail_msg("%s CPU %u: found '%s', expected '%s'", src, cpu, buf, expected);
	wk_topo_destroy(t);
}

/* The lowest domain of @level of a CPU, or NULL. */
static inline const struct wk_domain *domain_at(const struct wk_topo *t, u32 cpu,
						enum wk_level level)
{
	const struct wk_cid *c = &t->cid[t->cid_of[cpu]];

	for (u32 i = 0; i < c->nr_levels; i++)
		if (t->domain[c->chain[i]].level == level)
			return &t->domain[c->chain[i]];
	return NULL;
}

/* CPU list of a span; free() it. */
static inline char *cpus_of(const struct wk_topo *t, struct wk_range hull, s32 mask)
{
	struct wk_mask set = wk_show_set(t, hull, mask);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	wk_show_cpus(to, t, &set);
	fclose(to);
	return text;
}

static inline void assert_cpus(const struct wk_topo *t, const struct wk_domain *d,
			       const char *expected)
{
	char *cpus;

	assert_non_null(d);
	cpus = cpus_of(t, d->span, d->mask);
	assert_string_equal(cpus, expected);
	free(cpus);
}

#endif
