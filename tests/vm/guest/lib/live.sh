# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the guest tests that need the scheduler: TAP, and start and stop.
scx=/sys/kernel/sched_ext
log=$WK_TMP/live.log
nr=0 live=''

# check NAME COMMAND...: a case; what the command printed is shown when it fails.
check() {
	local name=$1
	shift
	if "$@" >"$WK_TMP/check.out" 2>&1; then
		echo "ok $((++nr)) - $name"
	else
		sed 's/^/# /' "$WK_TMP/check.out"
		echo "not ok $((++nr)) - $name"
	fi
}

skip() { echo "ok $((++nr)) - $1 # SKIP $2"; }

# start OPTION...: returns when it is attached, or has given up.
start() {
	: >"$log"
	wakepath run "$@" >>"$log" 2>&1 &
	live=$!
	grep -q -m 1 'wakepath: attached' < <(exec tail -n +1 -f --pid="$live" "$log")
}

# status SIGNAL: ends the scheduler, and returns its exit status.
status_after() {
	kill -"$1" "$live"
	wait "$live"
}

# within SECONDS COMMAND...: until the command succeeds; for what gives no event.
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

enabled() { [ "$(cat $scx/state)" = enabled ] && grep -q '^wakepath' $scx/root/ops; }

# The kernel takes its tasks back, and forgets the programs, after the process is gone.
detached() { [ "$(cat $scx/state)" = disabled ] && ! bpftool prog show | grep -q 'name wk_'; }
nothing_left() {
	within 20 detached && return
	cat $scx/state
	bpftool prog show | grep 'name wk_'
	return 1
}

# says STATUS TEXT COMMAND...: it fails with that status, and one line that holds the text.
says() {
	local status=$1 text=$2
	shift 2
	"$@" >"$WK_TMP/out" 2>"$WK_TMP/err"
	[ $? -eq "$status" ] && [ "$(wc -l <"$WK_TMP/err")" -eq 1 ] && grep -qF -- "$text" "$WK_TMP/err" && return
	echo "expected status $status and: $text, found:"
	cat "$WK_TMP/out" "$WK_TMP/err"
	return 1
}
