#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat when and plat busy: the times at which a condition holds, and those that cannot be judged,
# against tests/tools/when_oracle.py over the text of pscript: of recordings in testdata, of made ones
# with losses in both byte orders, of files and streams, and of this machine.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'kill "$spinner" 2> /dev/null; rm -rf "$work"' EXIT
spinner=''
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

compare() { # NAME FILE CONDITION WINDOW KIND ARG OP VALUE WINDOW-NS
	local name=$1 file=$2 cond=$3 window=$4 fields=comm,tid,cpu,time,event,period,ip
	shift 4
	local words=(when "$cond")
	case $cond in busy*) read -ra words <<< "$cond" ;; esac
	"$BIN/plat" "${words[@]}" --window "$window" - < "$file" > "$work/table" 2> "$work/err" ||
		echo "plat failed" >> "$work/err"
	"$BIN/plat" "${words[@]}" --window "$window" -i "$file" 2>> "$work/err" | diff "$work/table" - >> "$work/err"
	"$BIN/pscript" -G --ns -F $fields -i "$file" > "$work/text" 2> /dev/null || fields=${fields/cpu,/}
	result "$name: $cond" "$(cat "$work/err"
		"$BIN/pscript" -G --ns --show-lost-events -F $fields -i "$file" 2> /dev/null |
			python3 tests/tools/when_oracle.py "$@" "$work/table" 2>&1)"
}

clock=testdata/fp-6.1/perf.data calls=testdata/lost-6.1/perf.data enter=raw_syscalls:sys_enter
compare fp-6.1 $clock 'share(all) > 30%' 1ms share all '>' 300000 1000000
compare fp-6.1 $clock 'share(user) >= 50%' 500us share user '>=' 500000 500000
compare fp-6.1 $clock 'busy --than 40%' 1ms share all '>' 400000 1000000
compare fp-6.1 $clock 'busy --than 40% --part user' 500us share user '>' 400000 500000
compare fp-6.1 $clock 'gap(cpu-clock) > 260us' 1s gap cpu-clock '>' 260000 1
compare lost-6.1 $calls "count($enter) > 9" 50us count $enter '>' 9 50000
compare lost-6.1 $calls "count($enter) == 0" 5us count $enter == 0 5000
compare lost-6.1 $calls "gap($enter) > 20us" 1s gap $enter '>' 20000 1
for what in "7 8000 lost" "8 8000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/func_recording" $what > "$work/made" || exit 2
	compare "made, $what" "$work/made" 'count(uprobe:app:a) > 3' 20us count uprobe:app:a '>' 3 20000
	compare "made, $what" "$work/made" 'count(uprobe:app:b) <= 1' 40us count uprobe:app:b '<=' 1 40000
	compare "made, $what" "$work/made" 'gap(uretprobe:app:c) >= 30us' 1s gap uretprobe:app:c '>=' 30000 1
done
"$BIN/plat" when 'gap(uretprobe:app:c) > 30us' --around 5us --max 3 "$work/made" > "$work/table" 2> "$work/err"
result "--around prints the events of the CPU near a gap, each once, in order; --max ends that" "$(cat "$work/err"
	awk '/^ *[0-9.]+ - / { n++; from = $1 - 0.000006; to = $3 + 0.000006; cpu = sprintf("[%03d]", $5); next }
		/^    +[0-9]/ { lines++; if ($2 != cpu || $1 < from || $1 > to || $0 == last) print "wrong:", $0, cpu; last = $0 }
		/^# further hits/ { more = 1 }
		END { if (n != 3 || lines < 9 || !more) print n, lines, more }' "$work/table")"

timeout 3 sh -c 'while :; do :; done' & # a CPU that is busy
spinner=$!
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] &&
	"$BIN/plat" busy --than 20% --window 100ms -g --top 3 -a --for 1s --record "$work/live" \
		> "$work/table" 2> "$work/err"; then
	result "live: busy, with stacks" "$(cat "$work/err"
		awk '/^ *[0-9.]+ - .*CPU/ { n++ } /^ +[0-9.]+%  / { g++ } /^            [^ ]/ { s++ }
			END { if (!n || g < n || s < g) print n, g, s }' "$work/table")"
	compare "the recording of it" "$work/live" 'share(all) > 20%' 100ms share all '>' 200000 100000000
	"$BIN/plat" when 'count(no:such) > 1' -a --for 100ms > "$work/table" 2>&1
	result "an event that is missing is named" "$(grep -q no:such "$work/table" || cat "$work/table")"
else
	result "live # SKIP the machine cannot be recorded here" ''
fi
results_end
