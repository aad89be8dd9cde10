#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Speed and memory of two builds, in pairs: each turn runs the old and the new command one after the
# other, every second turn the new one first. For each row the medians of the turns are printed, and
# the medians of the ratios within a turn (new / old) for user + system time, wall time and peak
# memory.
#
#	bench/pairs.sh OLD_BIN NEW_BIN
#
# Rows: pfold, prep, pscript and pann of a recording with frame-pointer chains; pfold and prep of one
# with stack copies; prec, which samples each of a fixed number of page faults of another process, with
# chains and with stack copies. Of prec only what the recorder itself uses counts; its wall time is
# that of the recorded process.
#
# A row is MISSED when its processor time is more than 3 % above the old one's or its peak memory is
# more than 5 % and 1 MiB above it. Wall times are for information: they depend on what else
# runs. Status 1 when a row is MISSED.
#
# Environment:
#	PAIRS_RUNS=9			turns that count; one more goes first to fill the caches
#	PAIRS_ROWS=			only these rows, such as "pfold-fp prec-fp"
#	PAIRS_DIR=build/pairs		recordings and figures; a recording found there is used again
#	PAIRS_FP=, PAIRS_DWARF=		recordings to use instead of ones made here
#	PAIRS_SAMPLES=400000		samples of the recording with chains
#	TOOLS=build/gcc/bench		folder of measure and gen_perfdata

set -eu
cd "$(dirname "$0")/.."
[ $# = 2 ] || { echo "usage: bench/pairs.sh OLD_BIN NEW_BIN" >&2; exit 129; }
OLD=$(cd "$1" && pwd) NEW=$(cd "$2" && pwd)
: "${PAIRS_RUNS:=9}" "${PAIRS_DIR:=build/pairs}" "${PAIRS_SAMPLES:=400000}" "${TOOLS:=$PWD/build/gcc/bench}"
: "${PAIRS_ROWS:=pfold-fp pfold-dwarf prep-fp prep-dwarf pscript-fp pann-fp prec-fp prec-dwarf}"
BENCH_DIR=$PAIRS_DIR/figures
export LC_ALL=C
unset DEBUGINFOD_URLS
for bin in "$OLD" "$NEW"; do
	[ -x "$bin/pfold" ] || { echo "pairs: $bin/pfold is not built" >&2; exit 77; }
done
for tool in measure gen_perfdata; do
	[ -x "$TOOLS/$tool" ] || { echo "pairs: no $tool in $TOOLS (make build/gcc/bench/$tool)" >&2; exit 77; }
done
mkdir -p "$BENCH_DIR"

# shellcheck source=bench/turns.sh
. bench/turns.sh

# Chains are recorded once and repeated up to PAIRS_SAMPLES; stack copies, which prec compresses, are
# recorded at a higher frequency instead.
make_inputs() {
	local cxx=g++

	if [ -z "${PAIRS_FP-}" ]; then
		PAIRS_FP=$PAIRS_DIR/fp-$PAIRS_SAMPLES.data
		[ -s "$PAIRS_DIR/recordings/fp.data" ] || BIN=$OLD bench/fresh_recordings.sh "$PAIRS_DIR/recordings" ||
			[ -s "$PAIRS_DIR/recordings/fp.data" ] || exit 77
		[ -s "$PAIRS_FP" ] || "$TOOLS/gen_perfdata" "$PAIRS_DIR/recordings/fp.data" "$PAIRS_FP" \
			"$PAIRS_SAMPLES" > /dev/null
	fi
	if [ -z "${PAIRS_DWARF-}" ]; then
		PAIRS_DWARF=$PAIRS_DIR/dwarf.data
		! command -v clang++ > /dev/null || cxx=clang++
		[ -s "$PAIRS_DWARF" ] || "$OLD/prec" -q --call-graph dwarf -F 10000 -o "$PAIRS_DWARF" -- \
			"$cxx" -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null || exit 77
	fi
}

# A process with a fixed number of page faults, each at one of 40 depths of the stack. It begins half
# a second after its start, when the recorder is attached.
make_work() {
	[ -x "$PAIRS_DIR/work" ] || gcc -O1 -g -fno-omit-frame-pointer -x c -o "$PAIRS_DIR/work" - << 'C'
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#define PAGES 1024
static volatile unsigned long x;
__attribute__((noinline)) void leaf(volatile char *page)
{
	*page = 1;
	for (int i = 0; i < 3000; i++) x += (unsigned)i * i;
}
__attribute__((noinline)) int rec(int d, volatile char *page)
{
	if (!d) { leaf(page); return 0; }
	return rec(d - 1, page) + 1;
}
int main(int argc, char **argv)
{
	long nr_faults = argc > 1 ? atol(argv[1]) : 1000;
	char *area = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED) return 1;
	madvise(area, PAGES * 4096, MADV_NOHUGEPAGE);
	usleep(500000);
	for (long i = 0; i < nr_faults; i++) {
		if (i % PAGES == 0) madvise(area, PAGES * 4096, MADV_DONTNEED);
		x += rec(i % 40, area + i % PAGES * 4096);
	}
	return 0;
}
C
}

# prec records the work and ends with it; the work is no child of it, so its time does not count.
measure_prec() { # NAME BIN FAULTS ARGS...
	local name=$1 bin=$2 faults=$3 pid

	shift 3
	rm -f "$PAIRS_DIR/prec.data" "$PAIRS_DIR/prec.data.old"
	"$PAIRS_DIR/work" "$faults" &
	pid=$!
	measure "$name" "$bin/prec" -q -e page-faults -c 1 "$@" -o "$PAIRS_DIR/prec.data" -p "$pid"
	wait "$pid"
}

one() { # ROW old|new
	local bin=$OLD

	[ "$2" = old ] || bin=$NEW
	case $1 in
	pfold-fp) measure "$1.$2" "$bin/pfold" -i "$PAIRS_FP" ;;
	pfold-dwarf) measure "$1.$2" "$bin/pfold" -i "$PAIRS_DWARF" ;;
	prep-fp) measure "$1.$2" "$bin/prep" --stdio -i "$PAIRS_FP" ;;
	prep-dwarf) measure "$1.$2" "$bin/prep" --stdio -i "$PAIRS_DWARF" ;;
	pscript-fp) measure "$1.$2" "$bin/pscript" -i "$PAIRS_FP" ;;
	pann-fp) measure "$1.$2" "$bin/pann" --max-symbols 100 -i "$PAIRS_FP" ;;
	prec-fp) measure_prec "$1.$2" "$bin" 1000000 -g ;;
	prec-dwarf) measure_prec "$1.$2" "$bin" 30000 --call-graph dwarf ;;
	*) echo "pairs: no row $1" >&2; exit 129 ;;
	esac
}

make_inputs
make_work
printf '# %s, %s CPUs; load %s; medians of %s turns; MiB: peak memory\n' "$(uname -srm)" "$(nproc)" \
	"$(cut -d' ' -f1-3 /proc/loadavg)" "$PAIRS_RUNS"
printf '%-12s %18s %18s %20s   %s\n' '' 'cpu s old new' 'wall s old new' 'MiB old new' 'new / old: cpu wall memory'
missed=0
for row in $PAIRS_ROWS; do
	for ((turn = 0; turn <= PAIRS_RUNS; turn++)); do
		if [ $((turn % 2)) = 0 ]; then
			one "$row" old && one "$row" new
		else
			one "$row" new && one "$row" old
		fi
		[ "$turn" != 0 ] || rm -f "$BENCH_DIR/$row".{old,new}
	done
	awk -v row="$row" -v oc="$(median "$row.old" 2)" -v nc="$(median "$row.new" 2)" \
		-v ow="$(median "$row.old" 1)" -v nw="$(median "$row.new" 1)" \
		-v om="$(median "$row.old" 3)" -v nm="$(median "$row.new" 3)" \
		-v rc="$(ratio "$row.new" 2 "$row.old")" -v rw="$(ratio "$row.new" 1 "$row.old")" \
		-v rm="$(ratio "$row.new" 3 "$row.old")" '
		BEGIN {
			missed = rc > 1.03 || nm > om + 1024 && rm > 1.05
			printf "%-12s %9.3f %8.3f %9.3f %8.3f %10.1f %9.1f   %10.3f %5.3f %5.3f  %s\n", row,
				oc, nc, ow, nw, om / 1024, nm / 1024, rc, rw, rm, missed ? "MISSED" : "ok"
			exit missed
		}' || missed=1
done
exit "$missed"
