// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/build.h"

int wk_build_error(struct wk_err *err, const char *format, ...)
{
	va_list ap;

	if (!err)
		return -EINVAL;
	va_start(ap, format);
	vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	/* It quotes what users wrote, and is still one line that a terminal can show. */
	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	return -EINVAL;
}

static void fail(struct wk_build *b, const char *what)
{
	if (!b->failed)
		b->failed = what;
}

/* Room for one more element, doubling: the array at *array has @nr elements of @size bytes. */
static bool grow(struct wk_build *b, void *array, u32 nr, u32 *room, size_t size)
{
	void *old, *new;
	u32 want = *room ? *room * 2 : 16;

	if (b->failed)
		return false;
	if (nr < *room)
		return true;
	memcpy(&old, array, sizeof(old)); /* a pointer of any type */
	new = reallocarray(old, want, size);
	if (!new) {
		fail(b, "out of memory");
		return false;
	}
	memcpy(array, &new, sizeof(new));
	*room = want;
	return true;
}

void wk_build_init(struct wk_build *b, const char *bench, const char *load_name, u64 load)
{
	*b = (struct wk_build){.w = calloc(1, sizeof(*b->w))};
	if (!b->w) {
		fail(b, "out of memory");
		return;
	}
	snprintf(b->w->bench, sizeof(b->w->bench), "%s", bench);
	snprintf(b->w->load_name, sizeof(b->w->load_name), "%s", load_name);
	b->w->load = load;
}

u32 wk_build_task(struct wk_build *b, const struct wk_wtask *proto)
{
	static const struct wk_wtask plain = {
		.parent = WK_NONE, .affinity = WK_NONE, .weight = 1024};
	struct wk_workload *w = b->w;

	if (b->failed || !grow(b, &w->task, w->nr_tasks, &b->room_tasks, sizeof(*w->task)))
		return 0;
	if (w->nr_tasks >= WK_MAX_TASKS) {
		fail(b, "more than 1000000 tasks");
		return 0;
	}
	w->task[w->nr_tasks] = proto ? *proto : plain;
	return w->nr_tasks++;
}

void wk_build_name(struct wk_build *b, u32 task, const char *format, ...)
{
	va_list ap;

	if (b->failed)
		return;
	va_start(ap, format);
	vsnprintf(b->w->task[task].name, sizeof(b->w->task[task].name), format, ap);
	va_end(ap);
}

void wk_build_program(struct wk_build *b, u32 task)
{
	if (b->failed)
		return;
	if (b->nr_loops)
		fail(b, "a loop without end");
	b->program = task;
	b->w->task[task].first_op = b->w->nr_ops;
	b->w->task[task].nr_ops = 0;
}

void wk_build_share(struct wk_build *b, u32 task, u32 like)
{
	if (b->failed)
		return;
	b->w->task[task].first_op = b->w->task[like].first_op;
	b->w->task[task].nr_ops = b->w->task[like].nr_ops;
}

void wk_build_op(struct wk_build *b, enum wk_op_code code, u32 a, u32 operand_b, u64 c)
{
	struct wk_workload *w = b->w;

	if (b->failed || !grow(b, &w->op, w->nr_ops, &b->room_ops, sizeof(*w->op)))
		return;
	if (w->nr_ops >= WK_MAX_OPS) {
		fail(b, "more than 8388608 operations");
		return;
	}
	w->op[w->nr_ops++] = (struct wk_op){.code = (u8)code, .a = (u16)a, .b = operand_b, .c = c};
	w->task[b->program].nr_ops++;
}

void wk_build_loop(struct wk_build *b, u64 count)
{
	if (b->failed)
		return;
	if (b->nr_loops == WK_MAX_LOOPS) {
		fail(b, "loops nest more than 8 deep");
		return;
	}
	b->loop[b->nr_loops] = b->w->nr_ops;
	wk_build_op(b, WK_OP_LOOP, b->nr_loops, 0, count);
	b->nr_loops++;
}

void wk_build_end(struct wk_build *b)
{
	u32 begin;

	if (b->failed)
		return;
	if (!b->nr_loops) {
		fail(b, "an end without loop");
		return;
	}
	begin = b->loop[--b->nr_loops];
	b->w->op[begin].b = b->w->nr_ops;
	wk_build_op(b, WK_OP_END, b->nr_loops, begin, 0);
}

void wk_build_fork(struct wk_build *b, u32 child)
{
	if (b->failed)
		return;
	b->w->task[child].parent = (s32)b->program;
	wk_build_op(b, WK_OP_FORK, 0, child, 0);
}

u32 wk_build_obj(struct wk_build *b, enum wk_obj_kind kind, u32 count, u64 bytes)
{
	struct wk_workload *w = b->w;

	if (b->failed || !grow(b, &w->obj, w->nr_objs, &b->room_objs, sizeof(*w->obj)))
		return 0;
	w->obj[w->nr_objs] = (struct wk_obj){.kind = (u8)kind, .count = count, .bytes = bytes};
	return w->nr_objs++;
}

u32 wk_build_metric(struct wk_build *b, const struct wk_metric *metric)
{
	struct wk_workload *w = b->w;

	if (b->failed || !grow(b, &w->metric, w->nr_metrics, &b->room_metrics, sizeof(*w->metric)))
		return 0;
	w->metric[w->nr_metrics] = *metric;
	if (metric->slot >= w->nr_slots)
		w->nr_slots = metric->slot + 1U;
	return w->nr_metrics++;
}

u32 wk_build_affinity(struct wk_build *b, const struct wk_mask *mask)
{
	struct wk_workload *w = b->w;

	if (b->failed)
		return 0;
	/* Many instances ask for the same few CPUs, mostly one after the other. */
	for (u32 i = w->nr_affinities > 16 ? w->nr_affinities - 16 : 0; i < w->nr_affinities; i++)
		if (!memcmp(&w->affinity[i], mask, sizeof(*mask)))
			return i;
	if (w->nr_affinities == WK_MAX_AFFINITIES) {
		fail(b, "more than 65536 sets of CPUs");
		return 0;
	}
	if (!grow(b, &w->affinity, w->nr_affinities, &b->room_affinities, sizeof(*w->affinity)))
		return 0;
	w->affinity[w->nr_affinities] = *mask;
	return w->nr_affinities++;
}

static void count_processes(struct wk_workload *w)
{
	w->nr_processes = 0;
	for (u32 i = 0; i < w->nr_tasks; i++)
		if (w->task[i].process >= w->nr_processes)
			w->nr_processes = w->task[i].process + 1;
	if (!w->nr_slots)
		w->nr_slots = 1; /* slot 0, the messages, exists always */
}

struct wk_workload *wk_build_finish(struct wk_build *b, struct wk_err *ret_err)
{
	struct wk_workload *w = b->w;

	if (b->nr_loops)
		fail(b, "a loop without end");
	if (b->failed) {
		wk_build_error(ret_err, "bench '%s': %s", w ? w->bench : "", b->failed);
		wk_build_abort(b);
		return NULL;
	}
	count_processes(w);
	if (wk_workload_check(w, ret_err)) {
		wk_build_abort(b);
		return NULL;
	}
	*b = (struct wk_build){0};
	return w;
}

void wk_build_abort(struct wk_build *b)
{
	wk_workload_destroy(b->w);
	*b = (struct wk_build){.failed = "aborted"};
}

void wk_workload_destroy(struct wk_workload *w)
{
	if (!w)
		return;
	free(w->task);
	free(w->op);
	free(w->obj);
	free(w->metric);
	free(w->affinity);
	free(w);
}
