#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the picture of a page in README.md: records prep (stack copies) while it reads a recording of clang++, writes
# the page of that, and takes what a headless Chromium shows.
#
#	bench/page_picture.sh docs/page.png
#
# BIN=bin

set -eu -o pipefail
cd "$(dirname "$0")/.."
: "${BIN:=bin}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$BIN/prec" -q -F 999 --call-graph dwarf -o "$work/clang.data" -- \
	clang++ -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null
"$BIN/prec" -q -F 4999 --call-graph dwarf -o "$work/server.data" -- \
	"$BIN/prep" --stdio --threads=2 -i "$work/clang.data" > /dev/null
prep=$(realpath "$BIN/prep")
(cd "$work" && "$prep" --quality=none --names=short --html page.html -i server.data)
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/tools python3 - "$work/page.html" "$1" << 'END'
import sys
import browser

with browser.Browser(timeout=60) as b:
    page = b.open(sys.argv[1], width=1000, height=520, ready="window.document?.documentElement?.dataset.ready === '1'")
    page.picture(sys.argv[2])
END
