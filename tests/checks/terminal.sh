#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The commands as a person at a terminal of 80 x 24 sees them: help, misuse, colours, the pager,
# progress on a long input, Ctrl-C. Each command has a shell of its own in a tmux of our own; keys are
# sent, and what stands on the screen is looked at.
#
#	tests/checks/terminal.sh [-k DIR] [COMMAND]...
#
# -k (--keep): the screens are left as DIR/COMMAND-SITUATION.txt, those of colours with their escapes
# (`cat` shows them).
#
# Environment: BIN (default bin).

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
. tests/frame/waiting.sh
run_with_stored_kallsyms "$@"
: "${BIN:=$PWD/bin}"
keep=''
case ${1-} in
-k | --keep)
	[ $# -gt 1 ] || { echo "usage: tests/checks/terminal.sh [-k DIR] [COMMAND]..." >&2; exit 2; }
	mkdir -p "$2" || exit 2
	keep=$(realpath "$2")
	shift 2 ;;
esac
[ $# -gt 0 ] || set -- prec prep pscript pfold pann pevlist
for tool in tmux less; do
	command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool here"; exit 77; }
done

BIN=$(realpath "$BIN")
data=$PWD/testdata
work=$(mktemp -d) || exit 2
# the path of a socket has room for 107 letters
export TMUX_TMPDIR=$work
# tests/checks/tui.sh looks at the interactive view
export PREP_UI=stdio
mux() { tmux -L t -f /dev/null "$@"; }
trap 'touch "$work"/stop.{prec,prep,pscript,pfold,pann,pevlist}; mux kill-server 2> /dev/null; rm -rf "$work"' EXIT
unset TMUX

# A recording that goes on until a file is there: one COMM record of a stream over and over. Those of
# pfold are behind a regular recording, which has to be copied before it can be read.
stream=$data/pipe-7.2/perf.data
comm_at=3280 comm_size=56
head -c $comm_at "$stream" > "$work/begin"
tail -c +$((comm_at + 1)) "$stream" > "$work/end"
head -c $comm_size "$work/end" > "$work/block"
cp "$data/fp-7.2/perf.data" "$work/regular"
for ((i = 0; i < 13; i++)); do
	cat "$work/block" "$work/block" > "$work/twice" && mv "$work/twice" "$work/block"
done
cat > "$work/feed" << 'EOF'
#!/bin/bash
# feed COMMAND: until the file stop.COMMAND is there, but no longer than a minute
cd "${0%/*}" || exit
# without it a shell goes on where its child ended otherwise than by the signal, as cat does when the
# reader of the pipe was the first to go
trap 'exit 130' INT
end=end
if [ "$1" = pfold ]; then
	cat regular
	end=/dev/null
else
	cat begin
fi
for ((i = 0; i < 600; i++)); do
	[ -e "stop.$1" ] && break
	cat block || exit
	sleep 0.1
done
cat $end
EOF
chmod +x "$work/feed"

# The shell's prompt tells how the last command ended.
new_terminal() { # command
	mkdir "$work/$1" && ln -s "$data" "$work/$1/testdata"
	mux new-session -d -s "$1" -x 80 -y 24 -- env -u PAGER -u PERF_PAGER -u LESS -u NO_COLOR \
		-u PERF_CONFIG -u DEBUGINFOD_URLS PATH="$work:$BIN:$PATH" HOME="$work/$1" INPUTRC=/dev/null \
		HISTFILE= PS1='[$?] \$ ' TERM=screen-256color \
		bash --norc --noprofile -i
}

# what stands on the screen of $cmd, with options of capture-pane; in $text, without its last empty lines
screen() { mux capture-pane -p -t "$cmd" "$@"; }
look() { text=$(exec tmux -L t -f /dev/null capture-pane -p -t "$cmd" "$@"); }
key() { mux send-keys -t "$cmd" "$@"; }
# Is there a line that matches? These are asked hundreds of times: they start nothing but tmux.
shows() { # RE
	local - IFS=$'\n' line text
	set -f
	look -J
	for line in $text; do
		[[ $line =~ $1 ]] && return
	done
	return 1
}
last_line_is() { # RE
	local text
	look
	[[ ${text##*$'\n'} =~ $1 ]]
}
is_prompt() { last_line_is '^\[[0-9]+\] [#$]$'; }
is_clear() {
	local text
	look
	[[ $text =~ ^\[[0-9]+\]\ [#$]$ ]]
}

# types a command into a cleared terminal
start() {
	# whatever hangs is one failure, not one of everything behind it
	until_true is_prompt || key C-c
	until_true is_prompt && key C-l && until_true is_clear || return
	mux clear-history -t "$cmd"
	key -l -- "$1"
	until_true shows_text "$1" && key Enter
}
shows_text() {
	local text
	look -J
	[[ $text == *"$1"* ]]
}
# ... and waits until it has ended: its status is in $status
run() { start "$1" && ended; }
ended() {
	local text
	until_true is_prompt || return
	look
	status=${text##*$'\n'}
	status=${status%%]*} status=${status#[}
}

situation() { # name: what the checks that follow are called and what -k keeps them as
	now=$1
}
save() { # options of capture-pane
	[ -z "$keep" ] || screen -S - "$@" | sed -e 's/ *$//' -e ':a' -e '/^\n*$/{$d;N;ba' -e '}' > "$keep/$cmd-$now.txt"
}
check() { # text command...
	local text=$1
	shift
	if "$@"; then
		echo "ok - $cmd, $now: $text"
	else
		echo "not ok - $cmd, $now: $text"
		screen | sed -n '/[^ ]/s/^/# | /p'
	fi
}
not() { ! "$@"; }
has_status() { # wanted...
	local s
	for s in "$@"; do [ "$status" = "$s" ] && return; done
	return 1
}
no_line_wraps() { [ "$(screen | wc -l)" -eq "$(screen -J | wc -l)" ]; }
has_colour() { screen -e -S - | grep -qE $'\033\\[[0-9;]*3[1-7]m'; }
percent_in() { # colour pattern: a percentage so coloured
	screen -e -S - | grep -qE $'\033\\['"$1"'m *'"$2"
}
cursor_is_shown() { [ "$(mux display-message -p -t "$cmd" '#{cursor_flag}')" = 1 ]; }
at_pager() { last_line_is '^:$'; }
no_mishap() { ! shows '[Bb]roken pipe|[Ss]egmentation|[Aa]bort|cannot write|core dumped'; }

check_help() {
	situation help
	start "$cmd -h"
	until_true eval 'at_pager || is_prompt'
	check "the usage first" shows "^ Usage: $cmd"
	check "lines are broken between words" no_line_wraps
	save
	if at_pager; then
		key Space
		until_true eval '! shows "^ Usage:"'
		key q
	fi
	ended
	check "ends well" has_status 0
}

check_misuse() { # misspelt option, nearest one
	situation misuse
	run "$cmd $1"
	save
	check "the nearest option is named" shows "unknown option.*: did you mean $2\?"
	check "status 129" has_status 129
	check "so is the way to the list" shows "\`$cmd -h' lists the options"
	situation no-file
	if [ "$cmd" = prec ]; then
		run 'prec -o - true'
		save
		check "no recording on a terminal" shows '^prec: .*terminal'
		check "status 255" has_status 255
		return
	fi
	run "cd; $cmd"
	save
	check "says which file it looked for" shows "^$cmd: perf.data: cannot open: No such file"
	check "status 1" has_status 1
	situation terminal-as-input
	run "$cmd -i -"
	save
	check "is refused" shows "^$cmd: -: standard input is a terminal"
	check "status 1" has_status 1
	situation no-recording
	run "$cmd -i $work/feed"
	save
	check "is told" shows "^$cmd: .*(not a perf.data file|neither a perf.data nor)"
	check "status 1" has_status 1
}

check_no_colours() { # arguments
	situation plain
	run "PAGER=cat $cmd $1"
	save -e
	check "prints no colours" not has_colour
	check "ends well" has_status 0
}

check_colours() { # arguments
	situation colours
	run "PAGER=cat $cmd $1"
	save -e
	check "red from 5 %" percent_in 31 '[1-9][0-9]\.[0-9][0-9]'
	[ "$cmd" != prep ] || check "green from 0.5 %" percent_in 32 '[0-4]\.[0-9][0-9]%'
	[ "$cmd" != prep ] || check "no colour below" not percent_in '3[1-7]' '0\.[0-4][0-9]%'
	[ "$cmd" != pann ] || check "addresses are magenta" percent_in 35 ' *[0-9a-f]+:'
	situation no-colour
	run "NO_COLOR=1 PAGER=cat $cmd $1"
	save -e
	check "NO_COLOR is honoured" not has_colour
	run "TERM=dumb PAGER=cat $cmd $1"
	check "a dumb terminal has none" not has_colour
	run "PAGER=cat $cmd $1 | cat"
	check "a pipe has none" not has_colour
}

check_pager() { # arguments that make more than a screen of text
	situation paging
	start "$cmd $1"
	check "more than a screen goes into less" until_true at_pager
	save
	at_pager && key q
	ended
	check "left half way, it ends quietly" no_mishap
	check "status 0, or that of a closed pipe" has_status 0 141
	situation no-pager
	run "PAGER=cat $cmd $1"
	check "PAGER=cat: none" has_status 0
	run "$cmd --no-pager $1"
	check "--no-pager: none" has_status 0
	run "TERM=dumb $cmd $1"
	check "nor on a dumb terminal" has_status 0
	situation closed-pipe
	run "$cmd $1 | head -n 1"
	check "ends quietly" no_mishap
}

# the rows from the verdict to the prompt
verdict_rows() { screen "$@" | sed -n '/: quality: /,$p' | grep -cvE '^(\[[0-9]+\] [#$].*)?$'; }
verdict_fits() {
	local rows
	rows=$(verdict_rows)
	[ "$rows" -ge 1 ] && [ "$rows" -le 5 ] && [ "$rows" -eq "$(verdict_rows -J)" ]
}
check_verdict() { # arguments of a recording that makes more than a screen of text, "well" if all is
	situation verdict
	start "$cmd $1"
	until_true at_pager
	check "none in the pager" not shows "$cmd: quality: "
	at_pager && key q
	ended
	save
	check "behind the pager, also if that is left early" shows "^$cmd: quality: [0-9]+ samples, "
	check "in 5 rows at most, none wrapped" verdict_fits
	situation verdict-without-pager
	run "PAGER=cat $cmd $1"
	save
	check "it is the last text" verdict_fits
	run "$cmd --quality=none $1 > /dev/null"
	check "--quality=none: none" not shows "$cmd: quality: "
	run "$cmd $1 2>&1 > /dev/null | cat"
	if [ "${2-}" = well ]; then
		check "none into a pipe, as all is well" not shows "$cmd: quality: "
	else
		check "into a pipe one line" eval '[ "$(screen -J | grep -c "^$cmd: quality: ")" = 1 ]'
	fi
}

check_progress() {
	situation progress
	rm -f "$work/stop.$cmd"
	start "feed $cmd | $cmd -i - > /dev/null"
	check "a line says how far it is" until_true shows "^$cmd: [0-9]+ MB, [0-9]+ MB/s"
	save
	# the line goes with the window
	mux resize-window -t "$cmd" -x 22 -y 24
	sleep 0.6
	touch "$work/stop.$cmd"
	check "it ends with its input, and the prompt has a line of its own" ended
	mux resize-window -t "$cmd" -x 80 -y 24
	check "the line is gone at the end" not shows "MB/s"
	situation progress-end
	save
	situation interrupted
	rm -f "$work/stop.$cmd"
	start "feed $cmd | $cmd -i - > /dev/null"
	until_true shows "^$cmd: [0-9]+ MB"
	key C-c
	check "ends at once" ended
	save
	check "status 130" has_status 130
	check "nothing is left of the line" not shows "MB"
	check "the cursor is there" cursor_is_shown
	key -l -- 'typed'
	check "what is typed is seen" until_true shows '[#$] typed'
	key C-u
}

# standard error is a file: no line of progress in it
check_no_progress() {
	situation no-terminal
	"$work/feed" quiet | timeout 60 "$BIN/$cmd" --quality=none -i - > /dev/null 2> "$work/err" &
	sleep 3
	touch "$work/stop.quiet"
	wait $!
	check "says nothing" not grep -q . "$work/err"
}

check_recording() {
	situation recording
	run 'prec -e cpu-clock:u -o f awk "BEGIN { while (i < 500000) i++ }"'
	if shows 'cannot|not permitted|denied' && ! has_status 0; then
		echo "ok - prec, recording # SKIP nothing can be recorded here"
		return
	fi
	save
	check "says what it wrote" shows '^\[ perf record: Captured and wrote .* f '
	check "and how to see it" shows '^prec: none lost; to see the recording: prep -i f'
	check "ends well" has_status 0
	situation interrupted
	start "prec -e cpu-clock:u -o f sh -c 'echo begun; exec sleep 60'"
	until_true shows '^begun'
	key C-c
	ended
	save
	check "the recording is finished" shows '^(\^C)?\[ perf record: Captured and wrote .* f '
	check "status 130" has_status 130
	situation no-program
	run 'prec -e cpu-clock:u -o f nosuchprogram'
	save
	check "is told" shows "'nosuchprogram' workload: No such file"
	check "status 255" has_status 255
}

check_command() {
	local cmd=$1 now='' status='' symbols="--quality=none --symfs testdata/symfs"
	new_terminal "$cmd" || { echo "not ok - $cmd: no terminal"; return; }
	run 'set -o pipefail; cd'
	check_help
	case $cmd in
	prec)
		check_misuse '--call-grph fp true' --call-graph
		check_no_colours '--list-events cpu'
		check_recording ;;
	prep)
		check_no_progress
		check_misuse --percent-limt=1 --percent-limit
		check_colours "$symbols -i testdata/events-7.2/perf.data"
		check_pager "-D -i testdata/lost-6.1/perf.data"
		check_verdict "-i testdata/fp-7.2/perf.data"
		check_progress ;;
	pscript)
		check_misuse --fieds=ip --fields
		check_no_colours "-i testdata/fp-7.2/perf.data"
		check_pager "-D -i testdata/lost-6.1/perf.data"
		check_progress ;;
	pfold)
		check_misuse --wieght=samples --weight
		check_no_colours "$symbols -i testdata/fp-7.2/perf.data"
		mux resize-window -t pfold -x 80 -y 8 # stacks are few
		check_pager "--root=tid --quality=none -i testdata/rename-7.2/perf.data"
		check_verdict "--root=tid -i testdata/rename-7.2/perf.data"
		mux resize-window -t pfold -x 80 -y 24
		check_progress ;;
	pann)
		if "$BIN/pann" -i "$data/inline-7.2/perf.data" 2>&1 | grep -q 'no disassembler'; then
			echo "ok - pann # SKIP this build has no disassembler"
			return
		fi
		check_misuse --max-symbl=1 --max-symbols
		check_colours "$symbols -i testdata/inline-7.2/perf.data"
		check_pager "$symbols -i testdata/inline-7.2/perf.data"
		check_verdict "--symfs testdata/symfs -i testdata/inline-7.2/perf.data" well
		check_progress ;;
	pevlist)
		check_misuse --verbsoe --verbose
		check_no_colours "-v -i testdata/events-7.2/perf.data"
		check_progress ;;
	esac
}

# the server is there before several ask for it at once
mux new-session -d -s first -x 80 -y 24 'sleep 600' || { echo "1..0 # SKIP tmux does not start here"; exit 77; }
mux set-option -g default-terminal screen-256color
for c in "$@"; do
	if [ ! -x "$BIN/$c" ]; then
		echo "ok - $c # SKIP it is not built" > "$work/said.$c"
		continue
	fi
	check_command "$c" > "$work/said.$c" 2>&1 &
done
wait
for c in "$@"; do cat "$work/said.$c"; done |
	awk '/^(not )?ok - / { sub(/ok -/, "ok " ++n " -"); bad += /^not/ } { print } END { print "1.." n; exit bad > 0 }'
