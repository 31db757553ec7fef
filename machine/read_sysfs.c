// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysfs of the running machine or of a snapshot: finding it, and which CPUs there are.
 *
 * Rules, each learnt from a report: a CPU exists where it has a folder, whatever the lists
 * say; the global online file counts before the per-CPU ones, which may be missing; nothing
 * is read from CPU 0 alone; sibling lists count before ids.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/read_sysfs.h"
#include "machine/text.h"

static void vpath(struct wk_sysread *r, const char *fmt, va_list ap)
{
	int n = snprintf(r->path, sizeof(r->path), "%s/devices/system/", r->sys);

	vsnprintf(r->path + n, sizeof(r->path) - (size_t)n, fmt, ap);
}

const char *wk_sysfs_path(struct wk_sysread *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vpath(r, fmt, ap);
	va_end(ap);
	return r->path;
}

bool wk_sysfs_get(struct wk_sysread *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vpath(r, fmt, ap);
	va_end(ap);
	if (wk_files_text(r->f, r->path, r->text, sizeof(r->text)) <= 0)
		return false;
	/* what old kernels print for a pointer that is not there */
	return strcmp(r->text, "(null)") != 0;
}

bool wk_sysfs_number(struct wk_sysread *r, s32 *ret, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vpath(r, fmt, ap);
	va_end(ap);
	return wk_files_text(r->f, r->path, r->text, sizeof(r->text)) > 0 &&
	       wk_parse_s32(r->text, ret);
}

static bool any_bit(const struct wk_mask *m)
{
	return wk_mask_next(m, 0) != WK_NONE;
}

bool wk_sysfs_mask(struct wk_sysread *r, struct wk_mask *ret, const char *list, const char *map,
		   u32 cpu)
{
	if (wk_sysfs_get(r, "cpu/cpu%u/%s", cpu, list) && wk_parse_cpulist(r->text, ret, NULL) &&
	    any_bit(ret))
		return true;
	return wk_sysfs_get(r, "cpu/cpu%u/%s", cpu, map) && wk_parse_cpumap(r->text, ret, NULL) &&
	       any_bit(ret);
}

void wk_sysfs_note_relation(struct wk_sysread *r, const struct wk_rel *rel, const char *what)
{
	char list[80];

	if (any_bit(&rel->phantom))
		wk_machine_note(r->m, "%s name CPUs that have no folder (%s): ignored", what,
				wk_mask_print(list, sizeof(list), &rel->phantom));
	if (rel->contradictory)
		wk_machine_note(r->m, "%s of cpu%u and cpu%u contradict each other: %s", what,
				rel->odd_a, rel->odd_b,
				rel->by_key ? "ids used" : "only what both sides say counts");
}

struct wk_machine_cpu *wk_sysfs_cpu(struct wk_sysread *r, u32 cpu)
{
	u32 lo = 0, hi = r->m->nr_cpus;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (r->m->cpu[mid].cpu < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	return &r->m->cpu[lo];
}

struct cpu_folders {
	struct wk_mask cpus;
	u32 count, too_high;
};

static void take_cpu_folder(void *arg, const char *name)
{
	struct cpu_folders *d = arg;
	u32 n;

	if (!wk_parse_suffix(name, "cpu", &n))
		return;
	if (n >= WK_MAX_CPUS && n > d->too_high)
		d->too_high = n;
	wk_mask_set(&d->cpus, n);
	d->count++;
}

/* Without a cpu folder, /proc/cpuinfo may still count the CPUs: "processor : 3". */
static void cpus_of_cpuinfo(struct wk_sysread *r, struct cpu_folders *d)
{
	char *text = wk_files_text_alloc(r->f, "proc/cpuinfo"), *line, *save = NULL;
	u32 n;

	if (!text)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "processor : %u", &n) != 1)
			continue;
		if (n >= WK_MAX_CPUS)
			d->too_high = n;
		wk_mask_set(&d->cpus, n);
		d->count++;
	}
	if (!d->count) { /* alpha and m68k have no such line */
		wk_mask_set(&d->cpus, 0);
		d->count = 1;
	}
	free(text);
}

static int create_machine(struct wk_sysread *r)
{
	u32 n = wk_mask_count_and(&r->cpus, NULL, (struct wk_range){0, WK_MAX_CPUS}), row = 0;

	r->m = wk_machine_create(n);
	if (!r->m) {
		wk_read_error(r->err, "%s: out of memory", r->where);
		return -1;
	}
	wk_for_each_cpu(c, &r->cpus)
		r->m->cpu[row++].cpu = (u32)c;
	return 0;
}

static void note_phantoms(struct wk_sysread *r, const char *file)
{
	struct wk_mask list, absent = {{0}};
	char text[80];

	if (!wk_sysfs_get(r, "cpu/%s", file) || !wk_parse_cpulist(r->text, &list, NULL))
		return;
	for (u32 w = 0; w < WK_MASK_WORDS; w++)
		absent.word[w] = list.word[w] & ~r->cpus.word[w];
	if (any_bit(&absent))
		wk_machine_note(r->m, "cpu/%s names CPUs that have no folder (%s): ignored", file,
				wk_mask_print(text, sizeof(text), &absent));
}

/*
 * An online CPU always has a topology folder. One that lost it went offline while the snapshot
 * was taken: the list of online CPUs was copied before its folder.
 */
static void drop_torn(struct wk_sysread *r)
{
	struct wk_mask torn = {{0}}, whole = {{0}};
	char text[80];

	wk_for_each_cpu(c, &r->online) {
		bool there = wk_files_is_dir(r->f, wk_sysfs_path(r, "cpu/cpu%d/topology", c));

		wk_mask_set(there ? &whole : &torn, (u32)c);
	}
	if (!any_bit(&torn) || !any_bit(&whole))
		return;
	r->online = whole;
	wk_machine_note(r->m,
			"online CPUs without a topology folder (%s), as after hotplug: taken "
			"as offline",
			wk_mask_print(text, sizeof(text), &torn));
}

/* The global list where it says something about the CPUs there are, else one file a CPU. */
static void read_online(struct wk_sysread *r)
{
	struct wk_mask list;
	bool global = wk_sysfs_get(r, "cpu/online") && wk_parse_cpulist(r->text, &list, NULL);
	u32 missing = 0;

	wk_for_each_cpu(c, &r->cpus) {
		s32 v = 1;

		if (global)
			v = wk_mask_test(&list, (u32)c);
		else if (!wk_sysfs_number(r, &v, "cpu/cpu%d/online", c))
			missing++;
		if (v)
			wk_mask_set(&r->online, (u32)c);
	}
	if (!any_bit(&r->online)) {
		wk_machine_note(r->m, "no CPU is online: all are taken as online");
		r->online = r->cpus;
	} else if (!global) {
		wk_machine_note(r->m,
				"cpu/online is missing: %u CPUs without their own file are "
				"taken as online",
				missing);
	}
	drop_torn(r);
	for (u32 i = 0; i < r->m->nr_cpus; i++)
		r->m->cpu[i].online = wk_mask_test(&r->online, r->m->cpu[i].cpu);
}

/* isolcpus: what the command line took from the scheduler; cpusets are not seen here. */
static void read_isolated(struct wk_sysread *r)
{
	struct wk_mask list, isolated = {{0}};
	char text[80];

	if (!wk_sysfs_get(r, "cpu/isolated") || !wk_parse_cpulist(r->text, &list, NULL))
		return;
	for (u32 i = 0; i < r->m->nr_cpus; i++) {
		r->m->cpu[i].isolated = wk_mask_test(&list, r->m->cpu[i].cpu);
		if (r->m->cpu[i].isolated && r->m->cpu[i].online)
			wk_mask_set(&isolated, r->m->cpu[i].cpu);
	}
	if (any_bit(&isolated))
		wk_machine_note(r->m, "isolated CPUs (%s) are in no domain",
				wk_mask_print(text, sizeof(text), &isolated));
}

int wk_sysfs_cpus(struct wk_sysread *r)
{
	struct cpu_folders d = {.count = 0};
	bool folders;

	wk_files_list(r->f, wk_sysfs_path(r, "cpu"), take_cpu_folder, &d);
	folders = d.count > 0;
	if (!folders)
		cpus_of_cpuinfo(r, &d);
	if (d.too_high) {
		wk_read_error(r->err, "%s: cpu%u, expected CPU numbers up to %u", r->where,
			      d.too_high, WK_MAX_CPUS - 1);
		return -1;
	}
	if (!d.count) {
		wk_read_error(r->err,
			      "%s: no CPU found, expected folders %s/devices/system/cpu/cpuN",
			      r->where, r->sys);
		return -1;
	}
	r->cpus = d.cpus;
	if (create_machine(r) < 0)
		return -1;
	if (!folders)
		wk_machine_note(r->m, "no cpu folders in sysfs: CPUs counted in proc/cpuinfo");
	else
		note_phantoms(r, "present");
	read_online(r);
	read_isolated(r);
	return 0;
}
