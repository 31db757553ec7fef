// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-shares: tasks that never sleep, and what CPU time each of them gets.
 *
 * One argument describes tasks: "nice=5,cpu=2,count=3". After a moment in which all find their
 * place their CPU times are read twice, by a thread of SCHED_FIFO. One line a task: the words of
 * its description, and its share of one CPU in percent.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S  1000000000LL
#define MAX_TASKS 1024

struct kind {
	const char *text;
	int nice, policy;
	int cpu, later_cpu; /* the only one it may use, or -1: all; later: after the start */
	int count;
};

struct task {
	const struct kind *kind;
	pthread_t thread;
	pid_t tid;
	int64_t first_ns, last_ns;
};

static struct task tasks[MAX_TASKS];
static int nr_tasks;
static pthread_barrier_t ready;
static cpu_set_t all_cpus;

static void die(const char *what)
{
	fprintf(stderr, "wk-shares: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* ---- the tasks ---- */

static void move_to(pid_t tid, int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	if (cpu >= 0)
		CPU_SET(cpu, &one);
	if (sched_setaffinity(tid, sizeof(one), cpu >= 0 ? &one : &all_cpus))
		die("sched_setaffinity");
}

static void *spin(void *arg)
{
	struct task *t = arg;
	const struct kind *k = t->kind;
	struct sched_param param = {.sched_priority = 0};

	t->tid = (pid_t)syscall(SYS_gettid);
	if (sched_setscheduler(0, k->policy, &param) || setpriority(PRIO_PROCESS, 0, k->nice))
		die("sched_setscheduler");
	move_to(0, k->cpu);
	pthread_barrier_wait(&ready);
	for (volatile uint64_t i = 0;; i++)
		;
	return NULL;
}

static int64_t cpu_time_ns(pthread_t thread)
{
	struct timespec t;
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &t))
		die("CPU clock of a thread");
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void start_all(void)
{
	pthread_barrier_init(&ready, NULL, (unsigned int)nr_tasks + 1);
	for (int i = 0; i < nr_tasks; i++) {
		errno = pthread_create(&tasks[i].thread, NULL, spin, &tasks[i]);
		if (errno)
			die("pthread_create");
	}
	pthread_barrier_wait(&ready);
}

/* ---- measure ---- */

static void sleep_s(double s)
{
	struct timespec t = {.tv_sec = (time_t)s};

	t.tv_nsec = (long)((s - (double)t.tv_sec) * 1e9);
	nanosleep(&t, NULL);
}

static void measure(double settle_s, double seconds)
{
	int64_t start_ns, wall_ns;

	for (int i = 0; i < nr_tasks; i++) {
		if (tasks[i].kind->later_cpu != tasks[i].kind->cpu)
			move_to(tasks[i].tid, tasks[i].kind->later_cpu);
	}
	sleep_s(settle_s);
	start_ns = now_ns();
	for (int i = 0; i < nr_tasks; i++)
		tasks[i].first_ns = cpu_time_ns(tasks[i].thread);
	sleep_s(seconds);
	wall_ns = now_ns() - start_ns;
	for (int i = 0; i < nr_tasks; i++)
		tasks[i].last_ns = cpu_time_ns(tasks[i].thread);
	for (int i = 0; i < nr_tasks; i++)
		printf("%s %.2f\n", tasks[i].kind->text,
		       100.0 * (double)(tasks[i].last_ns - tasks[i].first_ns) / (double)wall_ns);
}

/* ---- options ---- */

static int policy_of(const char *name)
{
	return strcmp(name, "idle") == 0    ? SCHED_IDLE
	       : strcmp(name, "batch") == 0 ? SCHED_BATCH
	       : strcmp(name, "other") == 0 ? SCHED_OTHER
					    : -1;
}

/* later=-1: after the start it may use all CPUs. */
static bool parse_word(const char *word, struct kind *k, bool *later)
{
	if (sscanf(word, "nice=%d", &k->nice) == 1 || sscanf(word, "cpu=%d", &k->cpu) == 1 ||
	    sscanf(word, "count=%d", &k->count) == 1)
		return true;
	if (sscanf(word, "later=%d", &k->later_cpu) == 1)
		return *later = true;
	if (strncmp(word, "policy=", 7) == 0)
		k->policy = policy_of(word + 7);
	return k->policy >= 0 && strncmp(word, "policy=", 7) == 0;
}

static bool parse_kind(const char *text, struct kind *ret)
{
	char copy[256], *rest = copy, *word;
	bool later = false;

	*ret = (struct kind){.text = text, .cpu = -1, .later_cpu = -1, .count = 1};
	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strsep(&rest, ",")))
		if (!parse_word(word, ret, &later))
			return false;
	if (!later)
		ret->later_cpu = ret->cpu;
	return ret->count > 0 && ret->count + nr_tasks <= MAX_TASKS;
}

static int usage(void)
{
	fputs("usage: wk-shares SETTLE_S SECONDS KIND...\n"
	      "KIND is words with commas: nice=N cpu=N later=N policy=other|batch|idle count=N\n",
	      stderr);
	return 2;
}

int main(int argc, char **argv)
{
	struct sched_param param = {.sched_priority = 1};
	static struct kind kinds[MAX_TASKS];

	if (argc < 4 || argc > MAX_TASKS)
		return usage();
	sched_getaffinity(0, sizeof(all_cpus), &all_cpus);
	for (int i = 3; i < argc; i++) {
		if (!parse_kind(argv[i], &kinds[i]))
			return usage();
		for (int n = 0; n < kinds[i].count; n++)
			tasks[nr_tasks++].kind = &kinds[i];
	}
	start_all();
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler");
	measure(atof(argv[1]), atof(argv[2]));
	return 0;
}
