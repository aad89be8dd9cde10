#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec --off-cpu of a program that sleeps, waits for a lock, a pipe and a disk, and measures these
# itself: as root and, without root, at kernel.perf_event_paranoid 1 and 2 (where that is the setting
# here, or with PARANOID=1 in the environment, which changes it for a moment). The times off the CPU
# are what the program measured, within 1 % and what it ran meanwhile; on and off of each thread are
# the time it was observed; stock perf reads the same sums.
#
#	tests/checks/off_cpu.sh

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${CC:=cc}"
export LC_ALL=C TZ=UTC
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
[ -x "$BIN/prec" ] && [ -x "$BIN/plat" ] || { echo "1..0 # SKIP prec or plat is not built"; exit 77; }

n=0 failed=0
result() { # NAME, FAULTS
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1"
		printf '%s\n' "$2" | head -20 | sed 's/^/# /'
	fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

cat > "$work/waits.c" << 'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], locked, times = 1;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	__atomic_store_n(&locked, 1, __ATOMIC_RELEASE);
	usleep(40000 * times);
	pthread_mutex_unlock(&lock);
	usleep(40000 * times);
	return write(ends[1], "x", 1) == 1 ? arg : NULL;
}

int main(int argc, char **argv)
{
	double begin = now(), t = begin, sleeps, locks, pipes, disk;
	void *block = NULL;
	pthread_t thread;
	char c = 0;
	int fd;

	times = argc > 1 ? atoi(argv[1]) : 1;
	usleep(50000 * times);
	sleeps = now() - t;
	if (pipe(ends) || pthread_create(&thread, NULL, other, NULL))
		return 1;
	while (!__atomic_load_n(&locked, __ATOMIC_ACQUIRE))
		usleep(1000);
	t = now();
	pthread_mutex_lock(&lock);
	locks = now() - t;
	pthread_mutex_unlock(&lock);
	t = now();
	if (read(ends[0], &c, 1) != 1)
		return 1;
	pipes = now() - t;
	pthread_join(thread, NULL);
	fd = open("waits.tmp", O_RDWR | O_CREAT | O_DIRECT | O_SYNC, 0600);
	t = now();
	if (fd >= 0 && !posix_memalign(&block, 4096, 1 << 20)) {
		memset(block, 1, 1 << 20);
		for (int i = 0; i < 4; i++)
			if (pwrite(fd, block, 1 << 20, (off_t)i << 20) < 0)
				break;
	}
	disk = now() - t;
	printf("%f %f %f %f %f\n", sleeps, locks, pipes, disk, now() - begin);
	return 0;
}
C
$CC -O1 -g -o "$work/waits" "$work/waits.c" -lpthread 2> "$work/log" ||
	{ echo "1..0 # SKIP no compiler: $(tail -n 1 "$work/log")"; exit 77; }

# FOLDER COMMAND...: the recording, and in `sums` and `waits` what is wrong with it. Fails without one.
record_and_compare() {
	local dir=$1
	shift
	(cd "$dir" && timeout 60 "$@" -q --off-cpu -F 99 -o data -- "$work/waits" > measured) 2> "$work/log" ||
		return 1
	"$BIN/plat" task-state --ns -f "$dir/data" > "$work/table" 2> "$work/err"
	"$BIN/plat" task-state -g --ns --than 20ms -f "$dir/data" > "$work/long" 2>> "$work/err"
	sums=$(cat "$work/err"; awk '
		NR == FNR { for (i = 1; i <= 5; i++) want[i] = $i * 1e6; next }
		function far(got, want) { d = got - want; return d > want / 100 || -d > want / 100 }
		/^# time of threads/ { part = 1; next }
		/^#  *n / { part = 2 }
		/^#/ || !NF { next }
		part == 1 {
			sum = 0
			for (i = 2; i <= 9; i++)
				sum += $i
			if (sum != $1)
				print "states of thread " $12 " are " sum " ns of " $1
			if (++threads == 1 || $1 > wall) { wall = $1; run = $2 + $3; off = $1 - $2 - $3 }
		}
		END {
			if (threads != 2)
				print threads " threads"
			if (far(wall, want[5]) && wall - want[5] > 3e6)
				print "observed for " wall " ns of " want[5]
			waits = want[1] + want[2] + want[3] + want[4]
			# it also sleeps 5 ms, joins the thread, and runs between its waits
			if (off < (waits - run) * 0.99 || off > want[5] * 1.01 + 3e6)
				print "off the CPU for " off " ns; waits took " waits ", ran " run
		}' "$dir/measured" "$work/table")
	waits=$(awk 'NR == FNR { for (i = 1; i <= 3; i++) want[i] = $i * 1e6; next }
		/^ *[0-9]+\.[0-9]+ +[0-9]+ ns  (S|asleep) / { got[++nr] = $2 }
		END {
			for (i = 1; i <= 3; i++) {
				for (k = 1; k <= nr; k++) {
					d = got[k] - want[i]
					if ((d < 0 ? -d : d) <= want[i] / 100 + 2e5)
						break
				}
				if (k > nr)
					print "no sleep of " want[i] " ns"
			}
		}' "$dir/measured" "$work/long")
}

# FOLDER COMMAND...: without an event that has stacks prec looks at long sleeps: which of those of the
# program, five times as long, have no stack. Again, where a busy machine has not let prec run in time.
looked_at() {
	local dir=$1 try places='main;.*nanosleep main;.*mutex_lock main;.*read' place left
	shift
	: > "$work/stacks"
	for ((try = 1; try <= 5; try++)); do
		(cd "$dir" && timeout 60 "$@" -q --off-cpu -F 99 -o data -- "$work/waits" 5) > /dev/null 2>&1
		"$BIN/pfold" -f -e offcpu-time -i "$dir/data" >> "$work/stacks" 2> /dev/null
		left=
		for place in $places; do
			grep -q "^waits;.*$place" "$work/stacks" || left+="no stack with $place; "
		done
		[ -n "$left" ] || return
	done
	echo "$left"
}

# NAME FOLDER COMMAND...: the program is recorded again, up to six times, where figures differ: on a
# busy machine it may wait for a CPU before it begins to measure, or between two of its clocks.
judge() {
	local name=$1 try
	shift
	for ((try = 1; try <= 6; try++)); do
		record_and_compare "$@" || { result "$name: records" "$(cat "$work/log")"; return; }
		[ -n "$sums$waits" ] || break
	done
	result "$name: times off the CPU are those that the program measured" "$sums"
	result "$name: each wait is there" "$waits"
}

# One tree of times on and off the CPU: as much as each of the two events has.
wall() { # FILE
	"$BIN/pfold" --wall -i "$1" > "$work/wall" 2> "$work/err" || cat "$work/err"
	awk -v want="$({ "$BIN/pfold" -e cpu-clock -i "$1" && "$BIN/pfold" -e offcpu-time -i "$1"; } 2> /dev/null |
		awk '{ n += $NF } END { printf "%d", n }')" '
		{ n += $NF }
		END { if (sprintf("%d", n) != want) print n " ns, not " want }' "$work/wall"
	grep -q ';\[off-CPU[^;]*\] [0-9]*$' "$work/wall" || echo "no stack ends with [off-CPU]"
	grep -q -v ';\[[a-zA-Z -]*\] [0-9]*$' "$work/wall" || echo "no stack is on the CPU"
}

# prep's table of the same: as much time as the tree has, and as much in each of its ways to wait.
wall_table() { # FILE
	"$BIN/prep" --wall --stdio --no-children -g none -s sym -F period,sym --quality=none -i "$1" 2> "$work/err" |
		awk '/^# Event count/ { print "all", $NF } /\[-\]/ { $2 = ""; print }' | sed 's/   *\(.\)/ \1/; s/^ *//' |
		awk '$1 == "all" { print; next } { n = $1; sub(/^[0-9]* /, ""); print $0, n }' | sort > "$work/rows"
	awk '{ sum += $NF } match($0, /;\[(off-CPU[^];]*|preempted|run queue)\] [0-9]*$/) {
			how = substr($0, RSTART + 1, RLENGTH - 1); sub(/ [0-9]*$/, "", how); ways[how] += $NF }
		END { printf "all %d\n", sum; for (how in ways) printf "%s %d\n", how, ways[how] }' "$work/wall" |
		sort | diff - "$work/rows" || cat "$work/err"
}

id=$(id -u) paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
mkdir "$work/own" "$work/nobody"
if "$BIN/prec" -q -o "$work/try" -- true 2> /dev/null; then
	judge "this user" "$work/own" "$BIN/prec"
	"$BIN/prec" -q --off-cpu -e cpu-clock -F 997 -o "$work/clock" -- sh -c 'sleep 0.02
		i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' > "$work/log" 2>&1
	result "pfold --wall" "$(wall "$work/clock")"
	result "prep --wall" "$(wall_table "$work/clock")"
	"$BIN/prep" --wall --html "$work/page" --quality=none -i "$work/clock" > "$work/log" 2>&1
	result "prep --wall --html: one event, with as much time as the tree" "$(
		sed -n 's/.*"columns":\[{[^}]*"unit":"ns"[^}]*"total":\([0-9]*\).*/all \1/p' "$work/page" > "$work/got"
		grep '^all' "$work/rows" | diff - "$work/got" || cat "$work/log"
		grep -c '"wall clock"' "$work/page" | grep -v '^1$')"
	sum=$("$BIN/prep" --stdio -F period,comm -s comm -g none --quality=none -i "$work/own/data" 2> /dev/null |
		awk '/^# .*Event count/ { n = $NF } END { print n }')
	for perf in perf perf-sid; do
		command -v $perf > /dev/null || { skip "$perf reads it" "no $perf"; continue; }
		got=$($perf report --stdio -g none -i "$work/own/data" 2> /dev/null |
			awk '/^# .*Event count/ { n = $NF } END { print n }')
		result "$perf reads the same sum" "$([ "$got" = "$sum" ] || echo "$got, not $sum")"
	done
	for reader in 'samply import --save-only -o' 'hotspot-perfparser --output'; do
		name=${reader%% *} input=()
		[ "$name" = samply ] || input=(--input)
		command -v "$name" > /dev/null || { skip "$name reads it" "no $name"; continue; }
		# shellcheck disable=SC2086
		timeout 60 $reader "$work/read" "${input[@]}" "$work/own/data" > "$work/log" 2>&1
		status=$?
		result "$name reads it" "$(
			[ $status = 0 ] && [ -s "$work/read" ] || { echo "status $status"; cat "$work/log"; }
			grep -q offcpu-time <(gzip -dcf "$work/read") || echo "nothing of offcpu-time")"
	done
else
	skip "this user" "the kernel lets nobody record here"
fi
if [ "$id" = 0 ] && command -v setpriv > /dev/null && [ -e "$work/own/data" ]; then
	cp "$BIN/prec" "$work/prec"
	chown 65534 "$work/nobody"
	as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work/nobody")
	for level in 1 2; do
		if [ "$paranoid" != $level ]; then
			[ -n "${PARANOID-}" ] || { skip "nobody at paranoid $level" "it is $paranoid here"; continue; }
			echo $level > /proc/sys/kernel/perf_event_paranoid
		fi
		judge "nobody at paranoid $level" "$work/nobody" "${as_nobody[@]}" "$work/prec"
		[ $level = 1 ] || result "nobody at paranoid $level: each wait has its stack" \
			"$(looked_at "$work/nobody" "${as_nobody[@]}" "$work/prec")"
		echo "$paranoid" > /proc/sys/kernel/perf_event_paranoid
	done
fi
echo "1..$n"
exit $failed
