/* SPDX-License-Identifier: GPL-2.0-only */
/* The live scheduler's statistics as text. */
#ifndef WK_CMD_RUN_SHOW_H
#define WK_CMD_RUN_SHOW_H

#include <stdio.h>

#include "live/live.h"

/* What happened between two sums, which were @seconds apart. */
void wk_run_show(FILE *to, const struct wk_live_sum *before, const struct wk_live_sum *now,
		 double seconds, bool histograms);

/* Every row with its sentence. */
void wk_run_show_help(FILE *to);

#endif
