/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam between the core and its hosts.
 *
 * Problem: the same decision text runs natively (simulator, tools, tests) and
 * inside a BPF program, where there is no libc, loops must be provably bounded
 * and bit search has no instruction before clang 19.
 * Idea: everything the core needs from outside comes through this header and
 * nothing else: integer types, the loop, bit search, one-shot loads and stores
 * and one atomic claim. host_user.h and host_bpf.h give the same names.
 * Rule: no other header of core/ includes anything outside core/.
 */
#ifndef WK_CORE_HOST_H
#define WK_CORE_HOST_H

#ifdef __bpf__
#include "core/host_bpf.h"
#else
#include "core/host_user.h"
#endif

/* The one "no such id": cids, LLC and domain indexes are s32 where they may be absent. */
#define WK_NONE (-1)

/* Errors the core returns; Linux numbers, written out since errno.h is not ours to include. */
#define WK_EINVAL 22
#define WK_E2BIG  7

#endif
