# SPDX-License-Identifier: GPL-2.0-only
# CPU 1 went to sleep while the decision was taken: a race, whatever was chosen.
$WAKEPATH replay --kernel-decisions - --machine 'pack:1 l3:1 core:4 pu:1' --at-least 100 <<'EOF'
wakepath-decisions 1
kernel made up
cpus 4
# prev is busy, CPU 1 is idle
wake cpu=0 prev=3 chosen=2 scan=4 scan_after=4 prev_scan=4 prev_scan_after=4 recent_after=3 flips_after=1 before=1,-,1,1 after=1,1,-,1 loads=0:1024:1024:1024,3:1024:1024:1024
wake cpu=0 prev=3 chosen=1 scan=4 scan_after=4 prev_scan=4 prev_scan_after=4 recent_after=3 flips_after=1 before=1,-,1,1 loads=0:1024:1024:1024,3:1024:1024:1024
end 2 7
EOF
