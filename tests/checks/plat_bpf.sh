#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat beside bpftrace, live, of the same program: how often its threads waited for a CPU, and its
# system calls; numbers, sums, and quantiles within bpftrace's buckets.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
for p in bpftrace python3; do
	command -v $p > /dev/null || { echo "1..0 # SKIP no $p"; exit 77; }
done
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }
timeout 20 bpftrace -e 'BEGIN { exit(); } tracepoint:sched:sched_switch { }' > "$work/log" 2>&1 ||
	{ echo "1..0 # SKIP bpftrace cannot read tracepoints here"; exit 77; }
cp "$O/tests/tools/lock_load" "$work/bpfload" || exit 2

cat > "$work/runq.bt" << 'END'
tracepoint:sched:sched_waking, tracepoint:sched:sched_wakeup_new { @begin[args->pid] = nsecs; }
tracepoint:sched:sched_switch {
	if (@begin[args->next_pid] != 0) {
		$ns = nsecs - @begin[args->next_pid];
		if (args->next_comm == "bpfload") { @n = count(); @sum = sum($ns); @us = hist($ns / 1000); }
		delete(@begin[args->next_pid]);
	}
	if (args->prev_pid != 0 && (args->prev_state == 0 || args->prev_state & 0x100)) {
		@begin[args->prev_pid] = nsecs;
	}
}
END { clear(@begin); }
END
cat > "$work/calls.bt" << 'END'
tracepoint:raw_syscalls:sys_enter /comm == "bpfload" && args->id == 11/ { @begin[tid] = nsecs; }
tracepoint:raw_syscalls:sys_exit /@begin[tid] != 0/ {
	$ns = nsecs - @begin[tid];
	@n = count(); @sum = sum($ns); @us = hist($ns / 1000);
	delete(@begin[tid]);
}
END { clear(@begin); }
END

# Waits up to 10 s until a file has a word.
wait_for() { # FILE WORD
	for ((i = 0; i < 100; i++)); do
		grep -q "$2" "$1" 2> /dev/null && return
		sleep 0.1
	done
}

# Prints the CPUs whose idle task has no switch in a recording. A kernel in which an event was not
# ended (the recursion counter of the idle task stays up) reports none to perf, but all to BPF.
silent_cpus() { # FILE
	local cpu
	"$BIN/pscript" -F event,trace -i "$1" 2> /dev/null | grep -o 'prev_comm=swapper/[0-9]*' | sort -u > "$work/idle"
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		grep -qx "prev_comm=swapper/$cpu" "$work/idle" || echo "CPU $cpu"
	done
}

compare() { # PROGRAM WHAT PLAT'S WORDS...
	local program=$1 what=$2 bpf plat faults
	shift 2
	timeout 60 bpftrace "$work/$program.bt" > "$work/bpf" 2> "$work/err" &
	bpf=$!
	wait_for "$work/bpf" Attaching
	sleep 1
	timeout -s INT 60 "$BIN/plat" "$@" -a -m 16M --csv ';' --record "$work/rec" > "$work/csv" 2>> "$work/err" &
	plat=$!
	for ((i = 0; i < 100; i++)); do
		[ "$(stat -c %s "$work/rec" 2> /dev/null || echo 0)" -gt 100000 ] && break
		sleep 0.1
	done
	"$work/bpfload"
	sleep 0.3
	kill -INT $plat $bpf
	wait $plat $bpf
	faults=$(python3 tests/tools/bpf_buckets.py "$work/bpf" bpfload < "$work/csv" 2>&1)
	if "$BIN/pscript" --show-lost-events -i "$work/rec" 2> /dev/null | grep -q PERF_RECORD_LOST; then
		result "$what # SKIP records were lost on this busy machine" ''
	elif [ -n "$faults" ] && [ "$program" = runq ] && [ -n "$(silent_cpus "$work/rec")" ]; then
		# or all CPUs were busy: then nothing is missing, and nothing differs
		result "$what # SKIP this kernel reports no switches of the idle task of $(silent_cpus "$work/rec" | head -n 1)" ''
	else
		result "$what" "$faults"
	fi
	rm -f "$work/rec"
}

compare runq "waits for a CPU" runq
compare calls "system calls" -b 'raw_syscalls:sys_enter/id == 11 && comm == "bpfload"/' -e raw_syscalls:sys_exit \
	--by begin:comm
results_end
