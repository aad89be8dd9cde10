#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What plat --as prints, byte for byte against perf 7.2: of recordings in testdata, and of
# two made here, one with losses. FILE... as operands: recordings that are compared as well.
#
#	tests/checks/perf_texts.sh [FILE...]
#
# Environment: BIN (default bin), PERF72 (default perf-sid on PATH).

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
run_with_stored_kallsyms "$@"
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${PERF72:=perf-sid}"
export LC_ALL=C TZ=UTC
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }
command -v "$PERF72" > /dev/null || { echo "1..0 # SKIP no $PERF72"; exit 77; }

n=0 failed=0
compare() { # NAME FILE [OPTION...]
	local name="sched latency of $1" file=$2
	shift 2
	n=$((n + 1))
	"$PERF72" sched latency -i "$file" "$@" > "$work/perf" 2> "$work/perf.err" < /dev/null
	"$BIN/plat" --as=sched-latency -i - "$@" < "$file" > "$work/stream" 2> "$work/err"
	"$BIN/plat" --as=sched-latency "$@" "$file" > "$work/plat" 2>> "$work/err"
	if [ -s "$work/perf" ] && [ ! -s "$work/err" ] && cmp -s "$work/perf" "$work/plat" &&
		cmp -s "$work/plat" "$work/stream"; then
		echo "ok $n - $name${*:+, $*}"
	else
		failed=1
		echo "not ok $n - $name${*:+, $*}"
		diff "$work/perf" "$work/plat" | cat - "$work/err" "$work/perf.err" | head -20 |
			sed 's/^/# /'
	fi
}

# The summary goes to perf's standard error; lines with equal figures are in any order there.
compare_trace() { # NAME FILE [OPTION...]
	local name="system calls of $1" file=$2
	shift 2
	n=$((n + 1))
	"$PERF72" trace -s -i "$file" "$@" > "$work/log" 2> "$work/perf" < /dev/null
	"$BIN/plat" --as=trace-s -i - "$@" < "$file" > "$work/stream" 2> "$work/err"
	"$BIN/plat" --as=trace-s "$@" "$file" > "$work/plat" 2> "$work/err"
	python3 tests/tools/trace_ties.py < "$work/perf" > "$work/perf.sorted"
	python3 tests/tools/trace_ties.py < "$work/plat" > "$work/plat.sorted"
	if [ "$(wc -l < "$work/perf.sorted")" -gt 4 ] && cmp -s "$work/plat" "$work/stream" &&
		cmp -s "$work/perf.sorted" "$work/plat.sorted"; then
		echo "ok $n - $name${*:+, $*}"
	else
		failed=1
		echo "not ok $n - $name${*:+, $*}"
		diff "$work/perf.sorted" "$work/plat.sorted" | cat - "$work/err" | head -20 | sed 's/^/# /'
	fi
}

# Lines of system calls, but for what KNOWN-DIFFERENCES.md lists.
compare_lines() { # NAME FILE LEAST-LINES
	n=$((n + 1))
	"$PERF72" trace -i "$2" < /dev/null 2>&1 | python3 tests/tools/perf_trace_lines.py > "$work/perf"
	"$BIN/plat" --as=trace -i - < "$2" > "$work/stream" 2> "$work/err"
	"$BIN/plat" --as=trace "$2" 2> "$work/err" | tee "$work/whole" |
		python3 tests/tools/perf_trace_lines.py > "$work/plat"
	if [ "$(wc -l < "$work/perf")" -ge "$3" ] && ! grep -q MISPLACED "$work/plat" &&
		cmp -s "$work/whole" "$work/stream" && cmp -s "$work/perf" "$work/plat"; then
		echo "ok $n - lines of $1"
	else
		failed=1
		echo "not ok $n - lines of $1"
		diff "$work/perf" "$work/plat" | cat - "$work/err" | head -20 | sed 's/^/# /'
	fi
}

# Waits for locks. perf prints them on its standard error; rows with the same key come in any order there.
compare_locks() { # NAME FILE OPTION...
	local name=$1 file=$2
	shift 2
	n=$((n + 1))
	# -v also says much about symbols
	"$PERF72" lock contention -i "$file" "$@" < /dev/null 2>&1 |
		case " $* " in *" -v "*) grep $'^ *[0-9][0-9]* \\|^\t\t\t0x' ;; *) cat ;; esac | sort > "$work/perf"
	"$BIN/plat" --as=lock-contention "$@" "$file" 2> "$work/err" | tee "$work/whole" | sort > "$work/plat"
	"$BIN/plat" --as=lock-contention "$@" -i - < "$file" > "$work/stream" 2> "$work/err"
	if [ "$(wc -l < "$work/perf")" -ge 3 ] && cmp -s "$work/perf" "$work/plat" &&
		cmp -s "$work/whole" "$work/stream"; then
		echo "ok $n - locks of $name${*:+, $*}"
	else
		failed=1
		echo "not ok $n - locks of $name${*:+, $*}"
		diff "$work/perf" "$work/plat" | cat - "$work/err" | head -20 | sed 's/^/# /'
	fi
}

# What perf makes of trace_pipe where the kernel's tracer function_graph is played by files. OPTION...
graph_text() {
	local f
	rm -rf "$work/tracing" && mkdir -p "$work/tracing/instances" "$work/tracing/options"
	for f in tracing_on tracing_cpumask current_tracer trace set_{ftrace,event}_pid max_graph_depth \
		set_ftrace_{filter,notrace} set_graph_{function,notrace} tracing_thresh \
		options/{function-fork,func_stack_trace,sleep-time,latency-format,irq-info} \
		options/funcgraph-{irqs,proc,abstime,tail}; do
		: > "$work/tracing/$f"
	done
	cp "$work/trace_pipe" "$work/tracing/"
	TRACEFS_PATH=$work/tracing "$PERF72" ftrace latency -a -T f "$@" -- true 2> "$work/perf.err" < /dev/null
}

# Durations between two events. In ns, with rows of one width, all is as in perf; perf's powers of two
# are right for times that are twice as long (L17).
compare_durations() { # FILE BEGIN END OPTION...
	local file=$1 events=$2,$3 begin=$2 end=$3 factor=1
	shift 3
	case " $*" in *--bucket-range*) ;; *) factor=2 ;; esac
	n=$((n + 1))
	"$BIN/pscript" --quality=none --ns --show-lost-events -F tid,time,event -i "$file" 2> "$work/log" |
		python3 tests/tools/graph_lines.py "$begin" "$end" $factor > "$work/trace_pipe"
	graph_text -n "$@" > "$work/perf"
	"$BIN/plat" --as=ftrace-latency -n -e "$events" "$@" "$file" > "$work/plat" 2> "$work/err"
	"$BIN/plat" --as=ftrace-latency -b -n -e "$events" "$@" -i - < "$file" > "$work/stream" 2> "$work/err"
	[ $factor = 1 ] || sed -i '/^# statistics/,$ { /count:/!d }' "$work/perf"
	sed "$([ $factor = 1 ] || echo '/^# statistics/,$ { /count:/!d }')" "$work/plat" > "$work/rows"
	if [ "$(wc -l < "$work/perf")" -ge 6 ] && cmp -s "$work/perf" "$work/rows" &&
		cmp -s "$work/plat" "$work/stream"; then
		echo "ok $n - durations of $file${*:+, $*}"
	else
		failed=1
		echo "not ok $n - durations of $file${*:+, $*}"
		diff "$work/perf" "$work/rows" | cat - "$work/err" "$work/perf.err" | head -20 | sed 's/^/# /'
	fi
}

if command -v python3 > /dev/null && [ "$(id -u)" = 0 ]; then
	calls="raw_syscalls:sys_enter raw_syscalls:sys_exit"
	for o in "" "--hide-empty" "--bucket-range=1300 --hide-empty" \
		"--bucket-range=700 --min-latency=100 --max-latency=9000"; do
		# shellcheck disable=SC2086
		compare_durations testdata/lost-6.1/perf.data $calls $o
	done
fi

for f in testdata/tp-7.2/perf.data testdata/tp-6.1/perf.data "$@"; do
	compare "$f" "$f"
	compare "$f" "$f" -p
done
if command -v python3 > /dev/null; then
	for f in tp-7.2 tp-6.1 lost-6.1; do
		compare_trace $f testdata/$f/perf.data --errno-summary
	done
	if [ "$(id -u)" = 0 ] && "$BIN/prec" -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
		-o "$work/calls" -- sh -c 'ls | cat; ls /none' > "$work/log" 2>&1; [ -s "$work/calls" ]; then
		compare_trace "a shell" "$work/calls"
		compare_trace "a shell" "$work/calls" --errno-summary
		compare_lines "a shell" "$work/calls" 200
		"$BIN/prec" -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o "$work/python" -- \
			python3 tests/tools/many_calls.py > "$work/log" 2>&1
		compare_lines "threads, processes, sockets, signals" "$work/python" 300
	else
		n=$((n + 1))
		echo "ok $n - system calls of a shell # SKIP tracepoints cannot be recorded here"
	fi
else
	n=$((n + 1))
	echo "ok $n - system calls # SKIP no python3"
fi
if [ "$(id -u)" = 0 ] && "$BIN/prec" -q -a -e "$("$BIN/plat" --as=sched-latency --print-record |
	sed 's/.* //')" -o "$work/live" -- sh -c 'for i in 1 2 3; do ls | cat; done' \
	> "$work/log" 2>&1; then
	compare "all CPUs of this machine" "$work/live"
	"$BIN/prec" -q -a -m 1 -e sched:sched_switch,sched:sched_wakeup,sched:sched_stat_runtime \
		-o "$work/lossy" -- sh -c 'timeout 0.2 yes | cat > /dev/null' 2> "$work/log"
	compare "small rings, which lose records" "$work/lossy"
	"$BIN/prec" -q -a -g --kernel-callchains -e lock:contention_begin,lock:contention_end -o "$work/locks" -- \
		"$O/tests/tools/lock_load" 2> "$work/log"
	compare_locks "threads that map memory" "$work/locks"
	compare_locks "threads that map memory" "$work/locks" -t
	compare_locks "threads that map memory" "$work/locks" -l -x ';'
	compare_locks "threads that map memory" "$work/locks" -F contended,wait_min,avg_wait -k wait_max
	compare_locks "threads that map memory" "$work/locks" -Y mutex,rwsem:R
	compare_locks "threads that map memory" "$work/locks" -Y rwsem --stack-skip 2 --max-stack 20
	compare_locks "threads that map memory" "$work/locks" -S mmap,pipe -v -q
	n=$((n + 1))
	"$BIN/plat" lock-contention -b -k contended --record "$work/live-locks" -- "$O/tests/tools/lock_load" \
		> "$work/plat" 2> "$work/err"
	"$BIN/plat" lock-contention -k contended "$work/live-locks" > "$work/whole" 2>> "$work/err"
	# perf reads the stream, too
	"$PERF72" lock contention -k contended -i - < "$work/live-locks" 2>&1 | sort | diff - <(sort "$work/plat") > "$work/diff"
	if [ "$(wc -l < "$work/plat")" -ge 5 ] && cmp "$work/plat" "$work/whole" 2>> "$work/err" && [ ! -s "$work/diff" ]; then
		echo "ok $n - locks live, and of what was recorded meanwhile"
	else
		failed=1
		echo "not ok $n - locks live, and of what was recorded meanwhile"
		head -5 "$work/plat" "$work/whole" "$work/err" "$work/diff" | sed 's/^/# /'
	fi
	n=$((n + 1))
	"$BIN/plat" --as=lock-contention -q -L no_such_lock "$work/locks" > "$work/plat" 2> "$work/err"
	if [ ! -s "$work/plat" ] && grep -q "have no 'no_such_lock'" "$work/err"; then
		echo "ok $n - a lock that the kernel does not have"
	else
		failed=1
		echo "not ok $n - a lock that the kernel does not have"
		head -5 "$work/plat" "$work/err" | sed 's/^/# /'
	fi
	for key in switch runtime max pid; do
		compare "all CPUs of this machine" "$work/live" -p -s "$key,avg"
	done
else
	n=$((n + 1))
	echo "ok $n - sched latency of this machine # SKIP nobody may record all CPUs here"
fi
echo "1..$n"
exit $failed
