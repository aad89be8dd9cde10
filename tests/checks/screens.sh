#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The views of prep in a real terminal emulator (tmux) with names that move a cursor or take other room
# than their characters: tabs, escapes, wide and combining characters, right to left, bytes that are no
# UTF-8, 64 KiB (tests/tools/screen_recording). In every view and size, the scroll bar is at the right
# edge of each line, no line is wider than the terminal, and the last line has the view's keys. And
# recordings of one sample and of none.
#
# Environment: BIN (default bin), O (default build/gcc).

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
. tests/frame/tmux.sh
maker=$O/tests/tools/screen_recording
[ -x "$maker" ] || { echo "1..0 # SKIP no $maker"; exit 77; }
for samples in 0 1 90; do
	mkdir "$work/$samples"
	"$maker" "$work/$samples" $samples || exit 2
done
prep="$BIN/prep --tui --quality=none --no-children"
of() { echo "$prep -i $work/$1/perf.data --symfs $work/$1"; }

# has_edge NAME COLUMNS: every line between the heads and the last one ends with the scroll bar
has_edge() {
	local text

	text=$(screen "$1")
	[ "$(wc -L <<< "$text")" -eq "$2" ] && ! sed -e 1,2d -e '$d' <<< "$text" | grep -qv '[◆▒]$'
}
fits() { [ "$(screen "$1" | wc -L)" -le "$2" ]; }

for size in 20x5 80x24 400x100; do
	cols=${size%x*}
	open "w$size" $size "clear; $(of 90)"
	check "$size: the rows" until_true shows "w$size" '^\+ +14\.07%'
	check "$size: the scroll bar at the edge" until_true has_edge "w$size" "$cols"
	keys "w$size" E End
	check "$size: call trees" until_true shows "w$size" '^ +plain_name'
	check "$size: the scroll bar beside call trees" until_true has_edge "w$size" "$cols"
	keys "w$size" C Home
	for view in 'g|^Enter zoom' 'T|^Space range' 'i|^Esc back' 'b|^Esc back' 'Enter|^Enter choose'; do
		keys "w$size" "${view%%|*}"
		check "$size: ${view%%|*}" until_true shows "w$size" "${view#*|}"
		check "$size: ${view%%|*} fits" fits "w$size" "$cols"
		keys "w$size" q
		check "$size: the rows again" until_true shows "w$size" '^\+ +14\.07%'
	done
	# letters of a search at once, and sizes while they come
	keys "w$size" C-f e n d
	mux resize-window -t "w$size" -x 33 -y 7
	keys "w$size" Enter
	mux resize-window -t "w$size" -x 80 -y 24
	check "$size: found after resizes" until_true shows "w$size" '^end: match 1 of 5'
	check "$size: the scroll bar after resizes" until_true has_edge "w$size" 80
	keys "w$size" q
	check "$size: a sane terminal" until_true is_sane "w$size"
	mux kill-session -t "w$size"
done

open few 110x9 "clear; $(of 1)"
check "one sample: its row" until_true shows few '^\+ +100\.00%'
keys few g
check "one sample: flame graph" until_true shows few '^100\.00% plain_name +1 sample'
keys few q T
check "one sample: time" until_true shows few '1 of 1 samples'
keys few q / x
check "one sample: filtered away" until_true shows few 'no rows pass the filters'
keys few Enter q "clear; $(of 0)" Enter
check "no samples: says so" until_true shows few 'has no samples'
check "no samples: a sane terminal" until_true is_sane few
mux kill-session -t few

# the same names where the terminal has no UTF-8: all of ASCII
open ascii 80x24 "clear; LC_ALL=C $(of 90)"
check "C locale: the rows" until_true shows ascii '^\+ +14\.07%'
is_ascii() { ! screen ascii | LC_ALL=C grep -q '[^ -~]'; }
check "C locale: nothing but ASCII" is_ascii
check "C locale: bytes of wide characters" until_true shows ascii 'wide_\\xe6'
mux kill-session -t ascii
done_checking
