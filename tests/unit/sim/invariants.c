// SPDX-License-Identifier: GPL-2.0-only
/* What has to hold between any two events, looked at after every one of many. */
#include "tests/unit/sim/stepper.h"

/* Looks after each event of @nr, or after every @every. */
static void walk(const char *machine, const char *policy, const char *spec, u32 nr, u32 every)
{
	struct wkt_case c;
	struct wk_sim *s;

	wkt_case_open(&c, machine, policy);
	wkt_case_workload(&c, spec);
	s = wkt_step_open(&c);
	for (u32 i = 0; i < nr && s->nr_alive && !s->failed; i++) {
		if (wk_events_first_time(&s->ev) == WK_NEVER)
			break;
		wkt_step_event(s);
		if (i % every == 0)
			wkt_check_sim(s);
	}
	if (s->failed)
		fail_msg("%s", c.err.text);
	wkt_step_close(s);
	wkt_case_close(&c);
}

#define SMALL "pack:2 l3:2 core:2 pu:2"

static void hold_with_pipes(void **state)
{
	(void)state;
	walk(SMALL, "tip", "hackbench:groups=2,fds=8,loops=1000", 300000, 1);
}

static void hold_with_pipes_and_eevdf(void **state)
{
	(void)state;
	walk(SMALL, "tip-7", "hackbench:groups=2,fds=8,loops=1000", 300000, 1);
}

static void hold_with_sockets(void **state)
{
	(void)state;
	walk(SMALL, "sis_node", "hackbench:groups=2,fds=8,loops=1000,ipc=sockets", 200000, 1);
}

static void hold_with_every_rule_set(void **state)
{
	(void)state;
	walk(SMALL, "tip-5", "hackbench:groups=1,fds=8,loops=1000,mode=process", 100000, 1);
	walk(SMALL, "queued_wakeup_l2", "netperf-tcp-rr:clients=12", 100000, 1);
	walk(SMALL, "tip-7", "schbench:workers=24", 100000, 1);
	walk(SMALL, "tip", "schbench-old:workers=5", 100000, 1);
}

static void hold_on_a_large_machine(void **state)
{
	(void)state;
	walk("epyc-zen3-2s-128c:nps1", "sis_node", "hackbench:groups=4,loops=1000", 400000, 997);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hold_with_pipes),
		cmocka_unit_test(hold_with_pipes_and_eevdf),
		cmocka_unit_test(hold_with_sockets),
		cmocka_unit_test(hold_with_every_rule_set),
		cmocka_unit_test(hold_on_a_large_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
