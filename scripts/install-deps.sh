#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Install the Debian packages that are missing, and touch nothing when none is.
#   install-deps.sh [build] [test] [lint] [ci] [vm]
set -eu

packages() {
	case $1 in
	build) echo gcc libc6-dev meson ninja-build pkg-config libhwloc-dev libjansson-dev libarchive-dev ;;
	test) echo libcmocka-dev clang libclang-rt-dev libbpf-dev python3 bash ;;
	lint) echo clang clang-format llvm shellcheck universal-ctags binutils ;;
	ci) echo git make valgrind gawk ;;
	vm) echo git gcc libc6-dev mmdebstrap e2fsprogs debian-archive-keyring util-linux ;;
	*) echo "install-deps.sh: unknown group '$1', expected build, test, lint, ci or vm" >&2 && exit 2 ;;
	esac
}

is_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ||
		# A virtual name, or a name with an architecture.
		dpkg-query -W -f '${db:Status-Status} ${Provides}\n' 2>/dev/null |
		grep -Eq "^installed (.*[ ,])?$1([ ,(]|\$)"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "install-deps.sh: this is no Debian: nothing installed. Needed:" >&2
	for group in "$@"; do packages "$group"; done | xargs >&2
	exit 0
fi

missing=()
for group in "$@"; do
	for package in $(packages "$group"); do
		is_installed "$package" || missing+=("$package")
	done
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "install-deps.sh: not root and no sudo; as root: apt-get install ${missing[*]}" >&2
		exit 1
	fi
	as_root=(sudo)
fi

echo "install-deps.sh: installing ${missing[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
try_install() {
	"${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}" \
		</dev/null >"$log" 2>&1
}
# The package lists can be absent or old: fetch them only when the first try fails.
try_install || { "${as_root[@]}" apt-get update >/dev/null </dev/null && try_install; } || {
	cat "$log" >&2
	echo "install-deps.sh: apt-get could not install ${missing[*]}" >&2
	exit 1
}
