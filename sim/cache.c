// SPDX-License-Identifier: GPL-2.0-only
/*
 * What data costs: lines that others wrote, footprints that stayed behind, and
 * streams through memory.
 */
#include "sim/internal.h"

#define LINE	     64
#define STREAM_CHUNK (256 * 1024)

u64 wk_lines_ns(struct wk_sim *s, struct wk_cpu *c, u32 from_cid, u32 lines)
{
	u64 ns;

	if (from_cid == c->cid)
		return 0;
	ns = (u64)lines * s->line_ns[wk_tier(s, c->cid, from_cid)] >> 10;
	s->count->line_transfer_ns += ns;
	return ns;
}

void wk_leave_cache(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	p->last_ran = c->cid;
	p->left_traffic = s->llc_traffic[s->topo->sil[c->cid].llc];
}

/* Of @lines left in an LLC, how many the others' traffic has pushed out since. */
static u64 lost_lines(const struct wk_sim *s, const struct wk_thread *p, u64 lines)
{
	u64 traffic = s->llc_traffic[s->topo->sil[p->last_ran].llc] - p->left_traffic;
	u64 size = s->cost->llc_kb * 1024ULL;

	return traffic >= size ? lines : lines * traffic / size;
}

/* On another CPU the warm set comes line by line from where it is nearest. */
u64 wk_refill_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p)
{
	u32 tier = wk_tier(s, c->cid, p->last_ran);
	u64 lines, lost, ns;

	if (tier <= WK_TIER_SMT)
		return 0;
	lines = s->cost->task_lines + p->spec->footprint_bytes / LINE;
	lost = lost_lines(s, p, lines);
	ns = (lines - lost) * s->cost->tier_ns[tier] + lost * s->cost->memory_ns;
	ns = ns * s->cost->refill_overlap_pct / 100;
	s->llc_traffic[s->topo->sil[c->cid].llc] += lines * LINE;
	s->count->refill_ns += ns;
	p->last_ran = c->cid;
	return ns;
}

/* A chunk at the bandwidth left by everybody who streams in the same LLC and node. */
u64 wk_stream_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, u64 bytes)
{
	const struct wk_silicon *sil = &s->topo->sil[c->cid];
	u64 llc = s->llc_streams[sil->llc] + 1, node = s->node_streams[o->home_node] + 1;
	u64 mbps = s->cost->llc_mbps / llc;

	if (s->cost->node_mbps / node < mbps)
		mbps = s->cost->node_mbps / node;
	if (o->home_node != sil->node)
		mbps = mbps * s->cost->memory_ns / s->cost->memory_remote_ns;
	s->llc_traffic[sil->llc] += bytes;
	return bytes * 1000 / (mbps ? mbps : 1);
}
