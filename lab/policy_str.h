/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policies as text: "tip", "sis_node+limit=2+pair", "tip-7+no_cluster_scan".
 *
 * A text is parts joined with '+'. A part is a named policy (core/policy.def), or
 * a feature (core/feat.def) written `name`, `no_name` or `name=value`. One part
 * may be a rule set (tip, tip-7, tip-5 or baseline); without one the text starts
 * from that of its policies, or from tip. The other parts change the rule set, in
 * any order: two that want different values of one feature are refused, as is a
 * part that stands there twice and one that cannot have an effect.
 *
 * Printing gives the shortest text of this kind for a policy, always the same one,
 * and parsing that gives the policy back.
 */
#ifndef WK_LAB_POLICY_STR_H
#define WK_LAB_POLICY_STR_H

#include "core/policy.h"
#include "machine/machine.h"

/* The longest text that is read, and room for any that is printed. */
#define WK_POLICY_TEXT_MAX 1024

enum wk_feat_kind { WK_KIND_DECISION, WK_KIND_TOPOLOGY, WK_KIND_COST, WK_KIND_FAIR, WK_KIND_NR };
enum wk_feat_type { WK_TYPE_FLAG, WK_TYPE_NUMBER };

/* A row of core/feat.def. */
struct wk_feat_info {
	const char *name;
	enum wk_feat_kind kind;
	enum wk_feat_type type;
	u32 def, min, max;
	const char *sentence;
};

extern const struct wk_feat_info wk_feat_info[WK_FEAT_NR];

/* "decision", "topology", "cost", "fair" */
extern const char *const wk_feat_kind_name[WK_KIND_NR];

/* A row of core/policy.def. */
struct wk_policy_info {
	const char *name, *parts, *thread, *sentence;
};

extern const struct wk_policy_info wk_policy_info[];
extern const u32 wk_nr_policies;

/* 0, or -EINVAL (-E2BIG for a text over WK_POLICY_TEXT_MAX) with *ret_err filled. */
int wk_policy_parse(const char *text, struct wk_policy *ret, struct wk_err *ret_err);

/* The canonical text of a policy. */
void wk_policy_print(const struct wk_policy *pol, char ret_text[WK_POLICY_TEXT_MAX]);

/* Its rule set, as named: "tip", "tip-7" or "tip-5". */
const char *wk_policy_rules(const struct wk_policy *pol);

#endif
