// SPDX-License-Identifier: GPL-2.0-only
#include "vmlinux.h"

#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

SEC("syscall")
int wk_nothing(void *ctx)
{
	return 0;
}
