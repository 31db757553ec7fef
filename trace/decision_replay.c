// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/pick.h"
#include "trace/decision_replay.h"

#define V(d, name) ((d)->v[WK_DECISION_##name])

/* The replay's clock: two seconds, so that flips can be a second old, or not. */
#define NOW_NS (2 * WK_SECOND_NS)

struct wk_replay {
	const struct wk_topo *topo;
	const struct wk_policy *pol;
	struct wk_state state;
	struct wk_mask allowed;
	struct wk_task waker, wakee;
	struct wk_request req;
};

struct wk_replay *wk_replay_create(const struct wk_topo *topo, const struct wk_policy *pol)
{
	struct wk_replay *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->topo = topo;
	r->pol = pol;
	r->state.active = topo->online;
	return r;
}

void wk_replay_destroy(struct wk_replay *r)
{
	free(r);
}

int wk_replay_check(const struct wk_replay *r, const struct wk_decision_file *d,
		    struct wk_err *ret_err)
{
	for (u32 cpu = 0; cpu < d->nr_cpus; cpu++)
		if (cpu >= r->topo->max_cpu || r->topo->cid_of[cpu] == WK_NONE) {
			snprintf(ret_err->text, sizeof(ret_err->text),
				 "the recording has CPU %u, expected the machine it was made on, "
				 "this one has none",
				 cpu);
			return -EINVAL;
		}
	return 0;
}

static u32 cid_of(const struct wk_replay *r, s64 cpu)
{
	return (u32)r->topo->cid_of[cpu];
}

/* ---- the state ---- */

static void fill_bit(struct wk_mask *mask, u32 cid, bool set)
{
	if (set)
		wk_mask_set(mask, cid);
	else
		wk_mask_clear(mask, cid);
}

static void fill_cpu(struct wk_replay *r, u32 cid, const struct wk_decision_cpu *from)
{
	const struct wk_decision_idle *i = &from->before;
	struct wk_cpu_state *to = &r->state.cpu[cid];

	fill_bit(&r->state.idle, cid, wk_decision_idle(i));
	fill_bit(&r->state.idle_only, cid, i->nr_running && i->nr_running == i->nr_idle_policy);
	*to = (struct wk_cpu_state){
		.nr_running = i->nr_running,
		.nr_idle_policy = i->nr_idle_policy,
		.nr_delayed = i->nr_delayed,
		.pending = i->pending,
		.load = (u32)from->load,
		.runnable = (u32)from->runnable,
		.util = (u32)(from->util > from->util_est ? from->util : from->util_est),
		.capacity = (u32)from->capacity,
		.exit_ns = (u32)from->exit_ns,
		.idle_since_ns = from->idle_stamp,
	};
}

static void fill_cores(struct wk_replay *r)
{
	const struct wk_topo *t = r->topo;

	for (u32 c = 0; c < t->nr_cids; c++) {
		struct wk_range smt = t->cid[c].smt;
		bool idle = wk_topo_online(t, c);

		for (u32 s = smt.first; s < smt.first + smt.len; s++)
			idle &= !wk_topo_online(t, s) || wk_mask_test(&r->state.idle, s);
		if (c == t->sil[c].core_first)
			fill_bit(&r->state.idle_core, c, idle);
	}
}

static void fill_llc(struct wk_replay *r, s64 cpu, s64 hint, s64 scan)
{
	s32 row = r->topo->cid[cid_of(r, cpu)].llc;

	if (row == WK_NONE)
		return;
	r->state.llc[row].has_idle_core = hint > 0;
	r->state.llc[row].nr_idle_scan = scan > 0 ? (u32)scan : 0;
}

static void fill_tasks(struct wk_replay *r, const struct wk_decision *d)
{
	r->wakee = (struct wk_task){
		.id = 1,
		.prev = (s32)cid_of(r, V(d, PREV)),
		.recent = V(d, RECENT) >= 0 ? (s32)cid_of(r, V(d, RECENT)) : WK_NONE,
		.wakee_flips = (u32)V(d, WAKEE_FLIPS),
		.load = (u32)V(d, LOAD),
		.runnable = (u32)V(d, RUNNABLE),
		.util = (u32)(V(d, UTIL) > V(d, UTIL_EST) ? V(d, UTIL) : V(d, UTIL_EST)),
		.flags = V(d, IDLE_POLICY) ? WK_TASK_IDLE_POLICY : 0,
	};
	r->waker = (struct wk_task){
		.id = 2,
		.prev = (s32)cid_of(r, V(d, CPU)),
		.last_wakee = V(d, SAME) ? 1 : 3,
		.wakee_flips = (u32)V(d, FLIPS),
		.flip_decay_ns = V(d, HALVED) ? 0 : NOW_NS,
		.load = (u32)V(d, WAKER_LOAD),
	};
}

static void fill_request(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus)
{
	bool all = true;

	memset(&r->allowed, 0, sizeof(r->allowed));
	for (u32 cpu = 0; cpu < nr_cpus; cpu++) {
		bool set = (u64)V(d, ALLOWED) >> cpu & 1;

		fill_bit(&r->allowed, cid_of(r, cpu), set);
		all &= set;
	}
	r->req = (struct wk_request){
		.kind = d->kind,
		.context = (u8)V(d, CONTEXT),
		.sync = (u8)V(d, SYNC),
		.waker_cid = cid_of(r, V(d, CPU)),
		.now_ns = NOW_NS,
		.waker = &r->waker,
		.wakee = &r->wakee,
		.allowed = all ? NULL : &r->allowed,
		.nr_allowed = all ? 0 : (u32)V(d, NR_ALLOWED),
	};
}

static void fill(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus)
{
	for (u32 cpu = 0; cpu < nr_cpus; cpu++)
		fill_cpu(r, cid_of(r, cpu), &d->cpu[cpu]);
	fill_cores(r);
	fill_llc(r, V(d, PREV), V(d, PREV_HINT), V(d, PREV_SCAN));
	fill_llc(r, V(d, CPU), V(d, HINT), V(d, SCAN));
	fill_tasks(r, d);
	fill_request(r, d, nr_cpus);
}

/* ---- races ---- */

/* May the decision have read this CPU? */
static bool reads_cpu(const struct wk_replay *r, const struct wk_decision *d, u32 cpu)
{
	u32 cid = cid_of(r, cpu);

	if (d->kind != WK_REQ_WAKE)
		return true;
	return wk_topo_share_llc(r->topo, cid, cid_of(r, V(d, CPU))) ||
	       wk_topo_share_llc(r->topo, cid, cid_of(r, V(d, PREV)));
}

/* Did it come to the comparison of two loads? */
static bool reads_loads(struct wk_replay *r, const struct wk_decision *d)
{
	struct wk_pick pick;
	struct wk_ctx c = {
		.topo = r->topo,
		.state = &r->state,
		.pol = r->pol,
		.req = &r->req,
		.pick = &pick,
	};

	wk_begin(&c);
	if (d->kind != WK_REQ_WAKE)
		return true;
	return (s32)c.w->waker != c.w->prev && wk_want_affine(&c) &&
	       wk_affine_domain(&c) != WK_NONE && wk_affine_idle(&c) == WK_NONE;
}

static bool hint_raced(const struct wk_replay *r, s64 cpu, s64 before, s64 after)
{
	s32 row = r->topo->cid[cid_of(r, cpu)].llc;

	/* What this decision itself has done to the hint is no race. */
	return before != after &&
	       (row == WK_NONE || (after > 0) != (r->state.llc[row].has_idle_core != 0));
}

static bool raced(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus)
{
	bool changed = V(d, SCAN) != V(d, SCAN_AFTER) || V(d, PREV_SCAN) != V(d, PREV_SCAN_AFTER) ||
		       hint_raced(r, V(d, CPU), V(d, HINT), V(d, HINT_AFTER)) ||
		       hint_raced(r, V(d, PREV), V(d, PREV_HINT), V(d, PREV_HINT_AFTER));
	bool loads = reads_loads(r, d);

	for (u32 cpu = 0; cpu < nr_cpus && !changed; cpu++) {
		const struct wk_decision_cpu *c = &d->cpu[cpu];

		if (!reads_cpu(r, d, cpu))
			continue;
		changed = !wk_decision_idle_equal(&c->before, &c->after) ||
			  (loads && c->has_loads && c->load != c->load_after);
	}
	return changed;
}

/* ---- verdicts ---- */

static u8 verdict(bool equal)
{
	return equal ? WK_REPLAY_EQUAL : WK_REPLAY_DIFFERENT;
}

/* The rule of the wake list, by what stood on that CPU when it was asked. */
static u8 queue_verdict(struct wk_replay *r, const struct wk_decision *d)
{
	bool queued;
	u32 cid;

	if (V(d, QUEUE_CPU) < 0)
		return WK_REPLAY_NOT_ASKED;
	cid = cid_of(r, V(d, QUEUE_CPU));
	r->state.cpu[cid].nr_running = (u32)V(d, QUEUE_NR);
	queued = wk_handoff(r->topo, &r->state, r->pol, &r->req, cid) == WK_HANDOFF_QUEUED;
	return verdict(queued == (V(d, QUEUED) != 0));
}

/* recent_used_cpu is written by wake-ups only, and so are the flips. */
static u8 after_verdict(const struct wk_replay *r, const struct wk_decision *d)
{
	s32 recent = r->wakee.recent;

	if (d->kind != WK_REQ_WAKE)
		return WK_REPLAY_NOT_ASKED;
	return verdict((recent == WK_NONE ? -1 : (s32)r->topo->cpu_of[recent]) ==
			       V(d, RECENT_AFTER) &&
		       r->waker.wakee_flips == V(d, FLIPS_AFTER));
}

void wk_replay_decide(struct wk_replay *r, const struct wk_decision *d, u32 nr_cpus,
		      struct wk_replay_result *ret)
{
	fill(r, d, nr_cpus);
	memset(ret, 0, sizeof(*ret));
	wk_pick(r->topo, &r->state, r->pol, &r->req, &ret->pick);
	ret->cpu = ret->pick.cid < 0 ? -1 : (s32)r->topo->cpu_of[ret->pick.cid];
	ret->target = ret->pick.target < 0 ? -1 : (s32)r->topo->cpu_of[ret->pick.target];
	ret->choice = verdict(ret->cpu == V(d, CHOSEN));
	ret->raced = raced(r, d, nr_cpus);
	ret->after = after_verdict(r, d);
	ret->queue = queue_verdict(r, d);
	ret->queue_raced = V(d, QUEUE_NR) != V(d, QUEUE_NR_AFTER);
}

const char *wk_replay_chosen_is(const struct wk_replay *r, const struct wk_decision *d,
				const struct wk_replay_result *result)
{
	u32 cid = cid_of(r, V(d, CHOSEN));
	u32 target = result->pick.target >= 0 ? (u32)result->pick.target : cid;
	bool idle = wk_mask_test(&r->state.idle, cid);

	if (V(d, CHOSEN) == V(d, PREV))
		return idle ? "prev, idle" : "prev, busy";
	if (V(d, CHOSEN) == V(d, CPU))
		return "the waker's CPU";
	if (V(d, CHOSEN) == V(d, RECENT))
		return "the recent CPU";
	if (!wk_topo_share_llc(r->topo, cid, target))
		return idle ? "an idle CPU of another LLC" : "a busy CPU of another LLC";
	if (wk_range_has(r->topo->cid[target].cluster, cid))
		return idle ? "an idle CPU of the cluster" : "a busy CPU of the cluster";
	return idle ? "an idle CPU of the LLC" : "a busy CPU of the LLC";
}
