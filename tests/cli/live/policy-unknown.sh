# SPDX-License-Identifier: GPL-2.0-only
"$WAKEPATH" run --policy nonsense
