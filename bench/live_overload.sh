#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec --call-graph unwind when it cannot keep up. A program makes BENCH_CALLS system calls from 40
# frames deep, each of them a sample: those in the recording and those counted as lost must be as many
# as the calls, prec must end, and the recording must be read.
#
#	rings of 64 KB, and of 1 MB
#	prec stopped (SIGSTOP) for 2 s
#	the program's file in a file system that does not answer for 3 s, or never again
#	prec ended by SIGINT while the file system does not answer
#
#	bench/live_overload.sh
#
# BENCH_RINGS="64K 1M": sizes to try; empty: only file systems.
# Environment: BIN (default bin), TOOLS_DIR (default build/gcc/tests/tools), BENCH_CALLS (200000).
# Needs root and tracefs. Status 1 when a line is MISSED.

set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${TOOLS_DIR:=$PWD/build/gcc/tests/tools}" "${BENCH_CALLS:=200000}"
export LC_ALL=C
D=$(mktemp -d /tmp/live-overload.XXXXXX)
own=()
clean_up() {
	for p in "${own[@]}"; do kill -CONT "$p"; kill -9 "$p"; done 2> /dev/null
	rm -rf "$D"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
failed=0
event=syscalls:sys_enter_getppid
"$BIN/prec" -q -e $event -o "$D/try" true 2> "$D/err" || { echo "no $event here: $(cat "$D/err")"; exit 77; }

cat > "$D/calls.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static long rest, each;
__attribute__((noinline)) long down(int depth)
{
	volatile char room[64];
	long r = 0;

	room[0] = (char)depth;
	if (depth)
		return down(depth - 1) + room[0];
	for (long n = each; n-- && rest; rest--)
		r += syscall(SYS_getppid);
	return r;
}
/* CALLS PER-MS FILE: begins when there is the file */
int main(int argc, char **argv)
{
	long n = atol(argv[1]);

	(void)argc;
	each = 20;
	rest = 20;
	down(40);
	puts("ready");
	fflush(stdout);
	while (access(argv[3], F_OK))
		usleep(1000);
	for (rest = n, each = atol(argv[2]) ? atol(argv[2]) : n; rest;) {
		struct timespec ms = { 0, 1000000 };

		down(40);
		if (each < n)
			nanosleep(&ms, 0);
	}
	return 0;
}
END
gcc -O1 -fomit-frame-pointer -o "$D/calls" "$D/calls.c" || exit 77

ended() { # PID SECONDS: true if it ended by then
	local i
	for ((i = 0; i < $2 * 20; i++)); do
		kill -0 "$1" 2> /dev/null || return 0
		sleep 0.05
	done
	return 1
}
judge() { # TEXT FILE PREC-PID CALLS
	local text=$1 file=$2 got lost verdict=ok why=
	if ! ended "$3" 20; then
		kill -9 "$3"
		verdict=MISSED why="prec did not end;"
	fi
	wait "$3" 2> /dev/null
	"$BIN/pscript" --quality=none -i "$file" -F comm,ip,sym > "$D/text" 2> "$D/said" || { verdict=MISSED why+=" pscript fails: $(head -n 1 "$D/said");"; }
	got=$(grep -c '^calls\|^file' "$D/text")
	whole=$(sed -n 's/.*unwound .* stacks, \([0-9]*\) of them to the start.*/\1/p' "$D/prec.err")
	lost=$("$BIN/prep" -i "$file" -D 2> /dev/null | sed -n 's/.*LOST_SAMPLES.*lost samples ://p' | awk '{ n += $1 } END { print n + 0 }')
	[ $((got + lost)) -eq "$4" ] || verdict=MISSED
	[ $verdict = ok ] || failed=1
	printf '%-50s %7d calls: %7d recorded (%d whole), %7d counted as lost%s  %s %s\n' "$text" "$4" "$got" "${whole:-0}" "$lost" \
		"$([ $((got + lost)) -eq "$4" ] || echo ", $(($4 - got - lost)) MISSING")" "$verdict" "$why"
}
start() { # CALLS PER-MS PREC-ARGUMENTS...
	local calls=$1 each=$2
	shift 2
	rm -rf "$D/go" "$D/out"
	: > "$D/ready"
	"${from[@]}" "$calls" "$each" "$D/go" > "$D/ready" & load=$!
	own+=($load)
	until grep -q ready "$D/ready" || ! kill -0 $load 2> /dev/null; do sleep 0.02; done
	target=$(pgrep -P $load -f "^$D/mnt/file" | head -n 1)
	"$BIN/prec" -N -e $event -c 1 --call-graph unwind,8192 -o "$D/out" -p "${target:-$load}" "$@" 2> "$D/prec.err" & prec=$!
	own+=($prec)
	sleep 0.5
	touch "$D/go"
}

from=("$D/calls")
for m in ${BENCH_RINGS-64K 1M}; do
	start "$BENCH_CALLS" 0 -m $m
	judge "rings of $m, as many calls as there is time for" "$D/out" $prec "$BENCH_CALLS"
	start "$BENCH_CALLS" 50 -m $m
	sleep 0.5
	kill -STOP $prec
	sleep 2
	kill -CONT $prec
	judge "rings of $m, prec stopped for 2 s" "$D/out" $prec "$BENCH_CALLS"
done

mkdir "$D/mnt"
from=("$TOOLS_DIR/answering_mount" "$D/mnt" "$D/calls" "$D/server" "$D/mnt/file")
if [ -x "${from[0]}" ] && "${from[@]:0:4}" true; then
	start 40000 10
	judge "a file system of FUSE" "$D/out" $prec 40000
	for how in 3 never SIGINT; do
		rm -rf "$D/server" "$D/go" "$D/out"
		: > "$D/ready"
		"${from[@]}" 40000 10 "$D/go" > "$D/ready" & load=$!
		own+=($load)
		until grep -q ready "$D/ready"; do sleep 0.02; done
		target=$(pgrep -P $load -f "^$D/mnt/file" | head -n 1)
		kill -STOP "$(cat "$D/server")"
		"$BIN/prec" -N -e $event -c 1 --call-graph unwind,8192 -o "$D/out" -p "$target" 2> "$D/prec.err" & prec=$!
		own+=($prec)
		sleep 0.5
		touch "$D/go"
		sleep 3
		case $how in
		3) kill -CONT "$(cat "$D/server")" ;;
		SIGINT) kill -INT $prec ;;
		esac
		if [ $how = SIGINT ]; then
			ended $prec 3 && verdict=ok || verdict=MISSED failed=1
			kill -CONT "$(cat "$D/server")"
			wait $prec
			echo "a file system that does not answer, SIGINT: prec ends within 3 s: $verdict; $("$BIN/pscript" --quality=none -i "$D/out" -F comm 2> /dev/null | wc -l) samples are read"
		else
			judge "no answer for $how s" "$D/out" $prec 40000
			[ "$how" = never ] || [ "${whole:-0}" -gt 0 ] || { echo "no stack is whole after the answer: MISSED"; failed=1; }
		fi
		kill -CONT "$(cat "$D/server")" 2> /dev/null
		wait $load
	done
else
	echo "no FUSE here: a file system that does not answer is left out"
fi
exit $failed
