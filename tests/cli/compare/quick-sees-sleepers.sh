# SPDX-License-Identifier: GPL-2.0-only
# Workers of schbench sleep 30 ms; a window that went by the number of busy CPUs alone saw none.
$WAKEPATH compare --machine epyc-zen3-2s-128c --bench schbench-old:workers=128 --policy tip --quick --format csv
