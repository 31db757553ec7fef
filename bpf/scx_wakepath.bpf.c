// SPDX-License-Identifier: GPL-2.0-only
/*
 * scx_wakepath: the sched_ext half of the live scheduler. No policy stands here:
 * the core decides where a waking task runs, and this file does what that takes.
 *
 * A wake-up: select_cpu asks the core. An idle CPU that the core has claimed gets
 * the task straight into its local queue. Any other gets it by enqueue into the
 * queue of its cid, by virtual deadline (bpf/fair.h). A CPU that runs dry takes
 * from its own queue and then from others' (bpf/pull.h).
 */
#include "bpf/balance.h"
#include "bpf/context.h"
#include "bpf/fair.h"
#include "bpf/load.h"
#include "bpf/pull.h"
#include "core/pick.h"

char _license[] SEC("license") = "GPL";

struct wk_live_exit wk_exit_info;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 * 1024);
} wk_records SEC(".maps");

/* Where the core found an idle CPU, and claimed it. */
#define WK_WHY_IDLE                                                                        \
	(1U << WK_WHY_TARGET_IDLE | 1U << WK_WHY_PREV_IDLE | 1U << WK_WHY_RECENT_IDLE |    \
	 1U << WK_WHY_ASYM_FIT | 1U << WK_WHY_PREV_SIBLING | 1U << WK_WHY_TARGET_SIBLING | \
	 1U << WK_WHY_CLUSTER_CORE | 1U << WK_WHY_CLUSTER_IDLE | 1U << WK_WHY_IDLE_CORE |  \
	 1U << WK_WHY_LLC_IDLE | 1U << WK_WHY_OTHER_CORE | 1U << WK_WHY_OTHER_IDLE |       \
	 1U << WK_WHY_PREV_FALLBACK | 1U << WK_WHY_RECENT_FALLBACK)

/* ---- what the core reads ---- */

/* The run queue's own count: no callback needs to keep one. */
WK_INLINE u32 wk_nr_running(u32 cpu)
{
	const struct rq *rq;

	if (!bpf_ksym_exists(&runqueues))
		return 1;
	rq = bpf_per_cpu_ptr(&runqueues, cpu);
	return rq ? rq->nr_running : 0;
}

/* The waker's side of the request. */
WK_INLINE void wk_request_waker(struct wk_request *req, struct wk_live_cpu *c)
{
	struct task_struct *curr = bpf_get_current_task_btf();
	struct wk_live_task *w = wk_task_of(curr);

	req->waker = w ? &w->t : &c->idle_task;
	if ((curr->flags & WK_PF_KTHREAD) && curr->nr_cpus_allowed == 1 && curr->pid &&
	    wk_in_task())
		req->context = WK_CTX_KTHREAD;
}

WK_INLINE void wk_request_wakee(struct wk_request *req, struct wk_live_task *t,
				struct task_struct *p, s32 prev_cpu)
{
	t->t.prev = wk_cid_of(prev_cpu);
	req->wakee = &t->t;
	req->allowed = &wk_topo_live.online;
	if (t->restricted) {
		const struct wk_mask *m = bpf_task_storage_get(&wk_masks, p, 0, 0);

		if (m) {
			req->allowed = m;
			req->nr_allowed = (u32)p->nr_cpus_allowed;
		}
	}
}

/* ---- select_cpu ---- */

WK_INLINE void wk_sample(const struct wk_pick *pick, const struct wk_request *req,
			 struct wk_live_task *t, struct wk_live_cpu *c)
{
	if (!wk_config.sample || ++c->since_sample < wk_config.sample)
		return;
	c->since_sample = 0;
	wk_record_fill(pick, req, &t->record);
	t->sampled = true;
}

WK_INLINE void wk_account(const struct wk_pick *pick, const struct wk_request *req,
			  struct wk_live_task *t, struct wk_live_cpu *c)
{
	u32 tier = wk_topo_tier(&wk_topo_live, req->waker_cid, (u32)pick->cid);

	if (req->kind == WK_REQ_FORK)
		wk_count(c, FORK);
	else
		wk_count(c, WAKE);
	if (pick->why < WK_WHY_NR)
		c->stats.why[pick->why]++;
	if (pick->handoff < WK_HANDOFF_NR)
		c->stats.handoff[pick->handoff]++;
	if (tier < WK_TIER_NR)
		c->stats.tier[tier]++;
	t->tier = (u8)tier;
	t->wake_ns = req->now_ns;
	wk_sample(pick, req, t, c);
}

/* Is the hand-off one between tiers, and not merely to a CPU that is idle anyway? */
WK_INLINE bool wk_is_far(const struct wk_pick *pick, u32 waker_cid)
{
	return wk_config.far_queued && pick->handoff == WK_HANDOFF_QUEUED &&
	       !wk_near_enough_to_lock(&wk_topo_live, wk_policy_hidden(), waker_cid,
				       (u32)pick->cid);
}

/*
 * The target is to fetch the task itself: it goes into the target's queue while it is enqueued
 * here, and the target is kicked. Its run queue's lock is not touched.
 */
WK_INLINE void wk_send(struct task_struct *p, struct wk_live_task *t, s32 cid, s32 cpu)
{
	struct wk_live_cpu *to = wk_cpu_of(cid);

	if (!to)
		return;
	wk_place(t, cid, to);
	t->inbox = cid;
	__sync_fetch_and_add(&to->inbox, 1);
	wk_insert_by(p, (u64)cid, wk_config.slice_ns, wk_deadline(t), 0);
	scx_bpf_kick_cpu___wk(cpu, wk_kernel_enum(scx_kick_flags, SCX_KICK_IDLE));
}

/* The core's answer, if it holds: the CPU is idle and ours, and the task may run there. */
WK_INLINE bool wk_is_ours(const struct wk_pick *pick)
{
	if ((WK_WHY_IDLE >> (pick->why & 31) & 1) &&
	    !wk_bit_test(&wk_state_live.idle_only, pick->cid))
		return true;
	return wk_bit_take(&wk_state_live.idle, pick->cid);
}

WK_INLINE s32 wk_put(struct task_struct *p, struct wk_live_task *t, const struct wk_request *req,
		     const struct wk_pick *pick, struct wk_live_cpu *c, s32 prev_cpu)
{
	s32 cid = pick->cid, cpu = wk_number_of(cid);
	bool ours;

	if (cpu < 0)
		return prev_cpu;
	ours = wk_is_ours(pick);
	if (t->restricted && !bpf_cpumask_test_cpu___wk((u32)cpu, p->cpus_ptr)) {
		if (ours)
			wk_bit_set(&wk_state_live.idle, cid);
		wk_count(c, UNCLAIM);
		return prev_cpu;
	}
	if (!ours)
		return cpu;
	if (wk_is_far(pick, req->waker_cid)) {
		u32 here = bpf_get_smp_processor_id();

		if (!t->restricted || bpf_cpumask_test_cpu___wk(here, p->cpus_ptr)) {
			wk_count(c, FAR);
			wk_send(p, t, cid, cpu);
			return (s32)here;
		}
	}
	wk_count(c, LOCAL);
	wk_insert(p, SCX_DSQ_LOCAL, wk_config.slice_ns, 0);
	return cpu;
}

SEC("struct_ops")
s32 BPF_PROG(wk_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	s32 cid = wk_this_cid();
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_cpu_state *s = wk_state_of(cid);
	struct wk_live_task *t = wk_task_of(p);
	struct wk_request req = {.now_ns = wk_now()};

	if (!t || !c || !s)
		return prev_cpu;
	req.kind = wake_flags & wk_kernel_enum(scx_wake_flags, SCX_WAKE_FORK) ? WK_REQ_FORK
									      : WK_REQ_WAKE;
	req.sync = !!(wake_flags & wk_kernel_enum(scx_wake_flags, SCX_WAKE_SYNC));
	req.waker_cid = (u32)cid;
	wk_request_waker(&req, c);
	wk_request_wakee(&req, t, p, prev_cpu);
	s->nr_running = wk_nr_running(bpf_get_smp_processor_id());
	if (wk_has(wk_policy_hidden(), WK_FEAT_SIS_PROP))
		req.now_tick = bpf_jiffies64();
	wk_pick(&wk_topo_live, &wk_state_live, wk_policy_hidden(), &req, &c->pick);
	if (wk_has(wk_policy_hidden(), WK_FEAT_SIS_PROP))
		wk_sis_prop_charge(&wk_state_live, &c->pick, req.waker_cid,
				   bpf_ktime_get_ns() - req.now_ns);
	wk_account(&c->pick, &req, t, c);
	return wk_put(p, t, &req, &c->pick, c, prev_cpu);
}

/* ---- enqueue ---- */

/* It runs, or goes to another queue: the CPU that was to fetch it need not. */
WK_INLINE void wk_leave_inbox(struct wk_live_task *t)
{
	struct wk_live_cpu *c;

	if (t->inbox == WK_NONE)
		return;
	c = wk_cpu_of(t->inbox);
	if (c)
		__sync_fetch_and_sub(&c->inbox, 1);
	t->inbox = WK_NONE;
}

/* Onto a CPU that waits for nothing else, or runs only what gives way. */
WK_INLINE bool wk_put_at_once(struct task_struct *p, const struct wk_live_task *t, s32 cid,
			      struct wk_live_cpu *c, u64 flags)
{
	if (wk_bit_take(&wk_state_live.idle, cid)) {
		wk_count(c, LOCAL);
		wk_insert(p, SCX_DSQ_LOCAL, wk_config.slice_ns, flags);
		return true;
	}
	if (!(t->t.flags & WK_TASK_IDLE_POLICY) && wk_bit_test(&wk_state_live.idle_only, cid)) {
		wk_count(c, PREEMPT);
		wk_insert(p, SCX_DSQ_LOCAL, wk_config.slice_ns,
			  flags | wk_kernel_enum(scx_enq_flags, SCX_ENQ_PREEMPT));
		return true;
	}
	return false;
}

/*
 * Run to parity: a wake-up does not interrupt. But slices end with a tick, and a task that has had
 * its slice before that is asked at once whether its deadline is still the earliest.
 */
WK_INLINE void wk_ask_running(struct wk_live_cpu *c, u32 cpu, u64 now_ns)
{
	if (now_ns - c->run_since_ns < wk_config.slice_ns)
		return;
	c->run_since_ns = now_ns;
	wk_count(c, PARITY);
	scx_bpf_kick_cpu___wk((s32)cpu, wk_kernel_enum(scx_kick_flags, SCX_KICK_PREEMPT));
}

SEC("struct_ops")
void BPF_PROG(wk_enqueue, struct task_struct *p, u64 flags)
{
	u32 cpu = (u32)scx_bpf_task_cpu___wk(p);
	s32 cid = wk_cid_of((s32)cpu);
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_cpu_state *s = wk_state_of(cid);
	struct wk_live_task *t = wk_task_of(p);

	if (!t || !c || !s) {
		wk_insert(p, SCX_DSQ_LOCAL, wk_config.slice_ns, flags);
		return;
	}
	wk_leave_inbox(t);
	if ((flags & SCX_ENQ_WAKEUP) && !t->wake_ns) {
		wk_count(c, UNASKED);
		t->wake_ns = wk_now();
		t->tier = WK_TIER_SELF;
	}
	if (wk_put_at_once(p, t, cid, c, flags))
		return;
	wk_count(c, QUEUE);
	wk_place(t, cid, c);
	wk_bit_set(&wk_queued, cid);
	s->nr_running = wk_nr_running(cpu);
	wk_insert_by(p, (u64)cid, wk_config.slice_ns, wk_deadline(t), flags);
	if (flags & SCX_ENQ_WAKEUP)
		wk_ask_running(c, cpu, wk_now());
}

/* ---- dispatch ---- */

/* The slice of @prev has ended: true if it is still the one to run. */
WK_INLINE bool wk_keeps(struct task_struct *prev, s32 cid, struct wk_live_cpu *c)
{
	struct wk_live_task *t = wk_task_of(prev);

	if (!t)
		return false;
	wk_charge(t, wk_now());
	if (wk_has_queued(cid, c) && wk_queue_has_before((u64)cid, wk_deadline(t)))
		return false;
	wk_clock_follow(c, t);
	c->run_since_ns = t->run_ns;
	wk_count(c, SLICE_KEPT);
	prev->scx.slice = wk_config.slice_ns;
	return true;
}

/* A CPU that was claimed and got nothing stays idle without a transition: offer it again. */
WK_INLINE void wk_offer_again(s32 cid, struct wk_live_cpu *c)
{
	if (!c->idle_since_ns || wk_bit_test(&wk_state_live.idle, cid))
		return;
	wk_bit_set(&wk_state_live.idle, cid);
	wk_count(c, REIDLE);
}

SEC("struct_ops")
void BPF_PROG(wk_dispatch, s32 cpu, struct task_struct *prev)
{
	s32 cid = wk_cid_of(cpu);
	struct wk_live_cpu *c = wk_cpu_of(cid);
	bool runnable = prev && (prev->scx.flags & SCX_TASK_QUEUED);

	if (!c)
		return;
	if (runnable && wk_take_from_longer(c))
		return;
	if (runnable && wk_keeps(prev, cid, c))
		return;
	if (wk_has_queued(cid, c)) {
		bool moved = wk_move_to_local((u64)cid);

		if (!scx_bpf_dsq_nr_queued___wk((u64)cid))
			wk_bit_take(&wk_queued, cid);
		if (moved) {
			if (runnable)
				wk_count(c, SLICE_GIVEN);
			return;
		}
	}
	if (!runnable && !(wk_anything_queued() && wk_pull(cid)))
		wk_offer_again(cid, c);
}

/* ---- running and stopping ---- */

WK_INLINE void wk_send_record(struct wk_live_task *t, struct wk_live_cpu *c, u64 latency_ns)
{
	t->sampled = false;
	t->record.latency_ns = latency_ns;
	if (bpf_ringbuf_output(&wk_records, &t->record, sizeof(t->record), 0))
		wk_count(c, SAMPLE_LOST);
	else
		wk_count(c, SAMPLE);
}

/* The wake-up ends here. */
WK_INLINE void wk_arrive(struct wk_live_task *t, struct wk_live_cpu *c, u64 now_ns)
{
	s64 ns = (s64)(now_ns - t->wake_ns);
	u32 bucket, tier = t->tier;

	t->wake_ns = 0;
	if (ns < 1)
		ns = 1;
	bucket = wk_bits64((u64)ns) - 1;
	if (bucket >= WK_LIVE_BUCKETS)
		bucket = WK_LIVE_BUCKETS - 1;
	if (tier < WK_TIER_NR)
		c->stats.latency[tier][bucket]++;
	if (t->sampled)
		wk_send_record(t, c, (u64)ns);
}

/* A CPU that runs a SCHED_IDLE task is nearly as good as idle. */
WK_INLINE void wk_mark_idle_only(s32 cid, const struct wk_live_task *t)
{
	if (t->t.flags & WK_TASK_IDLE_POLICY)
		wk_bit_set(&wk_state_live.idle_only, cid);
	else
		wk_bit_take(&wk_state_live.idle_only, cid);
}

SEC("struct_ops")
void BPF_PROG(wk_running, struct task_struct *p)
{
	s32 cid = wk_cid_of(scx_bpf_task_cpu___wk(p));
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_live_task *t = wk_task_of(p);
	u64 now_ns;

	if (!t || !c)
		return;
	now_ns = wk_now();
	wk_leave_inbox(t);
	wk_place(t, cid, c);
	wk_clock_follow(c, t);
	t->run_ns = c->run_since_ns = now_ns;
	wk_mark_idle_only(cid, t);
	if (t->wake_ns)
		wk_arrive(t, c, now_ns);
}

SEC("struct_ops")
void BPF_PROG(wk_stopping, struct task_struct *p, bool runnable)
{
	struct wk_live_task *t = wk_task_of(p);
	u64 now_ns;

	if (!t)
		return;
	now_ns = wk_now();
	wk_charge(t, now_ns);
	wk_task_average(t, now_ns);
	if (!runnable)
		wk_unplace(t);
}

SEC("struct_ops")
void BPF_PROG(wk_tick, struct task_struct *p)
{
	u32 cpu = bpf_get_smp_processor_id();
	s32 cid = wk_cid_of((s32)cpu);
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_cpu_state *s = wk_state_of(cid);
	u64 now_ns = wk_now();

	if (!c || !s)
		return;
	s->nr_running = wk_nr_running(cpu);
	wk_cpu_average(c, s, now_ns, true);
	wk_refresh_budget(cid, now_ns);
	if (wk_has_queued(cid, c))
		wk_call_help(cid);
	wk_look_for_longer(cid, now_ns);
}

/* As if it had run a slice: its deadline moves behind those who wait. */
SEC("struct_ops")
bool BPF_PROG(wk_yield, struct task_struct *from, struct task_struct *to)
{
	struct wk_live_task *t = wk_task_of(from);

	if (t)
		t->vtime += wk_virtual(t, wk_config.slice_ns);
	from->scx.slice = 0;
	return false;
}

SEC("struct_ops")
void BPF_PROG(wk_update_idle, s32 cpu, bool idle)
{
	s32 cid = wk_cid_of(cpu);
	struct wk_live_cpu *c = wk_cpu_of(cid);
	struct wk_cpu_state *s = wk_state_of(cid);
	u64 now_ns = wk_now();

	if (!c || !s)
		return;
	if (!idle) {
		wk_leaves_idle(cid, c, s, now_ns);
		return;
	}
	wk_bit_take(&wk_state_live.idle_only, cid);
	wk_goes_idle(cid, c, s, now_ns);
	wk_refresh_budget(cid, now_ns);
}

/* ---- the life of a task ---- */

SEC("struct_ops.s")
s32 BPF_PROG(wk_init_task, struct task_struct *p, struct scx_init_task_args *args)
{
	struct wk_live_task *t =
		bpf_task_storage_get(&wk_tasks, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!t)
		return -12; /* ENOMEM */
	t->t.id = (u32)p->pid;
	t->t.prev = t->t.recent = WK_NONE;
	t->queue = t->inbox = WK_NONE;
	/* As the kernel: a new task is thought to be busy until it shows otherwise. */
	t->t.util = 512;
	wk_task_weigh(t, p);
	t->t.load = t->t.weight;
	wk_task_confine(t, p);
	return 0;
}

SEC("struct_ops")
void BPF_PROG(wk_enable, struct task_struct *p)
{
	struct wk_live_task *t = wk_task_of(p);

	if (!t)
		return;
	wk_leave_inbox(t);
	t->vtime = 0;
	t->queue = WK_NONE;
	t->wake_ns = 0;
	t->util_stamp_ns = wk_now();
	wk_task_weigh(t, p);
	wk_task_confine(t, p);
}

SEC("struct_ops")
void BPF_PROG(wk_set_weight, struct task_struct *p, u32 weight)
{
	struct wk_live_task *t = wk_task_of(p);

	if (t)
		wk_task_weigh(t, p);
}

SEC("struct_ops")
void BPF_PROG(wk_set_cpumask, struct task_struct *p, const struct cpumask *mask)
{
	struct wk_live_task *t = wk_task_of(p);

	if (t)
		wk_task_confine(t, p);
}

/* ---- start and end ---- */

SEC("struct_ops.s")
s32 BPF_PROG(wk_init)
{
	u32 cid, nr = wk_topo_live.nr_cids;
	s32 err = 0;

	wk_loop_for(cid, 0, nr) {
		if (cid >= WK_MAX_CPUS)
			break;
		err = scx_bpf_create_dsq___wk(cid, -1);
		if (err)
			break;
	}
	return err;
}

SEC("struct_ops")
void BPF_PROG(wk_exit, struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(wk_exit_info.reason, sizeof(wk_exit_info.reason), info->reason);
	bpf_probe_read_kernel_str(wk_exit_info.msg, sizeof(wk_exit_info.msg), info->msg);
	wk_exit_info.code = info->exit_code;
	/* Last: the loader waits for it. */
	__sync_fetch_and_or(&wk_exit_info.kind, (u32)info->kind);
}

SEC(".struct_ops.link")
struct sched_ext_ops wk_ops = {
	.select_cpu = (void *)wk_select_cpu,
	.enqueue = (void *)wk_enqueue,
	.dispatch = (void *)wk_dispatch,
	.running = (void *)wk_running,
	.stopping = (void *)wk_stopping,
	.tick = (void *)wk_tick,
	.yield = (void *)wk_yield,
	.update_idle = (void *)wk_update_idle,
	.init_task = (void *)wk_init_task,
	.enable = (void *)wk_enable,
	.set_weight = (void *)wk_set_weight,
	.set_cpumask = (void *)wk_set_cpumask,
	.init = (void *)wk_init,
	.exit = (void *)wk_exit,
	.name = WK_LIVE_NAME,
};
