# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine epyc-zen3-2s-128
