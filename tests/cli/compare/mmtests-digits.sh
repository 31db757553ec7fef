# SPDX-License-Identifier: GPL-2.0-only
# Milliseconds in seconds: four decimals would leave two digits of the mean and none of Stddev.
$WAKEPATH compare --machine i9-13900k --bench hackbench:groups=1,loops=50 --policy tip,tip-7 --quick --format mmtests
