/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random worlds for the comparison of the core with itself: a machine of 2 to 4,096 CPUs
 * with any nesting, what runs on it, and requests. The same seed gives the same.
 */
#ifndef WK_TESTS_DIFF_WORLD_H
#define WK_TESTS_DIFF_WORLD_H

#include "core/policy.h"
#include "tests/diff/core.h"
#include "tests/unit/core/random.h"

/* A machine that @pol could meet; NULL where memory ran out. wk_topo_destroy() frees it. */
struct wk_topo *wk_diff_machine(struct wkt_rng *g, const struct wk_policy *pol);

/* Always the same machine: two sockets of eight LLCs. */
struct wk_topo *wk_diff_preset(const struct wk_policy *pol);

void wk_diff_state(struct wkt_rng *g, const struct wk_topo *t, struct wk_state *ret);

/* One request, and in @w the two tasks of it and the affinity. */
void wk_diff_request(struct wkt_rng *g, const struct wk_topo *t, struct wk_diff_world *w,
		     struct wk_diff_case *ret);

#endif
