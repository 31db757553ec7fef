// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include <errno.h>

#include "sim/events.h"
#include "sim/rng.h"

/* The model: an array, and a search through all of it. */
struct model {
	u32 n;
	u64 time[WK_MAX_CPUS];
};

static u32 model_first(const struct model *m)
{
	u32 best = 0;

	for (u32 cpu = 1; cpu < m->n; cpu++)
		if (m->time[cpu] < m->time[best])
			best = cpu;
	return best;
}

/* Times that often tie, never, and the ends of the range. */
static u64 random_time(struct wk_rng *r)
{
	switch (wk_rng_below(r, 8)) {
	case 0:
		return WK_NEVER;
	case 1:
		return WK_EVENTS_LATEST - 1 - wk_rng_below(r, 3);
	case 2:
		return 0;
	default:
		return wk_rng_below(r, 100);
	}
}

static bool agrees(const struct wk_events *ev, const struct model *m, u32 cpu)
{
	u32 first = model_first(m);

	return wk_events_first(ev) == first && wk_events_first_time(ev) == m->time[first] &&
	       wk_events_time(ev, first) == m->time[first] &&
	       wk_events_time(ev, cpu) == m->time[cpu];
}

/* A random program on both; with @fault one leaf is set without its tree. True if they agree. */
static bool run_program(u32 n, u64 seed, u32 nr_ops, bool fault)
{
	static struct model m; /* too big for some stacks */
	struct wk_events ev;
	struct wk_rng r;
	bool same = true;

	wk_rng_seed(&r, seed);
	assert_int_equal(wk_events_init(&ev, n), 0);
	m.n = n;
	for (u32 cpu = 0; cpu < n; cpu++)
		m.time[cpu] = WK_NEVER;
	same = agrees(&ev, &m, n - 1);
	for (u32 i = 0; i < nr_ops && same; i++) {
		u32 cpu = (u32)wk_rng_below(&r, n);

		m.time[cpu] = random_time(&r);
		if (fault && i == nr_ops / 2)
			ev.node[ev.first + cpu] = cpu; /* time 0, and nobody above knows */
		else
			wk_events_set(&ev, cpu, m.time[cpu]);
		same = agrees(&ev, &m, cpu);
	}
	wk_events_finish(&ev);
	return same;
}

static void as_a_linear_search(void **state)
{
	static const u32 sizes[] = {1, 2, 3, 4, 5, 16, 17, 100, 384, 1023, 4095, 4096};

	(void)state;
	for (u32 i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_true(run_program(sizes[i], i, 5000, false));
}

static void a_fault_is_caught(void **state)
{
	(void)state;
	assert_false(run_program(16, 1, 5000, true));
	assert_false(run_program(384, 1, 50000, true));
	assert_true(run_program(384, 1, 50000, false));
}

static void the_second_is_first_without_the_first(void **state)
{
	struct wk_events ev;
	struct wk_rng rng;

	(void)state;
	wk_rng_seed(&rng, 7);
	assert_int_equal(wk_events_init(&ev, 100), 0);
	for (u32 i = 0; i < 10000; i++) {
		u32 first, second;
		u64 t;

		wk_events_set(&ev, (u32)wk_rng_below(&rng, 100), wk_rng_below(&rng, 1000));
		first = wk_events_first(&ev);
		second = wk_events_second(&ev, first);
		t = wk_events_time(&ev, first);
		wk_events_set(&ev, first, WK_NEVER);
		if (wk_events_first_time(&ev) != WK_NEVER)
			assert_int_equal(wk_events_first(&ev), second);
		wk_events_set(&ev, first, t);
	}
	wk_events_finish(&ev);
}

static void ties_go_to_the_lower_cpu(void **state)
{
	struct wk_events ev;

	(void)state;
	assert_int_equal(wk_events_init(&ev, 300), 0);
	assert_int_equal(wk_events_first(&ev), 0);
	assert_true(wk_events_first_time(&ev) == WK_NEVER);
	wk_events_set(&ev, 299, 5);
	wk_events_set(&ev, 7, 5);
	wk_events_set(&ev, 8, 5);
	assert_int_equal(wk_events_first(&ev), 7);
	wk_events_set(&ev, 7, 6);
	assert_int_equal(wk_events_first(&ev), 8);
	wk_events_finish(&ev);
}

static void too_late_is_never(void **state)
{
	struct wk_events ev;

	(void)state;
	assert_int_equal(wk_events_init(&ev, 4096), 0);
	wk_events_set(&ev, 4095, WK_EVENTS_LATEST - 1);
	assert_int_equal(wk_events_first(&ev), 4095);
	assert_true(wk_events_first_time(&ev) == WK_EVENTS_LATEST - 1);
	wk_events_set(&ev, 4095, WK_EVENTS_LATEST);
	assert_true(wk_events_first_time(&ev) == WK_NEVER);
	wk_events_set(&ev, 4095, 1ULL << 63);
	assert_true(wk_events_time(&ev, 4095) == WK_NEVER);
	wk_events_finish(&ev);
}

static void impossible_sizes(void **state)
{
	struct wk_events ev;

	(void)state;
	assert_int_equal(wk_events_init(&ev, 0), -EINVAL);
	assert_int_equal(wk_events_init(&ev, WK_MAX_CPUS + 1), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_linear_search),
		cmocka_unit_test(a_fault_is_caught),
		cmocka_unit_test(the_second_is_first_without_the_first),
		cmocka_unit_test(ties_go_to_the_lower_cpu),
		cmocka_unit_test(too_late_is_never),
		cmocka_unit_test(impossible_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
