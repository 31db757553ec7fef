# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH compare --machine 'package:100 core:100' --bench hackbench:groups=1 --policy tip,sis_node
