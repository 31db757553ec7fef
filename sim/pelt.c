// SPDX-License-Identifier: GPL-2.0-only
#include "sim/pelt.h"

/* (2^32 - 1) * y^i, rounded down. */
static const u32 inverse[WK_PELT_HALF_PERIODS] = {
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb,
	0xdbfbb796, 0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9,
	0xbd08a39e, 0xb8fbaf46, 0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9,
	0xa2704302, 0x9ef5325f, 0x9b8d39b9, 0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a,
	0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
};

/* @val * @mul / 2^32 where @val may use more than 32 bits: the product in two halves. */
static u64 mul_shift32(u64 val, u32 mul)
{
	return (val >> 32) * mul + ((val & 0xffffffffu) * mul >> 32);
}

u64 wk_pelt_decay(u64 val, u64 periods)
{
	u64 halves = periods / WK_PELT_HALF_PERIODS;

	if (halves > 63)
		return 0;
	if (!periods)
		return val;
	return mul_shift32(val >> halves, inverse[periods % WK_PELT_HALF_PERIODS]);
}

/*
 * What @d1 units of the oldest, full periods between and @d3 units of the newest
 * period come to. All full periods up to now are the whole series less what lies
 * before: 1024 (y + ... + y^(p-1)) = max - max y^p - 1024.
 */
static u64 segments(u64 periods, u32 d1, u32 d3)
{
	return wk_pelt_decay(d1, periods) + WK_PELT_SUM_MAX -
	       wk_pelt_decay(WK_PELT_SUM_MAX, periods) - WK_PELT_PERIOD + d3;
}

/* The largest sum possible now: every unit so far. */
static u32 divider(const struct wk_pelt *p)
{
	return WK_PELT_SUM_MAX - WK_PELT_PERIOD + p->contrib;
}

static void decay(struct wk_pelt *p, u64 periods)
{
	p->load_sum = wk_pelt_decay(p->load_sum, periods);
	p->runnable_sum = wk_pelt_decay(p->runnable_sum, periods);
	p->util_sum = wk_pelt_decay(p->util_sum, periods);
}

static void average(struct wk_pelt *p)
{
	u32 div = divider(p);

	p->load = (u32)(p->load_sum / div);
	p->runnable = (u32)(p->runnable_sum / div);
	p->util = (u32)(p->util_sum / div);
}

/* Sums that give the averages, had they always been so. */
static void fill_sums(struct wk_pelt *p)
{
	u64 div = divider(p);

	p->load_sum = p->load * div;
	p->runnable_sum = p->runnable * div;
	p->util_sum = p->util * div;
}

void wk_pelt_init(struct wk_pelt *p, u64 now_ns, u32 load, u32 runnable, u32 util)
{
	*p = (struct wk_pelt){.last_ns = now_ns, .load = load, .runnable = runnable, .util = util};
	fill_sums(p);
}

bool wk_pelt_update_slow(struct wk_pelt *p, u64 now_ns, u32 load_weight, u32 nr_runnable,
			 bool running)
{
	u64 units = (now_ns - p->last_ns) >> WK_PELT_UNIT_SHIFT, contrib = units, periods;
	u32 before = p->contrib;

	p->last_ns += units << WK_PELT_UNIT_SHIFT;
	units += before;
	periods = units / WK_PELT_PERIOD;
	p->contrib = units % WK_PELT_PERIOD;
	if (periods) {
		decay(p, periods);
		contrib = segments(periods, WK_PELT_PERIOD - before, p->contrib);
	}
	if (load_weight) {
		p->load_sum += load_weight * contrib;
		p->runnable_sum += (u64)nr_runnable * contrib << 10;
		p->util_sum += running ? contrib << 10 : 0;
	}
	if (periods)
		average(p);
	return periods > 0;
}

static u32 add_saturating(u32 a, u32 b)
{
	return a + b < a ? 0xffffffffu : a + b;
}

static u32 sub_saturating(u32 a, u32 b)
{
	return a > b ? a - b : 0;
}

void wk_pelt_attach(struct wk_pelt *rq, struct wk_pelt *task)
{
	/* The task's periods begin where the queue's do from here on. */
	task->last_ns = rq->last_ns;
	task->contrib = rq->contrib;
	fill_sums(task);

	rq->load_sum += task->load_sum;
	rq->runnable_sum += task->runnable_sum;
	rq->util_sum += task->util_sum;
	rq->load = add_saturating(rq->load, task->load);
	rq->runnable = add_saturating(rq->runnable, task->runnable);
	rq->util = add_saturating(rq->util, task->util);
}

/*
 * Takes @avg off one average. The sum follows, but never below what the average
 * that stays needs at the least: rounding would otherwise leave load without sum.
 */
static void detach_one(u32 *rq_avg, u64 *rq_sum, u32 avg, u32 div)
{
	u64 gone = (u64)avg * div, floor;

	*rq_avg = sub_saturating(*rq_avg, avg);
	floor = (u64)*rq_avg * (WK_PELT_SUM_MAX - WK_PELT_PERIOD);
	*rq_sum = *rq_sum > gone ? *rq_sum - gone : 0;
	*rq_sum = *rq_sum > floor ? *rq_sum : floor;
}

void wk_pelt_detach(struct wk_pelt *rq, const struct wk_pelt *task)
{
	u32 div = divider(rq);

	detach_one(&rq->load, &rq->load_sum, task->load, div);
	detach_one(&rq->runnable, &rq->runnable_sum, task->runnable, div);
	detach_one(&rq->util, &rq->util_sum, task->util, div);
}
