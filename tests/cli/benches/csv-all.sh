# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH benches --format csv | cut -d, -f1,3 | sort | uniq -d
