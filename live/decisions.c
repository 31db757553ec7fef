// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "live/decisions.h"
#include "live/priv.h"
#include "trace/decision.h"

#include "bpf/decisions.h"
#include "bpf/decisions.skel.h"

/* How often the ring is emptied; the program wakes nobody. */
#define DRAIN_MS 20

struct recorder {
	const struct wk_record_decisions *how;
	struct wk_decisions *skel;
	struct ring_buffer *ring;
	u32 nr_cpus;
	size_t size; /* of one record */
	char *records;
	u64 nr, room, dropped;
	pid_t child;
	int pidfd, signals, status;
	struct wk_err *err;
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* ---- from the program's words to a decision ---- */

static void take_idle(const struct wk_dec_idle *from, struct wk_decision_idle *to)
{
	*to = (struct wk_decision_idle){
		.nr_running = from->nr_running,
		.nr_idle_policy = from->nr_idle_policy,
		.nr_delayed = from->nr_delayed,
		.curr_is_idle = from->curr_is_idle,
		.pending = from->pending,
	};
}

static void take_cpus(const struct wk_dec *from, u32 nr_cpus, struct wk_decision *to)
{
	for (u32 i = 0; i < nr_cpus; i++) {
		const struct wk_dec_cpu *f = &from->by_cpu[i];
		struct wk_decision_cpu *t = &to->cpu[i];

		take_idle(&f->before, &t->before);
		take_idle(&f->after, &t->after);
		t->has_loads = to->kind != WK_REQ_WAKE || (s32)i == from->cpu ||
			       (s32)i == from->prev;
		t->load = f->load;
		t->load_after = f->load_after;
		t->capacity = f->capacity;
		t->util = f->util;
		t->util_est = f->util_est;
		t->runnable = f->runnable;
		t->exit_ns = f->exit_ns;
		t->idle_stamp = f->idle_stamp;
	}
}

/* The kernel's task_h_load(). */
static s64 h_load(u64 load, u64 h_load, u64 cfs_load)
{
	return (s64)(load * h_load / (cfs_load + 1));
}

static s64 context(const struct wk_dec *from)
{
	if (!from->in_task)
		return WK_CTX_IRQ;
	return from->percpu_kthread ? WK_CTX_KTHREAD : WK_CTX_TASK;
}

static void take_tasks(const struct wk_dec *from, s64 *v)
{
	v[WK_DECISION_WAKER] = from->waker;
	v[WK_DECISION_WAKEE] = from->wakee;
	v[WK_DECISION_CONTEXT] = context(from);
	v[WK_DECISION_SAME] = from->same_wakee;
	v[WK_DECISION_HALVED] = from->decayed;
	v[WK_DECISION_FLIPS] = from->waker_flips_before;
	v[WK_DECISION_FLIPS_AFTER] = from->waker_flips_after;
	v[WK_DECISION_WAKEE_FLIPS] = from->wakee_flips;
	v[WK_DECISION_IDLE_POLICY] = from->idle_policy;
	v[WK_DECISION_ALLOWED] = (s64)from->allowed;
	v[WK_DECISION_NR_ALLOWED] = from->nr_allowed;
	v[WK_DECISION_LOAD] = h_load(from->wakee_load, from->wakee_h_load, from->wakee_cfs_load);
	v[WK_DECISION_WAKER_LOAD] =
		h_load(from->waker_load, from->waker_h_load, from->waker_cfs_load);
	v[WK_DECISION_UTIL] = from->wakee_util;
	v[WK_DECISION_UTIL_EST] = from->wakee_util_est;
	v[WK_DECISION_RUNNABLE] = from->wakee_runnable;
	v[WK_DECISION_NEW] = from->new_task;
	v[WK_DECISION_NUMA_NODE] = from->numa_node;
	v[WK_DECISION_MARKED] = from->marked_groups;
}

static void take_llcs(const struct wk_dec *from, s64 *v)
{
	v[WK_DECISION_HINT] = from->waker_llc.has_idle_cores;
	v[WK_DECISION_HINT_AFTER] = from->waker_llc_after.has_idle_cores;
	v[WK_DECISION_SCAN] = from->waker_llc.nr_idle_scan;
	v[WK_DECISION_SCAN_AFTER] = from->waker_llc_after.nr_idle_scan;
	v[WK_DECISION_PREV_HINT] = from->prev_llc.has_idle_cores;
	v[WK_DECISION_PREV_HINT_AFTER] = from->prev_llc_after.has_idle_cores;
	v[WK_DECISION_PREV_SCAN] = from->prev_llc.nr_idle_scan;
	v[WK_DECISION_PREV_SCAN_AFTER] = from->prev_llc_after.nr_idle_scan;
}

static void take(const struct wk_dec *from, u64 start_ns, u32 nr_cpus, struct wk_decision *to)
{
	s64 *v = to->v;

	wk_decision_init(to);
	to->kind = from->wake_flags & WK_WF_FORK   ? WK_REQ_FORK
		   : from->wake_flags & WK_WF_EXEC ? WK_REQ_EXEC
						   : WK_REQ_WAKE;
	v[WK_DECISION_T] = from->t_ns > start_ns ? (s64)(from->t_ns - start_ns) : 0;
	v[WK_DECISION_CPU] = from->cpu;
	v[WK_DECISION_PREV] = from->prev;
	v[WK_DECISION_RECENT] = from->recent;
	v[WK_DECISION_RECENT_AFTER] = from->recent_after;
	v[WK_DECISION_CHOSEN] = from->chosen;
	v[WK_DECISION_QUEUE_CPU] = from->queue_cpu;
	v[WK_DECISION_QUEUED] = from->queued;
	v[WK_DECISION_QUEUE_NR] = from->queue_cpu >= 0 ? from->queue_nr_before : 0;
	v[WK_DECISION_QUEUE_NR_AFTER] = from->queue_cpu >= 0 ? from->queue_nr_after : 0;
	v[WK_DECISION_SYNC] = from->wake_flags & WK_WF_SYNC && !from->exiting;
	v[WK_DECISION_CURRENT_CPU] = (from->wake_flags & WK_WF_CURRENT_CPU) != 0;
	take_tasks(from, v);
	take_llcs(from, v);
	take_cpus(from, nr_cpus, to);
}

static void write_all(const struct recorder *r, u64 start_ns, u64 lost)
{
	struct wk_decision d;
	struct utsname name;

	uname(&name);
	wk_decision_write_head(r->how->to, name.release, r->nr_cpus);
	for (u64 i = 0; i < r->nr; i++) {
		take((const void *)(r->records + i * r->size), start_ns, r->nr_cpus, &d);
		wk_decision_write(r->how->to, &d, r->nr_cpus);
	}
	wk_decision_write_end(r->how->to, r->nr, lost);
}

/* ---- while it runs ---- */

static int keep(void *arg, void *data, size_t size)
{
	struct recorder *r = arg;

	if (size < r->size || r->nr == r->how->max_records) {
		r->dropped++;
		return 0;
	}
	if (r->nr == r->room) {
		u64 room = r->room ? 2 * r->room : 4096;
		char *grown = reallocarray(r->records, room, r->size);

		if (!grown) {
			r->dropped++;
			return 0;
		}
		r->records = grown;
		r->room = room;
	}
	memcpy(r->records + r->nr++ * r->size, data, r->size);
	return 0;
}

static int open_bpf(struct recorder *r)
{
	int nr = libbpf_num_possible_cpus(), err;

	if (nr < 1 || nr > WK_DEC_CPUS)
		return wk_live_fail(r->err, -EOPNOTSUPP,
				    "found %d CPUs, expected at most %d to record", nr,
				    WK_DEC_CPUS);
	r->nr_cpus = (u32)nr;
	r->size = offsetof(struct wk_dec, by_cpu) + r->nr_cpus * sizeof(struct wk_dec_cpu);
	r->skel = wk_decisions__open();
	if (!r->skel)
		return wk_live_fail(r->err, -errno, "the recording program cannot be opened: %s",
				    strerror(errno));
	r->skel->rodata->wk_dec_nr_cpus = r->nr_cpus;
	r->skel->rodata->wk_dec_every = r->how->every;
	err = wk_decisions__load(r->skel);
	if (!err) {
		r->ring = ring_buffer__new(bpf_map__fd(r->skel->maps.wk_dec_ring), keep, r, NULL);
		err = r->ring ? wk_decisions__attach(r->skel) : -errno;
	}
	if (err)
		return wk_live_fail(
			r->err, err,
			"this kernel does not take the recording program (%s), expected BTF "
			"and select_task_rq_fair() to attach to",
			strerror(-err));
	return 0;
}

static int start_command(struct recorder *r, const sigset_t *old)
{
	r->child = fork();
	if (r->child == 0) {
		sigprocmask(SIG_SETMASK, old, NULL);
		execvp(r->how->command[0], r->how->command);
		fprintf(stderr, "wakepath: %s: %s\n", r->how->command[0], strerror(errno));
		_exit(127);
	}
	r->pidfd = r->child > 0 ? pidfd_open(r->child, 0) : -1;
	return r->pidfd < 0 ? wk_live_fail(r->err, -errno, "the command cannot be started: %s",
					   strerror(errno))
			    : 0;
}

/* Until the command has ended, the time is over, or a signal says so. */
static void wait_and_drain(struct recorder *r)
{
	u64 end_ns = r->child ? ~0ULL : now_ns() + r->how->time_ns;
	struct pollfd fds[] = {{.fd = r->signals, .events = POLLIN},
			       {.fd = r->pidfd, .events = POLLIN}};

	while (poll(fds, 2, DRAIN_MS) == 0 && now_ns() < end_ns)
		ring_buffer__consume(r->ring);
	if (r->child && !(fds[1].revents & POLLIN))
		kill(r->child, SIGTERM);
	if (r->child)
		waitpid(r->child, &r->status, 0);
}

static int record(struct recorder *r, const sigset_t *old, struct wk_recorded *ret)
{
	const struct wk_dec_counts *counts;
	u64 start_ns;
	int err = open_bpf(r);

	if (err)
		return err;
	start_ns = now_ns();
	if (r->how->command)
		err = start_command(r, old);
	if (err)
		return err;
	wait_and_drain(r);
	wk_decisions__detach(r->skel);
	ring_buffer__consume(r->ring);
	counts = (const void *)&r->skel->bss->wk_dec_counts;
	*ret = (struct wk_recorded){counts->seen, r->nr, counts->lost + r->dropped, r->status};
	write_all(r, start_ns, ret->lost);
	return 0;
}

int wk_record_decisions(const struct wk_record_decisions *how, struct wk_recorded *ret,
			struct wk_err *ret_err)
{
	struct recorder r = {.how = how, .pidfd = -1, .err = ret_err};
	sigset_t set, old;
	int err;

	if (geteuid() != 0)
		return wk_live_fail(ret_err, -EPERM, "found user %u, expected root to record",
				    geteuid());
	if (!getenv("WK_LIBBPF_LOG"))
		libbpf_set_print(wk_live_quiet);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &old);
	r.signals = signalfd(-1, &set, SFD_CLOEXEC);
	err = record(&r, &old, ret);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (r.pidfd >= 0)
		close(r.pidfd);
	close(r.signals);
	ring_buffer__free(r.ring);
	wk_decisions__destroy(r.skel);
	free(r.records);
	return err;
}
