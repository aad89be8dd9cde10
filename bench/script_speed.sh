#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pscript against stock `perf script`: records clang++ compiling bench/workload.cc with call chains,
# makes files of several sizes of that recording, and prints times, ratio and peak memory.
#
#	make bench			or, with other choices:
#	PERF=perf			the stock perf that is measured and that records
#	BENCH_DIR=build/bench		where files are kept; a recording found there is used again
#	BENCH_SIZES="18000 180000 1800000"
#	BENCH_FREQ=4999 BENCH_EVENT=cpu-clock
#	BENCH_COMMAND=			what is recorded instead of clang++. Distributions build clang without
#					frame pointers, so many of its chain entries are of no object at all
#	BENCH_RUNS=3			runs of each command; the fastest counts
#	BENCH_PERF_MAX=200000		stock perf is run once only above this number of samples
#	BENCH_ARGS=			options for both, such as "-F comm,ip,sym" or --no-inline
#	BIN, TOOLS			folders of pscript, and of gen_perfdata and measure

set -eu
cd "$(dirname "$0")/.."
: "${PERF:=perf}" "${BENCH_DIR:=build/bench}" "${BENCH_SIZES:=18000 180000 1800000}"
: "${BENCH_FREQ:=4999}" "${BENCH_EVENT:=cpu-clock}" "${BENCH_RUNS:=3}" "${BENCH_ARGS:=}"
: "${BENCH_PERF_MAX:=200000}" "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
export LC_ALL=C
unset DEBUGINFOD_URLS

[ -x "$BIN/pscript" ] || { echo "script_speed: $BIN/pscript is not built" >&2; exit 77; }
mkdir -p "$BENCH_DIR"
base=$BENCH_DIR/base.data

if [ ! -s "$base" ]; then
	if [ -z "${BENCH_COMMAND-}" ] && ! command -v clang++ > /dev/null; then
		echo "script_speed: no clang++" >&2
		exit 77
	fi
	: "${BENCH_COMMAND:=clang++ -std=gnu++17 -O2 -c bench/workload.cc -o /dev/null}"
	# shellcheck disable=SC2086
	"$PERF" record -q -g -e "$BENCH_EVENT" -F "$BENCH_FREQ" -o "$base.new" -- $BENCH_COMMAND ||
		{ echo "script_speed: $PERF cannot record here" >&2; exit 77; }
	mv "$base.new" "$base"
fi

measure() { # runs result-file command...
	"$TOOLS/measure" "$@" 2> "$BENCH_DIR/stderr" && return
	echo "script_speed: failed: ${*:3}" >&2
	head -n 5 "$BENCH_DIR/stderr" >&2
	exit 1
}

echo "$("$PERF" --version), $(uname -srm), $(nproc) CPUs, $(stat -c %s "$base") bytes recorded"
printf '%9s %9s  %9s %9s %8s  %9s %9s %8s  %6s  %s\n' samples bytes \
	'perf s' 'cpu s' 'MiB' 'pscript s' 'cpu s' 'MiB' ratio text
for n in $BENCH_SIZES; do
	data=$BENCH_DIR/$n.data
	if [ ! -s "$data" ] || [ "$base" -nt "$data" ]; then
		"$TOOLS/gen_perfdata" "$base" "$data" "$n" > /dev/null
	fi
	runs=$BENCH_RUNS same=-
	[ "$n" -le "$BENCH_PERF_MAX" ] || runs=1
	# shellcheck disable=SC2086
	{
	measure "$BENCH_RUNS" "$BENCH_DIR/ours" "$BIN/pscript" -i "$data" $BENCH_ARGS
	measure "$runs" "$BENCH_DIR/theirs" "$PERF" script -i "$data" $BENCH_ARGS
	if [ "$n" -le 20000 ]; then
		"$BIN/pscript" -i "$data" $BENCH_ARGS > "$BENCH_DIR/ours.txt" 2> /dev/null
		"$PERF" script -i "$data" $BENCH_ARGS > "$BENCH_DIR/theirs.txt" 2> /dev/null
		same=$(diff "$BENCH_DIR/theirs.txt" "$BENCH_DIR/ours.txt" | grep -c '^>' || true)
		[ "$same" = 0 ] && same=same || same="$same lines differ"
	fi
	}
	read -r o_wall o_cpu o_kib < "$BENCH_DIR/ours"
	read -r t_wall t_cpu t_kib < "$BENCH_DIR/theirs"
	awk -v n="$n" -v bytes="$(stat -c %s "$data")" -v same="$same" \
		-v ow="$o_wall" -v oc="$o_cpu" -v ok="$o_kib" -v tw="$t_wall" -v tc="$t_cpu" -v tk="$t_kib" \
		'BEGIN { printf "%9d %9d  %9.2f %9.2f %8.0f  %9.2f %9.2f %8.0f  %5.1fx  %s\n",
			n, bytes, tw, tc, tk / 1024, ow, oc, ok / 1024, tw / (ow > 0 ? ow : 0.001), same }'
done
