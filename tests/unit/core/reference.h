/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second, slow model of the whole cascade for wake-ups, written from the
 * description of the variants and with none of the core's search code: CPU
 * numbers instead of rings, an array of candidates instead of ranges, one read at
 * a time instead of counts. Random cases are decided by both.
 *
 * It shares with the core the plain tables (topology, state, policy) and the
 * questions wk_topo_tier(), which has tests of their own.
 * Long because it stands for all of core/ and shares nothing with it. ref.fault
 * makes one of its rules wrong: the comparison must notice each.
 */
#ifndef WK_TESTS_REFERENCE_H
#define WK_TESTS_REFERENCE_H

#include <string.h>

#include "core/policy.h"
#include "core/record.h"
#include "core/state.h"
#include "core/topo.h"

enum ref_fault {
	REF_RIGHT,
	REF_BUDGET,   /* one probe more than the budget */
	REF_START,    /* the walk starts at the target */
	REF_HINT,     /* a wrong hint is not cleared */
	REF_LOCAL,    /* sis_node scans the local LLC twice */
	REF_RECENT,   /* the recent CPU is not replaced */
	REF_AFFINITY, /* step 3 forgets nothing, step 5 forgets the affinity */
	REF_L2,	      /* the hand-off asks for the LLC always */
	REF_KEPT,     /* prev outside the cluster is dropped */
	REF_FAULT_NR
};

struct ref {
	const struct wk_topo *t;
	struct wk_state *s;
	const struct wk_policy *pol;
	const struct wk_request *req;
	struct wk_pick pick;
	int me, prev, target, prev_kept, recent_kept;
	bool cand[WK_MAX_CPUS]; /* by cid: the temporary mask of a scan */
	int nr, spare;
	bool over, prev_read;
	enum ref_fault fault;
};

#define REF_HAS(r, F) ((r)->pol->num[WK_FEAT_##F] != 0)
#define REF_RULES(r)  ((r)->pol->num[WK_FEAT_RULES])

/*
 * The cid that is @n CPU numbers after @cpu, wrapping; -1 for a number without CPU
 * or an offline one.
 */
static inline int ref_wrap(const struct ref *r, u32 cpu, u32 n)
{
	int cid = r->t->cid_of[(cpu + n) % r->t->max_cpu];

	return cid >= 0 && wk_mask_test(&r->t->online, (u32)cid) ? cid : -1;
}

static inline bool ref_free(const struct ref *r, int cid)
{
	return cid >= 0 && wk_mask_test(&r->s->idle, (u32)cid);
}

static inline bool ref_lazy(const struct ref *r, int cid)
{
	if (REF_RULES(r) == 5)
		return false;
	if (REF_RULES(r) == 7 && (r->req->wakee->flags & WK_TASK_IDLE_POLICY))
		return false;
	return wk_mask_test(&r->s->idle_only, (u32)cid);
}

static inline bool ref_idle(const struct ref *r, int cid)
{
	return ref_free(r, cid) || ref_lazy(r, cid);
}

static inline bool ref_big(const struct ref *r, int cid)
{
	if (!r->t->asym || REF_RULES(r) == 5)
		return true;
	return r->req->wakee->util * 1280ULL < r->s->cpu[cid].capacity * 1024ULL;
}

static inline void ref_read(struct ref *r, int cid)
{
	r->pick.probes[wk_topo_tier(r->t, (u32)r->me, (u32)cid)]++;
}

static inline void ref_look(struct ref *r, int cid)
{
	r->pick.scanned++;
	ref_read(r, cid);
}

static inline void ref_look_fast(struct ref *r, int cid)
{
	if (!(r->prev_read && cid == r->prev))
		ref_read(r, cid);
}

static inline bool ref_share(const struct ref *r, int a, int b)
{
	return a == b || (r->t->cid[a].llc >= 0 && r->t->cid[a].llc == r->t->cid[b].llc);
}

static inline bool ref_same_core(const struct ref *r, int a, int b)
{
	return r->t->sil[a].core_first == r->t->sil[b].core_first;
}

static inline bool ref_allows(const struct ref *r, u32 c)
{
	return r->req->nr_allowed == 0 || wk_mask_test(r->req->allowed, c);
}

/* ---- the target ---- */

static inline bool ref_wide(const struct ref *r)
{
	u64 master = r->req->waker->wakee_flips;
	u64 slave = r->req->wakee->wakee_flips, swap;
	u64 factor = r->t->cid[r->me].llc >= 0 ? r->t->llc[r->t->cid[r->me].llc].weight : 1;

	if (master < slave) {
		swap = master;
		master = slave;
		slave = swap;
	}
	return slave >= factor && master >= slave * factor;
}

static inline int ref_affine_weight(const struct ref *r, const struct wk_domain *d)
{
	long long here = r->s->cpu[r->me].load, there = r->s->cpu[r->prev].load;
	long long load = r->req->wakee->load;

	if (r->req->sync) {
		long long now = r->req->waker->load;

		if (now > here)
			return r->me;
		here -= now;
	}
	here += load;
	there -= load;
	if (REF_HAS(r, WA_BIAS)) {
		here *= 100;
		there *= 100 + (d->imbalance_pct - 100) / 2;
	}
	here *= r->s->cpu[r->prev].capacity;
	there *= r->s->cpu[r->me].capacity;
	return here < there + (r->req->sync ? 1 : 0) ? r->me : -1;
}

static inline int ref_affine(struct ref *r, const struct wk_domain *d)
{
	const struct wk_cpu_state *mine = &r->s->cpu[r->me];
	u32 awake = mine->nr_running - (REF_RULES(r) == 7 ? mine->nr_delayed : 0);
	int cid = -1;

	ref_read(r, r->prev);
	r->prev_read = true;
	if (REF_HAS(r, WA_IDLE)) {
		if (ref_free(r, r->me) && ref_share(r, r->me, r->prev))
			cid = ref_free(r, r->prev) ? r->prev : r->me;
		else if (r->req->sync && awake == 1)
			cid = r->me;
		else if (REF_RULES(r) != 5 && ref_free(r, r->prev))
			cid = r->prev;
	}
	if (cid < 0 && REF_HAS(r, WA_WEIGHT))
		cid = ref_affine_weight(r, d);
	return cid == r->me ? r->me : r->prev;
}

static inline bool ref_choose_target(struct ref *r)
{
	bool want = REF_HAS(r, WAKE_AFFINE);

	if (want && REF_HAS(r, WAKE_WIDE) && ref_wide(r)) {
		r->pick.flags |= WK_PICK_WIDE;
		want = false;
	}
	want = want && ref_allows(r, (u32)r->me);
	r->target = r->prev;
	for (u32 i = 0; want && r->me != r->prev && i < r->t->cid[r->me].nr_levels; i++) {
		const struct wk_domain *d = &r->t->domain[r->t->cid[r->me].chain[i]];

		if (!(d->flags & WK_SD_WAKE_AFFINE) || (u32)r->prev < d->span.first ||
		    (u32)r->prev >= d->span.first + d->span.len ||
		    (d->mask >= 0 && !wk_mask_test(&r->t->xmask[d->mask], (u32)r->prev)))
			continue;
		r->target = ref_affine(r, d);
		break;
	}
	if (r->target != r->prev)
		r->pick.flags |= WK_PICK_AFFINE;
	r->pick.target = r->target;
	return want;
}

static inline void ref_record_wakee(const struct ref *r)
{
	struct wk_task *w = r->req->waker;

	if (r->req->now_ns > w->flip_decay_ns + 1000000000) {
		w->wakee_flips /= 2;
		w->flip_decay_ns = r->req->now_ns;
	}
	if (w->last_wakee != r->req->wakee->id) {
		w->wakee_flips++;
		w->last_wakee = r->req->wakee->id;
	}
}

/* ---- the scan of one LLC ---- */

/* The counter; 0 for "do not scan". */
static inline int ref_counter(struct ref *r, int llc, int target, bool hint)
{
	struct wk_cpu_state *me = &r->s->cpu[r->me];
	u64 nr = 0x7fffffff, least = 4, most = 0x7fffffff, idle, cost;

	if (REF_HAS(r, SIS_CORE)) {
		least = r->t->cid[target].smt.len < 2 ? 2 : r->t->cid[target].smt.len;
		most = 2 * least;
	}
	if (REF_HAS(r, SIS_PROP) && (REF_RULES(r) == 5 || !hint)) {
		if (r->t->cid[r->me].llc < 0)
			return 0;
		r->pick.flags |= WK_PICK_TIMED;
		while (REF_RULES(r) > 5 && me->wake_stamp_tick < r->req->now_tick &&
		       me->wake_avg_idle_ns) {
			me->wake_stamp_tick++;
			me->wake_avg_idle_ns /= 2;
		}
		idle = REF_RULES(r) == 5 ? me->avg_idle_ns / 512 : me->wake_avg_idle_ns;
		cost = me->scan_cost_ns + 1;
		nr = least;
		if (r->t->llc[llc].weight * idle > least * cost)
			nr = r->t->llc[llc].weight * idle / cost;
		nr = nr > most ? most : nr;
	}
	if (REF_HAS(r, SIS_UTIL)) {
		nr = r->s->llc[llc].nr_idle_scan + 1ULL;
		if (nr == 1 && r->pick.nr_llcs == 0)
			r->pick.flags |= WK_PICK_ABORTED;
		if (nr == 1)
			return 0;
	}
	if (REF_HAS(r, SIS_CORE))
		nr = nr < least ? least : nr > most ? most : nr;
	return (int)nr;
}

/* Asks for a whole core at @cpu; -1, and its threads are no candidates any more. */
static inline int ref_core(struct ref *r, int at)
{
	bool idle = true;

	for (u32 cpu = 0; cpu < r->t->max_cpu; cpu++) {
		int c = ref_wrap(r, cpu, 0);

		if (c < 0 || !ref_same_core(r, c, at))
			continue;
		ref_look(r, c);
		if (REF_RULES(r) == 5) {
			idle = idle && ref_free(r, c);
			continue;
		}
		if (!ref_free(r, c)) {
			idle = false;
			if (r->spare != -1)
				break;
			if (!ref_lazy(r, c) || !r->cand[c])
				continue;
			r->spare = c;
			break;
		}
		if (r->spare == -1 && r->cand[c])
			r->spare = c;
	}
	if (idle)
		return at;
	for (u32 c = 0; c < r->t->nr_cids; c++)
		if (ref_same_core(r, (int)c, at))
			r->cand[c] = false;
	return -1;
}

/* False: the budget is used up. @cluster: that walk ends at zero or less, whatever the policy. */
static inline bool ref_charge(struct ref *r, bool cluster)
{
	bool more;

	r->nr--;
	if (cluster && REF_HAS(r, CLUSTER_OVERRUN))
		return true;
	if (REF_HAS(r, BUDGET_EQ) && !cluster)
		more = r->nr != 0;
	else
		more = r->nr > 0;
	if (r->fault == REF_BUDGET)
		more = r->nr >= 0;
	r->over = !more;
	return more;
}

static inline u8 ref_scan_start(struct ref *r, int llc, int target, u32 *cpu)
{
	u32 next = r->s->cpu[target].scan_next;
	bool at = REF_RULES(r) == 5 || r->fault == REF_START;

	*cpu = r->t->cpu_of[target] + (at ? 0 : 1);
	if (!REF_HAS(r, WINDOW) || !next || next > r->t->llc[llc].weight)
		return 0;
	/* the next-th CPU of the LLC by number */
	for (u32 n = 0; n < r->t->max_cpu; n++) {
		int c = ref_wrap(r, n, 0);

		if (c >= 0 && r->t->cid[c].llc == llc && --next == 0)
			*cpu = n;
	}
	return 1;
}

static inline void ref_remember(struct ref *r, int llc, int target, int visited)
{
	u32 place = 0;

	if (!REF_HAS(r, WINDOW))
		return;
	for (u32 n = 0; n <= r->t->cpu_of[visited]; n++) {
		int c = ref_wrap(r, n, 0);

		place += c >= 0 && r->t->cid[c].llc == llc;
	}
	r->s->cpu[target].scan_next = place;
}

/* Walks for an idle CPU with the counter. In 5.2 a forbidden CPU costs as well. */
static inline int ref_walk(struct ref *r, int llc, int target)
{
	bool forbidden_costs = REF_RULES(r) == 5 && !REF_HAS(r, SIBLINGS_FIRST);
	u32 cpu;

	ref_scan_start(r, llc, target, &cpu);
	for (u32 n = 0; n < r->t->max_cpu; n++) {
		int c = ref_wrap(r, cpu, n);

		if (c < 0 || r->t->cid[c].llc != llc || (!r->cand[c] && !forbidden_costs))
			continue;
		ref_remember(r, llc, target, c);
		if (!ref_charge(r, false))
			return -1;
		if (!r->cand[c])
			continue;
		ref_look(r, c);
		if (ref_idle(r, c))
			return c;
	}
	return -1;
}

static inline int ref_walk_cores(struct ref *r, int llc, int target, bool *ret_core)
{
	u32 cpu = r->t->cpu_of[target] + (REF_RULES(r) > 5);

	for (u32 n = 0; n < r->t->max_cpu; n++) {
		int c = ref_wrap(r, cpu, n);

		if (c < 0 || r->t->cid[c].llc != llc || !r->cand[c])
			continue;
		if (ref_core(r, c) >= 0) {
			*ret_core = true;
			return c;
		}
		if (REF_RULES(r) != 5)
			continue;
		/* 5.2 takes the core out before it knows */
		for (u32 s = 0; s < r->t->nr_cids; s++)
			if (ref_same_core(r, (int)s, c))
				r->cand[s] = false;
	}
	if (r->fault != REF_HINT)
		r->s->llc[llc].has_idle_core = 0;
	return r->spare;
}

static inline int ref_siblings(struct ref *r, int target)
{
	u32 first = r->t->sil[target].core_first, len = r->t->sil[target].core_len;

	if (!REF_HAS(r, SIBLINGS_FIRST))
		return -1;
	for (u32 n = 0; n < len; n++) {
		u32 c = first + ((u32)target - first + n) % len;

		if (!wk_mask_test(&r->t->online, c))
			continue;
		ref_look(r, (int)c);
		if (ref_idle(r, (int)c))
			return (int)c;
	}
	for (u32 c = first; c < first + len; c++)
		r->cand[c] = false;
	return -1;
}

static inline int ref_cluster(struct ref *r, int llc, int target, bool hint, bool *ret_core)
{
	struct wk_range k = r->t->cid[target].cluster;
	u32 cpu = r->t->cpu_of[target] + (r->fault == REF_START ? 0 : 1);

	if (!REF_HAS(r, CLUSTER_SCAN) || !r->t->cluster_active || !r->t->llc[llc].cluster_scan)
		return -1;
	for (u32 n = 0; n < r->t->max_cpu; n++) {
		int c = ref_wrap(r, cpu, n);

		if (c < 0 || (u32)c < k.first || (u32)c >= k.first + k.len || !r->cand[c])
			continue;
		if (hint) {
			if (ref_core(r, c) >= 0) {
				*ret_core = true;
				return c;
			}
			continue;
		}
		if (!ref_charge(r, true))
			return -1;
		ref_look(r, c);
		if (ref_idle(r, c))
			return c;
	}
	for (u32 c = k.first; c < k.first + k.len; c++)
		r->cand[c] = false;
	return -1;
}

static inline bool ref_hint(const struct ref *r, int llc)
{
	return r->t->has_smt && REF_HAS(r, IDLE_CORE) && !REF_HAS(r, SIS_CORE) && llc >= 0 &&
	       r->s->llc[llc].has_idle_core;
}

static inline int ref_scan_parts(struct ref *r, int llc, int target, bool hint)
{
	bool core = false;
	int c;

	if (REF_RULES(r) == 5 && hint) {
		c = ref_walk_cores(r, llc, target, &core);
		r->pick.why = WK_WHY_IDLE_CORE;
		if (c >= 0)
			return c;
		for (u32 i = 0; i < r->t->nr_cids; i++)
			r->cand[i] = r->t->cid[i].llc == llc && ref_allows(r, i);
	}
	c = ref_siblings(r, target);
	r->pick.why = WK_WHY_TARGET_SIBLING;
	if (c >= 0)
		return c;
	if (REF_RULES(r) > 5) {
		c = ref_cluster(r, llc, target, hint, &core);
		r->pick.why = core ? WK_WHY_CLUSTER_CORE : WK_WHY_CLUSTER_IDLE;
		if (c >= 0 || r->over)
			return c;
	}
	if (REF_RULES(r) > 5 && hint)
		c = ref_walk_cores(r, llc, target, &core);
	else
		c = ref_walk(r, llc, target);
	r->pick.why = core ? WK_WHY_IDLE_CORE : WK_WHY_LLC_IDLE;
	return c;
}

static inline int ref_scan(struct ref *r, int target, bool hint)
{
	int llc = r->t->cid[target].llc, c;

	r->nr = ref_counter(r, llc, target, hint);
	if (r->pick.nr_llcs == 0 && r->pick.budget == 0xffffffff && r->nr != 0x7fffffff)
		r->pick.budget = r->nr ? (u32)r->nr - 1 : 0;
	if (!r->nr)
		return -1;
	r->pick.nr_llcs++;
	r->spare = -1;
	r->over = false;
	for (u32 i = 0; i < r->t->nr_cids; i++)
		r->cand[i] = r->t->cid[i].llc == llc && ref_allows(r, i);
	c = ref_scan_parts(r, llc, target, hint);
	if (r->over)
		r->pick.flags |= WK_PICK_EXHAUSTED;
	return c;
}

/* ---- the other LLCs ---- */

static inline bool ref_is_pair(const struct ref *r)
{
	const struct wk_task *a = r->req->waker, *b = r->req->wakee;

	return a->last_wakee == b->id && b->last_wakee == a->id && a->wakee_flips == 0 &&
	       b->wakee_flips == 0;
}

static inline bool ref_skips(const struct ref *r, const struct wk_group *g)
{
	u32 off = (u32)r->target - g->span.first;

	if (r->fault == REF_LOCAL)
		return false;
	if (REF_HAS(r, SKIPLOCAL) && off < g->span.len)
		return true;
	if (REF_HAS(r, PTR))
		return (int)g->first_cid == r->target;
	return r->t->cid[g->first_cid].llc == r->t->cid[r->target].llc;
}

static inline int ref_node(struct ref *r)
{
	const struct wk_llc *l = &r->t->llc[r->t->cid[r->target].llc];
	u32 limit = r->pol->num[WK_FEAT_LIMIT];

	if (!REF_HAS(r, SIS_NODE) || l->parent < 0 || (r->t->domain[l->parent].flags & WK_SD_NUMA))
		return -1;
	if (REF_HAS(r, NEED_FLAG) &&
	    (l->domain < 0 || !(r->t->domain[l->domain].flags & WK_SD_IDLE_SIBLING)))
		return -1;
	if (REF_HAS(r, PAIR) && ref_is_pair(r))
		return -1;
	for (u32 n = 0; n < r->t->domain[l->parent].groups.len; n++) {
		struct wk_range ring = r->t->domain[l->parent].groups;
		const struct wk_group *g =
			&r->t->group[ring.first + (l->local_group + n) % ring.len];
		int c;

		if (ref_skips(r, g))
			continue;
		if (r->t->cid[g->first_cid].llc < 0 && REF_HAS(r, NULLCHECK))
			continue;
		if (r->t->cid[g->first_cid].llc < 0) {
			r->pick.why = WK_WHY_CRASH;
			return r->target;
		}
		c = ref_scan(r, (int)g->first_cid, ref_hint(r, r->t->cid[g->first_cid].llc));
		if (c >= 0) {
			bool core = r->pick.why == WK_WHY_IDLE_CORE ||
				    r->pick.why == WK_WHY_CLUSTER_CORE;

			r->pick.why = core ? WK_WHY_OTHER_CORE : WK_WHY_OTHER_IDLE;
			return c;
		}
		if (limit && --limit == 0)
			return -1;
	}
	return -1;
}

/* ---- the cascade ---- */

static inline int ref_smt(struct ref *r, int of, bool self)
{
	for (u32 cpu = 0; cpu < r->t->max_cpu; cpu++) {
		int c = ref_wrap(r, cpu, 0);

		if (c < 0 || !ref_same_core(r, c, of) || (c == of && !self) ||
		    !ref_allows(r, (u32)c) || r->t->cid[c].llc != r->t->cid[r->target].llc)
			continue;
		ref_look(r, c);
		if (ref_idle(r, c))
			return c;
	}
	return -1;
}

/* Clusters are asked about here only where the policy does, and a cluster lives. */
static inline bool ref_at_once(const struct ref *r, int c)
{
	return !REF_HAS(r, CLUSTER_SCAN) || !r->t->cluster_active || c == r->target ||
	       r->t->cid[c].share_id == r->t->cid[r->target].share_id;
}

static inline int ref_capacity(struct ref *r, bool *ret_ends)
{
	const struct wk_domain *d = NULL;
	u32 best_cap = 0;
	int best = -1;

	for (u32 i = 0; !d && i < r->t->cid[r->target].nr_levels; i++) {
		d = &r->t->domain[r->t->cid[r->target].chain[i]];
		if (!(d->flags & WK_SD_ASYM_CPUCAPACITY_FULL))
			d = NULL;
	}
	if (!d || !r->t->asym || REF_RULES(r) == 5)
		return -1;
	*ret_ends = true;
	r->pick.flags |= WK_PICK_DOMAIN_SEARCH;
	for (u32 n = 0; n < r->t->max_cpu; n++) {
		int c = ref_wrap(r, r->t->cpu_of[r->target], n);

		if (c < 0 || !wk_range_has(d->span, (u32)c) || !ref_allows(r, (u32)c))
			continue;
		ref_look(r, c);
		if (!ref_idle(r, c))
			continue;
		if (ref_big(r, c))
			return c;
		if (r->s->cpu[c].capacity > best_cap) {
			best_cap = r->s->cpu[c].capacity;
			best = c;
		}
	}
	return best;
}

/* Steps 2 to 5. */
static inline int ref_fast(struct ref *r)
{
	struct wk_task *p = r->req->wakee;
	int recent = p->recent;

	ref_look_fast(r, r->target);
	r->pick.why = WK_WHY_TARGET_IDLE;
	if (ref_idle(r, r->target) && ref_big(r, r->target))
		return r->target;

	r->pick.why = WK_WHY_PREV_IDLE;
	if (r->prev != r->target && ref_share(r, r->prev, r->target)) {
		ref_look_fast(r, r->prev);
		if (ref_idle(r, r->prev) && ref_big(r, r->prev)) {
			if (ref_at_once(r, r->prev))
				return r->prev;
			if (r->fault != REF_KEPT)
				r->prev_kept = r->prev;
		}
	}

	r->pick.why = WK_WHY_KTHREAD_STACK;
	if (REF_RULES(r) != 5 && r->req->context == WK_CTX_KTHREAD && r->prev == r->me &&
	    r->s->cpu[r->me].nr_running <= 1 && ref_big(r, r->prev))
		return r->prev;

	r->pick.why = WK_WHY_RECENT_IDLE;
	if (REF_RULES(r) != 5 && r->fault != REF_RECENT)
		p->recent = r->prev;
	if (recent < 0 || recent == r->prev || recent == r->target ||
	    !ref_share(r, recent, r->target))
		return -1;
	ref_look_fast(r, recent);
	if (!ref_idle(r, recent) || !ref_big(r, recent) ||
	    (!ref_allows(r, (u32)recent) && r->fault != REF_AFFINITY))
		return -1;
	if (REF_RULES(r) == 5)
		p->recent = r->prev;
	if (ref_at_once(r, recent))
		return recent;
	r->recent_kept = recent;
	return -1;
}

static inline int ref_last(struct ref *r)
{
	int kept[2] = {r->prev_kept, r->recent_kept};

	for (int i = 0; i < 2; i++) {
		if (kept[i] < 0)
			continue;
		r->pick.why = i ? WK_WHY_RECENT_FALLBACK : WK_WHY_PREV_FALLBACK;
		if (!REF_HAS(r, RECHECK))
			return kept[i];
		ref_look_fast(r, kept[i]);
		if (ref_idle(r, kept[i]))
			return kept[i];
	}
	return -1;
}

/* Steps 7 to 12. */
static inline int ref_in_llc(struct ref *r)
{
	int llc = r->t->cid[r->target].llc, c;
	bool hint = ref_hint(r, llc);

	if (llc < 0 || r->t->llc[llc].domain < 0)
		return -1;
	r->pick.flags |= WK_PICK_DOMAIN_SEARCH;
	if (REF_RULES(r) != 5 && r->t->has_smt && !hint && ref_share(r, r->prev, r->target)) {
		r->pick.why = WK_WHY_PREV_SIBLING;
		c = ref_smt(r, r->prev, false);
		if (c >= 0)
			return c;
	}
	c = ref_scan(r, r->target, hint);
	if (c >= 0)
		return c;
	if (REF_RULES(r) == 5 && r->t->has_smt) {
		r->pick.why = WK_WHY_TARGET_SIBLING;
		c = ref_smt(r, r->target, true);
		if (c >= 0)
			return c;
	}
	c = ref_node(r);
	return c >= 0 ? c : ref_last(r);
}

static inline int ref_select(struct ref *r)
{
	bool ends = false;
	int c;

	r->pick.flags |= WK_PICK_SEARCH;
	r->pick.scanned = 1;
	c = ref_fast(r);
	if (c >= 0)
		return c;
	c = ref_capacity(r, &ends);
	r->pick.why = WK_WHY_ASYM_FIT;
	if (c >= 0)
		return c;
	if (!ends) {
		c = ref_in_llc(r);
		if (c >= 0)
			return c;
	}
	r->pick.flags |= WK_PICK_FAILED;
	r->pick.why = WK_WHY_TARGET_BUSY;
	return r->target;
}

/* ---- the hand-off ---- */

static inline bool ref_near(const struct ref *r, int c)
{
	struct wk_range l2 = r->t->cid[r->me].l2;
	u32 which = r->pol->num[WK_FEAT_QUEUED_L2];

	if (r->fault == REF_L2)
		which = 0;
	if (which)
		return c == r->me ||
		       (l2.len ? (u32)c - l2.first < l2.len : which == 1 && ref_share(r, r->me, c));
	if (REF_HAS(r, WAKELIST_NODE))
		return r->t->sil[r->me].node == r->t->sil[c].node;
	return ref_share(r, r->me, c);
}

static inline u8 ref_handoff(const struct ref *r, int c)
{
	u8 lock = c == r->me ? WK_HANDOFF_LOCAL : WK_HANDOFF_DIRECT;

	if (!wk_mask_test(&r->s->active, (u32)c) || !ref_allows(r, (u32)c))
		return lock;
	if (!ref_near(r, c))
		return WK_HANDOFF_QUEUED;
	if (c != r->me && REF_RULES(r) != 5 && r->s->cpu[c].nr_running == 0)
		return WK_HANDOFF_QUEUED;
	return lock;
}

static inline int ref_fallback(struct ref *r)
{
	r->pick.why = WK_WHY_NOT_ALLOWED;
	for (int any = 0; any < 2; any++)
		for (u32 cpu = 0; cpu < r->t->max_cpu; cpu++) {
			int c = r->t->cid_of[cpu];

			if (c >= 0 && wk_mask_test(&r->s->active, (u32)c) &&
			    ref_allows(r, (u32)c) &&
			    (any || r->t->sil[c].node == r->t->sil[r->prev].node))
				return c;
		}
	return r->prev;
}

/* The answer of the reference to a wake-up; the state and the tasks change as the core's do. */
static inline void ref_pick(struct ref *r)
{
	struct wk_task *p = r->req->wakee;
	bool want;
	int c;

	memset(&r->pick, 0, sizeof(r->pick));
	r->pick.budget = 0xffffffff;
	r->me = (int)r->req->waker_cid;
	r->prev = p->prev;
	r->prev_kept = r->recent_kept = -1;
	r->prev_read = false;
	r->pick.target = r->prev;
	if (r->req->wakee_on_cpu && REF_RULES(r) != 5 &&
	    ref_handoff(r, r->prev) == WK_HANDOFF_QUEUED) {
		r->pick.cid = r->prev;
		r->pick.why = WK_WHY_ON_CPU;
		r->pick.handoff = WK_HANDOFF_QUEUED;
		return;
	}
	r->pick.why = WK_WHY_PINNED;
	if (p->flags & WK_TASK_MIGRATION_DISABLED) {
		c = r->prev;
	} else if (r->req->nr_allowed == 1) {
		c = 0;
		while (!wk_mask_test(r->req->allowed, (u32)c))
			c++;
	} else {
		ref_record_wakee(r);
		want = ref_choose_target(r);
		c = ref_select(r);
		if (REF_RULES(r) == 5 && want)
			r->req->waker->recent = r->me;
	}
	if (r->pick.why != WK_WHY_CRASH &&
	    (!wk_mask_test(&r->s->active, (u32)c) || !ref_allows(r, (u32)c)))
		c = ref_fallback(r);
	r->pick.cid = c;
	r->pick.handoff = ref_handoff(r, c);
}

#endif
