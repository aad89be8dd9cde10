#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Include directions: each folder includes only the folders that it may know, each outside library
# stays behind its one door, a .c file includes its own header first, and headers form no circle.

cd "$(dirname "$0")/.." || exit 2

awk_rules='
function allowed(from, to) {
	return index(" " may[from] " ", " " to " ") > 0
}
BEGIN {
	may["base"] = "base"
	may["fileformat"] = "fileformat base"
	may["symbols"] = "symbols base"
	may["unwind"] = "unwind symbols base"
	may["machine"] = "machine unwind symbols fileformat base"
	may["session"] = "session machine unwind symbols fileformat base"
	may["record"] = "record fileformat symbols base"
	may["report"] = "report session machine unwind symbols fileformat base"
	may["fold"] = "fold session machine unwind symbols fileformat base"
	may["tests"] = "tests base fileformat symbols unwind machine session record report fold"
	may["fuzz"] = "fuzz tests base fileformat symbols unwind machine session record report fold"
	# outside library header -> folders that may include it
	door["zstd.h"] = "fileformat symbols" # records; ELF sections
	door["libelf.h"] = door["gelf.h"] = "symbols"
	door["elfutils"] = door["dwarf.h"] = "symbols unwind"
	door["libunwind"] = "unwind"
	door["capstone"] = "report"
	door["traceevent"] = "report"
	door["libiberty"] = door["demangle.h"] = "symbols"
	door["lzma.h"] = "symbols"
	door["zlib.h"] = "symbols" # modules; checksums of .gnu_debuglink
	door["libdeflate.h"] = "symbols" # ELF sections
}
FNR == 1 {
	folder = FILENAME
	sub(/\/.*/, "", folder)
	own = FILENAME
	is_c = sub(/\.c$/, ".h", own)
	has_own = is_c && ((getline line < own) >= 0)
	if (has_own)
		close(own)
	nr_includes = 0
}
/^[ \t]*#[ \t]*include/ {
	target = $0
	sub(/^[ \t]*#[ \t]*include[ \t]*/, "", target)
	quoted = target ~ /^"/
	target = substr(target, 2)
	sub(/[">].*/, "", target)
	nr_includes++
	# own_priv.h, which itself starts from own.h, will do as well
	priv = own
	sub(/\.h$/, "_priv.h", priv)
	if (has_own && nr_includes == 1 && target != own && target != priv)
		print FILENAME ":" FNR ": own header " own " is not included first"
	if (quoted) {
		to = target
		if (!sub(/\/.*/, "", to)) {
			print FILENAME ":" FNR ": \"" target "\" is not relative to the root"
			next
		}
		if (!allowed(folder, to))
			print FILENAME ":" FNR ": " folder " may not include " to " (" target ")"
		if (FILENAME ~ /\.h$/)
			edge[FILENAME] = edge[FILENAME] " " target
	} else {
		head = target
		sub(/\/.*/, "", head)
		key = (target in door) ? target : head
		if (key in door && folder != "tests" && folder != "fuzz" && \
		    index(" " door[key] " ", " " folder " ") == 0)
			print FILENAME ":" FNR ": <" target "> belongs behind the door of " door[key]
	}
}
END {
	# headers whose includes are all done are taken away until none is left or a circle remains
	for (h in edge)
		left++
	do {
		moved = 0
		for (h in edge) {
			nr = split(edge[h], to_list, " ")
			open = 0
			for (i = 1; i <= nr; i++)
				if (to_list[i] in edge)
					open = 1
			if (!open) {
				delete edge[h]
				moved = 1
			}
		}
	} while (moved)
	for (h in edge)
		print h ": is in, or leads to, a circle of includes"
}'

files=$(ls {base,fileformat,symbols,unwind,machine,session,record,report,fold,tests,fuzz}/*.[ch] 2> /dev/null)
# shellcheck disable=SC2086
why=$(awk "$awk_rules" $files)
if [ -z "$why" ]; then
	echo "ok 1 - include directions"
else
	echo "not ok 1 - include directions"
	printf '%s\n' "$why" | sed 's/^/# /'
fi

# The rules see what they are meant to see.
broken=$(mktemp -d)
trap 'rm -rf "$broken"' EXIT
mkdir "$broken/base" "$broken/symbols"
echo '#include "symbols/a.h"' > "$broken/base/a.h"
printf '#include "base/a.h"\n#include <capstone/x.h>\n' > "$broken/symbols/a.h"
echo '#include "base/a.h"' > "$broken/symbols/a.c"
found=$(cd "$broken" && awk "$awk_rules" base/a.h symbols/a.h symbols/a.c | sort)
want='base/a.h: is in, or leads to, a circle of includes
base/a.h:1: base may not include symbols (symbols/a.h)
symbols/a.c:1: own header symbols/a.h is not included first
symbols/a.h: is in, or leads to, a circle of includes
symbols/a.h:2: <capstone/x.h> belongs behind the door of report'
if [ "$found" = "$want" ]; then
	echo "ok 2 - a wrong direction, a wrong door, a late own header and a circle are seen"
else
	echo "not ok 2 - the planted faults were not seen as meant:"
	printf '%s\n' "$found" | sed 's/^/# /'
	why=planted
fi
echo "1..2"
[ -z "$why" ]
