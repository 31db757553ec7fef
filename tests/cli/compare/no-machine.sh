# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH compare --bench hackbench:groups=1 --policy tip,sis_node
