# SPDX-License-Identifier: GPL-2.0-only
# On a build with live this is a test of the guest.
$WAKEPATH record --kernel-decisions -d 1 -o /dev/null 2>"$SCRATCH/err"
status=$?
grep -q 'without live' "$SCRATCH/err" || { echo 'SKIP this build has live'; exit 77; }
cat "$SCRATCH/err" >&2
exit $status
