#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What plat --as prints, byte for byte against perf 7.2: of recordings in testdata, and of
# two made here, one with losses. FILE... as operands: recordings that are compared as well.
#
#	tests/checks/perf_texts.sh [FILE...]
#
# Environment: BIN (default bin), PERF72 (default perf-sid on PATH).

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${PERF72:=perf-sid}"
export LC_ALL=C TZ=UTC
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }
command -v "$PERF72" > /dev/null || { echo "1..0 # SKIP no $PERF72"; exit 77; }

n=0 failed=0
compare() { # NAME FILE [OPTION...]
	local name="sched latency of $1" file=$2
	shift 2
	n=$((n + 1))
	"$PERF72" sched latency -i "$file" "$@" > "$work/perf" 2> "$work/perf.err" < /dev/null
	"$BIN/plat" --as=sched-latency -i - "$@" < "$file" > "$work/stream" 2> "$work/err"
	"$BIN/plat" --as=sched-latency "$@" "$file" > "$work/plat" 2>> "$work/err"
	if [ -s "$work/perf" ] && [ ! -s "$work/err" ] && cmp -s "$work/perf" "$work/plat" &&
		cmp -s "$work/plat" "$work/stream"; then
		echo "ok $n - $name${*:+, $*}"
	else
		failed=1
		echo "not ok $n - $name${*:+, $*}"
		diff "$work/perf" "$work/plat" | cat - "$work/err" "$work/perf.err" | head -20 |
			sed 's/^/# /'
	fi
}

for f in testdata/tp-7.2/perf.data testdata/tp-6.1/perf.data "$@"; do
	compare "$f" "$f"
	compare "$f" "$f" -p
done
if [ "$(id -u)" = 0 ] && "$BIN/prec" -q -a -e "$("$BIN/plat" --as=sched-latency --print-record |
	sed 's/.* //')" -o "$work/live" -- sh -c 'for i in 1 2 3; do ls | cat; done' \
	> "$work/log" 2>&1; then
	compare "all CPUs of this machine" "$work/live"
	"$BIN/prec" -q -a -m 1 -e sched:sched_switch,sched:sched_wakeup,sched:sched_stat_runtime \
		-o "$work/lossy" -- sh -c 'timeout 0.2 yes | cat > /dev/null' 2> "$work/log"
	compare "small rings, which lose records" "$work/lossy"
	for key in switch runtime max pid; do
		compare "all CPUs of this machine" "$work/live" -p -s "$key,avg"
	done
else
	n=$((n + 1))
	echo "ok $n - sched latency of this machine # SKIP nobody may record all CPUs here"
fi
echo "1..$n"
exit $failed
