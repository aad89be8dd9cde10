#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat --as against perf's own analyzers, in turns: CPU seconds and memory on one recording of
# scheduler events and one of system calls; plat runq against a script in Python for `perf script -s`.
#
#	bench/event_speed.sh PERF SCHED.data SYSCALLS.data [TURNS]
#	PERF_PYTHON=/usr/bin/perf bench/event_speed.sh ...	the perf that runs scripts in Python; each
#								turn takes it several seconds
#	STACKS=STACKS.data bench/event_speed.sh ...		also plat on scheduler events with call
#								chains: ns of CPU time an event
#
# The recordings: prec -a -m 32M -e 'sched:*' -o SCHED.data -- COMMAND, and prec -a -m 32M
# -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o SYSCALLS.data -- COMMAND, and prec -a -g -m 32M
# -e sched:sched_switch,sched:sched_waking -o STACKS.data -- COMMAND.
set -eu
perf=$1 sched=$2 calls=$3 turns=${4:-5}
BIN=${BIN:-bin}
TOOLS=${TOOLS:-build/gcc/bench}
BENCH_DIR=$(mktemp -d)
trap 'rm -rf "$BENCH_DIR"' EXIT
# shellcheck source=bench/turns.sh
. "$(dirname "$0")/turns.sh"
# Read anew from the disk, the files lie in memory in pieces of many pages, as they do when they have
# just been recorded. On a busy machine they come to lie in single pages with time, and mapping these
# takes every reader several times as long.
for file in "$sched" "$calls"; do
	dd if="$file" iflag=nocache count=0 status=none
	cat "$file" > /dev/null
done
for ((i = 0; i < turns; i++)); do
	measure latency_perf "$perf" sched latency -i "$sched"
	measure latency_plat "$BIN/plat" --as=sched-latency -i "$sched"
	measure trace_perf "$perf" trace -s -i "$calls"
	measure trace_plat "$BIN/plat" --as=trace-s -i "$calls"
	if [ -n "${PERF_PYTHON-}" ]; then
		measure python_perf "$PERF_PYTHON" script -i "$sched" -s "$(dirname "$0")/perf_pair_script.py"
		measure python_plat "$BIN/plat" runq -i "$sched"
	fi
	if [ -n "${STACKS-}" ]; then
		measure folded "$BIN/plat" runq --folded "$BENCH_DIR/stacks" -i "$STACKS"
		measure worst "$BIN/plat" runq --worst 5 -i "$STACKS"
		measure offcpu "$BIN/plat" offcpu -i "$STACKS"
	fi
done
for what in latency trace ${PERF_PYTHON:+python}; do
	printf '%-8s perf %s s %s KiB, plat %s s %s KiB, %s times the CPU time\n' "$what" \
		"$(median ${what}_perf 2)" "$(median ${what}_perf 3)" "$(median ${what}_plat 2)" \
		"$(median ${what}_plat 3)" "$(ratio ${what}_perf 2 ${what}_plat)"
done
[ -n "${STACKS-}" ] || exit 0
events=$("$BIN/prep" --stats -i "$STACKS" | awk '$1 == "SAMPLE" { print $3; exit }')
for what in folded worst offcpu; do
	printf '%-8s plat %s s %s KiB, %s ns an event with stacks\n' "$what" "$(median $what 2)" "$(median $what 3)" \
		"$(median $what 2 | awk -v n="$events" '{ printf "%.0f", $1 / n * 1e9 }')"
done
