#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records six kinds of recordings of programs that are installed here, as input for
# bench/same_output.sh and bench/pairs.sh:
#
#	fp.data		frame-pointer chains of a C++ compilation
#	dwarf.data	stack copies of a C++ compilation
#	zstd.data	compressed, of python3, with several events and CPU numbers
#	tracepoints.data	scheduler tracepoints of the whole machine
#	pipe.data	what prec writes to a pipe, of git
#	jit.data	node with --perf-prof and --perf-basic-prof; its map and dump stay where node puts
#			them (/tmp/perf-PID.map and DIR)
#
#	bench/fresh_recordings.sh DIR
#
# A recording that DIR already holds stays as it is. Environment: BIN (default bin),
# FRESH_SOURCE=bench/plain.cc (what is compiled), FRESH_CXX (default clang++, else g++).
# Status 1 when one of the six cannot be made; a line says which one and why.

set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${FRESH_SOURCE:=$PWD/bench/plain.cc}"
[ $# = 1 ] || { echo "usage: bench/fresh_recordings.sh DIR" >&2; exit 129; }
[ -x "$BIN/prec" ] || { echo "fresh_recordings: $BIN/prec is not built" >&2; exit 77; }
mkdir -p "$1" || exit 2
D=$(cd "$1" && pwd)
export LC_ALL=C
failed=0

if [ -z "${FRESH_CXX-}" ]; then
	FRESH_CXX=g++
	! command -v clang++ > /dev/null || FRESH_CXX=clang++
fi
compile=("$FRESH_CXX" -std=gnu++17 -O2 -c "$FRESH_SOURCE" -o /dev/null)

# Runs "prec ARGS" in DIR and keeps the recording when prec succeeds.
record() { # NAME PROGRAM ARGS...
	local name=$1 program=$2

	shift 2
	[ ! -s "$D/$name.data" ] || { echo "kept      $name.data"; return; }
	if ! command -v "$program" > /dev/null; then
		echo "missing   $name.data: $program is not installed"
		failed=1
	elif (cd "$D" && timeout 120 "$BIN/prec" -q -o new.data "$@" > /dev/null 2> new.err); then
		keep "$name"
	else
		echo "missing   $name.data: $(tail -n 1 "$D/new.err")"
		failed=1
	fi
	rm -f "$D/new.data" "$D/new.err"
}

keep() { # NAME
	mv "$D/new.data" "$D/$1.data"
	echo "recorded  $1.data: $(stat -c %s "$D/$1.data") bytes," \
		"$("$BIN/prep" --stats -i "$D/$1.data" 2> /dev/null |
			awk '$1 == "SAMPLE" { print $3; exit }') samples"
}

record_pipe() {
	[ ! -s "$D/pipe.data" ] || { echo "kept      pipe.data"; return; }
	if timeout 120 "$BIN/prec" -q -g -F 4000 -o - -- git log --stat -n 300 --output=/dev/null \
		2> "$D/new.err" | cat > "$D/new.data" && [ "${PIPESTATUS[0]}" = 0 ]; then
		keep pipe
	else
		echo "missing   pipe.data: $(tail -n 1 "$D/new.err")"
		failed=1
	fi
	rm -f "$D/new.data" "$D/new.err"
}

mount_tracefs() {
	[ ! -e /sys/kernel/tracing/events ] || return 0
	mount -t tracefs nodev /sys/kernel/tracing 2> /dev/null || true
}

cat > "$D/work.py" << 'PY'
import hashlib, json, re

def table(n):
    return {str(i): [hashlib.sha256(b"%d" % i).hexdigest(), i * i] for i in range(n)}

def words(text):
    return sorted(set(re.findall(r"[a-f]+", text)))

for _ in range(6):
    text = json.dumps(table(20000))
    json.loads(text)
    words(text)
PY
cat > "$D/work.js" << 'JS'
function mix(a, n) { for (let i = 0; i < n; i++) a = (a * 31 + i) | 0; return a; }
function tree(d) { return d ? { l: tree(d - 1), r: tree(d - 1), v: mix(d, 50) } : null; }
function sum(t) { return t ? t.v + sum(t.l) + sum(t.r) : 0; }
const end = Date.now() + 1500;
let total = 0;
while (Date.now() < end) total += sum(tree(12)) + JSON.stringify(tree(8)).length;
console.log(total);
JS

record fp "$FRESH_CXX" -g -F 4000 -- "${compile[@]}"
record dwarf "$FRESH_CXX" --call-graph dwarf -F 2000 -- "${compile[@]}"
record zstd python3 -z -g -F 4000 --sample-cpu -e cpu-clock,page-faults -- python3 work.py
mount_tracefs
record tracepoints sh -a -e 'sched:sched_switch,sched:sched_wakeup,sched:sched_process_exec' -- \
	sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do ls / | sort > /dev/null; sleep 0.05; done'
record_pipe
record jit node -g -F 4000 -- node --perf-prof --perf-basic-prof work.js
exit "$failed"
