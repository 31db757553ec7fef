# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine zen2-tj-desktop --domains
