# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine kunpeng920 --policy no_such_thing
