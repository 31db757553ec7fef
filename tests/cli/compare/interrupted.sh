# SPDX-License-Identifier: GPL-2.0-only
# Far more work than anybody waits for.
$WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=4,loops=300000 --policy tip,sis_node --runs 1000 --jobs 1 --quick --format csv &
sleep 3
kill -TERM $!
wait $!
