# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine "$(printf 'a\nb\033[31m')"
