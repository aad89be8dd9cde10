#!/bin/bash
# SPDX-License-Identifier: MIT
#
# No two source files need each other: the symbols that each object file of the library defines and
# needs, as nm prints them, form no circle of files.
#
# tests/known/known_circles.txt lists circles that are still to be cut, a line of file names each. A circle
# that lies within a line passes; the check says which lines can go.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${O:=build/gcc}" "${CC:=gcc}"
root=$PWD
known=tests/known/known_circles.txt
[ -f "$known" ] || known=/dev/null

circles() { # objects...
	nm -A -g "$@" | awk -f "$root/tests/checks/circles.awk"
}

# Circles on standard input that lie in no line of file $1, with their arrows; or, with $2 "gone",
# the lines of the file in which no circle lies.
judge() {
	awk -v what="$2" '
	FILENAME != "-" {
		if ($0 !~ /^#/ && NF)
			line[++nr] = " " $0 " "
		next
	}
	/^circle / {
		for (k = 1; k <= nr; k++) {
			for (i = 2; i <= NF && index(line[k], " " $i " "); i++)
				;
			if (i > NF)
				break
		}
		is_new = k > nr
		met[k] = 1
	}
	is_new && what == "new" { print }
	END {
		for (k = 1; k <= nr; k++)
			if (what == "gone" && !(k in met))
				print line[k]
	}' "$1" -
}

if [ ! -f "$O/members" ]; then
	echo "1..0 # SKIP $O holds no build"
	exit 77
fi
# shellcheck disable=SC2046
found=$(circles $(cat "$O/members"))
result "no two source files need each other" "$(judge "$known" new <<< "$found")"
gone=$(judge "$known" gone <<< "$found")
[ -z "$gone" ] || printf '# lines of %s without a circle, which can go:\n%s\n' "$known" \
	"$(printf '%s\n' "$gone" | sed 's/^/#   /')"

# a needs b, b needs c, c needs b; d is needed and needs, in no circle; e and f need each other but
# are known. The name that c keeps to itself is no arrow to a.
planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
cd "$planted" || exit 2
echo 'int b(void); int a(void); int a(void) { return b(); }' > a.c
echo 'int c(void); int d(void); int b(void); int b(void) { return c() + d(); }' > b.c
echo 'int b(void); static __attribute__((used)) int a(void) { return 1; } int c(void); int c(void) { return a() + b(); }' > c.c
echo 'int d_data = 1; int d(void); int d(void) { return d_data; }' > d.c
echo 'int f(void); int e(void); int e(void) { return f(); }' > e.c
echo 'int e(void); int f(void); int f(void) { return e(); }' > f.c
printf '# known\ne.c f.c g.c\nx.c y.c\n' > known
$CC -c {a,b,c,d,e,f}.c || exit 2
want='circle b.c c.c
  b.c -> c.c: c
  c.c -> b.c: b
 x.c y.c '
found=$(circles {a,b,c,d,e,f}.o)
result "a planted circle is seen, a known one passes" "$(diff <(echo "$want") <(
	judge known new <<< "$found"; judge known gone <<< "$found"))"
results_end
