// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/domains.h"

/* Hull, weight, lowest CPU and capacities of a set that is not empty. */
static struct wk_span measure(const struct wk_build *b, const struct wk_mask *set)
{
	const struct wk_topo *t = b->t;
	struct wk_span s = {.mask = WK_NONE, .domains = WK_NONE};
	u32 last = 0;

	for (u32 w = 0; w < (t->nr_cids + 63) / 64; w++)
		for (u64 x = set->word[w]; x; x &= x - 1) {
			u32 c = w * 64 + wk_ctz64(x);

			if (s.weight++ == 0)
				s.hull.first = s.first_cid = c;
			if (t->cpu_of[c] < t->cpu_of[s.first_cid])
				s.first_cid = c;
			s.capacities |= 1ULL << b->capacity_class[c];
			last = c;
		}
	s.hull.len = last - s.hull.first + 1;
	return s;
}

static bool span_is(const struct wk_build *b, const struct wk_span *a, const struct wk_span *s,
		    const struct wk_mask *set)
{
	if (a->hull.len != s->hull.len || a->weight != s->weight)
		return false;
	return a->mask == WK_NONE || !memcmp(&b->t->xmask[a->mask], set, sizeof(*set));
}

static int add_xmask(struct wk_build *b, const struct wk_mask *set, s32 *ret)
{
	struct wk_topo *t = b->t;

	if (t->nr_xmasks == WK_MAX_XMASKS)
		return wk_build_err(b->err, -E2BIG,
				    "%s: more than %d sets of CPUs are no range, expected fewer "
				    "offline or interleaved CPUs",
				    b->m->name, WK_MAX_XMASKS);
	t->xmask[t->nr_xmasks] = *set;
	*ret = (s32)t->nr_xmasks++;
	return 0;
}

static int grow_spans(struct wk_build *b)
{
	u32 max = b->max_spans ? 2 * b->max_spans : 256;
	struct wk_span *span;

	if (b->nr_spans < b->max_spans)
		return 0;
	span = reallocarray(b->span, max, sizeof(*span));
	if (!span)
		return wk_build_err(b->err, -ENOMEM, "%s: out of memory", b->m->name);
	b->span = span;
	b->max_spans = max;
	return 0;
}

int wk_span_intern(struct wk_build *b, const struct wk_mask *set, u32 *ret)
{
	struct wk_span s = measure(b, set);
	int err;

	for (s32 i = b->span_head[s.hull.first]; i != WK_NONE; i = b->span[i].next)
		if (span_is(b, &b->span[i], &s, set)) {
			*ret = (u32)i;
			return 0;
		}
	err = grow_spans(b);
	if (!err && s.weight != s.hull.len)
		err = add_xmask(b, set, &s.mask);
	if (err)
		return err;
	s.next = b->span_head[s.hull.first];
	b->span_head[s.hull.first] = (s32)b->nr_spans;
	*ret = b->nr_spans;
	b->span[b->nr_spans++] = s;
	return 0;
}

bool wk_span_subset(const struct wk_build *b, u32 inner, u32 outer)
{
	const struct wk_span *i = &b->span[inner], *o = &b->span[outer];

	if (inner == outer)
		return true;
	if (i->hull.first < o->hull.first ||
	    i->hull.first + i->hull.len > o->hull.first + o->hull.len)
		return false;
	if (o->mask == WK_NONE)
		return true;
	if (i->mask == WK_NONE)
		return wk_mask_has_range(&b->t->xmask[o->mask], i->hull);
	return wk_mask_count_and(&b->t->xmask[i->mask], &b->t->xmask[o->mask], i->hull) ==
	       i->weight;
}
