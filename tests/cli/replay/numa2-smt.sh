# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH replay --kernel-decisions tests/decisions/numa2-smt.txt --machine 'pack:2 [numa] l3:1 l2:2 core:2 pu:2' --at-least 100
