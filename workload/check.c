// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is a workload sound? The simulator trusts what passed here: it indexes without looking.
 * What an operand may be follows from its name in op.def.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/build.h"

enum operand { OPERAND_A, OPERAND_B, OPERAND_C, OPERAND_NR };

static const struct row {
	const char *name;
	const char *operand[OPERAND_NR];
} rows[] = {
#define WK_OP(NAME, name, a, b, c, sentence) {#name, {#a, #b, #c}},
#include "workload/op.def"
};

#define KIND(kind) (1U << WK_OBJ_##kind)

enum how { HOW_NUMBER, HOW_OBJECT, HOW_SLOT, HOW_TASK, HOW_MASK };

/* What an operand's name says about its value. */
static const struct rule {
	const char *name;
	enum how how;
	u32 kinds; /* of an object */
	u64 min, max;
} rules[] = {
	{"-", HOW_NUMBER, 0, 0, 0},
	{"channel", HOW_OBJECT, KIND(PIPE) | KIND(UNIX) | KIND(TCP) | KIND(UDP), 0, 0},
	{"mutex", HOW_OBJECT, KIND(MUTEX), 0, 0},
	{"cond", HOW_OBJECT, KIND(COND), 0, 0},
	{"barrier", HOW_OBJECT, KIND(BARRIER), 0, 0},
	{"event", HOW_OBJECT, KIND(EVENT), 0, 0},
	{"sem", HOW_OBJECT, KIND(SEM), 0, 0},
	{"list", HOW_OBJECT, KIND(LIST), 0, 0},
	{"timer", HOW_OBJECT, KIND(TIMER), 0, 0},
	{"buffer", HOW_OBJECT, KIND(MEM), 0, 0},
	{"slot", HOW_SLOT, 0, 0, 0},
	{"task", HOW_TASK, 0, 0, 0},
	{"mask", HOW_MASK, 0, 0, 0},
	{"jitter_pct", HOW_NUMBER, 0, 0, 100},
	{"flags", HOW_NUMBER, 0, 0, 1},
	{"depth", HOW_NUMBER, 0, 0, WK_MAX_LOOPS - 1},
	{"weight", HOW_NUMBER, 0, 1, 1 << 20},
	{"bytes", HOW_NUMBER, 0, 1, 1ULL << 40},
	{"ns", HOW_NUMBER, 0, 0, 1ULL << 60},
	{"count", HOW_NUMBER, 0, 0, ~0ULL},
	{"n", HOW_NUMBER, 0, 1, 1ULL << 40},
	{"end", HOW_NUMBER, 0, 0, ~0U},
	{"begin", HOW_NUMBER, 0, 0, ~0U},
};

/* One check of one workload. */
struct check {
	const struct wk_workload *w;
	struct wk_err *err;
	/* By operation and operand: found once, as workloads have millions of operations. */
	const struct rule *rule[WK_OP_NR][OPERAND_NR];
	u32 *owner;   /* of the program that begins at an op: task + 1; 0: not seen */
	u8 *forks;    /* by op: the program that begins there has a FORK */
	u8 *forked;   /* by task: somebody forks it */
	u8 *slot_use; /* by slot: enum slot_use */
	u32 task;     /* being looked at */
};

enum slot_use { SLOT_FREE, SLOT_COUNTER, SLOT_HISTOGRAM };

static int complain(const struct check *k, u32 op, const char *what, u64 found)
{
	const struct wk_workload *w = k->w;

	return wk_build_error(k->err, "workload %s: task %u '%.16s': op %u (%s): %s, found %llu",
			      w->bench, k->task, w->task[k->task].name,
			      op - w->task[k->task].first_op, rows[w->op[op].code].name, what,
			      (unsigned long long)found);
}

static u64 operand_value(const struct wk_op *op, u32 which)
{
	return which == OPERAND_A ? op->a : which == OPERAND_B ? op->b : op->c;
}

static int check_slot(struct check *k, u32 at)
{
	const struct wk_op *op = &k->w->op[at];
	u8 use = op->code == WK_OP_COUNT ? SLOT_COUNTER : SLOT_HISTOGRAM;

	if (op->code == WK_OP_LIST_WAIT && op->a == WK_NO_METRIC)
		return 0;
	if (op->a >= k->w->nr_slots)
		return complain(k, at, "expected a slot of the workload", op->a);
	if (k->slot_use[op->a] != SLOT_FREE && k->slot_use[op->a] != use)
		return complain(k, at, "the slot is both counter and histogram", op->a);
	k->slot_use[op->a] = use;
	return 0;
}

static int check_fork(struct check *k, u32 at)
{
	u32 child = k->w->op[at].b;

	if (child >= k->w->nr_tasks)
		return complain(k, at, "expected a task of the workload", child);
	if (k->w->task[child].parent != (s32)k->task || child == k->task)
		return complain(k, at, "this task is not the parent of the task it forks", child);
	k->forked[child] = 1;
	k->forks[k->w->task[k->task].first_op] = 1;
	return 0;
}

static int check_operand(struct check *k, u32 at, u32 which)
{
	const struct wk_workload *w = k->w;
	const struct rule *rule = k->rule[w->op[at].code][which];
	u64 value = operand_value(&w->op[at], which);
	bool good = false;
	char what[40];

	switch (rule->how) {
	case HOW_NUMBER:
		good = value >= rule->min && value <= rule->max;
		break;
	case HOW_OBJECT:
		good = value < w->nr_objs && (rule->kinds >> w->obj[value].kind & 1);
		break;
	case HOW_MASK:
		good = value < w->nr_affinities;
		break;
	case HOW_SLOT:
		return check_slot(k, at);
	case HOW_TASK:
		return check_fork(k, at);
	}
	if (good)
		return 0;
	snprintf(what, sizeof(what), "operand '%s' is out of range", rule->name);
	return complain(k, at, what, value);
}

bool wk_op_takes_time(const struct wk_op *op)
{
	switch (op->code) {
	case WK_OP_LOOP:
	case WK_OP_END:
	case WK_OP_COUNT:
	case WK_OP_MARK:
	case WK_OP_LAT_BEGIN:
	case WK_OP_LAT_END:
	case WK_OP_LAT_WAKE:
	case WK_OP_AFFINITY:
	case WK_OP_WEIGHT:
		return false;
	case WK_OP_RUN:
	case WK_OP_SPIN:
	case WK_OP_SLEEP:
	case WK_OP_TIMER:
	case WK_OP_SYSCALL:
	case WK_OP_EXEC:
		return op->c > 0;
	default:
		return true;
	}
}

/* A loop and its end name each other and have the register of their depth. */
static int check_loop(struct check *k, u32 at, u32 *open, u32 *nr_open, u32 timed_at)
{
	const struct wk_workload *w = k->w;
	const struct wk_op *op = &w->op[at];

	if (op->code == WK_OP_LOOP) {
		if (*nr_open == WK_MAX_LOOPS || op->a != *nr_open)
			return complain(k, at, "expected the loop register of its depth", op->a);
		open[(*nr_open)++] = at;
		return 0;
	}
	if (!*nr_open)
		return complain(k, at, "an end without loop", op->b);
	if (op->b != open[--*nr_open] || op->a != *nr_open)
		return complain(k, at, "expected the end of the innermost loop", op->b);
	if (w->op[op->b].b != at)
		return complain(k, at, "its loop ends elsewhere", w->op[op->b].b);
	if (timed_at <= op->b)
		return complain(k, at, "a loop in which no time passes", at - op->b);
	return 0;
}

static int check_op(struct check *k, u32 at)
{
	if (k->w->op[at].code >= WK_OP_NR)
		return wk_build_error(k->err, "workload %s: task %u: op %u: no such operation %u",
				      k->w->bench, k->task, at, k->w->op[at].code);
	for (u32 which = OPERAND_A; which < OPERAND_NR; which++)
		if (check_operand(k, at, which))
			return -EINVAL;
	return 0;
}

static int check_program(struct check *k)
{
	const struct wk_wtask *t = &k->w->task[k->task];
	u32 open[WK_MAX_LOOPS], nr_open = 0, timed_at = 0;

	for (u32 at = t->first_op; at < t->first_op + t->nr_ops; at++) {
		u8 code = k->w->op[at].code;

		if (check_op(k, at))
			return -EINVAL;
		if (wk_op_takes_time(&k->w->op[at]))
			timed_at = at;
		if ((code == WK_OP_LOOP || code == WK_OP_END) &&
		    check_loop(k, at, open, &nr_open, timed_at))
			return -EINVAL;
	}
	if (nr_open)
		return complain(k, open[nr_open - 1], "a loop without end", nr_open);
	return 0;
}

/* A program that several tasks share is looked at once; one that forks has one task. */
static int check_shared(struct check *k, const struct wk_wtask *t)
{
	u32 first = k->owner[t->first_op] - 1;

	if (k->w->task[first].nr_ops != t->nr_ops)
		return complain(k, t->first_op, "tasks share a program of different length",
				t->nr_ops);
	if (k->forks[t->first_op])
		return complain(k, t->first_op, "a program that forks is shared with task", first);
	return 0;
}

static int check_task(struct check *k)
{
	const struct wk_workload *w = k->w;
	const struct wk_wtask *t = &w->task[k->task];

	if (!t->nr_ops || t->first_op >= w->nr_ops || t->nr_ops > w->nr_ops - t->first_op)
		return wk_build_error(k->err, "workload %s: task %u '%.16s': no operations",
				      w->bench, k->task, t->name);
	if (t->process >= w->nr_processes || !t->weight ||
	    (t->affinity != WK_NONE && (u32)t->affinity >= w->nr_affinities) ||
	    t->affinity < WK_NONE || t->parent < WK_NONE || t->parent >= (s32)w->nr_tasks)
		return wk_build_error(k->err,
				      "workload %s: task %u '%.16s': process, weight, affinity or "
				      "parent out of range",
				      w->bench, k->task, t->name);
	if (k->owner[t->first_op])
		return check_shared(k, t);
	k->owner[t->first_op] = k->task + 1;
	return check_program(k);
}

static int check_parents(struct check *k)
{
	const struct wk_workload *w = k->w;

	for (u32 i = 0; i < w->nr_tasks; i++)
		if (w->task[i].parent != WK_NONE && !k->forked[i])
			return wk_build_error(k->err,
					      "workload %s: task %u '%.16s': nobody forks it",
					      w->bench, i, w->task[i].name);
	return 0;
}

static int check_metrics(struct check *k)
{
	const struct wk_workload *w = k->w;

	for (u32 i = 0; i < w->nr_metrics; i++) {
		const struct wk_metric *m = &w->metric[i];
		u8 use = m->kind == WK_METRIC_LATENCY ? SLOT_HISTOGRAM : SLOT_COUNTER;

		if (m->slot >= w->nr_slots || m->kind > WK_METRIC_LATENCY || m->pct10 > 1000 ||
		    !m->scale_num || !m->scale_den || k->slot_use[m->slot] != use)
			return wk_build_error(k->err,
					      "workload %s: metric %u '%.32s': slot, kind, "
					      "percentile or scale out of range",
					      w->bench, i, m->name);
	}
	if (k->slot_use[0] == SLOT_HISTOGRAM)
		return wk_build_error(k->err, "workload %s: slot 0 is no counter", w->bench);
	return 0;
}

static int check_all(struct check *k)
{
	const struct wk_workload *w = k->w;

	for (u32 i = 0; i < w->nr_objs; i++)
		if (w->obj[i].kind >= WK_OBJ_NR ||
		    (w->obj[i].kind == WK_OBJ_BARRIER && !w->obj[i].count))
			return wk_build_error(k->err,
					      "workload %s: object %u: no such kind or "
					      "a barrier without members",
					      w->bench, i);
	for (k->task = 0; k->task < w->nr_tasks; k->task++)
		if (check_task(k))
			return -EINVAL;
	if (check_parents(k))
		return -EINVAL;
	return check_metrics(k);
}

/* False: op.def has an operand that no rule knows. */
static bool find_rules(struct check *k)
{
	for (u32 code = 0; code < WK_OP_NR; code++)
		for (u32 which = OPERAND_A; which < OPERAND_NR; which++) {
			size_t i = 0;

			while (strcmp(rules[i].name, rows[code].operand[which]))
				if (++i == sizeof(rules) / sizeof(rules[0]))
					return false;
			k->rule[code][which] = &rules[i];
		}
	return true;
}

int wk_workload_check(const struct wk_workload *w, struct wk_err *ret_err)
{
	struct check k = {.w = w, .err = ret_err};
	int err = -ENOMEM;

	if (!w->nr_tasks || !w->nr_ops || !w->nr_slots)
		return wk_build_error(ret_err, "workload %s: no tasks", w->bench);
	if (!find_rules(&k))
		return wk_build_error(ret_err, "op.def has an operand that check.c does not know");
	k.owner = calloc(w->nr_ops, sizeof(*k.owner));
	k.forks = calloc(w->nr_ops, 1);
	k.forked = calloc(w->nr_tasks, 1);
	k.slot_use = calloc(w->nr_slots, 1);
	if (k.owner && k.forks && k.forked && k.slot_use)
		err = check_all(&k);
	else
		wk_build_error(ret_err, "workload %s: out of memory", w->bench);
	free(k.owner);
	free(k.forks);
	free(k.forked);
	free(k.slot_use);
	return err;
}
