#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bench/gen_perfdata: what it makes reads back as the recording played again and again.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
gen=$O/bench/gen_perfdata
case=testdata/fp-7.2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n=0 bad=0
tell() { # description condition...
	n=$((n + 1))
	if "${@:2}"; then echo "ok $n - $1"; else bad=1; echo "not ok $n - $1"; fi
}
for p in "$gen" "$BIN/pscript" "$case/perf.data"; do
	[ -e "$p" ] || { echo "1..0 # SKIP no $p"; exit 77; }
done
print() { "$BIN/pscript" --symfs testdata/symfs --kallsyms $case/kallsyms "$@"; }
times() { print -F time -i "$1" | tr -d ' :'; }

print -i $case/perf.data > "$work/once.txt" 2> "$work/err"
nr=$(times $case/perf.data | grep -c .)
make_file() { "$gen" "$@" > "$work/said" 2> "$work/gen-err"; }
refuses() { ! make_file "$1" "$work/none" 10 && [ -s "$work/gen-err" ]; }
tell "makes a file" make_file $case/perf.data "$work/many.data" $((nr * 3 + 2))
tell "of as many samples as asked for" test "$(times "$work/many.data" | grep -c .)" -eq $((nr * 3 + 2))
times "$work/many.data" > "$work/times"
tell "in the order of time" sort -c -n "$work/times"
print -i "$work/many.data" > "$work/many.txt" 2> "$work/err"
head -n "$(wc -l < "$work/once.txt")" "$work/many.txt" > "$work/first.txt"
tell "whose first round is the recording" cmp -s "$work/once.txt" "$work/first.txt"
# the third round but for its times
lines=$(wc -l < "$work/once.txt")
tail -n +$((2 * lines + 1)) "$work/many.txt" | head -n "$lines" |
	sed 's/ [0-9]*\.[0-9]*: / TIME: /' > "$work/third.txt"
sed 's/ [0-9]*\.[0-9]*: / TIME: /' "$work/once.txt" > "$work/want.txt"
tell "and whose third resolves as the first" cmp -s "$work/want.txt" "$work/third.txt"
tell "without a word on standard error" test ! -s "$work/err"
make_file $case/perf.data "$work/again.data" $((nr * 3 + 2))
tell "the same each time" cmp -s "$work/many.data" "$work/again.data"
for bad_input in testdata/zstd-7.2/perf.data testdata/pipe-7.2/perf.data /dev/null; do
	tell "refuses $bad_input" refuses $bad_input
done
echo "1..$n"
exit $bad
