// SPDX-License-Identifier: GPL-2.0-only
/* Recorded decisions: what is written is read again as the same, and races are told from rules. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "machine/build.h"
#include "machine/read.h"
#include "tests/unit/core/random.h"
#include "trace/decision_replay.h"

#define CPUS 8

static struct wk_decision_idle random_idle(struct wkt_rng *g)
{
	struct wk_decision_idle i = {.curr_is_idle = true};

	if (wkt_one_in(g, 2))
		return i;
	i.nr_running = wkt_below(g, 4);
	i.nr_idle_policy = wkt_below(g, 3);
	i.nr_delayed = wkt_below(g, 3);
	i.curr_is_idle = wkt_one_in(g, 2);
	i.pending = wkt_one_in(g, 2);
	return i;
}

static void random_decision(struct wkt_rng *g, struct wk_decision *d)
{
	wk_decision_init(d);
	d->kind = (u8)wkt_below(g, 3);
	d->v[WK_DECISION_T] = (s64)wkt_below(g, 1000000);
	d->v[WK_DECISION_PREV] = wkt_below(g, CPUS);
	d->v[WK_DECISION_RECENT] = (s64)wkt_below(g, CPUS + 1) - 1;
	d->v[WK_DECISION_ALLOWED] = (s64)wkt_below(g, 256) - 128;
	d->v[WK_DECISION_HINT] = (s64)wkt_below(g, 3) - 1;
	for (u32 c = 0; c < CPUS; c++) {
		struct wk_decision_cpu *cpu = &d->cpu[c];

		cpu->before = random_idle(g);
		cpu->after = wkt_one_in(g, 2) ? cpu->before : random_idle(g);
		cpu->has_loads = wkt_one_in(g, 2);
		if (!cpu->has_loads)
			continue;
		cpu->load = wkt_below(g, 5000);
		cpu->capacity = wkt_below(g, 1025);
		cpu->load_after = wkt_below(g, 5000);
		if (d->kind == WK_REQ_WAKE)
			continue;
		cpu->util = wkt_below(g, 1025);
		cpu->runnable = wkt_below(g, 5000);
		cpu->idle_stamp = wkt_below(g, 1000000000);
	}
}

static void written_and_read_again(void **state)
{
	struct wkt_rng g = {1};
	struct wk_decision *d = calloc(500, sizeof(*d));
	struct wk_decision_file file;
	struct wk_err err = {""};
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	(void)state;
	wk_decision_write_head(to, "7.3", CPUS);
	for (u32 i = 0; i < 500; i++) {
		random_decision(&g, &d[i]);
		wk_decision_write(to, &d[i], CPUS);
	}
	wk_decision_write_end(to, 500, 3);
	fclose(to);
	if (wk_decision_file_parse(text, "text", &file, &err))
		fail_msg("%s", err.text);
	assert_int_equal(file.nr, 500);
	assert_int_equal(file.lost, 3);
	assert_string_equal(file.kernel, "7.3");
	for (u32 i = 0; i < 500; i++)
		assert_memory_equal(&file.decision[i], &d[i], sizeof(*d));
	wk_decision_file_release(&file);
	free(text);
	free(d);
}

/* ---- replay ---- */

struct world {
	struct wk_topo *topo;
	struct wk_policy pol;
	struct wk_replay *replay;
	struct wk_decision d;
};

static void open_world(struct world *w)
{
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_synthetic("pack:1 l3:2 core:4 pu:1", &err);

	wk_policy_init(&w->pol);
	wk_policy_set(&w->pol, WK_FEAT_RULES, 7);
	assert_int_equal(wk_topo_build(m, &w->pol, &w->topo, &err), 0);
	wk_machine_destroy(m);
	w->replay = wk_replay_create(w->topo, &w->pol);
	wk_decision_init(&w->d);
	w->d.v[WK_DECISION_CPU] = 0;
	w->d.v[WK_DECISION_PREV] = 1;
	w->d.v[WK_DECISION_CHOSEN] = 1;
	w->d.v[WK_DECISION_RECENT_AFTER] = -1;
	w->d.v[WK_DECISION_FLIPS_AFTER] = 1;
	for (u32 c = 0; c < CPUS; c++) {
		w->d.cpu[c].before.curr_is_idle = w->d.cpu[c].after.curr_is_idle = c != 0;
		w->d.cpu[c].before.nr_running = w->d.cpu[c].after.nr_running = c == 0;
		w->d.cpu[c].capacity = 1024;
	}
}

static void close_world(struct world *w)
{
	wk_replay_destroy(w->replay);
	wk_topo_destroy(w->topo);
}

static struct wk_replay_result decide(struct world *w)
{
	struct wk_replay_result res;

	wk_replay_decide(w->replay, &w->d, CPUS, &res);
	return res;
}

static void an_idle_prev_is_chosen(void **state)
{
	struct world w;
	struct wk_replay_result res;

	(void)state;
	open_world(&w);
	res = decide(&w);
	assert_int_equal(res.cpu, 1);
	assert_int_equal(res.choice, WK_REPLAY_EQUAL);
	assert_int_equal(res.after, WK_REPLAY_EQUAL);
	assert_int_equal(res.queue, WK_REPLAY_NOT_ASKED);
	assert_false(res.raced);
	assert_string_equal(wk_replay_chosen_is(w.replay, &w.d, &res), "prev, idle");
	close_world(&w);
}

static void another_choice_differs(void **state)
{
	struct world w;
	struct wk_replay_result res;

	(void)state;
	open_world(&w);
	w.d.v[WK_DECISION_CHOSEN] = 2;
	res = decide(&w);
	assert_int_equal(res.choice, WK_REPLAY_DIFFERENT);
	assert_false(res.raced);
	assert_string_equal(wk_replay_chosen_is(w.replay, &w.d, &res), "an idle CPU of the LLC");
	close_world(&w);
}

/* A CPU of another LLC than the waker's and prev's is not read. */
static void a_change_is_a_race_where_it_may_be_read(void **state)
{
	struct world w;

	(void)state;
	open_world(&w);
	w.d.cpu[3].after.nr_running = 1;
	assert_true(decide(&w).raced);
	w.d.cpu[3].after.nr_running = 0;
	w.d.cpu[6].after.nr_running = 1;
	assert_false(decide(&w).raced);
	w.d.v[WK_DECISION_SCAN_AFTER] = 3;
	assert_true(decide(&w).raced);
	close_world(&w);
}

/* Loads are compared only where neither CPU is idle. */
static void a_load_is_a_race_where_it_is_compared(void **state)
{
	struct world w;

	(void)state;
	open_world(&w);
	w.d.cpu[0].has_loads = true;
	w.d.cpu[0].load_after = 7;
	assert_false(decide(&w).raced);
	w.d.cpu[1].before.nr_running = w.d.cpu[1].after.nr_running = 1;
	assert_true(decide(&w).raced);
	close_world(&w);
}

static void the_wake_list_is_judged_by_what_it_saw(void **state)
{
	struct world w;

	(void)state;
	open_world(&w);
	w.d.v[WK_DECISION_QUEUE_CPU] = 1;
	assert_int_equal(decide(&w).queue, WK_REPLAY_DIFFERENT);
	w.d.v[WK_DECISION_QUEUED] = 1;
	assert_int_equal(decide(&w).queue, WK_REPLAY_EQUAL);
	w.d.v[WK_DECISION_QUEUE_NR] = 1;
	assert_int_equal(decide(&w).queue, WK_REPLAY_DIFFERENT);
	close_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_and_read_again),
		cmocka_unit_test(an_idle_prev_is_chosen),
		cmocka_unit_test(another_choice_differs),
		cmocka_unit_test(a_change_is_a_race_where_it_may_be_read),
		cmocka_unit_test(a_load_is_a_race_where_it_is_compared),
		cmocka_unit_test(the_wake_list_is_judged_by_what_it_saw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
