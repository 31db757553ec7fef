#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The scheduler's process dies, or the scheduler stalls: the kernel takes every task back, says why,
# and another one can be started. TAP.
. "$WK_SRC/tests/vm/guest/lib/stress.sh"

# watched_start MS: tasks that live through it, and are stuck when they wait for longer than that.
watched_start() {
	stuck_ms=$1
	"$bench/wk-pulse" --pipe 4 --futex 4 --sleepers 16 --hogs "$(nproc)" --stuck-ms "$stuck_ms" >"$WK_TMP/pulse" &
	pulse=$!
}
# Under the kernel's class they go on for so long that a lost one is seen.
watched_end() {
	sleep $((stuck_ms / 1000 + 2))
	kill "$pulse"
	ends_within 20 "$pulse"
	local status=$?
	cat "$WK_TMP/pulse"
	return $status
}
log_says() { grep -F "$1" "$log"; }
kernel_says() { dmesg | grep -E "sched_ext: .*$1"; }
status_is() {
	local status
	ends_within 30 "$live"
	status=$?
	echo "exit status $status, expected $1"
	[ $status = "$1" ]
}

# after WHAT: what has to hold once the scheduler is gone.
after() {
	check "$1: nothing is attached" within 15 is_off
	check "$1: all tasks go on" watched_end
	check "$1: another one can be started" attach "$WK_POLICY"
	check "$1: and runs programs" timeout 60 hackbench -g 1 -l 20
	check "$1: and stops" detach
	: >"$log"
}

# dies SIGNAL STATUS
dies() {
	attach "$WK_POLICY" || return
	watched_start 4000
	kill -"$1" "$live"
	check "$1: the process is gone" status_is "$2"
	check "$1: the kernel says why" within 10 kernel_says 'unregistered from user space'
	dmesg -c >"$WK_OUT/dmesg.$1"
	after "$1"
}

# A task of SCHED_FIFO that never sleeps, on a CPU where the kernel reserves nothing for others,
# and a task that may run only there: to the kernel it is one that the scheduler does not run. It
# lasts for three times the limit and ends: taking back may need a kernel thread of that CPU.
stalls() {
	local cpu=1 server=/sys/kernel/debug/sched/ext_server/cpu1/runtime reserved hog starved
	reserved=$(cat $server)
	attach "$WK_POLICY" --timeout-ms 3000 || return
	watched_start 12000
	echo 0 >$server
	timeout -s KILL 9 taskset -c $cpu chrt -f 50 bash -c 'while :; do :; done' &
	hog=$!
	taskset -c $cpu bash -c 'while :; do :; done' &
	starved=$!
	check "stall: the process ends, and well" status_is 1
	kill -TERM $hog $starved 2>/dev/null # timeout passes it on
	wait $hog $starved 2>/dev/null
	echo "$reserved" >$server
	check "stall: it says why" log_says 'runnable task stall'
	check "stall: so does the kernel" kernel_says 'runnable task stall'
	dmesg -c >"$WK_OUT/dmesg.stall"
	after stall
}

# The way out that every administrator has.
sysrq() {
	attach "$WK_POLICY" || return
	watched_start 4000
	echo S >/proc/sysrq-trigger
	check "sysrq: the process ends, which is no error" status_is 0
	check "sysrq: it says why" log_says 'sysrq'
	after sysrq
}

dies KILL 137
dies SEGV 139
stalls
sysrq
finish
