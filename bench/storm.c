// SPDX-License-Identifier: GPL-2.0-only
/*
 * wk-storm: whatever can be changed about tasks and CPUs from outside, changed at random: affinity,
 * nice values, policies, cgroups, cpusets, CPUs offline and online. The victims are the tasks of
 * the programs that are named; they may end at any time, so that a change which fails is only
 * counted. CPU 0 stays, and in the end all is as it was.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_VICTIMS 4096
#define MAX_CPUS    1024
#define NR_CGROUPS  3
#define CGROUP	    "/sys/fs/cgroup/wk-storm-%d"

struct storm {
	const char *name;
	void (*change)(struct storm *);
	unsigned int every_ms;
	unsigned int seed;
	unsigned long done, refused;
};

static pid_t victims[MAX_VICTIMS];
static _Atomic int nr_victims;
static char **programs;
static int nr_programs, nr_cpus;
static volatile sig_atomic_t stopped;

static void pause_ms(unsigned int ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

static int dice(struct storm *s, int sides)
{
	return rand_r(&s->seed) % sides;
}

static void count(struct storm *s, bool ok)
{
	if (ok)
		s->done++;
	else
		s->refused++;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* ---- victims ---- */

static bool is_victim(const char *pid)
{
	char path[64], comm[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, comm, sizeof(comm) - 1) < 0)
		comm[0] = 0;
	close(fd);
	for (int i = 0; i < nr_programs; i++)
		if (strncmp(comm, programs[i], strlen(programs[i])) == 0)
			return true;
	return false;
}

static void find_victims(struct storm *s)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	int n = 0;

	while (dir && (e = readdir(dir)) && n < MAX_VICTIMS)
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && is_victim(e->d_name))
			victims[n++] = atoi(e->d_name);
	if (dir)
		closedir(dir);
	atomic_store(&nr_victims, n);
	count(s, n > 0);
}

/* 0 where there is none just now. */
static pid_t victim(struct storm *s)
{
	int n = atomic_load(&nr_victims);

	return n ? victims[dice(s, n)] : 0;
}

/* ---- the storms ---- */

static void change_affinity(struct storm *s)
{
	pid_t pid = victim(s);
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		if (dice(s, 3) == 0)
			CPU_SET(cpu, &set);
	CPU_SET(dice(s, nr_cpus), &set);
	if (pid)
		count(s, sched_setaffinity(pid, sizeof(set), &set) == 0);
}

static void change_nice(struct storm *s)
{
	pid_t pid = victim(s);

	if (pid)
		count(s, setpriority(PRIO_PROCESS, (id_t)pid, dice(s, 40) - 20) == 0);
}

/* Real-time tasks may be hogs: they are so for a moment. */
static void change_policy(struct storm *s)
{
	static const int policies[] = {SCHED_IDLE, SCHED_BATCH, SCHED_OTHER, SCHED_FIFO, SCHED_RR};
	int policy = policies[dice(s, 5)];
	struct sched_param param = {.sched_priority = policy == SCHED_FIFO || policy == SCHED_RR};
	pid_t pid = victim(s);

	if (!pid)
		return;
	count(s, sched_setscheduler(pid, policy, &param) == 0);
	if (!param.sched_priority)
		return;
	pause_ms(10);
	param.sched_priority = 0;
	sched_setscheduler(pid, SCHED_OTHER, &param);
}

static void change_cgroup(struct storm *s)
{
	char path[64] = "/sys/fs/cgroup/cgroup.procs", pid[16];
	int to = dice(s, NR_CGROUPS + 1);

	if (to < NR_CGROUPS)
		snprintf(path, sizeof(path), CGROUP "/cgroup.procs", to);
	snprintf(pid, sizeof(pid), "%d", victim(s));
	count(s, write_file(path, pid));
}

static void change_cpuset(struct storm *s)
{
	int first = dice(s, nr_cpus), last = first + dice(s, nr_cpus - first),
	    id = dice(s, NR_CGROUPS);
	char path[64], text[32];

	snprintf(path, sizeof(path), CGROUP "/cpuset.cpus", id);
	snprintf(text, sizeof(text), "%d-%d", first, last);
	count(s, write_file(path, text));
	snprintf(path, sizeof(path), CGROUP "/cpu.weight", id);
	snprintf(text, sizeof(text), "%d", 1 + dice(s, 1000));
	write_file(path, text);
}

static bool set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, online ? "1" : "0");
}

/* One goes and comes back, or some at once. The mean time between is the user's. */
static void change_cpus(struct storm *s)
{
	int n = 1 + dice(s, 3), cpu[3];

	for (int i = 0; i < n; i++) {
		cpu[i] = 1 + dice(s, nr_cpus - 1);
		count(s, set_online(cpu[i], false));
	}
	pause_ms((unsigned int)dice(s, 1500));
	for (int i = 0; i < n; i++)
		set_online(cpu[i], true);
}

static struct storm storms[] = {
	{"looks for victims", find_victims, 200, 1, 0, 0},
	{"affinity", change_affinity, 5, 2, 0, 0},
	{"nice", change_nice, 5, 3, 0, 0},
	{"policy", change_policy, 20, 4, 0, 0},
	{"cgroup moves", change_cgroup, 20, 5, 0, 0},
	{"cpusets", change_cpuset, 200, 6, 0, 0},
	{"hotplug", change_cpus, 0, 7, 0, 0},
};
#define NR_STORMS (sizeof(storms) / sizeof(storms[0]))
#define HOTPLUG	  (NR_STORMS - 1)

/* ---- start and end ---- */

static void *blow(void *arg)
{
	struct storm *s = arg;

	while (!stopped) {
		unsigned int ms = 1 + (unsigned int)dice(s, 2 * (int)s->every_ms);

		s->change(s);
		for (; ms > 200 && !stopped; ms -= 200)
			pause_ms(200);
		pause_ms(ms % 201);
	}
	return NULL;
}

static void make_cgroups(void)
{
	char path[64];

	for (int i = 0; i < NR_CGROUPS; i++) {
		snprintf(path, sizeof(path), CGROUP, i);
		mkdir(path, 0755);
	}
}

/* Its tasks go back to the root; false as long as there are any. */
static bool remove_cgroup(int id)
{
	char path[64], pid[32];
	FILE *in;

	snprintf(path, sizeof(path), CGROUP "/cgroup.procs", id);
	in = fopen(path, "re");
	while (in && fgets(pid, sizeof(pid), in))
		write_file("/sys/fs/cgroup/cgroup.procs", pid);
	if (in)
		fclose(in);
	snprintf(path, sizeof(path), CGROUP, id);
	return rmdir(path) == 0 || errno == ENOENT;
}

static void calm_down(void)
{
	for (int cpu = 1; cpu < nr_cpus; cpu++)
		set_online(cpu, true);
	for (int i = 0; i < NR_CGROUPS; i++)
		for (int tries = 0; tries < 100 && !remove_cgroup(i); tries++)
			pause_ms(50);
}

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

int main(int argc, char **argv)
{
	pthread_t threads[NR_STORMS];
	unsigned int seconds = argc > 3 ? (unsigned int)atoi(argv[1]) : 0;
	unsigned int hotplug_s = argc > 3 ? (unsigned int)atoi(argv[2]) : 0;

	if (!seconds || !hotplug_s) {
		fputs("usage: wk-storm SECONDS SECONDS-BETWEEN-HOTPLUGS PROGRAM...\n", stderr);
		return 2;
	}
	programs = argv + 3;
	nr_programs = argc - 3;
	storms[HOTPLUG].every_ms = hotplug_s * 1000;
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	signal(SIGTERM, stop);
	signal(SIGALRM, stop);
	alarm(seconds);
	make_cgroups();
	for (size_t i = 0; i < NR_STORMS; i++)
		if (pthread_create(&threads[i], NULL, blow, &storms[i]))
			return 1;
	for (size_t i = 0; i < NR_STORMS; i++)
		pthread_join(threads[i], NULL);
	calm_down();
	for (size_t i = 0; i < NR_STORMS; i++)
		printf("# wk-storm: %-17s %6lu done, %6lu refused\n", storms[i].name,
		       storms[i].done, storms[i].refused);
	return 0;
}
