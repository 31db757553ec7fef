/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Globals, and what is kept of a task.
 *
 * A task's record is its BPF task storage: struct wk_task as the core reads it,
 * and what fairness and statistics need. Tasks that may not run everywhere have
 * a mask of cids in a second storage, so that the others do not pay for it.
 */
#ifndef WK_BPF_TASK_H
#define WK_BPF_TASK_H

#include "bpf/compat.h"
#include "bpf/intf.h"

#define WK_PF_KTHREAD  0x00200000
#define WK_SCHED_IDLE  5
#define WK_WEIGHT_IDLE 3
#define WK_NICE_0_PRIO 120
#define WK_NICE_WIDTH  40
#define WK_MIN_PRIO    100

const volatile struct wk_live_config wk_config;
const volatile struct wk_policy wk_policy;

struct wk_topo wk_topo_live SEC(".bss.wk_topo");
struct wk_state wk_state_live SEC(".bss.wk_state");
/* The loader makes room for config.nr_cpus of them. */
struct wk_live_cpu wk_cpus[1] SEC(WK_LIVE_CPUS_SECTION);

struct wk_live_task {
	struct wk_task t;
	u64 vtime;   /* virtual run time on the clock of `queue`; its lag while queue is NONE */
	u64 run_ns;  /* charged up to here */
	u64 wake_ns; /* woken and not yet running since, else 0 */
	u64 util_stamp_ns; /* when util was averaged last */
	u64 util_run_ns;   /* ran since then */
	s32 queue;	   /* cid whose clock vtime is on, or WK_NONE */
	s32 inbox;	   /* cid whose inbox counts it, or WK_NONE */
	u8 tier;	   /* between the waker and the chosen CPU */
	bool restricted;   /* has a mask */
	bool sampled;	   /* record is to go out when it runs */
	u8 pad[5];
	struct wk_record record;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wk_live_task);
} wk_tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct wk_mask);
} wk_masks SEC(".maps");

/*
 * The compiler must not see that the policy is a constant, as it would take it
 * for zeros; the verifier must, to drop what the policy does not use.
 */
WK_INLINE const struct wk_policy *wk_pol(void)
{
	const struct wk_policy *pol = (const struct wk_policy *)&wk_policy;

	asm volatile("" : "+r"(pol));
	return pol;
}

WK_INLINE struct wk_live_task *wk_task_of(struct task_struct *p)
{
	return bpf_task_storage_get(&wk_tasks, p, 0, 0);
}

/* The row of @cid, or NULL. */
WK_INLINE struct wk_live_cpu *wk_cpu_of(s32 cid)
{
	u32 i = (u32)cid;

	asm volatile("" : "+r"(i));
	return i < wk_config.nr_cpus ? &wk_cpus[i] : (struct wk_live_cpu *)0;
}

WK_INLINE s32 wk_cid_of(s32 cpu)
{
	u32 i = (u32)cpu;

	asm volatile("" : "+r"(i));
	return i < WK_MAX_CPUS ? wk_topo_live.cid_of[i] : WK_NONE;
}

WK_INLINE s32 wk_this_cid(void)
{
	return wk_cid_of((s32)bpf_get_smp_processor_id());
}

/* Bits that many CPUs write: they share words, and are often right already. */
WK_INLINE bool wk_bit_test(const struct wk_mask *m, s32 cid)
{
	u32 i = (u32)cid;

	asm volatile("" : "+r"(i));
	return i < WK_MAX_CPUS && wk_read_once(m->word[i / 64]) >> (i % 64) & 1;
}

WK_INLINE void wk_bit_set(struct wk_mask *m, s32 cid)
{
	u32 i = (u32)cid;

	asm volatile("" : "+r"(i));
	if (i < WK_MAX_CPUS && !(wk_read_once(m->word[i / 64]) >> (i % 64) & 1))
		__sync_fetch_and_or(&m->word[i / 64], 1ULL << (i % 64));
}

/* True if this caller cleared it. */
WK_INLINE bool wk_bit_take(struct wk_mask *m, s32 cid)
{
	u32 i = (u32)cid;

	asm volatile("" : "+r"(i));
	if (i >= WK_MAX_CPUS || !(wk_read_once(m->word[i / 64]) >> (i % 64) & 1))
		return false;
	return wk_claim64(&m->word[i / 64], 1ULL << (i % 64));
}

#define wk_count(cpu, NAME) ((cpu)->stats.count[WK_LIVE_COUNT_##NAME]++)

/* ---- weight ---- */

/* 1024 at nice 0, a factor of 1.25 for each step. */
static const u32 wk_nice_weight[WK_NICE_WIDTH] = {
	88818, 71054, 56843, 45475, 36380, 29104, 23283, 18626, 14901, 11921,
	9537,  7629,  6104,  4883,  3906,  3125,  2500,	 2000,	1600,  1280,
	1024,  819,   655,   524,   419,   336,	  268,	 215,	172,   137,
	110,   88,    70,    56,    45,	   36,	  29,	 23,	18,    15,
};

WK_INLINE void wk_task_weigh(struct wk_live_task *t, const struct task_struct *p)
{
	u32 i = (u32)p->static_prio - WK_MIN_PRIO;

	t->t.flags &= (u8)~WK_TASK_IDLE_POLICY;
	if (p->policy == WK_SCHED_IDLE) {
		t->t.flags |= WK_TASK_IDLE_POLICY;
		t->t.weight = WK_WEIGHT_IDLE;
		return;
	}
	asm volatile("" : "+r"(i));
	t->t.weight = i < WK_NICE_WIDTH ? wk_nice_weight[i] : 1024;
}

/* ---- affinity ---- */

/* The configured affinity as cids; returns how many of them are online. */
WK_STEP u32 wk_mask_fill(struct wk_mask *m, struct task_struct *p)
{
	u32 cid, word, nr = wk_topo_live.nr_cids, n = 0;

	wk_loop_for(word, 0, WK_MASK_WORDS) {
		if (word < WK_MASK_WORDS)
			m->word[word] = 0;
	}
	wk_loop_for(cid, 0, nr) {
		if (cid >= WK_MAX_CPUS)
			break;
		if (!bpf_cpumask_test_cpu___wk(wk_topo_live.cpu_of[cid], &p->cpus_mask))
			continue;
		m->word[cid / 64] |= 1ULL << (cid % 64);
		n += wk_mask_test(&wk_topo_live.online, cid);
	}
	return n;
}

/* Reads the affinity of @p again; its waker may look at the same time, and checks its answer. */
WK_STEP void wk_task_confine(struct wk_live_task *t, struct task_struct *p)
{
	struct wk_mask *m;

	t->t.flags &= (u8)~WK_TASK_PERCPU_KTHREAD;
	if ((p->flags & WK_PF_KTHREAD) && p->nr_cpus_allowed == 1)
		t->t.flags |= WK_TASK_PERCPU_KTHREAD;
	if ((u32)p->nr_cpus_allowed >= wk_topo_live.nr_cids) {
		t->restricted = false;
		return;
	}
	t->restricted = true;
	m = bpf_task_storage_get(&wk_masks, p, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (m)
		t->restricted = wk_mask_fill(m, p) < wk_config.nr_online;
}

#endif
