/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is the code that a program was called from a task, or an interrupt? The preempt
 * count says so: a bit while a softirq is served, and the nesting of hard
 * interrupts and NMIs, which 7.3 moved up to make room for a count of how often
 * interrupts were disabled. Include it after vmlinux.h and bpf_helpers.h.
 */
#ifndef WK_BPF_CONTEXT_H
#define WK_BPF_CONTEXT_H

#define WK_SOFTIRQ_SERVED 0x100
#define WK_IRQ_BITS_7_3	  0xff000000
#define WK_IRQ_BITS_6	  0x00ff0000

extern const int __preempt_count __ksym __weak;
extern int LINUX_KERNEL_VERSION __kconfig;

/* Where the kernel does not say: a task. */
static inline __attribute__((always_inline)) bool wk_in_task(void)
{
	u32 irq = LINUX_KERNEL_VERSION >= KERNEL_VERSION(7, 3, 0) ? WK_IRQ_BITS_7_3 : WK_IRQ_BITS_6;
	const int *count;

	if (!bpf_ksym_exists(&__preempt_count))
		return true;
	count = bpf_this_cpu_ptr(&__preempt_count);
	return !((u32)*count & (irq | WK_SOFTIRQ_SERVED));
}

#endif
