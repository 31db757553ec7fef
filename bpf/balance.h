/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Balance between busy CPUs: where tasks never sleep no CPU runs dry, and nobody pulls.
 *
 * Now and then the tick of a CPU looks for the longest queue around it, inner
 * domains first. One that is longer than its own by two is remembered, and the
 * next dispatch, which alone may move tasks, takes one from there. A difference
 * of one stays, so that no task goes to and fro. Where real-time tasks have the
 * CPU, whatever waits is too long.
 */
#ifndef WK_BPF_BALANCE_H
#define WK_BPF_BALANCE_H

#include "bpf/fair.h"
#include "bpf/pull.h"

#define WK_BALANCE_NS	 32000000ULL /* between two looks */
#define WK_BALANCE_CPUS	 64	     /* looked at in a domain, from the CPU itself on and round */
#define WK_BALANCE_TAKEN 1000	     /* more than any queue of a CPU that runs its tasks */

extern const struct rq runqueues __ksym __weak;

/* Real-time tasks on the CPU: what waits there may wait for as long as they please. */
WK_INLINE u32 wk_nr_realtime(u32 cid)
{
	const struct rq *rq;

	if (!bpf_ksym_exists(&runqueues))
		return 0;
	rq = bpf_per_cpu_ptr(&runqueues, (u32)wk_number_of((s32)cid));
	return rq ? rq->rt.rt_nr_running : 0;
}

WK_INLINE bool wk_domain_has(const struct wk_domain *d, u32 cid)
{
	return wk_xmask_word(d->mask, cid / 64) >> (cid % 64) & 1;
}

WK_INLINE u32 wk_queue_len(u32 cid)
{
	s32 len = scx_bpf_dsq_nr_queued___wk(cid);

	return len > 0 ? (u32)len : 0;
}

/* The first of the longest queues of @d that are longer than @len, or WK_NONE. */
WK_STEP s32 wk_longer_queue(const struct wk_domain *d, u32 cid, u32 len)
{
	u32 i, nr = d->span.len < WK_BALANCE_CPUS ? d->span.len : WK_BALANCE_CPUS;
	s32 found = WK_NONE;

	wk_loop_for(i, 1, nr) {
		u32 at = cid + i, there;

		if (at >= d->span.first + d->span.len)
			at -= d->span.len;
		if (!wk_bit_test(&wk_queued, (s32)at) || !wk_domain_has(d, at))
			continue;
		there = wk_queue_len(at) + wk_nr_realtime(at) * WK_BALANCE_TAKEN;
		if (there > len) {
			len = there;
			found = (s32)at;
		}
	}
	return found;
}

/* At the tick. */
WK_STEP void wk_look_for_longer(s32 cid, u64 now_ns)
{
	struct wk_live_cpu *c = wk_cpu_of(cid);
	s32 found = WK_NONE;
	u32 i, len;

	if (!c || wk_before(now_ns, c->balance_at_ns) || !wk_anything_queued())
		return;
	c->balance_at_ns = now_ns + WK_BALANCE_NS;
	len = wk_queue_len((u32)cid) + 1;
	wk_loop_for(i, 0, WK_MAX_LEVELS) {
		const struct wk_domain *d = wk_domain_of(cid, i);

		if (!d)
			break;
		found = wk_longer_queue(d, (u32)cid, len);
		if (found != WK_NONE)
			break;
	}
	c->longer = (u32)(found + 1);
}

/* In dispatch: true if a task has come from the longer queue. */
WK_INLINE bool wk_take_from_longer(struct wk_live_cpu *c)
{
	u32 longer = c->longer;

	if (!longer)
		return false;
	c->longer = 0;
	if (!wk_move_to_local(longer - 1))
		return false;
	wk_count(c, BALANCE);
	return true;
}

#endif
