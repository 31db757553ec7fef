#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Real programs under the kernel's class, then the same under the scheduler, each with a time limit,
# beside tasks that are watched for waits that do not end. TAP; the times of both are reported.
# The argument multiplies the work (1). --program NAME runs one of the programs alone.
. "$WK_SRC/tests/vm/guest/lib/stress.sh"
cpus=$(nproc)
scale=${WK_SCALE:-1}
limit_s=$((60 * scale))

# ---- the programs: program_NAME, each with a fixed amount of work ----

programs=(hackbench hackbench_pipe messaging pipe tbench netperf
	cpu switch fork affinity futex cpu_sched make)

program_hackbench() { hackbench -g 2 -l $((30 * scale)); }
program_hackbench_pipe() { hackbench -T -p -g 2 -l $((30 * scale)); }
program_messaging() { perf bench sched messaging -g 2 -l $((5 * scale)); }
program_pipe() { perf bench sched pipe -l $((500 * scale)); }

listens() { grep -qi ":$(printf %04X "$1") " /proc/net/tcp; }
# with_server PORT SERVER... -- CLIENT...: the client's status.
with_server() {
	local port=$1 server=() status pid
	shift
	while [ "$1" != -- ]; do server+=("$1") && shift; done
	"${server[@]}" >/dev/null 2>&1 &
	pid=$!
	within 10 listens "$port" && "${@:2}"
	status=$?
	kill $pid
	return $status
}
# A fixed time: for it the throughput is what differs.
program_tbench() {
	with_server 7003 tbench_srv -- tbench -t $((2 * scale)) -c /usr/share/dbench/client.txt 4 127.0.0.1
}
# It takes no address where the machine has none but 127.0.0.1.
program_netperf() {
	ip addr replace 192.0.2.1/32 dev lo
	with_server 12865 netserver -D -4 -- netperf -4 -H 192.0.2.1 -t TCP_RR -l $((-400 * scale))
}

stress() { stress-ng --quiet --timeout $limit_s "$@"; }
program_cpu() { stress --cpu "$cpus" --cpu-method int64 --cpu-ops $((cpus * 2 * scale)); }
program_switch() { stress --switch "$cpus" --switch-ops $((cpus * 200 * scale)); }
program_fork() { stress --fork "$cpus" --fork-ops $((cpus * 6 * scale)); }
program_affinity() { stress --affinity "$cpus" --affinity-ops $((cpus * 80 * scale)); }
program_futex() { stress --futex "$cpus" --futex-ops $((cpus * 75 * scale)); }
program_cpu_sched() { stress --cpu-sched 2 --cpu-sched-ops $((30 * scale)); }

# Many small C files, and a program of all of them.
program_make() {
	local tree=$WK_TMP/make i
	rm -rf "$tree"
	mkdir "$tree"
	for ((i = 0; i < 12 * scale; i++)); do
		echo "int part_$i(int x) { for (int i = 0; i < x; i++) x ^= x * $i; return x; }"
	done | split -l 1 --additional-suffix=.c - "$tree/part_"
	echo 'int main(void) { return 0; }' >"$tree/main.c"
	# shellcheck disable=SC2016 # for make
	printf 'all: $(patsubst %%.c,%%.o,$(wildcard *.c))\n\tgcc -o $@ $^\n' >"$tree/Makefile"
	make -s -C "$tree" -j "$((cpus * 2))" CC=gcc CFLAGS=-O1 && [ -x "$tree/all" ]
}

if [ "${1:-}" = --program ]; then
	"program_$2"
	exit
fi
[ $# = 0 ] || export WK_SCALE=$1
scale=${WK_SCALE:-1} limit_s=$((60 * ${WK_SCALE:-1}))

# ---- rounds ----

# ends NAME: by itself, well and in time. What it says is kept.
ends() {
	local start status
	start=$(now_ms)
	timeout -k 5 $limit_s bash "$0" --program "$1" >"$WK_TMP/$1.out" 2>&1
	status=$?
	echo $(($(now_ms) - start)) >"$WK_TMP/$1.$class.ms"
	[ $status = 0 ] && return
	echo "exit status $status (124: still there after $limit_s s)"
	tail -n 5 "$WK_TMP/$1.out"
	return 1
}
# round CLASS: all programs, the watched tasks beside them.
round() {
	local class=$1 name pulse
	"$bench/wk-pulse" --pipe 2 --futex 2 --sleepers 8 >"$WK_TMP/pulse.$class" &
	pulse=$!
	for name in "${programs[@]}"; do
		check "$name ends under $class" ends "$name"
	done
	kill $pulse
	check "no watched task was stuck under $class" ends_within 20 $pulse
	sed "s/wk-pulse/$class/" "$WK_TMP/pulse.$class"
}
# report: the times side by side; of tbench, which runs for a fixed time, there is only that.
report() {
	local name
	for name in "${programs[@]}"; do
		echo "$name $(cat "$WK_TMP/$name.kernel.ms") $(cat "$WK_TMP/$name.$WK_POLICY.ms")"
	done | awk -v class="$WK_POLICY" '{
		printf "# %-15s kernel %6.2f s, %s %6.2f s, ratio %.2f\n", $1, $2 / 1e3, class, $3 / 1e3, $3 / $2
	}'
}

round kernel
check "the scheduler attaches" attach "$WK_POLICY"
round "$WK_POLICY"
check "the scheduler is still attached" is_on
check "it stops when asked" detach
check "the kernel did not end it" no_exits
check "the kernel reports no error of it" no_errors
check "nothing is attached" is_off
report
finish
