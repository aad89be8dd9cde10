#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pfold on recordings with stack copies, names and inlined functions included, against the newest stock perf's script, samply
# import (which resolves no names) and cat. Records clang++ compiling bench/workload.cc three times:
#
#	8k	8 KiB of stack, about 20,000 samples
#	64k	65,528 bytes, about 9,000
#	long	8 KiB, about 1.4 GB
#
# The commands run in turn; a figure is the median of all turns, a ratio the median of the ratios of each turn. perf runs once
# for each recording (PERF_RUNS), on the long one not at all. Status 1 when pfold misses what BENCH_GOALS=1 asks for: 20 times
# as fast as perf and 4 times as fast as samply, at most 2.5 times the time of cat and 300 MB on the long one (by wall time).
#
#	make && make build/gcc/bench/measure build/gcc/bench/unwind_speed && bench/dwarf_speed.sh
#	PERF=perf			the stock perf that records
#	PERF72=perf-sid SAMPLY=samply	each left out where it is not installed
#	BENCH_DIR=build/bench-dwarf	where files are kept; recordings found there are used again
#	BENCH_EVENT=cpu-clock BENCH_8K=20000 BENCH_64K=9000 BENCH_LONG=1400 (MB)
#	BENCH_RUNS=5 PERF_RUNS=1	turns
#	BENCH_ARGS=			options of pfold, such as --threads=1
#	BIN, TOOLS			folders of pfold, and of measure and unwind_speed

set -eu
cd "$(dirname "$0")/.."
: "${PERF:=perf}" "${PERF72:=perf-sid}" "${SAMPLY:=samply}" "${BENCH_DIR:=build/bench-dwarf}"
: "${BENCH_EVENT:=cpu-clock}" "${BENCH_8K:=20000}" "${BENCH_64K:=9000}" "${BENCH_LONG:=1400}"
: "${BENCH_RUNS:=5}" "${PERF_RUNS:=1}" "${BENCH_ARGS:=}" "${BENCH_GOALS:=0}"
: "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
export LC_ALL=C
unset DEBUGINFOD_URLS
failed=0

skip() {
	echo "dwarf_speed: $*" >&2
	exit 77
}

[ -x "$BIN/pfold" ] || skip "$BIN/pfold is not built"
[ -x "$TOOLS/measure" ] || skip "$TOOLS/measure is not built"
mkdir -p "$BENCH_DIR"

# name stack bytes: a recording of one compilation, of about that size: where the machine was too fast or too slow for that,
# another try with another frequency
record() {
	local f=$(($3 * 1000 / ($2 + 240) / ms)) try size

	[ ! -s "$BENCH_DIR/$1.data" ] || return 0
	for try in 1 2 3; do
		f=$((f < 1 ? 1 : f > 24999 ? 24999 : f))
		"$PERF" record -q -m 16M -e "$BENCH_EVENT" -F "$f" --call-graph "dwarf,$2" -o "$BENCH_DIR/$1.new" -- \
			clang++ -std=gnu++17 -O2 -c bench/workload.cc -o /dev/null 2> "$BENCH_DIR/stderr" ||
			skip "$PERF cannot record here"
		size=$(stat -c %s "$BENCH_DIR/$1.new")
		[ $((size * 10)) -lt $(($3 * 9)) ] || [ $((size * 10)) -gt $(($3 * 11)) ] || break
		[ "$try" = 3 ] || f=$((f * ($3 / 1000) / (size / 1000 + 1)))
	done
	mv "$BENCH_DIR/$1.new" "$BENCH_DIR/$1.data"
}

# How long one compilation takes (ms of processor time) decides the first frequency.
if [ ! -s "$BENCH_DIR/long.data" ] || [ ! -s "$BENCH_DIR/8k.data" ] || [ ! -s "$BENCH_DIR/64k.data" ]; then
	command -v clang++ > /dev/null || skip "no clang++"
	"$TOOLS/measure" 1 "$BENCH_DIR/one" clang++ -std=gnu++17 -O2 -c bench/workload.cc -o /dev/null
	ms=$(awk '{ print int($2 * 1000) }' "$BENCH_DIR/one")
	record 8k 8192 $((BENCH_8K * 8450))
	record 64k 65528 $((BENCH_64K * 65780))
	record long 8192 $((BENCH_LONG * 1000000))
fi

# shellcheck source=bench/turns.sh
. bench/turns.sh

goal() { # condition text
	[ "$BENCH_GOALS" = 1 ] || return 0
	if awk "BEGIN { exit !($1) }"; then
		echo "ok      $2"
	else
		echo "MISSED  $2"
		failed=1
	fi
}

row() { # name text, and what the ratios are of
	awk -v t="$2" -v w="$(median "$1" 1)" -v c="$(median "$1" 2)" -v k="$(median "$1" 3)" \
		-v rw="$(ratio "$1" 1 "$3")" -v rc="$(ratio "$1" 2 "$3")" \
		'BEGIN { printf "%-16s %8.3f %8.3f %9.1f   %7.2f x  %7.2f x\n", t, w, c, k / 1024, rw, rc }'
}

rivals=
has "$PERF72" && rivals="$rivals perf"
has "$SAMPLY" && rivals="$rivals samply"

echo "$(uname -srm), $(nproc) CPUs; medians of $BENCH_RUNS turns"
for name in 8k 64k long; do
	data=$BENCH_DIR/$name.data
	now="cat $rivals"
	[ $name != long ] || now="cat"
	rm -f "$BENCH_DIR"/{pfold,cat,perf,samply}
	# the first turn fills the caches and does not count
	for ((i = 0; i <= BENCH_RUNS; i++)); do
		# shellcheck disable=SC2086
		measure pfold "$BIN/pfold" $BENCH_ARGS "$data"
		measure cat cat "$data"
		case $now in *samply*) measure samply "$SAMPLY" import --save-only -o "$BENCH_DIR/samply.json" "$data" ;; esac
		if [ "$i" = 0 ]; then
			rm -f "$BENCH_DIR"/{pfold,cat,samply}
		elif [ "$i" -le "$PERF_RUNS" ]; then
			case $now in *perf*) measure perf "$PERF72" script -i "$data" ;; esac
		fi
	done
	samples=$("$BIN/pfold" --weight=samples "$data" 2> /dev/null | awk '{ n += $NF } END { print n + 0 }')
	printf '\n%-16s %8s %8s %9s   %s\n' "$name" 'wall s' 'cpu s' 'peak MiB' 'of pfold: wall, cpu'
	echo "# $samples samples, $(stat -c %s "$data") bytes"
	for who in pfold $now; do
		row "$who" "$who" pfold
	done
	if [ $name = long ]; then
		times=$(ratio pfold 1 cat)
		peak=$(median pfold 3)
		echo "# pfold takes $times times the time of cat"
		goal "$times <= 2.5" "at most 2.5 times the time of cat: $times"
		goal "$peak * 1024 <= 300e6" "at most 300 MB: $((peak * 1024 / 1000000))"
		continue
	fi
	case $now in *perf*) goal "$(ratio perf 1 pfold) >= 20" "20 times as fast as perf on $name: $(ratio perf 1 pfold)" ;; esac
	case $now in *samply*) goal "$(ratio samply 1 pfold) >= 4" "4 times as fast as samply on $name: $(ratio samply 1 pfold)" ;; esac
done
if [ -x "$TOOLS/unwind_speed" ]; then
	echo
	"$TOOLS/unwind_speed"
fi
exit $failed
