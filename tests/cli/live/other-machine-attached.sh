# SPDX-License-Identifier: GPL-2.0-only
"$WAKEPATH" run --machine epyc-zen3-2s-128c
