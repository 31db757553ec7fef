// SPDX-License-Identifier: GPL-2.0-only
/*
 * The least that is a scheduler, as a baseline: what sched_ext itself costs. The kernel's built-in
 * pick of an idle CPU, and one queue for all CPUs, first in first out.
 */
#include "bench/minimal.h"
#include "bpf/compat.h"

char _license[] SEC("license") = "GPL";

#define QUEUE 0

WK_KFUNC(s32 scx_bpf_select_cpu_dfl___wk(struct task_struct *p, s32 prev_cpu, u64 wake_flags,
					 bool *is_idle));

/* The built-in pick puts a wakee on the CPU of a waker that says it will sleep soon, if it may. */
const volatile bool wk_minimal_sync = true;

struct wk_minimal_exit wk_minimal_exit;

SEC("struct_ops")
s32 BPF_PROG(wk_minimal_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	u64 sync = wk_minimal_sync ? 0 : wk_kernel_enum(scx_wake_flags, SCX_WAKE_SYNC);
	bool idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl___wk(p, prev_cpu, wake_flags & ~sync, &idle);

	if (idle)
		wk_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, 0);
	return cpu;
}

SEC("struct_ops")
void BPF_PROG(wk_minimal_enqueue, struct task_struct *p, u64 flags)
{
	wk_insert(p, QUEUE, SCX_SLICE_DFL, flags);
}

SEC("struct_ops")
void BPF_PROG(wk_minimal_dispatch, s32 cpu, struct task_struct *prev)
{
	wk_move_to_local(QUEUE);
}

SEC("struct_ops.s")
s32 BPF_PROG(wk_minimal_init)
{
	return scx_bpf_create_dsq___wk(QUEUE, -1);
}

SEC("struct_ops")
void BPF_PROG(wk_minimal_stop, struct scx_exit_info *info)
{
	bpf_probe_read_kernel_str(wk_minimal_exit.reason, sizeof(wk_minimal_exit.reason),
				  info->reason);
	/* Last: the loader waits for it. */
	__sync_fetch_and_or(&wk_minimal_exit.kind, (u32)info->kind);
}

SEC(".struct_ops.link")
struct sched_ext_ops wk_minimal_ops = {
	.select_cpu = (void *)wk_minimal_select_cpu,
	.enqueue = (void *)wk_minimal_enqueue,
	.dispatch = (void *)wk_minimal_dispatch,
	.init = (void *)wk_minimal_init,
	.exit = (void *)wk_minimal_stop,
	.name = "wk_minimal",
};
