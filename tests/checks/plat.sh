#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat's tables against what tests/tools/plat_oracle.py computes from the text of pscript: numbers,
# sums, extremes and averages exact, quantiles within 0.4 %; begins and ends that made no pair; pairs
# across a loss. From files and streams, and of made recordings in both byte orders. The same of all
# recipes against recipe_oracle.py. FILE... as operands: recordings of sched:sched_waking and
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
pairs=(-b sched:sched_waking -e sched:sched_switch --key pid=next_pid)
result "switches that are missing are those of a recount, in each way to read" "$(
	"$BIN/pscript" --quality=none --ns --show-lost-events -F cpu,event,trace -i "$work/made-2-20000-lost" \
		2> /dev/null | awk '/PERF_RECORD_LOST/ { delete last; next }
		/sched_switch/ { match($0, /prev_pid=[0-9]+/); prev = substr($0, RSTART + 9, RLENGTH - 9)
			match($0, /next_pid=[0-9]+/); if ($1 in last && last[$1] != prev) n++
			last[$1] = substr($0, RSTART + 9, RLENGTH - 9) }
		END { print n }' > "$work/recount"
	[ "$(cat "$work/recount")" -gt 9 ] || echo "no recount"
	for way in "" "--worst 1" "-I 1000000"; do
		# shellcheck disable=SC2086
		"$BIN/plat" "${pairs[@]}" $way "$work/made-2-20000-lost" |
			sed -n 's/.* although nothing was reported lost: \([0-9]*\) .*/\1/p' | diff "$work/recount" -
	done
	"$BIN/plat" "${pairs[@]}" --json - < "$work/made-2-20000-lost" |
		sed 's/.*"missing_switches":\([0-9]*\),.*/\1/' | diff "$work/recount" -
	"$BIN/pscript" -i "$work/made-2-20000-lost" 2>&1 > "$work/text" |
		sed -n 's/^pscript: quality: .* although nothing was reported lost: \([0-9]*\) .*/\1/p' | diff "$work/recount" -
	"$BIN/pscript" --quality=json -i - < "$work/made-2-20000-lost" 2>&1 > "$work/text" |
		sed 's/.*"missing_switches":\([0-9]*\),.*/\1/' | diff "$work/recount" -
	"$BIN/pscript" --show-round-events -i "$work/made-2-20000-lost" 2>&1 > "$work/text" | grep although
	"$BIN/plat" "${pairs[@]}" --pid 3 "$work/made-2-20000-lost" 2>&1 | grep although)"
# with --worst, whole samples wait until their turn; without it, a few words of each
result "tables are the same whether or not whole samples are kept" "$(
	key=(-b sched:sched_waking -e sched:sched_switch --key)
	same() { # MADE OPTION...
		local made=$work/made-$1
		shift
		"$BIN/plat" --unit ns "$@" -i "$made" > "$work/table" 2>&1
		grep -q '^# begins: [1-9]\|(all)$' "$work/table" || echo "$*: no table"
		"$BIN/plat" --unit ns "$@" --worst 1 -i "$made" 2>&1 |
			awk '/^$/ { skip = 1 } /^# [^t]/ { skip = 0 } !skip' | diff - "$work/table"
	}
	same 2-20000-lost "${key[@]}" pid=next_pid --by begin:comm,end:next_comm
	same 2-20000-lost "${key[@]}" pid=next_pid --nest
	same 2-20000-lost "${key[@]}" pid,comm=next_pid,next_comm --by comm --keep-broken
	same 2-20000-lost "${key[@]}" pid=next_pid --max-keys 2 --by comm
	same 2-20000-lost "${key[@]}" pid,comm=next_pid,next_comm --max-keys 3 --nest
	same 4-6000-big-lost "${key[@]}" pid=next_pid --by comm
	same 1-2000 -b 'sched:sched_switch/prev_pid * 3 > 7/' -e sched:sched_switch --key prev_pid=next_pid
	same 1-2000 -e sched:sched_switch --by cpu,next_comm)"
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

# Tables of recipes against tests/tools/recipe_oracle.py, which computes all of them in one run.
tables() { # FILE RECIPE...: as JSON in $work/json
	local file=$1 name by
	shift
	rm -rf "$work/json" && mkdir "$work/json" || exit 2
	: > "$work/err"
	for name; do
		by=
		[ "$name" != syscalls ] || by='--by begin:id'
		# shellcheck disable=SC2086
		"$BIN/plat" "$name" $by --json -i "$file" > "$work/json/$name.json" 2>> "$work/err" ||
			echo "plat $name failed" >> "$work/err"
	done
	"$BIN/pscript" -G --ns --show-lost-events -i "$file" 2> /dev/null |
		python3 tests/tools/recipe_oracle.py "$work/json" > "$work/said" 2>&1
	grep -v '^compared ' "$work/said" >> "$work/err"
}
# those that are tables of pairs or of counts; the others have checks of their own
mapfile -t names < <("$BIN/plat" --list-recipes | awk '{ print $1 }')
for name in "${names[@]}"; do
	case $name in task-state | offcpu | oncpu | leak | func | usdt | trace | when | busy) ;; *) simple+=("$name") ;; esac
done
for what in "1 3600" "2 7200 lost" "3 3600 big" "4 7200 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/recipe_recording" $what > "$work/made" || exit 2
	tables "$work/made" "${simple[@]}"
	result "all recipes of a made recording, $what" "$(cat "$work/err"
		for name in "${simple[@]}"; do
			grep -q "^compared $name [1-9]" "$work/said" || echo "nothing of $name was compared"
		done)"
done

# Each recipe finds its fields in what the kernel here describes, where that can be recorded: one
# recording for all tables of tracepoints, and one for each recipe that needs something else.
trace=/sys/kernel/tracing/events
can_record() { [ "$(id -u)" = 0 ] && [ -r $trace/sched ] && [ -x "$BIN/prec" ]; }
record() { # FILE PREC'S WORDS...
	local file=$1
	shift
	"$BIN/prec" -q -m 8M "$@" -o "$file" -- sh -c \
		"dd if=/dev/zero of=$work/block bs=64k count=4 oflag=direct; sleep 0.03; :" > "$work/log" 2>&1
}
events=() joined=()
for name in "${simple[@]}"; do
	words=$("$BIN/plat" "$name" --print-record)
	case $words in *' -c '*) continue ;; esac
	missing=
	for event in $(grep -o -- '-e [^ ]*' <<< "$words" | sed 's/^-e //; s/,/ /g'); do
		if [ -d "$trace/${event/://}" ]; then events+=(-e "$event"); else missing=1; fi
	done
	[ -n "$missing" ] || joined+=("$name")
done
declare -A faults
if can_record && record "$work/live" -a "${events[@]}"; then
	tables "$work/live" "${joined[@]}"
	for name in "${joined[@]}"; do
		faults[$name]=$(grep -e "^$name: " -e "^plat $name failed" -e "^the oracle cannot" "$work/err")
	done
fi
while read -r name _; do
	words=$("$BIN/plat" "$name" --print-record 2> /dev/null)
	if [ "${faults[$name]-no}" != no ]; then
		result "recipe $name of a recording made here" "${faults[$name]}"
		continue
	fi
	# shellcheck disable=SC2086
	if [ -z "$words" ] || ! can_record || ! record "$work/live" ${words#prec}; then
		result "recipe $name # SKIP its events cannot be recorded here" ''
		continue
	fi
	case " ${simple[*]} " in
	*" $name "*) tables "$work/live" "$name" ;;
	*)
		"$BIN/plat" "$name" -i "$work/live" > "$work/table" 2> "$work/err"
		grep -q -e '^# threads: ' -e '^# not freed ' -e '^# losses: ' -e ') = ' "$work/table" ||
			echo "no table" >> "$work/err"
		;;
	esac
	result "recipe $name of a recording made here" "$(cat "$work/err")"
done < <("$BIN/plat" --list-recipes)

# Each of N calls is counted, live and from a file; where the reader does not read meanwhile, so that
# pipe and rings get full, each is counted or counted as lost.
event=syscalls:sys_enter_getppid loop='getppid for 1..30000; open F, ">", $ARGV[0]'
counted() { sed -n 's/^# events: //p' "$work/table"; }
if can_record && [ -d $trace/syscalls/sys_enter_getppid ] && command -v perl > /dev/null; then
	"$BIN/plat" -e $event -m 32M -- perl -e "$loop" /dev/null > "$work/table" 2> "$work/err"
	result "each of 30000 calls is counted, live" "$(cat "$work/err"; [ "$(counted)" = 30000 ] || cat "$work/table")"
	"$BIN/prec" -q -e $event -m 32M -o "$work/live" -- perl -e "$loop" /dev/null 2> "$work/err"
	"$BIN/plat" -e $event "$work/live" > "$work/table" 2>> "$work/err"
	result "each of 30000 calls is counted, from a file" "$(cat "$work/err"; [ "$(counted)" = 30000 ] || cat "$work/table")"
	"$BIN/prec" -q -e $event -m 1 -o - -- perl -e "$loop" "$work/over" 2> "$work/err" | {
		for ((i = 0; i < 1000; i++)); do [ ! -e "$work/over" ] || break; sleep 0.02; done
		"$BIN/plat" -e $event -i - > "$work/table" 2>> "$work/log"
	}
	lost=$(sed -n 's/.*: lost \([0-9]*\) of [0-9]* samples.*/\1/p' "$work/err")
	# a record about the end of the thread that is lost counts as well
	result "each of 30000 calls is counted, or counted as lost" "$(
		sum=$((${lost:-0} + $(counted)))
		[ "${lost:-0}" -gt 0 ] && [ $sum -ge 30000 ] && [ $sum -le 30002 ] || cat "$work/err" "$work/table"
		# plat itself says so as well, of those behind which no record came, too
		awk -v lost="${lost:-0}" '/^# losses: / { sub(/.*\(/, ""); n += $1 } /^# lost without / { n += $(NF - 1) }
			END { if (n < lost) print n, "of", lost, "are said" }' "$work/table")"
else
	result "each of 30000 calls is counted # SKIP they cannot be recorded here" ''
fi

result "docs/RECIPES.md names recipes that there are" "$(
	grep -o '`plat [a-z-]*' docs/RECIPES.md | awk '{ print $2 }' | grep '^[a-z]' | sort -u |
		grep -vxF -e lock-contention -f <("$BIN/plat" --list-recipes | awk '{ print $1 }'))"

# A pair that a loss lies in comes back with --keep-broken, and only that.
more=$("$BIN/plat" -i testdata/lost-6.1/perf.data -b raw_syscalls:sys_enter -e raw_syscalls:sys_exit \
	--keep-broken | awk '$NF != "id" && !/^#/ { n = $1 } /^#/ && !/n / { print n; exit }')
result "--keep-broken counts the pair across the loss" "$([ "$more" = 87 ] || echo "$more pairs")"
results_end
