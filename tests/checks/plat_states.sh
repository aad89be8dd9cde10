#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The sums of plat task-state and the rows of offcpu and oncpu against what tests/tools/state_oracle.py
# computes from the text of pscript, and each row's states against the time that its thread was observed: of made recordings
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
	: > "$work/err"
	for what in task-state offcpu oncpu; do
		"$BIN/plat" $what --ns - < "$2" > "$work/table-$what" 2>> "$work/err" ||
			echo "plat $what failed" >> "$work/err"
	done
	result "$1" "$(cat "$work/err"
		"$BIN/pscript" -G --ns --show-task-events --show-lost-events --show-switch-events --show-mmap-events \
			-i "$2" 2> /dev/null |
			python3 tests/tools/state_oracle.py "$work"/table-{task-state,offcpu,oncpu} 2>&1)"
}

for made in "1 2000" "2 20000 lost" "3 4000 big" "4 6000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $made > "$work/made" || exit 2
	compare "a made recording, $made" "$work/made"
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

# Samples come short where sched_switch has prev_comm: the tables are the same.
for what in "1 4000 stacks" "2 4000 big lost stacks"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $what > "$work/made" && "$O/tests/tools/sched_recording" $what names > "$work/made.short"
	for how in "offcpu --waker" "task-state -g" "task-state -I 1"; do
		# shellcheck disable=SC2086
		"$BIN/plat" $how --ns "$work/made" > "$work/whole" 2> "$work/err"
		# shellcheck disable=SC2086
		"$BIN/plat" $how --ns "$work/made.short" > "$work/short" 2>> "$work/err"
		result "plat $how of short samples, $what" "$(cat "$work/err"
			diff "$work/whole" "$work/short" | head -5
			grep -q '^# threads: 0;' "$work/whole" && echo "a table of no threads"
			[[ $how == *-I* ]] || grep -q '\[object[0-9]\]' "$work/whole" || echo "no stacks")"
	done
done

# A thread and a name of its own for each event: what is not followed is counted, rows and memory
# have their limits.
"$O/tests/tools/sched_recording" 1 40000 many > "$work/made" || exit 2
"$BIN/plat" task-state --max-keys 500 --ns "$work/made" > "$work/table" 2> "$work/err"
result "--max-keys: threads that are not followed are counted" "$(cat "$work/err"
	awk '/^# threads: 500;/ { n++ } /^# not followed.*--max-keys/ && $(NF - 1) > 100000 { n++ } /^# time of/ { on = 1 }
		/^#  *n / { on = 0 } on && /^ *[0-9]/ { rows++ }
		END { if (n != 2 || rows != 500) print n, rows }' "$work/table")"
for what in task-state offcpu; do
	"$BIN/plat" $what --max-mem 1M --ns "$work/made" > "$work/table" 2> "$work/err"
	result "$what --max-mem" "$(cat "$work/err"
		awk '/^# threads: / { threads = $3 + 0 } /^# not followed/ { n++ } /for which there was no room/ { n++ }
			END { if (n != 2 || threads < 100 || threads > 5000) print n, threads }' "$work/table")"
done
"$BIN/plat" -b sched:sched_waking -e sched:sched_switch --key comm=next_comm --max-mem 1M --json "$work/made" > "$work/table" 2> "$work/err"
result "pairs by names with --max-mem: each is one that there is without" "$(cat "$work/err"
	"$BIN/plat" -b sched:sched_waking -e sched:sched_switch --key comm=next_comm --json "$work/made" 2> /dev/null |
		python3 -c 'import json, sys
few, all = json.load(open(sys.argv[1])), json.load(sys.stdin)
if not 0 < few["all"]["n"] < all["all"]["n"] or not few["dropped"] or few["all"]["max"] > all["all"]["max"] or few["begins"] != all["begins"]:
	print(few["all"], all["all"])' "$work/table")"
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
	"$BIN/plat" offcpu -c taker --waker --folded "$work/folded" --html "$work/page" "$work/live" > "$work/table" 2> "$work/err"
	result "where a reader waits, and what wakes it" "$(cat "$work/err"
		grep -q '"time"' "$work/page" || echo "no page"
		grep -q '^taker;.*pipe_read.*;\[S\] [0-9]' "$work/folded" || cat "$work/folded"
		grep -q -- '-- woken by' "$work/table" || cat "$work/table")"
	"$BIN/plat" task-state -c napper -S --than 10ms -g "$work/live" > "$work/table" 2> "$work/err"
	result "sleeps of more than 10 ms with their stacks" "$(cat "$work/err"
		[ "$(grep -c ' ms  S  .* napper$' "$work/table")" = 2 ] || cat "$work/table")"
else
	result "all CPUs of this machine # SKIP they cannot be recorded here" ''
fi
results_end
