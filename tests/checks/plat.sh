#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat's tables against what tests/tools/plat_oracle.py computes from the text of pscript: numbers,
# sums, extremes and averages exact, quantiles within 0.4 %; begins and ends that made no pair; pairs
# across a loss. From files and streams, and of made recordings in both byte orders. FILE... as operands: recordings of sched:sched_waking and
# sched:sched_switch, or of raw_syscalls, that are compared as well.
#
#	tests/checks/plat.sh [FILE...]

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

# NAME FILE BEGIN END KEY BY BEGIN-KEY END-KEY ROW: the oracle's are the last three, as regular
# expressions. BEGIN and END of the oracle are those of plat without conditions.
compare() {
	local name=$1 file=$2 begin=$3 end=$4 key=$5 by=$6 how faults
	shift 6
	for how in file stream; do
		if [ $how = file ]; then
			"$BIN/plat" -i "$file" -b "$begin" -e "$end" ${key:+--key "$key"} --by "$by" --unit ns \
				> "$work/table" 2> "$work/err"
		else
			"$BIN/plat" -i - -b "$begin" -e "$end" ${key:+--key "$key"} --by "$by" --unit ns \
				< "$file" > "$work/table" 2> "$work/err"
		fi || echo "plat failed" >> "$work/err"
		faults=$(cat "$work/err"
			"$BIN/pscript" --ns --show-lost-events -i "$file" 2> /dev/null |
				python3 tests/tools/plat_oracle.py "${begin%%/*}" "${end%%/*}" "$@" "$work/table" 2>&1)
		result "$name, a $how" "$faults"
	done
}

syscalls() {
	compare "system calls of ${1##*testdata/}" "$1" raw_syscalls:sys_enter raw_syscalls:sys_exit '' \
		begin:id tid tid 'b:NR (-?[0-9]+)'
}
offcpu() {
	compare "threads off the CPU in ${1##*/}" "$1" sched:sched_switch sched:sched_switch \
		prev_pid=next_pid end:next_comm 'prev_pid=([0-9]+)' 'next_pid=([0-9]+)' 'e:next_comm=(.*) next_pid'
}
runq() {
	compare "time on the run queue in ${1##*/}" "$1" sched:sched_waking sched:sched_switch pid=next_pid \
		comm ' pid=([0-9]+)' 'next_pid=([0-9]+)' 'b: comm=(.*) pid='
}

syscalls testdata/lost-6.1/perf.data
for what in "1 2000" "2 20000 lost" "3 4000 big" "4 6000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/sched_recording" $what > "$work/made-${what// /-}" || exit 2
	runq "$work/made-${what// /-}"
	offcpu "$work/made-${what// /-}"
done
for f in "$@"; do
	if "$BIN/pevlist" -i "$f" | grep -q sched_waking; then
		runq "$f"
		offcpu "$f"
	else
		syscalls "$f"
	fi
done

"$BIN/plat" syscalls --by begin:id --unit ns -i testdata/lost-6.1/perf.data > "$work/table" 2> "$work/err"
result "the recipe syscalls" "$(cat "$work/err"
	"$BIN/pscript" --ns --show-lost-events -i testdata/lost-6.1/perf.data 2> /dev/null |
		python3 tests/tools/plat_oracle.py raw_syscalls:sys_enter raw_syscalls:sys_exit \
			tid tid 'b:NR (-?[0-9]+)' "$work/table" 2>&1)"

# Each recipe finds its fields in what the kernel here describes, where that can be recorded.
trace=/sys/kernel/tracing/events
while read -r name _; do
	why=
	record=$("$BIN/plat" "$name" --print-record)
	if [ "$(id -u)" = 0 ] && [ -r $trace/sched ] && [ -x "$BIN/prec" ] &&
		${record/#prec/"$BIN/prec" -q} -o "$work/live" -- sleep 0.05 > "$work/log" 2>&1; then
		"$BIN/plat" "$name" -i "$work/live" > "$work/table" 2> "$work/err" ||
			why=$(cat "$work/err")
		grep -q -e '^# begins: ' -e '^# events: ' -e '^# threads: ' -e '^# not freed ' -e '^# losses: ' -e ') = ' "$work/table" || why+=" no table"
		result "recipe $name of a recording made here" "$why"
	else
		result "recipe $name # SKIP its events cannot be recorded here" ''
	fi
done < <("$BIN/plat" --list-recipes)

result "docs/RECIPES.md names recipes that there are" "$(
	grep -o '`plat [a-z-]*' docs/RECIPES.md | awk '{ print $2 }' | grep '^[a-z]' | sort -u |
		grep -vxF -f <("$BIN/plat" --list-recipes | awk '{ print $1 }'))"

# A pair that a loss lies in comes back with --keep-broken, and only that.
more=$("$BIN/plat" -i testdata/lost-6.1/perf.data -b raw_syscalls:sys_enter -e raw_syscalls:sys_exit \
	--keep-broken | awk '$NF != "id" && !/^#/ { n = $1 } /^#/ && !/n / { print n; exit }')
result "--keep-broken counts the pair across the loss" "$([ "$more" = 87 ] || echo "$more pairs")"
results_end
