// SPDX-License-Identifier: GPL-2.0-only
/* The whole file: globals, resources, threads, metrics. Programs are written in rtapp_program.c. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/models.h"
#include "workload/rtapp_priv.h"
#include "workload/suggest.h"

/* Assumed: the frames of a thread's loop and its log entry. */
#define FOOTPRINT_BYTES 2048
/* rt-app's own default. */
#define BUFFER_BYTES (4U << 20)
/* Assumed: who writes a thread without end and no duration stops it by hand. */
#define ENDLESS_S 10

int wk_rtapp_fail(const struct rtapp *rt, u32 node, const char *format, ...)
{
	const struct wk_json_node *n = &rt->json.node[node];
	char what[160], path[160] = "";
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	for (u32 i = 0, at = 0; i < rt->nr_path && at < sizeof(path); i++)
		at += (u32)snprintf(path + at, sizeof(path) - at, "%s%.32s", i ? "." : "",
				    rt->path[i]);
	return wk_build_error(rt->err, "%s:%u:%u: %s%s%s", rt->where, n->line, n->col, path,
			      *path ? ": " : "", what);
}

/* Also says no to what is nested deeper than rt-app's grammar: nothing reads it. */
int wk_rtapp_push(struct rtapp *rt, u32 node)
{
	if (rt->nr_path == RTAPP_MAX_PATH)
		return wk_rtapp_fail(rt, node, "nested too deep");
	rt->path[rt->nr_path++] = wk_json_key(&rt->json, node);
	return 0;
}

void wk_rtapp_pop(struct rtapp *rt)
{
	rt->nr_path--;
}

int wk_rtapp_number(const struct rtapp *rt, u32 node, s64 min, s64 max, s64 *ret)
{
	const struct wk_json_node *n = &rt->json.node[node];

	if (n->kind != WK_JSON_INTEGER)
		return wk_rtapp_fail(rt, node, "found %s, expected a number",
				     wk_json_kind_name((enum wk_json_kind)n->kind));
	if (n->number < min || n->number > max)
		return wk_rtapp_fail(rt, node,
				     "found %" PRId64 ", expected a number from %" PRId64
				     " to %" PRId64,
				     (int64_t)n->number, (int64_t)min, (int64_t)max);
	*ret = n->number;
	return 0;
}

int wk_rtapp_string(const struct rtapp *rt, u32 node, const char **ret)
{
	const struct wk_json_node *n = &rt->json.node[node];

	*ret = "";
	if (n->kind != WK_JSON_STRING)
		return wk_rtapp_fail(rt, node, "found %s, expected a string",
				     wk_json_kind_name((enum wk_json_kind)n->kind));
	*ret = wk_json_string(&rt->json, node);
	return 0;
}

int wk_rtapp_get_number(struct rtapp *rt, u32 node, const char *key, s64 min, s64 max, s64 *ret)
{
	u32 member = wk_json_get(&rt->json, node, key);
	int err;

	if (!member)
		return 0;
	if (wk_rtapp_push(rt, member))
		return -EINVAL;
	err = wk_rtapp_number(rt, member, min, max, ret);
	wk_rtapp_pop(rt);
	return err;
}

int wk_rtapp_member(const struct rtapp *rt, u32 node, const char *key, u32 *ret)
{
	if (rt->json.node[node].kind != WK_JSON_OBJECT)
		return wk_rtapp_fail(rt, node, "found %s, expected an object with '%s'",
				     wk_json_kind_name((enum wk_json_kind)rt->json.node[node].kind),
				     key);
	*ret = wk_json_get(&rt->json, node, key);
	return *ret ? 0 : wk_rtapp_fail(rt, node, "expected the key '%s'", key);
}

static int expect_object(struct rtapp *rt, u32 node)
{
	u8 kind = rt->json.node[node].kind;

	if (kind == WK_JSON_OBJECT)
		return 0;
	return wk_rtapp_fail(rt, node, "found %s, expected an object",
			     wk_json_kind_name((enum wk_json_kind)kind));
}

enum global {
#define RTAPP_KEY(where, id, key, use, sentence) WHERE_##where(id)
#define WHERE_GLOBAL(id)			 GLOBAL_##id,
#define WHERE_TASK(id)
#define WHERE_PHASE(id)
#include "workload/rtapp.def"
#undef WHERE_GLOBAL
	GLOBAL_NR
};

static const char *const global_keys[] = {
#define RTAPP_KEY(where, id, key, use, sentence) WHERE_##where(key)
#define WHERE_GLOBAL(key)			 key,
#include "workload/rtapp.def"
};

static int read_device(struct rtapp *rt, u32 node)
{
	const char *device;

	if (wk_rtapp_string(rt, node, &device))
		return -EINVAL;
	/* A write to it costs a system call; a disk would have to be modelled. */
	if (strcmp(device, "/dev/null"))
		return wk_rtapp_fail(rt, node, "found '%.40s', expected /dev/null", device);
	return 0;
}

static int read_global(struct rtapp *rt, u32 node, enum global which)
{
	s64 n;

	switch (which) {
	case GLOBAL_duration:
		return wk_rtapp_number(rt, node, -1, 86400 * 365, &rt->duration_s);
	case GLOBAL_default_policy:
		return wk_rtapp_string(rt, node, &rt->default_policy);
	case GLOBAL_mem_buffer_size:
		if (wk_rtapp_number(rt, node, 1, 1LL << 40, &n))
			return -EINVAL;
		rt->buffer_bytes = (u64)n;
		return 0;
	case GLOBAL_io_device:
		return read_device(rt, node);
	default:
		return 0; /* ignored, see rtapp.def */
	}
}

static int read_globals(struct rtapp *rt, u32 node)
{
	if (expect_object(rt, node))
		return -EINVAL;
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		const char *key = wk_json_key(&rt->json, i);
		struct wk_suggest near = {.word = key};
		char did_you_mean[80];
		u32 which = 0;

		if (wk_rtapp_push(rt, i))
			return -EINVAL;
		while (which < GLOBAL_NR && strcmp(global_keys[which], key))
			wk_suggest_offer(&near, global_keys[which++]);
		if (which == GLOBAL_NR)
			return wk_rtapp_fail(rt, i, "unsupported key%s",
					     wk_suggest_text(&near, did_you_mean));
		if (read_global(rt, i, (enum global)which))
			return -EINVAL;
		wk_rtapp_pop(rt);
	}
	return 0;
}

/* Declared resources say nothing that their use does not say again: looked at, then forgotten. */
static int read_resources(struct rtapp *rt, u32 node)
{
	static const char *const types[] = {"mutex",	 "wait",       "cond",	"signal",
					    "broadcast", "broad",      "sync",	"sleep",
					    "run",	 "sync_mutex", "timer", "suspend",
					    "resume",	 "barrier",    "mem",	"iorun"};
	const char *type;
	u32 member, which;

	if (expect_object(rt, node))
		return -EINVAL;
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		if (wk_rtapp_push(rt, i) || wk_rtapp_member(rt, i, "type", &member) ||
		    wk_rtapp_string(rt, member, &type))
			return -EINVAL;
		for (which = 0; which < sizeof(types) / sizeof(types[0]); which++)
			if (!strcmp(types[which], type))
				break;
		if (which == sizeof(types) / sizeof(types[0]))
			return wk_rtapp_fail(rt, member, "unsupported type '%.40s'", type);
		wk_rtapp_pop(rt);
	}
	return 0;
}

/* One more element of a growing array: -EINVAL when memory is out. */
static int grow(struct rtapp *rt, void **array, u32 nr, u32 *room, size_t size)
{
	u32 want = *room ? *room * 2 : 64;
	void *grown;

	if (nr < *room)
		return 0;
	grown = reallocarray(*array, want, size);
	if (!grown)
		return wk_build_error(rt->err, "%s: out of memory", rt->where);
	*array = grown;
	*room = want;
	return 0;
}

/* Threads have rt-app's names, "thread0-3": the number counts all threads. */
static void name_thread(struct rtapp *rt, u32 thread, const char *name)
{
	char number[12];

	snprintf(number, sizeof(number), "-%u", rt->nr_threads);
	wk_build_name(&rt->b, thread, "%.*s%s", 15 - (int)strlen(number), name, number);
}

int wk_rtapp_new_thread(struct rtapp *rt, u32 node, u32 which, u32 *ret_thread)
{
	const struct rtapp_task *task = &rt->task[which];
	void *array = rt->thread_task;

	if (rt->nr_threads == WK_RTAPP_MAX_THREADS)
		return wk_rtapp_fail(rt, node, "more than %d threads", WK_RTAPP_MAX_THREADS);
	/* Threads are the tasks 1, 2, ... of the workload, so [nr_threads + 1] is next. */
	if (grow(rt, &array, rt->nr_threads + 1, &rt->room_threads, sizeof(*rt->thread_task)))
		return -EINVAL;
	rt->thread_task = array;
	*ret_thread = wk_build_task(&rt->b, &task->proto);
	name_thread(rt, *ret_thread, wk_json_key(&rt->json, task->node));
	rt->thread_task[++rt->nr_threads] = which;
	return 0;
}

int wk_rtapp_visit(struct rtapp *rt, u32 node)
{
	if (rt->visited++ < RTAPP_MAX_VISITS)
		return 0;
	return wk_rtapp_fail(rt, node, "more than %d events in all threads", RTAPP_MAX_VISITS);
}

/* Where a name stands twice, forks mean the first. */
static int add_task(struct rtapp *rt, u32 node)
{
	struct rtapp_task task = {.node = node,
				  .proto = {.parent = WK_NONE,
					    .affinity = WK_NONE,
					    .weight = 1024,
					    .footprint_bytes = FOOTPRINT_BYTES}};
	void *array = rt->task;
	struct wk_name *name;
	bool is_new;

	if (expect_object(rt, node) || wk_rtapp_sched(rt, node, &task.proto) ||
	    grow(rt, &array, rt->nr_tasks, &rt->room_tasks, sizeof(task)))
		return -EINVAL;
	rt->task = array;
	name = wk_names_get(&rt->names, NAME_TASK, wk_json_key(&rt->json, node), &is_new);
	if (!name)
		return wk_build_error(rt->err, "%s: out of memory", rt->where);
	if (is_new)
		name->value = rt->nr_tasks;
	rt->task[rt->nr_tasks++] = task;
	return 0;
}

static int add_threads(struct rtapp *rt, u32 node)
{
	s64 instances = 1;
	u32 thread;

	if (add_task(rt, node) ||
	    wk_rtapp_get_number(rt, node, "instance", 0, WK_RTAPP_MAX_THREADS, &instances))
		return -EINVAL;
	for (s64 i = 0; i < instances; i++)
		if (wk_rtapp_new_thread(rt, node, rt->nr_tasks - 1, &thread))
			return -EINVAL;
	return 0;
}

static int read_tasks(struct rtapp *rt, u32 node)
{
	if (expect_object(rt, node))
		return -EINVAL;
	for (u32 i = rt->json.node[node].first; i; i = rt->json.node[i].next) {
		if (wk_rtapp_push(rt, i) || add_threads(rt, i))
			return -EINVAL;
		wk_rtapp_pop(rt);
	}
	return 0;
}

/* Everything but the tasks first: they depend on the globals, wherever those stand. */
static int read_sections(struct rtapp *rt, bool tasks)
{
	u32 nr_tasks = 0;

	if (expect_object(rt, 1))
		return -EINVAL;
	for (u32 i = rt->json.node[1].first; i; i = rt->json.node[i].next) {
		const char *key = wk_json_key(&rt->json, i);
		int err;

		if (wk_rtapp_push(rt, i))
			return -EINVAL;
		nr_tasks += !strcmp(key, "tasks");
		if (!strcmp(key, "tasks"))
			err = tasks ? read_tasks(rt, i) : 0;
		else if (!strcmp(key, "global"))
			err = tasks ? 0 : read_globals(rt, i);
		else if (!strcmp(key, "resources"))
			err = tasks ? 0 : read_resources(rt, i);
		else
			err = wk_rtapp_fail(rt, i, "unsupported key");
		if (err)
			return err;
		wk_rtapp_pop(rt);
	}
	return nr_tasks ? 0 : wk_rtapp_fail(rt, 1, "found no tasks, expected the key 'tasks'");
}

static void write_main(struct rtapp *rt)
{
	u32 threads = rt->nr_threads;

	wk_build_program(&rt->b, 0);
	for (u32 i = 1; i <= threads; i++)
		wk_build_fork(&rt->b, i);
	wk_build_op(&rt->b, WK_OP_MARK, 0, 0, 0);
	wk_build_op(&rt->b, WK_OP_JOIN, 0, threads, 0);
}

/* Forks add threads behind those that are there, so the end moves. */
static int write_programs(struct rtapp *rt)
{
	for (u32 task = 1; task <= rt->nr_threads && !rt->b.failed; task++)
		if (wk_rtapp_program(rt, task))
			return -EINVAL;
	return 0;
}

static void add_metrics(struct rtapp *rt)
{
	struct wk_metric loops = wk_model_metric("loops", "loops/s", WK_METRIC_RATE);
	struct wk_metric phases = wk_model_metric("phases", "phases/s", WK_METRIC_RATE);

	phases.slot = SLOT_PHASES;
	if (rt->sleeps) {
		wk_model_latency(&rt->b, "wakeup p50", SLOT_WAKEUP, 500);
		wk_model_latency(&rt->b, "wakeup p90", SLOT_WAKEUP, 900);
		wk_model_latency(&rt->b, "wakeup p99", SLOT_WAKEUP, 990);
		wk_model_latency(&rt->b, "wakeup p99.9", SLOT_WAKEUP, 999);
	}
	wk_build_metric(&rt->b, &phases);
	wk_build_metric(&rt->b, &loops);
}

static void add_times(struct rtapp *rt)
{
	u64 seconds = rt->duration_s > 0 ? (u64)rt->duration_s : rt->endless ? ENDLESS_S : 0;

	/* A script, not a steady state: all of it is measured. */
	wk_model_times(&rt->b, seconds * WK_NS_PER_S, 0, seconds * WK_NS_PER_S);
}

static int read_file(struct rtapp *rt)
{
	u32 task;

	if (read_sections(rt, false))
		return -EINVAL;
	task = wk_build_task(&rt->b, NULL);
	wk_build_name(&rt->b, task, "rt-app");
	if (read_sections(rt, true))
		return -EINVAL;
	if (!rt->nr_threads)
		return wk_rtapp_fail(rt, 1, "found no thread to start");
	write_main(rt);
	if (write_programs(rt))
		return -EINVAL;
	add_metrics(rt);
	add_times(rt);
	return 0;
}

struct wk_workload *wk_rtapp_parse(const char *text, size_t len, const char *where,
				   struct wk_err *ret_err)
{
	struct rtapp rt = {.where = where,
			   .err = ret_err,
			   .buffer_bytes = BUFFER_BYTES,
			   .default_policy = "SCHED_OTHER",
			   .duration_s = -1};
	struct wk_workload *w = NULL;

	if (len > WK_RTAPP_MAX_BYTES) {
		wk_build_error(ret_err, "%s: found more than 16 MiB", where);
		return NULL;
	}
	if (wk_json_parse(text, len, where, &rt.json, ret_err))
		return NULL;
	wk_build_init(&rt.b, "rt-app", "", 0);
	if (read_file(&rt))
		wk_build_abort(&rt.b);
	else
		w = wk_build_finish(&rt.b, ret_err);
	wk_names_release(&rt.names);
	wk_json_release(&rt.json);
	free(rt.thread_task);
	free(rt.task);
	free(rt.barrier);
	return w;
}
