# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH replay --kernel-decisions tests/decisions/smt.txt --machine 'pack:1 l3:1 core:4 pu:2' --at-least 100
