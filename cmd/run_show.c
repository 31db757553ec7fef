// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/run_show.h"

#include "cmd/cmd.h"

struct row {
	const char *name, *sentence;
};

static const struct row why_rows[] = {
#define WK_WHY(NAME, name, step, sentence) {#name, sentence},
#include "core/why.def"
};
static const struct row tier_rows[] = {
#define WK_TIER(NAME, name, sentence) {#name, sentence},
#include "core/tier.def"
};
static const struct row handoff_rows[] = {
#define WK_HANDOFF(NAME, name, sentence) {#name, sentence},
#include "core/handoff.def"
};
static const struct row count_rows[] = {
#define WK_LIVE_COUNT(NAME, name, sentence) {#name, sentence},
#include "bpf/count.def"
};

/* ---- counters ---- */

struct group {
	const char *title, *sentence;
	const struct row *rows;
	u32 nr;
	bool share; /* the rows are parts of one whole */
	size_t at;  /* in struct wk_live_stats */
};

#define GROUP(title_, sentence_, rows_, share_, field)                       \
	{                                                                    \
		.title = (title_), .sentence = (sentence_), .rows = (rows_), \
		.nr = sizeof(rows_) / sizeof((rows_)[0]), .share = (share_), \
		.at = offsetof(struct wk_live_stats, field)                  \
	}

static const struct group groups[] = {
	GROUP("why", "why the core chose that CPU", why_rows, true, why),
	GROUP("tier", "how far the chosen CPU is from the waker's", tier_rows, true, tier),
	GROUP("handoff", "who would touch its run queue by the policy", handoff_rows, true,
	      handoff),
	GROUP("count", "what the scheduler did", count_rows, false, count),
};
#define NR_GROUPS (sizeof(groups) / sizeof(groups[0]))

static const u64 *counters(const struct wk_live_stats *stats, const struct group *g)
{
	return (const u64 *)((const char *)stats + g->at);
}

static void show_group(FILE *to, const struct group *g, const struct wk_live_stats *before,
		       const struct wk_live_stats *now, double seconds)
{
	const u64 *old = counters(before, g), *new = counters(now, g);
	u64 sum = 0;

	for (u32 i = 0; i < g->nr; i++)
		sum += new[i] - old[i];
	for (u32 i = 0; i < g->nr; i++) {
		u64 n = new[i] - old[i];

		if (!n)
			continue;
		fprintf(to, "  %-8s %-18s %12.1f /s", g->title, g->rows[i].name,
			(double)n / seconds);
		if (g->share)
			fprintf(to, " %5.1f %%", 100.0 * (double)n / (double)sum);
		fputc('\n', to);
	}
}

/* ---- latencies ---- */

struct latency {
	u64 bucket[WK_LIVE_BUCKETS];
	u64 sum;
};

static struct latency latency_of(const struct wk_live_stats *before,
				 const struct wk_live_stats *now, u32 tier)
{
	struct latency l = {0};

	for (u32 b = 0; b < WK_LIVE_BUCKETS; b++) {
		l.bucket[b] = now->latency[tier][b] - before->latency[tier][b];
		l.sum += l.bucket[b];
	}
	return l;
}

/* The time, in us, below which @pct percent of the wake-ups stay: the end of a bucket. */
static double percentile(const struct latency *l, double pct)
{
	double seen = 0;
	u32 b = 0;

	for (; b < WK_LIVE_BUCKETS - 1; b++) {
		seen += (double)l->bucket[b];
		if (seen >= pct / 100 * (double)l->sum)
			break;
	}
	return (double)(2ULL << b) / 1000;
}

static void show_histogram(FILE *to, const struct latency *l)
{
	for (u32 b = 0; b < WK_LIVE_BUCKETS; b++)
		if (l->bucket[b])
			fprintf(to, "             below %12.3f us %12llu\n",
				(double)(2ULL << b) / 1000, (unsigned long long)l->bucket[b]);
}

static void show_latency(FILE *to, const struct wk_live_stats *before,
			 const struct wk_live_stats *now, bool histograms)
{
	for (u32 tier = 0; tier < WK_TIER_NR; tier++) {
		struct latency l = latency_of(before, now, tier);

		if (!l.sum)
			continue;
		fprintf(to,
			"  latency  %-18s %12llu wake-ups, us below: p50 %.1f p90 %.1f p99 %.1f "
			"max %.1f\n",
			tier_rows[tier].name, (unsigned long long)l.sum, percentile(&l, 50),
			percentile(&l, 90), percentile(&l, 99), percentile(&l, 100));
		if (histograms)
			show_histogram(to, &l);
	}
}

/* ---- costs ---- */

static void show_costs(FILE *to, const struct wk_live_sum *before, const struct wk_live_sum *now,
		       double seconds)
{
	for (u32 i = 0; i < now->nr_costs; i++) {
		u64 calls = now->cost[i].calls, ns = now->cost[i].ns;

		if (i < before->nr_costs) {
			calls -= before->cost[i].calls;
			ns -= before->cost[i].ns;
		}
		if (calls)
			fprintf(to, "  cost     %-18s %12.1f /s %8.1f ns each\n", now->cost[i].name,
				(double)calls / seconds, (double)ns / (double)calls);
	}
}

void wk_run_show(FILE *to, const struct wk_live_sum *before, const struct wk_live_sum *now,
		 double seconds, bool histograms)
{
	fprintf(to, "over %.1f s\n", seconds);
	for (size_t i = 0; i < NR_GROUPS; i++)
		show_group(to, &groups[i], &before->stats, &now->stats, seconds);
	show_latency(to, &before->stats, &now->stats, histograms);
	show_costs(to, before, now, seconds);
	fflush(to);
}

void wk_run_show_help(FILE *to)
{
	for (size_t i = 0; i < NR_GROUPS; i++) {
		fprintf(to, "%s: %s\n", groups[i].title, groups[i].sentence);
		for (u32 r = 0; r < groups[i].nr; r++) {
			int at = fprintf(to, "  %-16s ", groups[i].rows[r].name);

			wk_print_wrapped(to, groups[i].rows[r].sentence, at, at);
		}
	}
	fputs("latency: from wake-up to running, by tier of the chosen CPU, in powers of two\n"
	      "cost: calls and mean time of each callback, measured by the kernel while polled\n",
	      to);
}
