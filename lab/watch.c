// SPDX-License-Identifier: GPL-2.0-only
#include "lab/watch.h"

static bool is_ended(const struct wk_watch *w)
{
	return __atomic_load_n(&w->ended, __ATOMIC_RELAXED);
}

static void *wait_for_signal(void *arg)
{
	struct wk_watch *w = arg;
	int nr;

	sigwait(&w->signals, &nr);
	if (is_ended(w))
		return NULL;
	__atomic_store_n(&w->stop, 1, __ATOMIC_RELAXED);
	sigwait(&w->signals, &nr);
	if (is_ended(w))
		return NULL;
	/* The second one: delivered here, in no other thread. */
	pthread_sigmask(SIG_UNBLOCK, &w->signals, NULL);
	raise(nr);
	return NULL;
}

static bool add_unless_ignored(sigset_t *set, int nr)
{
	struct sigaction action;

	if (sigaction(nr, NULL, &action) || action.sa_handler == SIG_IGN)
		return false;
	sigaddset(set, nr);
	return true;
}

void wk_watch_begin(struct wk_watch *w)
{
	bool any;

	*w = (struct wk_watch){0};
	sigemptyset(&w->signals);
	any = add_unless_ignored(&w->signals, SIGINT);
	any |= add_unless_ignored(&w->signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &w->signals, &w->old);
	w->running = any && !pthread_create(&w->thread, NULL, wait_for_signal, w);
	if (!w->running)
		pthread_sigmask(SIG_SETMASK, &w->old, NULL);
}

void wk_watch_end(struct wk_watch *w)
{
	if (!w->running)
		return;
	/* Not cancelled: the address sanitizer takes the frames this leaves for an overflow. */
	__atomic_store_n(&w->ended, 1, __ATOMIC_RELAXED);
	pthread_kill(w->thread, sigismember(&w->signals, SIGINT) == 1 ? SIGINT : SIGTERM);
	pthread_join(w->thread, NULL);
	pthread_sigmask(SIG_SETMASK, &w->old, NULL);
}
