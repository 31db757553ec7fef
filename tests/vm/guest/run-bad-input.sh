#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What it cannot do it says in one line, with the right status, and leaves nothing attached; and
# the kernel takes its tasks back whatever becomes of the loader.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"

as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
# A kernel that lacks something, by a mount over it, seen by this command only.
without() {
	local path=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount bash -c 'mount -t tmpfs none "$0" && exec "$@"' "$path" "$@"
}
# A synthetic machine of one LLC, whatever this one is.
on_one_llc() { wakepath run --dry-run --machine 'pack:1 l3:1 core:4 pu:1' "$@"; }
killed() {
	status_after KILL
	[ $? -eq 137 ]
}
crashed() {
	status_after SEGV
	[ $? -eq 139 ]
}

check 'not root: status 1' says 1 'not root' as_nobody wakepath run
check 'no sched_ext: status 1' says 1 'no sched_ext' without /sys/kernel/sched_ext wakepath run
check 'no BTF: status 1' says 1 'no BTF' without /sys/kernel/btf wakepath run
check 'unknown policy: status 2' says 2 "'nonsense'" wakepath run --policy nonsense
check 'unknown option: status 2' says 2 'unknown option' wakepath run --nonsense
check 'a slice that is no number: status 2' says 2 'slice' wakepath run --slice-us many
check 'another machine can only be tried: status 2' says 2 '--dry-run' wakepath run --machine 'pack:1 core:2 pu:1'
check 'a near group where there is one LLC: status 1' says 1 'last-level caches' on_one_llc --policy near=2
check 'sis_node where there is one LLC: status 1' says 1 'last-level caches' on_one_llc --policy sis_node
check 'too many CPUs: status 1' says 1 '4096' wakepath run --dry-run --machine 'pack:1 core:4097 pu:1'
check 'an unreadable machine: status 1' says 1 'nowhere' wakepath run --dry-run --machine /nowhere
check 'nothing to monitor: status 1' says 1 'no scheduler to monitor' wakepath run --monitor 1
check 'nothing is attached' nothing_left
check 'it attaches' start
check 'a second one is refused: status 1' says 1 'another scheduler is attached' wakepath run
check 'the first is still there' enabled
check 'kill -9 of the loader' killed
check 'the kernel takes the tasks back' nothing_left
check 'it attaches again' start
check 'a crash of the loader' crashed
check 'the kernel takes the tasks back again' nothing_left
echo "1..$nr"
