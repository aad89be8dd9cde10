#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The page of prep --html in a headless Chromium, and in Firefox where it is, from a file, without
# network: every view's figures against those of prep, pfold and sums made from folded lines; steps,
# their undo and addresses; keys; hostile names. What the script may not call is looked for in its
# sources, so that part needs no browser.
#
# Environment: BIN (default bin), O (default build/gcc), AXE_CORE (axe.min.js of the npm package
# axe-core, which judges how screen readers can use the page; default: where npm install -g puts it).

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1

found=$(grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval *\(|\bFunction *\(' \
	picture/page/*.js picture/page/*.html)
if [ "$found" ]; then
	echo "not ok - the page's script makes no markup from text, and no code"
	echo "$found" | sed 's/^/# /'
	exit 1
fi
skip() { echo "ok 1 - the page's script makes no markup from text"; echo "ok 2 # SKIP $*"; echo 1..2; exit 0; }
command -v python3 > /dev/null || skip "no python3"
browser=$(PYTHONPATH=tests/tools python3 -c 'import browser; print(browser.find() or "")')
[ "$browser" ] || skip "no chromium"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/wide" "$work/events" "$work/hostile" "$work/home"
export HOME=$work/home
"$O/tests/tools/wide_recording" "$work/wide" samples=3000 functions=60 depth=12 stacks=400 threads=7 \
	comms=3 || exit 2
"$O/tests/tools/wide_recording" "$work/events" samples=600 events=3 threads=4 || exit 2
"$O/tests/tools/hostile_recording" "$work/hostile" || exit 2
python3 tests/tools/page_checks.py "$BIN" "$work"
