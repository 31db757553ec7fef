# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH policies sis_core --format json
