#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every row of KNOWN-DIFFERENCES.md has a number of its own, a reason, and tests that exist.

cd "$(dirname "$0")/../.." || exit 2

# unit `FILE`: `CASE`, `CASE`, cli `CASE`, ... as lines "kind name"; of unit tests "unit FILE CASE"
tests_of() {
	awk -F'`' '{
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
	}' <<< "$1"
}

exists() { # kind name [case]
	case $1 in
	unit) [ -n "${3-}" ] && find tests -name "$2.c" -exec grep -q "^\(TEST\|BOTH\)($3)" {} + ;;
	cli) [ -e "tests/cli/$2/cmd" ] ;;
	check) [ -x "tests/checks/$2.sh" ] ;;
	golden) [ -e "testdata/$2/commands" ] ;;
	public) grep -q "^$2	" tests/known/known_differences.tsv ;;
	*) false ;;
	esac
}

n=0 bad=0 seen=' '
while IFS='|' read -r _ nr _ _ _ why test rest; do
	nr=${nr// /} found= faults=
	[ -z "$rest" ] && [ -n "${why// /}" ] || faults+=" not six columns;"
	[[ $seen == *" $nr "* ]] && faults+=" its number is used twice;"
	seen+="$nr "
	while read -r kind name case; do
		[ -n "$kind" ] || continue
		found=1
		# shellcheck disable=SC2086
		exists "$kind" "$name" $case || faults+=" no test $kind $name $case;"
	done < <(tests_of " $test")
	[ -n "$found" ] || faults+=" names no test;"
	n=$((n + 1))
	if [ -z "$faults" ]; then
		echo "ok $n - known difference $nr"
	else
		bad=1
		echo "not ok $n - known difference $nr:$faults"
	fi
done < <(grep -E '^\| *[A-Z]*[0-9]+ ' KNOWN-DIFFERENCES.md)
[ $n -gt 0 ] || { echo "not ok 1 - KNOWN-DIFFERENCES.md has rows"; n=1 bad=1; }
echo "1..$n"
exit $bad
