# SPDX-License-Identifier: GPL-2.0-only
# One run has no interval.
$WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1,loops=50 --policy tip,sis_node --runs 1 --gate --format csv
