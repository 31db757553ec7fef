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

/* @cid as a place for the wakee: of the group, online and allowed. */
WK_INLINE bool wk_group_has(const struct wk_ctx *c, const struct wk_group *g, u32 cid)
{
	return wk_span_has(c->topo, g->span, g->mask, cid) && wk_topo_online(c->topo, cid);
}

/* 1 if a CPU of descent.span and descent.mask, that is online, is allowed. */
WK_INLINE s32 wk_span_allowed(struct wk_ctx *c)
{
	const struct wk_descent *d = &c->w->descent;
	const struct wk_mask *in = &c->topo->online;

	if (c->w->every_cpu)
		return 1;
	if (d->mask >= 0 && d->mask < WK_MAX_XMASKS)
		in = &wk_at(c->topo->xmask, d->mask);
	return wk_mask_first_and(in, c->allowed, d->span) != WK_NONE;
}
WK_UNIT(wk_span_allowed)

WK_INLINE bool wk_some_allowed(struct wk_ctx *c, struct wk_range span, s32 mask)
{
	c->w->descent.span = span;
	c->w->descent.mask = mask;
	return wk_call(wk_span_allowed, c) != 0;
}

WK_INLINE u32 wk_without(u32 sum, u32 part)
{
	return sum > part ? sum - part : 0;
}

/* One CPU into the sums; a task that execs does not count against the CPU it runs on. */
WK_INLINE void wk_group_add(struct wk_ctx *c, struct wk_group_stats *g, u32 cid)
{
	const struct wk_cpu_state *cpu;
	const struct wk_work *w = c->w;
	u32 here, running;

	if (cid >= WK_MAX_CPUS)
		return;
	cpu = &wk_at(c->state->cpu, cid);
	here = w->kind == WK_REQ_EXEC && (s32)cid == w->prev;
	g->load += wk_without(cpu->load, here ? w->load : 0);
	g->runnable += wk_without(cpu->runnable, here ? w->runnable : 0);
	g->util += wk_without(cpu->util, here ? w->util : 0);
	running = cpu->nr_running - (here && cpu->nr_running);
	g->running += running;
	if (!running && (here ? !cpu->pending : wk_available(c, cid)))
		g->idle++;
	if (wk_fits(c, cid))
		g->fits = true;
	wk_read_rq(c, cid);
}

WK_INLINE void wk_group_classify(struct wk_group_stats *g, u64 pct)
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

/* Fills descent.stats from descent.group, a group of descent.domain. */
WK_INLINE s32 wk_group_read(struct wk_ctx *c)
{
	struct wk_group_stats *sum = &c->w->descent.stats;
	const struct wk_domain *d = &wk_at(c->topo->domain, c->w->descent.domain);
	const struct wk_group *g = &wk_at(c->topo->group, c->w->descent.group);
	u32 cid, end = g->span.first + g->span.len;

	*sum = (struct wk_group_stats){
		.weight = g->weight,
		.fits = !(d->flags & WK_SD_ASYM_CPUCAPACITY),
	};
	wk_loop_for(cid, g->span.first, end) {
		u32 capacity = wk_at(c->state->cpu, cid).capacity;

		if (!wk_group_has(c, g, cid))
			continue;
		sum->capacity += capacity;
		if (capacity > sum->biggest)
			sum->biggest = capacity;
		if (wk_may_use(c, cid))
			wk_group_add(c, sum, cid);
	}
	wk_group_classify(sum, d->imbalance_pct);
	return 0;
}
WK_UNIT(wk_group_read)

/* Is group @a idler than @b? Ties go to @b, which stands first in the ring. */
WK_INLINE bool wk_group_idler(const struct wk_group_stats *a, const struct wk_group_stats *b)
{
	if (a->type != b->type)
		return a->type < b->type;
	if (a->type == WK_GROUP_MISFIT)
		return a->biggest > b->biggest;
	if (a->type != WK_GROUP_SPARE)
		return a->avg_load < b->avg_load;
	return a->idle != b->idle ? a->idle > b->idle : a->util < b->util;
}

/* One more domain of a chain, from the lowest on. */
WK_INLINE void wk_imb_add(struct wk_imb *m, const struct wk_domain *d)
{
	bool numa = d->flags & WK_SD_NUMA, shares = d->flags & WK_SD_SHARE_PKG;

	if (!shares && m->shared && m->child) {
		/* A node of one LLC has no level of its own here. */
		u32 node = numa ? m->child : d->weight, llcs = node / m->child;

		m->imb = llcs == 1 ? node >> 3 : llcs;
		m->imb = m->imb ? m->imb : 1;
		m->nr = m->imb;
		m->span = d->weight;
		m->numa_seen = numa;
	} else {
		/* the first NUMA domain gives the measure */
		if (numa && !m->numa_seen)
			m->span = d->weight;
		m->numa_seen = m->numa_seen || numa;
		m->nr = m->imb * (d->weight / m->span ? d->weight / m->span : 1);
	}
	m->shared = shares;
	m->child = d->weight;
}

/*
 * How many tasks a node may have more than another before fork spreads them: an
 * eighth of the node where that is one LLC, one for each LLC else, and in higher
 * NUMA levels as many times as much.
 */
WK_INLINE s32 wk_imb_numa_nr(struct wk_ctx *c)
{
	struct wk_imb *m = &c->w->descent.imb;
	const struct wk_cid *w = &wk_at(c->topo->cid, c->w->descent.cpu);
	u32 i, levels = c->w->descent.left + 1;

	*m = (struct wk_imb){.span = 1};
	wk_loop_for(i, 0, levels) {
		u32 row = i < WK_MAX_LEVELS ? w->chain[i] : WK_MAX_DOMAINS;

		if (row >= WK_MAX_DOMAINS)
			break;
		wk_imb_add(m, &wk_at(c->topo->domain, row));
	}
	return (s32)m->nr;
}
WK_UNIT(wk_imb_numa_nr)

/* Both have spare capacity: may the task stay on its node although the other has more idle CPUs? */
WK_INLINE bool wk_numa_keeps(const struct wk_group_stats *local,
			     const struct wk_group_stats *idlest, u32 imb_numa_nr)
{
	u32 gap = local->idle > idlest->idle ? local->idle - idlest->idle
					     : idlest->idle - local->idle;

	if (local->running + 1 > imb_numa_nr)
		return gap == 0;
	/* a pair of tasks is no imbalance */
	return gap <= 2;
}

/* Is @idlest so much idler than the local group that the task should go there? */
WK_INLINE bool wk_group_worth(const struct wk_domain *d, const struct wk_group_stats *local,
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

/* Where the ring of @d starts for descent.cpu: at its own group. */
WK_INLINE u32 wk_group_of(const struct wk_ctx *c, const struct wk_domain *d)
{
	u32 i, at = 0, nr = d->groups.len;

	wk_loop_for(i, 0, nr) {
		const struct wk_group *g = &wk_at(c->topo->group, d->groups.first + i);

		if (wk_span_has(c->topo, g->span, g->mask, c->w->descent.cpu)) {
			at = i;
			break;
		}
	}
	return at;
}

/* Reads the groups of descent.domain: local, and best with its row. */
WK_INLINE void wk_groups_read(struct wk_ctx *c, const struct wk_domain *d)
{
	struct wk_descent *w = &c->w->descent;
	u32 i, nr = d->groups.len, at = wk_group_of(c, d);

	w->idlest_row = WK_NONE;
	w->has_local = false;
	wk_loop_for(i, 0, nr) {
		const struct wk_group *g;

		w->group = d->groups.first + (at + i < nr ? at + i : at + i - nr);
		g = &wk_at(c->topo->group, w->group);
		if (!wk_some_allowed(c, g->span, g->mask))
			continue;
		wk_call(wk_group_read, c);
		if (i == 0) {
			w->local = w->stats;
			w->has_local = true;
		} else if (w->idlest_row == WK_NONE || wk_group_idler(&w->stats, &w->best)) {
			w->best = w->stats;
			w->idlest_row = (s32)w->group;
		}
	}
}

/* The row of the group to go to in descent.domain, or WK_NONE to stay in the local one. */
WK_INLINE s32 wk_idlest_group(struct wk_ctx *c)
{
	struct wk_descent *w = &c->w->descent;
	const struct wk_domain *d = &wk_at(c->topo->domain, w->domain);

	wk_groups_read(c, d);
	if (w->idlest_row == WK_NONE || !w->has_local)
		return w->idlest_row;
	if (w->local.type == WK_GROUP_SPARE && w->best.type == WK_GROUP_SPARE &&
	    (d->flags & WK_SD_NUMA) &&
	    wk_numa_keeps(&w->local, &w->best, (u32)wk_call(wk_imb_numa_nr, c)))
		return WK_NONE;
	return wk_group_worth(d, &w->local, &w->best) ? w->idlest_row : WK_NONE;
}
WK_UNIT(wk_idlest_group)

/* ---- the CPU in a group ---- */

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

WK_INLINE void wk_idlest_try(struct wk_ctx *c, u32 cid)
{
	struct wk_idlest *it = &c->w->descent.try, *best = &c->w->descent.idlest;
	const struct wk_cpu_state *cpu = &wk_at(c->state->cpu, cid);

	*it = (struct wk_idlest){.cid = (s32)cid, .cpu = wk_at(c->topo->cpu_of, cid)};
	if (wk_available(c, cid)) {
		it->rank = 1;
		it->major = cpu->exit_ns;
		it->minor = ~cpu->idle_since_ns;
	} else if (!wk_sched_idle(c, cid)) {
		it->rank = 2;
		it->major = cpu->load;
	}
	if (best->cid == WK_NONE || wk_idlest_better(it, best))
		*best = *it;
}

/* The idlest allowed CPU of descent.group, or WK_NONE. */
WK_INLINE s32 wk_idlest_cpu(struct wk_ctx *c)
{
	const struct wk_group *g = &wk_at(c->topo->group, c->w->descent.group);
	u32 cid, end = g->span.first + g->span.len;

	c->w->descent.idlest.cid = WK_NONE;
	wk_loop_for(cid, g->span.first, end) {
		if (wk_group_has(c, g, cid) && wk_may_use(c, cid))
			wk_idlest_try(c, cid);
	}
	return c->w->descent.idlest.cid;
}
WK_UNIT(wk_idlest_cpu)

/* ---- down the tree ---- */

WK_INLINE u32 wk_chain_row(const struct wk_ctx *c, u32 cpu, u32 level)
{
	if (cpu >= WK_MAX_CPUS || level >= WK_MAX_LEVELS ||
	    level >= wk_at(c->topo->cid, cpu).nr_levels)
		return WK_MAX_DOMAINS;
	return wk_at(c->topo->cid, cpu).chain[level];
}

/*
 * How many levels of descent.cpu, from the bottom, take part in this balancing and
 * span less than descent.weight.
 */
WK_INLINE s32 wk_levels_below(struct wk_ctx *c)
{
	const struct wk_descent *w = &c->w->descent;
	s32 top = 0;
	u32 i;

	wk_loop_for(i, 0, WK_MAX_LEVELS) {
		u32 row = wk_chain_row(c, w->cpu, i);

		if (row >= WK_MAX_DOMAINS || wk_at(c->topo->domain, row).weight >= w->weight ||
		    !(wk_at(c->topo->domain, row).flags & w->flag))
			break;
		top = (s32)i + 1;
	}
	return top;
}
WK_UNIT(wk_levels_below)

/* The highest level left becomes descent.domain; false where none is. */
WK_INLINE bool wk_next_level(struct wk_ctx *c)
{
	struct wk_descent *w = &c->w->descent;

	if (!w->left)
		return false;
	w->left--;
	w->domain = wk_chain_row(c, w->cpu, w->left);
	return w->domain < WK_MAX_DOMAINS;
}

/* The idlest CPU of descent.domain, or WK_NONE to look a level lower. */
WK_INLINE s32 wk_idlest_below(struct wk_ctx *c)
{
	s32 group = wk_call(wk_idlest_group, c);

	if (group == WK_NONE)
		return WK_NONE;
	c->w->descent.group = (u32)group;
	return wk_call(wk_idlest_cpu, c);
}

/* Down from descent.domain: each turn goes at least one level down. */
WK_INLINE s32 wk_descend(struct wk_ctx *c)
{
	struct wk_descent *w = &c->w->descent;
	s32 cid;
	u32 i;

	wk_loop_for(i, 0, 2 * WK_MAX_LEVELS) {
		cid = wk_idlest_below(c);
		if (cid != WK_NONE && (u32)cid != w->cpu) {
			w->cpu = (u32)cid;
			w->weight = wk_at(c->topo->domain, w->domain).weight;
			w->left = (u32)wk_call(wk_levels_below, c);
		}
		if (!wk_next_level(c))
			break;
	}
	return (s32)w->cpu;
}

/* find_idlest_cpu(): where a new task, or one that execs, starts. */
WK_INLINE s32 wk_pick_idlest(struct wk_ctx *c)
{
	struct wk_descent *w = &c->w->descent;
	const struct wk_domain *d;

	c->pick->why = WK_WHY_FORK_IDLEST;
	c->pick->target = c->w->prev;
	w->flag = c->w->kind == WK_REQ_FORK ? WK_SD_BALANCE_FORK : WK_SD_BALANCE_EXEC;
	w->cpu = c->w->waker;
	w->weight = WK_NO_LIMIT;
	w->left = (u32)wk_call(wk_levels_below, c);
	if (!wk_next_level(c))
		return c->w->prev;
	/* Without an allowed CPU in the highest domain there is no choice. */
	d = &wk_at(c->topo->domain, w->domain);
	return wk_some_allowed(c, d->span, d->mask) ? wk_descend(c) : c->w->prev;
}
WK_UNIT(wk_pick_idlest)

#endif
