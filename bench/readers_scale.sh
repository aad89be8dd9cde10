#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pfold and prep on a large recording of the whole machine: times and peak memory with one thread and
# with two, and how much of pfold's work only one thread at a time can do.
#
#	make && make build/gcc/bench/gen_perfdata build/gcc/bench/measure && bench/readers_scale.sh [OLD_BIN]
#
# Records (prec -a -g) a storm of short processes, and repeats that recording up to SCALE_SAMPLES
# samples: the processes start, map, fork and exit again each time. The commands run in turns; the
# figures are medians. With OLD_BIN, a folder with the commands of another build, these run in the same
# turns, and the output of both builds is compared.
#
# A profile of pfold --threads=2 says how much of its work is done by one thread at a time, whatever
# their number. The turns of parts, in which the machine changes, and the reading of pieces go on
# beside the counting of others: the larger share of the two is a bound for the counting alone.
# "Alone" is what the main thread does while no other one works: it is the share that counts in
# Amdahl's law.
#
#	SCALE_DIR=build/scale		where files are kept; recordings found there are used again
#	SCALE_DATA=			a recording to use instead
#	SCALE_SAMPLES=2000000 SCALE_SECONDS=15 SCALE_FREQ=20000
#	SCALE_RUNS=5			turns
#	BIN, TOOLS			folders of the commands, and of gen_perfdata and measure

set -eu
cd "$(dirname "$0")/.."
: "${SCALE_DIR:=build/scale}" "${SCALE_SAMPLES:=2000000}" "${SCALE_SECONDS:=15}" "${SCALE_FREQ:=20000}"
: "${SCALE_RUNS:=5}" "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
OLD=${1-}
BENCH_DIR=$SCALE_DIR/figures
export LC_ALL=C BIN
unset DEBUGINFOD_URLS

for tool in "$BIN/pfold" "$BIN/prep" "$BIN/prec" "$TOOLS/measure" "$TOOLS/gen_perfdata"; do
	[ -x "$tool" ] || { echo "readers_scale: $tool is not built" >&2; exit 77; }
done
rm -rf "$BENCH_DIR"
mkdir -p "$BENCH_DIR"

# shellcheck source=bench/turns.sh
. bench/turns.sh

# Short processes, of which each has its own address space and a few thousand instructions to run.
storm() {
	local end=$((SECONDS + SCALE_SECONDS))

	while [ $SECONDS -lt $end ]; do
		sh -c 'for i in 1 2 3 4 5 6; do /bin/true; done; seq 2000 | sort -rn | uniq -c | wc -l'
		awk 'BEGIN { for (i = 0; i < 20000; i++) s += length(i "x"); print s }'
		sed -n 's/a/b/p' README.md | grep -c b || true
		command -v python3 > /dev/null && python3 -S -c 'print(sum(len(str(i)) for i in range(30000)))'
	done > /dev/null
}
export -f storm
export SCALE_SECONDS

record() {
	local short=$SCALE_DIR/storm.data

	[ -s "$short" ] || "$BIN/prec" -q -a -g -F "$SCALE_FREQ" -o "$short" -- \
		bash -c 'storm & storm & storm & wait' || { echo "readers_scale: prec cannot record here" >&2; exit 77; }
	"$TOOLS/gen_perfdata" "$short" "$SCALE_DATA" "$SCALE_SAMPLES" > /dev/null
}

if [ -z "${SCALE_DATA-}" ]; then
	SCALE_DATA=$SCALE_DIR/$SCALE_SAMPLES.data
	[ -s "$SCALE_DATA" ] || record
fi
"$BIN/prep" --stats -i "$SCALE_DATA" 2> /dev/null | awk -v size="$(stat -c %s "$SCALE_DATA")" '
	$1 == "SAMPLE" && !n { n = $3 }
	$1 == "FORK" { forks = $3 }
	END { printf "recording: %d MB, %d samples, %d forks\n", size / 1e6, n, forks }'

run() { # NAME BIN COMMAND THREADS
	measure "$1" "$2/$3" --threads "$4" -i "$SCALE_DATA"
}

for turn in $(seq "$SCALE_RUNS"); do
	for command in pfold prep; do
		for threads in 1 2; do
			run "$command.$threads" "$BIN" "$command" "$threads"
			[ -z "$OLD" ] || run "old.$command.$threads" "$OLD" "$command" "$threads"
		done
	done
	echo "turn $turn of $SCALE_RUNS" >&2
done
printf '%-14s %9s %9s %9s   %s\n' "" "wall s" "cpu s" "peak MB" "wall, 1 thread : 2"
for name in old.pfold pfold old.prep prep; do
	[ -e "$BENCH_DIR/$name.1" ] || continue
	for threads in 1 2; do
		printf '%-14s %9.2f %9.2f %9.0f' "$name $threads" "$(median "$name.$threads" 1)" \
			"$(median "$name.$threads" 2)" "$(median "$name.$threads" 3 | awk '{ print $1 / 1024 }')"
		[ $threads = 1 ] || printf '   %.2f' "$(ratio "$name.1" 1 "$name.2")"
		echo
	done
done
[ -z "$OLD" ] || for command in pfold prep; do
	if cmp -s <("$OLD/$command" --threads 1 -i "$SCALE_DATA" 2> /dev/null) \
		<("$BIN/$command" --threads 2 -i "$SCALE_DATA" 2> /dev/null); then
		echo "$command: old with one thread and new with two print the same"
	else
		echo "$command: DIFFERENT output"
	fi
done

"$BIN/prec" -q --call-graph dwarf,16384 -F 997 -o "$SCALE_DIR/profile.data" -- \
	"$BIN/pfold" --threads 2 -i "$SCALE_DATA" > /dev/null 2>&1
"$BIN/pfold" -i "$SCALE_DIR/profile.data" 2> /dev/null | awk '
	{ n = $NF; all += n }
	/;take_turn[; ]/ { turns += n; next }
	/;(read_piece|put_in_order)[; ]/ { reading += n; next }
	# the functions that several threads call at once
	/;(count|fold_piece|look_at_piece|print_piece|merge_blobs|merge_rows|hash_rows|translate_stacks)[; ]/ { next }
	/;(give_piece|number_roots|put_names)[; ]/ { next }
	# build_frames, which the compiler may put into its caller, and what it calls
	/;(build_frames|count_result_frames|counts_resolve|fold_frames_init)[; ]/ { frames += n; next }
	# in a thread beside build_frames
	/;(order_rows|count_result_rows)[; ]/ { rows += n; next }
	/;clone3;/ { next }
	{ alone += n }
	END {
		alone += rows > frames ? rows : frames
		printf "pfold, of all its work: turns %.1f %%, reading %.1f %%, alone %.1f %%\n",
			100 * turns / all, 100 * reading / all, 100 * alone / all
	}'
