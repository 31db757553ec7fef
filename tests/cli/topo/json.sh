# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH topo --machine exynos5433-tm2e --format json | python3 -c "
import json, sys
t = json.load(sys.stdin)
print(t[\"machine\"], len(t[\"cpus\"]), [d[\"span\"] for d in t[\"domains\"]])"
