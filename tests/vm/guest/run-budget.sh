#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the verifier has to look at, program by program and policy by policy, against bpf/budget.txt.
set -u
. "$WK_SRC/tests/vm/guest/lib/live.sh"
lines=$WK_OUT/budget

# Policies change select_cpu alone: the others are counted once. A policy that this machine has no
# level for is left out.
count() {
	local program insns
	wakepath run --dry-run -v --policy "$1" >"$WK_TMP/count" 2>&1 ||
		{ grep -q 'and this machine' "$WK_TMP/count" && return 0; cat "$WK_TMP/count"; return 1; }
	while read -r _ program _ insns _; do
		[ "$1" != tip ] && [ "$program" != wk_select_cpu ] || echo "$program $1 $insns" >>"$lines"
	done < <(grep '^program ' "$WK_TMP/count")
}
within_budget() { (cd "$WK_SRC" && scripts/verifier-budget "$(uname -r)" "$(clang -dumpversion)") <"$lines"; }
over_budget() { ! sed 's/[0-9]*$/999999/' "$lines" | (cd "$WK_SRC" && scripts/verifier-budget "$(uname -r)" "$(clang -dumpversion)"); }
below_100000() { awk '$3 >= 100000 { print; over = 1 } END { exit over }' "$lines"; }

while IFS=, read -r what name rest; do
	[ "$what" = policy ] || continue
	check "policy $name is counted" count "$name"
done < <(wakepath policies --format csv)
check 'every program is below 100,000' below_100000
check 'every program is within its budget' within_budget
sed 's/^/# /' "$WK_TMP/check.out"
if grep -q '^not recorded' "$WK_TMP/check.out"; then
	skip 'too much would be noticed' 'this kernel or compiler is not in bpf/budget.txt'
else
	check 'too much would be noticed' over_budget
fi
echo "1..$nr"
