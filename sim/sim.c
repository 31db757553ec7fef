// SPDX-License-Identifier: GPL-2.0-only
/* One run: set up, the loop, the result. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/measure.h"

void wk_fail(struct wk_sim *s, const char *fmt, ...)
{
	va_list ap;

	if (s->failed)
		return;
	s->failed = -EINVAL;
	va_start(ap, fmt);
	vsnprintf(s->err->text, sizeof(s->err->text), fmt, ap);
	va_end(ap);
}

void wk_crash(struct wk_sim *s, const struct wk_cpu *c, const struct wk_thread *p)
{
	wk_fail(s,
		"cpu %u, waking %s at %llu ns: sis_node followed the LLC domain of a gone CPU; "
		"the kernel would crash (nullcheck is off)",
		s->topo->cpu_of[c->cid], p->spec->name, (unsigned long long)s->now);
}

/* ---- set-up ---- */

static void init_costs(struct wk_sim *s)
{
	const struct wk_cost *cost = s->cost;

	s->enqueue_ns = cost->enqueue_ns * (1 + cost->tg_levels);
	s->dequeue_ns = cost->dequeue_ns * (1 + cost->tg_levels);
	for (u32 t = 0; t < WK_TIER_NR; t++) {
		u32 probe = cost->tier_ns[t] * cost->probe_pct / 100;

		s->probe_ns[t] = probe > cost->probe_min_ns ? probe : cost->probe_min_ns;
		s->line_ns[t] = (u32)(cost->tier_ns[t] * 1024ULL * cost->line_overlap_pct / 100);
	}
}

static void init_cpu(struct wk_sim *s, u32 cid)
{
	struct wk_cpu *c = &s->cpu[cid];

	c->cid = cid;
	c->slow_q10 = wk_slow_q10(s->topo->sil[cid].capacity, 100);
	c->irq_at = c->tick_at = c->seg_end = WK_NEVER;
	c->push_to = WK_NONE;
	c->lock.last = cid;
	c->idle_task = (struct wk_task){.id = WK_MUCH - cid, .prev = (s32)cid, .recent = (s32)cid};
	wk_timeline_init(&c->timers);
	wk_timeline_init(&c->queue);
	wk_st(s, c)->capacity = s->topo->sil[cid].capacity;
	if (wk_topo_online(s->topo, cid)) {
		wk_mask_set(&s->st.active, cid);
		wk_idle_enter(s, c);
	} else {
		c->phase = WK_PH_DOWN;
	}
}

static void init_thread(struct wk_sim *s, u32 id)
{
	struct wk_thread *p = &s->thread[id];

	p->spec = &s->in.workload->task[id];
	p->program = &s->in.workload->op[p->spec->first_op];
	p->nr_ops = p->spec->nr_ops;
	p->id = p->node.id = id;
	p->home_node = WK_MUCH;
	p->task = (struct wk_task){
		.id = id,
		.recent = WK_NONE,
		.last_wakee = WK_MUCH,
		.weight = p->spec->weight ? p->spec->weight : 1024,
		.flags = p->spec->flags & WK_WTASK_IDLE_POLICY ? WK_TASK_IDLE_POLICY : 0,
	};
	wk_set_affinity(s, p, p->spec->affinity);
	wk_pelt_init(&p->pelt, 0, p->task.weight / 2, 512, 256);
}

/* Workload masks are CPU numbers; the decision speaks cids. */
static void to_cids(const struct wk_sim *s, const struct wk_mask *cpus, struct wk_mask *ret_cids)
{
	for (u32 i = 0; i < s->nr_cpus; i++)
		if (wk_mask_test(cpus, s->topo->cpu_of[i]) &&
		    (!s->bound || wk_mask_test(s->bound, i)))
			wk_mask_set(ret_cids, i);
}

static int init_bound(struct wk_sim *s)
{
	const struct wk_machine *m = s->in.machine;

	if (m->affinity_first_node == WK_NONE)
		return 0;
	s->bound = calloc(1, sizeof(*s->bound));
	if (!s->bound)
		return -ENOMEM;
	for (u32 i = 0; i < s->nr_cpus; i++) {
		u32 node = s->topo->node_id[s->topo->sil[i].node];

		if ((s32)node >= m->affinity_first_node && (s32)node <= m->affinity_last_node)
			wk_mask_set(s->bound, i);
	}
	return 0;
}

static int init_affinities(struct wk_sim *s)
{
	const struct wk_workload *w = s->in.workload;
	struct wk_range all = {0, s->nr_cpus};

	s->affinity = calloc(w->nr_affinities ? w->nr_affinities : 1, sizeof(*s->affinity));
	if (!s->affinity)
		return -ENOMEM;
	for (u32 i = 0; i < w->nr_affinities; i++) {
		to_cids(s, &w->affinity[i], &s->affinity[i]);
		if (wk_mask_first_and(&s->affinity[i], &s->topo->online, all) < 0) {
			wk_fail(s, "%s: affinity %u holds no online CPU of the machine", w->bench,
				i);
			return -EINVAL;
		}
	}
	return 0;
}

/* Whole cache lines, on their boundaries. */
static void *zeroed(size_t nr, size_t size)
{
	void *p = aligned_alloc(64, nr * size);

	return p ? memset(p, 0, nr * size) : NULL;
}

static int init_objects(struct wk_sim *s)
{
	const struct wk_workload *w = s->in.workload;

	s->nr_objs = w->nr_objs;
	s->obj = zeroed(w->nr_objs ? w->nr_objs : 1, sizeof(*s->obj));
	if (!s->obj)
		return -ENOMEM;
	for (u32 i = 0; i < w->nr_objs; i++) {
		s->obj[i].obj = &w->obj[i];
		s->obj[i].home_node = WK_MUCH;
		s->obj[i].value = w->obj[i].kind == WK_OBJ_SEM ? w->obj[i].count : 0;
		wk_chan_init(&s->obj[i].chan, &w->obj[i]);
	}
	return 0;
}

static int allocate(struct wk_sim *s)
{
	const struct wk_workload *w = s->in.workload;

	s->nr_cpus = s->topo->nr_cids;
	s->nr_threads = s->nr_alive = w->nr_tasks;
	s->cpu = zeroed(s->nr_cpus, sizeof(*s->cpu));
	s->thread = zeroed(s->nr_threads, sizeof(*s->thread));
	s->slot = calloc(w->nr_slots ? w->nr_slots : 1, sizeof(*s->slot));
	s->hist = calloc(w->nr_slots ? w->nr_slots : 1, sizeof(*s->hist));
	s->llc_traffic = calloc(s->topo->nr_silicon_llcs, sizeof(u64));
	s->llc_streams = calloc(s->topo->nr_silicon_llcs, sizeof(u64));
	s->node_streams = calloc(s->topo->nr_nodes, sizeof(u64));
	wk_measure_init(s);
	if (!s->cpu || !s->thread || !s->slot || !s->hist || !s->llc_traffic || !s->llc_streams ||
	    !s->node_streams || !s->measure || !s->measure->slot_begin)
		return -ENOMEM;
	return wk_events_init(&s->ev, s->nr_cpus);
}

/* Threads without a parent sleep on a timer until they start, on the first CPU they may use. */
static void start_roots(struct wk_sim *s)
{
	struct wk_range all = {0, s->nr_cpus};

	for (u32 i = 0; i < s->nr_threads; i++) {
		struct wk_thread *p = &s->thread[i];
		s32 cid;

		if (p->spec->parent != WK_NONE)
			continue;
		cid = wk_mask_first_and(&s->st.active, p->allowed, all);
		p->cpu = p->last_ran = (u32)cid;
		p->task.prev = cid;
		p->state = WK_TS_SLEEPING;
		wk_timer_arm(s, &s->cpu[cid], p, p->spec->start_ns + 1000);
		wk_rearm(s, &s->cpu[cid]);
	}
}

static u32 count_marks(const struct wk_workload *w)
{
	u32 n = 0;

	for (u32 i = 0; i < w->nr_tasks; i++)
		for (u32 k = 0; k < w->task[i].nr_ops; k++)
			n += w->op[w->task[i].first_op + k].code == WK_OP_MARK;
	return n;
}

static int set_up(struct wk_sim *s)
{
	int err = allocate(s);

	if (err)
		return err;
	wk_rng_seed(&s->rng, s->in.seed);
	init_costs(s);
	wk_fair_init(s);
	err = init_bound(s);
	if (!err)
		err = init_affinities(s);
	if (!err)
		err = init_objects(s);
	if (err)
		return err;
	for (u32 i = 0; i < s->nr_cpus; i++)
		init_cpu(s, i);
	for (u32 i = 0; i < s->nr_threads; i++)
		init_thread(s, i);
	s->nr_usable = wk_start_cpus(s);
	wk_balance_init(s);
	s->marks_due = count_marks(s->in.workload);
	start_roots(s);
	return 0;
}

static void tear_down(struct wk_sim *s)
{
	for (u32 i = 0; s->cpu && i < s->nr_cpus; i++)
		free(s->cpu[i].out.at);
	wk_measure_destroy(s);
	wk_events_finish(&s->ev);
	wk_topo_destroy(s->own_topo);
	free(s->cpu);
	free(s->thread);
	free(s->obj);
	free(s->affinity);
	free(s->bound);
	free(s->slot);
	free(s->hist);
	free(s->llc_traffic);
	free(s->llc_streams);
	free(s->node_streams);
}

/* ---- the loop ---- */

/* The first that waits for something else than its children, if there is one. */
static const struct wk_thread *stuck_thread(const struct wk_sim *s)
{
	const struct wk_thread *ret = NULL;

	for (u32 i = 0; i < s->nr_threads; i++) {
		const struct wk_thread *p = &s->thread[i];

		if (p->state == WK_TS_DEAD || p->state == WK_TS_NEW)
			continue;
		if (!ret)
			ret = p;
		if (p->pc < p->nr_ops && p->program[p->pc].code != WK_OP_JOIN)
			return p;
	}
	return ret;
}

/* Nothing is going to happen, ever: finished, or everybody waits for everybody. */
static void nothing_left(struct wk_sim *s)
{
	const struct wk_thread *p = stuck_thread(s);

	if (!s->nr_alive) {
		s->ret->finished = true;
		return;
	}
	if (p) {
		wk_fail(s, "%s: deadlock at %llu ns: %s (task %u) waits in operation %u for ever",
			s->in.workload->bench, (unsigned long long)s->now, p->spec->name,
			(u32)(p - s->thread), p->pc);
		return;
	}
	wk_fail(s, "%s: %u tasks never start, expected each to have a parent that forks it",
		s->in.workload->bench, s->nr_alive);
}

static u64 next_hotplug_ns(const struct wk_sim *s)
{
	return s->next_hotplug < s->in.nr_hotplug ? s->in.hotplug[s->next_hotplug].t_ns : WK_NEVER;
}

/* What happens between events; true when the run is over. */
static bool between_events(struct wk_sim *s)
{
	if (next_hotplug_ns(s) <= s->now) {
		int err = wk_hotplug_apply(s, &s->in.hotplug[s->next_hotplug++]);

		if (err && !s->failed)
			s->failed = err;
		return s->failed != 0;
	}
	if (s->in.stop && __atomic_load_n(s->in.stop, __ATOMIC_RELAXED)) {
		s->ret->stopped = true;
		return true;
	}
	return wk_measure_slice(s) || s->now >= s->end_ns;
}

/* On large machines an event costs its cache misses: those of the next begin with this one. */
static void fetch_next(const struct wk_sim *s, u32 cid)
{
	u32 next = wk_events_second(&s->ev, cid);
	const struct wk_cpu *c = &s->cpu[next];

	if (next >= s->nr_cpus) /* it is alone */
		return;
	__builtin_prefetch(c);
	__builtin_prefetch((const char *)c + 64);
	__builtin_prefetch(c->curr);
}

static u64 next_stop(const struct wk_sim *s)
{
	u64 stop = wk_measure_next(s), hotplug = next_hotplug_ns(s);

	stop = hotplug < stop ? hotplug : stop;
	return s->end_ns < stop ? s->end_ns : stop;
}

static void run(struct wk_sim *s)
{
	s->stop_ns = next_stop(s);
	while (!s->failed) {
		u32 cid = wk_events_first(&s->ev);
		u64 t = wk_events_first_time(&s->ev);

		if (t >= WK_EVENTS_LATEST || !s->nr_alive) {
			nothing_left(s);
			return;
		}
		if (t > s->stop_ns) {
			s->now = s->stop_ns > s->now ? s->stop_ns : s->now;
			if (between_events(s))
				return;
			s->stop_ns = next_stop(s);
			continue;
		}
		s->now = t;
		s->count->events++;
		fetch_next(s, cid);
		wk_cpu_event(s, &s->cpu[cid]);
	}
}

static int check_input(const struct wk_sim_input *in, struct wk_err *err)
{
	if (in->workload->nr_tasks && in->topo->nr_cids)
		return wk_workload_check(in->workload, err);
	snprintf(err->text, sizeof(err->text),
		 "%s: %u tasks on %u CPUs, expected at least one of each", in->workload->bench,
		 in->workload->nr_tasks, in->topo->nr_cids);
	return -EINVAL;
}

int wk_sim_run(const struct wk_sim_input *in, struct wk_sim_result *ret, struct wk_err *ret_err)
{
	struct wk_sim *s;
	int err = check_input(in, ret_err);

	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	*ret = (struct wk_sim_result){0};
	s->in = *in;
	s->topo = in->topo;
	s->cost = in->cost;
	s->pol = *in->policy;
	s->ret = ret;
	s->err = ret_err;
	s->end_ns = in->max_ns ? in->max_ns : WK_NEVER;
	err = set_up(s);
	if (!err) {
		run(s);
		wk_measure_finish(s);
		err = s->failed;
	}
	tear_down(s);
	free(s);
	return err;
}
