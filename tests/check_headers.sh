#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every header compiles alone, names its guard after its path, and stays within the house's size.

cd "$(dirname "$0")/.." || exit 2
: "${CC:=gcc}"
n=0 bad=0
tell() { # ok? name diagnostics
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		bad=1
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

for h in {base,fileformat,symbols,unwind,machine,session,record,report,fold,tests,fuzz}/*.h; do
	[ -f "$h" ] || continue
	why=$($CC -std=gnu17 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only -x c "$h" 2>&1)
	guard=$(echo "${h%.h}_H" | tr 'a-z/.-' 'A-Z___')
	grep -q "^#ifndef $guard\$" "$h" || why+=$'\n'"no guard $guard"
	# tests' headers may hold tables and whole walks over a file
	case $h in
	tests/*) ;;
	*) [ "$(wc -l < "$h")" -le 320 ] || why+=$'\n'"more than 320 lines" ;;
	esac
	head -n 1 "$h" | grep -q '^/\* SPDX-License-Identifier: MIT \*/$' || why+=$'\n'"no SPDX line"
	tell "$h" "$why"
done
echo "1..$n"
exit $bad
