# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH compare --machine i9-13900k --bench perf-pipe:loops=2000 --policy tip --quick --verbose
