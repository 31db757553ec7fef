# SPDX-License-Identifier: GPL-2.0-only
# Four workers and four message threads are two loads: a table each, and other published rows.
printf 'machine,config,benchmark,metric,load_name,load,variant,pct_vs_baseline,baseline_variant\nspr-2s-112c,snc-off,schbench,normal,message-threads,4,sis_node,7.5,baseline\n' >$SCRATCH/p.csv
$WAKEPATH compare --machine spr-2s-112c:snc-off --bench schbench-old:workers=4 --bench schbench-old:message-threads=4 --policy tip,sis_node --quick --published $SCRATCH/p.csv
