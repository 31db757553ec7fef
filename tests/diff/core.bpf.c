// SPDX-License-Identifier: GPL-2.0-only
/*
 * The core as a BPF program that decides one request at a time, in the memory of its
 * driver. It sees topology, state and policy as the scheduler does.
 */
#include "tests/diff/core.h"

#ifdef WK_DIFF_FAULT
/* One rule is wrong: interrupts are taken for kernel threads. */
#define WK_CTX_KTHREAD WK_CTX_IRQ
#endif
#include "core/pick.h"

const volatile struct wk_policy wk_policy;

struct wk_topo wk_topo_live;
struct wk_state wk_state_live;
struct wk_diff_case wk_case;
struct wk_diff_world wk_world;

__attribute__((section("syscall"), used)) int wk_core(void *ctx)
{
	struct wk_request req = wk_case.req;

	(void)ctx;
	req.waker = &wk_at(wk_world.task, wk_case.waker);
	req.wakee = &wk_at(wk_world.task, wk_case.wakee);
	req.allowed = &wk_world.allowed;
	wk_pick(&wk_topo_live, &wk_state_live, wk_policy_hidden(), &req, &wk_world.pick);
	return 0;
}

char wk_license[] __attribute__((section("license"), used)) = "GPL";
