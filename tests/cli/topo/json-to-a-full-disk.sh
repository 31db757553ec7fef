# SPDX-License-Identifier: GPL-2.0-only
[ -c /dev/full ] || { echo 'SKIP no /dev/full'; exit 77; }
$WAKEPATH topo --machine epyc-zen3-2s-128c:nps1 --format json >/dev/full
