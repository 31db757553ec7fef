/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A policy is data: one number a feature. Flags are kept as bits as well, so
 * that a branch on one is a bit test natively and vanishes in BPF, where the
 * policy is rodata.
 */
#ifndef WK_CORE_POLICY_H
#define WK_CORE_POLICY_H

#include "core/host.h"

enum wk_feat {
#define WK_FEAT(NAME, name, KIND, TYPE, def, min, max, sentence) WK_FEAT_##NAME,
#include "core/feat.def"
	WK_FEAT_NR
};

struct wk_policy {
	u64 flags;	     /* bit f set where num[f] != 0 */
	u32 num[WK_FEAT_NR]; /* value of every feature */
};

WK_INLINE bool wk_has(const struct wk_policy *pol, enum wk_feat f)
{
	return pol->flags >> f & 1;
}

WK_INLINE u32 wk_num(const struct wk_policy *pol, enum wk_feat f)
{
	return pol->num[f];
}

#ifdef __bpf__
/* The host defines it, and sets it before it loads the program. */
extern const volatile struct wk_policy wk_policy;

/*
 * The compiler must not see that this is a constant, as it would take it for zeros;
 * the verifier must, since it drops what the policy does not use.
 */
WK_INLINE const struct wk_policy *wk_policy_hidden(void)
{
	const struct wk_policy *pol = (const struct wk_policy *)&wk_policy;

	asm volatile("" : "+r"(pol));
	return pol;
}
#endif

/* Whose rules: 5 is 5.2, 6 is 6.4 to 6.5, 7 is 7.3. */
WK_INLINE u32 wk_rules(const struct wk_policy *pol)
{
	return wk_num(pol, WK_FEAT_RULES);
}

WK_INLINE void wk_policy_set(struct wk_policy *pol, enum wk_feat f, u32 value)
{
	pol->num[f] = value;
	pol->flags = value ? pol->flags | 1ULL << f : pol->flags & ~(1ULL << f);
}

/* The features of tip: every default of feat.def. */
WK_INLINE void wk_policy_init(struct wk_policy *pol)
{
	pol->flags = 0;
#define WK_FEAT(NAME, name, KIND, TYPE, def, min, max, sentence) \
	wk_policy_set(pol, WK_FEAT_##NAME, def);
#include "core/feat.def"
}

#endif
