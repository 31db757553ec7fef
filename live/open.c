// SPDX-License-Identifier: GPL-2.0-only
/* From options to a loaded and attached scheduler, and back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "live/priv.h"

#include "bpf/scx_wakepath.skel.h"

/* Bits of a kernel's exit code, and the first kind that is an error. */
#define EXIT_RESTART (1ULL << 48)
#define EXIT_ERROR   1024

static int loud(enum libbpf_print_level level, const char *format, va_list ap)
{
	return level <= LIBBPF_INFO ? vfprintf(stderr, format, ap) : 0;
}

/* ---- flags ---- */

static void want_flag(struct wk_live *l, bool wanted, const char *name)
{
	u64 flag = wanted ? wk_live_kernel_flag(l->btf, name) : 0;

	if (wanted && !flag)
		snprintf(l->dropped + strlen(l->dropped), sizeof(l->dropped) - strlen(l->dropped),
			 " %s", name);
	l->skel->struct_ops.wk_ops->flags |= flag;
}

static void set_ops(struct wk_live *l)
{
	want_flag(l, true, "SCX_OPS_ENQ_EXITING");
	want_flag(l, true, "SCX_OPS_ENQ_MIGRATION_DISABLED");
	want_flag(l, l->options.partial, "SCX_OPS_SWITCH_PARTIAL");
	want_flag(l, l->options.queued_wakeup, "SCX_OPS_ALLOW_QUEUED_WAKEUP");
	l->skel->struct_ops.wk_ops->timeout_ms = l->options.timeout_ms;
	l->skel->struct_ops.wk_ops->hotplug_seq = l->hotplug_seq;
}

/* ---- open ---- */

static int read_machine(struct wk_live *l, struct wk_err *ret_err)
{
	char seq[32];

	/* Before the machine is read: the kernel refuses us if CPUs have come or gone since. */
	wk_live_read_sys("/sys/kernel/sched_ext/hotplug_seq", seq, sizeof(seq));
	l->hotplug_seq = strtoull(seq, NULL, 10);
	l->machine = wk_machine_open(l->options.machine, ret_err);
	if (!l->machine)
		return -EINVAL;
	return wk_topo_build(l->machine, &l->options.policy, &l->topo, ret_err);
}

/* Room for as many rows as there are CPUs. */
static int size_rows(struct wk_live *l)
{
	return bpf_map__set_value_size(l->skel->maps.bss_wk_cpus,
				       l->topo->nr_cids * (u32)sizeof(struct wk_live_cpu));
}

static int load(struct wk_live *l, struct wk_err *ret_err)
{
	int err;

	libbpf_set_print(l->options.verbose ? loud : wk_live_quiet);
	l->btf = btf__load_vmlinux_btf();
	l->skel = wk_scx_wakepath__open();
	if (!l->skel)
		return wk_live_fail(ret_err, -EINVAL, "cannot open the BPF programs: %s",
				    strerror(errno));
	err = size_rows(l);
	if (err)
		return wk_live_fail(ret_err, -EINVAL, "cannot make room for %u CPUs: %s",
				    l->topo->nr_cids, strerror(-err));
	wk_live_fill(l);
	set_ops(l);
	err = wk_scx_wakepath__load(l->skel);
	if (err)
		return wk_live_fail(ret_err, -EINVAL,
				    "the kernel refused the BPF programs: %s (-v shows why)",
				    strerror(-err));
	return 0;
}

static int take_record(void *ctx, void *data, size_t size)
{
	struct wk_live *l = ctx;

	if (l->records)
		fwrite(data, size, 1, l->records);
	return 0;
}

static int open_ring(struct wk_live *l, struct wk_err *ret_err)
{
	if (!l->options.sample)
		return 0;
	l->ring = ring_buffer__new(bpf_map__fd(l->skel->maps.wk_records), take_record, l, NULL);
	return l->ring ? 0 : wk_live_fail(ret_err, -EINVAL, "no ring buffer: %s", strerror(errno));
}

struct wk_live *wk_live_open(const struct wk_live_options *options, struct wk_err *ret_err)
{
	struct wk_live *l = calloc(1, sizeof(*l));

	if (!l) {
		wk_live_fail(ret_err, -EINVAL, "out of memory");
		return NULL;
	}
	l->options = *options;
	if (read_machine(l, ret_err) || wk_live_fits(l, ret_err) || load(l, ret_err) ||
	    open_ring(l, ret_err)) {
		wk_live_close(l);
		return NULL;
	}
	return l;
}

void wk_live_close(struct wk_live *l)
{
	if (!l)
		return;
	bpf_link__destroy(l->link);
	ring_buffer__free(l->ring);
	wk_scx_wakepath__destroy(l->skel);
	btf__free(l->btf);
	wk_topo_destroy(l->topo);
	wk_machine_destroy(l->machine);
	free(l);
}

int wk_live_attach(struct wk_live *l, struct wk_err *ret_err)
{
	int err;

	l->link = bpf_map__attach_struct_ops(l->skel->maps.wk_ops);
	if (l->link)
		return 0;
	err = -errno;
	if (wk_live_exit(l)->kind)
		wk_live_fail(ret_err, -EINVAL, "the kernel did not attach the scheduler: %s: %s",
			     wk_live_exit(l)->reason, wk_live_exit(l)->msg);
	else
		wk_live_fail(ret_err, -EINVAL, "the kernel did not attach the scheduler: %s",
			     strerror(-err));
	/* The hotplug count that we gave did not hold. */
	return wk_live_wants_restart(wk_live_exit(l)) ? -EBUSY : err == -EBUSY ? -EEXIST : err;
}

/* ---- while it runs ---- */

const struct wk_live_exit *wk_live_exit(const struct wk_live *l)
{
	return &l->skel->bss->wk_exit_info;
}

bool wk_live_wants_restart(const struct wk_live_exit *exit)
{
	return exit->kind && ((u64)exit->code & EXIT_RESTART);
}

bool wk_live_is_error(const struct wk_live_exit *exit)
{
	return exit->kind >= EXIT_ERROR;
}

void wk_live_drain(struct wk_live *l, FILE *to)
{
	if (!l->ring)
		return;
	l->records = to;
	ring_buffer__consume(l->ring);
	l->records = NULL;
}

/* ---- reports ---- */

void wk_live_report(const struct wk_live *l, FILE *to)
{
	const struct wk_topo *t = l->topo;
	struct utsname kernel;

	uname(&kernel);
	fprintf(to, "wakepath: kernel %s", kernel.release);
	if (l->dropped[0])
		fprintf(to, ", which lacks%s", l->dropped);
	if (!wk_live_kernel_has(l->btf, "scx_bpf_now"))
		fputs(", which lacks scx_bpf_now", to);
	if (!wk_live_kernel_has(l->btf, "scx_bpf_dsq_peek"))
		fputs(", which lacks scx_bpf_dsq_peek", to);
	fputc('\n', to);
	fprintf(to, "wakepath: machine: %u CPUs, %u online, %u LLCs, %u clusters, %u nodes, %s\n",
		t->nr_cids, wk_live_nr_online(t), t->nr_llcs, wk_live_nr_domains(t, WK_LEVEL_CLS),
		t->nr_nodes, t->has_smt ? "SMT" : "no SMT");
	fprintf(to, "wakepath: a queue for each CPU, slice %.1f ms, idle CPUs are %s, %s tasks%s\n",
		(double)wk_live_slice_ns(l) / 1e6,
		wk_has(&l->options.policy, WK_FEAT_CLAIM) ? "claimed" : "not claimed",
		l->options.partial ? "SCHED_EXT" : "all",
		l->options.queued_wakeup ? ", wake-ups may be queued" : "");
	for (u32 i = 0; i < l->machine->nr_notes; i++)
		fprintf(to, "wakepath: note: %s\n", l->machine->note[i]);
}

void wk_live_report_programs(const struct wk_live *l, FILE *to)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, l->skel->obj)
	{
		struct bpf_prog_info info = {0};
		u32 size = sizeof(info);

		if (!bpf_prog_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			fprintf(to, "program %s verified %u insns\n", bpf_program__name(prog),
				info.verified_insns);
	}
}
