#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec --threads: folders that stock perf 6.1 and the newest perf (script, report) and pscript read,
# with the same samples; the conditions of perf's own test of --threads (tests/shell/record.sh: the
# whole system with one thread per CPU and a command with one per package, cpu-clock and cs, both
# show the function that runs); -z; --max-size; earlier folders; a killed recorder.
#
# Environment: BIN (default bin), PERF, PERF72 (default perf and perf-sid; left out if missing).

. tests/frame/tell.sh
: "${BIN:=$PWD/bin}"
BIN=$(realpath "$BIN")
PERF=${PERF-$(command -v perf)} PERF72=${PERF72-$(command -v perf-sid)}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
export TZ=UTC LC_ALL=C HOME=$tmp PAGER=cat
unset DEBUGINFOD_URLS PERF_BUILDID_DIR PERF_CONFIG
cat > "$tmp/loop.c" << 'C'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
volatile unsigned int count;
static double cpu_seconds;
__attribute__((noinline)) void test_loop(void)
{
	struct timespec t;

	do {
		for (int i = 0; i < 100000; i++)
			count++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < cpu_seconds);
}
static void *run(void *arg)
{
	test_loop();
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[2];

	cpu_seconds = argc > 1 ? atof(argv[1]) : 0.1;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
gcc -O1 -g -fno-omit-frame-pointer -o "$tmp/loop" "$tmp/loop.c" -pthread || exit 2
cd "$tmp" || exit 2
if ! "$BIN/prec" -o try.data -e cpu-clock -- true > /dev/null 2>&1; then
	echo "1..0 # SKIP nothing can be recorded here"
	exit 77
fi
online=$(getconf _NPROCESSORS_ONLN)

# Prints what a reader said. Stock perf's counts of its own references fail now and then, under load; it
# reads on. With -a, programs of other checks are recorded, too, and their jitdumps read.
complaints() {
	grep -v '^assertion failed at util/\|: memory of JIT code was used again' said
}

# True when stock perf ended in the middle: 6.1 has too little room for build-ids of more than 20 bytes,
# which some linkers make, of any program that runs while the whole system is recorded.
perf_died() {
	grep -q 'stack smashing detected' said
}

# Records and lets everyone read it: the number of samples is the same, test_loop is there, and nothing
# is said. The reports of stock perf take a second: they are read for the two modes of perf's own test.
check() { # ARGS...
	local said is reader

	rm -rf t.data
	timeout 30 "$BIN/prec" -o t.data "$@" -- ./loop 0.1 > out 2> err ||
		{ why+=" prec: $(cat err);"; return; }
	said=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err)
	[ "${said:-0}" -ge 10 ] || why+=" $said samples;"
	[ -s t.data/data ] && [ -e t.data/data.0 ] || why+=" files: $(ls t.data);"
	[ "$(find t.data -type f | wc -l)" -le $((online + 1)) ] || why+=" too many files;"
	for reader in "$BIN/pscript --quality=none" ${PERF:+"$PERF script"} ${PERF72:+"$PERF72 script"}; do
		is=$($reader -i t.data -F event 2> said | grep -c .)
		! perf_died || continue
		[ "$is" = "$said" ] || why+=" $reader: $is of $said samples;"
		why+=$(complaints)
	done
	for reader in "$BIN/prep --quality=none" ${report:+${PERF:+"$PERF report"} ${PERF72:+"$PERF72 report"}}; do
		$reader -i t.data --stdio -q > shown 2> said < /dev/null
		! perf_died || continue
		grep -q test_loop shown || why+=" $reader: no test_loop;"
		why+=$(complaints)
	done
	: > err
}

# Not software events such as cs: while two recorders have one, Linux 6.18 writes samples with the other
# recorder's id.
report=1
check -aB --synth=no -e cpu-clock,task-clock --threads=cpu
tell_why "the whole system, a thread for each CPU, nothing about tasks before"
check -e cpu-clock,task-clock --threads=package
tell_why "a command, a thread for each package"
report=
check -a -N -g -F 999 -e cpu-clock --threads=core
tell_why "call graphs, a thread for each core"
check -z -e cpu-clock --threads=numa
"$BIN/prep" -i t.data --header-only 2> /dev/null | grep -q '^# directory data version : 1' ||
	why+=" not a directory: $("$BIN/prep" -i t.data --header-only 2>&1 | tail -3);"
"$BIN/prep" -i t.data --header-only 2> /dev/null | grep -q '^# compressed : Zstd' ||
	why+=" not compressed;"
tell_why "-z, a thread for each NUMA node"
check --call-graph dwarf,4096 -F 500 -e cpu-clock --threads
tell_why "stack copies, --threads alone"
check -e cpu-clock --threads=0/0
tell_why "a mask; a command is recorded on CPUs in no mask, too"

if [ "$online" -gt 1 ]; then
	check -a -N -F 999 -e cpu-clock --threads=0/1:1/0
	tell_why "two masks"
	timeout 20 "$BIN/prec" -q -o one.data -a -N -F 999 -e cpu-clock --threads=1/1 -- ./loop 0.1 2> err
	cpus=$("$BIN/pscript" --quality=none -i one.data -F cpu | sort -u | tr -d ' \n')
	[ "$cpus" = '[001]' ] || why+=" CPUs $cpus;"
	[ "$("$BIN/pscript" --quality=none -i one.data -F comm | grep -c loop)" -gt 0 ] ||
		why+=" comm of a process that began on another CPU is missing;"
	tell_why "the whole system: CPUs in no mask are not recorded, but their processes are known"
fi

# the limit is looked at every 250 ms
timeout 30 "$BIN/prec" -o size.data -a -e cpu-clock -F 20000 --max-size=200K --threads -- ./loop 9 > out 2> err
grep -q 'size limit reached' err || why+=" it did not end;"
tell_why "--max-size is that of all files"

for i in 1 2 3; do
	"$BIN/prec" -q -o again.data --threads -e cpu-clock -- ./loop 0.01 2> err || why+=" run $i;"
done
[ -s again.data.old/data ] || why+=" no folder of before;"
"$BIN/prec" -q -o again.data -e cpu-clock -- ./loop 0.01 2>> err || why+=" a file;"
"$BIN/prec" -q -o again.data -e cpu-clock -- ./loop 0.01 2>> err || why+=" another file;"
[ -f again.data ] && [ -f again.data.old ] || why+=" not files;"
mkdir -p mine.data.old && : > mine.data.old/letter && cp again.data mine.data
"$BIN/prec" -q -o mine.data -e cpu-clock -- true 2> said && why+=" a foreign folder gives way;"
[ -e mine.data.old/letter ] || why+=" a foreign file is removed;"
tell_why "an earlier recording is kept as FILE.old, folder or file"

"$BIN/prec" -q -o killed.data -a -F 2000 -e cpu-clock --threads -- ./loop 1 2> err &
prec=$!
for ((i = 0; i < 100; i++)); do
	[ "$(stat -c %s killed.data/data.0 2> /dev/null || echo 0)" -gt 8000 ] && break
	sleep 0.05
done
kill -9 $prec
wait $prec 2> out
is=$("$BIN/pscript" --quality=none -i killed.data -F ip 2> said | grep -c .)
[ "$is" -gt 50 ] || why+=" $is samples: $(cat said);"
grep -q 'did not finish' said || why+=" not a word about it: $(cat said);"
tell_why "the folder of a killed recorder is whole up to its last write"

"$BIN/prec" --threads -- true 2> said | cat
grep -q 'not a pipe' said || why+=" $(cat said);"
tell_why "a pipe is refused"
echo "1..$n"
exit $failed
