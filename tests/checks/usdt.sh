#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Static probes (usdt:FILE:PROVIDER:NAME of prec, plat usdt) of a program with notes as sys/sdt.h writes
# them: how often each was hit, its arguments, its semaphore, pairs against tests/tools/plat_oracle.py;
# and that no probe stays in the kernel, even if prec is killed.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${CC:=gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
skip_all() { echo "1..0 # SKIP $*"; exit 77; }
[ -x "$BIN/plat" ] && [ -x "$BIN/prec" ] || skip_all "plat or prec is not built"
[ "$(uname -m)" = x86_64 ] || skip_all "the program is for x86-64"
[ "$(id -u)" = 0 ] || skip_all "static probes need root"
events=/sys/kernel/tracing/uprobe_events
[ -w "$events" ] || skip_all "no $events"
command -v python3 > /dev/null || skip_all "no python3"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

cat > "$work/probed.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#define PROBE(name, semaphore, args, ...) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n" \
		".4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n" \
		"993: .8byte 990b, _.stapsdt.base, " semaphore "\n" \
		".asciz \"app\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n994: .balign 4\n.popsection\n" \
		".ifndef _.stapsdt.base\n" \
		".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n" \
		".size _.stapsdt.base,1\n.popsection\n.endif\n" :: __VA_ARGS__)
unsigned short wanted_semaphore __attribute__((section(".probes"), used));
volatile unsigned short *wanted = &wanted_semaphore;
__attribute__((noinline)) static void request(int id, long bytes, unsigned *status)
{
	PROBE("begin", "0", "-4@%%edi 8@%%rsi 4@4(%%rdx) -4@$-3", "D"(id), "S"(bytes), "d"(status), "m"(status[1]));
	status[1]++;
	PROBE("end", "0", "-4@%%edi", "D"(id));
}
int main(int argc, char **argv)
{
	unsigned status[2] = { 0, 0 };
	int seen = 0;
	for (int i = 0; i < atoi(argv[1]); i++) {
		request(-i, 100L << i % 4, status);
		PROBE("sizes", "0", "-1@%%dil 1@%%sil -2@%%ax 2@%%cx", "D"(-i), "S"(200 + i % 50), "a"(-1000 - i), "c"(60000 + i));
		PROBE("tick", "0", "", "m"(seen));
		if (*wanted) { seen++; PROBE("wanted", "wanted_semaphore", "", "m"(seen)); }
		if (i % 5 == 0) PROBE("twice", "0", "4@%%edi", "D"(i));
		else if (i % 5 == 1) PROBE("twice", "0", "4@%%esi", "S"(i));
	}
	printf("seen %d\n", seen);
	return argc == 9;
}
END
"$CC" -O2 -o "$work/probed" "$work/probed.c" 2> "$work/log" || skip_all "no program: $(head -1 "$work/log")"
mine() { grep -F "$work/" "$events"; }

"$BIN/prec" -q -o "$work/data" -e "usdt:$work/probed:app:*" -- "$work/probed" 100 > "$work/out" 2> "$work/err" ||
	skip_all "static probes cannot be recorded: $(head -1 "$work/err")"
result "recording: each hit, with the semaphore" "$(cat "$work/err"; mine
	diff <(echo seen 100) "$work/out"
	"$BIN/plat" -i "$work/data" -e 'sdt_app:*' --by '$event' | awk '!/^#/ { print $3, $1 }' |
		diff <(printf '%s\n' 'sdt_app:begin 100' 'sdt_app:end 100' 'sdt_app:sizes 100' 'sdt_app:tick 100' 'sdt_app:wanted 100' \
			'sdt_app:twice 40' '(all) 540') - )"
result "arguments: registers, memory, constants" "$(
	"$BIN/pscript" --quality=none -i "$work/data" -F event,trace 2> /dev/null | grep -a 'sdt_app:begin' |
		sed 's/.*) //' > "$work/got"
	for ((i = 0; i < 100; i++)); do
		echo "arg1=$((-i)) arg2=$((100 << i % 4)) arg3=$i arg4=-3"
	done | diff - "$work/got" | head -5
	"$BIN/plat" -i "$work/data" -e sdt_app:sizes --lines | sed -n 's/.* \(arg1=.*\)/\1/p' > "$work/got"
	for ((i = 0; i < 100; i++)); do
		echo "arg1=$((-i)) arg2=$((200 + i % 50)) arg3=$((-1000 - i)) arg4=$((60000 + i))"
	done | diff - "$work/got" | head -5
	"$BIN/plat" -i "$work/data" -e sdt_app:twice --value arg1 | awk '!/^#/ { print $1, $2, $3, $8; exit }' |
		diff <(echo 40 1920 0 96) -)"
"$BIN/plat" usdt "$work/probed:app:begin" "$work/probed:app:end" --key arg1 --by begin:arg2 --unit ns \
	-i "$work/data" > "$work/table" 2> "$work/err"
result "pairs" "$(cat "$work/err"
	"$BIN/pscript" -G --ns --show-lost-events -i "$work/data" 2> /dev/null |
		python3 tests/tools/plat_oracle.py sdt_app:begin sdt_app:end 'arg1=(\S+)' 'arg1=(\S+)' \
			'b:arg2=(\S+)' "$work/table" 2>&1)"
"$BIN/plat" usdt "$work/probed:app:begin" --value arg2 --hist -- "$work/probed" 40 > "$work/table" 2> "$work/err"
result "live: a histogram of an argument" "$(grep -v '^seen' "$work/err"; mine
	awk '/^\[/ { print $1, $2, $3 }' "$work/table" |
		diff <(printf '%s\n' '[64, 128) 10' '[128, 256) 10' '[256, 512) 10' '[512, 1K) 10') -)"
if [ -x /usr/bin/perf ] && /usr/bin/perf script -i "$work/data" > "$work/perf" 2> "$work/log"; then
	result "stock perf reads the recording" "$(
		[ "$(grep -c 'sdt_app:begin.*arg2=' "$work/perf")" = 100 ] || head -5 "$work/perf" "$work/log")"
else
	result "stock perf reads the recording # SKIP no perf" ''
fi

"$BIN/prec" -q -o /dev/null -e "usdt:$work/probed:app:begin" -- sleep 30 > "$work/log" 2>&1 &
pid=$!
for ((i = 0; i < 100; i++)); do
	[ -z "$(mine)" ] || break
	sleep 0.05
done
said=$(mine)
kill -9 $pid
wait $pid 2> /dev/null
for ((i = 0; i < 100; i++)); do
	[ -n "$(mine)" ] || break
	sleep 0.05
done
result "nothing stays behind a prec that was killed" "$(
	[ -n "$said" ] || echo "there was no probe"
	mine)"

refuses() { # EVENT WORDS
	"$BIN/prec" -q -o "$work/none" -e "$1" -- true > "$work/log" 2>&1 && echo "$1 is taken"
	grep -qF "$2" "$work/log" || { echo "$1 does not say '$2':"; cat "$work/log"; }
}
cp "$work/probed" "$work/with blank"
head -c 100 "$work/probed" > "$work/cut"
result "mistakes" "$(
	refuses "usdt:$work/probed:app:bgin" 'nearest: app:begin'
	refuses "usdt:$work/probed:begin" 'expected usdt:FILE:PROVIDER:NAME'
	refuses "usdt:$work/missing:app:begin" 'missing'
	refuses "usdt:$BIN/prec:app:begin" 'there are none'
	refuses "usdt:$work/cut:app:begin" 'cut'
	refuses "usdt:$work/with blank:app:begin" 'without blanks')"
results_end
