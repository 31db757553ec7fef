# SPDX-License-Identifier: GPL-2.0-only
printf 'machine,config\na,b\n' >$SCRATCH/p.csv
cd $SCRATCH && $WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1 --policy tip,sis_node --published p.csv
