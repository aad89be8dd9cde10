#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Names never drive a terminal. tests/tools/hostile_recording makes a recording each of whose strings
# holds control characters, C1, changes of the direction of writing, bytes that are no UTF-8, line
# ends, and 3,000 characters. Every command prints it on a terminal (a pty of script(1)), and into a
# pipe with --escape: none of these bytes may come out, and no name may begin a line. Into a pipe
# without --escape the bytes stay as they are.
#
# Environment: BIN (default bin), O (default build/gcc).

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/tell.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
BIN=$(realpath "$BIN")
data=$PWD/testdata
maker=$PWD/$O/tests/tools/hostile_recording
for p in "$maker" "$BIN/prep"; do
	[ -x "$p" ] || { echo "1..0 # SKIP no $p"; exit 77; }
done
command -v script > /dev/null || { echo "1..0 # SKIP no script(1)"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir home && export HOME=$work/home
# text also where standard output is a terminal
export PREP_UI=stdio
export PAGER=cat TERM=xterm LC_ALL=C.UTF-8
unset PERF_PAGER DEBUGINFOD_URLS COLUMNS
"$maker" . || exit 2
hostile=$'a\e[31mX\e]0;T\a\nNEWLINE\tb\r\xc2\x9b\xe2\x80\xae\xff\x9b'

# faults_of FILE: its lines that would do something to a terminal.
faults_of() {
	local controls='[\x00-\x08\x0b-\x1f\x7f]' c1='\xc2[\x80-\x9f]'
	local bidi='\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c'

	# the terminal itself puts a CR before each LF; the colours of shares are ours
	sed -E 's/\r+$//; s/\x1b\[3[1245]m( *[0-9.]+%? *)\x1b\[m/\1/g' "$1" | LC_ALL=C grep -aP "$controls|$c1|$bidi|^(NEWLINE|RETURN)"
	iconv -f UTF-8 -t UTF-8 "$1" > /dev/null 2>&1 || echo "$1 is no UTF-8"
	[ -s "$1" ] || echo "nothing was printed"
}

# on_terminal FILE COMMAND ARGUMENT...: what the command writes to a terminal of 80 columns.
on_terminal() {
	local to=$1

	shift
	printf -v line '%q ' "$@"
	printf '#!/bin/bash\nstty cols 80 rows 24\n%s\n' "$line" > run
	timeout 60 script -qec 'bash ./run' /dev/null > "$to" < /dev/null
}

files=(--symfs symfs --kallsyms symfs/kallsyms)
commands=(
	'prep' 'prep -g none --header -I' 'prep --no-children -s comm,dso,sym,srcline,cgroup,cpu'
	'prep -g caller -G' 'prep -g folded' 'prep -g flat' 'prep -H -s comm,dso,sym' 'prep -t ,'
	'prep -w 10,20,30' 'prep --full-names' 'prep --names=short' 'prep -v -s symoff,dso,pid,tgid'
	'prep -s trace' 'prep -D' 'prep --stats' 'prep --tasks' 'prep --mmaps' 'prep -T' 'prep --why object'
	'prep --diff perf.data perf.data' 'prep --quality=json' 'prep -S nothing -c no'
	'pscript' 'pscript -F +cgroup,+symoff,+dsoff' 'pscript --header -I -D' 'pscript --quality=text'
	'pscript --show-mmap-events --show-task-events --show-bpf-events --show-cgroup-events'
	'pscript --show-kernel-path -F comm,ip,sym,dso,srcline' 'pscript -F +srccode' 'pscript --inline --header' 'pscript --format=perf-6.1'
	'pfold' 'pfold --names=full --root=tid' 'pfold --diff perf.data perf.data' 'pfold --kernel --jit'
	'pann --stdio-color=never' 'pann --stdio2' 'pann --names=short --stdio-color=never' 'pscript --names=short' 'pann -l -P --stdio-color=never' 'pann --asm-raw --stdio-color=never' 'pann --keys=' 'pann --keys=m' 'pann --keys=s' 'prep --keys=a' 'prep --keys=Enter' 'pevlist' 'pevlist -v' 'pevlist -F' 'pevlist -g'
	'pevlist --trace-fields'
	'plat leak --alloc * --free * --ptr ip' 'plat -g -e * --by comm,hex(ip)' 'plat -g -b * -e * --key cpu --by comm --longest 20 --hist'
)
for c in "${commands[@]}"; do
	read -ra words <<< "$c"
	all=("$BIN/${words[0]}" "${words[@]:1}")
	[ "${words[0]}" = pevlist ] || all+=("${files[@]}")
	case $c in *--diff*) ;; *) all+=(-i perf.data) ;; esac
	on_terminal out "${all[@]}" --no-pager
	tell "$(faults_of out)" "$c on a terminal"
	"${all[@]}" --escape > out 2>&1 < /dev/null
	tell "$(faults_of out)" "$c --escape into a pipe"
done

# in a terminal whose character set is not UTF-8, bytes above 0x7f are escaped as well
LC_ALL=C on_terminal out "$BIN/prep" "${files[@]}" --no-pager
tell "$(LC_ALL=C grep -aP '[\x80-\xff]' out)" "prep on a terminal that shows no UTF-8"

# our own colours are colours
for c in 'prep' "prep --diff $data/plain-7.2/perf.data" 'pann' 'pann -l -P'; do
	read -ra words <<< "$c"
	input=("$data/fp-7.2/perf.data")
	[[ $c == *diff* ]] || input=(-i "${input[@]}")
	on_terminal out "$BIN/${words[0]}" "${words[@]:1}" --no-pager --symfs "$data/symfs" \
		"${input[@]}"
	tell "$(grep -F '\x1b' out)" "${c%% /*} on a terminal: colours"
done

# messages, of prec too
cp perf.data "$hostile"
touch "bad$hostile"
for c in prep pscript pfold pann pevlist; do
	on_terminal out "$BIN/$c" --no-pager -i "none$hostile"
	tell "$(faults_of out)" "$c of a missing file"
	on_terminal out "$BIN/$c" --no-pager -i "bad$hostile"
	tell "$(faults_of out)" "$c of a damaged file"
	on_terminal out "$BIN/$c" --no-pager -i "$hostile"
	tell "$(faults_of out)" "$c of a file with a hostile name"
	on_terminal out "$BIN/$c" "--no$hostile"
	tell "$(faults_of out)" "$c with an unknown option"
	on_terminal out "$BIN/$c" -i perf.data "$hostile" "$hostile"
	tell "$(faults_of out)" "$c with other arguments"
done
on_terminal out "$BIN/prec" -e "$hostile" true
tell "$(faults_of out)" "prec of an unknown event"
on_terminal out "$BIN/prec" -o /dev/null "./$hostile-program"
tell "$(faults_of out)" "prec of a missing program"
on_terminal out "$BIN/prec" -o "none/$hostile" true
tell "$(faults_of out)" "prec into a missing folder"
on_terminal out "$BIN/prec" -o "out$hostile" true
tell "$(faults_of out)" "prec into a file with a hostile name"
on_terminal out "$BIN/prec" -G "$hostile" -e cpu-clock -a true
tell "$(faults_of out)" "prec of a missing cgroup"

# perf's bytes into a pipe, and the same for a harmless recording with and without --escape
"$BIN/pscript" "${files[@]}" 2> /dev/null | LC_ALL=C grep -qaF $'symbol A\e[31mRED'
tell "$([ $? -eq 0 ] || echo 'names are changed')" "the bytes of names stay in a pipe"

# tmux does what reaches it: after each command it shows nothing of the names, and what less shows
if command -v tmux > /dev/null && command -v less > /dev/null; then
	export TMUX_TMPDIR=$work
	printf 'set -g history-limit 30000\nset -g remain-on-exit on\n' > tmux.conf
	tmux -L t -f tmux.conf new-session -d -s s -x 80 -y 24 'sleep 60'
	# screen_faults: what is wrong on the screen and above it
	screen_faults() {
		local title
		title=$(tmux -L t display -p -t s '#{pane_title}')
		[ "$title" != TITLE ] || echo "the title is $title"
		tmux -L t capture-pane -pJe -S - -t s > out
		LC_ALL=C grep -aP '\x1b\[[0-9;]*31[0-9;]*m[^\x1b]*RED' out
		sed 's/\x1b\[[0-9;]*m//g' out > plain
		faults_of plain
	}
	for c in "${commands[@]}"; do
		read -ra words <<< "$c"
		all=("$BIN/${words[0]}" "${words[@]:1}")
		[ "${words[0]}" = pevlist ] || all+=("${files[@]}")
		case $c in *--diff*) ;; *) all+=(-i perf.data) ;; esac
		printf -v line '%q ' "${all[@]}" --no-pager
		tmux -L t clear-history -t s
		tmux -L t respawn-pane -k -t s "$line; tmux wait-for -S done; sleep 60"
		timeout 30 tmux -L t wait-for done || echo "# it does not end: $c"
		tell "$(screen_faults)" "$c in tmux"
	done
	tmux -L t respawn-pane -k -t s "env -u PAGER TERM=screen-256color \
		$BIN/prep ${files[*]} -i perf.data -s comm,dso,sym -g none"
	for ((i = 0; i < 100; i++)); do
		tmux -L t capture-pane -p -t s 2> /dev/null | grep -q '14.29%' && break
		sleep 0.1
	done
	tell "$(screen_faults)" "prep in less: the screen"

	# the view of a terminal: each screen that keys open
	tmux -L t respawn-pane -k -t s "env -u PREP_UI TERM=screen-256color $BIN/prep ${files[*]} \
		-i perf.data -s comm,dso,sym,srcline,cgroup; sleep 60"
	shows() { # TEXT: waits until the screen has it
		for ((i = 0; i < 100; i++)); do
			tmux -L t capture-pane -p -t s 2> /dev/null | grep -qF -- "$1" && return
			sleep 0.1
		done
		echo "$1 does not appear"
		tmux -L t capture-pane -p -t s
	}
	tell "$(shows 'Available samples'; screen_faults)" "the view in tmux: events"
	# KEY:TEXT of the screen that it opens
	for key in Enter:Children E:'-   57' End:Children m:'What to do' q:Children i:'Header of' \
		PageDown:'Header of' q:Children Q:'How far' q:Children Home:Children b:'Callers and' \
		q:Children t:Children u:Children d:Children u:Children V:Children H h:Keys q H:Children / \
		N E W Enter:'symbols with' C-f S Enter:found L:percent Escape Tab:Children E o:Sort Escape g \
		Enter End q:Children T:Time q:Children; do
		tmux -L t send-keys -t s "${key%%:*}"
		why=
		[[ $key != *:* ]] || why=$(shows "${key#*:}")
		tell "$why$(screen_faults)" "the view in tmux: key ${key%%:*}"
	done
	tmux -L t kill-server
fi
echo "1..$n"
exit $failed
