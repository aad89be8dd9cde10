#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pfold against the text tools it stands in for.
#
#	tests/checks/fold.sh [--live] [--lines N] [GLOB]...
#
# Of every recording in testdata/ and ../shared/data, each event for itself:
#	sum	the counts of pfold's lines are as many as pscript prints samples
#	samples	the lines are those that inferno-collapse-perf makes of pscript's text, which other checks compare with stock
#		perf's; without periods, so that each sample counts one
#	period	the same with periods, where the event records them, and with all marks, pids and tids
# With --live: of fresh recordings, with the text of the newer stock perf.
#
# inferno keeps to one event only while samples have call chains, and takes text behind the event's name for a frame: it gets the
# samples of one event alone, the sampled address on a line of its own. What it does otherwise than pfold (KNOWN-DIFFERENCES.md,
# P1 to P7) is kept from it: see tests/tools/fold_compare.py, which compares.
#
# Environment: BIN (default bin), SHARED (default ../shared), INFERNO (default inferno-collapse-perf on PATH), PERF (default
# perf on PATH), PERF72 (default perf-sid on PATH).

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${SHARED:=$PWD/../shared}"
: "${INFERNO=$(command -v inferno-collapse-perf)}" "${PERF=$(command -v perf)}" "${PERF72=$(command -v perf-sid)}"
live='' lines=6
while [ $# -gt 0 ]; do
	case $1 in
	--live) live=1 ;;
	--lines) lines=$2; shift ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || set -- '*'
exec 3>&1
skip() { echo "1..0 # SKIP $*" >&3; exit 77; }
[ -x "$BIN/pfold" ] && [ -x "$BIN/pscript" ] || skip "no pfold and pscript in $BIN"
command -v python3 > /dev/null || skip "no python3"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/empty"
export TZ=UTC LC_ALL=C PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG
ulimit -t 60 # seconds of each command

# A recording for fold_compare.py: its name, the options of pfold in $fold_args, the command that prints its text.
recording() { # NAME SCRIPT...
	local name=$1
	shift

	printf '%s\t%s\t%s\n' "$name" "${fold_args[*]@Q}" "${*@Q}"
}

stored() {
	local f name pattern

	for f in "$SHARED"/data/perfdata/* "$SHARED"/data/derived/* testdata/*/perf.data; do
		[ -e "$f" ] || continue
		case $f in
		*/bad__* | testdata/stat-*) continue ;; # ends with an error; has no samples
		testdata/*) name=${f%/perf.data}; name=${name#*/} ;;
		*) name=${f##*/} ;;
		esac
		for pattern in "$@"; do
			# shellcheck disable=SC2254
			case $name in $pattern) break ;; *) false ;; esac
		done || continue
		fold_args=(--symfs "$work/empty" -i "$f")
		[ -e "${f%/*}/kallsyms" ] && fold_args=(--symfs testdata/symfs --kallsyms "${f%/*}/kallsyms" -i "$f")
		recording "$name" "$BIN/pscript" "${fold_args[@]}"
	done
}

cxx='#include <map>
#include <string>
#include <vector>
#include <algorithm>
#include <functional>
struct A { int x; bool operator<(const A &o) const { return x < o.x; } };
namespace { int work(const std::vector<A> &v) { int s = 0; for (auto &a : v) s += a.x; return s; } }
int main()
{
	std::map<std::string, std::vector<A>> m;
	std::function<void(int)> f = [&](int i) { m[std::to_string(i % 500)].push_back({ i }); };
	int s = 0;
	for (int i = 0; i < 200000; i++)
		f(i);
	for (auto &p : m) {
		std::sort(p.second.begin(), p.second.end());
		s += work(p.second);
	}
	return s == 1;
}'

fresh() { # NAME RECORD-ARGS...
	local name=$1 f
	shift

	f=$work/fresh$((++nr_fresh)).data
	# perf 6.1 may abort where processes come and go
	for _ in 1 2 3; do
		"$PERF" record -q -o "$f" "$@" > /dev/null 2>&1 && break
		rm -f "$f"
	done
	[ -s "$f" ] || { printf 'SKIP\t%s\n' "$name"; return; }
	fold_args=(--no-inline -i "$f")
	recording "$name" timeout 120 "$PERF72" script --no-inline -i "$f"
	# of samples without a chain perf tells no inlined functions (P1)
	case " $* " in
	*" -g "*)
		fold_args=(-i "$f")
		recording "$name, inlined" timeout 120 "$PERF72" script -i "$f"
		;;
	esac
}

live() {
	local cc

	[ -n "$PERF" ] && [ -n "$PERF72" ] && [ -n "$INFERNO" ] || skip "needs perf, perf-sid and inferno-collapse-perf on PATH"
	"$PERF" record -q -e cpu-clock -o "$work/try" true > /dev/null 2>&1
	[ -s "$work/try" ] || skip "recording is not permitted"
	echo "$cxx" > "$work/t.cpp"
	for cc in g++ clang++; do
		command -v $cc > /dev/null &&
			fresh $cc -g -e cpu-clock -F 4000 -- $cc -O0 -g -o "$work/t" "$work/t.cpp"
	done
	[ -x "$work/t" ] && fresh c++-program -g -e cpu-clock -F 9000 -- "$work/t"
	command -v python3 > /dev/null &&
		fresh python3 -g -e cpu-clock -F 4000 -- python3 -c 'import json, re
for i in range(200): json.dumps(list(range(1000))); re.findall("a+b", "aaab" * 100)'
	command -v node > /dev/null &&
		fresh node -g -e cpu-clock -F 4000 -- node --perf-basic-prof -e \
		'let s = 0; function f(x) { return x * x % 7 } for (let i = 0; i < 2e7; i++) s += f(i); process.exit(s == 1)'
	command -v git > /dev/null && fresh git -g -e cpu-clock -F 4000 -- git log --stat -n 30
	fresh find -g -e cpu-clock -F 4000 -- find /usr/lib -name 'x*'
	fresh without-chains -e cpu-clock -F 4000 -- find /usr/lib -name 'x*'
	fresh fixed-period -g -e cpu-clock -c 1000000 -- find /usr/lib -name 'x*'
	fresh system -a -g -e cpu-clock -F 999 -- sleep 1
	fresh sched -a -g -e sched:sched_switch -- sleep 0.3
	fresh two-events -g -e cpu-clock,page-faults -F 4000 -- find /usr/lib -name 'x*'
}

nr_fresh=0
if [ -n "$live" ]; then
	live > "$work/list"
else
	export HOME=$work/home
	stored "$@" > "$work/list"
fi
LINES=$lines python3 tests/tools/fold_compare.py "$work" "$BIN/pfold" ${INFERNO:+"$INFERNO"} < "$work/list"
failed=$?
[ -n "$INFERNO" ] || echo "# only sums: no inferno-collapse-perf on PATH"
echo "1..$(cat "$work/rows" 2> /dev/null)"
exit $failed
