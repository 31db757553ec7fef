#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Shares of one CPU follow the weights, whoever else waits; nobody starves.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"
cpu=1
cd "$WK_TMP" || exit 1

# CPU time of a process so far, in clock ticks.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# hog COMMAND...: a loop on the one CPU, once it loops; its pid in $hog.
hog() {
	rm -f looping && mkfifo looping
	taskset -c $cpu "$@" bash -c 'echo >looping; while :; do :; done' &
	hog=$!
	read -r _ <looping
}

# shares "PREFIX" "PREFIX" SECONDS: what the first got of both, per mille, for two prefixes of a loop.
shares() {
	local a b ta tb
	# shellcheck disable=SC2086 # prefixes of several words
	hog $1 && a=$hog
	# shellcheck disable=SC2086
	hog $2 && b=$hog
	ta=$(ticks "$a") tb=$(ticks "$b")
	sleep "$3"
	ta=$(($(ticks "$a") - ta)) tb=$(($(ticks "$b") - tb))
	kill "$a" "$b"
	wait "$a" "$b" 2>/dev/null
	share=$((1000 * ta / (ta + tb + !(ta + tb))))
	echo "first $ta ticks, second $tb: $share per mille"
}

# between LOW HIGH FIRST SECOND SECONDS
between() {
	shares "$3" "$4" "$5"
	[ $share -ge "$1" ] && [ $share -le "$2" ]
}

# A task of the same CPU that sleeps most of the time is served while hogs run.
sleeper_is_served() {
	local a b
	hog env && a=$hog
	hog nice -n -20 && b=$hog
	timeout 20 taskset -c $cpu cyclictest -q -t 1 -l 50 -i 20000 -p 0 --policy other >"$WK_TMP/cyclic"
	local status=$?
	kill "$a" "$b"
	wait "$a" "$b" 2>/dev/null
	cat "$WK_TMP/cyclic"
	return $status
}
affinity_is_kept() {
	local i
	hog env
	for ((i = 0; i < 60; i++)); do
		taskset -p -c $((i % $(nproc))) "$hog" >/dev/null || return 1
		[ "$(taskset -p -c "$hog" | sed 's/.*: //')" = $((i % $(nproc))) ] || return 1
	done
	kill "$hog"
	wait "$hog" 2>/dev/null
	return 0
}

check 'it attaches' start
check 'two equal loops get equal shares' between 460 540 env env 6
check 'nice 0 against nice 5 gets three quarters' between 715 785 env 'nice -n 5' 8
check 'nice -20 against nice 0 gets all but a hundredth' between 970 998 'nice -n -20' env 10
check 'SCHED_IDLE gets almost nothing beside nice 0' between 975 1000 env 'chrt --idle 0' 6
check 'a sleeper beside a loop of nice -20 is served' sleeper_is_served
check 'affinity changes of a running task are kept' affinity_is_kept
check 'it is still there' enabled
check 'it ends with status 0' status_after INT
check 'nothing is left' nothing_left
echo "1..$nr"
