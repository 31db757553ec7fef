# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH machines --format csv | tail -n +2 | while IFS=, read -r name config rest; do
	$WAKEPATH topo --machine "$name${config:+:$config}" --check || echo "$name:$config"
done | sort | uniq -c
