#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat's series of events (-b A -e B -e C, --cycle) against what tests/tools/series_oracle.py computes
# from the text of pscript, of made recordings in both byte orders, with and without losses, of files
# and streams. FILE... as operands: recordings of sched:sched_waking and sched:sched_switch that are
# compared as well.
#
#	tests/checks/plat_series.sh [FILE...]

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

waking=sched:sched_waking switch=sched:sched_switch
woken=' pid=([0-9]+)' next='next_pid=([0-9]+)' prev='prev_pid=([0-9]+)'

compare() { # NAME FILE "ORACLE WORDS" OPTIONS...
	local name=$1 file=$2
	local -n words=$3
	shift 3
	"$BIN/plat" --unit ns "$@" - < "$file" > "$work/table" 2> "$work/err" || echo "plat failed" >> "$work/err"
	"$BIN/plat" --unit ns "$@" -i "$file" 2>> "$work/err" | diff "$work/table" - >> "$work/err"
	result "$name" "$(cat "$work/err"
		"$BIN/pscript" --ns --show-lost-events -i "$file" 2> /dev/null |
			python3 tests/tools/series_oracle.py "$work/table" "${words[@]}" 2>&1)"
}

# shellcheck disable=SC2034 # by name, in compare
three=("$waking" "$woken" "$switch" "$next" "$switch" "$prev")
# shellcheck disable=SC2034
back=("${three[@]}" "$waking" "$woken")
# shellcheck disable=SC2034
same=("$switch" "$next" "$switch" "$next" "$switch" "$next")
all() { # NAME FILE
	compare "woken, running, off the CPU: $1" "$2" three \
		-b $waking -e $switch -e $switch --key pid=next_pid=prev_pid
	compare "the same, round to the next waking: $1" "$2" back \
		-b $waking -e $switch -e $switch --key pid=next_pid=prev_pid --cycle
	compare "one event three times: $1" "$2" same -b $switch -e $switch -e $switch --key next_pid
}

for what in "1 2000" "2 20000 lost" "3 4000 big" "4 6000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $what > "$work/made" || exit 2
	all "made, $what" "$work/made"
done
for f in "$@"; do
	all "${f##*/}" "$f"
done

# The sum over the rows of a leg is that of the leg.
"$BIN/plat" -b $waking -e $switch -e $switch --key pid=next_pid=prev_pid --by "\$tid" --csv ';' \
	"$work/made" > "$work/rows" 2> "$work/err"
"$BIN/plat" -b $waking -e $switch -e $switch --key pid=next_pid=prev_pid --csv ';' \
	"$work/made" > "$work/legs" 2>> "$work/err"
result "rows of --by add up to their leg" "$(cat "$work/err"
	awk -F';' 'NR > 1 { n[$9] += $1; t[$9] += $2 } END { for (l in n) print n[l], t[l], l }' "$work/rows" |
		sort > "$work/sums"
	awk -F';' 'NR > 1 { print $1, $2, $9 }' "$work/legs" | sort | diff - "$work/sums")"
"$BIN/plat" -b $waking -e $switch -e $switch --key pid=next_pid=prev_pid --max-keys 3 "$work/made" \
	> "$work/few" 2> "$work/err"
result "--max-keys drops the oldest and counts them" "$(cat "$work/err"
	awk '/^# begins/ && $NF == "open" && $(NF - 2) > 3 { print "open: " $0 }
		/^# dropped/ { dropped++ } END { if (dropped < 3) print dropped + 0, "legs with dropped begins" }' "$work/few")"
# a begin that waits is one of its own step, as of pairs; a series looks at least as often
for pair in "$waking $switch pid=next_pid" "$switch $switch next_pid=prev_pid"; do
	read -r b e key <<< "$pair"
	"$BIN/plat" -b $b -e $e --key $key --open 2us "$work/made" 2>> "$work/err" | sed -n '/ so far/p' >> "$work/steps"
done
"$BIN/plat" -b $waking -e $switch -e $switch --key pid=next_pid=prev_pid --open 2us "$work/made" 2>> "$work/err" |
	grep ' so far' > "$work/series"
result "--open prints those of each step" "$(awk 'NR == FNR { pairs++; next } { steps[$1 $2 $3]++; n++ }
	END { if (!pairs || n < pairs || length(steps) != 2) print n, "lines of", length(steps), "steps,", pairs, "of pairs" }' \
	"$work/steps" "$work/series")"
results_end
