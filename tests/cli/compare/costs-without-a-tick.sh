# SPDX-License-Identifier: GPL-2.0-only
printf 'include generic\nnr_tick_us 0 # assumed: none\n' >"$SCRATCH/costs"
$WAKEPATH compare --machine pu:2 --bench perf-pipe --policy tip --costs "$SCRATCH/costs"
