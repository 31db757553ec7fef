# SPDX-License-Identifier: GPL-2.0-only
# A table that goes to a mail says what was not as usual.
$WAKEPATH compare --machine i9-13900k --bench perf-pipe:loops=2000 --policy tip --fair eevdf --costs data/costs/zen4.cost --quick
