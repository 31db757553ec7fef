# SPDX-License-Identifier: GPL-2.0-only
printf 'machine,config,benchmark,metric,load_name,load,variant,pct_vs_baseline,baseline_variant\na,b,c,d,groups,1,e,5,tip\na,b,c,d,groups,1,e,five,tip\n' >$SCRATCH/p.csv
cd $SCRATCH && $WAKEPATH compare --machine epyc-zen3-2s-128c:nps1 --bench hackbench:groups=1 --policy tip,sis_node --published p.csv
