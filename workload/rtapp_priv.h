/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the rt-app reader share: the walk over the tree and its errors. */
#ifndef WK_WORKLOAD_RTAPP_PRIV_H
#define WK_WORKLOAD_RTAPP_PRIV_H

#include "workload/build.h"
#include "workload/json.h"
#include "workload/names.h"
#include "workload/rtapp.h"
#include "workload/suggest.h"

#define RTAPP_MAX_PATH	 6
#define RTAPP_MAX_VISITS (1 << 20)
#define RTAPP_MAX_US	 1000000000000LL /* 11 days */

enum { SLOT_LOOPS, SLOT_PHASES, SLOT_WAKEUP };

/* A task of the file; its threads differ in name only. */
struct rtapp_task {
	u32 node;
	struct wk_wtask proto;
};

/* Kinds in names are those of objects, and this. */
#define NAME_TASK WK_OBJ_NR

struct rtapp {
	struct wk_json json;
	const char *where;
	struct wk_err *err;
	struct wk_build b;
	struct wk_names names; /* objects by kind and name */
	const char *path[RTAPP_MAX_PATH];
	u32 nr_path;

	s64 duration_s;
	u64 buffer_bytes;
	const char *default_policy;

	struct rtapp_task *task; /* of the file, in its order */
	u32 nr_tasks, room_tasks;
	u32 *thread_task; /* by task of the workload: index in task[] */
	u32 nr_threads, room_threads;
	u32 visited; /* events looked at, for all threads: bounds the work */

	/* Of the thread whose program is being written. */
	u32 thread;	  /* its task */
	u32 memory;	  /* its buffer + 1; 0: none yet */
	bool in_loop;	  /* what is written now can run more than once */
	bool own_program; /* other instances cannot share it */
	u32 *barrier;	  /* objects it uses, each once */
	u32 nr_barriers;
	s32 affinity;	/* of the task; WK_NONE: every CPU */
	bool sets_cpus; /* a phase of it names cpus */

	bool endless, sleeps; /* any thread */
};

/* "where:line:column: path: what"; returns -EINVAL. */
int wk_rtapp_fail(const struct rtapp *rt, u32 node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int wk_rtapp_push(struct rtapp *rt, u32 node);
void wk_rtapp_pop(struct rtapp *rt);

/* The value of @node as a number in [min, max]; as a string. */
int wk_rtapp_number(const struct rtapp *rt, u32 node, s64 min, s64 max, s64 *ret);
int wk_rtapp_string(const struct rtapp *rt, u32 node, const char **ret);
/* The number that is @key's value in @node; *ret stays where there is no such key. */
int wk_rtapp_get_number(struct rtapp *rt, u32 node, const char *key, s64 min, s64 max, s64 *ret);
/* Member @key of object @node, which has to be there. */
int wk_rtapp_member(const struct rtapp *rt, u32 node, const char *key, u32 *ret);

/* A new thread of task[@which], named at @node; -EINVAL: too many. */
int wk_rtapp_new_thread(struct rtapp *rt, u32 node, u32 which, u32 *ret_thread);
/* One more event or key was looked at, of those that every thread looks at again. */
int wk_rtapp_visit(struct rtapp *rt, u32 node);

/* rtapp_event.c */
bool wk_rtapp_is_event(const char *key);
void wk_rtapp_offer_events(struct wk_suggest *near);
int wk_rtapp_event(struct rtapp *rt, u32 node);

/* rtapp_program.c */
int wk_rtapp_program(struct rtapp *rt, u32 thread);
/* Fills in weight, flags and affinity of a new thread. */
int wk_rtapp_sched(struct rtapp *rt, u32 node, struct wk_wtask *t);

#endif
