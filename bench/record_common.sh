# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the scripts that measure recorders share; read by bench/record_*.sh. Run from the top of the
# tree. Environment:
#
#	BIN=bin TOOLS=build/gcc/bench	folders of prec and pscript, and of measure and count_records
#	PREC="$BIN/prec"		the recorder under test: a command and its first arguments
#	PERF=perf PERF72=perf-sid	stock perf that records, and the newest one
#	BENCH_DIR			where recordings are made (a new folder, removed at the end)
#	BENCH_EVENT=cpu-clock		what is sampled; a machine with a PMU may say cycles

set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}" "${PERF:=perf}" "${PERF72:=perf-sid}"
: "${PREC:=$BIN/prec}" "${BENCH_EVENT:=cpu-clock}"
export LC_ALL=C
unset DEBUGINFOD_URLS
failed=0
bench_removes=
bench_pids=()

skip_bench() {
	echo "${0##*/}: $*" >&2
	exit 77
}

# shellcheck disable=SC2317
bench_clean_up() {
	[ ${#bench_pids[@]} -eq 0 ] || kill "${bench_pids[@]}" 2> /dev/null
	[ -z "$bench_removes" ] || rm -rf "$bench_removes"
}
trap bench_clean_up EXIT
trap 'exit 130' INT TERM

if [ -z "${BENCH_DIR-}" ]; then
	BENCH_DIR=$(mktemp -d /tmp/prec-bench.XXXXXX) || exit 2
	bench_removes=$BENCH_DIR
fi
mkdir -p "$BENCH_DIR"
D=$(cd "$BENCH_DIR" && pwd)

for bench_tool in measure count_records; do
	[ -x "$TOOLS/$bench_tool" ] || skip_bench "no $bench_tool in $TOOLS (make $TOOLS/$bench_tool)"
done
command -v "${PREC%% *}" > /dev/null || skip_bench "no ${PREC%% *}"
command -v "$PERF" > /dev/null || skip_bench "no $PERF"

build_workload() { # NAME OPTIONS...: from testdata/workloads
	local name=$1

	shift
	[ -x "$D/$name" ] || gcc -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer "$@" -pthread \
		-o "$D/$name" "testdata/workloads/$name.c" || skip_bench "$name cannot be built"
}

# Splits a recorder's words: "perf" records with "perf record -N", prec as PREC says.
recorder() { # perf|prec
	case $1 in
	perf) echo "$PERF record -N" ;;
	*) echo "$PREC" ;;
	esac
}

can_record() {
	# shellcheck disable=SC2046
	$(recorder perf) -q -e "$BENCH_EVENT" -o "$D/can.data" true > /dev/null 2>&1 ||
		skip_bench "$PERF cannot record $BENCH_EVENT here (perf_event_paranoid $(cat \
			/proc/sys/kernel/perf_event_paranoid 2> /dev/null))"
	rm -f "$D/can.data"
}

# One number of a recording, from the lines that count_records wrote.
count_of() { # COUNTS-FILE NAME
	awk -v name="$2" '$1 == name { print $2; found = 1 } END { if (!found) print 0 }' "$1"
}

median() { # numbers on standard input
	sort -g | awk '{ v[NR] = $1 } END { print NR ? (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 : 0 }'
}

verdict() { # CONDITION-IN-AWK TEXT
	if awk "BEGIN { exit !($1) }"; then
		echo "ok      $2"
	else
		echo "MISSED  $2"
		failed=1
	fi
}

about_machine() {
	echo "# $("$PERF" --version), $(uname -sr), $(nproc) CPUs," \
		"perf_event_max_sample_rate $(cat /proc/sys/kernel/perf_event_max_sample_rate)," \
		"perf_event_mlock_kb $(cat /proc/sys/kernel/perf_event_mlock_kb)"
}
