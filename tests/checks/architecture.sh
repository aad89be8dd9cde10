#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The tables of ARCHITECTURE.md name each source file of the product once, under its folder, and no
# file that does not exist. A name stands for NAME.c, NAME.h or both.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh

# Prints FOLDER/NAME for each name in the first column of the tables of standard input. A heading
# "### FOLDER/" or a row "**FOLDER/ROOM/**" says which folder the rows after it are about.
named() {
	awk -F ' *[|] *' '
	/^## / { folder = "" }
	/^### [a-z]*\/$/ { folder = substr($0, 5); next }
	/^### / { folder = "" }
	folder == "" || !/^\| / || $2 == "file" { next }
	$2 ~ /^\*\*/ { folder = $2; gsub(/\*/, "", folder); next }
	{
		n = split($2, names, ", ")
		for (i = 1; i <= n; i++)
			print folder names[i]
	}' | sort
}
product() { product_files | sed 's/\.[ch]$//' | sort -u; }

compare() { # names in tables, files; both sorted
	comm -23 <(uniq <<< "$1") - <<< "$2" | sed 's/$/: in a table, no such file/'
	comm -13 <(uniq <<< "$1") - <<< "$2" | sed 's/$/: in no table/'
	uniq -d <<< "$1" | sed 's/$/: in two rows/'
}

result "the tables of ARCHITECTURE.md name the files of the product" \
	"$(compare "$(named < ARCHITECTURE.md)" "$(product)")"

planted='### a/

| file | holds |
|---|---|
| b, c | text |
| **a/r/** | a room |
| d, d | text |

### Other folders

| tests/ | not a file |'
want='a/b: in a table, no such file
a/r/e: in no table
a/r/d: in two rows'
found=$(compare "$(named <<< "$planted")" $'a/c\na/r/d\na/r/e')
result "a stale name, a missing one and a double one are seen" \
	"$(diff <(echo "$want") <(echo "$found"))"
results_end
