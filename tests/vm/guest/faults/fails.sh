# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the driver's self test: a case that fails, a plan not kept, a line as a kernel's fault has it.
echo "not ok 1 - this fails"
echo '<2>BUG: put here by a test of the driver' >/dev/kmsg
echo "1..2"
