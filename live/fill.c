// SPDX-License-Identifier: GPL-2.0-only
/* The tables that the programs find when they are loaded. */
#include <errno.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "live/priv.h"

#include "bpf/scx_wakepath.skel.h"

u32 wk_live_nr_online(const struct wk_topo *t)
{
	return wk_mask_count_and(&t->online, NULL, (struct wk_range){0, t->nr_cids});
}

u32 wk_live_nr_domains(const struct wk_topo *t, u32 level)
{
	u32 n = 0;

	for (u32 i = 0; i < t->nr_domains; i++)
		n += t->domain[i].level == level;
	return n;
}

/* The kernel's idea of a slice before it has measured: 0.7 ms, more with more CPUs, up to eight. */
u64 wk_live_slice_ns(const struct wk_live *l)
{
	u32 nr = wk_live_nr_online(l->topo);
	u64 factor = 1;

	if (l->options.slice_ns)
		return l->options.slice_ns;
	for (u32 n = nr < 8 ? nr : 8; n > 1; n /= 2)
		factor++;
	return 700000 * factor;
}

static void fill_config(const struct wk_live *l)
{
	struct wk_live_config *config = (struct wk_live_config *)&l->skel->rodata->wk_config;
	struct wk_policy *pol = (struct wk_policy *)&l->skel->rodata->wk_policy;

	*pol = l->options.policy;
	config->slice_ns = wk_live_slice_ns(l);
	config->nr_cpus = l->topo->nr_cids;
	config->sample = l->options.sample;
	config->far_queued = l->options.far_queued;
	config->nr_online = wk_live_nr_online(l->topo);
}

/* All CPUs busy, since the kernel tells which are idle; all LLCs at rest. */
static void fill_state(const struct wk_live *l)
{
	struct wk_state *s = &l->skel->bss_wk_state->wk_state_live;

	s->active = l->topo->online;
	for (u32 cid = 0; cid < l->topo->nr_cids; cid++) {
		s->cpu[cid].capacity = l->topo->sil[cid].capacity;
		s->cpu[cid].avg_idle_ns = 1000000;
		s->cpu[cid].nr_running = 1;
	}
	for (u32 llc = 0; llc < l->topo->nr_llcs; llc++) {
		s->llc[llc].nr_idle_scan = l->topo->llc[llc].weight;
		s->llc[llc].has_idle_core = 1;
	}
}

void wk_live_fill(struct wk_live *l)
{
	fill_config(l);
	fill_state(l);
	l->skel->bss_wk_topo->wk_topo_live = *l->topo;
}

/* ---- does the policy say anything here? ---- */

/* Has some LLC neighbours below the same parent domain? */
static bool has_llcs_together(const struct wk_topo *t)
{
	for (u32 i = 0; i < t->nr_llcs; i++) {
		s32 parent = t->llc[i].parent;

		if (parent >= 0 && t->domain[parent].weight > t->llc[i].weight &&
		    !(t->domain[parent].flags & WK_SD_NUMA))
			return true;
	}
	return false;
}

int wk_live_fits(const struct wk_live *l, struct wk_err *ret_err)
{
	const struct wk_policy *pol = &l->options.policy;
	const struct wk_topo *t = l->topo;

	if ((wk_has(pol, WK_FEAT_NEAR) || wk_has(pol, WK_FEAT_NEAR_SHIFT)) &&
	    !wk_live_nr_domains(t, WK_LEVEL_NEAR))
		return wk_live_fail(ret_err, -EINVAL,
				    "the policy groups neighbouring last-level caches, and this "
				    "machine has no group of them: found %u LLCs in %u nodes",
				    t->nr_llcs, t->nr_nodes);
	if (wk_has(pol, WK_FEAT_SIS_NODE) && !has_llcs_together(t))
		return wk_live_fail(ret_err, -EINVAL,
				    "the policy searches the other last-level caches of a node, "
				    "and this machine has none: found %u LLCs in %u nodes",
				    t->nr_llcs, t->nr_nodes);
	if (wk_has(pol, WK_FEAT_LLC_SPLIT) && t->nr_llcs <= t->nr_silicon_llcs)
		return wk_live_fail(ret_err, -EINVAL,
				    "the policy cuts last-level caches, and those of this machine "
				    "cannot be: found %u LLC domains of %u caches",
				    t->nr_llcs, t->nr_silicon_llcs);
	return 0;
}
