// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "sim/rng.h"
#include "sim/timeline.h"

#define NR_NODES 300

/* The model: the nodes in order in an array, moved with memmove(). */
struct model {
	struct wk_tnode *sorted[NR_NODES];
	u32 nr;
};

static u32 model_place(const struct model *m, const struct wk_tnode *n)
{
	u32 i = 0;

	while (i < m->nr && wk_tnode_before(m->sorted[i], n))
		i++;
	return i;
}

static void model_insert(struct model *m, struct wk_tnode *n)
{
	u32 at = model_place(m, n);

	memmove(&m->sorted[at + 1], &m->sorted[at], (m->nr - at) * sizeof(m->sorted[0]));
	m->sorted[at] = n;
	m->nr++;
}

static void model_remove(struct model *m, u32 at)
{
	m->nr--;
	memmove(&m->sorted[at], &m->sorted[at + 1], (m->nr - at) * sizeof(m->sorted[0]));
}

static struct wk_tnode *model_best(const struct model *m, u64 limit)
{
	struct wk_tnode *best = NULL;

	for (u32 i = 0; i < m->nr; i++) {
		struct wk_tnode *n = m->sorted[i];

		if ((s64)(n->key - limit) <= 0 && (!best || (s64)(n->aux - best->aux) < 0))
			best = n;
	}
	return best;
}

static bool agrees(const struct wk_timeline *t, const struct model *m)
{
	struct wk_tnode *n = wk_timeline_first(t);

	for (u32 i = 0; i < m->nr; i++, n = wk_timeline_next(n))
		if (n != m->sorted[i])
			return false;
	return !n && t->nr == m->nr && wk_timeline_check(t);
}

struct program {
	struct wk_timeline t;
	struct model m;
	struct wk_tnode node[NR_NODES];
	bool queued[NR_NODES];
	struct wk_rng r;
	u64 base; /* keys and aux lie around it */
};

static void flip_node(struct program *p, u32 i)
{
	struct wk_tnode *n = &p->node[i];

	if (p->queued[i]) {
		wk_timeline_remove(&p->t, n);
		model_remove(&p->m, model_place(&p->m, n));
	} else {
		n->key = p->base + wk_rng_below(&p->r, 60) - 30;
		n->aux = p->base + wk_rng_below(&p->r, 60) - 30;
		n->id = i;
		wk_timeline_insert(&p->t, n);
		model_insert(&p->m, n);
	}
	p->queued[i] = !p->queued[i];
}

/*
 * A random program of up to @live nodes on both; with @fault a key changes under the tree. True if
 * they agree.
 */
static bool run_program(u64 base, u32 live, u32 nr_ops, bool fault)
{
	struct program *p = calloc(1, sizeof(*p));
	bool same = true;

	assert_non_null(p);
	p->base = base;
	wk_timeline_init(&p->t);
	wk_rng_seed(&p->r, base ^ live);
	for (u32 op = 0; op < nr_ops && same; op++) {
		u64 limit = base + wk_rng_below(&p->r, 80) - 40;

		flip_node(p, (u32)wk_rng_below(&p->r, live));
		if (fault && op >= nr_ops / 2 && p->t.first)
			p->t.first->key = base + 100;
		same = agrees(&p->t, &p->m) &&
		       wk_timeline_best_eligible(&p->t, limit) == model_best(&p->m, limit);
	}
	free(p);
	return same;
}

static void as_a_sorted_array(void **state)
{
	static const u64 bases[] = {1000, 0, ~0ULL, 1ULL << 63};
	static const u32 live[] = {1, 2, 3, 5, 8, 40, NR_NODES};

	(void)state;
	for (u32 b = 0; b < 4; b++)
		for (u32 l = 0; l < 7; l++)
			assert_true(run_program(bases[b], live[l], 4000, false));
}

/* The model keeps pointers, so it sees the changed key too: only the order can betray it. */
static void a_fault_is_caught(void **state)
{
	(void)state;
	assert_false(run_program(1000, 8, 1000, true));
	assert_false(run_program(0, NR_NODES, 4000, true));
}

static void a_wrong_minimum_is_caught(void **state)
{
	struct wk_tnode node[3] = {{.key = 1, .aux = 9, .id = 1},
				   {.key = 2, .aux = 8, .id = 2},
				   {.key = 3, .aux = 7, .id = 3}};
	struct wk_timeline t;

	(void)state;
	wk_timeline_init(&t);
	for (u32 i = 0; i < 3; i++)
		wk_timeline_insert(&t, &node[i]);
	assert_true(wk_timeline_check(&t));
	t.root->min_aux--;
	assert_false(wk_timeline_check(&t));
}

static void empty(void **state)
{
	struct wk_timeline t;

	(void)state;
	wk_timeline_init(&t);
	assert_null(wk_timeline_first(&t));
	assert_null(wk_timeline_best_eligible(&t, 0));
	assert_true(wk_timeline_check(&t));
}

static void equal_keys_and_deadlines_go_by_id(void **state)
{
	struct wk_tnode node[50];
	struct wk_timeline t;

	(void)state;
	wk_timeline_init(&t);
	for (u32 i = 0; i < 50; i++) {
		node[i] = (struct wk_tnode){.key = 5, .aux = 5, .id = (i * 7 + 3) % 50};
		wk_timeline_insert(&t, &node[i]);
	}
	for (u32 id = 0; id < 50; id++) {
		struct wk_tnode *n = wk_timeline_first(&t);

		assert_int_equal(n->id, id);
		assert_ptr_equal(wk_timeline_best_eligible(&t, 5), n);
		assert_null(wk_timeline_best_eligible(&t, 4));
		wk_timeline_remove(&t, n);
	}
	assert_int_equal(t.nr, 0);
}

static u32 depth_of(const struct wk_tnode *n)
{
	u32 depth = 0;

	for (; n; n = n->parent)
		depth++;
	return depth;
}

/* Keys in the order of ids is the worst case for a tree without balance. */
static void many_stay_shallow(void **state)
{
	const u32 nr = 100000;
	struct wk_tnode *node = calloc(nr, sizeof(*node));
	struct wk_timeline t;
	u32 deepest = 0;

	(void)state;
	assert_non_null(node);
	wk_timeline_init(&t);
	for (u32 i = 0; i < nr; i++) {
		node[i].id = i;
		node[i].key = node[i].aux = i;
		wk_timeline_insert(&t, &node[i]);
	}
	for (u32 i = 0; i < nr; i++)
		deepest = depth_of(&node[i]) > deepest ? depth_of(&node[i]) : deepest;
	assert_in_range(deepest, 17, 64);
	assert_true(wk_timeline_check(&t));
	free(node);
}

/* The shape is a function of the set, so runs that got there by other ways go on alike. */
static void shape_does_not_depend_on_history(void **state)
{
	struct wk_tnode a[100], b[100];
	struct wk_timeline ta, tb;

	(void)state;
	wk_timeline_init(&ta);
	wk_timeline_init(&tb);
	for (u32 i = 0; i < 100; i++) {
		a[i] = b[i] = (struct wk_tnode){.key = i * 37 % 100, .aux = i, .id = i};
		wk_timeline_insert(&ta, &a[i]);
	}
	for (u32 i = 100; i-- > 0;)
		wk_timeline_insert(&tb, &b[i]);
	for (u32 i = 0; i < 100; i++) {
		assert_int_equal(depth_of(&a[i]), depth_of(&b[i]));
		assert_true(!a[i].parent == !b[i].parent);
		assert_true(!a[i].parent || a[i].parent->id == b[i].parent->id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_sorted_array),
		cmocka_unit_test(a_fault_is_caught),
		cmocka_unit_test(a_wrong_minimum_is_caught),
		cmocka_unit_test(empty),
		cmocka_unit_test(equal_keys_and_deadlines_go_by_id),
		cmocka_unit_test(many_stay_shallow),
		cmocka_unit_test(shape_does_not_depend_on_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
