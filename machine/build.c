// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/build_priv.h"

int wk_build_err(struct wk_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (err)
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

static int check_rows(const struct wk_machine *m, struct wk_err *err)
{
	if (m->nr_cpus == 0)
		return wk_build_err(err, -EINVAL, "%s: no CPU found, expected 1 to %d", m->name,
				    WK_MAX_CPUS);
	if (m->nr_cpus > WK_MAX_CPUS)
		return wk_build_err(err, -E2BIG, "%s: %u CPUs found, expected at most %d", m->name,
				    m->nr_cpus, WK_MAX_CPUS);
	for (u32 i = 0; i < m->nr_cpus; i++) {
		if (m->cpu[i].cpu >= WK_MAX_CPUS)
			return wk_build_err(err, -E2BIG,
					    "%s: found CPU %u, expected numbers below %d", m->name,
					    m->cpu[i].cpu, WK_MAX_CPUS);
		if (i && m->cpu[i].cpu <= m->cpu[i - 1].cpu)
			return wk_build_err(
				err, -EINVAL,
				"%s: found CPU %u after CPU %u, expected rising numbers", m->name,
				m->cpu[i].cpu, m->cpu[i - 1].cpu);
	}
	return 0;
}

/* Everything that hotplug does not change stands before nr_llcs. */
static struct wk_topo *clone_silicon(const struct wk_topo *old)
{
	struct wk_topo *t = calloc(1, sizeof(*t));

	if (t)
		memcpy(t, old, offsetof(struct wk_topo, nr_llcs));
	return t;
}

static int finish(struct wk_topo *t, const struct wk_machine *m, const struct wk_policy *pol,
		  struct wk_topo **ret_topo, struct wk_err *ret_err)
{
	struct wk_range all = {0, t->nr_cids};
	int err;

	if (!wk_mask_count_and(&t->online, NULL, all))
		err = wk_build_err(ret_err, -EINVAL, "%s: no CPU is online, expected one at least",
				   m->name);
	else
		err = wk_build_domains(t, m, pol, ret_err);
	if (err) {
		wk_topo_destroy(t);
		return err;
	}
	*ret_topo = t;
	return 0;
}

int wk_topo_build(const struct wk_machine *m, const struct wk_policy *pol,
		  struct wk_topo **ret_topo, struct wk_err *ret_err)
{
	int err = check_rows(m, ret_err);
	struct wk_topo *t;

	if (err)
		return err;
	t = calloc(1, sizeof(*t));
	if (!t)
		return wk_build_err(ret_err, -ENOMEM, "%s: out of memory", m->name);
	err = wk_build_silicon(t, m, ret_err);
	if (err) {
		wk_topo_destroy(t);
		return err;
	}
	for (u32 i = 0; i < m->nr_cpus; i++)
		if (m->cpu[i].online)
			wk_mask_set(&t->online, (u32)t->cid_of[m->cpu[i].cpu]);
	return finish(t, m, pol, ret_topo, ret_err);
}

int wk_topo_rebuild(const struct wk_topo *old, const struct wk_machine *m,
		    const struct wk_policy *pol, const struct wk_mask *online,
		    struct wk_topo **ret_topo, struct wk_err *ret_err)
{
	struct wk_topo *t = clone_silicon(old);

	if (!t)
		return wk_build_err(ret_err, -ENOMEM, "%s: out of memory", m->name);
	for (u32 c = 0; c < t->nr_cids; c++)
		if (wk_mask_test(online, c))
			wk_mask_set(&t->online, c);
	return finish(t, m, pol, ret_topo, ret_err);
}

void wk_topo_destroy(struct wk_topo *t)
{
	free(t);
}
