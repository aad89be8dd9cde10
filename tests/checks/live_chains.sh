#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec --call-graph unwind makes of each stack the chain that readers make of its copy: recordings
# with both (--keep-stacks) are compared frame by frame, of a compiler, Python and storms of fork and
# exec, of code that is made meanwhile, of commands, of processes that run already and of the whole system, of several events, in a
# stream and in several files. Stock perf and other readers say no more about the chains alone than
# about perf's own files.
#
#	tests/checks/live_chains.sh [--all]	more and longer ones
#
# Environment: BIN (default bin), O (default build/gcc), PERF (default perf), PERF72, SAMPLY,
# PERFPARSER (default perf-sid, samply, hotspot-perfparser; readers that are missing are left out).

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
run_with_stored_kallsyms "$@"
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${PERF:=perf}" "${PERF72:=perf-sid}"
: "${SAMPLY:=samply}" "${PERFPARSER:=hotspot-perfparser}"
export LC_ALL=C TZ=UTC
unset DEBUGINFOD_URLS PERF_CONFIG PERF_BUILDID_DIR
tool=$O/tests/tools/compare_chains
all=
[ "${1-}" = --all ] && all=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export HOME=$work

[ -x "$tool" ] || { echo "1..0 # SKIP $tool is not built"; exit 77; }
"$BIN/prec" -q --call-graph unwind -o "$work/try" true 2> "$work/err" ||
	{ echo "1..0 # SKIP no permission to record: $(head -n 1 "$work/err")"; exit 77; }

n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /' | head -n 20
		failed=1
	fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
has() { command -v "$1" > /dev/null; }

# Live and offline are equal, and most stacks are whole.
equal() { # TEXT RECORDING...
	local text=$1 out
	shift
	if out=$("$tool" -v 5 "$@" 2>&1); then
		result "$text: $out" ''
	else
		result "$text" "$out"
	fi
}

record() { # OUT ARGUMENTS...: about 48 KiB of a stack, so that a record holds copy and chain
	local out=$1
	shift
	timeout 60 "$BIN/prec" -q --call-graph unwind,49152 --keep-stacks -o "$out" "$@" > /dev/null 2>> "$work/said"
}

# --- what is recorded ---------------------------------------------------------------------------

cat > "$work/storm.sh" << 'EOF'
for i in $(seq "$1"); do
	/bin/true
	x=$(echo a | cat)
	(exec /bin/sh -c 'exec /bin/sh -c "exec /bin/true"')
done
EOF
cat > "$work/busy.py" << 'EOF'
import json, re, sys
for i in range(int(sys.argv[1])):
    json.loads(json.dumps({str(k): [k] * 5 for k in range(200)}))
    re.compile("a%d(b|c)*" % i)
EOF
cat > "$work/heavy.cc" << 'EOF'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
int main() {
	std::map<std::string, std::vector<int>> m;
	m["a"].push_back(1);
	std::vector<int> v{3, 1, 2};
	std::sort(v.begin(), v.end());
	return m["a"][0] - v[0];
}
EOF

compiler=
for c in clang++ g++ c++; do
	has $c && { compiler=$c; break; }
done
if [ -n "$compiler" ]; then
	record "$work/cc" -F 2000 "$compiler" -O2 -c "$work/heavy.cc" -o /dev/null
	equal "$compiler" "$work/cc"
else
	skip "a compiler" "there is none"
fi
if has python3; then
	record "$work/py" -F 4000 python3 "$work/busy.py" $((all ? 1000 : 150))
	equal "python3" "$work/py"
else
	skip "python3" "there is none"
fi
record "$work/storm" -F 10000 bash "$work/storm.sh" $((all ? 2000 : 150))
equal "a storm of fork and exec" "$work/storm"

record "$work/threads" --threads -F 5000 bash "$work/storm.sh" $((all ? 2000 : 60))
equal "--threads: a thread for each CPU unwinds" "$work/threads"

# The program tells of each function before it runs it, and puts some in the place of others.
record "$work/jit" -k mono -F 5000 "$O/tests/tools/jit_program" "$work"
equal "a JIT that writes its dump meanwhile" "$work/jit"
result "its stacks are whole" "$("$tool" "$work/jit" |
	awk '{ if ($1 < 50 || $7 < $1 * 0.9) print $7 + 0 " of " $1 + 0 " reach the start of the thread" }')"

# The storm goes on only while something is recorded.
bash "$work/storm.sh" 1000000 & storm=$!
record "$work/pid" -F 5000 -p $storm -- sleep 0.5
kill -STOP $storm
equal "-p of a storm that runs already" "$work/pid"
kill -CONT $storm
record "$work/system" -F 4000 -a -- sleep 0.7
status=$?
kill -STOP $storm
if [ $status = 0 ]; then
	# other tests run programs in roots of their own, whose files are gone when the program is
	equal "-a during a storm" -c bash,sh,true,cat,seq "$work/system"
else
	skip "-a" "no permission"
fi
# What is written with the first sample that needs it is there for each, in each file, also threads'.
lean() { timeout 60 "$BIN/prec" -q -a --lean --call-graph unwind,16384 -F 2000 "$@" -- sleep 0.6 2>> "$work/said"; }
kill -CONT $storm
(cd "$work" && lean -o leans --switch-output=100K && lean --threads -o lean)
status=$?
kill -STOP $storm
if [ $status = 0 ]; then
	for f in "$work"/leans.* "$work/lean"; do
		"$BIN/pscript" -i "$f" --quality=none -F comm,ip,sym,dso 2> /dev/null | awk '
			/^[^ \t]/ { nr++; bad += /^:/ }
			/^\t/ { frames++; far += $1 !~ /^ffff/ && /\(\[unknown\]\)$/ }
			END { print nr + 0, bad + 0, frames + 0, far + 0 }'
	done | awk '{ nr += $1; bad += $2; frames += $3; far += $4 }
		END { if (nr < 100 || NR < 3 || bad > nr / 5 || far > frames / 100)
			print NR " files, " nr " samples, " bad " without a name; of " frames " frames " far " without a mapping" }' > "$work/names"
	result "--lean writes all that samples need" "$(cat "$work/names")"
else
	skip "--lean" "no permission"
fi
kill -CONT $storm
record "$work/events" -p $storm -e cpu-clock -c 300000 -e page-faults -e context-switches -- sleep 0.3
record "$work/mixed" -p $storm -e cpu-clock/call-graph=unwind,stack-size=16384/ \
	-e page-faults/call-graph=fp/ -e context-switches/call-graph=dwarf,stack-size=4096/ -- sleep 0.3
kill -STOP $storm
equal "three events" "$work/events"
"$BIN/pscript" -i "$work/mixed" > /dev/null 2> "$work/err"
result "events of three kinds in one recording" "$(cat "$work/err")"
# Rings that hold few samples, and a recorder that stands still for a while: what is lost is counted.
timeout 60 "$BIN/prec" -q -m 64K --call-graph unwind,8192 -F 10000 -o "$work/small" bash "$work/storm.sh" 40 2> /dev/null
mkfifo "$work/control" "$work/answers"
exec 5<> "$work/control" 6<> "$work/answers"
kill -CONT $storm
"$BIN/prec" -q -m 128K --call-graph unwind,8192 --keep-stacks -F 5000 -o "$work/stopped" -p $storm \
	--control "fifo:$work/control,$work/answers" 2> /dev/null & p=$!
# it answers when all is switched on
echo ping >&5
read -r -t 60 _ <&6
kill -STOP $p
sleep 0.3
kill -CONT $p
sleep 0.1
kill -INT $p
wait $p
kill -KILL $storm
wait $storm 2> /dev/null
exec 5>&- 6>&-
lost=$("$BIN/prep" -i "$work/stopped" --stats 2> /dev/null | awk '/LOST/ { n++ } END { print n ? "" : "nothing is counted as lost" }')
result "a recorder that was stopped counts what is lost" "$lost"
"$BIN/pscript" -i "$work/small" > /dev/null 2> "$work/err"
result "rings of 64 KiB" "$(grep -v quality "$work/err")"

# A program that was replaced and one that was deleted while they run are those that were started.
cp "$(command -v bash)" "$work/old"
"$work/old" -c 'while :; do :; done' & a=$!
cp "$(command -v bash)" "$work/gone"
"$work/gone" -c 'while :; do :; done' & b=$!
sleep 0.05
cp /bin/true "$work/new" && mv "$work/new" "$work/old"
rm "$work/gone"
timeout 60 "$BIN/prec" -q --call-graph unwind -F 1000 -o "$work/moved" -p $a,$b -- sleep 0.3 2>> "$work/said"
kill $a $b
wait $a $b 2> /dev/null
whole=$("$BIN/pscript" -i "$work/moved" -F comm,ip,sym 2> /dev/null |
	awk '/^[^ \t]/ { nr++; who = $1 } /_start/ { whole[who]++ } END { print (nr >= 10 && whole["old"] >= 2 && whole["gone"] >= 2) ? "" : "few whole stacks: " whole["old"] ", " whole["gone"] " of " nr }')
if [ -e /proc/self/map_files ] && [ "$(id -u)" = 0 ]; then
	result "programs that were replaced or deleted while they run" "$whole"
else
	skip "programs that were replaced or deleted" "needs root"
fi

# A 32-bit program, without a library of that kind.
cat > "$work/small32.c" << 'EOF'
static volatile unsigned sink;
static __attribute__((noinline)) unsigned leaf(unsigned n)
{
	for (unsigned i = 0; i < 2000; i++)
		n = n * 1103515245 + 12345;
	return n;
}
__attribute__((noinline)) unsigned down(unsigned d)
{
	volatile unsigned a[8];
	a[d & 7] = d;
	return d ? down(d - 1) + a[d & 7] : leaf(a[0]);
}
void _start(void)
{
	for (unsigned i = 0; i < 60000; i++)
		sink += down(20);
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
}
EOF
if gcc -m32 -O1 -fomit-frame-pointer -fasynchronous-unwind-tables -fno-pic -no-pie -nostdlib -static \
	-fno-stack-protector -o "$work/small32" "$work/small32.c" 2> "$work/m32.err" && "$work/small32"; then
	record "$work/record32" -F 2000 "$work/small32"
	equal "a 32-bit program" "$work/record32"
else
	skip "a 32-bit program" "$(head -n 1 "$work/m32.err")"
fi

# A program in a container whose files are nowhere else: a tmpfs that is its root.
mkdir "$work/box"
if [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
	libs=$(ldd "$(command -v bash)" | grep -o '/[^ ]*')
	# shellcheck disable=SC2086,SC2016
	unshare -m bash -c 'mount -t tmpfs box "$1" && cd "$1" && mkdir run && for f in $3; do
			mkdir -p ".${f%/*}"; cp -L "$f" ".$f"; done && cp -L "$2" run/inside &&
		exec "$4" "$1" /run/inside -c "echo > /run/runs; while :; do :; done"' - \
		"$work/box" "$(command -v bash)" "$libs" "$PWD/$O/tests/tools/enter_root" 2> "$work/box.err" & box=$!
	for i in $(seq 100); do [ -e "/proc/$box/root/run/runs" ] && break; sleep 0.05; done
	record "$work/inside" -F 2000 -p $box -- sleep 0.4
	kill -STOP $box # its root, where its file is, has to stay
	equal "a program in a container" "$work/inside"
	kill -KILL $box
	wait $box 2> /dev/null
else
	skip "a program in a container" "no mount namespaces"
fi

# A file system that does not answer keeps the rings from being read for a moment only: each has room
# for 16 stacks.
mkdir "$work/mnt"
if "$O/tests/tools/answering_mount" "$work/mnt" "$(command -v bash)" "$work/server" true 2> "$work/mount.err"; then
	rm "$work/server"
	"$O/tests/tools/answering_mount" "$work/mnt" "$(command -v bash)" "$work/server" \
		"$work/mnt/file" -c 'echo > "$0"; while :; do :; done' "$work/runs" & mount=$!
	for i in $(seq 100); do [ -e "$work/runs" ] && break; sleep 0.05; done
	runs=$(pgrep -P $mount -f "^$work/mnt/file")
	# all pages are in memory: the program itself does not wait for the server
	nsenter -m -t "$runs" cat "$work/mnt/file" > /dev/null
	kill -STOP "$(cat "$work/server")"
	# LeakSanitizer would stop every thread at the end, and cannot stop the one that waits for the server
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
		timeout -s KILL 20 "$BIN/prec" -q -N -m 1M --call-graph unwind -F 1000 -o "$work/silent" -p "$runs" --for 1s 2> "$work/silent.err"
	ended=$?
	kill -CONT "$(cat "$work/server")"
	# one that answers late: samples wait for the file, and the rings are read meanwhile
	server=$(cat "$work/server")
	kill -STOP "$server"
	"$BIN/prec" -q -N -m 1M --call-graph unwind --keep-stacks -F 1000 -o "$work/late" -p "$runs" -- \
		sh -c "sleep 0.3; kill -CONT $server; sleep 0.3" 2> "$work/late.err"
	equal "a file system that answers late" "$work/late"
	kill "$runs"
	wait $mount 2> /dev/null
	nr=$("$BIN/pscript" --quality=none -i "$work/silent" -F comm 2> /dev/null | wc -l)
	result "a file system that does not answer" "$([ $ended = 0 ] && [ "$nr" -gt 50 ] || echo "status $ended, $nr samples: $(cat "$work/silent.err")")"
else
	skip "a file system that does not answer" "$(head -n 1 "$work/mount.err")"
fi

# --- who reads it -------------------------------------------------------------------------------

timeout 60 "$BIN/prec" -q --call-graph unwind -F 4000 -o "$work/plain" bash "$work/storm.sh" 25 2>> "$work/said"
timeout 60 "$BIN/prec" -q -z --call-graph unwind -F 4000 -o "$work/packed" bash "$work/storm.sh" 25 2>> "$work/said"
timeout 60 "$BIN/prec" -q --call-graph unwind -F 4000 -o - bash "$work/storm.sh" 25 > "$work/stream" 2>> "$work/said"
timeout 60 "$BIN/prec" -q --threads --call-graph unwind -F 4000 -o "$work/parted" bash "$work/storm.sh" 25 2>> "$work/said"
(cd "$work" && timeout 60 "$BIN/prec" -q --call-graph unwind -F 4000 --switch-output=64K -o parts bash storm.sh 150) 2>> "$work/said"
result "prec says nothing about it" "$(grep -v -e ' lost [0-9]* ' -e 'unwinding could not keep up' "$work/said")"
first_part=$(printf '%s\n' "$work"/parts.* | head -n 1)
for f in "$work/plain" "$work/packed" "$work/stream" "$first_part"; do
	"$BIN/pscript" -i "$f" 2>> "$work/err" | grep -c _start >> "$work/roots"
done
result "each of them has whole stacks" "$(grep -x 0 "$work/roots")$(grep -v quality "$work/err")"
: > "$work/none"
# What a reader says about a file that it does not say about one of perf's own.
words() { # FILE READER...
	local file=$1
	shift
	"${@//FILE/$file}" 2>&1 > /dev/null < /dev/null | sed "s|$file|FILE|g; s/[0-9]\+/N/g" | sort -u
}
says_more() { # READER..., which has FILE for the recording
	local f
	words "$work/perfs" "$@" > "$work/usual"
	for f in $files; do
		words "$work/$f" "$@" | comm -13 "$work/usual" - | grep -v -e '^cmd line: ' -e '^event ' -e addr2line -e '^FINISHED_ROUND detected'
	done
}
# perf 6.1 sometimes aborts at the end of a recording
for p in "$PERF72" "$PERF"; do
	[ -s "$work/perfs" ] || { "$p" record -q -g -F 4000 -o "$work/perfs" bash "$work/storm.sh" 25; } > /dev/null 2>&1
done
if [ -s "$work/perfs" ]; then
	for p in "$PERF" "$PERF72"; do
		has "$p" || { skip "$p" "not installed"; continue; }
		# names of inlined functions and of the kernel take perf seconds
		result "$("$p" --version) reads it" "$(
			files="plain packed stream parted" says_more "$p" script --no-inline --kallsyms="$work/none" --max-stack 8100 -i FILE
			files=plain says_more "$p" report --no-inline --kallsyms="$work/none" --stdio -i FILE
		)"
	done
	if has "$SAMPLY"; then
		result "samply imports it" "$(files="plain packed" says_more "$SAMPLY" import --save-only -o "$work/samply.json" FILE)"
	else
		skip samply "not installed"
	fi
	if has "$PERFPARSER"; then
		result "hotspot's parser reads it" "$(files="plain packed" says_more "$PERFPARSER" --debug "$work/no-debug" --input FILE --output "$work/hotspot")"
	else
		skip "hotspot's parser" "not installed"
	fi
else
	skip "other readers" "no stock perf to compare with"
fi
echo "1..$n"
exit $failed
