/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost files inside the program: data/costs/ as text, made by scripts/embed-costs at
 * build time, so that a result depends on the build and not on where it runs.
 */
#ifndef WK_SIM_COST_DATA_H
#define WK_SIM_COST_DATA_H

#include "sim/cost.h"

struct wk_cost_file {
	const char *name;  /* the family: "zen3" */
	const char *where; /* for errors: "data/costs/zen3.cost" */
	const char *text;
};

extern const struct wk_cost_file wk_cost_files[]; /* wk_nr_cost_files, by name */
extern const u32 wk_nr_cost_files;

/* As wk_cost_parse(), with "include" looking into @files: so that tests can bring their own. */
int wk_cost_parse_with(const struct wk_cost_file *files, u32 nr_files, const char *text,
		       const char *where, struct wk_cost *ret, struct wk_err *ret_err);

#endif
