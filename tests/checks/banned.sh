#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Calls and constructs that the house does without, what library folders leave to main, and the few
# rules of form that a text search can hold. One awk program reads every source once.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
root=$PWD
# folders whose functions neither print nor exit
libraries="base picture fileformat symbols unwind session"

faults() { # files...
	awk -v libraries="$libraries" -v house="$product_folders" -f "$root/tests/checks/c_text.awk" \
		-f "$root/tests/checks/banned.awk" "$@"
}

# characters are counted by their bytes
export LC_ALL=C
# shellcheck disable=SC2046
found=$(faults $(all_files))
of_rule() {
	[ -z "$found" ] || printf '%s\n' "$found" | sed -n "s/^$1\t//p"
}
result "banned calls" "$(of_rule calls)"
result "libraries do not print" "$(of_rule prints)"
result "libraries do not exit" "$(of_rule exits)"
result "allocation goes through base/mem.h" "$(of_rule allocates)"
result "licence lines" "$(of_rule licences)"
result "lines of at most 100 columns" "$(of_rule columns)"
result "file names are unique in the tree" "$(of_rule names)"
result "guards of headers are named after their paths" "$(of_rule guards)"
result "headers of at most 320 lines" "$(of_rule headers)"

# One fault of each rule, and beside them what only looks like one.
planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted/base" "$planted/report/deep"
cat > "$planted/base/a.c" <<'PLANTED'
/* strcpy(a, b) */
	x = s.printf("atoi(1)"); /* malloc(1)
	exit(1); */ c = '"'; strcpy(a, b); // abort()
	fputs("", stderr);
	exit(1);
	p = malloc(1);
PLANTED
printf '/* SPDX-License-Identifier: MIT */\n#ifndef A_H\n%0101d\n' 0 > "$planted/report/deep/a.h"
printf '/* SPDX-License-Identifier: MIT */\n#ifndef REPORT_A_H\n' > "$planted/report/a.h"
for ((i = 0; i < 320; i++)); do echo "int i;"; done >> "$planted/report/a.h"
want='allocates base/a.c:6
calls base/a.c:3
columns report/deep/a.h:3
exits base/a.c:5
guards report/deep/a.h
headers report/a.h
licences base/a.c:1
names report/a.h:1
prints base/a.c:4'
found=$(cd "$planted" && faults base/a.c report/deep/a.h report/a.h |
	sed 's/^\([a-z]*\)\t\([^:]*\(:[0-9]*\)\{0,1\}\):.*/\1 \2/' | sort)
result "a planted fault of each kind is seen" "$(diff <(echo "$want") <(echo "$found"))"
results_end
