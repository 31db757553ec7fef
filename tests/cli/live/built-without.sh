# SPDX-License-Identifier: GPL-2.0-only
# The stand-in of a build without libbpf 1.4.
"$WAKEPATH" run --dry-run 2>&1 | grep -q "built without" || { echo "SKIP built with the live scheduler"; exit 77; }
"$WAKEPATH" run
