#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What does unwinding while recording cost, and what does it give? prec --call-graph unwind, prec
# --call-graph dwarf and stock perf --call-graph dwarf record the same clang++ processes in turns, by
# -p, so that the recorder's processor time is its own; then two busy threads at 20 kHz, for losses.
#
#	bench/live_cost.sh
#
# BENCH_SOURCE=bench/plain.cc BENCH_CXX=clang++ BENCH_RUNS=3 BENCH_SECONDS=4 BENCH_FREQ=4000
# BENCH_LOSS_RUNS=5 BENCH_LOSS_SECONDS=10. More variables: bench/record_common.sh. Status 1 when a
# verdict is MISSED.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_SOURCE:=bench/plain.cc}" "${BENCH_CXX:=clang++}" "${BENCH_RUNS:=3}" "${BENCH_SECONDS:=4}"
: "${BENCH_FREQ:=4000}" "${BENCH_LOSS_RUNS:=5}" "${BENCH_LOSS_SECONDS:=10}"
command -v "$BENCH_CXX" > /dev/null || skip_bench "no $BENCH_CXX"
build_workload w_busy
can_record
about_machine

# Compiles over and over.
compile_for() { # SECONDS
	local end=$((SECONDS + $1))

	while [ $SECONDS -lt $end ]; do
		"$BENCH_CXX" -std=gnu++17 -O2 -c "$BENCH_SOURCE" -o /dev/null 2> /dev/null
	done
}

row() { # WHAT WHO CPU-SECONDS ROOTED: printed, and kept in $D/rows
	awk -v what="$1" -v who="$2" -v cpu="$3" -v rooted="$4" '
		{ c[$1] = $2 }
		END {
			lost = c["lost"] > c["lost_samples"] ? c["lost"] : c["lost_samples"]
			n = c["samples"] ? c["samples"] : 1
			printf "%-6s %-7s %8d %8d %8.3f %9.2f %9.1f %8s\n", what, who, c["samples"], lost, cpu,
				cpu * 1e6 / n, c["file_bytes"] / n, rooted
		}' "$D/counts" | tee -a "$D/rows"
}
col() { # WHAT WHO COLUMN: the median of the turns
	awk -v t="$1" -v w="$2" -v c="$3" '$1 == t && $2 == w { print $c }' "$D/rows" | median
}
most() { awk -v t="$1" -v w="$2" -v c="$3" '$1 == t && $2 == w && $c > m { m = $c } END { print m + 0 }' "$D/rows"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f", (b > 0 ? a / b : 0) }'; }

words_of() { # WHO
	case $1 in
	unwind) echo "$PREC --call-graph unwind" ;;
	packed) echo "$PREC -z --call-graph unwind" ;;
	copies) echo "$PREC --call-graph dwarf" ;;
	perf) echo "$PERF record -N --call-graph dwarf" ;;
	esac
}

once() { # WHAT WHO FREQ SECONDS PIDS
	local words rooted=-

	read -ra words <<< "$(words_of "$2")"
	rm -f "$D/a.data"
	# perf 6.1 aborts now and then when it ends; what it wrote counts
	"$TOOLS/measure" 1 "$D/cpu" "${words[@]}" -e "$BENCH_EVENT" -F "$3" -o "$D/a.data" -p "$5" \
		-- sleep "$4" 2> "$D/$2.err"
	[ -s "$D/a.data" ] || { echo "# $2: $(tail -n 1 "$D/$2.err")"; failed=1; return; }
	"$TOOLS/count_records" "$D/a.data" > "$D/counts"
	if [ "$2" = unwind ]; then
		rooted=$(sed -n 's/.*unwound \([0-9]*\) stacks, \([0-9]*\) of them.*/\2 \1/p' "$D/unwind.err" |
			awk '{ printf "%.2f", 100 * $1 / ($2 ? $2 : 1) }')
	fi
	row "$1" "$2" "$(awk '{ print $2 }' "$D/cpu")" "${rooted:--}"
}

: > "$D/rows"
printf '%-6s %-7s %8s %8s %8s %9s %9s %8s\n' what who samples lost 'cpu s' us/sample B/sample 'rooted %'
for ((turn = 0; turn < BENCH_RUNS; turn++)); do
	for who in unwind packed copies perf; do
		compile_for $((BENCH_SECONDS + 2)) &
		load=$!
		bench_pids=("$load")
		sleep 0.3
		# the shell, whose children inherit the events, and the compiler that runs already
		once clang $who "$BENCH_FREQ" "$BENCH_SECONDS" "$load$(pgrep -P $load | sed 's/^/,/' | tr -d '\n')"
		kill $load 2> /dev/null
		wait $load 2> /dev/null
	done
done
for ((turn = 0; turn < BENCH_LOSS_RUNS; turn++)); do
	"$D/w_busy" 2 30 $((BENCH_LOSS_SECONDS + 3)) > /dev/null &
	load=$!
	bench_pids=("$load")
	sleep 0.2
	once busy unwind 20000 "$BENCH_LOSS_SECONDS" $load
	kill $load 2> /dev/null
	wait $load 2> /dev/null
done
echo
cpu=$(ratio "$(col clang unwind 6)" "$(col clang copies 6)")
verdict "$cpu <= 0.5 && $cpu > 0" "clang: $cpu of the processor time a sample that stack copies take prec"
cpu=$(ratio "$(col clang unwind 6)" "$(col clang perf 6)")
verdict "$cpu <= 1 && $cpu > 0" "clang: $cpu of $PERF's processor time a sample"
size=$(ratio "$(col clang unwind 7)" "$(col clang perf 7)")
verdict "$size <= 0.05 && $size > 0" "clang: $size of $PERF's bytes a sample"
size=$(ratio "$(col clang packed 7)" "$(col clang perf 7)")
verdict "$size <= 0.01 && $size > 0" "clang: $size of $PERF's bytes a sample with -z"
rooted=$(col clang unwind 8)
verdict "$rooted >= 98" "clang: $rooted % of stacks reach the start of the thread"
lost=$(most busy unwind 4)
verdict "$lost == 0" "two threads at 20 kHz: lost $lost samples at most, of $(col busy unwind 3)"
exit "$failed"
