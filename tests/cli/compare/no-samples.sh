# SPDX-License-Identifier: GPL-2.0-only
# A task that sleeps longer than the test lasts: nothing is measured, and nothing is 0.
printf '{"tasks":{"t":{"loop":10,"sleep":5000000}},"global":{"duration":1}}' >$SCRATCH/t.json
cd $SCRATCH || exit
$WAKEPATH compare --machine i9-13900k --bench rt-app:file=t.json --policy tip,tip-7 --quick --format csv
$WAKEPATH compare --machine i9-13900k --bench rt-app:file=t.json --policy tip,tip-7 --quick --gate --verbose
