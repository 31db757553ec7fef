// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "lab/pool.h"

struct shared {
	const struct wk_pool *pool;
	pthread_mutex_t lock;
	u32 nr, next, done; /* under the lock */
};

static bool stopped(const struct wk_pool *pool)
{
	return pool->stop && __atomic_load_n(pool->stop, __ATOMIC_RELAXED);
}

static bool take(struct shared *s, u32 *ret)
{
	bool more;

	pthread_mutex_lock(&s->lock);
	more = s->next < s->nr && !stopped(s->pool);
	if (more)
		*ret = s->next++;
	pthread_mutex_unlock(&s->lock);
	return more;
}

static void *work(void *arg)
{
	struct shared *s = arg;
	u32 nr;

	while (take(s, &nr)) {
		s->pool->task(s->pool->arg, nr);
		pthread_mutex_lock(&s->lock);
		s->done++;
		if (s->pool->done)
			s->pool->done(s->pool->arg, s->done);
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

/* Signals go to the thread that started the pool: a handler interrupts no simulation. */
static u32 start_threads(struct shared *s, pthread_t *thread, u32 jobs, int *ret_err)
{
	sigset_t all, old;
	u32 i;

	*ret_err = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < jobs && !*ret_err; i++)
		*ret_err = pthread_create(&thread[i], NULL, work, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return *ret_err ? i - 1 : i;
}

int wk_pool_run(const struct wk_pool *pool, u32 nr)
{
	struct shared s = {.pool = pool, .nr = nr};
	u32 jobs = pool->jobs < nr ? pool->jobs : nr, started;
	pthread_t *thread;
	int err;

	if (!nr)
		return 0;
	thread = calloc(jobs, sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	pthread_mutex_init(&s.lock, NULL);
	started = start_threads(&s, thread, jobs, &err);
	for (u32 i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_mutex_destroy(&s.lock);
	free(thread);
	/* Fewer threads than asked for are enough. */
	return started ? 0 : -err;
}
