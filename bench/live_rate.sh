#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat live at 100,000 and at 1,000,000 events a second: the CPU time of plat and prec together, and
# whether each of N calls of getppid was counted, or counted as lost. Then the same from a file.
#
#	bench/live_rate.sh
#
# BENCH_SECONDS=10 BENCH_RINGS=32M BENCH_RATES="100000 1000000"; BIN (default bin) and TOOLS (default
# build/gcc/bench). Needs root and tracefs. A rate that the machine does not reach is printed as it
# was; losses are normal where other programs take the CPUs. Status 1 when a line is MISSED.
set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}" "${BENCH_SECONDS:=10}" "${BENCH_RINGS:=32M}"
: "${BENCH_RATES:=100000 1000000}"
export LC_ALL=C
D=$(mktemp -d /tmp/live-rate.XXXXXX)
trap 'rm -rf "$D"' EXIT
event=syscalls:sys_enter_getppid
"$BIN/prec" -q -e $event -o "$D/try" true 2> "$D/err" || { echo "no $event here: $(cat "$D/err")"; exit 77; }

cat > "$D/calls.c" << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
/* CALLS PER-SECOND FILE: writes its wall and CPU seconds to FILE */
int main(int argc, char **argv)
{
	long n = atol(argv[1]), done = 0;
	double rate = atof(argv[2]), start = now();
	struct timespec pause = { 0, 200000 };
	struct rusage ru;
	FILE *f = argc == 4 ? fopen(argv[3], "w") : NULL;

	while (done < n) {
		long due = (long)((now() - start) * rate);

		for (; done < n && done < due; done++)
			syscall(SYS_getppid);
		if (done < n)
			nanosleep(&pause, NULL);
	}
	getrusage(RUSAGE_SELF, &ru);
	return !f || fprintf(f, "%f %f\n", now() - start,
			     (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) +
				     (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6) < 0;
}
END
gcc -O2 -o "$D/calls" "$D/calls.c" || exit 77
failed=0

# What prec said of losses: samples of all events.
lost() { sed -n 's/.*: lost \([0-9]*\) of [0-9]* samples.*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }
# TEXT N: whether N calls are all there
judge() {
	local got=$3 lost=$4 verdict=ok
	[ $((got + lost)) -eq "$2" ] || { verdict="MISSED: $(($2 - got - lost)) calls"; failed=1; }
	printf '%s: %d calls: %d counted, %d lost  %s\n' "$1" "$2" "$got" "$lost" "$verdict"
}
# TEXT EVENTS-A-CALL: CPU time without that of the calls, which measure has added
rate() {
	paste -d ' ' "$D/cpu" "$D/calls.time" | awk -v text="$1" -v n="$2" '
		{ printf "%s: %.0f events/s for %.1f s: plat and prec %.1f %% of a CPU, %.0f ns an event\n",
			text, n / $4, $4, ($2 - $5) / $4 * 100, ($2 - $5) * 1e9 / n }'
}
for r in $BENCH_RATES; do
	n=$((r * BENCH_SECONDS))
	"$TOOLS/measure" 1 "$D/cpu" sh -c "exec '$BIN/plat' -e $event -m $BENCH_RINGS -- '$D/calls' $n $r '$D/calls.time' > '$D/out'" 2> "$D/err"
	rate "$r a second, one event a call" "$n"
	judge "$r a second, live" "$n" "$(sed -n 's/^# events: //p' "$D/out")" "$(lost "$D/err")"
	"$TOOLS/measure" 1 "$D/cpu" sh -c "exec '$BIN/plat' syscalls -a -m $BENCH_RINGS -- '$D/calls' $((n / 2)) $((r / 2)) '$D/calls.time' > '$D/out'" 2> "$D/err"
	events=$(awk '/^ *[0-9]/ { n += 2 * $1 } END { print n }' "$D/out")
	rate "$r a second, plat syscalls -a" "$events"
	printf '%s a second, plat syscalls -a: %d calls: %d counted, %d events of all lost\n' "$r" $((n / 2)) \
		"$(awk '$NF == "getppid" { print $1 }' "$D/out")" "$(lost "$D/err")"
	"$BIN/prec" -q -e $event -m "$BENCH_RINGS" -o "$D/file" -- "$D/calls" "$n" "$r" 2> "$D/err"
	"$BIN/plat" -e $event -i "$D/file" > "$D/out" 2> "$D/said"
	judge "$r a second, from a file" "$n" "$(sed -n 's/^# events: //p' "$D/out")" "$(lost "$D/err")"
	rm -f "$D/file"
done
exit $failed
