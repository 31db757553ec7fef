/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of one simulation: CPUs, threads, run queues and shared objects.
 *
 * A CPU is always in one *segment*: a stretch of time at whose end a
 * continuation runs. Code that takes time is therefore written as a chain of
 * small functions, each ending in wk_seg(), wk_block() or the like:
 *
 *      wake_one -> (search) -> wake_commit -> (lock) -> wake_locked -> (hold) -> wake_enqueued
 *
 * A segment is either atomic (interrupts off: run-queue locks, the wake-up
 * path, schedule()) or open: interrupts are taken inside it, it is resumed after
 * them and stretched when the core's other thread wakes up. Idle CPUs, CPUs
 * that spin on a mutex and CPUs that wait for a run-queue lock have a segment
 * without end. The event queue holds exactly one time a CPU: nothing is ever
 * cancelled, only moved.
 *
 * Who includes what: every sim/ file includes this header; nobody outside does.
 */
#ifndef WK_SIM_INTERNAL_H
#define WK_SIM_INTERNAL_H

#include "core/pick.h"
#include "machine/build.h"
#include "sim/events.h"
#include "sim/hist.h"
#include "sim/pelt.h"
#include "sim/rng.h"
#include "sim/sim.h"
#include "sim/timeline.h"

#define WK_TG_LEVELS 4 /* nested task groups that are modelled */

struct wk_sim;
struct wk_cpu;
struct wk_thread;

typedef void (*wk_then)(struct wk_sim *s, struct wk_cpu *c);

/*
 * Threads a CPU is about to wake. The same thread may be in several lists, and
 * may have gone on and be asleep for another reason by the time its turn comes:
 * so an entry names the sleep it ends, and a stale one is dropped.
 */
struct wk_wakeup {
	struct wk_thread *thread;
	u64 sleep;
	bool sync;
};
struct wk_wakeups {
	struct wk_wakeup *at; /* a ring of cap, a power of two */
	u32 head, nr, cap;
};

/* A first-in first-out list of threads, linked through wk_thread.next. */
struct wk_fifo {
	struct wk_thread *head, *tail;
	u32 len;
};

enum wk_thread_state {
	WK_TS_NEW,	/* not started */
	WK_TS_RUNNABLE, /* on a run queue, running or not */
	WK_TS_BLOCKING, /* decided to sleep, still on its run queue */
	WK_TS_SLEEPING,
	WK_TS_WAKING, /* a waker has it, or it is on a wake list */
	WK_TS_DEAD,
};

struct wk_thread {
	/* interpreting: one cache line */
	const struct wk_op *program;
	u32 pc, nr_ops;
	u32 step;		/* inside its operation */
	u8 in_kernel;		/* enum wk_kernel: where its current segment may be preempted */
	u8 got;			/* the operation's own flag across a sleep */
	u8 has_mutex;		/* a contended mutex was given to it */
	u8 mutex_waiter;	/* enum wk_mutex_wait */
	u64 left;		/* bytes left in the operation */
	struct wk_mutex *mutex; /* that it waits for or owns (the innermost) */
	u32 held;		/* mutexes it owns */
	u32 cpu;		/* cid of its run queue */
	struct wk_thread *next; /* in a wk_fifo */
	u8 state;		/* enum wk_thread_state */
	u8 on_cpu;		/* being run, or still being switched out */
	u8 on_rq;
	u8 delayed;    /* EEVDF: asleep but kept on the run queue until its lag is gone */
	u8 moved;      /* its vruntime is relative: it changes CPU */
	u8 sync;       /* how it is being woken */
	u8 spin_slept; /* it slept before it spun */
	u8 timer_armed;
	/* loops nest outermost first: two are one line with what follows */
	u64 loops[WK_MAX_LOOPS];
	struct wk_tnode node;	       /* key vruntime, aux deadline, id index of the thread */
	struct wk_task task;	       /* what the core knows */
	const struct wk_mask *allowed; /* NULL: every CPU, and nr_allowed is 0 */
	u32 nr_allowed;
	const struct wk_wtask *spec;
	u32 id;
	u32 last_waker; /* cid that pushed it on a wake list */
	u32 last_ran;	/* cid whose caches are warm */
	u32 stream_llc; /* where it streams */
	u64 sleep;	/* number of the present or last sleep */
	u64 owed_ns;	/* rest of a preempted segment */
	wk_then owed_then;
	struct wk_thread *parent;
	u32 ended;   /* children that have ended and were not joined yet */
	u32 joining; /* waits for that many more */
	/* fair class */
	s64 vlag;
	u64 protected_until; /* EEVDF: virtual time to which it runs undisturbed */
	u64 exec_start_ns, sum_exec_ns, prev_sum_exec_ns;
	struct wk_pelt pelt;
	/* timers and measures */
	struct wk_tnode timer;
	u32 timer_cpu;
	u32 home_node; /* where its pages are: the node of its first run */
	u64 wake_ns;   /* when it was woken; 0: has run since */
	u64 queue_ns;  /* when it began to wait on a run queue */
	u64 served_ns; /* LIST_SERVE: when the server's wake call began */
	u64 lat_begin_ns;
	u64 wake_latency_ns; /* of its last wake-up, 0 once recorded */
	u64 spin_until_ns;
	struct wk_cpu *program_cpu; /* whose program lock it holds */
	u64 left_traffic;	    /* bytes its LLC had taken in by then */
	u64 numa_next_ns;
	u32 numa_misses; /* looks that found it away from home */
} __attribute__((aligned(64)));

/* Where a thread may be preempted: user code anywhere, kernel code not, except where it asks. */
enum wk_kernel { WK_USER, WK_KERNEL, WK_KERNEL_ASKS };
enum wk_mutex_wait { WK_MW_NONE, WK_MW_SPIN, WK_MW_SLEEP };

#define WK_THREAD_OF(tn) \
	((struct wk_thread *)(void *)((char *)(tn)-offsetof(struct wk_thread, node)))
#define WK_THREAD_OF_TIMER(tn) \
	((struct wk_thread *)(void *)((char *)(tn)-offsetof(struct wk_thread, timer)))

/* A run-queue lock: queued, first in first out, with the cost of moving its line. */
struct wk_rqlock {
	struct wk_cpu *holder;
	struct wk_cpu *head, *tail; /* waiting CPUs, through wk_cpu.lock_next */
	u32 last;		    /* cid of the last holder */
	u64 since_ns;
};

/* A sleeping lock with optimistic spinning, as the kernel's mutex. */
struct wk_mutex {
	struct wk_thread *owner;
	struct wk_fifo spinners, sleepers;
	bool handoff; /* the first sleeper demands it */
};

#define WK_PIPE_SLOTS 16

struct wk_chan {
	u8 kind;       /* enum wk_obj_kind */
	u32 last;      /* cid whose caches hold the lines */
	u32 head;      /* pipe: the oldest page */
	u32 slots;     /* pipe: pages in use; sockets: messages */
	u32 max_slots; /* pipe: pages */
	u64 bytes;     /* queued */
	struct wk_mutex mutex;
	struct wk_fifo readers, writers;
	u16 fill[WK_PIPE_SLOTS];  /* pipe: bytes written to a page */
	u16 taken[WK_PIPE_SLOTS]; /* and read from it */
	u64 limit;		  /* sockets: buffer */
	u64 message;		  /* sockets: size of the last message */
	u64 free_ns;		  /* sockets: when the queue's spin lock is free */
};

struct wk_object {
	struct wk_chan chan; /* first: what every message touches */
	const struct wk_obj *obj;
	struct wk_fifo wait;
	struct wk_thread *server; /* LIST: asleep in LIST_SERVE */
	bool started;		  /* TIMER: has a next time */
	u64 value;		  /* semaphore, barrier arrivals, a timer's next time */
	u32 home_node;
} __attribute__((aligned(64)));

enum wk_phase {
	WK_PH_IDLE,   /* open, no end */
	WK_PH_OPEN,   /* open, ends at seg_end */
	WK_PH_SPIN,   /* open, no end: spinning for a mutex */
	WK_PH_ATOMIC, /* interrupts off */
	WK_PH_LOCK,   /* waiting for a run-queue lock */
	WK_PH_DOWN,   /* offline */
};

struct wk_balance {
	u64 last_ns;	 /* when this level was balanced last, 0: long ago */
	u64 max_cost_ns; /* longest newidle attempt, decaying */
	u64 decay_ns;
	u32 failed; /* vain attempts in a row */
};

struct wk_cpu {
	/* every event: two cache lines */
	u32 cid;
	u8 phase; /* enum wk_phase */
	u8 in_irq, need_resched;
	u8 awake;	       /* executes something: counts as busy for its core */
	u8 deep;	       /* idle in the deeper state */
	u8 on_idle;	       /* the idle thread is its current one */
	u8 seen_idle;	       /* its idle bit is set */
	u8 interpreting, more; /* see wk_task_run() */
	u8 saved_phase;
	u8 spin_granted; /* the mutex it spins for came while an interrupt ran */
	u8 slice_over;
	u8 tg_stale; /* its load moved away from what tg->load_avg knows */
	u8 waking_preempts;
	u8 wake_context;
	u32 slow_q10; /* time a unit of work takes, 1024 is full speed */
	u64 seg_end, seg_total;
	wk_then then;
	struct wk_thread *curr; /* NULL: idle */
	u64 irq_at;		/* an interrupt is on its way */
	u64 tick_at;
	struct wk_timeline timers;
	/* interrupts */
	u64 tick_phase_ns;
	u64 saved_left, saved_total;
	wk_then saved_then;
	/* run queue */
	struct wk_rqlock lock;
	struct wk_timeline queue; /* runnable but not running */
	struct wk_thread *last_buddy;
	u64 min_vruntime;
	u64 queue_weight; /* of queued threads */
	s64 queue_sum_wv; /* EEVDF: sum of weight * (vruntime - min_vruntime) */
	struct wk_pelt pelt;
	u64 tg_contrib, tg_update_ns, tg_seen[WK_TG_LEVELS];
	struct wk_fifo in; /* wake list: pushed by others */
	u64 idle_since_ns;
	u64 idle_stamp_ns; /* rq->idle_stamp: 0 while busy */
	u64 mean_idle_ns;  /* of recent idle periods: chooses the idle state */
	u64 newidle_spent_ns;
	u32 newidle_level;
	u64 balance_ns; /* time the tick's balancing took */
	struct wk_balance balance[WK_MAX_LEVELS];
	/* as a waiter and as a waker */
	struct wk_cpu *lock_next;
	wk_then lock_then;
	u64 lock_wait_since;
	struct wk_cpu *lock_target;
	struct wk_thread *program_lock; /* holder of the program's lock of this CPU */
	s32 push_to;			/* active balance: where its running thread shall go */
	u64 spin_since_ns;
	struct wk_wakeups out;
	struct wk_thread *waking;
	struct wk_pick pick;
	wk_then after_wake;
	wk_then after_list;
	struct wk_task idle_task; /* what the core is told of the idle thread */
	/* schedule() */
	struct wk_thread *prev; /* being switched out */
	u32 mm;			/* process whose address space is loaded */
} __attribute__((aligned(64)));

/* One cache line everybody writes: tg->load_avg and its like. */
struct wk_line {
	u64 free_ns;
	u64 version;
	u32 last;
};

struct wk_sim {
	struct wk_sim_input in;
	const struct wk_topo *topo; /* current: replaced on hotplug */
	struct wk_topo *own_topo;   /* what we built ourselves, or NULL */
	const struct wk_cost *cost;
	struct wk_policy pol;
	struct wk_state st;
	struct wk_events ev;
	struct wk_rng rng;
	u64 now;
	u64 stop_ns; /* when something other than an event is due */
	u64 end_ns;
	u32 nr_cpus, nr_threads, nr_objs;
	u32 nr_alive;
	u32 next_hotplug;
	struct wk_cpu *cpu;
	struct wk_thread *thread;
	struct wk_object *obj;
	struct wk_mask *affinity; /* in cids */
	struct wk_mask *bound;	  /* the CPUs the machine's configuration leaves, NULL for all */
	struct wk_line tg[WK_TG_LEVELS];
	struct wk_mask overloaded; /* CPUs with two or more runnable threads */
	u32 nr_overloaded, nr_usable;
	u32 enqueue_ns, dequeue_ns; /* of all levels of task groups */
	u32 probe_ns[WK_TIER_NR];
	u32 line_ns
		[WK_TIER_NR]; /* one line of a hand-over, in 1/1024 ns, what is hidden taken off */
	u64 *llc_traffic;     /* bytes each silicon LLC took in */
	u64 *llc_streams, *node_streams; /* threads streaming there now */
	u32 nr_idle_cpus, nr_waiting;	 /* for idle-while-waiting */
	u64 idle_noted_ns;
	struct wk_measure *measure;
	u64 zero_ops; /* operations in a row without time: an endless loop if too many */
	u64 nohz_next_ns;
	u32 marks_due;
	u64 mark_ns; /* when the last mark was passed, 0: not yet */
	u64 *slot;   /* counters */
	struct wk_hist *hist;
	struct wk_sim_counts *count; /* -> result */
	u64 window_begin_ns;
	bool measuring;
	bool eevdf;
	int failed; /* -errno: the run ends */
	/* fair class constants */
	u64 latency_ns, min_gran_ns, wake_gran_ns, slice_ns, tick_ns;
	u32 nr_latency;
	struct wk_sim_result *ret;
	struct wk_err *err;
};

/* engine.c: segments and interrupts */
void wk_seg(struct wk_sim *s, struct wk_cpu *c, u64 ns, wk_then then);	    /* atomic */
void wk_seg_open(struct wk_sim *s, struct wk_cpu *c, u64 ns, wk_then then); /* interruptible */
void wk_park(struct wk_sim *s, struct wk_cpu *c,
	     enum wk_phase phase);		   /* idle, spin, lock: no end */
void wk_rearm(struct wk_sim *s, struct wk_cpu *c); /* irq_at, tick_at or timers changed */
void wk_cpu_event(struct wk_sim *s, struct wk_cpu *c);
void wk_cpu_speed(struct wk_sim *s,
		  struct wk_cpu *c); /* its core's threads changed between busy and idle */
void wk_set_awake(struct wk_sim *s, struct wk_cpu *c, bool awake);
u32 wk_slow_q10(u32 capacity, u32 pct);
bool wk_send_ipi(struct wk_sim *s, struct wk_cpu *to); /* false: it polls, none was needed */
u64 wk_kick(struct wk_sim *s, struct wk_cpu *from,
	    struct wk_cpu *to); /* resched_curr(); ns for the sender */
bool wk_may_preempt(const struct wk_cpu *c);

/* rqlock.c */
void wk_rq_lock(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq, wk_then then);
void wk_rq_unlock(struct wk_sim *s, struct wk_cpu *rq);
u64 wk_rq_line_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq); /* the line's way to c */

/* wake.c: wakes all of c->out, then c->after_wake */
#define WK_SPIN_LOOK_NS	   50
#define WK_STREAM_CHUNK	   (256 * 1024) /* bytes streamed before bandwidths are looked at again */
#define WK_PROGRAM_SPIN_NS 2000		/* how often a program that spins for a lock is looked at */
#define WK_MUCH		   (~0U)
void wk_wake_add(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, bool sync);
void wk_wake_all(struct wk_sim *s, struct wk_cpu *c, wk_then after);
void wk_wake_drain(struct wk_sim *s, struct wk_cpu *c);
void wk_wake_list_drain(struct wk_sim *s, struct wk_cpu *c,
			wk_then after); /* sched_ttwu_pending() */
void wk_move_asleep(struct wk_sim *s, struct wk_thread *p, struct wk_cpu *to);
void wk_activate(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_new_task(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, wk_then after);
void wk_exec_move(struct wk_sim *s,
		  struct wk_cpu *c); /* the current thread goes where exec would put it */

/* sched.c: schedule() and the idle loop */
void wk_schedule(struct wk_sim *s, struct wk_cpu *c);	 /* the current thread's state says why */
void wk_idle_return(struct wk_sim *s, struct wk_cpu *c); /* an interrupt in the idle loop is over */
u64 wk_idle_exit_ns(struct wk_sim *s, struct wk_cpu *c);
void wk_idle_sync(struct wk_sim *s,
		  struct wk_cpu *c); /* idle bits from curr, nr_running and pending */
void wk_idle_enter(struct wk_sim *s, struct wk_cpu *c);
void wk_note_activated(struct wk_sim *s, struct wk_cpu *rq); /* avg_idle */

/* fair.c, eevdf.c */
struct wk_enqueue {
	bool wakeup, migrated, fork;
};
void wk_fair_init(struct wk_sim *s);
void wk_fair_enqueue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p,
		     struct wk_enqueue how);
bool wk_fair_dequeue(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, bool sleep);
struct wk_thread *wk_fair_pick(struct wk_sim *s, struct wk_cpu *rq);
void wk_fair_put(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_fair_set(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_fair_update_curr(struct wk_sim *s, struct wk_cpu *rq);
bool wk_fair_preempts(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_fair_tick(struct wk_sim *s, struct wk_cpu *rq);
void wk_fair_yield(struct wk_sim *s, struct wk_cpu *rq);
void wk_fair_detach(struct wk_sim *s, struct wk_cpu *from, struct wk_thread *p);
void wk_fair_load(struct wk_sim *s, struct wk_cpu *rq); /* st.cpu[].load and util up to now */
void wk_fair_undelay(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p);
void wk_fair_reweight(struct wk_sim *s, struct wk_cpu *rq, struct wk_thread *p, u32 weight);
u64 wk_tg_access(struct wk_sim *s, struct wk_cpu *c, struct wk_cpu *rq, bool attach); /* ns of it */

/* mutex.c */
bool wk_mutex_lock(struct wk_sim *s, struct wk_cpu *c,
		   struct wk_mutex *m); /* false: back in the same step */
void wk_mutex_unlock(struct wk_sim *s, struct wk_cpu *c,
		     struct wk_mutex *m);			    /* may add to c->out */
void wk_mutex_owner_off(struct wk_sim *s, struct wk_thread *owner); /* the owner was switched out */
void wk_mutex_spin_end(struct wk_sim *s, struct wk_cpu *c);	    /* must stop spinning */

/* op.c, chan.c, sync.c: interpreting a program */
void wk_task_run(struct wk_sim *s, struct wk_cpu *c); /* continue the current thread */
void wk_op_next(struct wk_sim *s, struct wk_cpu *c);  /* this operation is done, go on at once */
void wk_op_done(struct wk_sim *s, struct wk_cpu *c, u64 ns); /* the same after ns, preemptible */
void wk_op_step(struct wk_sim *s, struct wk_cpu *c, u32 step, u64 ns, enum wk_kernel where);
void wk_op_syscall_done(struct wk_sim *s, struct wk_cpu *c); /* wk_op_done() with the way out */
void wk_block(struct wk_sim *s, struct wk_cpu *c, u32 step); /* sleep; comes back in that step */
void wk_op_chan(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op);
void wk_op_sync(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op);
void wk_op_life(struct wk_sim *s, struct wk_cpu *c, const struct wk_op *op);
void wk_timer_arm(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p, u64 at_ns);
void wk_exit(struct wk_sim *s, struct wk_cpu *c);
void wk_set_affinity(struct wk_sim *s, struct wk_thread *p, s32 row);
void wk_chan_init(struct wk_chan *ch, const struct wk_obj *obj);

/* cache.c */
u64 wk_lines_ns(struct wk_sim *s, struct wk_cpu *c, u32 from_cid,
		u32 lines); /* fetched from there */
u64 wk_refill_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p);
void wk_leave_cache(struct wk_sim *s, struct wk_cpu *c, struct wk_thread *p);
u64 wk_stream_ns(struct wk_sim *s, struct wk_cpu *c, struct wk_object *o, u64 bytes);

/* balance.c */
bool wk_newidle_begin(struct wk_sim *s, struct wk_cpu *c); /* false: not worth it */
u64 wk_newidle_look(struct wk_sim *s, struct wk_cpu *c);   /* ns for the next level, 0: over */
u64 wk_newidle_take(struct wk_sim *s, struct wk_cpu *c);   /* pulls from that level; ns it took */
void wk_balance_tick(struct wk_sim *s, struct wk_cpu *c);  /* adds to c->balance_ns */
void wk_balance_init(struct wk_sim *s);
void wk_balance_budgets(struct wk_sim *s); /* of every LLC, from the utilisations */
void wk_balance_move_one(struct wk_sim *s, struct wk_cpu *to,
			 struct wk_cpu *from); /* queued or running */

/* hotplug.c */
int wk_hotplug_apply(struct wk_sim *s, const struct wk_hotplug *h);
void wk_hotplug_evict(struct wk_sim *s, struct wk_cpu *c);
bool wk_hotplug_leaves(struct wk_sim *s, struct wk_cpu *c); /* true: it is down now */

/* measure.c */
void wk_measure_init(struct wk_sim *s);
bool wk_measure_slice(struct wk_sim *s); /* at the end of a slice; true: the run is over */
void wk_measure_finish(struct wk_sim *s);
void wk_measure_destroy(struct wk_sim *s);
u64 wk_measure_next(const struct wk_sim *s);
void wk_note_idle(struct wk_sim *s, u32 cid, int change);
void wk_note_waiting(struct wk_sim *s, int change);
void wk_note_woken(struct wk_sim *s, struct wk_thread *p);
void wk_note_mark(struct wk_sim *s);

/* start.c: the start state, put in place when the last mark is passed */
void wk_start_apply(struct wk_sim *s);
u32 wk_start_cpus(const struct wk_sim *s);	/* CPUs the workload may use */
void wk_start_step(struct wk_sim *s, u32 step); /* 0, 1, 2 while warming up */

/* sim.c */
void wk_crash(struct wk_sim *s, const struct wk_cpu *c, const struct wk_thread *p);
void wk_fail(struct wk_sim *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline u32 wk_tier(const struct wk_sim *s, u32 a, u32 b)
{
	return wk_topo_tier(s->topo, a, b);
}

static inline void wk_fifo_push(struct wk_fifo *f, struct wk_thread *p)
{
	p->next = NULL;
	if (f->tail)
		f->tail->next = p;
	else
		f->head = p;
	f->tail = p;
	f->len++;
}

static inline struct wk_thread *wk_fifo_pop(struct wk_fifo *f)
{
	struct wk_thread *p = f->head;

	if (!p)
		return NULL;
	f->head = p->next;
	if (!f->head)
		f->tail = NULL;
	f->len--;
	p->next = NULL;
	return p;
}

static inline void wk_fifo_push_front(struct wk_fifo *f, struct wk_thread *p)
{
	p->next = f->head;
	f->head = p;
	if (!f->tail)
		f->tail = p;
	f->len++;
}

/* Linear: queues of waiters are short where this is needed. */
static inline bool wk_fifo_remove(struct wk_fifo *f, struct wk_thread *p)
{
	struct wk_thread **at = &f->head, *before = NULL;

	while (*at && *at != p) {
		before = *at;
		at = &(*at)->next;
	}
	if (!*at)
		return false;
	*at = p->next;
	if (f->tail == p)
		f->tail = before;
	p->next = NULL;
	f->len--;
	return true;
}

static inline struct wk_cpu_state *wk_st(struct wk_sim *s, const struct wk_cpu *c)
{
	return &s->st.cpu[c->cid];
}

#endif
