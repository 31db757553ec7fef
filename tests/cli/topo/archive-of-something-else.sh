# SPDX-License-Identifier: GPL-2.0-only
echo text >"$SCRATCH/notes"
tar -C "$SCRATCH" -czf "$SCRATCH/x.tar.gz" notes
cd "$SCRATCH" || exit 1
$WAKEPATH topo --machine x.tar.gz
