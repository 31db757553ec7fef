# SPDX-License-Identifier: GPL-2.0-only
"$WAKEPATH" run --dry-run 2>&1 | grep -q "built without" && { echo "SKIP built without the live scheduler"; exit 77; }
[ "$(id -u)" -eq 0 ] && { echo "SKIP root"; exit 77; }
"$WAKEPATH" run
