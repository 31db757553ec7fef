/* SPDX-License-Identifier: GPL-2.0-only */
/* Placeholder signature for parallel work; the cascade replaces this file. */
#ifndef WK_CORE_PICK_H
#define WK_CORE_PICK_H
#include "core/policy.h"
#include "core/record.h"
/* struct wk_pick wk_pick(const struct wk_topo *, struct wk_state *, const struct wk_policy *, const struct wk_request *); */
#endif
