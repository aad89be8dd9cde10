#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A source file has at most 500 lines, a function at most 80, a folder at most 25 modules.
# tests/known/size_exceptions.tsv lists what may be larger: "KIND<TAB>NAME<TAB>SIZE<TAB>REASON"; a
# file's name, FILE:FUNCTION, or a folder's path. What is listed may not grow; the check says which
# rows can be lowered or removed.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
root=$PWD

# Judges sizes on standard input by the exceptions in file $1; $2 is "faults" or "lower".
judge() {
	awk -F '\t' -v what="$2" '
	BEGIN { limit["file"] = 500; limit["function"] = 80; limit["folder"] = 25 }
	FILENAME != "-" {
		if ($0 ~ /^#/ || $0 == "")
			next
		listed[$1 "\t" $2] = $3
		if (what == "faults" && $4 == "")
			print $2 ": listed without a reason"
		next
	}
	{
		key = $1 "\t" $2
		may = key in listed ? listed[key] : limit[$1]
		if (what == "faults" && $3 > may + 0)
			print $4 ": " $1 " " $2 ": " $3 " " ($1 == "folder" ? "modules" : "lines") \
				", at most " may
		# of functions with the same name in one file the largest counts
		if ($3 > size[key] + 0)
			size[key] = $3
	}
	END {
		if (what != "lower")
			exit
		for (key in listed) {
			split(key, part, "\t")
			if (size[key] + 0 <= limit[part[1]])
				print part[1] " " part[2] ": remove the row"
			else if (size[key] < listed[key] + 0)
				print part[1] " " part[2] ": " listed[key] " can be " size[key]
		}
	}' "$1" - | sort
}

# shellcheck disable=SC2046
sizes=$(awk -f tests/checks/sizes.awk $(all_files))
exceptions=tests/known/size_exceptions.tsv
[ -f "$exceptions" ] || exceptions=/dev/null
result "sizes of files, functions and folders" "$(judge "$exceptions" faults <<< "$sizes")"
lower=$(judge "$exceptions" lower <<< "$sizes")
[ -z "$lower" ] || printf '# rows of tests/known/size_exceptions.tsv that can go down:\n%s\n' \
	"$(printf '%s\n' "$lower" | sed 's/^/#   /')"

planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
cd "$planted" || exit 2
mkdir -p base report/table
body() { # lines
	local i
	for ((i = 0; i < $1; i++)); do printf '\tx();\n'; done
}
{
	printf 'static const struct a b[] = {\n'; body 90; printf '};\n\n'
	printf 'int just(int a,\n\t int b)\n{\n'; body 76; printf '}\n\n'
	printf 'static char *over(void)\n{\n'; body 78; printf '}\n\n'
	printf 'TEST(listed)\n{\n'; body 84; printf '}\n'
} > base/a.c
body 501 > report/long.c
for ((i = 0; i < 26; i++)); do echo > report/table/m$i.c; done
for ((i = 0; i < 25; i++)); do echo > report/table/m$i.h; done
printf 'function\ta.c:listed\t90\twhy\nfunction\ta.c:gone\t90\twhy\nfile\tlong.c\t501\t\n' > exceptions
want='base/a.c:175: function a.c:over: 81 lines, at most 80
long.c: listed without a reason
report/table: folder report/table: 26 modules, at most 25
function a.c:gone: remove the row
function a.c:listed: 90 can be 87'
sizes=$(awk -f "$root/tests/checks/sizes.awk" base/a.c report/long.c report/table/*)
result "planted sizes are seen" "$(diff <(echo "$want") <(
	judge exceptions faults <<< "$sizes"; judge exceptions lower <<< "$sizes"))"
results_end
