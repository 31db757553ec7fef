# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH replay --kernel-decisions tests/decisions/llc2.txt --machine 'pack:1 l3:2 l2:2 core:4 pu:1' --at-least 100
