// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-minimal [--no-sync]: attach the minimal scheduler, say so, stay until a signal or the kernel
 * ends it. With --no-sync no wake-up is a synchronous one.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <bpf/libbpf.h>

#include "bench/minimal.h"

#include "bench/minimal.skel.h"

#define POLL_NS 100000000L

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int fail(const char *what)
{
	fprintf(stderr, "wk-minimal: %s: %s\n", what, strerror(errno));
	return 1;
}

/* 0 if a signal ended it, 1 if the kernel did. */
static int wait_for_end(const volatile struct wk_minimal_exit *exit)
{
	while (!stopped && !exit->kind)
		nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
	if (!exit->kind)
		return 0;
	fprintf(stderr, "wk-minimal: the kernel ended the scheduler: %s\n",
		(const char *)exit->reason);
	return 1;
}

static int attach(struct wk_minimal *skel)
{
	struct bpf_link *link = bpf_map__attach_struct_ops(skel->maps.wk_minimal_ops);
	int ret;

	if (!link)
		return fail("not attached");
	puts("wk-minimal: attached");
	fflush(stdout);
	ret = wait_for_end(&skel->bss->wk_minimal_exit);
	bpf_link__destroy(link);
	return ret;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = stop};
	struct wk_minimal *skel;
	int ret;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	skel = wk_minimal__open();
	if (!skel)
		return fail("not opened");
	skel->rodata->wk_minimal_sync = argc < 2 || strcmp(argv[1], "--no-sync") != 0;
	ret = wk_minimal__load(skel) ? fail("not loaded") : attach(skel);
	wk_minimal__destroy(skel);
	return ret;
}
