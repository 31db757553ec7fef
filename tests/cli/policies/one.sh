# SPDX-License-Identifier: GPL-2.0-only
$WAKEPATH policies tip+sis_node+limit=2+pair
