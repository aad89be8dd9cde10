#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the flame graph of README.md, with the project's own chain: records prep (stack copies) while it
# reads a recording of clang++, folds that with pfold, and lets flamegraph.pl draw it. The picture's
# program is left out of the file: the text that stays is names, sizes and colours.
#
#	bench/flame_picture.sh > docs/flame.svg
#
# BIN=bin, FLAMEGRAPH=flamegraph.pl (Debian's libdevel-nytprof-perl has it in /usr/share)

set -eu -o pipefail
cd "$(dirname "$0")/.."
: "${BIN:=bin}"
if [ -z "${FLAMEGRAPH-}" ]; then
	FLAMEGRAPH=$(command -v flamegraph.pl ||
		dpkg -L libdevel-nytprof-perl 2> /dev/null | grep -m 1 '/flamegraph\.pl$') ||
		{ echo "flame_picture: no flamegraph.pl" >&2; exit 77; }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$BIN/prec" -q -F 999 --call-graph dwarf -o "$work/clang.data" -- \
	clang++ -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null
"$BIN/prec" -q -F 4999 --call-graph dwarf -o "$work/prep.data" -- \
	"$BIN/prep" -i "$work/clang.data" > /dev/null
"$BIN/pfold" --names=short --kernel "$work/prep.data" |
	perl "$FLAMEGRAPH" --hash --color=java --width 1000 --height 14 --fontsize 10 --minwidth 3 \
		--countname ns --title 'prep reading a recording of clang++' |
	sed -e '/<script/,/<\/script>/d' \
		-e '/id="unzoom"\|id="search"\|id="ignorecase"\|id="matched"\|id="details"/d' \
		-e 's/ on[a-z]*="[^"]*"//g; s/ text-anchor=""//' \
		-e '/<text[^>]*><\/text>$/d'
