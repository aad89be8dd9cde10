#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec -a --max-cpu beside a recording of a fixed rate, while the load triples: the CPU time of prec
# against the limit in each third of the time, and the sums of both recordings' periods.
#
#	bench/max_cpu.sh [PERCENT [SECONDS]]	default 0.5, 60: a third each with 1, 3 and 1 loops of
#						short processes; FREQ (default 10000), FIXED (99)
#
# Environment: BIN (default bin), GRAPH (default unwind; fp is so cheap that 0.5 % may be out of
# reach). Status 1 when prec has used more than 1.2 times the limit in some third, less than 0.8 times
# while its rate was lowered, or when the sums differ by more than 3 %.

set -u
: "${BIN:=$PWD/bin}" "${FREQ:=10000}" "${FIXED:=99}" "${GRAPH:=unwind}"
percent=${1:-0.5} seconds=${2:-60}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
storm() { # LOOPS SECONDS
	local i

	for ((i = 0; i < $1; i++)); do
		timeout "$2" sh -c 'while :; do ls / > /dev/null; n=0; while [ $n -lt 3000 ]; do n=$((n + 1)); done; done' &
	done
	sleep "$2"
}
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }
third=$((seconds / 3))
"$BIN/prec" -o "$tmp/fixed" -q -a -N -F "$FIXED" -e cpu-clock -g --for "$((3 * third + 13))s" &
fixed=$!
"$BIN/prec" -o "$tmp/limit" -a -N -F "$FREQ" -e cpu-clock --call-graph "$GRAPH" --max-cpu "$percent" -v \
	--for "$((3 * third + 13))s" 2> "$tmp/said" &
limited=$!
sleep 12 # what existed before is read, which is paid back, and the rate is found
before=$(ticks $limited)
for loops in 1 3 1; do
	storm $loops $third
	after=$(ticks $limited)
	echo "$loops $((after - before))" >> "$tmp/thirds"
	before=$after
done
wait $fixed $limited
grep -e '--max-cpu' "$tmp/said"
# FILE FROM TO: sums of periods between two times, which both recordings have. Not of idle CPUs: on virtual
# machines, the kernel takes the fewer samples of these the higher the rate is.
sum() {
	"$BIN/pscript" --quality=none -i "$1" --time "$2,$3" -F pid,period |
		awk '$1 != 0 { s += $2 } END { printf "%.0f\n", s }'
}
bounds() { "$BIN/pscript" --quality=none -i "$1" -F time | awk '{ sub(/:/, "") } NR == 1 { first = $1 } END { print first, $1 }'; }
read -r a0 a1 <<< "$(bounds "$tmp/fixed")"
read -r b0 b1 <<< "$(bounds "$tmp/limit")"
from=$(awk -v a="$a0" -v b="$b0" 'BEGIN { print (a > b ? a : b) }') to=$(awk -v a="$a1" -v b="$b1" 'BEGIN { print (a < b ? a : b) }')
a=$(sum "$tmp/fixed" "$from" "$to") b=$(sum "$tmp/limit" "$from" "$to")
awk -v a="$a" -v b="$b" -v limit="$percent" -v secs="$third" -v cpus="$(nproc)" -v hz="$(getconf CLK_TCK)" \
	-v lowered="$(grep -c 'lowest rate' "$tmp/said")" '
	{
		used = 100 * $2 / hz / secs / cpus
		ok = used <= limit * 1.2 && (used >= limit * 0.8 || !lowered)
		printf "%d loops: %.3f %% of all CPUs used, limit %s  %s\n", $1, used, limit, ok ? "ok" : "MISSED"
		bad += !ok
	}
	END {
		off = 100 * (b - a) / a
		ok = off < 3 && off > -3
		printf "sums of periods: fixed rate %.3f s, limited %.3f s, %+.2f %%  %s\n", a / 1e9, b / 1e9, off,
			ok ? "ok" : "MISSED"
		exit bad || !ok
	}' "$tmp/thirds"
