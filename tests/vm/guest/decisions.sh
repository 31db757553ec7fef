#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel's own class decides under load, decided again by the core under tip-7: at least
# 99.9 % of what no race disturbed has to be the same. The tables are printed as comments.
set -u
nr=0
cd "$WK_TMP" || exit 1

# check NAME COMMAND...: a case
check() {
	local name=$1
	shift
	if "$@" >out 2>&1; then
		echo "ok $((++nr)) - $name"
	else
		echo "not ok $((++nr)) - $name"
	fi
	sed 's/^/# /' out
}

# agrees NAME LEAST COMMAND...: record while the command runs, at least so many decisions; replay
agrees() {
	local name=$1 least=$2
	shift 2
	wakepath record --kernel-decisions -n 30000 -o "$name.txt" -- "$@" >"$name.log" 2>&1 || sed 's/^/# /' "$name.log"
	check "$name: $least decisions and more are recorded" enough "$name.txt" "$least"
	check "$name: the core agrees in 99.9 % outside of races" \
		wakepath replay --kernel-decisions "$name.txt" --at-least 99.9 --show 5
	! [ -d "$WK_OUT" ] || cp "$name.txt" "$WK_OUT/$WK_TOPO-$name.txt"
}

enough() { [ "$(awk '$1 == "end" { print $2 }' "$1")" -ge "$2" ]; }

# fails STATUS TEXT COMMAND...: the exit status, and a text on stderr
fails() {
	local status=$1 text=$2 got=0
	shift 2
	"$@" >/dev/null 2>err || got=$?
	cat err
	[ $got = "$status" ] && grep -q -- "$text" err
}

# A recording in which the kernel chose other CPUs is one that does not agree.
other_choice() {
	awk '$1 == "wake" { sub(/ chosen=[0-9]+/, ""); if (++n % 3 == 0) $0 = $0 " chosen=1" } { print }' pipe.txt >other.txt
	fails 1 'expected at least' wakepath replay --kernel-decisions other.txt --at-least 99.9
}

# Balancing by cache is not modelled.
echo 0 >/sys/kernel/debug/sched/llc_balancing/enabled
cpus=$(nproc)
agrees pipe 500 perf bench sched pipe -l 1000
agrees hackbench-light 10 hackbench -g 1 -f 2 -l 100
agrees hackbench-heavy 50 hackbench -g 2 -f $((cpus / 2)) -l 60
agrees messaging 500 perf bench sched messaging -g 1 -l 20
agrees switch 500 stress-ng --switch $((cpus / 2)) --switch-ops 3000 -t 10
agrees fork 50 stress-ng --fork 2 --fork-ops 100 -t 10
check "a wrong choice is seen" other_choice
check "who is not root is told" fails 1 'expected root' \
	setpriv --reuid 65534 --clear-groups wakepath record --kernel-decisions -d 1
check "a command that is not there" fails 1 'exit status 127' \
	wakepath record --kernel-decisions -o /dev/null -- /nothing
check "a command's failure is passed on" fails 1 'exit status 1' \
	wakepath record --kernel-decisions -o /dev/null -- false
check "a time can stand for the command" \
	wakepath record --kernel-decisions -d 1 -o time.txt
echo "1..$nr"
