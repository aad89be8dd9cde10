#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prep's tables of a recorded program of many threads with deep stacks, against stock perf's. The
# recording is ../shared/data/own/many-threads.perf.data.zst, its program lies beside it.
#
#	tests/checks/many_threads.sh		without callers: a second
#	tests/checks/many_threads.sh --all	with callers, and with call graphs: perf takes minutes
#
# Environment: BIN (default bin), PERF72 (default perf-sid on PATH).

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC PAGER=cat
PERF72=${PERF72:-$(command -v perf-sid)}
stored=../shared/data/own/many-threads.perf.data.zst
skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] || skip "prep is not built"
[ -f "$stored" ] || skip "no $stored"
[ -n "$PERF72" ] && [ -x "$PERF72" ] || skip "no stock perf 7.x here (PERF72)"
command -v zstd > /dev/null || skip "no zstd"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
zstd -dqc "$stored" > "$work/data" || skip "$stored cannot be expanded"

sets=('--no-children -g none') limit=60
[ "${1-}" = --all ] && sets+=('--children -g none' '--no-children' '') && limit=1200

# Without comments, blanks at the ends of lines and empty lines at the end.
tidy() {
	sed -e '/^#/d' -e 's/[ \t]*$//' | awk '
		{ line[NR] = $0 }
		$0 != "" { last = NR }
		END { for (i = 1; i <= last; i++) print line[i] }'
}

n=0 failed=0
for options in "${sets[@]}"; do
	n=$((n + 1))
	# shellcheck disable=SC2206
	common=(--stdio --no-inline --symfs "$work/none" -i "$work/data" $options)
	timeout $limit "$PERF72" report "${common[@]}" 2> /dev/null < /dev/null | tidy > "$work/want"
	if [ ! -s "$work/want" ]; then
		echo "ok $n - prep $options # SKIP perf printed nothing in $limit s"
		continue
	fi
	"$BIN/prep" --no-join --max-stack 127 "${common[@]}" 2> /dev/null < /dev/null |
		tidy > "$work/got"
	if cmp -s "$work/want" "$work/got"; then
		echo "ok $n - prep $options: $(wc -l < "$work/got") lines"
	else
		failed=1
		echo "not ok $n - prep $options"
		diff "$work/want" "$work/got" | head -n 10 | sed 's/^/# /'
	fi
done
echo "1..$n"
exit $failed
