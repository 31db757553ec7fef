// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "sim/timeline.h"

/* A bijection of 32 bits: different ids never get the same priority. */
static u32 hash_id(u32 x)
{
	x = (x ^ (x >> 16)) * 0x21f0aaadu;
	x = (x ^ (x >> 15)) * 0x735a2d97u;
	return x ^ (x >> 15);
}

static u64 min_signed(u64 a, u64 b)
{
	return (s64)(a - b) <= 0 ? a : b;
}

/* What min_aux has to be, from the node and its children. */
static u64 subtree_min(const struct wk_tnode *n)
{
	u64 min = n->aux;

	if (n->left)
		min = min_signed(min, n->left->min_aux);
	if (n->right)
		min = min_signed(min, n->right->min_aux);
	return min;
}

/* Whoever pointed to @old, parent or root, points to @n. */
static void replace_child(struct wk_timeline *t, struct wk_tnode *old, struct wk_tnode *n)
{
	struct wk_tnode *parent = old->parent;

	if (!parent)
		t->root = n;
	else if (parent->left == old)
		parent->left = n;
	else
		parent->right = n;
	if (n)
		n->parent = parent;
}

/* @n changes places with its parent; the order stays. */
static void rotate_up(struct wk_timeline *t, struct wk_tnode *n)
{
	struct wk_tnode *parent = n->parent, *inner;

	replace_child(t, parent, n);
	if (parent->left == n) {
		inner = parent->left = n->right;
		n->right = parent;
	} else {
		inner = parent->right = n->left;
		n->left = parent;
	}
	if (inner)
		inner->parent = parent;
	parent->parent = n;
	n->min_aux = parent->min_aux; /* the same set of nodes below */
	parent->min_aux = subtree_min(parent);
}

/* Hangs @n below the leaf where it belongs, lowering min_aux on the way. */
static void insert_leaf(struct wk_timeline *t, struct wk_tnode *n)
{
	struct wk_tnode **link = &t->root, *parent = NULL;
	bool leftmost = true;

	while (*link) {
		parent = *link;
		parent->min_aux = min_signed(parent->min_aux, n->aux);
		if (wk_tnode_before(n, parent)) {
			link = &parent->left;
		} else {
			link = &parent->right;
			leftmost = false;
		}
	}
	*link = n;
	n->parent = parent;
	if (leftmost)
		t->first = n;
}

void wk_timeline_insert(struct wk_timeline *t, struct wk_tnode *n)
{
	n->left = n->right = NULL;
	n->min_aux = n->aux;
	n->prio = hash_id(n->id);
	insert_leaf(t, n);
	while (n->parent && n->parent->prio < n->prio)
		rotate_up(t, n);
	t->nr++;
}

void wk_timeline_remove(struct wk_timeline *t, struct wk_tnode *n)
{
	struct wk_tnode *up;

	if (t->first == n)
		t->first = wk_timeline_next(n);
	while (n->left && n->right)
		rotate_up(t, n->left->prio > n->right->prio ? n->left : n->right);
	replace_child(t, n, n->left ? n->left : n->right);
	t->nr--;
	/* Where a minimum stays, all above it stay. */
	for (up = n->parent; up; up = up->parent) {
		u64 min = subtree_min(up);

		if (min == up->min_aux)
			break;
		up->min_aux = min;
	}
}

/* The first in order with @aux, which is the subtree's minimum. */
static struct wk_tnode *find_aux(struct wk_tnode *n, u64 aux)
{
	for (;;) {
		if (n->left && n->left->min_aux == aux)
			n = n->left;
		else if (n->aux == aux)
			return n;
		else
			n = n->right;
	}
}

/*
 * Walking down towards the limit, everything that turns out eligible comes in
 * order, either one node or a whole left subtree. So "strictly better" is all
 * that ties need.
 */
struct wk_tnode *wk_timeline_best_eligible(const struct wk_timeline *t, u64 limit)
{
	struct wk_tnode *n = t->root, *best = NULL;
	u64 best_aux = 0;

	while (n) {
		if ((s64)(n->key - limit) > 0) {
			n = n->left;
			continue;
		}
		if (n->left && (!best || (s64)(n->left->min_aux - best_aux) < 0)) {
			best = n->left;
			best_aux = best->min_aux;
		}
		if (!best || (s64)(n->aux - best_aux) < 0) {
			best = n;
			best_aux = n->aux;
		}
		n = n->right;
	}
	/*
	 * Also right for a node chosen for itself: its aux is smaller than all in its left
	 * subtree.
	 */
	return best ? find_aux(best, best_aux) : NULL;
}

static bool check_node(const struct wk_tnode *n, const struct wk_tnode *next)
{
	if (n->left && (n->left->parent != n || n->left->prio >= n->prio))
		return false;
	if (n->right && (n->right->parent != n || n->right->prio >= n->prio))
		return false;
	return n->min_aux == subtree_min(n) && (!next || wk_tnode_before(n, next));
}

bool wk_timeline_check(const struct wk_timeline *t)
{
	const struct wk_tnode *n = t->root, *next;
	u32 nr = 0;

	if (n && n->parent)
		return false;
	while (n && n->left)
		n = n->left;
	if (n != t->first)
		return false;
	for (; n; n = next, nr++) {
		next = wk_timeline_next(n);
		if (!check_node(n, next) || nr > t->nr)
			return false;
	}
	return nr == t->nr;
}
