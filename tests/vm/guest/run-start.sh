#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The scheduler starts, runs programs, tells its statistics, and leaves nothing behind.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"

stats_are_told() {
	grep -q '^  why .* /s' "$log" && grep -q '^  latency ' "$log" && grep -q '^  cost  *wk_select_cpu ' "$log"
}
monitor_sees_it() {
	timeout -s INT 3 wakepath run --monitor 1 >"$WK_TMP/monitor"
	[ $? -eq 124 ] && grep -q '^  count ' "$WK_TMP/monitor" && grep -q '^  cost ' "$WK_TMP/monitor"
}
load() { hackbench -g 1 -l 50 && perf bench sched pipe -l 500; }
# The records are 64 bytes each, and there are some.
samples_are_there() {
	local size
	size=$(stat -c %s "$WK_TMP/samples")
	[ "$size" -ge 640 ] && [ $((size % 64)) -eq 0 ]
}
forked_children_inherit_nothing_odd() { stress-ng --fork 4 --fork-ops 400 --timeout 20 --quiet; }

check 'a dry run loads every program' wakepath run --dry-run -v
check 'a dry run attaches nothing' nothing_left
check 'it attaches' start --stats 1
check 'the kernel names it' enabled
check 'programs run under it' load
check 'new tasks run under it' forked_children_inherit_nothing_odd
check 'a monitor finds it' monitor_sees_it
check 'statistics are printed' stats_are_told
check 'SIGINT ends it with status 0' status_after INT
check 'nothing is left' nothing_left
check 'it starts again, and samples decisions' start --sample 10 --sample-file "$WK_TMP/samples"
check 'programs run under it again' load
check 'SIGTERM ends it with status 0' status_after TERM
check 'the samples are in the file' samples_are_there
check 'queued wake-ups and queued far hand-offs start' start --queued-wakeup --far queued --policy tip-7
check 'programs run under them' load
check 'and stop with status 0' status_after INT
check 'partial: only tasks of SCHED_EXT' start --partial
check 'programs run beside it' load
check 'and stops with status 0' status_after INT
check 'nothing is left at the end' nothing_left
echo "1..$nr"
