# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # for those who include it
# For the guest tests with load: classes to attach, programs with time limits, and what became of
# the scheduler meanwhile.
. "$WK_SRC/tests/vm/guest/lib/live.sh"
bench=$WK_BUILD/bench
: "${WK_POLICY:=tip}" # the class under test; "minimal" tries a test on bench/minimal

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }

gone() { ! grep -qs '^State:.[^Z]' "/proc/$1/status"; }
# ends_within SECONDS PID: its exit status, 124 if it was still there.
ends_within() {
	within "$1" gone "$2" || return 124
	wait "$2"
}

# attach CLASS [OPTION...]: "minimal", "minimal-no-sync" or a policy of wakepath. Returns when it is
# attached.
attach() {
	local class=$1 option=()
	shift
	[ "$class" != minimal-no-sync ] || option=(--no-sync)
	if [[ $class != minimal* ]]; then
		start --policy "$class" "$@" && return
	else
		: >"$log"
		"$bench/wk-minimal" "${option[@]}" >>"$log" 2>&1 &
		live=$!
		grep -q -m 1 'wk-minimal: attached' < <(exec tail -n +1 -f --pid="$live" "$log") && return
	fi
	echo "$class is not attached:"
	tail -n 5 "$log"
	return 1
}
# detach: its exit status.
detach() {
	kill -TERM "$live"
	ends_within 60 "$live"
}
# False also in the moment between two schedulers.
is_on() { [ "$(cat $scx/state)" = enabled ] && [ -e "/proc/$live" ]; }
is_off() { [ "$(cat $scx/state)" = disabled ]; }

# What made the kernel end it, but for CPUs that came or went; fails where there is something.
no_exits() { ! grep 'the kernel ended the scheduler' "$log" | grep -v 'unregistered from the main kernel'; }
no_errors() { ! dmesg | grep -E 'sched_ext: .*(error|stall|failed)'; }

finish() { echo "1..$nr"; }
