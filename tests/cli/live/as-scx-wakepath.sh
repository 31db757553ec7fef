# SPDX-License-Identifier: GPL-2.0-only
# Under the name of the scx tools it is the scheduler.
ln -s "$WAKEPATH" "$SCRATCH/scx_wakepath" && "$SCRATCH/scx_wakepath" --help-stats | head -n 1
