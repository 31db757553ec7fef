# SPDX-License-Identifier: GPL-2.0-only
"$WAKEPATH" run --monitor 1 --stats 1
