# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine "pack:2 l3:2 core:4 pu:2" --format csv | tail -n 1
