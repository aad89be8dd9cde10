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
# A profile of pfold --threads=1 says how much of its work is done by one thread at a time, whatever
# their number: the reading of pieces, and the turns of parts, in which the machine changes. Both go
# on side by side, so the larger share is the bound: with T threads the counting becomes at most
# (1 / that share) times as fast.
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
	"$BIN/pfold" --threads 1 -i "$SCALE_DATA" > /dev/null 2>&1
"$BIN/prep" --children -g none -s sym -i "$SCALE_DIR/profile.data" 2> /dev/null | awk '
	$4 == "count_parts_run" { all = $1 + 0 }
	$4 == "pd_next_run" { reading = $1 + 0 }
	$4 == "take_turn" { turns = $1 + 0 }
	END {
		printf "pfold, one thread: reading %.1f %%, turns %.1f %%, other counting %.1f %%, the rest %.1f %%\n",
			reading, turns, all - reading - turns, 100 - all
	}'
