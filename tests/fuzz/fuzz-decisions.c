// SPDX-License-Identifier: GPL-2.0-only
/* Any text as a recording of decisions: refused in one line, or read, written back and decided. */
#include <stdlib.h>
#include <string.h>

#include "core/policy.h"
#include "tests/fuzz/machine.h"
#include "trace/decision_replay.h"

/* 64 CPUs, as many as a recording may have. */
#define MACHINE "pack:2 l3:2 l2:2 core:4 pu:2"

static struct wk_replay *replay;

static void open_replay(void)
{
	static struct wk_policy pol;
	struct wk_err err = {""};
	struct wk_machine *m = wk_read_synthetic(MACHINE, &err);
	struct wk_topo *t;

	wk_policy_init(&pol);
	if (!m || wk_topo_build(m, &pol, &t, &err))
		abort();
	wk_machine_destroy(m);
	replay = wk_replay_create(t, &pol);
}

/* No decision that can be read may do harm. */
static void check(const struct wk_decision *d, u32 nr_cpus)
{
	struct wk_replay_result res;
	FILE *null = fopen("/dev/null", "w");

	if (!null)
		abort();
	wk_decision_write(null, d, nr_cpus);
	fclose(null);
	wk_replay_decide(replay, d, nr_cpus, &res);
	if (!wk_replay_chosen_is(replay, d, &res))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_decision_file file;
	struct wk_err err = {""};
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (!replay)
		open_replay();
	memcpy(text, data, size);
	text[size] = 0;
	if (wk_decision_file_parse(text, "fuzz", &file, &err))
		fuzz_one_line(err.text);
	else
		for (u64 i = 0; i < file.nr; i++)
			check(&file.decision[i], file.nr_cpus);
	wk_decision_file_release(&file);
	free(text);
	return 0;
}
