#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
# Follow one boot's results. Variables: topo, tap (1: guest tests, 0: one command), state (a file
# for what was seen last: nothing, up, start, exit or end, and the status of the command).
# With tap each case of a guest test becomes one of "TOPO NAME: ...", and each test gets one more
# that says it ran to its end, and the exit status is 1 when one failed; without, what the command
# prints is passed on.
function out(line) { if (tap && line ~ /^not ok/) bad = 1; print line; fflush() }
function see(what) { seen = what; print seen, status + 0 >state; close(state) }
function flush_blank() { while (blank > 0) { blank--; if (!tap) out("") } }

function test_ends(name, code,    ran) {
	ran = cases
	if (!planned) out("not ok - " topo " " name ": it gave no plan, expected 1..N (exit status " code ")")
	else if (cases != plan) out("not ok - " topo " " name ": " cases " cases, planned " plan " (exit status " code ")")
	else if (code != 0 && !failed) out("not ok - " topo " " name ": exit status " code ", expected 0")
	else out("ok - " topo " " name ": ran to its end")
}
function tap_line(line) {
	if (line ~ /^1\.\.[0-9]+/) {
		planned = 1
		plan = substr(line, 4) + 0
		if (plan == 0) out("ok - " topo " " name ": " (line ~ /SKIP/ ? substr(line, index(line, "#")) : "# SKIP no reason given"))
	} else if (line ~ /^(not )?ok( |$)/) {
		cases++
		if (line ~ /^not/) failed++
		sub(/^(not )?ok *[0-9]* *-? */, (line ~ /^not/ ? "not ok - " : "ok - ") topo " " name ": ", line)
		out(line)
	} else
		out(line ~ /^#/ ? line : "# " line)
}

BEGIN { status = 1; see("nothing") }
{ sub(/\r$/, "") }
/^wk-vm: / {
	if (blank > 0) blank--
	flush_blank()
	if ($2 == "start") {
		name = $3
		planned = plan = cases = failed = 0
	} else if ($2 == "exit") {
		if (tap) test_ends($3, $4)
		status = $4
	}
	see($2)
	next
}
seen != "start" { next }
/^$/ { blank++; next }
{ flush_blank() }
tap { tap_line($0); next }
{ out($0) }
END {
	if (tap && seen == "start") out("not ok - " topo " " name ": did not end")
	exit bad + 0
}
