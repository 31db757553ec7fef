# SPDX-License-Identifier: GPL-2.0-only
# The rules of 6.5 are not those of 7.3, and a machine of another shape has other decisions.
$WAKEPATH replay --kernel-decisions tests/decisions/llc2.txt --machine 'pack:1 l3:2 l2:2 core:4 pu:1' \
	--policy tip --at-least 100
$WAKEPATH replay --kernel-decisions tests/decisions/llc2.txt --machine 'pack:1 l3:4 core:4 pu:1' \
	--at-least 100
