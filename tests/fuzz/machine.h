/* SPDX-License-Identifier: GPL-2.0-only */
/* How every target of a machine reader ends: refused in one line, or built and sound. */
#ifndef WK_TESTS_FUZZ_MACHINE_H
#define WK_TESTS_FUZZ_MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/policy.h"
#include "machine/build.h"
#include "machine/read.h"
#include "tests/fuzz/fuzz.h"

static inline void fuzz_one_line(const char *text)
{
	if (*text && !strchr(text, '\n'))
		return;
	fprintf(stderr, "not one line: '%s'\n", text);
	abort();
}

/* wk_topo_check() is quadratic: under sanitizers it takes seconds on large machines. */
#define FUZZ_CHECK_CPUS 300

/* Takes @m over. A builder may refuse what is beyond its tables, but never build it wrongly. */
static inline void fuzz_machine(struct wk_machine *m, struct wk_err *err)
{
	struct wk_policy pol;
	struct wk_topo *t = NULL;

	if (!m) {
		fuzz_one_line(err->text);
		return;
	}
	for (u32 i = 0; i < m->nr_notes; i++)
		fuzz_one_line(m->note[i]);
	wk_policy_init(&pol);
	if (m->nr_cpus <= FUZZ_CHECK_CPUS && wk_topo_build(m, &pol, &t, err) == 0 &&
	    wk_topo_check(t, err) != 0) {
		fprintf(stderr, "built, but: %s\n", err->text);
		abort();
	}
	wk_topo_destroy(t);
	wk_machine_destroy(m);
}

#endif
