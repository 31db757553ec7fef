// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "trace/decision.h"

static const struct {
	const char *name;
	s64 def;
} numbers[] = {
#define WK_DECISION(NAME, name, def, min, max, sentence) [WK_DECISION_##NAME] = {#name, (def)},
#include "trace/decision.def"
};

void wk_decision_init(struct wk_decision *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (u32 i = 0; i < WK_DECISION_NR; i++)
		ret->v[i] = numbers[i].def;
}

bool wk_decision_idle(const struct wk_decision_idle *i)
{
	return i->curr_is_idle && !i->nr_running && !i->pending;
}

bool wk_decision_idle_equal(const struct wk_decision_idle *a, const struct wk_decision_idle *b)
{
	return a->nr_running == b->nr_running && a->nr_idle_policy == b->nr_idle_policy &&
	       a->nr_delayed == b->nr_delayed && a->curr_is_idle == b->curr_is_idle &&
	       a->pending == b->pending;
}

void wk_decision_write_head(FILE *to, const char *kernel, u32 nr_cpus)
{
	fprintf(to, "wakepath-decisions %d\nkernel %s\ncpus %u\n", WK_DECISION_VERSION, kernel,
		nr_cpus);
}

void wk_decision_write_end(FILE *to, u64 nr, u64 lost)
{
	fprintf(to, "end %llu %llu\n", (unsigned long long)nr, (unsigned long long)lost);
}

static void write_idle(FILE *to, const struct wk_decision_idle *i)
{
	if (wk_decision_idle(i) && !i->nr_idle_policy && !i->nr_delayed) {
		fputc('-', to);
		return;
	}
	fprintf(to, "%u", i->nr_running);
	if (i->nr_idle_policy)
		fprintf(to, "s%u", i->nr_idle_policy);
	if (i->nr_delayed)
		fprintf(to, "d%u", i->nr_delayed);
	fputs(i->curr_is_idle ? "i" : "", to);
	fputs(i->pending ? "p" : "", to);
}

static void write_cpus(FILE *to, const struct wk_decision *d, u32 nr_cpus)
{
	bool changed = false;

	for (u32 c = 0; c < nr_cpus; c++) {
		fputs(c ? "," : " before=", to);
		write_idle(to, &d->cpu[c].before);
		changed |= !wk_decision_idle_equal(&d->cpu[c].before, &d->cpu[c].after);
	}
	for (u32 c = 0; c < nr_cpus && changed; c++) {
		fputs(c ? "," : " after=", to);
		write_idle(to, &d->cpu[c].after);
	}
}

static void write_loads(FILE *to, const struct wk_decision *d, u32 nr_cpus)
{
	const char *sep = " loads=";

	for (u32 i = 0; i < nr_cpus; i++) {
		const struct wk_decision_cpu *c = &d->cpu[i];

		if (!c->has_loads)
			continue;
		fprintf(to, "%s%u:%llu:%llu:%llu", sep, i, (unsigned long long)c->load,
			(unsigned long long)c->capacity, (unsigned long long)c->load_after);
		if (d->kind != WK_REQ_WAKE)
			fprintf(to, ":%llu:%llu:%llu:%llu:%llu", (unsigned long long)c->util,
				(unsigned long long)c->util_est, (unsigned long long)c->runnable,
				(unsigned long long)c->exit_ns, (unsigned long long)c->idle_stamp);
		sep = ",";
	}
}

void wk_decision_write(FILE *to, const struct wk_decision *d, u32 nr_cpus)
{
	static const char *const kinds[] = {
		[WK_REQ_WAKE] = "wake", [WK_REQ_FORK] = "fork", [WK_REQ_EXEC] = "exec"};

	fputs(kinds[d->kind], to);
	for (u32 i = 0; i < WK_DECISION_NR; i++)
		if (d->v[i] != numbers[i].def)
			fprintf(to, " %s=%lld", numbers[i].name, (long long)d->v[i]);
	write_cpus(to, d, nr_cpus);
	write_loads(to, d, nr_cpus);
	fputc('\n', to);
}
