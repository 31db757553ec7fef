/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the flat description to cids, silicon and scheduling domains.
 *
 * The silicon half depends on the machine only; the domain half follows the
 * kernel's build (sd_init, build_sched_groups, sd_degenerate) over the CPUs
 * that are online, with the policy's topology features applied.
 */
#ifndef WK_MACHINE_BUILD_H
#define WK_MACHINE_BUILD_H

#include "core/policy.h"
#include "machine/machine.h"

/*
 * Cids, silicon and the domains of @pol. 0, or -errno with *ret_err filled. The caller frees with
 * wk_topo_destroy().
 */
int wk_topo_build(const struct wk_machine *m, const struct wk_policy *pol,
		  struct wk_topo **ret_topo, struct wk_err *ret_err);

/* The same machine with other CPUs online (a mask of cids): silicon and cids stay. For hotplug. */
int wk_topo_rebuild(const struct wk_topo *old, const struct wk_machine *m,
		    const struct wk_policy *pol, const struct wk_mask *online,
		    struct wk_topo **ret_topo, struct wk_err *ret_err);

/* Every invariant of core/topo.h; 0, or -EINVAL with the first violation in *ret_err. */
int wk_topo_check(const struct wk_topo *t, struct wk_err *ret_err);

void wk_topo_destroy(struct wk_topo *t);

#endif
