/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many instructions a decision takes in BPF.
 *
 * Problem: a processor's counters are missing in virtual machines, and differ between
 * processors where they are not.
 * Idea: take the instructions that the kernel made of the program, with all that the policy
 * does not use removed, and execute them here, one by one, on the same memory. Calls
 * of kernel functions (the loop's iterator) count as one.
 */
#ifndef WK_TESTS_DIFF_INTERP_H
#define WK_TESTS_DIFF_INTERP_H

#include "tests/diff/object.h"

struct wk_interp;

/* NULL where the kernel does not show the instructions or the addresses that it calls. */
struct wk_interp *wk_interp_create(const struct wk_diff_object *o);
void wk_interp_destroy(struct wk_interp *i);

/* Decides *o->request; how many instructions that took, or 0 for one that it does not know. */
u64 wk_interp_run(struct wk_interp *i);

#endif
