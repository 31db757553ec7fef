// SPDX-License-Identifier: GPL-2.0-only
/*
 * How strong each CPU is, and what /proc/cpuinfo knows.
 *
 * cpu_capacity is the kernel's own figure. Without it a frequency or performance figure is
 * used only where the machine is certainly hybrid: on others such figures differ by turbo
 * bins or settings, and unequal capacities would switch the scheduler to another mode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/family.h"
#include "machine/read_sysfs.h"
#include "machine/text.h"

/* A value of cpuinfo, "name<blanks>: value", or NULL if @line has another name. */
static const char *field(const char *line, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(line, name, n))
		return NULL;
	line += n + strspn(line + n, " \t");
	return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

struct cpuinfo {
	u32 cpu;
	bool known; /* a processor line came, and there is such a CPU */
	struct wk_cpu_says says;
};

static void take_processor(struct wk_sysread *r, struct cpuinfo *ci, const char *v)
{
	u32 n;

	ci->known = wk_parse_u32(v, &n) && wk_mask_test(&r->cpus, n);
	ci->cpu = ci->known ? n : 0;
}

static void take_apicid(struct wk_sysread *r, struct cpuinfo *ci, const char *v)
{
	u32 n;

	r->x86 = true;
	if (ci->known && wk_parse_u32(v, &n) && n < 0x7fffffff)
		wk_sysfs_cpu(r, ci->cpu)->apicid = (s32)n;
}

static void take_part(struct wk_sysread *r, struct cpuinfo *ci, const char *v)
{
	u32 part = (u32)strtoul(v, NULL, 16);

	r->hybrid |= ci->says.part && part != ci->says.part;
	ci->says.part = part;
}

static void take_line(struct wk_sysread *r, struct cpuinfo *ci, const char *line)
{
	struct wk_cpu_says *says = &ci->says;
	const char *v;

	if ((v = field(line, "processor")))
		take_processor(r, ci, v);
	else if ((v = field(line, "apicid")))
		take_apicid(r, ci, v);
	else if ((v = field(line, "CPU part")))
		take_part(r, ci, v);
	else if ((v = field(line, "vendor_id")))
		snprintf(says->vendor, sizeof(says->vendor), "%s", v);
	else if ((v = field(line, "cpu family")))
		says->family = (u32)strtoul(v, NULL, 10);
	else if ((v = field(line, "model")))
		says->model = (u32)strtoul(v, NULL, 10);
	else if ((v = field(line, "CPU implementer")))
		says->implementer = (u32)strtoul(v, NULL, 16);
	else if ((v = field(line, "cpu")))
		snprintf(says->cpu, sizeof(says->cpu), "%s", v);
}

void wk_sysfs_cpuinfo(struct wk_sysread *r)
{
	char *text = wk_files_text_alloc(r->f, "proc/cpuinfo"), *line, *save = NULL;
	struct cpuinfo ci = {.known = false};

	if (!text)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_line(r, &ci, line);
	free(text);
	r->x86 |= !strcmp(ci.says.vendor, "GenuineIntel") ||
		  !strcmp(ci.says.vendor, "AuthenticAMD") ||
		  !strcmp(ci.says.vendor, "HygonGenuine");
	snprintf(r->m->family, sizeof(r->m->family), "%s", wk_family_of(&ci.says));
}

/* Fills value[] by row from the file; true if every online CPU has one. */
static bool read_figure(struct wk_sysread *r, const char *file, u32 *value)
{
	bool all = true;

	for (u32 i = 0; i < r->m->nr_cpus; i++) {
		s32 v = 0;

		if (!wk_sysfs_number(r, &v, "cpu/cpu%u/%s", r->m->cpu[i].cpu, file) || v < 0)
			v = 0;
		value[i] = (u32)v;
		all &= v > 0 || !r->m->cpu[i].online;
	}
	return all;
}

/* Capacities with 1024 for the largest; equal ones are left unknown, which means the same. */
static bool take_figure(struct wk_sysread *r, const u32 *value)
{
	u32 max = 0, min = 0xffffffff;

	for (u32 i = 0; i < r->m->nr_cpus; i++) {
		if (value[i] > max)
			max = value[i];
		if (value[i] && value[i] < min)
			min = value[i];
	}
	if (max == 0 || min == max)
		return false;
	for (u32 i = 0; i < r->m->nr_cpus; i++) {
		u32 scaled = (u32)(((u64)value[i] * 1024 + max / 2) / max);

		r->m->cpu[i].capacity = value[i] && !scaled ? 1 : scaled;
	}
	return true;
}

/* CPUs of one kind differ by favoured cores only: all get the best of their kind. */
static void level_kind(struct wk_sysread *r, const struct wk_mask *kind, u32 *value)
{
	u32 best = 0;

	for (u32 i = 0; i < r->m->nr_cpus; i++)
		if (wk_mask_test(kind, r->m->cpu[i].cpu) && value[i] > best)
			best = value[i];
	for (u32 i = 0; i < r->m->nr_cpus; i++)
		if (wk_mask_test(kind, r->m->cpu[i].cpu))
			value[i] = best;
}

/* The two PMUs of a hybrid Intel machine tell its kinds; true if both are there. */
static bool intel_kinds(struct wk_sysread *r, struct wk_mask *core, struct wk_mask *atom)
{
	return wk_sysfs_get(r, "../cpu_core/cpus") && wk_parse_cpulist(r->text, core, NULL) &&
	       wk_sysfs_get(r, "../cpu_atom/cpus") && wk_parse_cpulist(r->text, atom, NULL) &&
	       wk_mask_next(core, 0) != WK_NONE && wk_mask_next(atom, 0) != WK_NONE;
}

void wk_sysfs_capacity(struct wk_sysread *r)
{
	static const char *const hint[] = {"acpi_cppc/highest_perf", "cpufreq/cpuinfo_max_freq"};
	struct wk_mask core, atom;
	u32 value[WK_MAX_CPUS];
	bool intel;

	intel = intel_kinds(r, &core, &atom);
	if (intel)
		snprintf(r->m->family, sizeof(r->m->family), "hybrid");
	if (read_figure(r, "cpu_capacity", value)) {
		take_figure(r, value);
		return;
	}
	if (!intel && (!r->hybrid || r->x86))
		return;
	for (u32 i = 0; i < sizeof(hint) / sizeof(*hint); i++) {
		if (!read_figure(r, hint[i], value))
			continue;
		if (intel) {
			level_kind(r, &core, value);
			level_kind(r, &atom, value);
		}
		if (!take_figure(r, value))
			continue;
		wk_machine_note(r->m, "hybrid without cpu_capacity: capacity from %s", hint[i]);
		return;
	}
}
