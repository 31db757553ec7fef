# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH replay || echo "status $?"
$WAKEPATH replay --kernel-decisions tests/decisions/none.txt || echo "status $?"
$WAKEPATH replay --kernel-decisions tests/decisions/smt.txt --policy tipp || echo "status $?"
$WAKEPATH replay --kernel-decisions tests/decisions/smt.txt --machine nowhere || echo "status $?"
$WAKEPATH replay --kernel-decisions tests/decisions/smt.txt --at-least 101 || echo "status $?"
# A machine of other CPUs than the recording's.
$WAKEPATH replay --kernel-decisions tests/decisions/smt.txt --machine 'pack:1 l3:1 core:4 pu:1' ||
	echo "status $?"
