#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What plat writes beside its table: the cells of --svg against tests/tools/heat_oracle.py over the text
# of pscript; --heatmap and --folded, whose sums are those of the table; stacks that flame graphs read.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

for what in "4 4000 stacks" "5 4000 big stacks" "1 2000" "3 10000 big"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $what > "$work/made" || exit 2
	"$BIN/plat" -b sched_waking -e sched_switch --key pid=next_pid --unit ns --heatmap --svg "$work/map.svg" \
		--folded "$work/folded" --html "$work/page" "$work/made" > "$work/table" 2> "$work/err"
	result "--html holds what pfold makes of --folded, $what" "$(
		"$BIN/pfold" --html "$work/want" "$work/folded" 2>&1
		data() { sed -n '/ id="*data/,$p' "$1"; }
		[ "$(data "$work/page" | wc -c)" -gt 1000 ] || echo "no data"
		cmp <(data "$work/page") <(data "$work/want") 2>&1
		grep -c '"time until the end"' "$work/page" | grep -v '^1$')"
	# with --longest samples are kept whole, without it they come short
	"$BIN/plat" -b sched_waking -e sched_switch --key pid=next_pid --longest 1 --folded "$work/whole" "$work/made" > /dev/null
	result "--folded of whole samples is that of short ones, $what" "$(cmp "$work/whole" "$work/folded" 2>&1)"
	result "cells of --svg, $what" "$(cat "$work/err"
		python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/map.svg" 2>&1
		"$BIN/pscript" --ns -i "$work/made" 2> /dev/null |
			python3 tests/tools/heat_oracle.py "$work/map.svg" sched:sched_waking sched:sched_switch \
				' pid=([0-9]+)' 'next_pid=([0-9]+)' 2>&1)"
	result "lines of --heatmap and --folded add up, $what" "$(
		awk '!/^#/ && !/^from/ && NF { n = $1; t = $2 } /^from/ { cells += $NF }
			END { if (!n || n != cells) print cells, "pairs in the map,", n, "in the table"; print t > "'"$work/total"'" }' "$work/table"
		awk '{ t += $NF } END { printf "%d\n", t }' "$work/folded" | diff "$work/total" -)"
done

"$BIN/plat" -b sched_switch -e sched_switch --key prev_pid=next_pid --svg /dev/full "$work/made" > "$work/table" 2> "$work/err"
result "a file that cannot be written" "$(grep -q '^plat: .*--svg /dev/full: ' "$work/err" || cat "$work/err")"

# Begins that wait: all that wait for 17/16 of the limit, none that waits less.
"$BIN/plat" -b sched_waking -e sched_switch --key pid=next_pid --open 200ns "$work/made" > "$work/table" 2> "$work/err"
result "--open" "$(cat "$work/err"
	"$BIN/pscript" --ns -i "$work/made" 2> /dev/null | python3 -c '
import collections, re, sys
open_, must, may, last = {}, collections.Counter(), collections.Counter(), 0
def end(begin, time):
    if time - begin >= 200: may[begin] += 1
    if time - begin >= 213: must[begin] += 1
for line in sys.stdin:
    m = re.match(r".*? (\d+)\.(\d{9}): +(\S+): ", line)
    last = int(m[1]) * 10**9 + int(m[2])
    if m[3] == "sched:sched_switch":
        b = open_.pop(re.search(r"next_pid=(\d+)", line)[1], None)
        if b: end(b, last)
    else:
        key = re.search(r" pid=(\d+)", line)[1]
        if key in open_: end(open_[key], last)
        open_[key] = last
for b in open_.values(): end(b, last)
text = open(sys.argv[1]).read()
got = [int(a) * 10**9 + int(b) for a, b in re.findall(r"so far\n +(\d+)\.(\d{9}) ", text)]
said = collections.Counter(got)
if not must or must - said or said - may:
    print(len(got), "reported; missing", must - said, "too early", said - may)
if f"# open for that long while they waited: {len(got)} begins" not in text: print("their number")
' "$work/table" 2>&1)"
"$BIN/plat" -e "sched_switch/next_pid != 0/" --lines "$work/made" > "$work/table" 2> "$work/err"
result "--lines" "$(cat "$work/err"
	"$BIN/pscript" --ns -i "$work/made" 2> /dev/null | grep 'sched_switch: ' | grep -v 'next_pid=0$' |
		sed -E 's/^ *(.*[^ ]) +([0-9]+) \[0*([0-9]+)\] +([0-9.]+): .*prev_pid=([0-9]+) ==> next_comm=(.*) next_pid=([0-9]+)$/\4 \5 \6 \7/' > "$work/want"
	sed -nE 's/^ +([0-9.]+) \[.* sched:sched_switch: prev_pid=([0-9]+) next_pid=([0-9]+) next_comm=(.*)$/\1 \2 \4 \3/p' "$work/table" |
		diff "$work/want" - | head -5)"
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] && [ -r /sys/kernel/tracing/events/raw_syscalls ]; then
	timeout 60 "$BIN/plat" -b "raw_syscalls:sys_enter/comm == 'sleep'/" -e raw_syscalls:sys_exit --open 300ms \
		-- sh -c 'sleep 1.5; echo done' 2>&1 | cat > "$work/table"
	result "--open says so while it waits, though no record comes" "$(
		awk '/so far$/ { said = 1 } /^done/ { exit } END { exit !said }' "$work/table" || cat "$work/table")"
else
	result "--open while it waits # SKIP system calls cannot be recorded here" ''
fi

# What happened on the CPUs of slow pairs: each event once, in the order of each CPU, and in its time.
"$BIN/plat" -i testdata/lost-6.1/perf.data -b raw_syscalls:sys_enter -e raw_syscalls:sys_exit --than 19us --around 30us \
	> "$work/table" 2> "$work/err"
result "--around prints the events near a slow pair" "$(cat "$work/err"
	awk '/^ *[0-9.]+ us/ { us = $1; row = 0; pairs++; next }
		/^    around it/ { near = 1; next }
		/^ +[0-9]+\.[0-9]+ \[/ {
			row++
			if (row == 1) from = $1 - 0.000030
			if (row == 2) to = $1 + 0.000030
			if (row > 2) {
				lines++
				if ($1 < from - 1e-9 || $1 > to + 1e-9) print "too far:", $0
				if (seen[$0]++) print "twice:", $0
			}
		}
		/^#/ { exit }
		END { if (!pairs || lines < 3 * pairs || !near) print pairs + 0, "pairs", lines + 0, "lines" }' "$work/table"
	"$BIN/plat" -e raw_syscalls:sys_exit --around 1us testdata/lost-6.1/perf.data 2>&1 | grep -q -e '--around is for --than' ||
		echo "no --than is no mistake")"

# The time asleep, by the stack at which a program went to sleep.
# A kernel that reports no switches of the idle task of a CPU to perf (plat_bpf.sh) leaves out the end of the sleep there.
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] &&
	"$BIN/prec" -q -a -g -e sched:sched_switch -o "$work/live" -- sleep 0.2 > "$work/log" 2>&1 &&
	"$BIN/pscript" -i "$work/live" -F event,trace 2> /dev/null |
	awk '/prev_comm=sleep .*prev_state=S/ { slept = 1 } slept && /next_comm=sleep / { woke = 1 } END { exit !woke }'; then
	"$BIN/plat" -b "sched_switch/prev_comm == 'sleep'/" -e sched_switch --key prev_pid=next_pid --unit ns --longest 1 \
		--folded "$work/folded" "$work/live" > "$work/table" 2> "$work/err"
	result "stacks of a sleep, with its time" "$(cat "$work/err"
		awk '/^sleep;.*;(schedule|__schedule) [0-9]+$/ && $NF > 200000000 { found = 1 } END { exit !found }' "$work/folded" ||
			cat "$work/folded"
		awk '!/^#/ && NF { print $2; exit }' "$work/table" | diff - <(awk '{ t += $NF } END { printf "%d\n", t }' "$work/folded"))"
	"$BIN/plat" -b sched_switch -e sched_switch --key prev_pid=next_pid --folded "$work/folded" "$work/live" \
		> "$work/table" 2> "$work/err" || echo "status $?" >> "$work/err"
	result "an event that ends one pair and begins the next, with its stack" "$(
		cat "$work/err"; awk '!/^#/ && NF { print $1 }' "$work/table" | grep -q . || cat "$work/table")"
else
	result "stacks of a sleep # SKIP no switch to the sleeping program can be recorded here" ''
fi
"$BIN/plat" -b sched_waking -e sched_switch --key pid=next_pid --heatmap="$work/cells" "$work/made" > "$work/table" 2> "$work/err"
result "--heatmap=FILE has all pairs, by time" "$(cat "$work/err"
	awk '!/^#/ && NF { n = $1 } END { print n }' "$work/table" > "$work/total"
	awk '{ n += $3 } END { print n }' "$work/cells" | diff "$work/total" -
	cut -d' ' -f1 "$work/cells" | sort -c -n 2>&1)"
results_end
