#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the flame graph of README.md: records prep (stack copies) while it reads a recording of clang++,
# and draws that with pfold. The picture's program is left out of the file, because a README shows the
# picture without running it.
#
#	bench/flame_picture.sh > docs/flame.svg
#
# BIN=bin

set -eu -o pipefail
cd "$(dirname "$0")/.."
: "${BIN:=bin}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$BIN/prec" -q -F 999 --call-graph dwarf -o "$work/clang.data" -- \
	clang++ -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null
"$BIN/prec" -q -F 4999 --call-graph dwarf -o "$work/prep.data" -- \
	"$BIN/prep" --stdio -i "$work/clang.data" > /dev/null
"$BIN/pfold" --names=short --kernel -i "$work/prep.data" --svg - --hash --colors=java \
	--width 1000 --height 14 --fontsize 10 --minwidth 3 \
	--title 'prep reading a recording of clang++' |
	sed -e '/<script/,/<\/script>/d'
