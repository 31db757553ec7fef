/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results of a plan as text: one writer a format.
 *
 * table, schedtests and mmtests are for mails and people; csv and json for
 * scripts (doc/formats.md). All of them read the plan and nothing else, so they
 * can be written from an interrupted run: cells without a finished replica are
 * left out or shown as "-".
 */
#ifndef WK_LAB_REPORT_H
#define WK_LAB_REPORT_H

#include <stdio.h>

#include "lab/cell.h"
#include "lab/published.h"

struct wk_report {
	const struct wk_plan *plan;
	const struct wk_published *published; /* or NULL */
	const char *fair, *costs;	      /* --fair and --costs, or NULL */
	bool verbose;			      /* table: every count of every cell */
};

/* 0 or -ENOMEM; errors of @to are left to its owner (ferror()). */
int wk_report_table(const struct wk_report *r, FILE *to);
int wk_report_schedtests(const struct wk_report *r, FILE *to);
int wk_report_mmtests(const struct wk_report *r, FILE *to);
int wk_report_csv(const struct wk_report *r, FILE *to);
int wk_report_json(const struct wk_report *r, FILE *to);

/* The two halves of the table: results, and below them what the scheduler did. */
int wk_report_results(const struct wk_report *r, FILE *to);
int wk_report_counts(const struct wk_report *r, FILE *to);
int wk_report_verbose(const struct wk_report *r, FILE *to);

/*
 * Loads [first, end) are one benchmark with the same metrics and differ in load alone: one
 * table. Returns the end.
 */
u32 wk_report_group_end(const struct wk_plan *p, u32 first);

/* machine, or machine:config. */
void wk_report_machine(const struct wk_plan *p, char *ret, size_t size);

/* The load as a number, "-" for a benchmark that has none. Returns @ret. */
#define WK_REPORT_LOAD_MAX 24
const char *wk_report_load(const struct wk_workload *w, char ret[WK_REPORT_LOAD_MAX]);

/* Four digits or so, as tables of results have them. */
void wk_report_number(double x, char *ret, size_t size);

/* Names of the X-tables. */
extern const char *const wk_why_name[WK_WHY_NR];
extern const char *const wk_handoff_name[WK_HANDOFF_NR];
extern const char *const wk_tier_name[WK_TIER_NR];

#endif
