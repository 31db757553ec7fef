# SPDX-License-Identifier: GPL-2.0-only
: >"$SCRATCH/empty"; cd "$SCRATCH" && $WAKEPATH topo --machine empty
