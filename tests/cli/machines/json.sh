# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH machines --format json | python3 -c "
import json, sys
print(len(json.load(sys.stdin)))"
