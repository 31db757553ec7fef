# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH record || echo "status $?"
$WAKEPATH record --kernel-decisions -d 0 || echo "status $?"
$WAKEPATH record --kernel-decisions -e x || echo "status $?"
