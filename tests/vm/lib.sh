# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the scripts of tests/vm share: where the guest is, and whether it can be here at all.
vm_dir=${WK_VM_DIR:-$HOME/.cache/wakepath/vm}
# shellcheck disable=SC2034 # used by those who include this
vm_root=$vm_dir/root

vm_die() {
	echo "vm: $*" >&2
	exit 1
}

# Why no guest can be made here; nothing where it can.
vm_lacks() {
	if ! grep -qs '^ID=debian' /etc/os-release || ! command -v apt-get >/dev/null; then
		echo "this is no Debian"
	elif [ "$(id -u)" -ne 0 ]; then
		echo "not root"
	elif [ "$(uname -m)" != x86_64 ]; then
		echo "the machine is $(uname -m), expected x86_64"
	fi
}

# The names of the table.
vm_topologies() { sed -n 's/^\([a-z0-9-]*\) *|.*/\1/p' "${BASH_SOURCE[0]%/*}/topologies"; }

# At most two guests at a time: each keeps two cores busy. The slot is held until the script ends.
vm_take_slot() {
	exec 6>"$vm_dir/slot.queue" 7>"$vm_dir/slot.0" 8>"$vm_dir/slot.1"
	flock 6 # first come, first served
	until flock -w 1 7 || flock -w 1 8; do :; done
	exec 6>&-
}
