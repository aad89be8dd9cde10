#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prep --diff against perf diff of the newest stock perf that is installed (PERF72, else perf-sid on
# PATH): the option sets of tests/known/diff_options.txt on two and on three recordings made here and
# now, and pairs of stored recordings. Then stock perf 6.1, on recordings of its own, with what it has
# in common with 7.2.
#
#	tests/checks/diff.sh		a part of it, some seconds
#	tests/checks/diff.sh --all	everything
#	V=N ...				the first N lines of each difference, not 6

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC
PERF72=${PERF72:-$(command -v perf-sid)}
PERF61=${PERF61:-$(command -v perf)}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
public=../shared/data/perfdata
all=${1-}

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] || skip "prep is not built"
[ -n "$PERF72" ] && [ -x "$PERF72" ] || skip "no stock perf 7.x here (PERF72)"

# One program whose functions take different shares of its time by its arguments.
cat > "$work/w.c" << 'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
static volatile unsigned long x;
__attribute__((noinline)) void leaf(long n) { while (n--) x += n * n; }
__attribute__((noinline)) void other(long n) { while (n--) x ^= n; }
__attribute__((noinline)) void third(long n) { while (n--) x -= n; }
__attribute__((noinline)) void sys(void)
{
	for (int i = 0; i < 50; i++) {
		FILE *f = fopen("/proc/self/stat", "r");
		char b[64];
		if (f) { x += fread(b, 1, 64, f); fclose(f); }
	}
}
static void *th(void *a) { prctl(PR_SET_NAME, "alpha"); third(20000000); sys(); return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	if (argc < 3) return 2;
	pthread_create(&t, NULL, th, NULL);
	for (int i = 0; i < 10; i++) { leaf(atol(argv[1])); other(atol(argv[2])); sys(); }
	pthread_join(t, NULL);
	return 0;
}
C
# without slots of .plt, the first of which stock perf 6.1 calls _init (7.2 does not)
cc -O1 -g -fno-plt -o "$work/w" "$work/w.c" -lpthread 2> /dev/null || skip "no compiler"

record() { # PERF NAME ARGS...
	timeout 60 "$1" record -q -o "$work/$2" "${@:3}" > /dev/null 2>&1
}
# The stock perf of some machines ends with SIGABRT now and then; what it wrote then is no test.
record_all() { # PERF
	record "$1" a -F 4999 -e cpu-clock "$work/w" 2000000 1000000 &&
		record "$1" b -F 4999 -e cpu-clock "$work/w" 1000000 1500000 &&
		record "$1" c -F 4999 -e page-faults,cpu-clock "$work/w" 1500000 0
}
record_all "$PERF72" || skip "recording is not permitted, or failed"

# What a rule leaves of a text.
apply() { # RULE < TEXT
	case $1 in
	lines) sed -E 's/ *$//; s|[^ /]*\.[chS](:[0-9]+)$|FILE\1|' | sort ;;
	baseline) sed -E "s|^ *[0-9]+\.[0-9]+%||" ;;
	*) cat ;;
	esac
}

n=0 told=0
compare() { # PERF RULE OPTIONS FILES...
	local perf=$1 rule=$2 options=${3//WORKLOAD/w} ours=() word
	shift 3
	for word in $options; do # --formula has no letter here: -F is --fields
		[ "$word" = -F ] && word=--formula
		ours+=("$word")
	done
	n=$((n + 1))
	# shellcheck disable=SC2086
	timeout 60 "$perf" diff $symfs $options "$@" 2> /dev/null < /dev/null | apply "$rule" > "$work/theirs"
	# shellcheck disable=SC2086
	timeout 60 "$BIN/prep" --quality=none $symfs --diff "${ours[@]}" "$@" 2> /dev/null < /dev/null |
		apply "$rule" > "$work/ours"
	# perf 6.1 knows no slot of the C library's .plt.got (KNOWN-DIFFERENCES.md, N7)
	[ "$perf" != "$PERF61" ] ||
		sed -E -i '/libc\.so\.6 .*(@plt|0x[0-9a-f]+) *$/d' "$work/theirs" "$work/ours"
	# on a busy machine a part of the time may have no samples: perf divides by their number
	grep -q 'nan%' "$work/theirs" && return
	[ -s "$work/theirs" ] && cmp -s "$work/theirs" "$work/ours" && return
	told=$((told + 1))
	echo "# ${perf##*/} diff $options ${*##*/}: $(diff "$work/theirs" "$work/ours" | grep -c '^[<>]') of" \
	     "$(wc -l < "$work/theirs") lines differ"
	diff "$work/theirs" "$work/ours" | head -n "${V:-6}" | sed 's/^/# /'
}

compare_sets() { # PERF FILES...
	local perf=$1 i=0 rule options
	shift
	while read -r rule options; do
		[[ $rule == "#"* ]] && continue
		i=$((i + 1))
		[ -n "$all" ] || [ $((i % 6)) = $(($# % 6)) ] || continue
		[[ $options == *"-o 2"* ]] && [ $# -lt 3 ] && continue
		# stock perf 6.1 has no such key, and hides by the first sample of a row
		[ "$perf" = "$PERF61" ] && [[ $options == *symoff* || $options == *"-C alpha -s dso"* ]] && continue
		compare "$perf" "$rule" "$options" "$@"
	done < tests/known/diff_options.txt
}

symfs=
compare "$PERF72" - "" "$work/a" "$work/b"
compare_sets "$PERF72" "$work/a" "$work/b"
compare_sets "$PERF72" "$work/a" "$work/b" "$work/c"

symfs="--symfs $work/none"
pairs() { # FOLDER, then NAME NAME ... on each line
	local folder=$1 names
	while read -r -a names; do
		[ -f "$folder/${names[0]}" ] && compare "$PERF72" - "" "${names[@]/#/$folder/}"
		[ -f "$folder/${names[0]}" ] && compare "$PERF72" - "-s dso -c ratio -p" "${names[@]/#/$folder/}"
	done
}
pairs testdata << 'NAMES'
group-6.1/perf.data group-7.2/perf.data
tp-mixed-6.1/perf.data tp-7.2/perf.data events-7.2/perf.data
NAMES
[ -n "$all" ] && pairs testdata << 'NAMES'
fp-6.1/perf.data fp-7.2/perf.data
events-6.1/perf.data events-7.2/perf.data
faults-6.1/perf.data faults-7.2/perf.data
jit-6.1/perf.data jit-7.2/perf.data
zstd-6.1/perf.data zstd-7.2/perf.data
period-6.1/perf.data uprobe-6.1/perf.data
inline-7.2/perf.data dwarf-7.2/perf.data
NAMES
[ -n "$all" ] && pairs "$public" << 'NAMES'
quipper__perf.data.busy.0-3.4 quipper__perf.data.singleprocess-3.4
quipper__perf.data.busy.0-3.8 quipper__perf.data.systemwide.1-3.8 quipper__perf.data.callgraph-3.8
quipper__perf.data.group_desc-4.14 quipper__perf.data.branch-4.14
quipper__perf.data.ctx_switch_namespaces-4.14 quipper__perf.data.lost_samples-4.4
simpleperf__perf.data simpleperf__perf_b.data simpleperf__perf_merge1.data
simpleperf__perf_g_fp.data simpleperf__perf_with_symbols.data
eclipse__perf.data eclipse__fibTest_perf_old.data
lpd__sleep.data lpd__sleep.compressed.data
NAMES

symfs=
if [[ $("$PERF61" --version 2> /dev/null) == "perf version 6.1"* ]] && record_all "$PERF61"; then
	compare "$PERF61" - "" "$work/a" "$work/b" "$work/c"
	[ -n "$all" ] && compare_sets "$PERF61" "$work/a" "$work/b" "$work/c"
fi
echo "# $n comparisons with $("$PERF72" --version)"
if [ $told = 0 ]; then
	echo "ok 1 - prep --diff prints what perf diff prints"
else
	echo "not ok 1 - prep --diff prints what perf diff prints: $told of $n differ"
fi
echo "1..1"
[ $told = 0 ]
