# SPDX-License-Identifier: GPL-2.0-only
# The published flaw: the flag was none that a level may carry.
$WAKEPATH topo --machine zen2-tj-desktop --domains --policy sd_idle_sibling | grep IDLE_SIBLING
$WAKEPATH topo --machine zen2-tj-desktop --domains --policy sd_idle_sibling+idle_sibling_masked |
	grep IDLE_SIBLING
