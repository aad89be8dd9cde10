#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The interactive views of prep and pann in a real terminal emulator (tmux): several sizes, a resize,
# Ctrl-Z, signals that end or crash them. Where perf 7.2 is there (perf-sid), the same keys go to both, and the rows,
# percentages and call trees on the screen must be equal.
#
# Environment: BIN (default bin), O (build folder, for tools; default build/gcc).

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
. tests/frame/tmux.sh
file=$PWD/testdata/fp-7.2/perf.data
prep="$BIN/prep --tui --quality=none --symfs $work/none -i $file"

for size in 20x5 80x24 200x50 400x100; do
	open "s$size" $size "clear; $prep"
	check "$size: the first screen" until_true shows "s$size" '^\+ +84\.62%'
	keys "s$size" E
	check "$size: E opens the rows" until_true shows "s$size" '^- +84\.62%'
	mux resize-window -t "s$size" -x 60 -y 10
	check "$size: resized to 60x10" until_true shows "s$size" '^Enter menu .*find  u undo'
	keys "s$size" q
	check "$size: q leaves a sane terminal" until_true is_sane "s$size"
	mux kill-session -t "s$size"
done

open signals 80x24 "clear; $prep"
until_true shows signals '^\+ +84\.62%'
keys signals C-z
check "Ctrl-Z gives the shell its terminal" until_true is_sane signals
keys signals fg Enter
check "fg shows the view again" until_true shows signals '^\+ +84\.62%'
keys signals q
check "and q leaves" until_true is_sane signals

# By the id of the process that the shell has started. Sanitizers leave the signals to the command.
plain=ASAN_OPTIONS=handle_segv=0\ UBSAN_OPTIONS=handle_segv=0
for sig in TERM SEGV; do
	keys signals "clear; $plain $prep & echo \$! > $work/pid; fg" Enter
	until_true shows signals '^\+ +84\.62%'
	kill -$sig "$(cat "$work/pid")"
	check "SIG$sig leaves a sane terminal" until_true is_sane signals
	check "SIG$sig ends the command by it" until_true shows signals "^<$((128 + $(kill -l $sig)))>"
	keys signals "stty -a | grep -c -- ' echo '" Enter
	check "SIG$sig: the shell echoes again" until_true shows signals '^1$'
done

# What a key changes on the screen is written in one piece, not after each move of the cursor.
writes() { sed -n 's/^syscw: //p' "/proc/$(cat "$work/pid")/io"; }
if [ -r /proc/self/io ]; then
	keys signals "clear; sh -c 'echo \$\$ > $work/pid; exec $prep'" Enter
	until_true shows signals '^\+ +84\.62%'
	before=$(writes)
	keys signals E
	until_true shows signals '^- +84\.62%'
	check "a key's screen is written at once" [ $(($(writes) - before)) -le 4 ]
	keys signals q
	until_true is_sane signals
else
	echo "# no /proc/PID/io: writes were not counted"
fi

# the name of the row in the clipboard of the terminal, by OSC 52
mux set-option -s set-clipboard on
open copy 80x24 "clear; $BIN/prep --tui --quality=none --symfs $PWD/testdata/symfs -i $PWD/testdata/plain-7.2/perf.data --no-children"
until_true shows copy '^Overhead'
keys copy y
check "y copies the function's name" until_true shows copy '^copied: leaf *$'
is_copied() { [ "$(mux show-buffer 2> /dev/null)" = leaf ]; }
check "tmux has the copied name" until_true is_copied
keys copy q
mux kill-session -t copy

# ---- graphs: colours, the mouse, a resize

# press BUTTON COL ROW in the window "graph", as xterm tells it; button 3: the release
press() { mux send-keys -t graph -H 1b 5b 4d "$(printf %02x $((32 + $1)))" "$(printf %02x $((33 + $2)))" "$(printf %02x $((33 + $3)))"; }
colors() { mux capture-pane -p -e -t graph 2> /dev/null | grep -q "$1"; }

open graph 100x20 "clear; $prep"
until_true shows graph '^\+ +84\.62%'
keys graph g
check "flame graph: boxes" until_true shows graph '^w_cpp'
check "flame graph: 256 colours" colors '48;5;2[0-9][0-9]m'
press 0 2 5
press 3 2 5
check "flame graph: a click selects" until_true shows graph '^84\.62% \[libc'
sleep 0.5 # a click of its own
for _ in 1 2; do
	press 0 2 5
	press 3 2 5
done
check "flame graph: a double click zooms" until_true shows graph '^Flame graph.*, in \[libc'
mux resize-window -t graph -x 40 -y 9
check "flame graph: resized" until_true shows graph '^Enter zoom  u undo  / find  I invert$'
mux resize-window -t graph -x 100 -y 20
check "flame graph: resized again" until_true shows graph '^Enter zoom .*c commands'
keys graph q T
check "time: lanes" until_true shows graph '^all .*█'
press 0 30 2
sleep 0.6
press 3 80 2
check "time: a drag chooses a range" until_true shows graph '^0\.[0-9]* to .*\([1-9][0-9.]* %\)'
keys graph Enter
check "time: rows of the range" until_true shows graph '^Samples: .*\(time slices: '
keys graph u q q
check "u and q go back, and leave a sane terminal" until_true is_sane graph
keys graph "clear; NO_COLOR=1 LC_ALL=C $prep" Enter
until_true shows graph '^\+ +84\.62%'
keys graph g
check "flame graph: brackets without colours" until_true shows graph '^\[w_cpp +\]$'
mux kill-session -t graph

# without --tui: by default, and not where it is turned off
bare=${prep/ --tui/}
keys signals "clear; $bare" Enter
check "a terminal gets the view" until_true shows signals '^Enter menu'
keys signals q
until_true is_sane signals
printf '[tui]\n\treport = no\n' > "$work/config"
for off in "PREP_UI=stdio $bare" "TERM=dumb $bare" "$bare --stdio" "$bare -t," "PERF_CONFIG=$work/config $bare"; do
	keys signals "clear; $off --no-pager; echo after-\$?" Enter
	check "text: ${off%% *} ${off##*data }" until_true shows signals '^after-0'
	check "... and not the view" not shows signals '^Enter menu'
done

# pann likewise, and code that prep opens
code="$BIN/pann --quality=none --symfs $PWD/testdata/symfs -i $PWD/testdata/plain-7.2/perf.data"
rows="$BIN/prep --quality=none --symfs $PWD/testdata/symfs -i $PWD/testdata/plain-7.2/perf.data --no-children"
if $code --stdio 2> /dev/null | grep -q :; then
	for size in 20x5 80x24 200x50; do
		open "c$size" $size "clear; $code"
		check "pann, $size: the hottest instruction" until_true shows "c$size" '^  61\.11 │ +add'
		keys "c$size" Tab
		check "pann, $size: Tab goes to the next" until_true shows "c$size" '^  38\.89 │ +add'
		mux resize-window -t "c$size" -x 60 -y 10
		check "pann, $size: resized to 60x10" until_true shows "c$size" '^Enter follow .*o addresses'
		keys "c$size" q
		check "pann, $size: q leaves a sane terminal" until_true is_sane "c$size"
		mux kill-session -t "c$size"
	done
	keys signals "clear; $rows" Enter
	until_true shows signals '^Overhead'
	keys signals Enter Enter
	check "Enter twice in prep: the code of the row" until_true shows signals '^leaf +/tmp/w/w_simple'
	keys signals Left
	check "Left: the rows again" until_true shows signals '^Overhead'
	keys signals q
	until_true is_sane signals
	printf '[tui]\n\tannotate = no\n' > "$work/config"
	for off in "PREP_UI=stdio $code" "TERM=dumb $code" "$code --stdio" "$code -l" "PERF_CONFIG=$work/config $code" \
		"$code -i - < $PWD/testdata/plain-7.2/perf.data"; do
		keys signals "clear; $off --no-pager; echo after-\$?" Enter
		check "pann, text: ${off%% *} ${off##*data }" until_true shows signals '^after-0'
		check "... and not the view" not shows signals '^Enter follow'
	done
else
	echo "# built without libcapstone: no code was shown"
fi
mux kill-session -t signals

# ---- against perf

# what a command shows after these keys, without the chrome: the scroll bar and the last line
after() { # NAME KEYS COMMAND...
	local name=$1 to_send=$2 last='' now=''
	shift 2
	open "$name" 200x120 "clear; $*"
	# perf first warns of kernels without symbols: any key goes on
	until_true shows "$name" '^Samples: |^Available samples|Press any key' || return
	# shellcheck disable=SC2086
	for k in $to_send; do
		pause 0.3
		keys "$name" "$k"
	done
	# until two screens are the same
	for ((i = 0; i < 50; i++)); do
		pause 0.2
		now=$(screen "$name")
		[ "$now" = "$last" ] && break
		last=$now
	done
	echo "$now" | sed -e '$d' -e 's/[◆▒]$//' -e 's/ *$//' -e '/^$/d' > "$work/$name.txt"
	mux kill-session -t "$name"
}
same_as_perf() { # FILE KEYS OPTIONS...
	local file=$1 to_send=$2
	shift 2
	after perf "$to_send" perf-sid report -i "$file" --symfs "$work/none" "$@"
	after prep "$to_send" "$BIN/prep" --tui --quality=none -i "$file" --symfs "$work/none" "$@"
	# perf leaves a wider gap before the names of a hierarchy
	[[ " $* " != *" --hierarchy "* ]] || sed -i -E 's/(Overhead|%) +/\1 /' "$work/perf.txt" "$work/prep.txt"
	grep -q % "$work/prep.txt" && diff "$work/perf.txt" "$work/prep.txt" > "$work/diff" && return
	sed 's/^/# /' "$work/diff" | head -n 20
	return 1
}
# The same of rows below other titles: prep's says what was filtered.
same_rows() { # FILE KEYS OPTIONS...
	same_as_perf "$@" > /dev/null && return
	sed -i 1,2d "$work/perf.txt" "$work/prep.txt" # heads as well: perf narrows them
	diff "$work/perf.txt" "$work/prep.txt" > "$work/diff" && return
	sed 's/^/# /' "$work/diff" | head -n 20
	return 1
}
# The map window. The menus have it at different places.
same_map() { # FILE KEYS-OF-PERF KEYS-OF-PREP OPTIONS...
	local file=$1 perf=$2 prep=$3
	shift 3
	after perf "$perf" perf-sid report -i "$file" "$@"
	after prep "$prep" "$BIN/prep" --tui --quality=none -i "$file" "$@"
	grep -q ' g main$' "$work/prep.txt" && diff "$work/perf.txt" "$work/prep.txt" > "$work/diff" && return
	sed 's/^/# /' "$work/diff" | head -n 20
	return 1
}
# The same of code. The title is left out: of a function that is named, perf counts only its samples.
same_code() { # FILE KEYS REPORT-OR-ANNOTATE OPTIONS...
	local file=$1 to_send=$2 how=$3 ours=pann
	shift 3
	[ "$how" = annotate ] || ours=prep
	after perf "$to_send" perf-sid "$how" --tui -i "$file" --symfs "$PWD/testdata/symfs" "$@"
	after prep "$to_send" "$BIN/$ours" --tui --quality=none -i "$file" --symfs "$PWD/testdata/symfs" "$@"
	sed -i -e 1d -e 's/ *$//' "$work/perf.txt" "$work/prep.txt"
	grep -q '│.*ret' "$work/prep.txt" && diff "$work/perf.txt" "$work/prep.txt" > "$work/diff" && return
	sed 's/^/# /' "$work/diff" | head -n 20
	return 1
}
"$O/tests/tools/branch_recording" chains > "$work/chains.data"
"$BIN/prep" -b --quality=none -i "$work/chains.data" --keys Enter --screen 60x5 > "$work/chains.txt"
check "branches of samples with call chains: room for a sign" grep -q '^  Overhead' "$work/chains.txt"
if command -v perf-sid > /dev/null && [ "${PERF_VERSION:-$(perf-sid version 2> /dev/null)}" ]; then
	data=$PWD/testdata
	check "perf 7.2: frame pointers, all open" same_as_perf "$data/fp-7.2/perf.data" E
	check "perf 7.2: shares of callers" same_as_perf "$data/fp-7.2/perf.data" E --no-children -g fractal
	check "perf 7.2: DWARF" same_as_perf "$data/dwarf-7.2/perf.data" "" --no-children --symfs "$data/symfs"
	check "perf 7.2: several events" same_as_perf "$data/events-7.2/perf.data" "Enter E"
	check "perf 7.2: groups" same_as_perf "$data/group-7.2/perf.data" "Enter E"
	check "perf 7.2: branches" same_as_perf "$data/branches-6.1/perf.data" "x Enter"
	check "perf 7.2: branches by symbols" same_as_perf "$data/branches-6.1/perf.data" "x Enter" -s symbol_from,symbol_to
	check "perf 7.2: branches, the second event" same_as_perf "$data/branches-6.1/perf.data" "x Enter Tab"
	check "perf 7.2: branches of samples with call chains" same_as_perf "$work/chains.data" "x Enter"
	public=../shared/data/perfdata/quipper__perf.data.branch-4.14
	[ ! -r $public ] || check "perf 7.2: a public recording of branches" same_as_perf $public ""
	check "perf 7.2: a limit" same_as_perf "$data/fp-7.2/perf.data" E --percent-limit 10
	levels="--hierarchy --no-children -s comm,dso,sym -g none"
	# shellcheck disable=SC2086
	check "perf 7.2: the kernel in a hierarchy" same_rows "$data/fp-7.2/perf.data" "k F E" $levels
	# shellcheck disable=SC2086
	check "perf 7.2: symbols in a hierarchy" same_rows "$data/fp-7.2/perf.data" "/ b o x Enter F E" $levels --symfs "$data/symfs"
	check "perf 7.2: L hides branches" same_rows "$data/fp-7.2/perf.data" "L 1 0 Enter E" --no-children -s dso
	check "perf 7.2: L shows all branches" same_rows "$data/fp-7.2/perf.data" "L 0 Enter E" --no-children -s dso --percent-limit 30
	check "perf 7.2: the map window" same_map "$data/fp-7.2/perf.data" "Enter Down Down Down Down Enter" \
		"Enter Down Down Down Down Down Down Down Down Down Enter" --no-children --symfs "$data/symfs"
	check "perf 7.2: a hierarchy" same_as_perf "$data/fp-7.2/perf.data" E --hierarchy --no-children
	if $code --stdio 2> /dev/null | grep -q :; then
		check "perf 7.2: code" same_code "$data/plain-7.2/perf.data" "" annotate
		check "perf 7.2: a function of C++" same_code "$data/fp-7.2/perf.data" "> > >" annotate
		check "perf 7.2: addresses, objdump's text" same_code "$data/plain-7.2/perf.data" o annotate
		check "perf 7.2: all offsets" same_code "$data/plain-7.2/perf.data" "O O" annotate
		check "perf 7.2: numbers of jumps" same_code "$data/plain-7.2/perf.data" J annotate
		check "perf 7.2: addresses of the process" same_code "$data/plain-7.2/perf.data" "o f" annotate
		check "perf 7.2: periods" same_code "$data/plain-7.2/perf.data" t annotate
		check "perf 7.2: numbers of samples" same_code "$data/plain-7.2/perf.data" "t t" annotate
		check "perf 7.2: shares of all samples" same_code "$data/plain-7.2/perf.data" p annotate
		check "perf 7.2: the arrow of a jump forwards" same_code "$data/plain-7.2/perf.data" "H Up Up Up Up Up Up Up Up" annotate
		check "perf 7.2: the arrow of a jump backwards" same_code "$data/plain-7.2/perf.data" "H Down Down" annotate
		check "perf 7.2: no arrow" same_code "$data/plain-7.2/perf.data" "H Down Down j" annotate
		check "perf 7.2: a in the rows" same_code "$data/plain-7.2/perf.data" a report --no-children
		check "perf 7.2: the menu of the rows" same_code "$data/plain-7.2/perf.data" "Enter Enter" report --no-children
	fi
else
	echo "# no perf-sid here: nothing was compared with perf"
fi
done_checking
