# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH policies --format json | python3 -c "
import json, sys
p = json.load(sys.stdin)
print(sorted(p), all(x[\"sentence\"] for l in p.values() for x in l))"
