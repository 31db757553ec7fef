// SPDX-License-Identifier: GPL-2.0-only
/* The stand-in of a build without libbpf 1.4, clang, bpftool or vmlinux.h. */
#include <errno.h>

#include "live/live.h"

static const char why[] = "built without the live scheduler (libbpf 1.4, clang, bpftool and a "
			  "vmlinux.h with sched_ext were not all there)";

static void say(struct wk_err *ret_err)
{
	snprintf(ret_err->text, sizeof(ret_err->text), "%s", why);
}

const char *wk_live_lacks(struct wk_err *ret_err)
{
	say(ret_err);
	return ret_err->text;
}

struct wk_live *wk_live_open(const struct wk_live_options *options, struct wk_err *ret_err)
{
	(void)options;
	say(ret_err);
	return NULL;
}

void wk_live_close(struct wk_live *l)
{
	(void)l;
}

int wk_live_attach(struct wk_live *l, struct wk_err *ret_err)
{
	(void)l;
	say(ret_err);
	return -EOPNOTSUPP;
}

void wk_live_report(const struct wk_live *l, FILE *to)
{
	(void)l;
	(void)to;
}

void wk_live_report_programs(const struct wk_live *l, FILE *to)
{
	(void)l;
	(void)to;
}

const struct wk_live_exit *wk_live_exit(const struct wk_live *l)
{
	(void)l;
	return NULL;
}

bool wk_live_wants_restart(const struct wk_live_exit *exit)
{
	(void)exit;
	return false;
}

bool wk_live_is_error(const struct wk_live_exit *exit)
{
	(void)exit;
	return true;
}

void wk_live_drain(struct wk_live *l, FILE *to)
{
	(void)l;
	(void)to;
}

struct wk_live_watch *wk_live_watch_open(const struct wk_live *l, struct wk_err *ret_err)
{
	(void)l;
	say(ret_err);
	return NULL;
}

void wk_live_watch_close(struct wk_live_watch *w)
{
	(void)w;
}

void wk_live_watch_read(struct wk_live_watch *w, struct wk_live_sum *ret_sum)
{
	(void)w;
	*ret_sum = (struct wk_live_sum){0};
}

bool wk_live_watch_alive(const struct wk_live_watch *w)
{
	(void)w;
	return false;
}
