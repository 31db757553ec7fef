# SPDX-License-Identifier: GPL-2.0-only
# One decision in 467 changed by hand.
sed '0,/^wake.* chosen=3 /s/ chosen=3 / chosen=4 /' tests/decisions/llc2.txt |
	$WAKEPATH replay --kernel-decisions - --machine 'pack:1 l3:2 l2:2 core:4 pu:1' --at-least 99.9
