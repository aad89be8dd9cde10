#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Names in pfold --svg, prep --html, pfold --html and on the screen of prep: recordings whose names
# tests/tools/name_recordings makes of markup, scripts, control characters, bytes that are no UTF-8
# and very long texts. Nothing of a name may become an element, a script or a control byte.
#
# Environment: BIN (default bin), O (default build/gcc), NAMES_RUNS (recordings, 25; 10000 take some
# minutes).

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${NAMES_RUNS:=25}"
for p in "$BIN/prep" "$O/tests/tools/name_recordings"; do
	[ -x "$p" ] || { echo "1..0 # SKIP no $p"; exit 77; }
done
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export HOME=$work/home TZ=UTC PYTHONDONTWRITEBYTECODE=1
unset NO_COLOR PERF_CONFIG PREP_UI DEBUGINFOD_URLS COLUMNS
python3 tests/tools/names_check.py "$(realpath "$BIN")" "$O/tests/tools/name_recordings" "$work" "$NAMES_RUNS"
