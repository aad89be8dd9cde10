#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pictures of pfold --svg: well-formed whatever the names are, drawn by rsvg-convert, with the
# numbers of flamegraph.pl, and used with a mouse and keys in a browser. What a missing tool would
# have checked is left out, and said.
#
# Environment: BIN (default bin), FLAMEGRAPH (default flamegraph.pl on PATH, or that of
# libdevel-nytprof-perl).

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
run_with_stored_kallsyms "$@"
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${FLAMEGRAPH=$(command -v flamegraph.pl \
	/usr/share/perl5/Devel/NYTProf/flamegraph.pl | head -n 1)}"
[ -x "$BIN/pfold" ] || { echo "1..0 # SKIP no pfold in $BIN"; exit 77; }
has() { command -v "$1" > /dev/null; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export HOME=$work/home LC_ALL=C TZ=UTC
pfold() { "$BIN/pfold" -q --threads=1 "$@"; }

# --- the script ---
forbidden='innerHTML|outerHTML|insertAdjacentHTML|eval *\(|Function *\(|document\.write|DOMParser|setTimeout|fetch *\(|XMLHttpRequest|import *\(|\]\]>'
result "the script makes no markup and no code of names, and asks for nothing" \
	"$(grep -nE "$forbidden" picture/svg*.js)"
result "what is forbidden would be seen" \
	"$(echo 'x.innerHTML = name;' | grep -qE "$forbidden" || echo 'it was not')"

# --- inputs ---
cat > "$work/small" <<'END'
cc1;main;parse 15
cc1;main;parse;lex 60
cc1;main;parse;Lexer;lex 21
cc1;main;parse;peekToken 27
cc1;main;emit;write 90
cc1;main;emit;Lexicon 12
sh;main;fork 75
sh;main;trap 1
END
echo 'one 1' > "$work/one"
awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) { s = "root"; d = 1 + int(rand() * 12)
	for (k = 0; k < d; k++) s = s ";f" int(rand() * 4) ; print s, 1 + int(rand() * 50) } }' | sort > "$work/random"
awk 'BEGIN { s = "a"; for (i = 0; i < 300; i++) s = s ";frame" i; print s, 10; print s ";x", 3 }' > "$work/deep"
awk 'BEGIN { srand(3); for (i = 0; i < 400; i++) print "p;q" i % 7 ";r" i, int(rand() * 90), int(rand() * 90) }' |
	sort > "$work/two"
awk 'BEGIN { for (i = 1; i < 256; i++) if (i != 10) printf "main;n%c%c<b>&\"\047%cx ]]> 3\n", i, i, i
	print "main;\342\200\256\357\277\277\355\240\200\364\220\200\200</title><script>alert(1)</script> 4" }' > "$work/hostile"
inputs="small one random deep two hostile"
for i in $inputs; do
	pfold "$work/$i" --svg "$work/$i.svg" 2> "$work/$i.err" || cat "$work/$i.err"
done
for i in testdata/*/perf.data; do
	name=$(basename "$(dirname "$i")")
	pfold "$i" --svg "$work/recording-$name.svg" 2> /dev/null || rm -f "$work/recording-$name.svg"
done

# --- well-formed, drawn ---
if has xmllint; then
	result "pictures are well-formed" "$(xmllint --noout --huge "$work"/*.svg 2>&1 | head -n 5)"
else
	result "pictures are well-formed # SKIP no xmllint" ""
fi
result "no control byte, no element and no direction of a name is in a picture" \
	"$(sed '/<script>/,$d' "$work/hostile.svg" | tail -n +2 | grep -nP '[\x00-\x08\x0b-\x1f\x7f]|<b>|\xe2\x80[\xaa-\xae]|\xc2[\x80-\x9f]' | head -n 3
	[ "$(grep -c '<script' "$work/hostile.svg")" = 1 ] && grep -q 'scrip' "$work/hostile.svg" || echo 'a script element of a name')"
if has rsvg-convert; then
	result "rsvg-convert draws them" "$(for i in $inputs; do
		rsvg-convert -u "$work/$i.svg" -o "$work/$i.png" 2>&1 || echo "$i: status $?"
	done | head -n 5)"
else
	result "rsvg-convert draws them # SKIP no rsvg-convert" ""
fi

# --- numbers ---
if [ -n "$FLAMEGRAPH" ] && has python3; then
	for i in small one random deep two; do
		"$FLAMEGRAPH" "$work/$i" > "$work/theirs.svg" 2> /dev/null
		pfold "$work/$i" --minwidth=0.1 --svg "$work/ours.svg"
		result "$i: samples, percentages and changes of all boxes are flamegraph.pl's" \
			"$(python3 tests/tools/svg_titles.py "$work/ours.svg" "$work/theirs.svg")"
	done
	"$FLAMEGRAPH" --reverse "$work/random" > "$work/theirs.svg" 2> /dev/null
	pfold "$work/random" --reverse --minwidth=0.1 --svg "$work/ours.svg"
	result "so they are of reversed stacks" \
		"$(python3 tests/tools/svg_titles.py "$work/ours.svg" "$work/theirs.svg")"
else
	result "numbers are flamegraph.pl's # SKIP no flamegraph.pl or python3" ""
fi

# --- what options do ---
texts() { grep -o '<title>[^<]*' "$work/o.svg" | sed 's/<title>//'; }
draw() { pfold "$@" --svg "$work/o.svg"; }
expect() { # TITLE WANT
	result "$1" "$(diff <(printf '%s\n' "$2") <(texts))"
}
printf 'a;b 1\na;c 2\na;b 3\n' > "$work/chart"
draw --flamechart "$work/chart"; expect "--flamechart does not merge what is apart in time" \
	'all (6 samples, 100.00%)
a (6 samples, 100.00%)
b (1 samples, 16.67%)
c (2 samples, 33.33%)
b (3 samples, 50.00%)'
printf 'a;f4 5\na;f41;x 3\na;f4;y 2\n' > "$work/prefix"
draw "$work/prefix"; expect "a function whose name begins another one's is one box, which flamegraph.pl cuts in two" \
	'all (10 samples, 100.00%)
a (10 samples, 100.00%)
f4 (7 samples, 70.00%)
y (2 samples, 20.00%)
f41 (3 samples, 30.00%)
x (3 samples, 30.00%)'

# of a recording: the samples of each thread by time, as pscript lists them
if [ -x "${O:-build/gcc}/tests/tools/wide_recording" ]; then
	mkdir "$work/wide"
	"${O:-build/gcc}/tests/tools/wide_recording" "$work/wide" samples=600 functions=30 depth=6 stacks=60 threads=4 comms=2
	recording=(--symfs "$work/wide/symfs" --kallsyms "$work/wide/kallsyms" -i "$work/wide/perf.data")
	"$BIN/pscript" "${recording[@]}" -F comm,pid,tid,time,period,ip,sym,dso 2> /dev/null | awk '
		function flush() { if (stack != "") print place[root], at, root stack, period; stack = "" }
		/^[^ \t]/ { root = $1 "-" $2; at = $3; sub(":", "", at); period = $4
			if (!(root in place)) place[root] = ++nr
			stack = ""; next }
		NF { name = $2
			if (name == "[unknown]") { name = $NF; gsub(/[()]|.*\//, "", name); name = name == "[unknown]" ? name : "[" name "]" }
			stack = ";" name stack; next }
		{ flush() }
		END { flush() }' | sort -k1,1n -k2,2 -s | cut -d' ' -f3- > "$work/by_time"
	pfold "$work/by_time" --flamechart --countname=ns --svg "$work/o.svg"
	texts > "$work/want"
	pfold "${recording[@]}" --flamechart --svg "$work/o.svg"
	result "--flamechart of a recording: each thread's stacks by time" "$([ "$(wc -l < "$work/want")" -gt 100 ] || echo 'too few boxes'
		diff "$work/want" <(texts) | head -n 6)"
else
	result "--flamechart of a recording # SKIP no wide_recording" ""
fi
printf 'x;y 2 6\nx 6 2\n' > "$work/diff"
draw --diff-by=total "$work/diff"; expect "--diff-by=total" 'all (8 samples, 100.00%)
x (8 samples, 100.00%; 0.00%)
y (6 samples, 75.00%; +50.00%)'
draw "$work/diff"; expect "changes are of a frame alone" 'all (8 samples, 100.00%)
x (8 samples, 100.00%; -50.00%)
y (6 samples, 75.00%; +50.00%)'
printf 'x;y 2\nx 6\n' > "$work/a"
printf 'x;y 6\nx 2\n' > "$work/b"
cp "$work/o.svg" "$work/of_two"
draw --diff "$work/a" "$work/b"
result "--diff A B draws what their text with two counts does" "$(cmp "$work/o.svg" "$work/of_two" 2>&1)"
printf 'a_[k];b_[j];c_[i] 4\n' > "$work/kinds"
draw --countname=ms --factor=0.5 --total=8 "$work/kinds"; expect "suffixes, --countname, --factor, --total" \
	'all (2 ms, 50.00%)
a (2 ms, 50.00%)
b (2 ms, 50.00%)
c (2 ms, 50.00%)'
result "suffixes give colors" "$(grep -o 'fill="#[0-9a-f]*" data' "$work/o.svg" | sort -u | wc -l | grep -vx 4)"
awk 'BEGIN { for (i = 0; i < 20000; i++) print "a;b" i, 1 + i % 3 }' > "$work/many"
pfold "$work/many" --width=9000 --svg "$work/o.svg"
boxes=$(grep -c '<rect x' "$work/o.svg")
result "too many boxes: about 5000 are drawn, and it is said" "$([ "$boxes" -gt 3000 ] && [ "$boxes" -lt 10100 ] || echo "$boxes boxes"
	grep -q "<desc>.*frames of less than" "$work/o.svg" || echo 'no note')"
pfold - --svg - < "$work/small" | cmp -s - "$work/small.svg"
result "standard input and output" "$([ "${PIPESTATUS[1]}" = 0 ] || echo 'they differ')"
# shellcheck disable=SC2002
cat "$work/small" | pfold - --svg - | cmp -s - "$work/small.svg"
result "a pipe" "$([ "${PIPESTATUS[2]}" = 0 ] || echo 'it differs')"

"$O/tests/tools/wide_recording" "$work" samples=90 > /dev/null && "$BIN/pfold" -i "$work/perf.data" --svg "$work/o.svg" 2> /dev/null
result "the description has the verdict on the recording" "$(sed -n '/<desc>/,/<.desc>/p' "$work/o.svg" | grep -q '^pfold: quality: ' || sed -n '/<desc>/,/<.desc>/p' "$work/o.svg")"

echo | pfold - --svg "$work/o.svg" 2> "$work/err"
result "no stacks: a picture that says so" "$(grep -q 'There are no samples' "$work/o.svg" || echo 'it does not'
	grep -qx 'pfold: -: no stacks' "$work/err" || cat "$work/err"
	! has xmllint || xmllint --noout "$work/o.svg" 2>&1)"
result "what is neither a recording nor folded text is refused with its line" "$(
	pfold Makefile --svg "$work/o.svg" 2>&1 | grep -v '^pfold: Makefile: neither a perf.data nor folded text: line 1: ')"

# --- in browsers ---
for browser in chromium firefox; do
	title="mouse, keys, search and address in $browser"
	if has python3; then
		out=$(timeout 100 python3 tests/tools/svg_browser.py $browser "$work/small.svg" "$work/small")
		case $? in
		77) result "$title # SKIP no $browser" "" ;;
		0) result "$title" "" ;;
		*) result "$title" "$(grep -A 2 '^not ok' <<< "$out"; echo "${out##*$'\n'}")" ;;
		esac
	else
		result "$title # SKIP no python3" ""
	fi
done
results_end
