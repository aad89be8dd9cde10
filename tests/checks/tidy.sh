#!/bin/bash
# SPDX-License-Identifier: MIT
#
# clang-tidy 14 with .clang-tidy finds neither mistakes nor functions whose cognitive complexity is
# above 35. `make tidy` runs this with the sources to look at, after it wrote compile_commands.json.
# tests/known/tidy_exceptions.tsv lists findings that stay: "CHECK<TAB>NAME<TAB>NUMBER<TAB>REASON".
# For the complexity NAME is FILE:FUNCTION and NUMBER the complexity at most; for another check NAME
# is the file and NUMBER how many findings it may have.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${JOBS:=$(nproc)}"

tool=
for t in clang-tidy-14 clang-tidy; do
	if command -v $t > /dev/null && $t --version | grep -q 'version 14\.'; then
		tool=$t
		break
	fi
done
if [ -z "$tool" ]; then
	echo "skipped: .clang-tidy is for clang-tidy 14, which is not installed"
	exit 77
fi

# Prints the findings of clang-tidy's output on standard input that the exceptions in file $1 do not
# allow.
judge() {
	awk -v exceptions="$1" '
	BEGIN {
		while ((getline line < exceptions) > 0) {
			if (line ~ /^#/ || line == "")
				continue
			split(line, part, "\t")
			limit[part[1] "\t" part[2]] = part[3]
			if (part[4] == "")
				print part[2] ": listed without a reason"
		}
	}
	!/: (error|warning): / { next }
	{
		check = $0
		sub(/.*\[/, "", check)
		sub(/[],].*/, "", check)
		file = $0
		sub(/:.*/, "", file)
		sub(/.*\//, "", file)
		key = check "\t" file
		if (check == "readability-function-cognitive-complexity") {
			name = number = $0
			sub(/.*function .\047?/, "", name)
			sub(/\047.*/, "", name)
			sub(/.*complexity of /, "", number)
			sub(/ .*/, "", number)
			key = key ":" name
			if (number + 0 > limit[key] + 0)
				print
		} else if (++found[key] > limit[key] + 0)
			print
	}' | sort -u
}

planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT

# A source that does not compile is a finding as well.
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else product_files | grep '\.c$'; fi |
	xargs -P "$JOBS" -n 8 "$tool" --quiet -p . 2> /dev/null |
	sed "s,^$PWD/,," > "$planted/findings"
result "findings of clang-tidy" "$(judge tests/known/tidy_exceptions.tsv < "$planted/findings")"

# Planted faults: functions of known complexities, and a loop that cannot end in each of two files.
cp .clang-tidy "$planted"
cd "$planted" || exit 2
function_of() { # name complexity
	local i
	printf 'int %s(const int *a);\nint %s(const int *a)\n{\n\tint n = 0;\n\n' "$1" "$1"
	for ((i = 0; i < $2; i++)); do printf '\tif (a[%d])\n\t\tn++;\n' "$i"; done
	printf '\treturn n;\n}\n\n'
}
endless='void endless(int n);\nvoid endless(int n)\n{\n\tint i = 0;\n\n\twhile (i < n)\n\t\tn + 1;\n}\n'
# shellcheck disable=SC2059
{
	function_of plain 35
	function_of listed 37
	function_of grown 37
	function_of unlisted 36
	printf "$endless"
} > a.c
# shellcheck disable=SC2059
printf "$endless" > b.c
complexity=readability-function-cognitive-complexity
{
	printf '%s\ta.c:listed\t37\twhy\n%s\ta.c:grown\t36\twhy\n' $complexity $complexity
	printf 'bugprone-infinite-loop\ta.c\t1\twhy\nbugprone-infinite-loop\tgone.c\t1\t\n'
} > exceptions
want='bugprone-infinite-loop b.c
gone.c: listed without a reason
readability-function-cognitive-complexity a.c grown
readability-function-cognitive-complexity a.c unlisted'
got=$("$tool" --quiet a.c b.c -- -w 2> /dev/null | judge exceptions | sed -n '
	s,.*/\([ab]\.c\):.*function .\([a-z]*\). has cog.*\[\([a-z-]*\).*,\3 \1 \2,
	s,.*/\([ab]\.c\):.*\[\([a-z-]*\).*,\2 \1,
	p' | sort -u)
result "planted faults are found" "$(diff <(echo "$want") <(echo "$got"))"
results_end
