#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is left of a recording whose recorder is killed with -9? At BENCH_KILLS=10 random moments of
# runs of different kinds: of the samples that lay in the file by then, how many does each reader
# print? At least 99 % is asked of the newest stock perf and of pscript; stock perf 6.1 is shown. Also
# asked: pscript says that the recorder did not finish.
#
#	bench/record_kill.sh
#
# BENCH_SECONDS=3 is the latest moment; BENCH_SEED makes a run come again. More variables:
# bench/record_common.sh. Status 1 when a verdict is MISSED.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_KILLS:=10}" "${BENCH_SECONDS:=3}" "${BENCH_SEED:=$RANDOM}"
command -v "$PERF72" > /dev/null || skip_bench "no $PERF72 (PERF72)"
[ -x "$BIN/pscript" ] || skip_bench "no pscript in $BIN"
build_workload w_busy
can_record
about_machine
RANDOM=$BENCH_SEED
echo "# BENCH_SEED=$BENCH_SEED"

modes=(
	"-F 5000 -g"
	"-F 2000 --call-graph dwarf"
	"-F 5000 -g -z"
	"-F 5000 -g -a"
	"-F 2000 --call-graph dwarf,8192 -z0"
	"-F 5000 --call-graph unwind"
	"-F 5000 --call-graph unwind -z -a"
)

printed() { # READER: samples that it prints
	timeout 100 "$@" -F comm,time -i "$D/k.data" 2> "$D/reader.err" | grep -c .
}

printf '%-36s %8s %9s %9s %9s %9s %8s  %s\n' options 'after s' bytes flushed "$PERF72" pscript "$PERF" least
for ((i = 0; i < BENCH_KILLS; i++)); do
	mode=${modes[i % ${#modes[@]}]}
	[[ $(recorder prec) == *"perf record"* ]] && mode=${mode/ -z0/}
	after=$(awk -v r="$RANDOM" -v s="$BENCH_SECONDS" 'BEGIN { printf "%.3f", 0.3 + r / 32768 * s }')
	rm -f "$D"/k.data*
	read -ra words <<< "$(recorder prec) -e $BENCH_EVENT $mode -o $D/k.data"
	"$D/w_busy" 2 30 $((BENCH_SECONDS + 3)) > /dev/null &
	load=$!
	[[ $mode == *" -a"* ]] || words+=(-p "$load")
	"${words[@]}" > /dev/null 2> "$D/prec.err" &
	pid=$!
	bench_pids+=("$load" "$pid")
	sleep "$after"
	kill -9 $pid 2> /dev/null || echo "# it was gone already: $(tail -n 1 "$D/prec.err")"
	wait $pid 2> /dev/null
	kill $load
	wait $load 2> /dev/null
	if ! [ -s "$D/k.data" ]; then
		echo "# $mode: no file after $after s"
		failed=1
		continue
	fi
	"$TOOLS/count_records" --to-end "$D/k.data" > "$D/counts" 2> "$D/counts.err"
	flushed=$(count_of "$D/counts" samples)
	new=$(printed "$PERF72" script) old=$(printed "$PERF" script) ours=$(printed "$BIN/pscript")
	grep -q 'the recorder did not finish' "$D/reader.err" || { echo "# pscript does not say that it was killed"; failed=1; }
	awk -v mode="$mode" -v after="$after" -v bytes="$(stat -c %s "$D/k.data")" -v f="$flushed" -v n="$new" \
		-v o="$ours" -v p="$old" '
		BEGIN {
			least = f ? (n < o ? n : o) * 100 / f : 0
			printf "%-36s %8s %9d %9d %9d %9d %8d  %.2f %%\n", mode, after, bytes, f, n, o, p, least
		}' | tee -a "$D/rows"
	# A file that holds nothing yet says nothing.
	[ "$flushed" -gt 0 ] || { echo "# nothing was flushed after $after s"; failed=1; }
done
echo
worst=$(awk '{ v = $(NF - 1); if (NR == 1 || v < m) m = v } END { print NR ? m : 0 }' "$D/rows")
verdict "$worst >= 99 && $(wc -l < "$D/rows") == $BENCH_KILLS" \
	"of $BENCH_KILLS recordings cut short, at least $worst % of the flushed samples are read"
exit "$failed"
