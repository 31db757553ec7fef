// SPDX-License-Identifier: GPL-2.0-only
/* One event of an rt-app file: one operation or two. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "workload/models.h"
#include "workload/rtapp_priv.h"

/* Assumed: one write() to /dev/null. */
#define NULL_WRITE_NS 300

enum event {
#define RTAPP_EVENT(id, key, sentence) EVENT_##id,
#include "workload/rtapp.def"
	EVENT_NR
};

static const char *const keys[] = {
#define RTAPP_EVENT(id, key, sentence) key,
#include "workload/rtapp.def"
};

/* An event's key, with at most a number behind it. The longest name wins: runtime before run. */
static enum event find_event(const char *key)
{
	enum event found = EVENT_NR;
	size_t best = 0;

	for (u32 i = 0; i < EVENT_NR; i++) {
		size_t len = strlen(keys[i]);

		if (len > best && !strncmp(keys[i], key, len) &&
		    (!key[len] || strspn(key + len, "0123456789_-") == strlen(key + len))) {
			found = (enum event)i;
			best = len;
		}
	}
	return found;
}

bool wk_rtapp_is_event(const char *key)
{
	return find_event(key) != EVENT_NR;
}

void wk_rtapp_offer_events(struct wk_suggest *near)
{
	for (u32 i = 0; i < EVENT_NR; i++)
		wk_suggest_offer(near, keys[i]);
}

/* A barrier has as many members as threads use it. Those that share this program join later. */
static bool join_barrier(struct rtapp *rt, u32 obj)
{
	u32 *grown = reallocarray(rt->barrier, rt->nr_barriers + 1, sizeof(*grown));

	if (!grown)
		return false;
	rt->barrier = grown;
	rt->barrier[rt->nr_barriers++] = obj;
	if (!rt->b.failed)
		rt->b.w->obj[obj].count++;
	return true;
}

/* An object is made by its first use. Different kinds may have the same name. */
static int object(struct rtapp *rt, u32 node, enum wk_obj_kind kind, const char *name, u32 *ret)
{
	bool is_new;
	struct wk_name *entry = wk_names_get(&rt->names, kind, name, &is_new);

	if (!entry)
		return wk_rtapp_fail(rt, node, "out of memory");
	if (is_new)
		entry->value = wk_build_obj(&rt->b, kind, 0, 0);
	if (kind == WK_OBJ_BARRIER && entry->mark != rt->thread) {
		entry->mark = rt->thread;
		if (!join_barrier(rt, entry->value))
			return wk_rtapp_fail(rt, node, "out of memory");
	}
	*ret = entry->value;
	return 0;
}

/* The object that the event's value names: a string, or an object with "ref". */
static int named(struct rtapp *rt, u32 node, enum wk_obj_kind kind, u32 *ret)
{
	u32 ref = node;
	const char *name;

	if (rt->json.node[node].kind == WK_JSON_OBJECT && wk_rtapp_member(rt, node, "ref", &ref))
		return -EINVAL;
	return wk_rtapp_string(rt, ref, &name) ? -EINVAL : object(rt, node, kind, name, ret);
}

static void after_sleep(struct rtapp *rt)
{
	wk_build_op(&rt->b, WK_OP_LAT_WAKE, SLOT_WAKEUP, 0, 0);
	rt->sleeps = true;
}

static int simple(struct rtapp *rt, u32 node, enum wk_obj_kind kind, enum wk_op_code code)
{
	u32 obj = 0;

	if (named(rt, node, kind, &obj))
		return -EINVAL;
	wk_build_op(&rt->b, code, 0, obj, 0);
	if (code == WK_OP_BARRIER)
		after_sleep(rt);
	return 0;
}

/* RUN, SPIN or SLEEP for so many microseconds; nothing for 0. */
static int lasting(struct rtapp *rt, u32 node, enum wk_op_code code)
{
	s64 us;

	if (wk_rtapp_number(rt, node, 0, RTAPP_MAX_US, &us))
		return -EINVAL;
	if (!us)
		return 0;
	wk_build_op(&rt->b, code, 0, 0, (u64)us * WK_NS_PER_US);
	if (code == WK_OP_SLEEP)
		after_sleep(rt);
	return 0;
}

static int wait_on(struct rtapp *rt, u32 node, bool signal_first)
{
	u32 cond = 0, mutex = 0, member;
	const char *name;

	if (wk_rtapp_member(rt, node, "mutex", &member) || wk_rtapp_string(rt, member, &name) ||
	    object(rt, node, WK_OBJ_MUTEX, name, &mutex) || named(rt, node, WK_OBJ_COND, &cond))
		return -EINVAL;
	if (mutex > 0xffff)
		return wk_rtapp_fail(rt, node, "more than 65536 objects before this mutex");
	if (signal_first)
		wk_build_op(&rt->b, WK_OP_COND_SIGNAL, 0, cond, 0);
	wk_build_op(&rt->b, WK_OP_COND_WAIT, mutex, cond, 0);
	after_sleep(rt);
	return 0;
}

static int timer_mode(struct rtapp *rt, u32 node, u32 *flags)
{
	u32 member = wk_json_get(&rt->json, node, "mode");
	const char *mode;

	*flags = 0;
	if (!member)
		return 0;
	if (wk_rtapp_string(rt, member, &mode))
		return -EINVAL;
	*flags = !strcmp(mode, "relative");
	if (!*flags && strcmp(mode, "absolute"))
		return wk_rtapp_fail(rt, member, "found '%.40s', expected absolute or relative",
				     mode);
	return 0;
}

/* A timer called "unique..." is the thread's own, others are common. */
static int timer(struct rtapp *rt, u32 node)
{
	u32 ref, period, obj = 0, flags;
	const char *name;
	s64 us;

	if (wk_rtapp_member(rt, node, "ref", &ref) || wk_rtapp_string(rt, ref, &name) ||
	    wk_rtapp_member(rt, node, "period", &period) ||
	    wk_rtapp_number(rt, period, 0, RTAPP_MAX_US, &us) || timer_mode(rt, node, &flags))
		return -EINVAL;
	if (!us)
		return 0;
	if (strncmp(name, "unique", 6)) {
		if (object(rt, node, WK_OBJ_TIMER, name, &obj))
			return -EINVAL;
	} else {
		obj = wk_build_obj(&rt->b, WK_OBJ_TIMER, 0, 0);
		rt->own_program = true;
	}
	wk_build_op(&rt->b, WK_OP_TIMER, flags, obj, (u64)us * WK_NS_PER_US);
	after_sleep(rt);
	return 0;
}

static int suspend(struct rtapp *rt, u32 node)
{
	u8 kind = rt->json.node[node].kind;
	u32 obj = 0;

	if (kind != WK_JSON_ABSENT && kind != WK_JSON_NULL) {
		if (named(rt, node, WK_OBJ_EVENT, &obj))
			return -EINVAL;
	} else if (object(rt, node, WK_OBJ_EVENT,
			  wk_json_key(&rt->json, rt->task[rt->thread_task[rt->thread]].node),
			  &obj)) {
		return -EINVAL;
	}
	wk_build_op(&rt->b, WK_OP_SUSPEND, 0, obj, 0);
	after_sleep(rt);
	return 0;
}

static int memory(struct rtapp *rt, u32 node)
{
	s64 bytes;

	if (wk_rtapp_number(rt, node, 0, 1LL << 40, &bytes))
		return -EINVAL;
	if (!bytes)
		return 0;
	if (!rt->memory)
		rt->memory = wk_build_obj(&rt->b, WK_OBJ_MEM, 0, rt->buffer_bytes) + 1;
	rt->own_program = true;
	wk_build_op(&rt->b, WK_OP_MEM, 1, rt->memory - 1, (u64)bytes);
	return 0;
}

static int io(struct rtapp *rt, u32 node)
{
	s64 bytes;
	u64 writes;

	if (wk_rtapp_number(rt, node, 0, 1LL << 40, &bytes))
		return -EINVAL;
	writes = ((u64)bytes + rt->buffer_bytes - 1) / rt->buffer_bytes;
	if (writes)
		wk_build_op(&rt->b, WK_OP_SYSCALL, 0, 0, writes * NULL_WRITE_NS);
	return 0;
}

static int fork_task(struct rtapp *rt, u32 node)
{
	const char *name;
	struct wk_name *target;
	bool is_new;
	u32 child;

	if (wk_rtapp_string(rt, node, &name))
		return -EINVAL;
	target = wk_names_get(&rt->names, NAME_TASK, name, &is_new);
	if (!target)
		return wk_rtapp_fail(rt, node, "out of memory");
	if (is_new)
		return wk_rtapp_fail(rt, node, "found '%.40s', expected the name of a task", name);
	/* Every fork is a task of its own in the table, which has no end then. */
	if (rt->in_loop)
		return wk_rtapp_fail(rt, node, "unsupported inside of a loop");
	if (wk_rtapp_new_thread(rt, node, target->value, &child))
		return -EINVAL;
	rt->own_program = true;
	wk_build_fork(&rt->b, child);
	return 0;
}

int wk_rtapp_event(struct rtapp *rt, u32 node)
{
	switch (find_event(wk_json_key(&rt->json, node))) {
	case EVENT_run:
		return lasting(rt, node, WK_OP_RUN);
	case EVENT_runtime:
		return lasting(rt, node, WK_OP_SPIN);
	case EVENT_sleep:
		return lasting(rt, node, WK_OP_SLEEP);
	case EVENT_timer:
		return timer(rt, node);
	case EVENT_lock:
		return simple(rt, node, WK_OBJ_MUTEX, WK_OP_LOCK);
	case EVENT_unlock:
		return simple(rt, node, WK_OBJ_MUTEX, WK_OP_UNLOCK);
	case EVENT_wait:
		return wait_on(rt, node, false);
	case EVENT_signal:
		return simple(rt, node, WK_OBJ_COND, WK_OP_COND_SIGNAL);
	case EVENT_broad:
		return simple(rt, node, WK_OBJ_COND, WK_OP_COND_BROADCAST);
	case EVENT_sync:
		return wait_on(rt, node, true);
	case EVENT_barrier:
		return simple(rt, node, WK_OBJ_BARRIER, WK_OP_BARRIER);
	case EVENT_suspend:
		return suspend(rt, node);
	case EVENT_resume:
		return simple(rt, node, WK_OBJ_EVENT, WK_OP_RESUME);
	case EVENT_mem:
		return memory(rt, node);
	case EVENT_iorun:
		return io(rt, node);
	case EVENT_yield:
		wk_build_op(&rt->b, WK_OP_YIELD, 0, 0, 0);
		return 0;
	case EVENT_fork:
		return fork_task(rt, node);
	case EVENT_NR:
		break;
	}
	return wk_rtapp_fail(rt, node, "unsupported event");
}
