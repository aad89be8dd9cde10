# SPDX-License-Identifier: MIT
# Shell code for checks in a real terminal emulator, tmux: source it from the top of the tree, with BIN
# set. It makes a folder of work in $work, and skips the check where tmux or ncursesw is missing.
#
#	open NAME 80x24 COMMAND		a shell in a window that runs the command
#	keys NAME Down Enter
#	check "what is right" until_true shows NAME 'regular expression'
#	done_checking			the last line
# shellcheck shell=bash

export LC_ALL=C.UTF-8 # tmux shows the scroll bar
command -v tmux > /dev/null || { echo "1..0 # SKIP no tmux here"; exit 77; }
BIN=$(realpath "$BIN")
"$BIN/prep" --build-options | grep -q 'libncursesw: \[ on' || { echo "1..0 # SKIP built without ncursesw"; exit 77; }
work=$(mktemp -d) || exit 2
export TMUX_TMPDIR=$work
mux() { tmux -L t -f /dev/null "$@"; }
trap 'mux kill-server 2> /dev/null; rm -rf "$work"' EXIT
unset TMUX
mkdir "$work/none"
# the server ends with its last session, and one that ends cannot begin another
mux new-session -d -s first -x 80 -y 24 'sleep 600' || { echo "1..0 # SKIP tmux does not start here"; exit 77; }

. tests/frame/waiting.sh
screen() { mux capture-pane -p -t "$1" 2> /dev/null; }
# Is there a line that matches the regular expression? A test asks hundreds of times: only tmux is started.
shows() { # NAME RE
	local - IFS=$'\n' line
	set -f
	for line in $(exec tmux -L t -f /dev/null capture-pane -p -t "$1" 2> /dev/null); do
		[[ $line =~ $2 ]] && return
	done
	return 1
}
n=0 failed=0
not() { ! "$@"; }
check() { # text command...
	local text=$1
	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $text"
	else
		echo "not ok $n - $text"
		failed=1
	fi
}

# open NAME COLSxROWS COMMAND...: a shell in a window of its own; it tells the status of what it ran
open() {
	local name=$1 size=$2
	shift 2
	mux new-session -d -s "$name" -x "${size%x*}" -y "${size#*x}" -- env -u NO_COLOR -u PERF_CONFIG -u PREP_UI \
		LC_ALL=C.UTF-8 HOME="$work" PS1='<$?> ' HISTFILE= TERM=screen-256color bash --norc --noprofile -i
	until_true shows "$name" '^<0>'
	mux send-keys -t "$name" -l "$*"
	mux send-keys -t "$name" Enter
}
keys() { # NAME KEY...
	local name=$1
	shift
	mux send-keys -t "$name" "$@"
}
is_sane() { [ "$(mux display-message -p -t "$1" '#{cursor_flag}#{alternate_on}')" = 10 ]; }
done_checking() {
	echo "1..$n"
	exit $failed
}
