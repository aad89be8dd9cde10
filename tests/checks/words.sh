#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Words that read like riddles stay out of what people read: comments of headers, messages, -h texts,
# man pages, README.md, ARCHITECTURE.md and KNOWN-DIFFERENCES.md. words.awk names them.
#
# tests/known/word_counts.tsv holds "FILE NAME<TAB>COUNT" of the files that have some left: a file not
# listed must have none, a listed one at most its count. UPDATE=1 lowers the counts to what is there.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
root=$PWD
table=$root/tests/known/word_counts.tsv
[ -f "$table" ] || table=/dev/null

uses() { # files...
	awk -f "$root/tests/checks/c_text.awk" -f "$root/tests/checks/words.awk" "$@"
}
texts() {
	all_files | grep '\.h$'
	product_files | grep '\.c$'
	man_pages 17
	printf '%s\n' README.md ARCHITECTURE.md KNOWN-DIFFERENCES.md
}

# Compares uses on standard input with the counts of table $1. With $2 "rows" it prints the table as
# it can be now, with "faults" what is above its count, with "lower" what is below.
compare() {
	awk -F '\t' -v what="$2" '
	FILENAME != "-" {
		if ($0 !~ /^#/ && NF == 2)
			limit[$1] = $2
		else
			head = head $0 "\n"
		next
	}
	{
		nr[$1]++
		lines[$1] = lines[$1] "\n  " $2 ": " $3
	}
	END {
		if (what == "rows") {
			printf "%s", head
			for (f in limit)
				if (nr[f] > 0)
					print f "\t" (nr[f] < limit[f] ? nr[f] : limit[f]) | "sort"
		}
		for (f in nr)
			if (what == "faults" && nr[f] > limit[f] + 0)
				print f ": " nr[f] " uses, " limit[f] + 0 " allowed:" lines[f]
		for (f in limit)
			if (what == "lower" && nr[f] + 0 < limit[f])
				print f ": " nr[f] + 0 " of " limit[f]
	}' "$1" -
}

# shellcheck disable=SC2046
found=$(uses $(texts))
again() { [ -z "$found" ] || printf '%s\n' "$found"; }
if [ -n "${UPDATE-}" ] && [ "$table" != /dev/null ]; then
	again | compare "$table" rows > "$table.new" && mv "$table.new" "$table"
fi
result "texts do without the words that words.awk names" "$(again | compare "$table" faults)"
lower=$(again | compare "$table" lower)
[ -z "$lower" ] || printf '# counts that UPDATE=1 tests/checks/words.sh can lower:\n%s\n' \
	"$(printf '%s\n' "$lower" | sed 's/^/#   /')"

planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
cd "$planted" || exit 2
cat > a.h <<'PLANTED'
/* It mends what
 * is
 * there. */
int who(int told); /* it mended; is. There */
PLANTED
printf '/* who */\nf("no file cannot\\tbe "\n  "had"); /* whom */ x_who("It is", there);\n' > a.c
printf 'Whoever it is, there.\nA table of mends.\n' > a.1
printf 'a.c\t1\na.h\t1\nb.h\t4\n' > counts
want='a.1: 2 uses, 0 allowed:
  a.1:1: whoever
  a.1:2: mends
a.h: 2 uses, 1 allowed:
  a.h:1: mends
  a.h:3: is there
b.h: 0 of 4
rows:
a.c	1
a.h	1'
found=$(uses a.h a.c a.1)
result "planted words are seen, where text is and nowhere else" "$(diff <(echo "$want") <(
	{ again | compare counts faults; again | compare counts lower; } |
		awk '/^[^ ]/ { key = $0 } { print key "\t" NR "\t" $0 }' | sort -t "$(printf '\t')" -k1,1 -k2,2n | cut -f3
	echo rows:; again | compare counts rows))"
results_end
