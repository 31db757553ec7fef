#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that go and come end the scheduler by the kernel's restart code, and it starts again on the
# machine as it is then.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"
cpus=/sys/devices/system/cpu

# attached TIMES: it has attached that often.
attached() { [ "$(grep -c 'wakepath: attached' "$log")" -ge "$1" ]; }
put() { echo "$2" >"$cpus/cpu$1/online"; }
storm() {
	local i
	hackbench -g 2 -l 200 >/dev/null &
	for ((i = 0; i < 6; i++)); do
		put 3 0 && put 2 0 && put 3 1 && put 2 1 || return 1
	done
	wait $!
}
# Every start but the first follows an end, and the last one holds.
settled() { [ "$(grep -c 'starting again' "$log")" -lt "$(grep -c 'wakepath: attached' "$log")" ] && enabled; }
settles() { within 60 settled || { cat "$log"; return 1; }; }

check 'it attaches' start
check 'a CPU goes' put 3 0
check 'it starts again' within 60 attached 2
check 'and knows how many are online' grep -q "$(($(nproc --all) - 1)) online" "$log"
check 'programs run' hackbench -g 1 -l 50
check 'the CPU comes back' put 3 1
check 'it starts again with all' within 60 attached 3
check 'a storm of CPUs under load' storm
check 'it survives' settles
check 'it ends with status 0' status_after INT
check 'nothing is left' nothing_left
echo "1..$nr"
