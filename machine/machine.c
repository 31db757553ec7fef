// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "machine/preset.h"

/* Every id unknown, every CPU online: a reader fills in what it finds. */
struct wk_machine *wk_machine_create(u32 nr_cpus)
{
	struct wk_machine *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->cpu = calloc(nr_cpus ? nr_cpus : 1, sizeof(*m->cpu));
	if (!m->cpu) {
		free(m);
		return NULL;
	}
	m->nr_cpus = nr_cpus;
	m->affinity_first_node = m->affinity_last_node = WK_NONE;
	snprintf(m->family, sizeof(m->family), "generic");
	for (u32 i = 0; i < nr_cpus; i++)
		m->cpu[i] = (struct wk_machine_cpu){
			.cpu = i,
			.online = true,
			.package = WK_NONE,
			.half = WK_NONE,
			.quadrant = WK_NONE,
			.node = WK_NONE,
			.llc = WK_NONE,
			.cluster = WK_NONE,
			.core = WK_NONE,
			.thread = WK_NONE,
			.apicid = WK_NONE,
		};
	return m;
}

void wk_machine_destroy(struct wk_machine *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->nr_notes; i++)
		free(m->note[i]);
	free(m->note);
	free(m->cpu);
	free(m);
}

/* A note that cannot be kept for want of memory is lost: nothing depends on it. */
void wk_machine_note(struct wk_machine *m, const char *fmt, ...)
{
	char **notes = reallocarray(m->note, m->nr_notes + 1, sizeof(*notes));
	va_list ap;
	char *text;
	int len;

	if (!notes)
		return;
	m->note = notes;
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len >= 0)
		m->note[m->nr_notes++] = text;
}

struct wk_machine *wk_machine_open(const char *src, struct wk_err *ret_err)
{
	return wk_preset_open(src, ret_err);
}
