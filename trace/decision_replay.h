/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recorded decision of the kernel, decided again by the core.
 *
 * The state is built from what the recorder saw when the kernel's decision began. The kernel read
 * the same words a little later, one after the other, and some may have changed by then: a
 * decision is *raced* where any word that it may have read differs between the recorder's two
 * looks, before and after. Whether both sides agree is said of all decisions, but it is only
 * outside races that a disagreement means a different rule.
 */
#ifndef WK_TRACE_DECISION_REPLAY_H
#define WK_TRACE_DECISION_REPLAY_H

#include "core/policy.h"
#include "core/topo.h"
#include "trace/decision.h"

struct wk_replay; /* scratch, for one machine and policy */

enum wk_replay_verdict { WK_REPLAY_NOT_ASKED, WK_REPLAY_EQUAL, WK_REPLAY_DIFFERENT };

struct wk_replay_result {
	struct wk_pick pick;
	s32 cpu;    /* of pick.cid */
	s32 target; /* of pick.target */
	u8 choice;  /* enum wk_replay_verdict */
	bool raced;
	u8 queue; /* the verdict on the wake list */
	bool queue_raced;
	u8 after; /* the verdict on recent CPU and flips */
};

struct wk_replay *wk_replay_create(const struct wk_topo *topo, const struct wk_policy *pol);
void wk_replay_destroy(struct wk_replay *r);

/* 0, or -EINVAL with *ret_err filled where the recording has CPUs that the machine lacks. */
int wk_replay_check(const struct wk_replay *r, const struct wk_decision_file *d,
		    struct wk_err *ret_err);
void wk_replay_decide(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus,
		      struct wk_replay_result *ret);

/* What the kernel's choice was to this decision: "prev", "an idle CPU of the target's LLC"... */
const char *wk_replay_chosen_is(const struct wk_replay *r, const struct wk_decision *d,
				const struct wk_replay_result *result);

#endif
