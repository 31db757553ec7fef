# SPDX-License-Identifier: GPL-2.0-only
"$WAKEPATH" run --slice-us 100001
