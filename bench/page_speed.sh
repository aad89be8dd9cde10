#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pages of prep --html, measured: what writing one costs beyond counting, its size, and how long a
# headless Chromium takes to show it, search, zoom and change the view. Targets: 200,000 samples with
# full time below 1 MB, written within 0.25 s beyond counting, first paint below 0.5 s; 1,000,000
# stacks below 12 MB, interactive below 2 s, search and zoom below 0.1 s.
#
#	make test-programs; bench/page_speed.sh [RECORDING...]
#
# Without recordings it makes one of g++ with about 200,000 samples. Environment: BIN (default bin),
# O (default build/gcc).

set -u
cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1

if [ $# = 0 ]; then
	CCACHE_DISABLE=1 "$BIN/prec" -q -F 9999 -g -o "$work/g++.data" -- sh -c \
		'for i in 1 2; do g++ -std=gnu++17 -O2 -c bench/plain.cc -o /dev/null; done' || exit 1
	set -- "$work/g++.data"
fi
TIMEFORMAT='%U+%S s of CPU, %R s'
for recording; do
	for how in "--html $work/${recording##*/}.html" "--no-children -g none"; do
		printf '%s %s: ' "prep ${how%% *}" "${recording##*/}"
		# shellcheck disable=SC2086
		time "$BIN/prep" --quality=none $how -i "$recording" > /dev/null 2>&1
	done
done
printf '1,000,000 stacks, seconds to encode: '
"$O/bench/page_of_stacks" 1000000 18000 > "$work/stacks.html" || exit 1
python3 bench/page_speed.py "$work"/*.html
