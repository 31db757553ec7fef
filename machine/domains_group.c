// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/domains.h"

static int no_memory(struct wk_build *b)
{
	return wk_build_err(b->err, -ENOMEM, "%s: out of memory", b->m->name);
}

/* Add a span to the list under construction, which begins at item[b->nr_items - *nr]. */
static int add_item(struct wk_build *b, u32 *nr, u32 span)
{
	if (b->nr_items == b->max_items) {
		u32 max = b->max_items ? 2 * b->max_items : 1024;
		u32 *item = reallocarray(b->item, max, sizeof(*item));

		if (!item)
			return no_memory(b);
		b->item = item;
		b->max_items = max;
	}
	b->item[b->nr_items++] = span;
	(*nr)++;
	return 0;
}

static u32 first_cpu(const struct wk_build *b, u32 span)
{
	return b->t->cpu_of[b->span[span].first_cid];
}

/* Stable, and the list is nearly sorted already. */
static void sort_items(const struct wk_build *b, u32 *item, u32 nr)
{
	for (u32 i = 1; i < nr; i++) {
		u32 span = item[i], at = i;

		for (; at > 0 && first_cpu(b, item[at - 1]) > first_cpu(b, span); at--)
			item[at] = item[at - 1];
		item[at] = span;
	}
}

/* Two nodes with the same groups share a list, so that lists are equal where their numbers are. */
static int intern_list(struct wk_build *b, u32 nr, bool may_repeat, u32 *ret)
{
	u32 first = b->nr_items - nr;

	for (u32 i = 0; i < b->nr_lists && may_repeat; i++)
		if (b->list[i].nr == nr &&
		    !memcmp(b->item + b->list[i].first, b->item + first, nr * sizeof(*b->item))) {
			b->nr_items = first;
			*ret = i;
			return 0;
		}
	if (b->nr_lists == b->max_lists) {
		u32 max = b->max_lists ? 2 * b->max_lists : 256;
		struct wk_group_list *list = reallocarray(b->list, max, sizeof(*list));

		if (!list)
			return no_memory(b);
		b->list = list;
		b->max_lists = max;
	}
	b->list[b->nr_lists] = (struct wk_group_list){first, nr};
	*ret = b->nr_lists++;
	return 0;
}

/* A child span is met once, at its lowest CPU. The groups of the lowest level are CPUs. */
static int exclusive_groups(struct wk_build *b, u32 k, u32 cid, u32 *nr)
{
	struct wk_span span = b->span[b->level[k].span_of[cid]];
	u32 end = span.hull.first + span.hull.len;

	for (u32 c = span.hull.first; c < end; c++) {
		struct wk_mask one = {0};
		u32 child;
		int err = 0;

		if (!wk_build_has(b, c) || b->level[k].span_of[c] != b->level[k].span_of[cid])
			continue;
		wk_mask_set(&one, c);
		if (k)
			child = b->level[k - 1].span_of[c];
		else
			err = wk_span_intern(b, &one, &child);
		if (!err && b->span[child].first_cid == c)
			err = add_item(b, nr, child);
		if (err)
			return err;
	}
	return 0;
}

/*
 * What a member brings into an overlapping domain: its own child domain, or the widest of its
 * domains below that stays inside @span (NUMA machines of diameter three need this).
 */
static u32 overlap_group(const struct wk_build *b, u32 k, u32 span, u32 cid)
{
	u32 j = k;

	if (wk_span_subset(b, b->level[k - 1].span_of[cid], span))
		return b->level[k - 1].span_of[cid];
	while (j > 0 && !wk_span_subset(b, b->level[j - 1].span_of[cid], span))
		j--;
	while (j > 0 && b->level[j - 1].span_of[cid] == b->level[j].span_of[cid])
		j--;
	return j ? b->level[j - 1].span_of[cid] : b->level[0].span_of[cid];
}

/* A CPU whose lower domain spans all has none at this level. */
static bool has_level(const struct wk_build *b, u32 k, u32 cid)
{
	return k == 0 || b->span[b->level[k - 1].span_of[cid]].weight < b->nr_cpus;
}

static void cover(const struct wk_build *b, struct wk_mask *covered, u32 span)
{
	const struct wk_span *s = &b->span[span];

	for (u32 c = s->hull.first; c < s->hull.first + s->hull.len; c++)
		if (s->mask == WK_NONE || wk_mask_test(&b->t->xmask[s->mask], c))
			wk_mask_set(covered, c);
}

/* Over the domain in CPU order from @start, wrapping: whoever is covered brings nothing. */
static int overlap_round(struct wk_build *b, u32 k, u32 cid, u32 start, struct wk_mask *covered,
			 bool all, u32 *nr)
{
	const struct wk_topo *t = b->t;

	for (u32 i = 0; i < t->max_cpu; i++) {
		s32 c = t->cid_of[(start + i) % t->max_cpu];
		u32 group;

		if (c == WK_NONE || !wk_build_has(b, (u32)c) || wk_mask_test(covered, (u32)c) ||
		    t->distance[t->sil[cid].node][t->sil[c].node] > b->level[k].distance ||
		    (!all && !has_level(b, k, (u32)c)))
			continue;
		group = overlap_group(b, k, b->level[k].span_of[cid], (u32)c);
		cover(b, covered, group);
		if (add_item(b, nr, group))
			return -ENOMEM;
	}
	return 0;
}

/*
 * The kernel passes over CPUs that have no domain at this level. With distances that fit no
 * machine nobody else may cover them; a second round then takes a lower domain of theirs.
 */
static int overlap_groups(struct wk_build *b, u32 k, u32 cid, u32 *nr)
{
	const struct wk_topo *t = b->t;
	u32 start = first_cpu(b, b->level[k - 1].span_of[cid]);
	struct wk_mask covered = {0};
	int err;

	if (t->sil[t->cid_of[start]].node != t->sil[cid].node)
		start = t->cpu_of[cid];
	err = overlap_round(b, k, cid, start, &covered, false, nr);
	return err ? err : overlap_round(b, k, cid, start, &covered, true, nr);
}

int wk_build_groups(struct wk_build *b, u32 k, u32 cid, u32 *ret_list)
{
	struct wk_build_level *l = &b->level[k];
	bool overlap = l->level == WK_LEVEL_NUMA;
	u32 key = overlap ? b->t->sil[cid].node : b->span[l->span_of[cid]].first_cid;
	u32 nr = 0;
	int err;

	if (l->groups_of[key]) {
		*ret_list = l->groups_of[key] - 1;
		return 0;
	}
	err = overlap ? overlap_groups(b, k, cid, &nr) : exclusive_groups(b, k, cid, &nr);
	if (err)
		return err;
	sort_items(b, b->item + b->nr_items - nr, nr);
	err = intern_list(b, nr, overlap, ret_list);
	if (!err)
		l->groups_of[key] = *ret_list + 1;
	return err;
}
