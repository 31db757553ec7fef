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
	u32 nr_online;	   /* CPUs of its mask that are online */
	u8 tier;	   /* between the waker and the chosen CPU */
	bool restricted;   /* has a mask */
	bool sampled;	   /* record is to go out when it runs */
	u8 pad[1];
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

WK_INLINE struct wk_live_task *wk_task_of(struct task_struct *p)
{
	return bpf_task_storage_get(&wk_tasks, p, 0, 0);
}

/* The row of @cid, or NULL. */
WK_INLINE struct wk_live_cpu *wk_cpu_of(s32 cid)
{
	u64 i = (u32)cid;

	if (i >= wk_config.nr_cpus)
		return (struct wk_live_cpu *)0;
	wk_pin(i);
	return &wk_cpus[i];
}

WK_INLINE s32 wk_cid_of(s32 cpu)
{
	u64 i = (u32)cpu;

	if (i >= WK_MAX_CPUS)
		return WK_NONE;
	wk_pin(i);
	return wk_topo_live.cid_of[i];
}

/* The kernel's number of @cid, or WK_NONE. */
WK_INLINE s32 wk_number_of(s32 cid)
{
	u64 i = (u32)cid;

	if (i >= WK_MAX_CPUS)
		return WK_NONE;
	wk_pin(i);
	return (s32)wk_topo_live.cpu_of[i];
}

WK_INLINE s32 wk_this_cid(void)
{
	return wk_cid_of((s32)bpf_get_smp_processor_id());
}

/* The word that holds the bit of @cid, or NULL. */
WK_INLINE u64 *wk_bit_word(struct wk_mask *m, s32 cid)
{
	u64 i = (u32)cid;

	if (i >= WK_MAX_CPUS)
		return (u64 *)0;
	wk_pin(i);
	return &m->word[i / 64];
}

/* Bits that many CPUs write: they share words, and are often right already. */
WK_INLINE bool wk_bit_test(struct wk_mask *m, s32 cid)
{
	const u64 *word = wk_bit_word(m, cid);

	return word && (wk_read_once(*word) >> ((u32)cid % 64) & 1);
}

WK_INLINE void wk_bit_set(struct wk_mask *m, s32 cid)
{
	u64 *word = wk_bit_word(m, cid);

	if (word && !(wk_read_once(*word) >> ((u32)cid % 64) & 1))
		__sync_fetch_and_or(word, 1ULL << ((u32)cid % 64));
}

/* True if this caller cleared it. */
WK_INLINE bool wk_bit_take(struct wk_mask *m, s32 cid)
{
	u64 *word = wk_bit_word(m, cid);

	if (!word || !(wk_read_once(*word) >> ((u32)cid % 64) & 1))
		return false;
	return wk_claim64(word, 1ULL << ((u32)cid % 64));
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
	u64 i = (u32)p->static_prio - WK_MIN_PRIO;

	t->t.flags &= (u8)~WK_TASK_IDLE_POLICY;
	if (p->policy == WK_SCHED_IDLE) {
		t->t.flags |= WK_TASK_IDLE_POLICY;
		t->t.weight = WK_WEIGHT_IDLE;
		return;
	}
	t->t.weight = 1024;
	if (i >= WK_NICE_WIDTH)
		return;
	wk_pin(i);
	t->t.weight = wk_nice_weight[i];
}

/* ---- affinity ---- */

/*
 * The configured affinity as cids; @t counts those that are online. It counts in memory: a count
 * that the verifier followed would be another state on each round.
 */
WK_STEP void wk_mask_fill(struct wk_mask *m, struct wk_live_task *t, struct task_struct *p)
{
	u32 cid, word, nr = wk_topo_live.nr_cids;

	wk_loop_for(word, 0, WK_MASK_WORDS) {
		u64 i = word;

		if (i >= WK_MASK_WORDS)
			break;
		wk_pin(i);
		m->word[i] = 0;
	}
	wk_write_once(t->nr_online, 0);
	wk_loop_for(cid, 0, nr) {
		s32 cpu = wk_number_of((s32)cid);
		u64 *bits = wk_bit_word(m, (s32)cid);

		if (!bits || cpu < 0 || !bpf_cpumask_test_cpu___wk((u32)cpu, &p->cpus_mask))
			continue;
		*bits |= 1ULL << (cid % 64);
		wk_write_once(t->nr_online, wk_read_once(t->nr_online) +
						    wk_bit_test(&wk_topo_live.online, (s32)cid));
	}
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
	if (!m)
		return;
	wk_mask_fill(m, t, p);
	t->restricted = wk_read_once(t->nr_online) < wk_config.nr_online;
}

#endif
