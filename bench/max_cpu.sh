#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec -a --max-cpu beside a recording of a fixed rate, while the load triples: the CPU time of prec
# against the limit, and the sums of both recordings' periods.
#
#	bench/max_cpu.sh [PERCENT [SECONDS]]	default 0.5, 20: a third each with 1, 3 and 1 loops of
#						short processes; FREQ (default 4000), FIXED (99)
#
# Environment: BIN (default bin).

set -eu
: "${BIN:=$PWD/bin}" "${FREQ:=4000}" "${FIXED:=99}"
percent=${1:-0.5} seconds=${2:-20}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
storm() { # LOOPS SECONDS
	local i

	for ((i = 0; i < $1; i++)); do
		timeout "$2" sh -c 'while :; do ls / > /dev/null; n=0; while [ $n -lt 3000 ]; do n=$((n + 1)); done; done' &
	done
	sleep "$2"
}
third=$((seconds / 3))
"$BIN/prec" -o "$tmp/fixed" -q -a -N -F "$FIXED" -e cpu-clock -g --for "$((3 * third))s" &
fixed=$!
"$BIN/prec" -o "$tmp/limit" -a -N -F "$FREQ" -e cpu-clock -g --max-cpu "$percent" -v --for "$((3 * third))s" \
	2> "$tmp/said" &
storm 1 $third
storm 3 $third
storm 1 $third
wait $fixed || true
wait
grep -e '--max-cpu' "$tmp/said"
sum() { # FILE
	"$BIN/pscript" --quality=none -i "$1" -F period | awk '{ s += $1 } END { printf "%.0f\n", s }'
}
a=$(sum "$tmp/fixed") b=$(sum "$tmp/limit")
awk -v a="$a" -v b="$b" 'BEGIN {
	printf "sum of periods: fixed rate %.3f s, limited %.3f s, %+.2f %%\n", a / 1e9, b / 1e9, 100 * (b - a) / a }'
