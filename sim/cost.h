/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What things cost on a family of machines: data with a source for every value.
 *
 * A cost file (data/costs/FAMILY.cost) has lines "key value   # kind: source",
 * kind being published, measured, derived or assumed; "include NAME" first
 * takes another file's values. A missing key is an error, so nothing is
 * silently zero.
 */
#ifndef WK_SIM_COST_H
#define WK_SIM_COST_H

#include "core/err.h"
#include "core/topo.h"

struct wk_cost {
#define WK_COST(name, sentence) u32 name;
#include "sim/cost.def"
	u32 tier_ns[WK_TIER_NR]; /* keys tier_self_ns, tier_smt_ns, ... */
};

/*
 * The built-in table of a family ("zen3"); "generic" stands in for an unknown one. -ENOENT
 * or -EINVAL with one line.
 */
int wk_cost_open(const char *family, struct wk_cost *ret, struct wk_err *ret_err);
/* The same format from memory; @where names it in errors. */
int wk_cost_parse(const char *text, const char *where, struct wk_cost *ret, struct wk_err *ret_err);

#endif
