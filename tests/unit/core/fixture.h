/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One machine, everything on it busy, one waker and one wakee: a test makes idle
 * what it needs, asks once and looks at the answer.
 */
#ifndef WK_TESTS_FIXTURE_H
#define WK_TESTS_FIXTURE_H

#include "core/pick.h"
#include "lab/policy_str.h"
#include "tests/support/test.h"
#include "tests/unit/core/topo_helper.h"

struct fix {
	struct wk_topo *topo;
	struct wk_state *state;
	struct wk_policy pol;
	struct wk_task waker, wakee;
	struct wk_mask allowed;
	struct wk_request req;
	struct wk_pick pick;
};

/* The waker runs on cid @waker, the wakee ran on @prev last and on @recent before. */
static inline void fix_tasks(struct fix *f, u32 waker, s32 prev, s32 recent)
{
	f->req.waker_cid = waker;
	f->wakee.prev = prev;
	f->wakee.recent = recent;
}

static inline void fix_policy(struct fix *f, const char *text)
{
	struct wk_err err = {""};

	if (wk_policy_parse(text, &f->pol, &err))
		fail_msg("%s", err.text);
}

static inline struct fix *fix_create(struct wkt_shape shape, const char *policy)
{
	struct fix *f = calloc(1, sizeof(*f));

	f->topo = wkt_topo(&shape);
	f->state = calloc(1, sizeof(*f->state));
	fix_policy(f, policy);
	for (u32 c = 0; c < f->topo->nr_cids; c++) {
		f->state->cpu[c].nr_running = 2;
		f->state->cpu[c].load = 2048;
		f->state->cpu[c].capacity = 1024;
		if (wk_topo_online(f->topo, c))
			wk_mask_set(&f->state->active, c);
	}
	for (u32 l = 0; l < f->topo->nr_llcs; l++)
		f->state->llc[l].nr_idle_scan = f->topo->llc[l].weight;
	f->waker = (struct wk_task){.id = 1, .weight = 1024, .load = 512, .recent = WK_NONE};
	f->wakee = (struct wk_task){.id = 2, .weight = 1024, .load = 512, .recent = WK_NONE};
	f->req.waker = &f->waker;
	f->req.wakee = &f->wakee;
	fix_tasks(f, 0, 0, WK_NONE);
	return f;
}

static inline void fix_destroy(struct fix *f)
{
	free(f->topo);
	free(f->state);
	free(f);
}

static inline void fix_idle(struct fix *f, u32 cid)
{
	wk_mask_set(&f->state->idle, cid);
	f->state->cpu[cid].nr_running = 0;
	f->state->cpu[cid].load = 0;
}

static inline void fix_busy(struct fix *f, u32 cid)
{
	wk_mask_clear(&f->state->idle, cid);
	f->state->cpu[cid].nr_running = 2;
}

/* The wakee may use the @len cids from @first on, besides what it may already. */
static inline void fix_allow(struct fix *f, u32 first, u32 len)
{
	for (u32 c = first; c < first + len; c++)
		wk_mask_set(&f->allowed, c);
	f->req.allowed = &f->allowed;
	f->req.nr_allowed =
		wk_mask_count_and(&f->allowed, NULL, (struct wk_range){0, f->topo->nr_cids});
}

static inline void fix_pick(struct fix *f)
{
	wk_pick(f->topo, f->state, &f->pol, &f->req, &f->pick);
}

#define assert_pick(f, cid_, why_)                              \
	do {                                                    \
		fix_pick(f);                                    \
		assert_int_equal((f)->pick.why, WK_WHY_##why_); \
		assert_int_equal((f)->pick.cid, cid_);          \
	} while (0)

/* A test is a function on a machine and a policy that it names; the fixture goes with it. */
#define FIX_TEST(name, policy, ...)                                                  \
	static void name##_on(struct fix *f);                                        \
	static void name(void **state)                                               \
	{                                                                            \
		struct fix *f = fix_create((struct wkt_shape){__VA_ARGS__}, policy); \
		(void)state;                                                         \
		name##_on(f);                                                        \
		fix_destroy(f);                                                      \
	}                                                                            \
	static void name##_on(struct fix *f)

#endif
