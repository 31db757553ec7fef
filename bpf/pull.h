/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work conservation: a CPU about to go idle takes a waiting task, from the
 * nearest domain first, and the tick of a busy CPU calls an idle one to help.
 *
 * Which queues hold tasks is one mask of cids. Only a CPU itself clears its own
 * bit, under its run queue's lock, where its own enqueues are too: a bit that is
 * clear means an empty queue, but for the inbox, which is counted. A bit may
 * stand although others have emptied the queue; that costs them a look.
 *
 * The gate is the kernel's idea: a pull must not cost more than the time this
 * CPU is used to be idle.
 */
#ifndef WK_BPF_PULL_H
#define WK_BPF_PULL_H

#include "bpf/load.h"

struct wk_mask wk_queued;

WK_INLINE bool wk_has_queued(s32 cid, const struct wk_live_cpu *c)
{
	return wk_bit_test(&wk_queued, cid) || wk_read_once(c->inbox);
}

/* Row @i of the domains of @cid, or NULL. */
WK_INLINE const struct wk_domain *wk_domain_of(s32 cid, u32 i)
{
	const struct wk_cid *w;
	u64 c = (u32)cid, level = i, row;

	if (c >= WK_MAX_CPUS || level >= WK_MAX_LEVELS)
		return (const struct wk_domain *)0;
	wk_pin(c);
	wk_pin(level);
	w = &wk_topo_live.cid[c];
	row = level < w->nr_levels ? w->chain[level] : WK_MAX_DOMAINS;
	if (row >= WK_MAX_DOMAINS)
		return (const struct wk_domain *)0;
	wk_pin(row);
	return &wk_topo_live.domain[row];
}

/* Word @w of the members of a domain that is no range; all ones for one that is. */
WK_INLINE u64 wk_xmask_word(s32 mask, u32 w)
{
	u64 row = (u32)mask, word = w;

	if (row >= WK_MAX_XMASKS || word >= WK_MASK_WORDS)
		return ~0ULL;
	wk_pin(row);
	wk_pin(word);
	return wk_topo_live.xmask[row].word[word];
}

/* First cid of @m in @r that belongs to @d and is outside of @inner. */
WK_STEP s32 wk_first_around(const struct wk_mask *m, const struct wk_domain *d,
			    const struct wk_range *r, const struct wk_range *inner)
{
	u32 w, end = wk_range_words_end(*r);
	s32 found = WK_NONE;

	wk_loop_for(w, r->first / 64, end) {
		u64 x, at = w;

		if (at >= WK_MASK_WORDS)
			break;
		wk_pin(at);
		x = wk_read_once(m->word[at]);
		if (!x)
			continue;
		x &= wk_range_word(*r, w) & ~wk_range_word(*inner, w);
		x &= wk_xmask_word(d->mask, w);
		if (x) {
			found = (s32)(w * 64 + wk_ctz64(x));
			break;
		}
	}
	return found;
}

/* The next one after @cid in the domain, and round: so that not all look at the same. */
WK_STEP s32 wk_next_around(const struct wk_mask *m, const struct wk_domain *d, u32 cid,
			   const struct wk_range *inner)
{
	struct wk_range after = {cid, d->span.first + d->span.len - cid};
	struct wk_range before = {d->span.first, cid - d->span.first};
	s32 found = wk_first_around(m, d, &after, inner);

	if (found == WK_NONE)
		found = wk_first_around(m, d, &before, inner);
	return found;
}

/* Takes a task from the queue of @victim, and remembers what that cost. */
WK_STEP bool wk_pull_from(struct wk_live_cpu *c, s32 victim, u32 level)
{
	u64 start_ns = bpf_ktime_get_ns();
	u64 i = level;
	s64 cost;

	if (i >= WK_LEVEL_NR)
		return false;
	wk_pin(i);
	if (!wk_move_to_local((u64)victim)) {
		wk_count(c, PULL_VAIN);
		return false;
	}
	cost = (s64)(bpf_ktime_get_ns() - start_ns) - (s64)c->pull_cost_ns[i];
	c->pull_cost_ns[i] = (u64)((s64)c->pull_cost_ns[i] + (cost >> 3));
	c->stats.count[WK_LIVE_COUNT_PULL_SMT + i]++;
	return true;
}

/* True if idle periods here are long enough. A gate that shuts opens again slowly. */
WK_INLINE bool wk_gate(struct wk_live_cpu *c, const struct wk_cpu_state *s, u32 level)
{
	u64 i = level;

	if (i >= WK_LEVEL_NR)
		return false;
	wk_pin(i);
	if (c->kicked || s->avg_idle_ns >= c->pull_cost_ns[i])
		return true;
	c->pull_cost_ns[i] -= c->pull_cost_ns[i] >> 7;
	wk_count(c, PULL_GATED);
	return false;
}

/* Does any CPU have tasks queued? The usual answer on the way to idle is no. */
WK_INLINE bool wk_anything_queued(void)
{
	u32 w, end = (wk_config.nr_cpus + 63) / 64;
	bool some = false;

	if (end == 1)
		return wk_read_once(wk_queued.word[0]) != 0;
	wk_loop_for(w, 0, end) {
		u64 at = w;

		if (at >= WK_MASK_WORDS)
			break;
		wk_pin(at);
		some = wk_read_once(wk_queued.word[at]) != 0;
		if (some)
			break;
	}
	return some;
}

/* newidle_balance(): up the domains of @cid. */
WK_STEP bool wk_pull(s32 cid)
{
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_cpu_state *s = wk_state_of(cid);
	struct wk_range inner = {0, 0};
	bool pulled = false;
	u32 i;

	if (!c || !s)
		return false;
	wk_loop_for(i, 0, WK_MAX_LEVELS) {
		const struct wk_domain *d = wk_domain_of(cid, i);
		s32 victim;

		if (!d || !(d->flags & WK_SD_BALANCE_NEWIDLE))
			break;
		victim = wk_next_around(&wk_queued, d, (u32)cid, &inner);
		if (victim != WK_NONE) {
			if (!wk_gate(c, s, d->level))
				break;
			pulled = wk_pull_from(c, victim, d->level);
			if (pulled)
				break;
		}
		inner = d->span;
	}
	c->kicked = 0;
	return pulled;
}

/* May the first of the queue of @cid run on @cpu? Where one cannot look: perhaps. */
WK_INLINE bool wk_head_may_run_on(s32 cid, u32 cpu)
{
	struct task_struct *p;

	if (!bpf_ksym_exists(scx_bpf_dsq_peek___wk))
		return true;
	p = scx_bpf_dsq_peek___wk((u64)cid);
	return p && bpf_cpumask_test_cpu___wk(cpu, p->cpus_ptr);
}

/* Calls the nearest idle CPU to look at the queue of @cid. */
WK_STEP void wk_call_help(s32 cid)
{
	struct wk_live_cpu *c = wk_cpu_of(cid), *helper;
	const struct wk_range none = {0, 0};
	s32 idle = WK_NONE, cpu;
	u32 i;

	if (!c)
		return;
	wk_loop_for(i, 0, WK_MAX_LEVELS) {
		const struct wk_domain *d = wk_domain_of(cid, i);

		if (!d || !(d->flags & WK_SD_BALANCE_NEWIDLE))
			break;
		idle = wk_next_around(&wk_state_live.idle, d, (u32)cid, &none);
		if (idle != WK_NONE)
			break;
	}
	helper = wk_cpu_of(idle);
	cpu = wk_number_of(idle);
	if (!helper || cpu < 0 || !wk_head_may_run_on(cid, (u32)cpu))
		return;
	helper->kicked = 1;
	wk_count(c, KICK);
	scx_bpf_kick_cpu___wk(cpu, wk_kernel_enum(scx_kick_flags, SCX_KICK_IDLE));
}

#endif
