# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH policies tip tip-7
