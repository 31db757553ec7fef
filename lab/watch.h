/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ctrl-C and SIGTERM for long work, without a handler: a thread waits for the signal and sets a
 * flag, so that the flag needs no global place and every thread reads it in order. The signal
 * comes back to its default with the first one: a second kills. A signal that was ignored when
 * the program began (a background job of a script) stays ignored.
 */
#ifndef WK_LAB_WATCH_H
#define WK_LAB_WATCH_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct wk_watch {
	volatile int stop; /* 1 after the first signal; hand its address to the work */
	bool running;
	volatile int ended; /* the next signal is wk_watch_end()'s */
	sigset_t signals, old;
	pthread_t thread;
};

/* Begin before other threads are started: they inherit what is blocked. */
void wk_watch_begin(struct wk_watch *w);
void wk_watch_end(struct wk_watch *w);

#endif
