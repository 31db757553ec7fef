/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of a run queue: a tree of tasks by virtual runtime.
 *
 * Problem: CFS takes the smallest virtual runtime, EEVDF the smallest deadline
 * among those whose virtual runtime has not passed a limit; tasks enter and
 * leave at every wake-up, mostly into queues of one to four, sometimes of
 * thousands.
 * Idea: an intrusive treap. Nodes are ordered by (key, id), heap-ordered by a
 * priority hashed from the id, so the shape is a pure function of the set of
 * nodes: no order of insertion, no random state, no balance to keep. Each node
 * knows the smallest aux below it, which makes EEVDF's pick one descent.
 *
 *             key 20 aux 90 (min 35)          best_eligible(limit 20):
 *            /                      \          20 <= 20: the left subtree may run,
 *   key 10 aux 70 (35)      key 30 aux 40      its best is 35; then 20 itself (90);
 *            \                                 30 may not. 35 wins: go and find it.
 *             key 15 aux 35
 *
 * Keys and aux wrap as the kernel's do: compared by the sign of the difference,
 * so all of one tree must lie within 2^63 of each other.
 *
 * Ownership: the caller owns nodes and tree; a node is in one tree at a time;
 * key, aux and id must not change while it is (remove, change, insert). Ids are
 * unique within a tree. Nothing allocates, nothing recurses.
 */
#ifndef WK_SIM_TIMELINE_H
#define WK_SIM_TIMELINE_H

#include "core/host.h"

struct wk_tnode {
	u64 key;     /* virtual runtime */
	u64 aux;     /* virtual deadline; any constant where nobody asks for it */
	u64 min_aux; /* smallest aux of the subtree */
	u32 id;	     /* breaks ties */
	u32 prio;    /* heap order: set by wk_timeline_insert() */
	struct wk_tnode *left, *right, *parent;
};

struct wk_timeline {
	struct wk_tnode *root;
	struct wk_tnode *first; /* cached: the smallest (key, id) */
	u32 nr;
};

static inline void wk_timeline_init(struct wk_timeline *t)
{
	t->root = t->first = (struct wk_tnode *)0;
	t->nr = 0;
}

/* The kernel's entity_before(), with the id in the place of arrival order. */
static inline bool wk_tnode_before(const struct wk_tnode *a, const struct wk_tnode *b)
{
	s64 diff = (s64)(a->key - b->key);

	return diff ? diff < 0 : a->id < b->id;
}

/* NULL where the tree is empty. */
static inline struct wk_tnode *wk_timeline_first(const struct wk_timeline *t)
{
	return t->first;
}

/* The next in order, NULL after the last. */
static inline struct wk_tnode *wk_timeline_next(const struct wk_tnode *n)
{
	const struct wk_tnode *from = n;

	if (n->right) {
		n = n->right;
		while (n->left)
			n = n->left;
		return (struct wk_tnode *)n;
	}
	for (n = n->parent; n && n->right == from; n = n->parent)
		from = n;
	return (struct wk_tnode *)n;
}

/* @n is in no tree and has key, aux and id. */
void wk_timeline_insert(struct wk_timeline *t, struct wk_tnode *n);
/* @n is in @t. */
void wk_timeline_remove(struct wk_timeline *t, struct wk_tnode *n);
/*
 * Of those with key <= @limit the one with the smallest (aux, key, id), NULL where there is
 * none.
 */
struct wk_tnode *wk_timeline_best_eligible(const struct wk_timeline *t, u64 limit);

/* True if order, heap, links, first, nr and every min_aux hold: for tests, O(n). */
bool wk_timeline_check(const struct wk_timeline *t);

#endif
