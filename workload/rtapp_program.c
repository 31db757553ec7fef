// SPDX-License-Identifier: GPL-2.0-only
/* From a task's JSON object to the program of one of its threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "workload/models.h"
#include "workload/rtapp_priv.h"
#include "workload/suggest.h"

enum { OF_TASK = 1, OF_PHASE = 2 };

/* Keys that are no events, by where they may stand. */
static const struct setting {
	const char *key;
	u32 where;
} settings[] = {
#define RTAPP_KEY(where, id, key, use, sentence) WHERE_##where(key)
#define WHERE_GLOBAL(key)
#define WHERE_TASK(key)	 {key, OF_TASK},
#define WHERE_PHASE(key) {key, OF_TASK | OF_PHASE},
#include "workload/rtapp.def"
};

/*
 * The kernel's sched_prio_to_weight is 1024 / 1.25^nice, rounded here and there by hand so that
 * ratios stay near; this is the formula, in integers.
 */
u32 wk_nice_weight(s32 nice)
{
	u64 up = 1, down = 1;

	for (s32 i = nice; i < 0; i++) {
		up *= 5;
		down *= 4;
	}
	for (s32 i = 0; i < nice; i++) {
		up *= 4;
		down *= 5;
	}
	return (u32)((1024 * up + down / 2) / down);
}

static int read_cpus(struct rtapp *rt, u32 node, s32 *ret_row)
{
	struct wk_mask mask = {{0}};

	if (rt->json.node[node].kind != WK_JSON_ARRAY || !rt->json.node[node].first)
		return wk_rtapp_fail(rt, node, "expected an array of CPU numbers");
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		s64 cpu;

		if (wk_rtapp_visit(rt, i) || wk_rtapp_number(rt, i, 0, WK_MAX_CPUS - 1, &cpu))
			return -EINVAL;
		wk_mask_set(&mask, (u32)cpu);
	}
	*ret_row = (s32)wk_build_affinity(&rt->b, &mask);
	return 0;
}

static int every_cpu(struct rtapp *rt)
{
	struct wk_mask mask;

	memset(&mask, 0xff, sizeof(mask));
	return (int)wk_build_affinity(&rt->b, &mask);
}

/* Real-time classes are not modelled: they weigh as much as the fair class can give. */
static bool is_realtime(const char *policy)
{
	return !strcmp(policy, "SCHED_FIFO") || !strcmp(policy, "SCHED_RR");
}

static int read_policy(struct rtapp *rt, u32 node, const char *policy, struct wk_wtask *t)
{
	t->flags = 0;
	if (!strcmp(policy, "SCHED_BATCH"))
		t->flags = WK_WTASK_BATCH;
	else if (!strcmp(policy, "SCHED_IDLE"))
		t->flags = WK_WTASK_IDLE_POLICY;
	else if (strcmp(policy, "SCHED_OTHER") && !is_realtime(policy))
		return wk_rtapp_fail(rt, node, "unsupported policy '%.40s'", policy);
	return 0;
}

int wk_rtapp_sched(struct rtapp *rt, u32 node, struct wk_wtask *t)
{
	u32 policy_node = wk_json_get(&rt->json, node, "policy");
	u32 cpus = wk_json_get(&rt->json, node, "cpus");
	const char *policy = rt->default_policy;
	s64 nice = 0;

	if (policy_node && wk_rtapp_string(rt, policy_node, &policy))
		return -EINVAL;
	if (read_policy(rt, policy_node ? policy_node : node, policy, t))
		return -EINVAL;
	if (is_realtime(policy)) {
		if (wk_rtapp_get_number(rt, node, "priority", 1, 99, &nice))
			return -EINVAL;
		nice = -20;
	} else if (wk_rtapp_get_number(rt, node, "priority", -20, 19, &nice)) {
		return -EINVAL;
	}
	t->weight = wk_nice_weight((s32)nice);
	if (t->flags & WK_WTASK_IDLE_POLICY)
		t->weight = 3; /* the kernel's WEIGHT_IDLEPRIO */
	return cpus ? read_cpus(rt, cpus, &t->affinity) : 0;
}

static const struct setting *find_setting(const char *key)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (!strcmp(settings[i].key, key))
			return &settings[i];
	return NULL;
}

static int unknown_key(struct rtapp *rt, u32 node, u32 where)
{
	struct wk_suggest near = {.word = wk_json_key(&rt->json, node)};
	char did_you_mean[80];

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (settings[i].where & where)
			wk_suggest_offer(&near, settings[i].key);
	wk_rtapp_offer_events(&near);
	return wk_rtapp_fail(rt, node, "unsupported event%s", wk_suggest_text(&near, did_you_mean));
}

/* Every key is an event or a setting that may stand here, or else the file is not what we think. */
static int check_keys(struct rtapp *rt, u32 node, u32 where, bool events)
{
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		const char *key = wk_json_key(&rt->json, i);
		const struct setting *setting = find_setting(key);

		if (wk_rtapp_push(rt, i) || wk_rtapp_visit(rt, i))
			return -EINVAL;
		if (setting && !(setting->where & where))
			return wk_rtapp_fail(rt, i, "unsupported in a phase");
		if (!setting && !wk_rtapp_is_event(key))
			return unknown_key(rt, i, where);
		if (!setting && !events)
			return wk_rtapp_fail(rt, i, "unsupported event beside phases");
		wk_rtapp_pop(rt);
	}
	return 0;
}

static int read_loop(struct rtapp *rt, u32 node, s64 *loop)
{
	return wk_rtapp_get_number(rt, node, "loop", -1, 1LL << 40, loop);
}

static void begin_loop(struct rtapp *rt, s64 loop)
{
	if (loop != 1)
		wk_build_loop(&rt->b, loop < 0 ? 0 : (u64)loop);
}

/* Says here, where the path is known, what the check of the workload would say later. */
static int end_loop(struct rtapp *rt, u32 node, s64 loop, u32 begin)
{
	const struct wk_workload *w = rt->b.w;
	u32 at = begin;

	if (loop == 1 || rt->b.failed)
		return 0;
	while (at < w->nr_ops && !wk_op_takes_time(&w->op[at]))
		at++;
	if (at == w->nr_ops)
		return wk_rtapp_fail(rt, node, "a loop in which no time passes");
	wk_build_end(&rt->b);
	rt->endless |= loop < 0;
	return 0;
}

static u32 here(const struct rtapp *rt)
{
	return rt->b.failed ? 0 : rt->b.w->nr_ops;
}

static int write_events(struct rtapp *rt, u32 node)
{
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		if (!wk_rtapp_is_event(wk_json_key(&rt->json, i)))
			continue;
		if (wk_rtapp_push(rt, i) || wk_rtapp_visit(rt, i) || wk_rtapp_event(rt, i))
			return -EINVAL;
		wk_rtapp_pop(rt);
	}
	return 0;
}

/* What a phase changes for its time: CPUs go back to the task's own where it names none. */
static int write_phase_sched(struct rtapp *rt, u32 node)
{
	struct wk_wtask t = {.affinity = rt->affinity};
	u32 policy = wk_json_get(&rt->json, node, "policy");

	if (wk_rtapp_sched(rt, node, &t))
		return -EINVAL;
	if (policy && t.flags)
		return wk_rtapp_fail(rt, policy, "unsupported in a phase");
	if (policy || wk_json_get(&rt->json, node, "priority"))
		wk_build_op(&rt->b, WK_OP_WEIGHT, 0, t.weight, 0);
	if (rt->sets_cpus)
		wk_build_op(&rt->b, WK_OP_AFFINITY, 0,
			    t.affinity == WK_NONE ? (u32)every_cpu(rt) : (u32)t.affinity, 0);
	return 0;
}

/* Phase or, where there are none, the task itself: its events once. */
static int write_phase(struct rtapp *rt, u32 node, bool is_phase)
{
	bool outer = rt->in_loop;
	s64 loop = 1;
	u32 begin;

	if (is_phase && read_loop(rt, node, &loop))
		return -EINVAL;
	if (!loop)
		return 0;
	if (is_phase && write_phase_sched(rt, node))
		return -EINVAL;
	rt->in_loop |= loop != 1;
	begin = here(rt);
	begin_loop(rt, loop);
	if (write_events(rt, node))
		return -EINVAL;
	wk_build_op(&rt->b, WK_OP_COUNT, SLOT_PHASES, 0, 1);
	if (end_loop(rt, node, loop, begin))
		return -EINVAL;
	rt->in_loop = outer;
	return 0;
}

/* Whether any phase names CPUs decides if every phase has to set them. */
static int check_phases(struct rtapp *rt, u32 phases)
{
	if (rt->json.node[phases].kind != WK_JSON_OBJECT)
		return wk_rtapp_fail(rt, phases, "expected an object");
	for (u32 i = rt->json.node[phases].first; i; i = rt->json.node[i].next) {
		if (wk_rtapp_push(rt, i))
			return -EINVAL;
		if (rt->json.node[i].kind != WK_JSON_OBJECT)
			return wk_rtapp_fail(rt, i, "expected an object");
		if (check_keys(rt, i, OF_PHASE, true))
			return -EINVAL;
		rt->sets_cpus |= wk_json_get(&rt->json, i, "cpus") != 0;
		wk_rtapp_pop(rt);
	}
	return 0;
}

static int write_phases(struct rtapp *rt, u32 phases)
{
	if (wk_rtapp_push(rt, phases) || check_phases(rt, phases))
		return -EINVAL;
	for (u32 i = rt->json.node[phases].first; i; i = rt->json.node[i].next) {
		if (wk_rtapp_push(rt, i) || wk_rtapp_visit(rt, i) || write_phase(rt, i, true))
			return -EINVAL;
		wk_rtapp_pop(rt);
	}
	wk_rtapp_pop(rt);
	return 0;
}

static int write_delay(struct rtapp *rt, u32 node)
{
	s64 us = 0;

	if (wk_rtapp_get_number(rt, node, "delay", 0, RTAPP_MAX_US, &us))
		return -EINVAL;
	if (us)
		wk_build_op(&rt->b, WK_OP_SLEEP, 0, 0, (u64)us * WK_NS_PER_US);
	return 0;
}

static int write_body(struct rtapp *rt, u32 node)
{
	u32 phases = wk_json_get(&rt->json, node, "phases"), begin;
	s64 loop = -1;

	if (check_keys(rt, node, OF_TASK, !phases) || read_loop(rt, node, &loop) ||
	    write_delay(rt, node))
		return -EINVAL;
	rt->in_loop = loop != 1;
	begin = here(rt);
	if (loop) {
		begin_loop(rt, loop);
		if (phases ? write_phases(rt, phases) : write_phase(rt, node, false))
			return -EINVAL;
		wk_build_op(&rt->b, WK_OP_COUNT, SLOT_LOOPS, 0, 1);
		return end_loop(rt, node, loop, begin);
	}
	wk_build_op(&rt->b, WK_OP_YIELD, 0, 0, 0); /* a program has operations */
	return 0;
}

/* The thread before it has the same program: take that, and be one more member of its barriers. */
static int share_program(struct rtapp *rt, u32 thread, u32 node)
{
	wk_build_share(&rt->b, thread, thread - 1);
	for (u32 i = 0; i < rt->nr_barriers && !rt->b.failed; i++) {
		if (wk_rtapp_visit(rt, node))
			return -EINVAL;
		rt->b.w->obj[rt->barrier[i]].count++;
	}
	return 0;
}

int wk_rtapp_program(struct rtapp *rt, u32 thread)
{
	u32 which = rt->thread_task[thread];

	if (thread > 1 && rt->thread_task[thread - 1] == which && !rt->own_program)
		return share_program(rt, thread, rt->task[which].node);
	rt->thread = thread;
	rt->memory = 0;
	rt->own_program = false;
	rt->nr_barriers = 0;
	rt->sets_cpus = false;
	rt->affinity = rt->task[which].proto.affinity;
	rt->nr_path = 0;
	rt->path[rt->nr_path++] = "tasks";
	wk_build_program(&rt->b, thread);
	if (wk_rtapp_push(rt, rt->task[which].node))
		return -EINVAL;
	return write_body(rt, rt->task[which].node);
}
