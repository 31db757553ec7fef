#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every named policy loads, or is refused since this machine lacks a level, and runs a program.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"

runs() {
	start --policy "$1" || { grep -q 'the policy .* and this machine' "$log" && return 0; cat "$log"; return 1; }
	hackbench -g 1 -l 20 || return 1
	status_after INT
}
while IFS=, read -r what name rest; do
	[ "$what" = policy ] || continue
	check "policy $name" runs "$name"
done < <(wakepath policies --format csv)
check 'nothing is left' nothing_left
echo "1..$nr"
