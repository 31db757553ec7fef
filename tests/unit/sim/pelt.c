// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test.h"

#include "sim/pelt.h"
#include "sim/rng.h"

#define UNIT   1024ULL
#define PERIOD (1024 * UNIT)
#define Y      0.97857206208770013451 /* 0.5 to the 1/32 */

/* The model: periods one after the other, in floating point. */
struct model {
	double load, runnable, util; /* sums */
	double contrib;
	u64 last_ns;
};

static void model_add(struct model *m, double units, double load, double runnable, double util)
{
	m->load += units * load;
	m->runnable += units * runnable;
	m->util += units * util;
	m->contrib += units;
	if (m->contrib < 1024)
		return;
	m->load *= Y;
	m->runnable *= Y;
	m->util *= Y;
	m->contrib = 0;
}

static void model_update(struct model *m, u64 now_ns, u32 load, u32 nr, bool running)
{
	u64 units = (now_ns - m->last_ns) / UNIT;

	m->last_ns += units * UNIT;
	while (units) {
		u64 room = 1024 - (u64)m->contrib, take = units < room ? units : room;

		model_add(m, (double)take, load, load ? nr * 1024. : 0, load && running ? 1024 : 0);
		units -= take;
	}
}

/* Within 1 % of the value or of one full CPU. */
static bool within(double got, double expected)
{
	double off = got > expected ? got - expected : expected - got;

	return off <= 0.01 * (expected > 1024 ? expected : 1024);
}

static bool agrees(const struct wk_pelt *p, const struct model *m)
{
	double div = 1024 * Y / (1 - Y) + m->contrib;

	return within(p->load, m->load / div) && within(p->util, m->util / div) &&
	       within(p->runnable, m->runnable / div);
}

/* Random stretches of load; with @fault the model misses the last quarter. True if they agree. */
static bool run_random(u64 seed, u64 longest_ns, bool fault)
{
	struct wk_pelt p;
	struct model m = {.last_ns = 0};
	struct wk_rng r;
	u64 now = 0;

	wk_rng_seed(&r, seed);
	wk_pelt_init(&p, 0, 0, 0, 0);
	for (u32 i = 0; i < 4000; i++) {
		u32 nr = (u32)wk_rng_below(&r, 4);
		bool running = wk_rng_below(&r, 2);

		now += wk_rng_below(&r, longest_ns);
		if (!fault || i < 3000)
			model_update(&m, now, nr * 1024, nr, running);
		if (wk_pelt_update(&p, now, nr * 1024, nr, running) && !agrees(&p, &m))
			return false;
	}
	return true;
}

static void as_in_floating_point(void **state)
{
	(void)state;
	for (u64 seed = 0; seed < 5; seed++) {
		assert_true(run_random(seed, 20 * UNIT, false));
		assert_true(run_random(seed, PERIOD, false));
		assert_true(run_random(seed, 50 * PERIOD, false));
	}
}

static void a_fault_is_caught(void **state)
{
	(void)state;
	assert_false(run_random(1, PERIOD, true));
}

/* The kernel's own numbers: half of full after 32 periods, whatever was before is gone by then. */
static void half_life(void **state)
{
	struct wk_pelt p;

	(void)state;
	wk_pelt_init(&p, 0, 1024, 1024, 1024);
	assert_true(wk_pelt_update(&p, 32 * PERIOD, 0, 0, false));
	assert_in_range(p.util, 511, 512);
	assert_in_range(p.load, 511, 512);
	assert_true(wk_pelt_update(&p, 64 * PERIOD, 2048, 2, true));
	assert_in_range(p.util, 766, 769);
	assert_in_range(p.runnable, 1277, 1282);
	assert_in_range(p.load, 1277, 1282);
}

static void up_and_down_are_monotonic(void **state)
{
	struct wk_pelt p;
	u32 before = 0;
	u64 now = 0;

	(void)state;
	wk_pelt_init(&p, 0, 0, 0, 0);
	for (u32 i = 0; i < 2000; i++) {
		wk_pelt_update(&p, now += 300 * UNIT + 7, 1024, 1, true);
		assert_in_range(p.util, before, 1024);
		before = p.util;
	}
	assert_in_range(before, 1020, 1024);
	for (u32 i = 0; i < 4000; i++) {
		wk_pelt_update(&p, now += 300 * UNIT + 7, 0, 0, false);
		assert_in_range(p.util, 0, before);
		before = p.util;
	}
	assert_int_equal(before, 0);
}

static void says_when_a_period_is_crossed(void **state)
{
	struct wk_pelt p;

	(void)state;
	wk_pelt_init(&p, 5000, 0, 0, 0);
	assert_false(wk_pelt_update(&p, 5000 + UNIT - 1, 1024, 1, true));
	assert_true(p.util_sum == 0 && p.last_ns == 5000);
	assert_false(wk_pelt_update(&p, 5000 + PERIOD - 1, 1024, 1, true));
	assert_true(p.util_sum == 1023 * 1024 && p.util == 0);
	assert_true(wk_pelt_update(&p, 5000 + PERIOD, 1024, 1, true));
	assert_in_range(p.util, 21, 22); /* 1 - y of 1024 */
	assert_false(wk_pelt_update(&p, 4000, 1024, 1, true));
	assert_true(p.last_ns == 5000 + PERIOD);
}

/* One update after a gap gives what many small ones give. */
static void gaps_are_exact(void **state)
{
	struct wk_pelt once, often;
	u64 now = 0;

	(void)state;
	wk_pelt_init(&once, 0, 3000, 2048, 900);
	wk_pelt_init(&often, 0, 3000, 2048, 900);
	for (u32 i = 0; i < 100; i++)
		wk_pelt_update(&often, now += PERIOD, 0, 0, false);
	wk_pelt_update(&once, now, 0, 0, false);
	assert_in_range(once.load, often.load, often.load + 3);
	assert_in_range(once.util, often.util, often.util + 3);
	wk_pelt_update(&once, now + 2100 * PERIOD, 0, 0, false);
	assert_true(once.load == 0 && once.util == 0 && once.load_sum == 0);
}

static void no_overflow(void **state)
{
	const u64 end = (1ULL << 63) - 1;
	struct wk_pelt p;

	(void)state;
	wk_pelt_init(&p, 0, ~0u, ~0u, 1024);
	assert_true(wk_pelt_update(&p, end, ~0u, 100000, true));
	assert_in_range(p.util, 1014, 1024);
	assert_in_range(p.load, ~0u / 100 * 99, ~0u);
	assert_in_range(p.runnable, 102400000 / 100 * 99, 102400000);
	assert_true(wk_pelt_update(&p, end + PERIOD, ~0u, 100000, true));
	assert_in_range(p.util, 1014, 1024);
	assert_true(wk_pelt_decay(~0ULL, end) == 0);
	assert_true(wk_pelt_decay(~0ULL, 0) == ~0ULL);
	assert_in_range(wk_pelt_decay(~0ULL, 32), ~0ULL / 2 - (1ULL << 32), ~0ULL / 2 + 1);
}

static void attach_and_detach(void **state)
{
	struct wk_pelt rq, task, before, moved;

	(void)state;
	wk_pelt_init(&rq, 0, 1000, 1024, 300);
	wk_pelt_init(&task, 0, 500, 1024, 200);
	wk_pelt_update(&rq, 40 * PERIOD + 17 * UNIT, 1024, 1, true);
	wk_pelt_update(&task, 40 * PERIOD + 17 * UNIT, 1024, 1, false);
	before = rq;
	moved = task;
	wk_pelt_attach(&rq, &task);
	assert_int_equal(rq.util, before.util + moved.util);
	assert_int_equal(rq.load, before.load + moved.load);
	assert_true(task.last_ns == rq.last_ns && task.contrib == rq.contrib);
	wk_pelt_detach(&rq, &task);
	assert_int_equal(rq.util, before.util);
	assert_int_equal(rq.runnable, before.runnable);
	assert_in_range(rq.util_sum, before.util_sum - before.util_sum / 50, before.util_sum);
}

/* The task's parts decay in the queue as they do in the task. */
static void attached_parts_decay_alike(void **state)
{
	struct wk_pelt rq, task;

	(void)state;
	wk_pelt_init(&rq, 0, 0, 0, 0);
	wk_pelt_init(&task, 0, 1024, 1024, 1000);
	wk_pelt_attach(&rq, &task);
	wk_pelt_update(&rq, 10 * PERIOD, 0, 0, false);
	wk_pelt_update(&task, 10 * PERIOD, 0, 0, false);
	assert_int_equal(rq.util, task.util);
	assert_int_equal(rq.load, task.load);
	wk_pelt_detach(&rq, &task);
	assert_true(rq.util == 0 && rq.load == 0);
	assert_true(rq.util_sum < WK_PELT_SUM_MAX); /* what the average's division left */
}

static void detach_stops_at_zero(void **state)
{
	struct wk_pelt rq, task;

	(void)state;
	wk_pelt_init(&rq, 0, 10, 10, 10);
	wk_pelt_init(&task, 0, 1024, 1024, 1000);
	wk_pelt_detach(&rq, &task);
	assert_true(rq.load == 0 && rq.runnable == 0 && rq.util == 0);
	assert_true(rq.load_sum == 0 && rq.runnable_sum == 0 && rq.util_sum == 0);
	wk_pelt_init(&rq, 0, ~0u, 0, 0);
	wk_pelt_attach(&rq, &task);
	assert_int_equal(rq.load, ~0u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_in_floating_point),
		cmocka_unit_test(a_fault_is_caught),
		cmocka_unit_test(half_life),
		cmocka_unit_test(up_and_down_are_monotonic),
		cmocka_unit_test(says_when_a_period_is_crossed),
		cmocka_unit_test(gaps_are_exact),
		cmocka_unit_test(no_overflow),
		cmocka_unit_test(attach_and_detach),
		cmocka_unit_test(attached_parts_decay_alike),
		cmocka_unit_test(detach_stops_at_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
