#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Who gets how much: nice, pinned tasks, SCHED_IDLE, kernel threads, and whether CPUs stand idle
# while tasks wait. TAP; what the kernel's own class gives is reported beside it.
. "$WK_SRC/tests/vm/guest/lib/stress.sh"
cpus=$(nproc)
settle_s=2 measure_s=${1:-4}

# ---- what is measured: a name, and the tasks ----

declare -A tasks=(
	[nice]="nice=0,cpu=1 nice=5,cpu=1 nice=-5,cpu=1 nice=19,cpu=1"
	[nice_far]="nice=0,cpu=1 nice=-20,cpu=1"
	[three_classes]="nice=0,cpu=1 policy=batch,cpu=1 policy=idle,cpu=1"
	[pinned]="cpu=1 count=$((cpus * 2))"
	[even]="count=$((cpus * 2))"
	[spread]="cpu=0,later=-1,count=$cpus"
)
# measure CLASS NAME: to a file.
measure() {
	local words
	read -ra words <<<"${tasks[$2]}"
	"$bench/wk-shares" $settle_s "$measure_s" "${words[@]}" >"$WK_TMP/$1.$2"
}

# ---- what has to hold of "DESCRIPTION PERCENT" lines ----

# Shares of one CPU by weight, within a tenth or a point.
as_weights() {
	awk -v weights="$1" '
		BEGIN { n = split(weights, weight, " "); for (i = 1; i <= n; i++) sum += weight[i] }
		{
			want = 100 * weight[NR] / sum
			off = $2 > want ? $2 - want : want - $2
			if (off > 1 && off > want / 10) { bad = 1; printf "%s: %.2f %%, expected %.2f %%\n", $1, $2, want }
		}
		END { exit bad || NR != n }'
}
# Each gets at least so many percent of a CPU; all together so many of all CPUs.
at_least() {
	awk -v each="$1" -v all="$2" -v cpus="$cpus" '
		{ sum += $2; if ($2 < each) { bad = 1; printf "%s: %.2f %%, expected %s %% at least\n", $1, $2, each } }
		END {
			if (sum / cpus < all) { bad = 1; printf "all: %.2f %% of the CPUs, expected %s %%\n", sum / cpus, all }
			exit bad
		}'
}
# The first line, a pinned task, against the mean of all.
pinned_share() {
	awk -v least="$1" '
		NR == 1 { pinned = $2 }
		{ sum += $2 }
		END {
			printf "pinned: %.2f %%, the mean of all %.2f %%\n", pinned, sum / NR
			exit pinned * 100 < least * sum / NR
		}'
}
# The smallest share of the even ones against their mean.
even_share() {
	awk -v least="$1" '
		NR == 1 || $2 < min { min = $2 }
		{ sum += $2 }
		END {
			printf "the smallest: %.2f %%, the mean %.2f %%\n", min, sum / NR
			exit min * 100 < least * sum / NR
		}'
}

# Twenty rounds of work items on every CPU, each waited for, under two hogs a CPU: the longest, in ms.
kernel_threads_ms() {
	local hogs i start took longest=0
	"$bench/wk-pulse" --hogs $((cpus * 2)) >/dev/null &
	hogs=$!
	sleep 1
	for ((i = 0; i < 20; i++)); do
		start=$(now_ms)
		cat /proc/sys/vm/stat_refresh
		took=$(($(now_ms) - start))
		[ $took -le $longest ] || longest=$took
	done
	kill $hogs
	wait $hogs
	echo $longest
}

# ---- both classes ----

measure_all() {
	local name
	for name in "${!tasks[@]}"; do
		measure "$1" "$name"
	done
	kernel_threads_ms >"$WK_TMP/$1.kernel_threads"
}
report() {
	local name
	for name in "${!tasks[@]}"; do
		paste -d ' ' "$WK_TMP/kernel.$name" "$WK_TMP/$WK_POLICY.$name" | awk -v name="$name" -v class="$WK_POLICY" '
			{ if (!($1 in n)) order[++kinds] = $1; n[$1]++; a[$1] += $2; b[$1] += $4
			  if (n[$1] == 1 || $2 < la[$1]) la[$1] = $2; if (n[$1] == 1 || $4 < lb[$1]) lb[$1] = $4
			  if ($2 > ha[$1]) ha[$1] = $2; if ($4 > hb[$1]) hb[$1] = $4 }
			END { for (i = 1; i <= kinds; i++) { k = order[i]
				printf "# %-13s %-20s kernel %6.2f %% (%.2f to %.2f), %s %6.2f %% (%.2f to %.2f)\n", name, k,
					a[k] / n[k], la[k], ha[k], class, b[k] / n[k], lb[k], hb[k] } }'
	done
	echo "# work items on all CPUs: longest of 20, kernel $(cat "$WK_TMP/kernel.kernel_threads") ms," \
		"$WK_POLICY $(cat "$WK_TMP/$WK_POLICY.kernel_threads") ms"
}
kernel_threads_run() {
	local ms kernel_ms
	ms=$(result kernel_threads) kernel_ms=$(cat "$WK_TMP/kernel.kernel_threads")
	[ "$ms" -le 1000 ] || [ "$ms" -le $((2 * kernel_ms)) ]
}
result() { cat "$WK_TMP/$WK_POLICY.$1"; }

measure_all kernel
check "the scheduler attaches" attach "$WK_POLICY"
measure_all "$WK_POLICY"
check "it is still attached" is_on
check "it stops when asked" detach
check "the kernel did not end it" no_exits
report
check "nice 0, 5, -5 and 19 share a CPU by weight" as_weights "1024 335 3121 15" < <(result nice)
check "nice 0 and -20 share a CPU by weight" as_weights "1024 88761" < <(result nice_far)
check "SCHED_BATCH is as SCHED_OTHER, SCHED_IDLE gets little" as_weights "1024 1024 3" < <(result three_classes)
check "a pinned task among many that are not gets its share" pinned_share 60 < <(result pinned)
check "two tasks a CPU: nobody gets less than half of the mean" even_share 50 < <(result even)
check "tasks that all start on one CPU find the others" at_least 85 95 < <(result spread)
check "and no CPU stands idle" at_least 0 90 < <(result even)
check "work items of all CPUs are done in a second, or in twice the kernel's time" kernel_threads_run
finish
