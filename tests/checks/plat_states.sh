#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The sums of plat task-state against what tests/tools/state_oracle.py computes from the text of
# pscript, and each row's states against the time that its thread was observed: of made recordings
# in both byte orders, with and without losses, and of one made here. FILE... as operands: recordings
# of sched:sched_switch of all CPUs that are compared as well.
#
#	tests/checks/plat_states.sh [FILE...]

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

compare() { # NAME FILE
	"$BIN/plat" task-state --ns - < "$2" > "$work/table" 2> "$work/err" ||
		echo "plat failed" >> "$work/err"
	result "$1" "$(cat "$work/err"
		"$BIN/pscript" -G --ns --show-task-events --show-lost-events --show-switch-events --show-mmap-events \
			-i "$2" 2> /dev/null | python3 tests/tools/state_oracle.py "$work/table" 2>&1)"
}

for what in "1 2000" "2 20000 lost" "3 4000 big" "4 6000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $what > "$work/made" || exit 2
	compare "a made recording, $what" "$work/made"
done
# Tables of intervals: each time is in one of them.
"$O/tests/tools/sched_recording" 5 20000 lost > "$work/made" || exit 2
sums() { # of the table of threads on standard input, by thread
	awk '/^# time of threads/ { on = 1; next } /^#  *n / { on = 0 } on && /^ *[0-9]/ {
		tids[$12] = 1
		for (i = 1; i <= 11; i++) sum[$12, i] += $i }
		END { for (tid in tids) { printf "%d", tid
			for (i = 1; i <= 11; i++) printf " %d", sum[tid, i]
			print "" } }' | sort -n
}
"$BIN/plat" task-state --ns -I 1 "$work/made" > "$work/parts" 2> "$work/err"
"$BIN/plat" task-state --ns "$work/made" > "$work/whole" 2>> "$work/err"
result "tables of intervals add up to that of all time" "$(cat "$work/err"
	[ "$(grep -c '^# until' "$work/parts")" -gt 2 ] || grep -c '^# until' "$work/parts"
	diff <(sums < "$work/parts") <(sums < "$work/whole"))"

for f in "$@"; do
	compare "${f##*/}" "$f"
done

# Names that no other program on this machine has. What wakes a sleep is an interrupt of an idle CPU,
# of which the kernel here does not always record an event; a reader is woken by the writer.
cp "$(command -v sleep)" "$work/napper" && cp "$(command -v cat)" "$work/taker" || exit 2
"$BIN/plat" task-state --ns --record "$work/kept" -- "$work/napper" 0.02 > "$work/table" 2> "$work/err"
if [ -s "$work/kept" ]; then
	"$BIN/plat" task-state --ns -i "$work/kept" > "$work/again" 2>> "$work/err"
	result "live as from the recording that it keeps" "$(grep -v 'off-cpu: ' "$work/err"
		diff "$work/table" "$work/again"
		awk '/^# time of threads/ { on = 1; next } /^#  *n / { on = 0 }
			on && /^ *[0-9]/ && $5 + $7 >= 20e6 { slept++ } END { if (slept != 1) print "no sleep of 20 ms" }' \
			"$work/table")"
else
	result "live # SKIP the kernel lets nobody record here" ''
fi
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] &&
	"$BIN/prec" -q -a -g -e sched:sched_switch,sched:sched_waking -o "$work/live" \
		-- sh -c "$work/napper 0.02; ($work/napper 0.03; echo; $work/napper 0.001) | $work/taker" > "$work/log" 2>&1; then
	compare "all CPUs of this machine" "$work/live"
	"$BIN/plat" offcpu -c taker --waker --folded "$work/folded" "$work/live" > "$work/table" 2> "$work/err"
	result "where a reader waits, and what wakes it" "$(cat "$work/err"
		grep -q '^taker;.*pipe_read.*;\[S\] [0-9]' "$work/folded" || cat "$work/folded"
		grep -q -- '-- woken by' "$work/table" || cat "$work/table")"
	"$BIN/plat" task-state -c napper -S --than 10ms -g "$work/live" > "$work/table" 2> "$work/err"
	result "sleeps of more than 10 ms with their stacks" "$(cat "$work/err"
		[ "$(grep -c ' ms  S  .* napper$' "$work/table")" = 2 ] || cat "$work/table")"
else
	result "all CPUs of this machine # SKIP they cannot be recorded here" ''
fi
results_end
