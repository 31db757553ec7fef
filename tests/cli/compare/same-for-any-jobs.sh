# SPDX-License-Identifier: GPL-2.0-only
for format in csv json table; do
	for jobs in 1 2; do
		$WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1/2,loops=50 --policy tip,sis_node \
			--runs 4 --quick --verbose --jobs $jobs --format $format >$SCRATCH/$jobs || exit
	done
	cmp $SCRATCH/1 $SCRATCH/2 && grep -c . $SCRATCH/1 >$SCRATCH/lines || exit
done
echo same
