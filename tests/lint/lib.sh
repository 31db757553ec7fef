# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by every check. A check is `tests/lint/NAME ROOT BUILD`: it prints one line for each
# thing that is wrong, "file:line: what", and exits 1 when there was one.
set -u
root=${1:?a check needs the root of the sources}
build=${2:-$root/build}
# shellcheck disable=SC2034 # for the checks
build=$(realpath -m "$build")
cd "$root" || exit 2

# files PATTERN...: the source files whose names match, without build folders.
files() {
	local names=()
	for pattern in "$@"; do
		names+=(-o -name "$pattern")
	done
	find . \( -path './build*' -o -path './.git' \) -prune -o -type f \( "${names[@]:1}" \) -print |
		sed 's|^\./||' | sort
}

# scripts: the shell scripts, by name or by first line.
scripts() {
	{
		files '*.sh'
		files '*' | xargs -r awk 'FNR == 1 { if (/^#!.*[\/ ](ba|da)?sh( |$)/) print FILENAME; nextfile }'
	} | sort -u
}

# finish: exit 1 when the check has printed anything. Use: ... | finish
finish() {
	! grep .
}
