// SPDX-License-Identifier: GPL-2.0-only
/* The child process around libhwloc, and the pipe from it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/read_hwloc.h"
#include "machine/text.h"

#define SECONDS 4
#define MEMORY	(768ull << 20)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMIT_MEMORY 0 /* a sanitizer's shadow is larger than any limit */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMIT_MEMORY 0
#endif
#endif
#ifndef LIMIT_MEMORY
#define LIMIT_MEMORY 1
#endif

/* What the pipe carries: this, then the rows of CPUs, then each note as a length and its bytes. */
struct message {
	bool ok;
	struct wk_err err;
	struct wk_machine m; /* its pointers mean nothing on the other side */
};

static void write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);
		p += n;
		len -= (size_t)n;
	}
}

static void send_result(int fd, const struct wk_machine *m, const struct wk_err *err)
{
	struct message msg;

	memset(&msg, 0, sizeof(msg));
	msg.ok = m != NULL;
	msg.err = *err;
	if (m)
		msg.m = *m;
	write_all(fd, &msg, sizeof(msg));
	if (!m)
		return;
	write_all(fd, m->cpu, m->nr_cpus * sizeof(*m->cpu));
	for (u32 i = 0; i < m->nr_notes; i++) {
		u32 len = (u32)strlen(m->note[i]);

		write_all(fd, &len, sizeof(len));
		write_all(fd, m->note[i], len);
	}
}

/* Handlers of the parent (a fuzzer's, a progress bar's) are not the child's business. */
static void become_small(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE,	 SIGILL,
				      SIGXCPU, SIGINT, SIGTERM, SIGALRM, SIGPIPE};
	struct rlimit cpu = {SECONDS, SECONDS}, core = {0, 0}, mem = {MEMORY, MEMORY};
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	if (null >= 0) {
		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
	}
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	if (LIMIT_MEMORY)
		setrlimit(RLIMIT_AS, &mem);
	setenv("HWLOC_HIDE_ERRORS", "2", 1);
	unsetenv("HWLOC_XML_VERBOSE");
	unsetenv("HWLOC_SYNTHETIC_VERBOSE");
}

static _Noreturn void child(int fd, const struct wk_hwloc_job *job)
{
	struct wk_err err = {""};
	struct wk_machine *m;

	become_small();
	m = wk_hwloc_load(job, &err);
	send_result(fd, m, &err);
	_exit(0);
}

struct inbox {
	int fd;
	struct timespec end;
};

static int milliseconds_left(const struct inbox *in)
{
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (in->end.tv_sec - now.tv_sec) * 1000 + (in->end.tv_nsec - now.tv_nsec) / 1000000;
	return ms > 0 ? (int)ms : 0;
}

static bool take(struct inbox *in, void *data, size_t len)
{
	char *p = data;

	while (len) {
		struct pollfd pfd = {.fd = in->fd, .events = POLLIN};
		int r = poll(&pfd, 1, milliseconds_left(in));
		ssize_t n;

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		n = read(in->fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static bool take_notes(struct inbox *in, struct wk_machine *m, u32 nr)
{
	char text[1024];
	u32 len;

	for (u32 i = 0; i < nr; i++) {
		if (!take(in, &len, sizeof(len)) || len >= sizeof(text) || !take(in, text, len))
			return false;
		text[len] = '\0';
		wk_machine_note(m, "%s", text);
	}
	return true;
}

static struct wk_machine *take_machine(struct inbox *in, const struct wk_machine *sent)
{
	struct wk_machine *m;
	struct wk_machine_cpu *cpu;

	if (sent->nr_cpus == 0 || sent->nr_cpus > WK_MAX_CPUS || sent->nr_nodes > WK_MAX_NODES)
		return NULL;
	m = wk_machine_create(sent->nr_cpus);
	if (!m)
		return NULL;
	cpu = m->cpu;
	*m = *sent;
	m->cpu = cpu;
	m->note = NULL;
	m->nr_notes = 0;
	if (take(in, m->cpu, m->nr_cpus * sizeof(*m->cpu)) && take_notes(in, m, sent->nr_notes))
		return m;
	wk_machine_destroy(m);
	return NULL;
}

/* What the child said, else what became of it. */
static struct wk_machine *collect(int fd, pid_t pid, const struct wk_hwloc_job *job,
				  struct wk_err *ret_err)
{
	struct inbox in = {.fd = fd};
	struct wk_machine *m = NULL;
	struct message msg;
	int status = 0;
	bool said;

	clock_gettime(CLOCK_MONOTONIC, &in.end);
	in.end.tv_sec += SECONDS;
	said = take(&in, &msg, sizeof(msg));
	if (said && msg.ok)
		m = take_machine(&in, &msg.m);
	if (!milliseconds_left(&in))
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (m)
		return m;
	if (said && !msg.ok)
		wk_read_error(ret_err, "%s", msg.err.text);
	else if (!milliseconds_left(&in) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		wk_read_error(ret_err, "%s: hwloc needs more than %d s for it", job->where,
			      SECONDS);
	else
		wk_read_error(ret_err, "%s: hwloc stops on it (%s %d), expected a sound topology",
			      job->where, WIFSIGNALED(status) ? "signal" : "exit",
			      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return NULL;
}

struct wk_machine *wk_hwloc_guarded(const struct wk_hwloc_job *job, struct wk_err *ret_err)
{
	struct wk_machine *m;
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0) {
		wk_read_error(ret_err, "%s: no pipe: %s", job->where, strerror(errno));
		return NULL;
	}
	pid = fork();
	if (pid == 0)
		child(fd[1], job);
	close(fd[1]);
	if (pid < 0) {
		wk_read_error(ret_err, "%s: no process: %s", job->where, strerror(errno));
		close(fd[0]);
		return NULL;
	}
	m = collect(fd[0], pid, job, ret_err);
	close(fd[0]);
	return m;
}
