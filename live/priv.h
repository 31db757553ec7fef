/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of live/ share. */
#ifndef WK_LIVE_PRIV_H
#define WK_LIVE_PRIV_H

#include <stdarg.h>

#include <bpf/libbpf.h>

#include "live/live.h"
#include "machine/build.h"

struct wk_scx_wakepath;
struct btf;

struct wk_live {
	struct wk_live_options options;
	struct wk_machine *machine;
	struct wk_topo *topo;
	struct wk_scx_wakepath *skel;
	struct bpf_link *link;
	struct ring_buffer *ring;
	struct btf *btf; /* the running kernel's, or NULL */
	FILE *records;	 /* where the ring buffer's records go just now */
	u64 hotplug_seq;
	char dropped[256]; /* what the kernel lacks */
};

/* ---- live/kernel.c ---- */

/* First word of a file under /sys, or "" where there is none. */
void wk_live_read_sys(const char *path, char *ret_text, size_t size);

/* Flags of the kernel's enum scx_ops_flags by name, 0 where it has none of that name. */
u64 wk_live_kernel_flag(const struct btf *btf, const char *name);

/* Does the kernel have this function for BPF? */
bool wk_live_kernel_has(const struct btf *btf, const char *kfunc);

/* One line into *ret_err; returns @code. */
__attribute__((format(printf, 3, 4))) int wk_live_fail(struct wk_err *ret_err, int code,
						       const char *format, ...);

/* For libbpf_set_print(): says nothing. */
int wk_live_quiet(enum libbpf_print_level level, const char *format, va_list ap);

/* ---- live/fill.c ---- */

/* The tables before the programs are loaded. */
void wk_live_fill(struct wk_live *l);

/* 0, or -EINVAL with *ret_err filled where the policy means nothing on this machine. */
int wk_live_fits(const struct wk_live *l, struct wk_err *ret_err);

u64 wk_live_slice_ns(const struct wk_live *l);

u32 wk_live_nr_online(const struct wk_topo *t);

/* How many domains the machine has of that level. */
u32 wk_live_nr_domains(const struct wk_topo *t, u32 level);

/* Programs whose cost is told, by name. */
bool wk_live_is_callback(const char *program);

#endif
