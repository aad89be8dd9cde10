#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat leak: its sums by thread name, ages and counts against what tests/tools/leak_oracle.py
# computes from the text of pscript, of made recordings in both byte orders, with and without
# losses, of files and streams; and, where uprobes can be recorded, three leaks that a program has
# among many allocations, with their stacks, and the counts that valgrind has. FILE... as operands: recordings of kmem:kmalloc and
# kmem:kfree that are compared as well.
#
#	tests/checks/plat_leak.sh [FILE...]

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${CC:=gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

compare() { # NAME FILE AGE-NS [PRESET ALLOC FREE SIZE]
	local age=$3 preset=${4-kmalloc}
	"$BIN/plat" leak $preset --by comm --ns $( [ "${age:-0}" -gt 0 ] && echo --age "${age}ns") - < "$2" > "$work/table" 2> "$work/err" ||
		echo "plat failed" >> "$work/err"
	result "$1" "$(cat "$work/err"
		"$BIN/pscript" -G --ns --show-lost-events -i "$2" 2> /dev/null |
			python3 tests/tools/leak_oracle.py "${5-kmem:kmalloc}" "${6-kmem:kfree}" "${7-bytes_alloc}" "${age:-0}" \
				"$work/table" 2>&1)"
}

for what in "1 4000" "2 20000 lost" "3 4000 big" "4 6000 big lost"; do
	# shellcheck disable=SC2086
	"$O/tests/tools/leak_recording" $what > "$work/made" || exit 2
	compare "a made recording, $what" "$work/made" ""
	compare "a made recording, $what, without the young" "$work/made" 1000000
done
for f in "$@"; do
	compare "${f##*/}" "$f" ""
done

# the same by any two events
"$BIN/plat" leak kmalloc --by pid --ns "$work/made" > "$work/one" 2> "$work/err"
"$BIN/plat" leak --by pid --ns --alloc kmem:kmalloc --free kmem:kfree --ptr ptr --size bytes_alloc \
	"$work/made" > "$work/two" 2>> "$work/err"
result "--alloc and --free say the same as the preset" "$(cat "$work/err"
	diff <(sed 's/ (kmalloc)//' "$work/one") "$work/two")"
# -I 1: several tables, of which the last one is that without -I
"$BIN/plat" leak kmalloc --by pid --ns -I 1 "$work/made" > "$work/parts" 2> "$work/err"
result "what is not freed yet, each ms" "$(cat "$work/err"
	[ "$(grep -c '^# until' "$work/parts")" -gt 2 ] || grep -c '^# until' "$work/parts"
	tac "$work/parts" | sed '/^# not freed/q' | tac | diff - "$work/one")"
# at any time at most 200 objects are followed, and the others are counted
"$BIN/plat" leak --by pid --max-keys 200 "$work/made" > "$work/table" 2> "$work/err"
result "--max-keys" "$(cat "$work/err"
	awk '/^# not followed/ { few = 1 } !/^#/ { n += $2 + $5 } END { if (!few || n != 200) print n, "objects" }' \
		"$work/table")"
"$BIN/plat" leak --by stack --max-mem 4K "$work/made" > "$work/table" 2> "$work/err"
result "--max-mem" "$(cat "$work/err"
	awk '/^# not followed.*--max-mem/ { n++ } END { if (n != 1) print n + 0 }' "$work/table")"

cat > "$work/leaks.c" << 'END'
#include <stdlib.h>
static void *keep[64];
#define NOINLINE __attribute__((noinline))
static NOINLINE void use(void *p) { *(volatile char *)p = 1; }
NOINLINE void leak_small(int i) { use(keep[i] = malloc(48)); use(keep[i]); }
NOINLINE void leak_zeroed(int i) { use(keep[i] = calloc(10, 100)); use(keep[i]); }
NOINLINE void leak_grown(int i) { void *p = malloc(16); use(p); use(keep[i] = realloc(p, 3000)); use(keep[i]); }
NOINLINE void no_leak(int i) { char *p = malloc(1 + i % 777); use(p); if (i % 3 == 0) use(p = realloc(p, 2000)); free(p); use(keep); }
int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]);
	for (int i = 0; i < rounds; i++) {
		no_leak(i);
		if (i % (rounds / 5) == 1) leak_small(i / (rounds / 5));
		if (i % (rounds / 3) == 2) leak_zeroed(10 + i / (rounds / 3));
		if (i == rounds / 2) leak_grown(20);
	}
	return argc == 9;
}
END
record=$("$BIN/plat" leak malloc --print-record)
libc=${record##*uprobe:} libc=${libc%:free}
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] && [ -e "$libc" ] &&
	"$CC" -g -O1 -fno-omit-frame-pointer -fno-builtin -o "$work/leaks" "$work/leaks.c" 2> "$work/log" &&
	"$BIN/prec" -q -m 16M -o "$work/live" ${record#prec} -- "$work/leaks" 3000 > "$work/log" 2>&1; then
	"$BIN/plat" leak -c leaks --folded "$work/folded" --html "$work/page" "$work/live" > "$work/table" 2> "$work/err"
	result "three leaks among many allocations, with their stacks" "$(cat "$work/err"
		awk '/^[^#]/ && $1 ~ /^[0-9]+$/ { row = $1 "/" $2; next } row { print row, $1; row = "" }' "$work/table" |
			sort > "$work/got"
		printf '%s\n' '240/5 leak_small' '3000/1 leak_grown' '3000/3 leak_zeroed' |
			diff - "$work/got" || head -30 "$work/table"
		grep -q '"bytes"' "$work/page" || echo "no page"
		grep -q ';main;leak_small 240$' "$work/folded" || cat "$work/folded")"
else
	result "three leaks among many allocations # SKIP calls of malloc() cannot be recorded here" ''
fi
if [ -s "$work/live" ]; then
	"$BIN/plat" leak malloc --record "$work/kept" --by pid --ns -- "$work/leaks" 30 > "$work/one" 2> "$work/err"
	"$BIN/plat" leak malloc --by pid --ns "$work/kept" > "$work/two" 2>> "$work/err"
	result "live as from the recording that it keeps" "$(cat "$work/err"
		diff "$work/one" "$work/two"; grep -q '^ *[0-9]' "$work/one" || cat "$work/one")"
fi
# what valgrind says of the same command: "in use at exit: 188 bytes in 4 blocks", "11 allocs, 7 frees"
if [ -s "$work/live" ] && command -v valgrind > /dev/null &&
	valgrind --run-libc-freeres=no sort /etc/passwd > /dev/null 2> "$work/log" &&
	"$BIN/prec" -q -m 4M -o "$work/sort" ${record#prec} -- sort /etc/passwd > /dev/null 2>> "$work/log"; then
	# the kernel sometimes puts no probes in while others record calls of the same library
	for try in 1 2 3; do
		"$BIN/plat" leak -c sort --by pid "$work/sort" > "$work/table" 2> "$work/err"
		! grep -q '^# allocations: 0;' "$work/table" || [ $try = 3 ] ||
			"$BIN/prec" -q -m 4M -o "$work/sort" ${record#prec} -- sort /etc/passwd > /dev/null 2> /dev/null
	done
	tr -d , < "$work/log" | sed -n 's/.*in use at exit: \([0-9]*\) bytes in \([0-9]*\) blocks.*/\1 \2/p
		s/.*usage: \([0-9]*\) allocs \([0-9]*\) frees.*/\1 \2/p' > "$work/want"
	# on a busy machine a record of another kind may be lost: then all is in the columns with ?
	awk '!/^#/ { print $1 + $4, $2 + $5 } /^# allocations/ { print $3 + 0, $5 + 0 }' "$work/table" > "$work/got"
	result "bytes, objects, allocations and frees as valgrind says" "$(cat "$work/err"
		[ "$(wc -l < "$work/want")" = 2 ] || cat "$work/log"
		diff "$work/want" "$work/got")"
else
	result "what valgrind says # SKIP no valgrind, or calls of malloc() cannot be recorded here" ''
fi
if [ "$(id -u)" = 0 ] && [ -x "$BIN/prec" ] &&
	"$BIN/prec" -q -a -m 8M -e kmem:kmalloc,kmem:kfree,kmem:kmem_cache_alloc,kmem:kmem_cache_free \
		-e kmem:mm_page_alloc,kmem:mm_page_free,percpu:percpu_alloc_percpu,percpu:percpu_free_percpu \
		-o "$work/live" -- ls /proc > "$work/log" 2>&1; then
	compare "the kernel of this machine" "$work/live" -1
	compare "objects of caches" "$work/live" -1 slab kmem:kmem_cache_alloc kmem:kmem_cache_free,kmem:kfree
	compare "pages" "$work/live" -1 pages kmem:mm_page_alloc kmem:mm_page_free order
	compare "memory of each CPU" "$work/live" -1 percpu percpu:percpu_alloc_percpu percpu:percpu_free_percpu
else
	result "the kernel of this machine # SKIP it cannot be recorded here" ''
fi
results_end
