# SPDX-License-Identifier: GPL-2.0-only
# Two names of one policy: the same runs, no difference, no doubt, from any start.
$WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1,loops=20 --policy tip,baseline --runs 2 --gate --format schedtests
