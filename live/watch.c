// SPDX-License-Identifier: GPL-2.0-only
/* Statistics: of the scheduler in this process, or of one that runs in another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "live/priv.h"

#include "bpf/scx_wakepath.skel.h"

struct wk_live_watch {
	const struct wk_live_cpu *cpus;
	u32 nr_cpus;
	size_t mapped; /* bytes of cpus that are ours to unmap, or 0 */
	int cost_fd;   /* while it is open the kernel measures BPF programs; or -1 */
	char seq[32];  /* which enabling of a scheduler this is */
};

#define SYS_SEQ "/sys/kernel/sched_ext/enable_seq"

static const char *const callbacks[] = {
	"wk_select_cpu", "wk_enqueue", "wk_dispatch",	 "wk_running",
	"wk_stopping",	 "wk_tick",    "wk_update_idle",
};

bool wk_live_is_callback(const char *program)
{
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
		if (!strcmp(callbacks[i], program))
			return true;
	return false;
}

/* ---- the map of another process ---- */

/* A descriptor of the map of that name, or -1; its size in *ret_size. */
static int find_map(const char *name, u32 *ret_size)
{
	u32 id = 0;

	while (!bpf_map_get_next_id(id, &id)) {
		struct bpf_map_info info = {0};
		u32 size = sizeof(info);
		int fd = bpf_map_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_map_get_info_by_fd(fd, &info, &size) && !strcmp(info.name, name)) {
			*ret_size = info.value_size;
			return fd;
		}
		close(fd);
	}
	return -1;
}

static int map_rows(struct wk_live_watch *w, struct wk_err *ret_err)
{
	u32 size = 0, page = (u32)sysconf(_SC_PAGESIZE);
	int fd = find_map(WK_LIVE_CPUS_SECTION, &size);
	void *rows;

	if (fd < 0)
		return wk_live_fail(ret_err, -EINVAL,
				    "no scheduler to monitor: wakepath is not attached");
	w->mapped = (size + page - 1) / page * page;
	rows = mmap(NULL, w->mapped, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (rows == MAP_FAILED) {
		w->mapped = 0;
		return wk_live_fail(ret_err, -EINVAL, "cannot map the statistics: %s",
				    strerror(errno));
	}
	w->cpus = rows;
	w->nr_cpus = size / (u32)sizeof(struct wk_live_cpu);
	return 0;
}

static int find_rows(struct wk_live_watch *w, struct wk_err *ret_err)
{
	char ops[64];

	wk_live_read_sys("/sys/kernel/sched_ext/root/ops", ops, sizeof(ops));
	if (strncmp(ops, WK_LIVE_NAME, strlen(WK_LIVE_NAME)) != 0)
		return wk_live_fail(ret_err, -EINVAL,
				    "no scheduler to monitor: found '%s', expected '%s'", ops,
				    WK_LIVE_NAME);
	return map_rows(w, ret_err);
}

struct wk_live_watch *wk_live_watch_open(const struct wk_live *l, struct wk_err *ret_err)
{
	struct wk_live_watch *w = calloc(1, sizeof(*w));

	if (!w) {
		wk_live_fail(ret_err, -EINVAL, "out of memory");
		return NULL;
	}
	w->cost_fd = -1;
	if (l) {
		w->cpus = l->skel->bss_wk_cpus->wk_cpus;
		w->nr_cpus = l->topo->nr_cids;
	} else if (find_rows(w, ret_err)) {
		wk_live_watch_close(w);
		return NULL;
	}
	wk_live_read_sys(SYS_SEQ, w->seq, sizeof(w->seq));
	w->cost_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return w;
}

void wk_live_watch_close(struct wk_live_watch *w)
{
	if (!w)
		return;
	if (w->cost_fd >= 0)
		close(w->cost_fd);
	if (w->mapped)
		munmap((void *)w->cpus, w->mapped);
	free(w);
}

bool wk_live_watch_alive(const struct wk_live_watch *w)
{
	char seq[sizeof(w->seq)], state[32];

	wk_live_read_sys(SYS_SEQ, seq, sizeof(seq));
	wk_live_read_sys("/sys/kernel/sched_ext/state", state, sizeof(state));
	return !strcmp(seq, w->seq) && !strcmp(state, "enabled");
}

/* ---- read ---- */

/* struct wk_live_stats is nothing but counters. */
static void add(struct wk_live_stats *sum, const struct wk_live_stats *one)
{
	const u64 *from = (const u64 *)one;
	u64 *to = (u64 *)sum;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] += from[i];
}

static void read_costs(struct wk_live_sum *sum)
{
	u32 id = 0;

	while (sum->nr_costs < WK_LIVE_CALLBACKS && !bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = {0};
		u32 size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);

		if (fd < 0)
			continue;
		if (!bpf_prog_get_info_by_fd(fd, &info, &size) &&
		    info.type == BPF_PROG_TYPE_STRUCT_OPS && wk_live_is_callback(info.name)) {
			struct wk_live_cost *cost = &sum->cost[sum->nr_costs++];

			snprintf(cost->name, sizeof(cost->name), "%s", info.name);
			cost->calls = info.run_cnt;
			cost->ns = info.run_time_ns;
		}
		close(fd);
	}
}

void wk_live_watch_read(struct wk_live_watch *w, struct wk_live_sum *ret_sum)
{
	*ret_sum = (struct wk_live_sum){0};
	for (u32 i = 0; i < w->nr_cpus; i++)
		add(&ret_sum->stats, &w->cpus[i].stats);
	if (w->cost_fd >= 0)
		read_costs(ret_sum);
}
