#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Are our user stacks those of the newest stock perf? Records programs with 8 KiB and 65,528 bytes of
# stack, unwinds each sample (bench/unwind_recording.c, one stack at a time and four at once) and
# compares with `perf script` of PERF72, frame by frame:
#
#	equal		the same frames
#	continued	all of perf's frames, and then more (perf ends after 127, and where JIT code begins)
#	filled		all of perf's frames in order, and more between them: where code has no rows
#			(_fini, the return of a signal handler, V8's builtins, assembly, Go without
#			symbols) perf goes on by frame pointers and leaves out callers
#	alone		perf has no frame of user space
#	other		anything else; each is shown with -v
#
#	bench/unwind_against_perf.sh [-v] [RECORDING ...]
#
# BENCH_FREQ=4999 BENCH_SOURCE=bench/plain.cc; PERF72: see bench/record_common.sh. Status 1 when less
# than 99.5 % of a recording's stacks are one of the first three.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_FREQ:=4999}" "${BENCH_SOURCE:=bench/plain.cc}"
command -v "$PERF72" > /dev/null || skip_bench "no $PERF72 (PERF72)"
verbose=0
if [ "${1-}" = -v ]; then
	verbose=1
	shift
fi

python='
import json,re
def f(n): return n if n<2 else f(n-1)+f(n-2)
for i in range(40): f(18); json.dumps({str(k):[k,k*2.5] for k in range(3000)}); re.findall(r"(a+)+b","aaab"*200)'
node='let s=0;function f(n){return n<2?n:f(n-1)+f(n-2)};for(let i=0;i<12;i++){s+=f(24);let o={};
for(let k=0;k<20000;k++)o["k"+k]=[k,{a:k}];s+=JSON.stringify(o).length;[...Array(30000).keys()].sort((a,b)=>b-a)}'

one() { # NAME FILE
	"$TOOLS/unwind_recording" "$2" > "$BENCH_DIR/ours" || return
	"$TOOLS/unwind_recording" -4 "$2" | cmp -s - "$BENCH_DIR/ours" || echo "# $1: four at once differ"
	"$PERF72" script --no-inline -F pid,time,ip,sym --ns -i "$2" 2> /dev/null > "$BENCH_DIR/perf"
	awk -v name="$1" -v verbose="$verbose" '
		function is_within(few, many,    a, b, n, m, i, j) {
			n = split(few, a)
			m = split(many, b)
			for (i = j = 1; i <= n; i++) {
				while (j <= m && b[j] != a[i])
					j++
				if (j++ > m)
					return 0
			}
			return 1
		}
		FILENAME ~ /perf$/ && / [0-9]+\.[0-9]+: *$/ {
			split($2, t, /[.:]/)
			key = $1 " " t[1] * 1 sprintf("%09d", t[2])
			n[key]++
			at = key " " n[key]
			chain[at] = ""
			next
		}
		FILENAME ~ /perf$/ && NF && $1 !~ /^ffff[8-9a-e]|^fffffffff?[8-9a-e]/ { chain[at] = chain[at] " " $1 }
		FILENAME ~ /perf$/ { next }
		{
			key = $1 " " $2
			m[key]++
			at = key " " m[key]
			ours = $0
			sub(/^[^|]*\|/, "", ours)
			sub(/ *\|.*/, "", ours)
			all++
			if (ours == chain[at])
				equal++
			else if (chain[at] == "")
				alone++
			else if (index(ours " ", chain[at] " ") == 1)
				continued++
			else if (is_within(chain[at], ours))
				filled++
			else if (verbose)
				print "# " at "\n#   ours" ours "\n#   perf" chain[at]
		}
		END {
			ok = all ? 100 * (equal + continued + filled + alone) / all : 100
			printf "%-12s %7d stacks %7d equal %6d continued %4d filled %4d alone %4d other  %6.2f %% %s\n",
				name, all, equal, continued, filled, alone, all - equal - continued - filled - alone,
				ok, ok < 99.5 ? "MISSED" : "ok"
			exit ok < 99.5
		}' "$BENCH_DIR/perf" "$BENCH_DIR/ours" || failed=1
}

if [ $# -gt 0 ]; then
	for f; do
		one "${f##*/}" "$f"
	done
	exit "$failed"
fi
can_record
about_machine
${CXX:-g++} -std=c++17 -g -O2 -mno-red-zone -o "$BENCH_DIR/truth" tests/tools/unwind_truth.cc -lpthread
for size in 8192 65528; do
	each() { # NAME COMMAND ...
		local name=$1

		shift
		command -v "$1" > /dev/null || return
		"$PERF" record -q --call-graph dwarf,$size -F "$BENCH_FREQ" -o "$BENCH_DIR/$name.data" -- "$@" \
			> /dev/null 2>&1
		one "$name-$size" "$BENCH_DIR/$name.data"
		rm -f "$BENCH_DIR/$name.data"
	}
	each clang++ clang++ -std=gnu++17 -O1 -c "$BENCH_SOURCE" -o /dev/null
	each g++ g++ -std=gnu++17 -O1 -c "$BENCH_SOURCE" -o /dev/null
	each python3 python3 -c "$python"
	each node node -e "$node"
	each git git log --stat -n 200
	each c++ "$BENCH_DIR/truth" -loop 20000
done
exit "$failed"
