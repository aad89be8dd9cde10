#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every header compiles alone: `make check-headers`, which looks again only at headers that changed,
# and at a header that does not. What a source includes before anything else has compiled alone where
# the object of that source is newer than both; `make lint` compiles these, too.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
root=$PWD
: "${CC:=gcc}" "${O:=build/gcc}" "${MAKE:=make}" "${JOBS:=1}"
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

# Prints the headers of which no object shows that they compile alone.
not_shown() {
	local source first f
	local -A shown=()
	while read -r source first; do
		f=$O/${source%.c}.o
		[ "$f" -nt "$first" ] && [ "$f" -nt "$source" ] && shown[$first]=1
	done < <(all_files | grep '\.c$' |
		xargs awk '/^#include/ { if (gsub(/^#include "|".*/, "")) print FILENAME, $0; nextfile }')
	for f in $(all_files | grep '\.h$'); do
		[ -n "${shown[$f]-}" ] || echo "$f"
	done
}

left=$(not_shown | tr '\n' ' ')
why=$("$MAKE" -s -k -j"$JOBS" CC="$CC" O="$O" headers="$left" check-headers 2>&1) && why=
result "every header compiles alone" "$why"

planted=$(mktemp -d) || exit 2
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted"/{base/room,tests,fuzz,bench}
echo 'struct a { int x; };' > "$planted/base/a.h"
echo 'static inline int get(struct a *a) { return a->x; }' > "$planted/base/room/b.h"
why=$(cd "$planted" && "$MAKE" -s -k -f "$root/Makefile" CC="$CC" O=out FOLDERS=base check-headers 2>&1)
if [ -e "$planted/out/base/a.h.ok" ] && [ ! -e "$planted/out/base/room/b.h.ok" ]; then why=; fi
result "a header that lacks an include is seen" "$why"
results_end
