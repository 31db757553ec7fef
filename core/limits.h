/* SPDX-License-Identifier: GPL-2.0-only */
/* Capacities. Fixed at compile time so that no table of the core is ever allocated on a path. */
#ifndef WK_CORE_LIMITS_H
#define WK_CORE_LIMITS_H

#define WK_MAX_CPUS   4096
#define WK_MASK_WORDS (WK_MAX_CPUS / 64)
#define WK_MAX_LLCS   512
#define WK_MAX_NODES  128
#define WK_MAX_LEVELS \
	10 /* scheduling domain levels of one CPU: SMT CLS MC NEAR PKG NODE and 4 NUMA */
#define WK_MAX_DOMAINS 8192
#define WK_MAX_GROUPS  32768
#define WK_MAX_XMASKS  256 /* spans that are no range of cids */

#endif
