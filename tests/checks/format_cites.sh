#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every section of docs/FORMAT.md that a source, a script or a document cites ("FORMAT.md 2.4",
# "FORMAT.md 1.2 to 1.4, 1.9") is a heading of it, and every test that its errata name exists.

cd "$(dirname "$0")/../.." || exit 2

# Lines "FILE SECTION". A citation may be broken behind "FORMAT.md" or between its numbers; "1.2 to
# 1.4" cites both ends.
cites() {
	find . -path ./build -prune -o -path ./shared -prune -o -path ./.git -prune -o \
		'(' -name '*.[ch]' -o -name '*.sh' -o -name '*.md' ')' -print | sort | xargs awk '
		function flush() {
			while (match(text, /FORMAT\.md`?[ ]+[0-9]+\.[0-9]+((,| and| to)* +[0-9]+\.[0-9]+)*/)) {
				cite = substr(text, RSTART + 9, RLENGTH - 9)
				text = substr(text, RSTART + RLENGTH)
				n = split(cite, word, /[^0-9.]+/)
				for (i = 1; i <= n; i++)
					if (word[i] != "")
						print file, word[i]
			}
			text = ""
		}
		FNR == 1 { flush(); file = FILENAME }
		/FORMAT\.md/ { wait = 2 }
		wait > 0 {
			line = $0
			gsub(/^[ \t]*[*#]?[ \t]*|\*\/[ \t]*$/, "", line)
			text = text " " line
			wait--
		}
		wait == 0 && text != "" { flush() }
		END { flush() }' | sort -u
}

exists() { # kind name [case]
	case $1 in
	unit) find tests -name "$2.c" -exec grep -q "^TEST($3)" {} \; -print | grep -q . ;;
	cli) [ -e "tests/cli/$2/cmd" ] ;;
	golden) [ -e "testdata/$2/commands" ] ;;
	public) true ;; # recordings that may not be copied here
	esac
}

n=0 bad=0
tell() { # text fault
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		bad=1
		echo "not ok $n - $1: $2"
	fi
}

list=$(cites)
nr=$(grep -c . <<< "$list")
tell "sources cite docs/FORMAT.md" "$([ "$nr" -ge 40 ] || echo "found only $nr citations")"
while read -r section; do
	where=$(awk -v s="$section" '$2 == s { printf " %s", $1 }' <<< "$list")
	tell "FORMAT.md $section" "$(grep -q "^### $section " docs/FORMAT.md || echo "no such heading, cited in$where")"
done < <(cut -d' ' -f2 <<< "$list" | sort -u -t. -k1,1n -k2,2n)

# | 8.9 | quirk | unit `FILE`: `CASE`, `CASE`; cli `NAME` |
while IFS='|' read -r _ nr _ test _; do
	faults=
	while read -r kind name case; do
		# shellcheck disable=SC2086
		exists "$kind" "$name" $case || faults+=" no test $kind $name $case;"
	done < <(awk -F'`' '{
		for (i = 2; i <= NF; i += 2) {
			if (match($(i - 1), /[a-z]+/)) {
				kind = substr($(i - 1), RSTART, RLENGTH)
				file = ""
			}
			if (kind != "unit")
				print kind, $i
			else if (file == "")
				file = $i
			else
				print kind, file, $i
		}
	}' <<< "$test")
	tell "FORMAT.md${nr% }, its tests" "$faults"
done < <(grep -E '^\| 8\.[0-9]+ ' docs/FORMAT.md)

echo "1..$n"
exit $bad
