/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Step 1: fork and exec look for the idlest CPU down the domain tree.
 *
 * From the highest domain that takes part in this kind of balancing downwards:
 * the idlest group of the domain, the idlest CPU in it, and on below from there.
 * A group is overloaded, fully busy, without a CPU big enough, or has spare
 * capacity; types are compared first, and equals by load, capacity or number of
 * idle CPUs. Rules of 6.x for every rule set.
 *
 * Not modelled: the preferred node of NUMA balancing, asymmetric packing, groups
 * that balancing marked because tasks there were pinned.
 */
#ifndef WK_CORE_SLOW_H
#define WK_CORE_SLOW_H

#include "core/ctx.h"

enum wk_group_type { WK_GROUP_SPARE, WK_GROUP_FULL, WK_GROUP_MISFIT, WK_GROUP_OVERLOADED };

struct wk_group_stats {
	u64 load, util, capacity, avg_load;
	u32 running, runnable, idle, weight, biggest;
	u8 type; /* enum wk_group_type */
	bool fits;
};

/* @cid as a place for the wakee: of the group, online and allowed. */
WK_INLINE bool wk_group_has(const struct wk_ctx *c, const struct wk_group *g, u32 cid)
{
	return wk_span_has(c->topo, g->span, g->mask, cid) && wk_topo_online(c->topo, cid);
}

WK_STEP bool wk_group_allowed(const struct wk_ctx *c, const struct wk_group *g)
{
	if (!c->req->allowed)
		return true;
	if (g->mask >= 0 && g->mask < WK_MAX_XMASKS)
		return wk_mask_first_and(&c->topo->xmask[g->mask], c->req->allowed, g->span) !=
		       WK_NONE;
	return wk_mask_first_and(&c->topo->online, c->req->allowed, g->span) != WK_NONE;
}

WK_INLINE u32 wk_without(u32 sum, u32 part)
{
	return sum > part ? sum - part : 0;
}

/* One CPU into the sums; a task that execs does not count against the CPU it runs on. */
WK_STEP void wk_group_add(struct wk_ctx *c, struct wk_group_stats *g, u32 cid)
{
	const struct wk_cpu_state *cpu;
	const struct wk_task *p = c->req->wakee;
	u32 here, running;

	if (cid >= WK_MAX_CPUS)
		return;
	cpu = &c->state->cpu[cid];
	here = c->req->kind == WK_REQ_EXEC && (s32)cid == c->prev;
	g->load += wk_without(cpu->load, here ? p->load : 0);
	g->runnable += wk_without(cpu->runnable, here ? p->runnable : 0);
	g->util += wk_without(cpu->util, here ? p->util : 0);
	running = cpu->nr_running - (here && cpu->nr_running);
	g->running += running;
	if (!running && (here ? !cpu->pending : wk_available(c, cid)))
		g->idle++;
	if (wk_fits(c, cid))
		g->fits = true;
	wk_read_rq(c, cid);
}

WK_STEP void wk_group_classify(struct wk_group_stats *g, u64 pct)
{
	u64 runnable = g->runnable;
	bool over = g->capacity * 100 < g->util * pct || g->capacity * pct < runnable * 100;
	bool spare = g->running < g->weight ||
		     (g->capacity * pct >= runnable * 100 && g->capacity * 100 > g->util * pct);

	if (g->running > g->weight && over)
		g->type = WK_GROUP_OVERLOADED;
	else if (!g->fits)
		g->type = WK_GROUP_MISFIT;
	else
		g->type = spare ? WK_GROUP_SPARE : WK_GROUP_FULL;
	if (g->type == WK_GROUP_OVERLOADED || g->type == WK_GROUP_FULL)
		g->avg_load = g->load * 1024 / (g->capacity ? g->capacity : 1);
}

WK_STEP void wk_group_read(struct wk_ctx *c, const struct wk_domain *d, const struct wk_group *g,
			   struct wk_group_stats *ret_stats)
{
	u32 cid, end = g->span.first + g->span.len;
	struct wk_group_stats sum = {.weight = g->weight};

	sum.fits = !(d->flags & WK_SD_ASYM_CPUCAPACITY);
	wk_loop_for(cid, g->span.first, end) {
		if (cid >= WK_MAX_CPUS || !wk_group_has(c, g, cid))
			continue;
		sum.capacity += c->state->cpu[cid].capacity;
		if (c->state->cpu[cid].capacity > sum.biggest)
			sum.biggest = c->state->cpu[cid].capacity;
		if (wk_allows(c->req, cid))
			wk_group_add(c, &sum, cid);
	}
	wk_group_classify(&sum, d->imbalance_pct);
	*ret_stats = sum;
}

/* Is group @a idler than @b? Ties go to @b, which stands first in the ring. */
WK_STEP bool wk_group_idler(const struct wk_group_stats *a, const struct wk_group_stats *b)
{
	if (a->type != b->type)
		return a->type < b->type;
	if (a->type == WK_GROUP_MISFIT)
		return a->biggest > b->biggest;
	if (a->type != WK_GROUP_SPARE)
		return a->avg_load < b->avg_load;
	return a->idle != b->idle ? a->idle > b->idle : a->util < b->util;
}

/*
 * How many tasks a node may have more than another before fork spreads them: an
 * eighth of the node where that is one LLC, one for each LLC else, and in higher
 * NUMA levels as many times as much.
 */
WK_STEP u32 wk_imb_numa_nr(const struct wk_ctx *c, u32 cpu, u32 level)
{
	u32 i, imb = 0, span = 1, child = 0, nr = 0;
	bool numa_seen = false, shared = false;

	wk_loop_for(i, 0, level + 1) {
		const struct wk_domain *d;
		u32 row = i < WK_MAX_LEVELS && cpu < WK_MAX_CPUS ? c->topo->cid[cpu].chain[i]
								 : WK_MAX_DOMAINS;

		if (row >= WK_MAX_DOMAINS)
			break;
		d = &c->topo->domain[row];
		if (!(d->flags & WK_SD_SHARE_PKG) && shared && child) {
			/* A node of one LLC has no level of its own here. */
			u32 node = d->flags & WK_SD_NUMA ? child : d->weight;
			u32 llcs = node / child;

			imb = llcs == 1 ? node >> 3 : llcs;
			imb = imb ? imb : 1;
			nr = imb;
			span = d->weight;
			numa_seen = d->flags & WK_SD_NUMA;
		} else {
			/* the first NUMA domain gives the measure */
			if ((d->flags & WK_SD_NUMA) && !numa_seen)
				span = d->weight;
			numa_seen = numa_seen || (d->flags & WK_SD_NUMA);
			nr = imb * (d->weight / span ? d->weight / span : 1);
		}
		shared = d->flags & WK_SD_SHARE_PKG;
		child = d->weight;
	}
	return nr;
}

/* Both have spare capacity: may the task stay on its node although the other has more idle CPUs? */
WK_STEP bool wk_numa_keeps(const struct wk_group_stats *local, const struct wk_group_stats *idlest,
			   u32 imb_numa_nr)
{
	u32 gap = local->idle > idlest->idle ? local->idle - idlest->idle
					     : idlest->idle - local->idle;

	if (local->running + 1 > imb_numa_nr)
		return gap == 0;
	/* a pair of tasks is no imbalance */
	return gap <= 2;
}

/* Is @idlest so much idler than the local group that the task should go there? */
WK_STEP bool wk_group_worth(const struct wk_domain *d, const struct wk_group_stats *local,
			    const struct wk_group_stats *idlest)
{
	u64 pct = d->imbalance_pct, imbalance = 1024 * (pct - 100) / 100;

	if (local->type != idlest->type)
		return idlest->type < local->type;
	if (local->type == WK_GROUP_MISFIT)
		return idlest->biggest > local->biggest;
	if (local->type == WK_GROUP_SPARE)
		return idlest->idle > local->idle;
	if ((d->flags & WK_SD_NUMA) && idlest->avg_load + imbalance >= local->avg_load)
		return false;
	if (idlest->avg_load >= local->avg_load + imbalance)
		return false;
	return 100 * local->avg_load > pct * idlest->avg_load;
}

/* Where the ring of @d starts for @cpu: at its own group. */
WK_STEP u32 wk_group_of(const struct wk_ctx *c, const struct wk_domain *d, u32 cpu)
{
	u32 i, at = 0, nr = d->groups.len;

	wk_loop_for(i, 0, nr) {
		u32 row = d->groups.first + i;

		if (row >= WK_MAX_GROUPS)
			break;
		if (wk_span_has(c->topo, c->topo->group[row].span, c->topo->group[row].mask, cpu)) {
			at = i;
			break;
		}
	}
	return at;
}

/* The row of the group to go to in @d seen from @cpu, or WK_NONE to stay in the local one. */
WK_STEP s32 wk_idlest_group(struct wk_ctx *c, const struct wk_domain *d, u32 cpu, u32 level)
{
	struct wk_group_stats local = {0}, best = {.type = WK_GROUP_OVERLOADED, .avg_load = ~0ULL};
	u32 i, nr = d->groups.len, at = wk_group_of(c, d, cpu);
	bool has_local = false;
	s32 idlest = WK_NONE;

	wk_loop_for(i, 0, nr) {
		u32 row = d->groups.first + (at + i < nr ? at + i : at + i - nr);
		struct wk_group_stats stats;

		if (row >= WK_MAX_GROUPS)
			break;
		if (!wk_group_allowed(c, &c->topo->group[row]))
			continue;
		wk_group_read(c, d, &c->topo->group[row], &stats);
		if (i == 0) {
			local = stats;
			has_local = true;
		} else if (wk_group_idler(&stats, &best)) {
			best = stats;
			idlest = (s32)row;
		}
	}
	if (idlest == WK_NONE || !has_local)
		return idlest;
	if (local.type == WK_GROUP_SPARE && best.type == WK_GROUP_SPARE &&
	    (d->flags & WK_SD_NUMA) && wk_numa_keeps(&local, &best, wk_imb_numa_nr(c, cpu, level)))
		return WK_NONE;
	return wk_group_worth(d, &local, &best) ? idlest : WK_NONE;
}

/* ---- the CPU in a group ---- */

struct wk_idlest {
	s32 cid;
	u32 rank;  /* 0 runs SCHED_IDLE tasks only, 1 idle, 2 busy */
	u64 major; /* exit latency, or load */
	u64 minor; /* idle since: the later the warmer, so this is ~0 less the time */
	u32 cpu;   /* its number breaks ties */
};

/* Smaller is better in every word, in this order. */
WK_INLINE bool wk_idlest_better(const struct wk_idlest *a, const struct wk_idlest *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->major != b->major)
		return a->major < b->major;
	if (a->minor != b->minor)
		return a->minor < b->minor;
	return a->cpu < b->cpu;
}

WK_STEP void wk_idlest_try(struct wk_ctx *c, u32 cid, struct wk_idlest *best)
{
	struct wk_idlest it = {.cid = (s32)cid};
	const struct wk_cpu_state *cpu;

	if (cid >= WK_MAX_CPUS)
		return;
	cpu = &c->state->cpu[cid];
	it.cpu = c->topo->cpu_of[cid];
	if (wk_available(c, cid)) {
		it.rank = 1;
		it.major = cpu->exit_ns;
		it.minor = ~cpu->idle_since_ns;
	} else if (!wk_sched_idle(c, cid)) {
		it.rank = 2;
		it.major = cpu->load;
	}
	if (best->cid == WK_NONE || wk_idlest_better(&it, best))
		*best = it;
}

/* The idlest allowed CPU of group row @row, or WK_NONE. */
WK_STEP s32 wk_idlest_cpu(struct wk_ctx *c, u32 row)
{
	struct wk_idlest best = {.cid = WK_NONE};
	const struct wk_group *g;
	u32 cid, end;

	if (row >= WK_MAX_GROUPS)
		return WK_NONE;
	g = &c->topo->group[row];
	end = g->span.first + g->span.len;
	wk_loop_for(cid, g->span.first, end) {
		if (wk_group_has(c, g, cid) && wk_allows(c->req, cid))
			wk_idlest_try(c, cid, &best);
	}
	return best.cid;
}

/* ---- down the tree ---- */

WK_INLINE u32 wk_chain_row(const struct wk_ctx *c, u32 cpu, u32 level)
{
	if (cpu >= WK_MAX_CPUS || level >= WK_MAX_LEVELS || level >= c->topo->cid[cpu].nr_levels)
		return WK_MAX_DOMAINS;
	return c->topo->cid[cpu].chain[level];
}

/*
 * How many levels of @cpu, from the bottom, take part in balancing of kind @flag
 * and span less than @weight.
 */
WK_STEP u32 wk_levels_below(const struct wk_ctx *c, u32 cpu, u32 flag, u32 weight)
{
	u32 i, top = 0;

	wk_loop_for(i, 0, WK_MAX_LEVELS) {
		u32 row = wk_chain_row(c, cpu, i);

		if (row >= WK_MAX_DOMAINS || c->topo->domain[row].weight >= weight ||
		    !(c->topo->domain[row].flags & flag))
			break;
		top = i + 1;
	}
	return top;
}

/* Without an allowed CPU in the highest domain there is no choice. */
WK_STEP bool wk_domain_allowed(const struct wk_ctx *c, u32 row)
{
	const struct wk_domain *d;

	if (row >= WK_MAX_DOMAINS)
		return false;
	d = &c->topo->domain[row];
	if (!c->req->allowed)
		return true;
	if (d->mask >= 0 && d->mask < WK_MAX_XMASKS)
		return wk_mask_first_and(&c->topo->xmask[d->mask], c->req->allowed, d->span) !=
		       WK_NONE;
	return wk_mask_first_and(&c->topo->online, c->req->allowed, d->span) != WK_NONE;
}

/* find_idlest_cpu(): where a new task, or one that execs, starts. */
WK_STEP s32 wk_pick_idlest(struct wk_ctx *c)
{
	u32 flag = c->req->kind == WK_REQ_FORK ? WK_SD_BALANCE_FORK : WK_SD_BALANCE_EXEC;
	u32 cpu = c->waker, i, left = wk_levels_below(c, cpu, flag, WK_NO_LIMIT);
	s32 new_cpu = (s32)cpu;

	c->pick->why = WK_WHY_FORK_IDLEST;
	c->pick->target = c->prev;
	if (!left || !wk_domain_allowed(c, wk_chain_row(c, cpu, left - 1)))
		return c->prev;
	/* Each turn goes at least one level down. */
	wk_loop_for(i, 0, 2 * WK_MAX_LEVELS) {
		u32 row = left ? wk_chain_row(c, cpu, left - 1) : WK_MAX_DOMAINS;
		const struct wk_domain *d;
		s32 group, cid;

		if (row >= WK_MAX_DOMAINS)
			break;
		d = &c->topo->domain[row];
		left--;
		group = wk_idlest_group(c, d, cpu, left);
		if (group == WK_NONE)
			continue;
		cid = wk_idlest_cpu(c, (u32)group);
		if (cid == WK_NONE)
			continue;
		new_cpu = cid;
		if ((u32)cid == cpu)
			continue;
		cpu = (u32)cid;
		left = wk_levels_below(c, cpu, flag, d->weight);
	}
	return new_cpu;
}

#endif
