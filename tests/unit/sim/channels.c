// SPDX-License-Identifier: GPL-2.0-only
/* Pipes and sockets: what fits, who is woken when, that no byte is lost. */
#include "tests/unit/sim/program.h"
#include "tests/unit/sim/stepper.h"

#define FOUR_CPUS "pack:1 core:4 pu:1"

/* A channel (object 0) and a task on a CPU of its own. */
struct bench {
	struct wkt_case c;
	struct wk_build b;
	struct wk_sim *s;
	u32 next_cpu;
};

static void open_bench(struct bench *t, const char *policy, u8 kind)
{
	memset(t, 0, sizeof(*t));
	wkt_program_open(&t->c, FOUR_CPUS, policy, &t->b);
	wk_build_obj(&t->b, (enum wk_obj_kind)kind, 0, 0);
}

static void task(struct bench *t)
{
	wkt_task(&t->b, 1024, (s32)wkt_pin(&t->b, t->next_cpu++ % 4));
}

static void repeat(struct bench *t, u8 code, u64 times, u64 bytes)
{
	wk_build_loop(&t->b, times);
	wk_build_op(&t->b, (enum wk_op_code)code, 0, 0, bytes);
	wk_build_end(&t->b);
}

static void pause_ms(struct bench *t, u64 ms)
{
	wk_build_op(&t->b, WK_OP_SLEEP, 0, 0, ms * MS);
}

static const struct wk_chan *start(struct bench *t)
{
	wkt_program_take(&t->c, &t->b, 1000 * MS);
	t->s = wkt_step_open(&t->c);
	return &t->s->obj[0].chan;
}

static void close_bench(struct bench *t)
{
	wkt_step_close(t->s);
	wkt_case_close(&t->c);
}

/* ---- pipes ---- */

static void a_pipe_holds_640_messages_of_100_bytes(void **state)
{
	const struct wk_chan *ch;
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_PIPE);
	task(&t);
	repeat(&t, WK_OP_WRITE, 700, 100);
	ch = start(&t);
	wkt_step_event(t.s);
	while (wk_events_first_time(&t.s->ev) != WK_NEVER)
		wkt_step_event(t.s);
	assert_int_equal(ch->slots, WK_PIPE_SLOTS);
	assert_int_equal(ch->bytes, 64000);
	assert_int_equal(ch->writers.len, 1);
	close_bench(&t);
}

static void the_reader_is_woken_only_when_the_pipe_was_empty(void **state)
{
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_PIPE);
	task(&t);
	wk_build_loop(&t.b, 100);
	wk_build_op(&t.b, WK_OP_READ, 0, 0, 100);
	wk_build_op(&t.b, WK_OP_RUN, 0, 0, 100 * US);
	wk_build_end(&t.b);
	task(&t);
	pause_ms(&t, 1);
	repeat(&t, WK_OP_WRITE, 100, 100);
	wkt_program_finish(&t.c, &t.b);
	/* two starts, one timer, one message that found the pipe empty */
	assert_int_equal(t.c.res.count.wakeups, 4);
	wkt_case_close(&t.c);
}

static void the_writer_is_woken_when_a_page_of_a_full_pipe_got_free(void **state)
{
	const struct wk_chan *ch;
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_PIPE);
	task(&t);
	repeat(&t, WK_OP_WRITE, 641, 100);
	task(&t);
	pause_ms(&t, 10);
	repeat(&t, WK_OP_READ, 39, 100);
	pause_ms(&t, 10);
	repeat(&t, WK_OP_READ, 1, 100);
	pause_ms(&t, 10);
	ch = start(&t);
	wkt_step_to(t.s, 9 * MS);
	assert_int_equal(ch->writers.len, 1);
	wkt_step_to(t.s, 19 * MS);
	assert_int_equal(ch->writers.len, 1);
	assert_int_equal(ch->slots, WK_PIPE_SLOTS);
	wkt_step_to(t.s, 29 * MS);
	assert_int_equal(ch->writers.len, 0);
	assert_int_equal(ch->bytes, 64100 - 4000);
	assert_int_equal(t.s->thread[0].state, WK_TS_DEAD);
	close_bench(&t);
}

static void one_message_wakes_one_of_several_readers(void **state)
{
	const struct wk_chan *ch;
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_PIPE);
	for (u32 i = 0; i < 3; i++) {
		task(&t);
		repeat(&t, WK_OP_READ, 1, 100);
	}
	task(&t);
	pause_ms(&t, 1);
	repeat(&t, WK_OP_WRITE, 1, 100);
	pause_ms(&t, 10);
	repeat(&t, WK_OP_WRITE, 2, 100);
	ch = start(&t);
	wkt_step_to(t.s, 900 * US);
	assert_int_equal(ch->readers.len, 3);
	wkt_step_to(t.s, 9 * MS);
	assert_int_equal(ch->readers.len, 2);
	/* the second of two finds the pipe not empty: the first reader passes it on */
	wkt_step_to(t.s, 20 * MS);
	assert_int_equal(ch->readers.len, 0);
	assert_true(t.c.res.finished);
	close_bench(&t);
}

/* ---- unix sockets ---- */

static void a_unix_socket_takes_what_its_send_buffer_allows(void **state)
{
	const struct wk_chan *ch;
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_UNIX);
	task(&t);
	repeat(&t, WK_OP_WRITE, 1000, 100);
	ch = start(&t);
	while (wk_events_first_time(&t.s->ev) != WK_NEVER)
		wkt_step_event(t.s);
	/* 212,992 bytes of buffers of 868 each: a message waits when it would not fit */
	assert_in_range(ch->slots, 212992 / 868 - 33, 212992 / 868 + 33);
	assert_int_equal(ch->bytes, (u64)ch->slots * 100);
	assert_int_equal(ch->writers.len, 1);
	close_bench(&t);
}

static void socket_writers_are_all_woken_when_most_is_read(void **state)
{
	const struct wk_chan *ch;
	struct bench t;

	(void)state;
	open_bench(&t, "tip", WK_OBJ_UNIX);
	for (u32 i = 0; i < 3; i++) {
		task(&t);
		repeat(&t, WK_OP_WRITE, 300, 100);
	}
	task(&t);
	pause_ms(&t, 20);
	repeat(&t, WK_OP_READ, 20, 100);
	pause_ms(&t, 20);
	repeat(&t, WK_OP_READ, 880, 100);
	ch = start(&t);
	wkt_step_to(t.s, 19 * MS);
	assert_int_equal(ch->writers.len, 3);
	wkt_step_to(t.s, 39 * MS);
	assert_int_equal(ch->writers.len, 3);
	wkt_step_to(t.s, 1000 * MS);
	assert_true(t.c.res.finished);
	assert_int_equal(ch->bytes, 0);
	close_bench(&t);
}

/* ---- no byte is lost ---- */

/* Writers and readers of different sizes, many on four CPUs; all end and the channel is empty. */
static void conserve(u8 kind, const char *policy)
{
	static const u64 sizes[] = {100, 200, 500, 1000, 4000};
	const struct wk_chan *ch;
	struct bench t;
	u64 total = 0;

	open_bench(&t, policy, kind);
	for (u32 i = 0; i < 20; i++) {
		wkt_task(&t.b, 1024, WK_NONE);
		repeat(&t, WK_OP_WRITE, 4000 / sizes[i % 5] * 20, sizes[i % 5]);
		total += 80000;
	}
	for (u32 i = 0; i < 20; i++) {
		wkt_task(&t.b, 1024, WK_NONE);
		repeat(&t, WK_OP_READ, total / 20 / 100, 100);
	}
	ch = start(&t);
	for (u64 at = 0; at < 1000 * MS; at += 100 * US) {
		bool on = wkt_step_to(t.s, at);

		wkt_check_sim(t.s);
		if (!on)
			break;
	}
	if (t.s->failed)
		fail_msg("%s", t.c.err.text);
	assert_true(t.c.res.finished);
	assert_int_equal(ch->bytes, 0);
	assert_int_equal(ch->slots, 0);
	close_bench(&t);
}

static void no_byte_of_a_pipe_is_lost(void **state)
{
	(void)state;
	conserve(WK_OBJ_PIPE, "tip");
	conserve(WK_OBJ_PIPE, "tip-7");
}

static void no_byte_of_a_unix_socket_is_lost(void **state)
{
	(void)state;
	conserve(WK_OBJ_UNIX, "tip");
	conserve(WK_OBJ_UNIX, "tip-7");
}

static void no_byte_of_loopback_is_lost(void **state)
{
	(void)state;
	conserve(WK_OBJ_TCP, "tip");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_holds_640_messages_of_100_bytes),
		cmocka_unit_test(the_reader_is_woken_only_when_the_pipe_was_empty),
		cmocka_unit_test(the_writer_is_woken_when_a_page_of_a_full_pipe_got_free),
		cmocka_unit_test(one_message_wakes_one_of_several_readers),
		cmocka_unit_test(a_unix_socket_takes_what_its_send_buffer_allows),
		cmocka_unit_test(socket_writers_are_all_woken_when_most_is_read),
		cmocka_unit_test(no_byte_of_a_pipe_is_lost),
		cmocka_unit_test(no_byte_of_a_unix_socket_is_lost),
		cmocka_unit_test(no_byte_of_loopback_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
