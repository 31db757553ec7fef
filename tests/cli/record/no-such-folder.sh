# SPDX-License-Identifier: GPL-2.0-only
cd "$SCRATCH" && $WAKEPATH record --kernel-decisions -o none/file
