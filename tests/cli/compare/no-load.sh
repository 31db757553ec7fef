# SPDX-License-Identifier: GPL-2.0-only
for f in table csv schedtests mmtests; do
	$WAKEPATH compare --machine i9-13900k --bench perf-pipe:loops=2000 --policy tip,tip-7 --quick --format $f
done
