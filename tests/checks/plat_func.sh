#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat func: its calls, times and what made no call against what tests/tools/func_oracle.py computes
# from the text of pscript, of made recordings in both byte orders, with and without losses and stack
# pointers, of files and streams; and, where uprobes can be recorded, a program whose numbers of calls
# are known: nested, recursive, deeper than the kernel follows, left by longjmp() and by jumps, with return
# probes and with probes at ret instructions; exceptions in C++, goroutines in Go.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${CC:=gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

compare() { # NAME FILE [nosp]
	local regs=,uregs
	[ -z "${3-}" ] || regs=
	"$BIN/plat" func --ns - < "$2" > "$work/table" 2> "$work/err" || echo "plat failed" >> "$work/err"
	result "$1" "$(cat "$work/err"
		"$BIN/pscript" --quality=none --ns --show-lost-events --show-task-events \
			-F "tid,time,event$regs" -i "$2" 2> /dev/null |
			python3 tests/tools/func_oracle.py "$work/table" ${3-} 2>&1)"
}

for what in "1 4000" "2 20000 lost" "3 4000 big" "4 6000 big lost" "5 3000 nosp"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/func_recording" $what > "$work/made" || exit 2
	case $what in *nosp) nosp=nosp ;; *) nosp= ;; esac
	compare "a made recording, $what" "$work/made" $nosp
done
"$BIN/plat" func --ns "$work/made" > "$work/file" 2> "$work/err"
result "a file gives what a stream gives" "$(cat "$work/err"; diff "$work/table" "$work/file")"

"$O/tests/tools/func_recording" 1 4000 > "$work/made"
"$BIN/plat" func --ns --tree --than 100us --folded "$work/folded" "$work/made" > "$work/table" 2> "$work/err"
result "self times of the tree, of the folded text and of the table are the same in sum" "$(cat "$work/err"
	awk -v folded="$(awk '{ s += $NF } END { printf "%.0f", s }' "$work/folded")" '
		/^# callers/ { tree = 1 } /^[0-9 ]*\./ { next } /^#/ { next }
		tree { t += $3; next }
		/^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]/ { r += $4 }
		END { if (t != r || t != folded || !t) printf "%.0f %.0f %s\n", t, r, folded }' "$work/table")"
"$BIN/plat" func --html "$work/page" "$work/made" > "$work/log" 2>&1
"$BIN/pfold" --html "$work/want" "$work/folded" >> "$work/log" 2>&1
data() { sed -n '/ id="*data/,$p' "$1"; }
result "--html holds what pfold makes of --folded" "$([ "$(data "$work/page" | wc -c)" -gt 1000 ] || cat "$work/log"
	cmp <(data "$work/page") <(data "$work/want") 2>&1)"
result "--than prints calls that are longer, with what is in them" "$(
	awk '/^ *[0-9]+\.[0-9]+ .*\/[0-9]+$/ { n++; top = 1; next }
		/^#/ { exit }
		top { top = 0; if ($2 <= 100000) print "short:", $0 }
		END { if (n < 3) print n + 0, "calls" }' "$work/table")"
"$BIN/plat" func --ns "$work/made" > "$work/whole"
result "--as=ftrace-latency has its figures" "$(
	while read -r name calls max; do
		"$BIN/plat" --as=ftrace-latency -n -T "$name" "$work/made" 2> "$work/err" |
			awk -v want="$calls $max" '/max time/ { max = $3 } /count:/ { if ($2 " " max != want) print $2, max, want; n++ }
				END { if (!n) print "no text" }'
	done < <(awk '/^ +[0-9]+ +[0-9]+ +[0-9]/ && NF == 10 { print $10, $1 - $2, $9; n++ } END { if (!n) print "none" }' "$work/whole"))"
"$BIN/plat" func --json "$work/made" > "$work/json" 2> "$work/err"
"$BIN/plat" func --ns "$work/made" > "$work/whole" 2>> "$work/err"
result "--json has the table's figures" "$(cat "$work/err"
	python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["rows"]:
	name = r["function"] if len(sys.argv) < 3 else r["file"] + ":" + r["function"]
	print(r["calls"], r["total"], r["self"], r.get("avg", 0), r.get("p50", 0), r.get("max", 0), r["function"])' "$work/json" \
		> "$work/got" || echo "no JSON"
	awk '!/^#/ && NF { gsub(/\*/, ""); k = NF > 9 ? 3 : 2
		sub(/.*:/, "", $NF); print $1, $k, $(k + 1), $(k + 2), $(k + 3), $(NF - 1), $NF }' "$work/whole" |
		diff - "$work/got")"
"$BIN/plat" func --ns -I 1 - < "$work/made" > "$work/parts" 2> "$work/err"
result "-I divides the calls among the tables" "$(cat "$work/err"
	awk '/^# [0-9]+ calls/ { n += $2; parts++ } END { if (parts < 2) print parts, "parts"; print n }' "$work/parts" |
		diff <(awk '/^# [0-9]+ calls/ { print $2; exit }' "$work/table") -)"
"$BIN/plat" func --ns --by tid "$work/made" > "$work/parts" 2> "$work/err"
result "--by divides the calls among threads" "$(cat "$work/err"
	awk '/^#/ { next } { n[$(NF - 2)] += $1 } END { for (f in n) print f, n[f] }' "$work/parts" | sort > "$work/sums"
	"$BIN/plat" func --ns "$work/made" | awk '!/^#/ { print $NF, $1 }' | sort | diff - "$work/sums")"

cat > "$work/calls.c" << 'END'
#include <setjmp.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline, noclone))
static volatile unsigned long sink;
static jmp_buf env;
NOINLINE int fib(int n) { sink++; return n < 2 ? n : fib(n - 1) + fib(n - 2); }
NOINLINE void inner(void) { sink++; }
NOINLINE void outer(void) { inner(); inner(); sink++; }
NOINLINE void jumps(int deep) { if (!deep) longjmp(env, 1); jumps(deep - 1); sink++; }
NOINLINE void maybe(int jump) { sink++; if (jump) longjmp(env, 1); sink++; }
NOINLINE int deep(int n) { sink++; return n ? deep(n - 1) + 1 : 0; }
NOINLINE void b(int n);
NOINLINE void a(int n) { if (n) b(n - 1); sink++; }
NOINLINE void b(int n) { if (n) a(n - 1); sink++; }
#ifdef __x86_64__
NOINLINE void tail_end(void) { sink++; }
__asm__(".text\n.type tail_begin,@function\ntail_begin: jmp tail_end\n.size tail_begin,.-tail_begin");
void tail_begin(void);
#endif
int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]);
	for (volatile int i = 0; i < rounds; i++) {
		fib(10);
		outer();
		if (!setjmp(env)) jumps(3);
#ifdef __x86_64__
		tail_begin();
#endif
		if (!setjmp(env)) maybe(i % 2);
		deep(99);
		a(6);
	}
	return argc == 9;
}
END
probes=()
for f in fib inner outer jumps maybe deep a b 'tail_*'; do
	probes+=("$work/calls:$f")
done
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] && [ "$(uname -m)" = x86_64 ] &&
	"$CC" -O1 -fno-optimize-sibling-calls -o "$work/calls" "$work/calls.c" 2> "$work/log" &&
	"$BIN/prec" -q -o "$work/live" -e "uprobe:$work/calls:fib" -- "$work/calls" 1 > "$work/log" 2>&1; then
	result "a pattern of more functions than permitted" "$(
		"$BIN/plat" func "$work/calls:*" --max-probes 2 -- true 2>&1 |
			grep -q "'\*' matches [0-9]* functions of calls, more than 2: .*--max-probes [0-9]* permits it" || echo "no such message")"
	"$BIN/plat" func "${probes[@]}" -m 16M --ns --tree --record "$work/live" -- "$work/calls" 10 \
		> "$work/table" 2> "$work/err"
	result "calls of a program, each counted: nested, recursive, deep, cut off" "$(cat "$work/err"
		# calls, without return
		awk '/^# callers/ { exit } !/^#/ && NF > 9 { print $NF, $1, $2 }' "$work/table" | sort > "$work/got"
		sort << 'WANT' | diff - "$work/got"
fib 1770 0
inner 20 0
outer 10 0
jumps 40 40
maybe 10 5
deep 1000 360
a 40 0
b 30 0
tail_begin 10 0
tail_end 10 0
WANT
		grep '^# returns' "$work/table" | diff - <(echo "# returns 2535, without entry 0; calls without" \
			"return: stack cut (longjmp, exec) 45, deeper than the kernel follows (64) 360, still open 0"))"
	result "which function called which" "$(
		awk '/^# callers/ { on = 1; next } on && !/^#/ { name = $4; d = (index($0, $4) - 43) / 2
			path[d] = name; p = path[0]; for (i = 1; i <= d; i++) p = p ">" path[i]; print p, $1 }' "$work/table" |
			grep -E '^(outer|outer>inner|a>b>a>b>a>b>a|tail_begin|tail_begin>tail_end|maybe|inner) ' | sort |
			diff - <(printf '%s\n' 'a>b>a>b>a>b>a 10' 'maybe 5' 'outer 10' 'outer>inner 20' 'tail_begin 10' \
				'tail_begin>tail_end 10'))"
	compare "the recording of the program" "$work/live"
	"$BIN/plat" func "${probes[@]}" --ret -m 16M --ns --tree -- "$work/calls" 10 > "$work/table" 2> "$work/err"
	result "--ret: the same calls, deep ones as well; a jump to another function is a return" "$(cat "$work/err"
		awk '/^# callers/ { exit } !/^#/ && NF > 9 { print $NF, $1, $2 }' "$work/table" | sort > "$work/got"
		sort << 'WANT' | diff - "$work/got"
fib 1770 0
inner 20 0
outer 10 0
jumps 40 40
maybe 10 5
deep 1000 0
a 40 0
b 30 0
tail_begin 10 0
tail_end 10 0
WANT
		grep '^# returns' "$work/table" | diff - <(echo "# returns 2895, without entry 0; calls without" \
			"return: stack cut (longjmp, exec) 45, deeper than the kernel follows (64) 0, still open 0")
		grep -q '  tail_end$' "$work/table" || echo "tail_end is in another function")"
	"$BIN/plat" func "$work"/calls:{outer,inner} --ret -g --ns --folded "$work/folded" -- "$work/calls" 10 \
		> "$work/table" 2> "$work/err"
	result "-g: whole stacks, as a tree and folded, with the table's self times" "$(cat "$work/err"
		sed 's/.*;main;/main;/; s/ [0-9]*$//' "$work/folded" | sort | diff - <(printf '%s\n' 'main;outer' 'main;outer;inner')
		awk '/^# call stacks/ { on = 1; next } on && !/^#/ { print $NF, $1 }' "$work/table" | sed -n '/^main/,$p' |
			diff - <(printf '%s\n' 'main 0' 'outer 10' 'inner 20')
		awk -v folded="$(awk '{ s += $NF } END { print s }' "$work/folded")" '/^# call stacks/ { exit }
			!/^#/ && NF > 8 { s += $3 } END { if (s != folded || !s) print s, folded }' "$work/table")"
	"$BIN/plat" func "$work"/calls:{outer,b} -g -- "$work/calls" 10 > "$work/table" 2> "$work/err"
	result "-g with return probes" "$(cat "$work/err"
		grep -Eq '^ +10 .* outer$' "$work/table" || cat "$work/table"
		grep -q '^# calls without a recorded stack' "$work/table" && tail -2 "$work/table")"
	"$BIN/plat" func "$work/calls:fib" --count -- "$work/calls" 5 > "$work/table" 2> "$work/err"
	result "--count" "$(cat "$work/err"
		awk '!/^#/ { print $NF, $1 }' "$work/table" | diff - <(echo fib 885))"
	cat > "$work/throws.cc" << 'END'
#define NOINLINE __attribute__((noinline))
static volatile int sink;
NOINLINE void thrower(int i) { sink++; if (i) throw i; sink++; }
NOINLINE int again(int i, int n) { if (n) return again(i, n - 1) + sink % 2; thrower(i); return 0; }
NOINLINE int catches(int i) { try { return again(i, 5); } catch (int) { return -1; } }
int main() { int n = 0; for (int i = 0; i < 9; i++) n += catches(i % 2) == -1; return n != 4; }
END
	if "${CXX:-g++}" -O1 -fno-optimize-sibling-calls -o "$work/throws" "$work/throws.cc" 2> "$work/log"; then
		"$BIN/plat" func "$work/throws:thrower*" --count -- "$work/throws" > "$work/table" 2> "$work/err"
		result "--count of a function that throws: no probe is in the way" "$(cat "$work/err"
			awk '!/^#/ { print $1 }' "$work/table" | diff - <(echo 9))"
		"$BIN/plat" func "$work/throws:thrower*" -- "$work/throws" > "$work/table" 2> "$work/err"
		result "with return probes there is a warning" "$(
			grep -q 'throws: an exception that passes' "$work/err" || cat "$work/err")"
		"$BIN/plat" func --ret "$work"/throws:{thrower,again,catches} -- "$work/throws" > "$work/table" 2> "$work/err"
		result "--ret: exceptions pass, and the calls that they end are known" "$(cat "$work/err"
			awk '/^# callers/ { exit } !/^#/ && NF > 9 { print $NF, $1, $2 }' "$work/table" |
				diff - <(printf '%s\n' 'catches(int) 9 0' 'again(int,int) 54 24' 'thrower(int) 9 4')
			grep '^# returns' "$work/table" | diff - <(echo "# returns 44, without entry 0; calls without return:" \
				"stack cut (longjmp, exec) 28, deeper than the kernel follows (64) 0, still open 0"))"
	else
		result "functions that throw # SKIP no C++ compiler" ''
	fi
	cat > "$work/go.go" << 'END'
package main

//go:noinline
func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }

//go:noinline
func deep(n int, a [16]int) int { if n == 0 { return a[3] }; a[n%16] = n; return deep(n-1, a) + 1 }

func main() {
	c := make(chan int)
	for i := 0; i < 8; i++ {
		go func() { s := 0; for k := 0; k < 5; k++ { s += fib(6); s += deep(100, [16]int{}) }; c <- s }()
	}
	for i := 0; i < 8; i++ { <-c }
}
END
	if command -v go > "$work/log" && (cd "$work" && go tool compile -o go.o go.go && go tool link -o go go.o) > "$work/log" 2>&1; then
		# main ends the program: a goroutine may not have returned from main.main.func1 after its send
		"$BIN/plat" func "$work/go:main.*" -m 16M -- "$work/go" > "$work/table" 2> "$work/err"
		result "goroutines, whose stacks grow and which change threads" "$(cat "$work/err"
			awk '!/^#/ { print $NF, $1 }' "$work/table" | sort |
				diff - <(printf '%s\n' 'main.deep 4040' 'main.fib 1000' 'main.main 1' 'main.main.func1 8')
			grep -q '^# returns 504[1-9], without entry 0; .*(longjmp, exec) 0,' "$work/table" || tail -1 "$work/table")"
	else
		result "goroutines # SKIP no Go compiler" ''
	fi
	"$work/calls" 100000000 &
	pid=$!
	"$BIN/plat" func "$work/calls:inner" --hist -I 100 -p $pid --for 300ms > "$work/table" 2> "$work/err"
	kill $pid
	wait $pid 2> /dev/null
	result "-p, --for and -I" "$(cat "$work/err"
		awk '/^# until/ { n++ } /^# ns of inner/ { h++ } END { if (n < 1 || h < 2) print n, "tables", h, "histograms" }' "$work/table")"
else
	result "calls of a program # SKIP uprobes cannot be recorded here" ''
fi
results_end
