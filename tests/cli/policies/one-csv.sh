# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH policies tip-7 --format csv | cut -d, -f1-4
