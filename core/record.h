/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One decision, as asked and as answered: the same bytes in the simulator, the
 * BPF ring buffer and every file of the project.
 */
#ifndef WK_CORE_RECORD_H
#define WK_CORE_RECORD_H

#include "core/host.h"
#include "core/state.h"
#include "core/topo.h"
#include "core/work.h"

enum wk_why {
#define WK_WHY(NAME, name, step, sentence) WK_WHY_##NAME,
#include "core/why.def"
	WK_WHY_NR
};

enum wk_handoff {
#define WK_HANDOFF(NAME, name, sentence) WK_HANDOFF_##NAME,
#include "core/handoff.def"
	WK_HANDOFF_NR
};

enum wk_request_kind { WK_REQ_WAKE, WK_REQ_FORK, WK_REQ_EXEC };
enum wk_context { WK_CTX_TASK, WK_CTX_KTHREAD, WK_CTX_IRQ };

struct wk_request {
	u8 kind;	 /* enum wk_request_kind */
	u8 context;	 /* enum wk_context: what runs on the waker's CPU */
	u8 sync;	 /* WF_SYNC: the waker says it will sleep soon */
	u8 wakee_on_cpu; /* the wakee is still being switched out */
	u32 waker_cid;
	u32 nr_allowed;		       /* CPUs in allowed; 0 means every CPU */
	const struct wk_mask *allowed; /* where the wakee may run; read unless nr_allowed is 0 */
	u64 now_ns;
	u64 now_tick;	       /* jiffies: ages SIS_PROP's memory */
	struct wk_task *waker; /* current on the waker's CPU, never NULL; its flips are updated */
	struct wk_task *wakee;
};

WK_INLINE bool wk_allows(const struct wk_request *req, u32 cid)
{
	return !req->nr_allowed || wk_mask_test(req->allowed, cid);
}

/* Bits of wk_pick.flags. */
enum {
	WK_PICK_AFFINE = 1,	   /* wake_affine chose the waker's CPU as target */
	WK_PICK_WIDE = 2,	   /* wake_wide kept the target at prev */
	WK_PICK_DOMAIN_SEARCH = 4, /* the LLC was scanned: sis_domain_search */
	WK_PICK_FAILED = 8,	   /* no idle CPU was found: sis_failed */
	WK_PICK_ABORTED = 16,	   /* SIS_UTIL gave up before any probe (nr_idle_scan == 0) */
	WK_PICK_EXHAUSTED = 32,	   /* the budget ended a scan */
	WK_PICK_SEARCH = 64,	   /* select_idle_sibling() ran: sis_search */
	WK_PICK_TIMED = 128, /* SIS_PROP wants the time of this search: wk_sis_prop_charge() */
};

struct wk_pick {
	s32 cid;    /* the chosen CPU */
	s32 target; /* what the affine logic proposed */
	u8 why;	    /* enum wk_why */
	u8 handoff; /* enum wk_handoff */
	u8 flags;   /* WK_PICK_* */
	u8 nr_llcs; /* LLCs scanned */
	/* sis_scanned: CPUs looked at, the tests of target, prev and recent being one */
	u32 scanned;
	/* probes that SIS_UTIL or SIS_PROP allowed in the first LLC; ~0 where nothing limits */
	u32 budget;
	u16 probes
		/* run queues read, by tier as seen from the waker's CPU, which pays */
		[WK_TIER_NR];
	struct wk_work work; /* of wk_pick() alone */
};

/* 64 bytes. cids are s16: 4,096 fit. probes saturate at 255. */
struct wk_record {
	u64 t_ns;
	u32 waker, wakee; /* task ids */
	s16 waker_cid, prev, target, cid;
	u8 why, handoff, flags, kind;
	u8 sync, context, nr_llcs, pad;
	u32 scanned, budget;
	u8 probes[WK_TIER_NR];
	u64 latency_ns; /* wake-up to running, filled by the host when known */
	u32 reserved[2];
};
_Static_assert(sizeof(struct wk_record) == 64, "wk_record is a wire format");

/* The record of one decision; the host adds latency_ns when it knows it. */
WK_INLINE void wk_record_fill(const struct wk_pick *pick, const struct wk_request *req,
			      struct wk_record *ret_record)
{
	u32 i;

	*ret_record = (struct wk_record){
		.t_ns = req->now_ns,
		.waker = req->waker->id,
		.wakee = req->wakee->id,
		.waker_cid = (s16)req->waker_cid,
		.prev = (s16)req->wakee->prev,
		.target = (s16)pick->target,
		.cid = (s16)pick->cid,
		.why = pick->why,
		.handoff = pick->handoff,
		.flags = pick->flags,
		.kind = req->kind,
		.sync = req->sync,
		.context = req->context,
		.nr_llcs = pick->nr_llcs,
		.scanned = pick->scanned,
		.budget = pick->budget,
	};
	wk_loop_for(i, 0, WK_TIER_NR) {
		if (i >= WK_TIER_NR)
			break;
		wk_at(ret_record->probes, i) =
			(u8)(wk_at(pick->probes, i) < 255 ? wk_at(pick->probes, i) : 255);
	}
}

#endif
