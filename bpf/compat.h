/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sched_ext of kernel 6.12 and of later ones call by different names.
 *
 * A kfunc that the running kernel lacks is weak and reads as absent: the
 * verifier removes the branch that calls it. The suffix ___wk is not part of the
 * kernel's name; it keeps our declarations apart from those that a vmlinux.h
 * may bring. Every wrapper tries the newest name first.
 */
#ifndef WK_BPF_COMPAT_H
#define WK_BPF_COMPAT_H

#define BPF_NO_KFUNC_PROTOTYPES
#include <vmlinux.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define WK_HAVE_VMLINUX
#include "core/host.h"

#define WK_KFUNC(declaration) extern declaration __ksym __weak

/* 7.0 */
WK_KFUNC(bool scx_bpf_dsq_insert___v2___wk(struct task_struct *p, u64 dsq, u64 slice, u64 flags));
/* 6.13 */
WK_KFUNC(void scx_bpf_dsq_insert___wk(struct task_struct *p, u64 dsq, u64 slice, u64 flags));
/* 6.12 */
WK_KFUNC(void scx_bpf_dispatch___wk(struct task_struct *p, u64 dsq, u64 slice, u64 flags));
struct scx_bpf_dsq_insert_vtime_args;
/* 7.0 */
WK_KFUNC(bool __scx_bpf_dsq_insert_vtime___wk(struct task_struct *p,
					      struct scx_bpf_dsq_insert_vtime_args *args));
/* 6.13 */
WK_KFUNC(void scx_bpf_dsq_insert_vtime___wk(struct task_struct *p, u64 dsq, u64 slice, u64 vtime,
					    u64 flags));
/* 6.12 */
WK_KFUNC(void scx_bpf_dispatch_vtime___wk(struct task_struct *p, u64 dsq, u64 slice, u64 vtime,
					  u64 flags));
/* 7.1 */
WK_KFUNC(bool scx_bpf_dsq_move_to_local___v2___wk(u64 dsq, u64 flags));
/* 6.13 */
WK_KFUNC(bool scx_bpf_dsq_move_to_local___wk(u64 dsq));
/* 6.12 */
WK_KFUNC(bool scx_bpf_consume___wk(u64 dsq));
/* 6.19 */
WK_KFUNC(struct task_struct *scx_bpf_dsq_peek___wk(u64 dsq));
WK_KFUNC(int bpf_iter_scx_dsq_new___wk(struct bpf_iter_scx_dsq *it, u64 dsq, u64 flags));
WK_KFUNC(struct task_struct *bpf_iter_scx_dsq_next___wk(struct bpf_iter_scx_dsq *it));
WK_KFUNC(void bpf_iter_scx_dsq_destroy___wk(struct bpf_iter_scx_dsq *it));
WK_KFUNC(s32 scx_bpf_create_dsq___wk(u64 dsq, s32 node));
WK_KFUNC(s32 scx_bpf_dsq_nr_queued___wk(u64 dsq));
WK_KFUNC(s32 scx_bpf_task_cpu___wk(const struct task_struct *p));
WK_KFUNC(void scx_bpf_kick_cpu___wk(s32 cpu, u64 flags));
/* 6.14 */
WK_KFUNC(u64 scx_bpf_now___wk(void));
WK_KFUNC(bool bpf_cpumask_test_cpu___wk(u32 cpu, const struct cpumask *mask));

/* The layout is part of the kernel's interface; the name is our own where vmlinux.h is older. */
struct wk_insert_args {
	u64 dsq, slice, vtime, flags;
};

/* At the end of a first-in first-out queue: a CPU's local one. */
WK_INLINE void wk_insert(struct task_struct *p, u64 dsq, u64 slice, u64 flags)
{
	if (bpf_ksym_exists(scx_bpf_dsq_insert___v2___wk))
		scx_bpf_dsq_insert___v2___wk(p, dsq, slice, flags);
	else if (bpf_ksym_exists(scx_bpf_dsq_insert___wk))
		scx_bpf_dsq_insert___wk(p, dsq, slice, flags);
	else
		scx_bpf_dispatch___wk(p, dsq, slice, flags);
}

/* By virtual time. */
WK_INLINE void wk_insert_by(struct task_struct *p, u64 dsq, u64 slice, u64 vtime, u64 flags)
{
	if (bpf_ksym_exists(__scx_bpf_dsq_insert_vtime___wk)) {
		struct wk_insert_args args = {dsq, slice, vtime, flags};

		__scx_bpf_dsq_insert_vtime___wk(p, (void *)&args);
	} else if (bpf_ksym_exists(scx_bpf_dsq_insert_vtime___wk)) {
		scx_bpf_dsq_insert_vtime___wk(p, dsq, slice, vtime, flags);
	} else {
		scx_bpf_dispatch_vtime___wk(p, dsq, slice, vtime, flags);
	}
}

/* Moves the first task of @dsq that may run on this CPU to its local queue. */
WK_INLINE bool wk_move_to_local(u64 dsq)
{
	if (bpf_ksym_exists(scx_bpf_dsq_move_to_local___v2___wk))
		return scx_bpf_dsq_move_to_local___v2___wk(dsq, 0);
	if (bpf_ksym_exists(scx_bpf_dsq_move_to_local___wk))
		return scx_bpf_dsq_move_to_local___wk(dsq);
	return scx_bpf_consume___wk(dsq);
}

/* Time on the scheduler's clock: cheap where a run queue is locked. */
WK_INLINE u64 wk_now(void)
{
	return bpf_ksym_exists(scx_bpf_now___wk) ? scx_bpf_now___wk() : bpf_ktime_get_ns();
}

/*
 * After the check of an index: what the index is used for must not move above the
 * check, where the verifier would not know the bound. @i is a u64, so that there is
 * one register of it.
 */
#define wk_pin(i) asm volatile("" : "+r"(i))

/* The constant of this name in the running kernel, which need not be that of vmlinux.h. */
#define wk_kernel_enum(type, name) bpf_core_enum_value(enum type, name)

#endif
