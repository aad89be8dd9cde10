#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Stacks three ways: by our tables, by libdw's rows, and by libunwind. What is recorded here and now
# of ls, python3 and a C++ program with exceptions, signals, vfork, alloca and threads, and the
# public recordings whose programs are at hand, must give the same frames in all of them;
# tests/tools/unwind_oracles.c lists what may differ.
#
#	tests/checks/oracles.sh
#	tests/checks/oracles.sh --all FILE...	recordings of your own: what differs, and how often

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
run_with_stored_kallsyms "$@"
: "${O:=build/gcc}" "${BIN:=$PWD/bin}"
tool=$O/tests/tools/unwind_oracles
[ -x "$tool" ] || { echo "1..0 # SKIP $tool is not built"; exit 77; }
tool=$(realpath "$tool")
export LC_ALL=C TZ=UTC

if [ "${1:-}" = --all ]; then
	shift
	status=0
	for f; do
		echo "$f"
		timeout 3000 "$tool" -v 10 "$f" || status=1
	done
	exit $status
fi

dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
data=../shared/data
n=0 bad=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); bad=1; echo "not ok $n - $*"; sed 's/^/# /' "$dir/said"; }

compare() { # NAME LEAST-STACKS ARGS...: the tool is content, and there was something to compare
	local name=$1 least=$2 stacks
	shift 2
	if ! timeout 100 "$tool" -v 3 "$@" > "$dir/said" 2>&1; then
		not_ok "$name"
		return
	fi
	stacks=$(sed -n 's/^\([0-9]*\) stacks, .*/\1/p' "$dir/said")
	if [ "${stacks:-0}" -lt "$least" ]; then
		not_ok "$name: fewer than $least stacks"
	elif ! grep -q '^libunwind: ' "$dir/said"; then
		ok "$name, libdw only" # built without libunwind
	else
		ok "$name"
	fi
}

# Of ls and python3 few samples do. The program spends its time in the kernel, where cpu-clock:u does
# not sample: a higher rate gives 100 times the stacks in a fifth of the time.
rate=5000

# record NAME COMMAND...: into $dir/NAME.data; false, with the reason in $why, where that cannot be
record() {
	local name=$1 by
	shift
	why="no stock perf"
	# perf 6.1 aborts now and then where it collects build-ids (-B: it does not), 6.12 always on some kernels; the file
	# may be damaged then
	for by in "perf record -B" "perf record -B" "$BIN/prec"; do
		command -v "${by%% *}" > /dev/null || continue
		# shellcheck disable=SC2086
		{ timeout 60 $by -q -F "$rate" -e cpu-clock:u --call-graph dwarf,8192 \
			-o "$dir/$name.data" -- "$@" > "$dir/record.out" 2> "$dir/record.err"; } 2> /dev/null
		[ $? -lt 124 ] && [ -s "$dir/$name.data" ] && return
		why="$by: $(head -n 1 "$dir/record.err")"
	done
	false
}

live() { # NAME COMMAND...
	if ! command -v "$2" > /dev/null; then
		ok "$1 # SKIP no $2"
	elif record "$@"; then
		compare "$1" 5 "$dir/$1.data"
	else
		ok "$1 # SKIP $why"
	fi
}

live ls timeout 20 ls -lR /usr/include
live python3 timeout 20 python3 -c '
import json, re
for i in range(100):
    json.loads(json.dumps({str(k): [k, k * 1.5, "x" * k] for k in range(200)}))
    re.sub("(a|b)*c", "x", "ab" * 50)
    sorted(range(500), key=lambda x: -x)'
if g++ -O2 -g -o "$dir/program" tests/tools/unwind_truth.cc -lpthread 2> /dev/null; then
	rate=20000
	live program timeout 20 "$dir/program" -loop 1500
else
	ok "program # SKIP no g++"
fi

# The commands' own way to the three, on what was recorded.
if [ -s "$dir/python3.data" ]; then
	for how in table libdw; do
		timeout 60 "$BIN/pscript" --unwinder=$how -F tid,time,ip -i "$dir/python3.data" \
			> "$dir/$how" 2> "$dir/said"
		timeout 60 "$BIN/pfold" --unwinder=$how -i "$dir/python3.data" \
			> "$dir/$how.folded" 2> /dev/null
	done
	if [ -s "$dir/table" ] && cmp "$dir/table" "$dir/libdw" > "$dir/said" 2>&1 &&
		[ -s "$dir/table.folded" ] &&
		cmp "$dir/table.folded" "$dir/libdw.folded" > "$dir/said" 2>&1; then
		ok "pscript and pfold --unwinder=libdw"
	else
		not_ok "pscript and pfold --unwinder=libdw"
	fi
else
	ok "pscript and pfold --unwinder=libdw # SKIP nothing was recorded"
fi

# A program of another machine, without .eh_frame_hdr: libdw's rows alone.
if [ -d "$data/elf" ]; then
	home=$dir/symfs/home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser
	mkdir -p "$home/tests/auto/perfdata/vector_static_gcc"
	cp "$data/elf/vector_static_gcc_v9.1.0" "$home/tests/auto/perfdata/vector_static_gcc"
	compare vector_static_gcc 43 -s "$dir/symfs" \
		"$data/perfdata/perfparser__vector_static_gcc_perf.data"
else
	ok "vector_static_gcc # SKIP no $data/elf"
fi

echo "1..$n"
exit $bad
