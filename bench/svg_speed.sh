#!/bin/bash
# SPDX-License-Identifier: MIT
#
# CPU time of pfold --svg beyond that of pfold > /dev/null, against the whole runs of
# inferno-flamegraph and flamegraph.pl on the same stacks.
#
#	bench/svg_speed.sh RECORDING...
#
# Each figure is the least of RUNS (default 15) turns, in which the programs run one after the other,
# without what starting a program that does nothing takes.
# Environment: BIN (default bin).

set -eu
: "${BIN:=bin}" "${RUNS:=15}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints user and system time of a command in milliseconds.
cpu() { # command...
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
t = resource.getrusage(resource.RUSAGE_CHILDREN); print("%.1f" % (1000 * (t.ru_utime + t.ru_stime)))' "$@"
}

printf '%-24s %9s %9s %9s %9s %9s\n' recording pfold pfold-svg text-svg inferno perl
for recording; do
	"$BIN/pfold" -q "$recording" > "$work/folded"
	for ((i = 0; i < RUNS; i++)); do
		echo "$(cpu true) $(cpu "$BIN/pfold" -q --threads=1 "$recording") $(
			cpu "$BIN/pfold" -q --threads=1 "$recording" --svg "$work/svg") $(
			cpu "$BIN/pfold" -q "$work/folded" --svg "$work/svg") $(
			cpu inferno-flamegraph "$work/folded") $(
			[ $((i % 5)) != 0 ] || cpu flamegraph.pl "$work/folded")"
	done | awk -v name="$(basename "$recording")" '
		{ for (i = 1; i <= NF; i++) if (!(i in least) || $i < least[i]) least[i] = $i }
		END { printf "%-24s", name; for (i = 2; i <= 6; i++) printf " %8.1fms", least[i] - least[1]; print "" }'
done
