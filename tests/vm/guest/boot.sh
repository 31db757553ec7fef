#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What every guest test relies on. TAP.
number=0 failed=0
check() {
	number=$((number + 1))
	if "${@:2}" >/dev/null 2>&1; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1" && failed=1
	fi
}

check "wakepath of this build is on the path" test "$(command -v wakepath)" = "$WK_BUILD/wakepath"
check "wakepath reads this machine" wakepath topo
check "the kernel has sched_ext, and nothing attached" grep -qx disabled /sys/kernel/sched_ext/state
check "the kernel has BTF" test -r /sys/kernel/btf/vmlinux
check "debugfs has the scheduler's folder" test -w /sys/kernel/debug/sched/verbose
check "tracefs is mounted" test -w /sys/kernel/tracing/trace_marker
check "bpffs is mounted" mkdir /sys/fs/bpf/boot-test
check "cgroups have cpu and cpuset" grep -q 'cpuset cpu' /sys/fs/cgroup/cgroup.subtree_control
check "scratch is writable" touch "$WK_TMP/x"
check "loopback is up" bash -c "ip addr show dev lo | grep -q 127.0.0.1"
check "addresses of the kernel are shown" sh -c '! grep -q "^0000000000000000.* T _stext" /proc/kallsyms'
for program in hackbench perf stress-ng tbench netperf netserver bpftool trace-cmd gcc make numactl; do
	check "$program is there" command -v $program
done
echo "1..$number"
exit $failed
