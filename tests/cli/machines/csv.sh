# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH machines --format csv | cut -d, -f1-8
