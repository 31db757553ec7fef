#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The domains that `wakepath topo` builds for this machine are those that its kernel built: names
# and flags as debugfs has them, spans as /proc/schedstat has them, for every CPU and level; as
# booted, and after every change of what is online that the machine allows.
set -u
debug=/sys/kernel/debug/sched
cpus=/sys/devices/system/cpu
nr=0
cd "$WK_TMP" || exit 1

ok() { echo "ok $((++nr)) - $1"; }
not_ok() { echo "not ok $((++nr)) - $1"; }

# Both sides as lines "CPU LEVEL NAME FLAGS SPAN", the span as a list of every CPU.
kernel_domains() {
	local dir place
	for dir in "$debug"/domains/cpu*/domain*; do
		[ -e "$dir/name" ] || continue
		place=${dir#"$debug"/domains/cpu}
		echo "flags ${place%%/*} ${place##*/domain} $(cat "$dir/name") $(sed 's/SD_//g' "$dir/flags")"
	done | cat - /proc/schedstat | awk '
		# The CPUs of a mask such as ff,00000003.
		function cpus_of(mask, list, cpu, i, bit, digit) {
			gsub(",", "", mask)
			for (i = length(mask); i > 0; i--) {
				digit = index("0123456789abcdef", substr(mask, i, 1)) - 1
				for (bit = 1; bit < 16; bit *= 2) {
					if (int(digit / bit) % 2)
						list = list "," cpu
					cpu++
				}
			}
			return substr(list, 2)
		}
		BEGIN { OFS = " " }
		$1 == "flags" {
			key = $2 " " $3
			name[key] = $4
			flags[key] = ""
			for (i = 5; i <= NF; i++)
				flags[key] = flags[key] (i > 5 ? "|" : "") $i
			next
		}
		$1 ~ /^cpu[0-9]/ { cpu = substr($1, 4) }
		$1 ~ /^domain[0-9]/ {
			key = cpu " " substr($1, 7)
			print key, name[key] == $2 ? $2 : $2 "/" name[key], flags[key], cpus_of($3, "", 0)
		}' | sort -n -k 1,1 -k 2,2
}

our_domains() {
	wakepath topo --domains --format csv --policy tip-7 2>>notes | awk -F '"' '
		function cpus_of(text, list, part, ends, n, i, cpu) {
			n = split(text, part, ",")
			for (i = 1; i <= n; i++) {
				if (split(part[i], ends, "-") == 1)
					ends[2] = ends[1]
				for (cpu = ends[1]; cpu <= ends[2] + 0; cpu++)
					list = list "," cpu
			}
			return substr(list, 2)
		}
		NR > 1 {
			split($1, field, ",")
			sub("^,", "", $3)
			sub("SHARE_PKG", "SHARE_LLC", $3)
			print field[1], field[2], field[3], $3, cpus_of($2, "")
		}' | sort -n -k 1,1 -k 2,2
}

# same FIELD: do both sides agree in a column?
same() {
	diff <(cut -d ' ' -f "1,2,$1" kernel) <(cut -d ' ' -f "1,2,$1" ours) >differs
}

# compare STATE: three cases
compare() {
	local what field=3
	kernel_domains >kernel
	our_domains >ours
	for what in names flags spans; do
		if [ -s kernel ] && same $field; then
			ok "$what of $(wc -l <kernel) domains equal, $1"
		else
			not_ok "$what equal, $1"
			sed 's/^/# /' differs | head -n 40
		fi
		field=$((field + 1))
	done
}

# A comparison that cannot fail proves nothing.
faults_are_seen() {
	local field
	for field in 3 4 5; do
		awk -v f=$field 'NR == 1 { $f = $f "x" } { print }' kernel >ours
		if same $field; then
			not_ok "a wrong column $field is seen"
		else
			ok "a wrong column $field is seen"
		fi
	done
}

# switch CPU 0|1
switch() { [ ! -e "$cpus/cpu$1/online" ] || echo "$2" >"$cpus/cpu$1/online"; }

# The last, one in the middle, and the second half, a whole LLC or node where there are two.
cpus_off_and_back() {
	local online=() cpu half last
	mapfile -t online < <(sed -n 's/^processor.*: //p' /proc/cpuinfo)
	half=$((${#online[@]} / 2))
	last=${online[-1]}
	switch "$last" 0
	compare "CPU $last offline"
	switch "${online[half - 1]}" 0
	compare "CPUs $last and ${online[half - 1]} offline"
	switch "${online[half - 1]}" 1
	for cpu in "${online[@]:half}"; do switch "$cpu" 0; done
	compare "the second half offline"
	for cpu in "${online[@]:half}"; do switch "$cpu" 1; done
	compare "all back"
}

smt_off_and_on() {
	[ "$(cat "$cpus/smt/control")" = on ] || return 0
	echo off >"$cpus/smt/control"
	compare "SMT off"
	echo on >"$cpus/smt/control"
	compare "SMT on again"
}

all_online() {
	local online
	online=$(cat "$cpus/online")
	[ "$online" != "$(cat "$cpus/present")" ] && [ "$(cat "$cpus/smt/control")" != off ] || return 0
	for cpu in "$cpus"/cpu[0-9]*; do switch "${cpu##*/cpu}" 1; done
	compare "CPUs offline at boot put online"
	for cpu in "$cpus"/cpu[0-9]*; do
		wk_online "$online" "${cpu##*/cpu}" || switch "${cpu##*/cpu}" 0
	done
}

# wk_online LIST CPU
wk_online() {
	local part
	for part in ${1//,/ }; do
		[ "$2" -lt "${part%-*}" ] || [ "$2" -gt "${part#*-}" ] || return 0
	done
	return 1
}

echo Y >$debug/verbose
compare "as booted"
faults_are_seen
smt_off_and_on
all_online
cpus_off_and_back
echo "1..$nr"
