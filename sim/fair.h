/* SPDX-License-Identifier: GPL-2.0-only */
/* What fair.c (both classes, CFS) and eevdf.c share: see sim/fair.c. */
#ifndef WK_SIM_FAIR_H
#define WK_SIM_FAIR_H

#include "sim/internal.h"

u64 wk_fair_vtime(u64 ns, u32 weight); /* ns of real time in virtual time */
void wk_fair_requeue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, u64 vruntime);
u64 wk_cfs_slice(struct wk_sim *s, struct wk_cpu *rq, const struct wk_thread *p);

void wk_eevdf_place(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, bool fork);
void wk_eevdf_save_lag(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_eevdf_deadline(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *curr);
void wk_eevdf_protect(struct wk_thread *p);
bool wk_eevdf_delays(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
bool wk_eevdf_preempts(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
bool wk_eevdf_tick(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
struct wk_thread *wk_eevdf_pick(struct wk_sim *s, struct wk_cpu *rq);

#endif
