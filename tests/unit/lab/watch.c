// SPDX-License-Identifier: GPL-2.0-only
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test.h"

#include "lab/watch.h"

static int wait_until_set(const volatile int *flag)
{
	for (int i = 0; i < 5000 && !__atomic_load_n(flag, __ATOMIC_RELAXED); i++)
		usleep(1000);
	return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

/* In a process of its own; returns its wait status. */
static int in_child(void (*run)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		alarm(20);
		run();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void one_signal(void)
{
	struct wk_watch w;
	int set;

	wk_watch_begin(&w);
	kill(getpid(), SIGINT);
	set = wait_until_set(&w.stop);
	wk_watch_end(&w);
	_exit(set ? 7 : 1);
}

static void two_signals(void)
{
	struct wk_watch w;

	wk_watch_begin(&w);
	kill(getpid(), SIGTERM);
	wait_until_set(&w.stop);
	kill(getpid(), SIGINT);
	/* It never comes so far, unless the second signal is lost. */
	sleep(10);
}

static void end_after_one(void)
{
	struct wk_watch w;

	wk_watch_begin(&w);
	kill(getpid(), SIGTERM);
	wait_until_set(&w.stop);
	wk_watch_end(&w);
	/* Its own signal is used up; begun again, none is left over. */
	wk_watch_begin(&w);
	usleep(50000);
	_exit(w.stop ? 1 : 7);
}

static void no_signal(void)
{
	struct wk_watch w;

	wk_watch_begin(&w);
	wk_watch_end(&w);
	_exit(w.stop ? 1 : 7);
}

static void ignored_signal(void)
{
	struct wk_watch w;

	signal(SIGINT, SIG_IGN);
	wk_watch_begin(&w);
	kill(getpid(), SIGINT);
	usleep(50000);
	wk_watch_end(&w);
	_exit(w.stop ? 1 : 7);
}

static void the_first_sets_the_flag(void **state)
{
	int status = in_child(one_signal);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void the_second_kills(void **state)
{
	int status = in_child(two_signals);

	(void)state;
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void it_ends_after_one_and_begins_again(void **state)
{
	int status = in_child(end_after_one);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void it_ends_without_any(void **state)
{
	int status = in_child(no_signal);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void what_was_ignored_stays_so(void **state)
{
	int status = in_child(ignored_signal);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_sets_the_flag),
		cmocka_unit_test(the_second_kills),
		cmocka_unit_test(it_ends_after_one_and_begins_again),
		cmocka_unit_test(it_ends_without_any),
		cmocka_unit_test(what_was_ignored_stays_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
