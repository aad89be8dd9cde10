#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Draws comments at random from the product's headers, to be judged by a reader: each must be
# understood without the code and without other comments.
#
# Usage: tests/tools/draw_comments.sh SEED [NR [FOLDER...]]
#
# Prints NR comments (40 if not given) of the headers in the folders (all of the product if not
# given), each with file:line and the first line of code that follows it or stands beside it. The
# same seed and the same headers give the same comments with every awk. SPDX lines are not drawn.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
if [ $# -lt 1 ]; then
	echo "usage: $0 SEED [NR [FOLDER...]]" >&2
	exit 2
fi
seed=$1 nr=${2:-40}
shift $(($# < 2 ? $# : 2))
# shellcheck disable=SC2034 # product_files reads it
[ $# -eq 0 ] || product_folders=$*

product_files | grep '\.h$' | xargs awk -v seed="$seed" -v wanted="$nr" '
# Ends the comment that is being read; beside is code of its first line.
function end_comment() {
	sub(/[ \t]*\*\/.*/, "", text[nr])
	in_comment = 0
	if (text[nr] ~ /SPDX-License-Identifier/)
		delete text[nr--]
	else
		wants_code = code[nr] == ""
}
FNR == 1 {
	in_comment = wants_code = 0
}
{
	line = $0
	if (in_comment) {
		sub(/^[ \t]*\*?[ \t]?/, "", line)
		if ($0 ~ /^[ \t]*\*\//)
			line = "*/"
		text[nr] = text[nr] (text[nr] == "" || line == "*/" ? "" : "\n    ") line
		if ($0 ~ /\*\//)
			end_comment()
		next
	}
	at = index(line, "/*")
	if (at) {
		nr++
		where[nr] = FILENAME ":" FNR
		text[nr] = substr(line, at + 2)
		sub(/^[ \t]+/, "", text[nr])
		code[nr] = substr(line, 1, at - 1)
		gsub(/^[ \t]+|[ \t]+$/, "", code[nr])
		in_comment = 1
		if (text[nr] ~ /\*\//)
			end_comment()
		next
	}
	if (wants_code && line ~ /[^ \t]/) {
		code[nr] = line
		gsub(/^[ \t]+/, "", code[nr])
		wants_code = 0
	}
}
# A random number from 0 to n - 1. awk programs differ in rand(), so it is a generator of our own.
function draw(n) {
	state = state * 16807 % 2147483647
	return state % n
}
END {
	state = seed * 7919 % 2147483646 + 1
	draw(2)
	draw(2)
	for (i = 1; i <= nr; i++)
		order[i] = i
	for (i = 1; i <= wanted && i <= nr; i++) {
		at = i + draw(nr - i + 1)
		drawn = order[at]
		order[at] = order[i]
		printf "%s: %s\n    %s\n", where[drawn], code[drawn], text[drawn]
	}
	printf "# seed %s: %d of %d comments\n", seed, i - 1, nr
}'
