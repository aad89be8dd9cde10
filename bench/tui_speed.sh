#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How long prep's interactive view takes: from each key to the last byte on a terminal of 200x60, and
# to the first screen, beside prep > /dev/null and perf 7.2's own view (perf-sid) on the same pty.
#
#	bench/tui_speed.sh RECORDING [SAMPLES]
#
# RECORDING is played until it has SAMPLES (default 200000; 0: as it is). Keys are timed with the rows
# of -s pid,symbol,time, which are about as many as samples. The first screen is that of the defaults:
# RUNS (default 5) in turns, the median counts.
#
# Targets: keys 16 ms (p99), letters of a search 50 ms, the first screen 1.3 times prep > /dev/null and
# 20 times as fast as perf's, peak memory 1.2 times prep's. On a busy machine read the column of CPU
# time: the others hold what the programs beside it took.
# Environment: BIN (default bin), TOOLS (default build/gcc/bench).

set -eu
: "${BIN:=bin}" "${TOOLS:=build/gcc/bench}" "${RUNS:=5}"
[ $# -ge 1 ] || { sed -n '4,8s/^# \?//p' "$0" >&2; exit 2; }
here=$(dirname "$0")
work=$(mktemp -d)
BENCH_DIR=$work
trap 'rm -rf "$work"' EXIT
. "$here/turns.sh"
data=$1
[ "${2:-200000}" = 0 ] || { data=$work/data; "$TOOLS/gen_perfdata" "$1" "$data" "${2:-200000}"; }

cat > "$work/keys" << 'END'
Down 100
Up 100
PgDn 100
PgUp 100
End 1
Home 1
/ 1 /
text:alloc 1 /-letter
Enter 1 /-Enter
u 1 undo
^R 1 redo
u 1 undo
f 1 f
text:main|al.oc 1 f-letter
Enter 1 f-Enter
u 1 undo
^F 1 ^F
text:alloc 1 ^F-letter
Enter 1 ^F-Enter
n 50
N 50
Esc 1 ^F-end
k 1 kernel
k 1 kernel-out
F 2
o 1 order
Down 3 order-Down
Enter 1 order-Enter
u 1 undo
L 1
text:.01 1 L-letter
Enter 1 L-Enter
u 1 undo
END
cat > "$work/tree-keys" << 'END'
E 1
PgDn 100
End 1
Home 1
C 1
END
echo "key              count   p50 ms   p99 ms   max ms  cpu p99 bytes/key"
python3 "$here/tui_keys.py" 200x60 "$work/keys" "$BIN/prep" --tui --quality=none -s pid,symbol,time -i "$data"
echo "call trees of the default columns:"
python3 "$here/tui_keys.py" 200x60 "$work/tree-keys" "$BIN/prep" --tui --quality=none -i "$data"

: > "$work/none"
has_perf=
has perf-sid && has_perf=1
for ((i = 0; i < RUNS; i++)); do
	measure text "$BIN/prep" --quality=none -i "$data"
	READY='menu' python3 "$here/tui_keys.py" 200x60 "$work/none" "$BIN/prep" --tui --quality=none -i "$data" |
		awk '/^first-screen/ { w = $2 / 1000; r = $3 } END { print w, 0, r }' >> "$work/view"
	# perf's last line is a tip; its title is drawn with the rows
	[ -z "$has_perf" ] || [ $i -gt 0 ] || READY='Event count' python3 "$here/tui_keys.py" 200x60 "$work/none" \
		perf-sid report --tui -i "$data" | awk '/^first-screen/ { print $2 / 1000, 0, $3 }' >> "$work/perf"
done
echo "first screen, s and KiB (medians):"
for who in text view perf; do
	[ ! -s "$work/$who" ] || echo "  $who $(median $who 1) $(median $who 3)"
done
echo "view / prep > /dev/null: $(ratio view 1 text), memory $(ratio view 3 text)"
[ ! -s "$work/perf" ] || echo "perf / view: $(awk -v p="$(median perf 1)" -v v="$(median view 1)" 'BEGIN { print p / v }')"
