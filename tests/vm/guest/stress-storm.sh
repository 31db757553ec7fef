#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Under load everything changes at once: CPUs, affinity, cgroups, nice values, policies. The
# scheduler starts again after each hotplug, nothing is lost, and the load ends well. TAP.
# The arguments: how long it takes (40), and the mean time between hotplugs (15), in seconds.
. "$WK_SRC/tests/vm/guest/lib/stress.sh"
storm_s=${1:-40} hotplug_s=${2:-15}
cpus=$(nproc)

# ---- the load: programs that end by themselves, one after the other ----

# load NAME COMMAND...: again and again until the storm is over. Prints what failed; victims may be
# denied memory or CPUs, but each has to end in time.
load() {
	local name=$1 runs=0 status
	shift
	while [ -e "$WK_TMP/storm" ]; do
		timeout -k 5 120 "$@" >"$WK_TMP/load.$name" 2>&1
		status=$?
		runs=$((runs + 1))
		[ $status = 0 ] || echo "$name: exit status $status (124, 137: not in 120 s): $(tail -n 2 "$WK_TMP/load.$name")"
	done
	echo "# load $name: $runs runs" >&2
}
loads=()
# start_load NAME COMMAND...
start_load() {
	load "$@" >"$WK_TMP/failed.$1" 2>>"$WK_TMP/runs" &
	loads+=($!)
}
start_loads() {
	touch "$WK_TMP/storm"
	start_load hackbench hackbench -g 2 -l 100
	start_load hackbench_pipe hackbench -T -p -g 2 -l 100
	start_load mixed stress-ng --quiet --timeout 10 --cpu 2 --cpu-method int64 --switch 2 --fork 2 --futex 2 --affinity 2 --cpu-sched 1
}
loads_end() {
	local pid
	rm -f "$WK_TMP/storm"
	for pid in "${loads[@]}"; do
		ends_within 150 "$pid" || return 1
	done
	cat "$WK_TMP"/failed.* && ! grep -q . "$WK_TMP"/failed.*
}

# ---- what has to hold ----

all_online() { [ "$(nproc --all)" = "$cpus" ] && [ "$(cat /sys/devices/system/cpu/online)" = "0-$((cpus - 1))" ]; }
# How often the scheduler was seen there, of all looks. It takes a while to start again under load.
count_on() {
	local on=0 all=0
	while [ -e "$WK_TMP/storm" ]; do
		all=$((all + 1))
		! is_on || on=$((on + 1))
		echo "# the scheduler was attached in $on of $all looks" >"$WK_TMP/looks"
		sleep 1
	done
}
restarts() { grep -c 'starting again' "$log"; }
pulse_ends() {
	kill "$pulse"
	ends_within 30 "$pulse"
}

check "the scheduler attaches" attach "$WK_POLICY"
"$bench/wk-pulse" --pipe 4 --futex 4 --sleepers 16 --stuck-ms 20000 >"$WK_TMP/pulse" &
pulse=$!
start_loads
count_on &
check "the storm blows for $storm_s s and ends" timeout $((storm_s + 60)) "$bench/wk-storm" "$storm_s" "$hotplug_s" hackbench stress-ng
cat "$WK_TMP/check.out"
check "the load ends well" loads_end
cat "$WK_TMP/runs"
check "no watched task was stuck" pulse_ends
cat "$WK_TMP/pulse"
check "all CPUs are back" all_online
check "the scheduler is there, by itself" within 60 is_on
cat "$WK_TMP/looks"
echo "# the scheduler started again $(restarts) times"
check "the kernel ended it for CPUs alone" no_exits
check "the kernel reports no error of it" no_errors
check "it runs a program" timeout 60 hackbench -g 1 -l 20
check "it stops when asked" detach
check "nothing is attached" within 20 is_off
cp "$log" "$WK_OUT/storm.log"
finish
