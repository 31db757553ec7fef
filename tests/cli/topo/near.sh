# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine zen2-tj-desktop --domains --policy near=2 --format csv | grep ^5,
