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
# P1 to P7) is kept from it: see for_inferno().
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
skip() { echo "1..0 # SKIP $*"; exit 77; }
[ -x "$BIN/pfold" ] && [ -x "$BIN/pscript" ] || skip "no pfold and pscript in $BIN"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/empty"
export TZ=UTC LC_ALL=C PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG
ulimit -t 60 # seconds of each command

n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $*"; }

# Samples of one event, one line each: "comm pid/tid time: [period] x: ", then their frames. A sample without any gets its own
# place, the sample of the same number in PLACES, a text without call chains (P1). Blanks in comms, ids of -1 and odd pids of idle tasks: P2. Blanks
# behind the period: P6.
one_event() { # EVENT PLACES
	awk -v event=" $1: " -v places="$2" '
	function next_place(	line, at) {
		while ((getline line < places) > 0) {
			at = index(line " ", event)
			if (at && line !~ /^\t/)
				return substr(line, at + length(event))
		}
	}
	function end() {
		if (keep && !frames)
			print "\t" place
		if (keep)
			print ""
		keep = 0
	}
	/^$/ { end(); next }
	/^\t/ { if (keep) { print; frames++ } next }
	{
		end()
		at = index($0 " ", event)
		if (!at)
			next
		place = next_place()
		head = substr($0, 1, at)
		if (match(head, /[^ ] +-?[0-9]+\/-?[0-9]+ +[0-9]+\.[0-9]+: /)) {
			comm = substr(head, 1, RSTART)
			sub(/^ +/, "", comm)
			gsub(/ /, "_", comm)
			head = substr(head, RSTART + 1)
			gsub(/-1/, "4294967295", head)
			sub(/ [0-9]+\/0 /, " 0/0 ", head)
			head = comm head
		}
		sub(/ *$/, " ", head)
		print head "x: "
		keep = 1
		frames = 0
		rest = substr($0, at + length(event))
		if (rest ~ /[^ ]/) {
			print "\t" rest
			frames = 1
		}
	}
	END { end() }'
}

# Objects with blanks (P3), names that begin with a parenthesis (P4), operators of <, > and -> (P5)
for_inferno() {
	sed -E '/^\t/ {
		s/^(\t *[0-9a-f]+) \(anonymous namespace\)/\1 @anon/
		s/ \(([^()]*\/)?([^()\/ ]*) \(deleted\)\)$/ (\2@deleted)/
		s,\([^()]*/jit-([0-9]+)\.dump\)$,(/tmp/perf-\1.map),
		s/operator->\*/operator@r@s/g
		s/operator->/operator@r/g
		s/operator<=>/operator@l@e@g/g
		s/operator<</operator@l@l/g
		s/operator>>/operator@g@g/g
		s/operator</operator@l/g
		s/operator>/operator@g/g
	}'
}
from_inferno() {
	sed -E 's/@anon/(anonymous namespace)/g
		s/@deleted/ (deleted)/g
		s/4294967295/-1/g
		s/@r/->/g; s/@s/*/g; s/@e/=/g; s/@l/</g; s/@g/>/g'
}

compare() { # NAME TEXT PLACES EVENT WEIGHT PFOLD-ARGS...
	local name=$1 text=$2 places=$3 event=$4 weight=$5 more=() fold=() rc
	shift 5

	if [ "$weight" = period ]; then
		more=(--all --tid)
		fold=(--kernel --jit --root=tid)
	fi
	one_event "$event" "$places" < "$text" | for_inferno > "$work/alone"
	# P7: an event whose samples do not record their periods
	[ "$weight" = period ] && ! grep -qE '^[^	].*: +[0-9]+ +x: $' "$work/alone" && return
	"$INFERNO" -q "${more[@]}" "$work/alone" 2> /dev/null | from_inferno | sort > "$work/want"
	"$BIN/pfold" --no-marks --weight="$weight" "${fold[@]}" -e "$event" "$@" 2> "$work/err" > "$work/got"
	rc=$?
	sort -o "$work/got" "$work/got"
	if cmp -s "$work/want" "$work/got"; then
		ok "$name, $event, $weight"
		return
	fi
	not_ok "$name, $event, $weight (status $rc)"
	diff "$work/want" "$work/got" | head -n "$lines" | cut -c 1-300 | sed 's/^/# /'
}

sums() { # NAME EVENT SAMPLES PFOLD-ARGS...
	local name=$1 event=$2 want=$3 got
	shift 3

	got=$("$BIN/pfold" --weight=samples -e "$event" "$@" 2> /dev/null | awk '{ s += $NF } END { print s + 0 }')
	if [ "$got" = "$want" ]; then
		ok "$name, $event, sum"
	else
		not_ok "$name, $event, sum: $got of $want samples"
	fi
}

# Writes text and, where a sample has no frames, places.
texts() { # SUFFIX SCRIPT...
	local suffix=$1
	shift

	"$@" > "$work/text$suffix" 2> /dev/null
	: > "$work/places$suffix"
	awk '/^$/ { if (head) exit 1 } { head = /^[^\t]/ } END { exit head }' "$work/text$suffix" ||
		"$@" -G > "$work/places$suffix" 2> /dev/null
}

# A recording by the text that SCRIPT... makes of it; the arguments of pfold are in $fold_args.
recording() { # NAME SCRIPT...
	local name=$1 fields=comm,pid,tid,time,event,ip,sym,dso count event
	shift

	"$@" -G -F event > "$work/names" 2> /dev/null
	sed 's/^ *//; s/: *$//' "$work/names" | sort | uniq -c > "$work/events"
	[ -s "$work/events" ] || return
	texts "" "$@" -F $fields
	texts _period "$@" -F $fields,period
	while read -r count event; do
		sums "$name" "$event" "$count" "${fold_args[@]}"
		[ -n "$INFERNO" ] || continue
		compare "$name" "$work/text" "$work/places" "$event" samples "${fold_args[@]}"
		[ -s "$work/text_period" ] || continue
		compare "$name" "$work/text_period" "$work/places_period" "$event" period "${fold_args[@]}"
	done < "$work/events"
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
		HOME=$work/home recording "$name" "$BIN/pscript" "${fold_args[@]}"
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
	local name=$1 f=$work/fresh.data
	shift

	# perf 6.1 may abort where processes come and go
	for _ in 1 2 3; do
		"$PERF" record -q -o "$f" "$@" > /dev/null 2>&1 && break
		rm -f "$f"
	done
	[ -s "$f" ] || { ok "$name # SKIP could not record"; return; }
	fold_args=(--no-inline -i "$f")
	recording "$name" timeout 120 "$PERF72" script --no-inline -i "$f"
	# of samples without a chain perf tells no inlined functions (P1)
	case " $* " in
	*" -g "*)
		fold_args=(-i "$f")
		recording "$name, inlined" timeout 120 "$PERF72" script -i "$f"
		;;
	esac
	rm -f "$f"
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

if [ -n "$live" ]; then live; else stored "$@"; fi
[ -n "$INFERNO" ] || echo "# only sums: no inferno-collapse-perf on PATH"
echo "1..$n"
exit $failed
