/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one decision carries from step to step, and the two questions that every
 * step asks: is that CPU idle, and what did asking cost.
 *
 * Idea: a step takes one pointer. The context holds pointers alone; what changes
 * is in core/work.h.
 * Every look at a run queue is counted where it happens, by the tier between the
 * waker's CPU and the CPU looked at: the host turns the counts into time.
 */
#ifndef WK_CORE_CTX_H
#define WK_CORE_CTX_H

#include "core/policy.h"
#include "core/record.h"

/* wk_pick.budget where nothing limits the scan. */
#define WK_NO_LIMIT 0xffffffffU

struct wk_ctx {
	const struct wk_topo *topo;
	struct wk_state *state;
	const struct wk_policy *pol;
	const struct wk_request *req;
	struct wk_pick *pick;
	struct wk_work *w;	       /* pick->work */
	const struct wk_mask *allowed; /* of the request */
};

/*
 * A unit is a step that BPF compiles as a global function too, and calls as that. The
 * verifier looks at such a function once, knowing nothing of its callers, and not at every
 * call in every state: a scan inside a ring of LLCs would be more than it has patience
 * for. All that a unit is told passes through work; a unit has no c->req. It is weak, so
 * that the compiler does not leave out an argument that it sees to be unused.
 *
 *      WK_INLINE s32 wk_scan_llc(struct wk_ctx *c) { ... }
 *      WK_UNIT(wk_scan_llc)
 *      cid = wk_call(wk_scan_llc, c);
 */
#ifdef __bpf__
/* The host's. They may be nothing but globals, so that no register has to hold them. */
extern struct wk_topo wk_topo_live;
extern struct wk_state wk_state_live;

#define WK_NONNULL __attribute__((btf_decl_tag("arg:nonnull"))) /* kernel 6.8 and later */
#define WK_UNIT(name)                                                                       \
	__attribute__((weak, noinline)) int name##_unit(struct wk_pick *pick WK_NONNULL,    \
							struct wk_mask *allowed WK_NONNULL) \
	{                                                                                   \
		struct wk_ctx c = {                                                         \
			.topo = &wk_topo_live,                                              \
			.state = &wk_state_live,                                            \
			.pol = wk_policy_hidden(),                                          \
			.pick = pick,                                                       \
			.w = &pick->work,                                                   \
			.allowed = allowed,                                                 \
		};                                                                          \
                                                                                            \
		return name(&c);                                                            \
	}
#define wk_call(name, c) name##_unit((c)->pick, (struct wk_mask *)(c)->allowed)
#else
#define WK_UNIT(name)
#define wk_call(name, c) name(c)
#endif

/* Counts one run queue read. */
WK_INLINE void wk_read_rq_from(const struct wk_topo *topo, struct wk_pick *pick, u32 cid)
{
	u32 tier = wk_topo_tier(topo, pick->work.waker, cid);

	if (tier < WK_TIER_NR)
		wk_at(pick->probes, tier)++;
}

#ifdef __bpf__
/* So short and so often asked for that it is a unit of its own kind. */
__attribute__((weak, noinline)) int wk_read_rq_unit(struct wk_pick *pick WK_NONNULL, u32 cid)
{
	wk_read_rq_from(&wk_topo_live, pick, cid);
	return 0;
}
#define wk_read_rq(c, cid) wk_read_rq_unit((c)->pick, cid)
#else
#define wk_read_rq(c, cid) wk_read_rq_from((c)->topo, (c)->pick, cid)
#endif

/* The same for a CPU that the search looks at. */
WK_INLINE void wk_probe(struct wk_ctx *c, u32 cid)
{
	c->pick->scanned++;
	wk_read_rq(c, cid);
}

/*
 * The tests of target, prev and recent are one scan together; a line read before
 * is not read again.
 */
WK_INLINE void wk_probe_fast(struct wk_ctx *c, u32 cid)
{
	if (!c->w->prev_read || (s32)cid != c->w->prev)
		wk_read_rq(c, cid);
}

/* available_idle_cpu() */
WK_INLINE bool wk_available(const struct wk_ctx *c, u32 cid)
{
	return wk_mask_test(&c->state->idle, cid);
}

/*
 * sched_idle_cpu(), as far as the wakee may use one: never in 5.2, and not for a
 * SCHED_IDLE wakee in 7.x.
 */
WK_INLINE bool wk_sched_idle(const struct wk_ctx *c, u32 cid)
{
	return c->w->sched_idle_ok && wk_mask_test(&c->state->idle_only, cid);
}

WK_INLINE bool wk_is_idle(const struct wk_ctx *c, u32 cid)
{
	return wk_available(c, cid) || wk_sched_idle(c, cid);
}

/* A task fits where it fills less than four fifths. */
WK_INLINE bool wk_fits(const struct wk_ctx *c, u32 cid)
{
	if (!c->topo->asym)
		return true;
	if (cid >= WK_MAX_CPUS)
		return false;
	return (u64)c->w->util * 1280 < (u64)wk_at(c->state->cpu, cid).capacity * 1024;
}

/* Row of topo->llc[] that the scheduler believes @cid to be in, or WK_NONE. */
WK_INLINE s32 wk_llc_of(const struct wk_topo *t, u32 cid)
{
	return cid < WK_MAX_CPUS && wk_at(t->cid, cid).llc < WK_MAX_LLCS ? wk_at(t->cid, cid).llc
									 : WK_NONE;
}

/* May the wakee run on @cid? */
WK_INLINE bool wk_may_use(const struct wk_ctx *c, u32 cid)
{
	return c->w->every_cpu || wk_mask_test(c->allowed, cid);
}

WK_INLINE bool wk_is_cid(const struct wk_topo *t, s32 cid)
{
	return cid >= 0 && cid < WK_MAX_CPUS && (u32)cid < t->nr_cids;
}

/* The span of a domain or group: a range, and inside it a mask where the members are no range. */
WK_INLINE bool wk_span_has(const struct wk_topo *t, struct wk_range span, s32 mask, u32 cid)
{
	if (!wk_range_has(span, cid))
		return false;
	return mask < 0 || mask >= WK_MAX_XMASKS || wk_mask_test(&wk_at(t->xmask, mask), cid);
}

#endif
