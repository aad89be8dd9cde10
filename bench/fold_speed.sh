#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pfold against the ways to collapsed stacks that there are: stock perf script piped into inferno-collapse-perf, and samply import.
# Records clang++ compiling bench/workload.cc once with call chains, at a frequency that gives about BENCH_SAMPLES samples, makes a
# recording ten times as long of it, and prints times, ratios and peak memory. The commands run in turn; a ratio is the median of
# those of each turn. So does prep with call graphs against stock perf report.
#
#	make && make build/gcc/bench/gen_perfdata build/gcc/bench/measure && bench/fold_speed.sh
#	PERF=perf			the stock perf that records
#	PERF72=perf-sid			the stock perf that is measured
#	INFERNO=inferno-collapse-perf SAMPLY=samply	each left out where it is not installed
#	BENCH_DIR=build/bench-fold	where files are kept; recordings found there are used again
#	BENCH_SAMPLES=200000 BENCH_EVENT=cpu-clock
#	BENCH_RUNS=5			turns
#	BENCH_ARGS=			options of pfold, such as --threads=1
#	BIN, TOOLS			folders of pfold, and of gen_perfdata and measure

set -eu
cd "$(dirname "$0")/.."
: "${PERF:=perf}" "${PERF72:=perf-sid}" "${INFERNO:=inferno-collapse-perf}" "${SAMPLY:=samply}"
: "${BENCH_DIR:=build/bench-fold}" "${BENCH_SAMPLES:=200000}" "${BENCH_EVENT:=cpu-clock}"
: "${BENCH_RUNS:=5}" "${BENCH_ARGS:=}" "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
export LC_ALL=C
unset DEBUGINFOD_URLS

[ -x "$BIN/pfold" ] || { echo "fold_speed: $BIN/pfold is not built" >&2; exit 77; }
mkdir -p "$BENCH_DIR"
data=$BENCH_DIR/$BENCH_SAMPLES.data
long=$BENCH_DIR/$((BENCH_SAMPLES * 10)).data
compile=(clang++ -std=gnu++17 -O2 -c bench/workload.cc -o /dev/null)

# The machine decides how many samples a frequency gives: where they are too few or too many, another try with another one.
record() {
	local f try nr

	command -v clang++ > /dev/null || { echo "fold_speed: no clang++" >&2; exit 77; }
	"$TOOLS/measure" 1 "$BENCH_DIR/one" "${compile[@]}"
	f=$(awk -v n="$BENCH_SAMPLES" '{ print int(n / $2) }' "$BENCH_DIR/one")
	for try in 1 2 3; do
		f=$((f < 1 ? 1 : f > 24999 ? 24999 : f))
		"$PERF" record -q -g -e "$BENCH_EVENT" -F "$f" -o "$data.new" -- "${compile[@]}" 2> "$BENCH_DIR/stderr" ||
			{ echo "fold_speed: $PERF cannot record here" >&2; exit 77; }
		nr=$("$BIN/prep" --stats -i "$data.new" | awk '$1 == "SAMPLE" { print $3; exit }')
		[ $((nr * 10)) -lt $((BENCH_SAMPLES * 9)) ] || [ $((nr * 10)) -gt $((BENCH_SAMPLES * 11)) ] || break
		[ "$try" = 3 ] || f=$((f * BENCH_SAMPLES / (nr + 1)))
	done
	mv "$data.new" "$data"
}

[ -s "$data" ] || record
if [ ! -s "$long" ] || [ "$data" -nt "$long" ]; then
	nr=$("$BIN/prep" --stats -i "$data" | awk '$1 == "SAMPLE" { print $3; exit }')
	"$TOOLS/gen_perfdata" "$data" "$long" $((nr * 10)) > /dev/null
fi

# shellcheck source=bench/turns.sh
. bench/turns.sh

pipe() {
	# shellcheck disable=SC2016
	measure perf sh -c '"$1" script -i "$2" 2> /dev/null | "$3"' - "$PERF72" "$data" "$INFERNO"
}

rivals=
has "$PERF72" && has "$INFERNO" && rivals="$rivals perf"
has "$SAMPLY" && rivals="$rivals samply"
rm -f "$BENCH_DIR"/{pfold,perf,samply,long,prep,report}
# the first turn fills the caches and does not count
for ((i = 0; i <= BENCH_RUNS; i++)); do
	# shellcheck disable=SC2086
	measure pfold "$BIN/pfold" $BENCH_ARGS "$data"
	case $rivals in *perf*) pipe ;; esac
	case $rivals in *samply*) measure samply "$SAMPLY" import --save-only -o "$BENCH_DIR/samply.json" "$data" ;; esac
	# shellcheck disable=SC2086
	measure long "$BIN/pfold" $BENCH_ARGS "$long"
	measure prep "$BIN/prep" --stdio -i "$data"
	has "$PERF72" 2> /dev/null && measure report "$PERF72" report --stdio -i "$data"
	[ "$i" != 0 ] || rm -f "$BENCH_DIR"/{pfold,perf,samply,long,prep,report}
done

echo "$(uname -srm), $(nproc) CPUs; $("$BIN/prep" --stats -i "$data" | awk '$1 == "SAMPLE" { print $3; exit }') samples," \
	"$(stat -c %s "$data") bytes; medians of $BENCH_RUNS turns"
printf '%-22s %8s %8s %9s   %s\n' '' 'wall s' 'cpu s' 'peak MiB' 'of pfold: wall, cpu, peak'
for name in pfold $rivals long; do
	case $name in
	perf) text='perf | inferno' ;;
	samply) text='samply import' ;;
	long) text='pfold, 10 x as long' ;;
	*) text=$name ;;
	esac
	awk -v t="$text" -v w="$(median "$name" 1)" -v c="$(median "$name" 2)" -v k="$(median "$name" 3)" \
		-v rw="$(ratio "$name" 1 pfold)" -v rc="$(ratio "$name" 2 pfold)" -v rk="$(ratio "$name" 3 pfold)" \
		'BEGIN { printf "%-22s %8.3f %8.3f %9.1f   %6.1f x  %6.1f x  %5.2f x\n", t, w, c, k / 1024, rw, rc, rk }'
done
[ -s "$BENCH_DIR/report" ] || exit 0
echo
printf '%-22s %8s %8s %9s   %s\n' '' 'wall s' 'cpu s' 'peak MiB' 'of prep: wall, cpu, peak'
for name in prep report; do
	awk -v t="$name --stdio" -v w="$(median "$name" 1)" -v c="$(median "$name" 2)" -v k="$(median "$name" 3)" \
		-v rw="$(ratio "$name" 1 prep)" -v rc="$(ratio "$name" 2 prep)" -v rk="$(ratio "$name" 3 prep)" \
		'BEGIN { printf "%-22s %8.3f %8.3f %9.1f   %6.1f x  %6.1f x  %5.2f x\n", t, w, c, k / 1024, rw, rc, rk }'
done
