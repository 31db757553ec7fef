# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1 --policy tip --gate
