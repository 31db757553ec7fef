// SPDX-License-Identifier: GPL-2.0-only
/*
 * Watches the kernel's own class choose: what select_task_rq_fair() could see when it was
 * called, what it chose, and whether ttwu_queue_wakelist() then took the wake-up.
 *
 * The three run on one CPU with interrupts off, one after the other, so that a decision under
 * way needs no more than one place per CPU. It is sent when the last of the three has answered;
 * fork and exec ask no wake list and are sent at once.
 */
#include <vmlinux.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/context.h"
#include "bpf/decisions.h"

#define PF_EXITING	   0x00000004
#define PF_KTHREAD	   0x00200000
#define SCHED_IDLE	   5
#define UTIL_AVG_UNCHANGED 0x80000000 /* a mark in a task's util_est */

char LICENSE[] SEC("license") = "GPL";

const volatile u32 wk_dec_nr_cpus = 1;
const volatile u32 wk_dec_every = 1; /* one in so many is sent */

extern const struct rq runqueues __ksym;
extern struct sched_domain_shared *const sd_llc_shared __ksym;

struct wk_dec_counts wk_dec_counts;

enum wk_dec_stage { WK_DEC_FREE, WK_DEC_ENTERED, WK_DEC_CHOSEN };

struct wk_dec_slot {
	struct wk_dec dec;
	u64 task; /* address, to tell whose question a wake list is asked */
	u32 stage;
	u32 turn;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct wk_dec_slot);
} wk_dec_slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 20);
} wk_dec_ring SEC(".maps");

static struct wk_dec_slot *slot_here(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&wk_dec_slots, &zero);
}

static const struct rq *rq_of(s32 cpu)
{
	return bpf_per_cpu_ptr(&runqueues, cpu);
}

static void read_idle(const struct rq *rq, struct wk_dec_idle *to)
{
	to->curr_is_idle = rq->curr == rq->idle;
	to->pending = rq->ttwu_pending != 0;
	to->nr_running = rq->nr_running;
	to->nr_idle_policy = rq->cfs.h_nr_idle;
	to->nr_delayed = rq->cfs.h_nr_queued - rq->cfs.h_nr_runnable;
}

static void read_loads(const struct rq *rq, struct wk_dec_cpu *to)
{
	struct cpuidle_state *state = rq->idle_state;

	to->load = rq->cfs.avg.load_avg;
	to->runnable = rq->cfs.avg.runnable_avg;
	to->util = rq->cfs.avg.util_avg;
	to->util_est = rq->cfs.avg.util_est;
	to->capacity = rq->cpu_capacity;
	to->idle_stamp = rq->idle_stamp;
	to->exit_ns = state ? state->exit_latency_ns : 0;
}

static void read_cpus_before(struct wk_dec *d)
{
	u32 cpu;

	bpf_for(cpu, 0, wk_dec_nr_cpus) {
		const struct rq *rq = rq_of(cpu);

		if (!rq || cpu >= WK_DEC_CPUS)
			continue;
		read_idle(rq, &d->by_cpu[cpu].before);
		read_loads(rq, &d->by_cpu[cpu]);
	}
}

static void read_cpus_after(struct wk_dec *d)
{
	u32 cpu;

	bpf_for(cpu, 0, wk_dec_nr_cpus) {
		const struct rq *rq = rq_of(cpu);

		if (!rq || cpu >= WK_DEC_CPUS)
			continue;
		read_idle(rq, &d->by_cpu[cpu].after);
		d->by_cpu[cpu].load_after = rq->cfs.avg.load_avg;
	}
}

static void read_llc(s32 cpu, struct wk_dec_llc *to)
{
	struct sched_domain_shared *const *at = bpf_per_cpu_ptr(&sd_llc_shared, cpu);
	struct sched_domain_shared *shared = at ? *at : NULL;

	to->has_idle_cores = to->nr_idle_scan = -1;
	if (!shared)
		return;
	to->has_idle_cores = BPF_CORE_READ(shared, has_idle_cores);
	to->nr_idle_scan = BPF_CORE_READ(shared, nr_idle_scan);
}

static void read_waker(struct wk_dec *d, struct task_struct *p)
{
	struct task_struct *waker = bpf_get_current_task_btf();

	d->waker = waker->pid;
	d->waker_flips_before = waker->wakee_flips;
	d->same_wakee = waker->last_wakee == p;
	/* For now when they were halved last: see read_waker_after(). */
	d->waker_h_load = waker->wakee_flip_decay_ts;
	d->exiting = (waker->flags & PF_EXITING) != 0;
	d->percpu_kthread = (waker->flags & PF_KTHREAD) && waker->nr_cpus_allowed == 1;
	d->in_task = wk_in_task();
	d->waker_load = waker->se.avg.load_avg;
	d->waker_cfs_load = waker->se.cfs_rq->avg.load_avg;
}

static void read_waker_after(struct wk_dec *d)
{
	struct task_struct *waker = bpf_get_current_task_btf();

	d->waker_flips_after = waker->wakee_flips;
	d->decayed = waker->wakee_flip_decay_ts != d->waker_h_load;
	d->waker_h_load = waker->se.cfs_rq->h_load;
}

static void read_wakee(struct wk_dec *d, struct task_struct *p)
{
	d->wakee = p->pid;
	d->wakee_flips = p->wakee_flips;
	d->recent = p->recent_used_cpu;
	d->nr_allowed = p->nr_cpus_allowed;
	d->allowed = p->cpus_ptr->bits[0];
	d->idle_policy = p->policy == SCHED_IDLE;
	d->new_task = !p->se.avg.last_update_time;
	d->wakee_load = p->se.avg.load_avg;
	d->wakee_cfs_load = p->se.cfs_rq->avg.load_avg;
	d->wakee_util = p->se.avg.util_avg;
	d->wakee_util_est = p->se.avg.util_est & ~UTIL_AVG_UNCHANGED;
	d->wakee_runnable = p->se.avg.runnable_avg;
	d->numa_node = p->numa_preferred_nid;
}

static void send(struct wk_dec_slot *s)
{
	u64 nr = wk_dec_nr_cpus, size = offsetof(struct wk_dec, by_cpu);

	s->stage = WK_DEC_FREE;
	if (nr > WK_DEC_CPUS)
		return;
	size += nr * sizeof(struct wk_dec_cpu);
	if (size > sizeof(struct wk_dec))
		return;
	if (bpf_ringbuf_output(&wk_dec_ring, &s->dec, size, BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&wk_dec_counts.lost, 1);
	else
		__sync_fetch_and_add(&wk_dec_counts.sent, 1);
}

/*
 * Groups in the domains of this CPU that balancing has marked because tasks there were pinned. Fork
 * and exec take them for busier than they are.
 */
static u32 marked_groups(void)
{
	const struct rq *rq = bpf_this_cpu_ptr(&runqueues);
	struct sched_domain *sd = rq->sd;
	u32 nr = 0, level, i;

	bpf_for(level, 0, WK_DEC_LEVELS) {
		struct sched_group *group, *first;

		if (!sd)
			break;
		first = group = BPF_CORE_READ(sd, groups);
		bpf_for(i, 0, WK_DEC_CPUS) {
			nr += BPF_CORE_READ(group, sgc, imbalance) != 0;
			group = BPF_CORE_READ(group, next);
			if (group == first)
				break;
		}
		sd = BPF_CORE_READ(sd, parent);
	}
	return nr;
}

SEC("fentry/select_task_rq_fair")
int BPF_PROG(wk_dec_enter, struct task_struct *p, int prev_cpu, int wake_flags)
{
	struct wk_dec_slot *s = slot_here();
	struct wk_dec *d;

	if (!s)
		return 0;
	__sync_fetch_and_add(&wk_dec_counts.seen, 1);
	s->stage = WK_DEC_FREE;
	if (++s->turn % wk_dec_every)
		return 0;
	d = &s->dec;
	d->t_ns = bpf_ktime_get_ns();
	d->cpu = bpf_get_smp_processor_id();
	d->prev = prev_cpu;
	d->wake_flags = wake_flags;
	d->nr_cpus = wk_dec_nr_cpus;
	d->queue_cpu = -1;
	d->queued = 0;
	d->marked_groups = wake_flags & WK_WF_TTWU ? 0 : marked_groups();
	read_waker(d, p);
	read_wakee(d, p);
	read_llc(d->cpu, &d->waker_llc);
	read_llc(prev_cpu, &d->prev_llc);
	read_cpus_before(d);
	s->task = (u64)p;
	s->stage = WK_DEC_ENTERED;
	return 0;
}

SEC("fexit/select_task_rq_fair")
int BPF_PROG(wk_dec_chosen, struct task_struct *p, int prev_cpu, int wake_flags, int cpu)
{
	struct wk_dec_slot *s = slot_here();
	struct wk_dec *d;

	if (!s || s->stage != WK_DEC_ENTERED || s->task != (u64)p)
		return 0;
	d = &s->dec;
	read_cpus_after(d);
	read_waker_after(d);
	read_llc(d->cpu, &d->waker_llc_after);
	read_llc(prev_cpu, &d->prev_llc_after);
	d->chosen = cpu;
	d->recent_after = p->recent_used_cpu;
	d->wakee_h_load = p->se.cfs_rq->h_load;
	s->stage = WK_DEC_CHOSEN;
	if (!(wake_flags & WK_WF_TTWU))
		send(s);
	return 0;
}

SEC("fentry/ttwu_queue_wakelist")
int BPF_PROG(wk_dec_ask_queue, struct task_struct *p, int cpu, int wake_flags)
{
	struct wk_dec_slot *s = slot_here();
	const struct rq *rq = rq_of(cpu);

	if (s && rq && s->stage == WK_DEC_CHOSEN && s->task == (u64)p) {
		s->dec.queue_cpu = cpu;
		s->dec.queue_nr_before = rq->nr_running;
	}
	return 0;
}

SEC("fexit/ttwu_queue_wakelist")
int BPF_PROG(wk_dec_queued, struct task_struct *p, int cpu, int wake_flags, bool queued)
{
	struct wk_dec_slot *s = slot_here();
	const struct rq *rq = rq_of(cpu);

	if (!s || !rq || s->stage != WK_DEC_CHOSEN || s->task != (u64)p)
		return 0;
	s->dec.queued = queued;
	s->dec.queue_nr_after = rq->nr_running;
	send(s);
	return 0;
}
