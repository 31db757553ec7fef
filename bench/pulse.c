// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-pulse: tasks of four kinds that must all go on, and a watcher that sees whether they do.
 *
 * A task that may run writes down since when: the wait ends when it does run. So a lost wake-up is
 * a wait that does not end, a starved task one that ends late, and both are seen while they last.
 * The watcher is of SCHED_FIFO: it runs even if the scheduler under test lets nobody run.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S  1000000000ULL
#define NS_PER_MS 1000000ULL
#define SLEEP_NS  (5 * NS_PER_MS)
#define WATCH_NS  (50 * NS_PER_MS)
#define MAX_TASKS 16384
#define STACK	  65536

enum kind { PIPE, FUTEX, SLEEPER, HOG, NR_KINDS };
static const char *const kind_names[NR_KINDS] = {"pipe", "futex", "sleeper", "hog"};

struct task {
	enum kind kind;
	_Atomic uint64_t since_ns; /* may run since then; 0: has nothing to do */
	_Atomic uint64_t worst_ns;
	_Atomic uint64_t steps;
	_Atomic uint32_t token; /* FUTEX: 1 if it is this one's turn */
	int pipe[2];		/* PIPE: one byte says the same */
	struct task *next;	/* of its ring */
	bool late, stuck;	/* the watcher has seen it so */
};

struct options {
	unsigned int seconds, size, late_ms, stuck_ms;
	unsigned int nr[NR_KINDS]; /* rings of `size` tasks, or tasks */
};

static struct task *tasks;
static unsigned int nr_tasks;
static volatile sig_atomic_t stopped;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "wk-pulse: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- the tasks ---- */

static void runs(struct task *t)
{
	uint64_t since_ns = atomic_exchange(&t->since_ns, 0), now = now_ns();

	if (since_ns && now > since_ns && now - since_ns > atomic_load(&t->worst_ns))
		atomic_store(&t->worst_ns, now - since_ns);
	atomic_fetch_add(&t->steps, 1);
}

static void futex(_Atomic uint32_t *at, int op, uint32_t value)
{
	syscall(SYS_futex, at, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static void pass_on(struct task *to)
{
	atomic_store(&to->since_ns, now_ns());
	if (to->kind == FUTEX) {
		atomic_store(&to->token, 1);
		futex(&to->token, FUTEX_WAKE, 1);
	} else if (write(to->pipe[1], "", 1) != 1) {
		die("write");
	}
}

static void wait_for_turn(struct task *t)
{
	char byte;

	if (t->kind == PIPE) {
		if (read(t->pipe[0], &byte, 1) != 1)
			die("read");
		return;
	}
	while (!atomic_exchange(&t->token, 0))
		futex(&t->token, FUTEX_WAIT, 0);
}

static void *ring_member(void *arg)
{
	struct task *t = arg;

	for (;;) {
		wait_for_turn(t);
		runs(t);
		pass_on(t->next);
	}
	return NULL;
}

static void *sleeper(void *arg)
{
	struct task *t = arg;

	for (;;) {
		uint64_t due = now_ns() + SLEEP_NS;
		struct timespec at = {(time_t)(due / NS_PER_S), (long)(due % NS_PER_S)};

		atomic_store(&t->since_ns, due);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		runs(t);
	}
	return NULL;
}

static void *hog(void *arg)
{
	struct task *t = arg;

	for (;;) {
		atomic_store(&t->since_ns, now_ns());
		for (volatile int i = 0; i < 2000; i++)
			;
		runs(t);
	}
	return NULL;
}

static void *(*const bodies[NR_KINDS])(void *) = {ring_member, ring_member, sleeper, hog};

/* ---- start ---- */

static struct task *add_task(enum kind kind)
{
	struct task *t = &tasks[nr_tasks++];

	t->kind = kind;
	if (kind == PIPE && pipe(t->pipe))
		die("pipe");
	return t;
}

static void add_ring(enum kind kind, unsigned int size)
{
	struct task *first = add_task(kind), *last = first;

	for (unsigned int i = 1; i < size; i++)
		last = last->next = add_task(kind);
	last->next = first;
}

static void add_all(const struct options *o)
{
	for (enum kind kind = PIPE; kind < NR_KINDS; kind++) {
		for (unsigned int i = 0; i < o->nr[kind]; i++) {
			if (kind <= FUTEX)
				add_ring(kind, o->size);
			else
				add_task(kind);
		}
	}
}

/* The first of each ring gets its token once all threads are there. */
static void start_all(unsigned int size)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (unsigned int i = 0; i < nr_tasks; i++) {
		errno = pthread_create(&thread, &attr, bodies[tasks[i].kind], &tasks[i]);
		if (errno)
			die("pthread_create");
	}
	for (unsigned int i = 0; i < nr_tasks && tasks[i].kind <= FUTEX; i += size)
		pass_on(&tasks[i]);
}

/* ---- the watcher ---- */

static void watch_task(struct task *t, const struct options *o, uint64_t now)
{
	uint64_t since_ns = atomic_load(&t->since_ns), wait_ns;

	wait_ns = since_ns && now > since_ns ? now - since_ns : 0;
	if (wait_ns > atomic_load(&t->worst_ns))
		atomic_store(&t->worst_ns, wait_ns);
	if (atomic_load(&t->worst_ns) > o->late_ms * NS_PER_MS)
		t->late = true;
	if (wait_ns <= o->stuck_ms * NS_PER_MS || t->stuck)
		return;
	t->stuck = true;
	printf("# wk-pulse: %s task %td waits for %llu ms\n", kind_names[t->kind], t - tasks,
	       (unsigned long long)(wait_ns / NS_PER_MS));
	fflush(stdout);
}

static void watch(const struct options *o)
{
	uint64_t end_ns = now_ns() + o->seconds * NS_PER_S;

	while (!stopped && (!o->seconds || now_ns() < end_ns)) {
		nanosleep(&(struct timespec){.tv_nsec = WATCH_NS}, NULL);
		for (unsigned int i = 0; i < nr_tasks; i++)
			watch_task(&tasks[i], o, now_ns());
	}
}

static void report_kind(enum kind kind)
{
	unsigned long long nr = 0, steps = 0, worst_ns = 0;

	for (unsigned int i = 0; i < nr_tasks; i++) {
		if (tasks[i].kind != kind)
			continue;
		nr++;
		steps += atomic_load(&tasks[i].steps);
		if (atomic_load(&tasks[i].worst_ns) > worst_ns)
			worst_ns = atomic_load(&tasks[i].worst_ns);
	}
	if (nr)
		printf("# wk-pulse: %-7s %4llu tasks, %9llu steps, longest wait %llu.%03llu ms\n",
		       kind_names[kind], nr, steps, worst_ns / NS_PER_MS,
		       worst_ns % NS_PER_MS / 1000);
}

/* The last line is for scripts. A task that never ran is a stuck one. */
static int report(void)
{
	unsigned int late = 0, stuck = 0;

	for (enum kind kind = PIPE; kind < NR_KINDS; kind++)
		report_kind(kind);
	for (unsigned int i = 0; i < nr_tasks; i++) {
		late += tasks[i].late;
		stuck += tasks[i].stuck || !atomic_load(&tasks[i].steps);
	}
	printf("# wk-pulse: %u tasks, %u late, %u stuck\n", nr_tasks, late, stuck);
	return stuck ? 1 : 0;
}

/* ---- options ---- */

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static int usage(void)
{
	fputs("usage: wk-pulse [--seconds N] [--pipe RINGS] [--futex RINGS] [--size TASKS]\n"
	      "                [--sleepers N] [--hogs N] [--late-ms N] [--stuck-ms N]\n"
	      "Ends after N seconds or by a signal; 1 if a task was stuck.\n",
	      stderr);
	return 2;
}

static bool parse(int argc, char **argv, struct options *ret)
{
	static const char *const names[] = {"seconds", "size",	"late-ms",  "stuck-ms",
					    "pipe",    "futex", "sleepers", "hogs"};
	unsigned int *const values[] = {&ret->seconds,	   &ret->size,	   &ret->late_ms,
					&ret->stuck_ms,	   &ret->nr[PIPE], &ret->nr[FUTEX],
					&ret->nr[SLEEPER], &ret->nr[HOG]};
	struct option longs[9] = {0};
	int c;

	for (int i = 0; i < 8; i++)
		longs[i] = (struct option){names[i], required_argument, NULL, i};
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		char *end;

		if (c < 0 || c >= 8)
			return false;
		*values[c] = (unsigned int)strtoul(optarg, &end, 10);
		if (*end || end == optarg)
			return false;
	}
	return optind == argc && ret->size &&
	       (ret->nr[PIPE] + ret->nr[FUTEX]) * ret->size + ret->nr[SLEEPER] + ret->nr[HOG] <=
		       MAX_TASKS;
}

int main(int argc, char **argv)
{
	struct options o = {.size = 8, .late_ms = 1000, .stuck_ms = 10000};
	struct sched_param param = {.sched_priority = 1};

	if (!parse(argc, argv, &o))
		return usage();
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	tasks = calloc(MAX_TASKS, sizeof(*tasks));
	if (!tasks)
		die("calloc");
	add_all(&o);
	start_all(o.size);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	watch(&o);
	return report();
}
