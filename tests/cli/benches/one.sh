# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH benches hackbench rt-app
