# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the driver's self test: nothing else runs in this guest any more.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
for runtime in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	echo 0 >"$runtime"
done
for _ in $(seq "$(nproc)"); do
	chrt -f 99 bash -c 'while :; do :; done' &
done
wait
