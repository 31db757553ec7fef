# SPDX-License-Identifier: GPL-2.0-only
# Nobody writes to the pipe: a reader that opened it would wait for ever.
mkfifo $SCRATCH/pipe
cd $SCRATCH || exit
for what in --published=pipe --costs=pipe --published=/dev/zero; do
	timeout 5 $WAKEPATH compare --machine i9-13900k --bench perf-pipe:loops=100 --policy tip --quick $what
done
