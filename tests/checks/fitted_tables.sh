#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prep's tables fit the terminal: on a pty of 80 columns no line is wider, the first 24 lines have rows
# of the table, and --full-names prints what goes into a file. So do pann's code and pevlist's lines. The recordings are those of testdata and
# one whose names have 3,000 characters (tests/tools/hostile_recording).
#
# Environment: BIN (default bin), O (default build/gcc).

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/tell.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
BIN=$(realpath "$BIN")
data=$PWD/testdata
maker=$PWD/$O/tests/tools/hostile_recording
[ -x "$maker" ] && [ -x "$BIN/prep" ] || { echo "1..0 # SKIP no $maker or $BIN/prep"; exit 77; }
command -v script > /dev/null || { echo "1..0 # SKIP no script(1)"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir home && export HOME=$work/home
# text also where standard output is a terminal
export PREP_UI=stdio
export TERM=xterm LC_ALL=C.UTF-8 NO_COLOR=1
unset PERF_PAGER DEBUGINFOD_URLS COLUMNS
"$maker" . || exit 2

# on_terminal COLUMNS ARGUMENT...: what prep writes to a terminal, into the file `out`
on_terminal() {
	local columns=$1

	shift
	show $columns prep --quality=none "$@"
}

show() { # COLUMNS COMMAND ARGUMENT...
	local columns=$1 command=$2

	shift 2
	printf -v line '%q ' "$BIN/$command" --no-pager "$@"
	printf '#!/bin/bash\nstty cols %s rows 24\n%s\n' "$columns" "$line" > run
	timeout 60 script -qec 'bash ./run' /dev/null < /dev/null | sed 's/\r*$//' > out
}

too_wide() { # COLUMNS
	local widest

	widest=$(wc -L < out)
	[ "$widest" -lt "$1" ] || echo "a line has $widest columns"
	[ -s out ] || echo "nothing was printed"
}

has_rows() {
	head -n 23 out | grep -qE '^ +[0-9]+\.[0-9]+%' || echo "the first screen has no rows"
}

hostile=(-i perf.data --symfs symfs --kallsyms symfs/kallsyms)
for options in '' '--no-children -g none' '-g caller' '-g flat' '-H -s comm,dso,sym' \
	'-s comm,dso,sym,srcline,cgroup -F overhead,sample,comm,dso,sym,srcline' '--header -I' '-n' \
	'-s symoff,dso' '-s pid,sym'; do
	read -ra words <<< "$options"
	for columns in 80 200; do
		# figures that leave no room for names
		case $columns$options in 80*srcline* | 80-n) continue ;; esac
		on_terminal $columns "${hostile[@]}" "${words[@]}"
		tell "$(too_wide $columns)" "names of 3,000 characters, $columns columns: prep $options"
	done
done
on_terminal 80 "${hostile[@]}" --no-children -s pid,comm,dso,sym
tell "$(grep -q 'Shared Object ' out || grep '^#.*Overhead' out)" "a column's title is not cut"
on_terminal 80 --diff perf.data perf.data --symfs symfs --kallsyms symfs/kallsyms -s comm,dso,sym
sed -i '/^#/d' out
tell "$(too_wide 110)" "names of 3,000 characters: rows of prep --diff"
on_terminal 80 --diff "$data/fp-7.2/perf.data" "$data/fp-6.1/perf.data" --symfs "$data/symfs"
tell "$(too_wide 80; has_rows)" "fp-7.2, 80 columns: prep --diff"
# the dots below the titles are as long as the columns
tell "$(sed -n 's/^# \.\..* \(\.*\)$/\1/p' out | grep -q '^\.\{28\}' || grep '^# ' out)" \
	"... names have 28 columns"
tell "$(grep -q '^# Intervals: ' out && ! grep -q '95% interval' out && grep -q Noise out || grep '^#' out)" \
	"... noise is marked, the intervals are left out"
on_terminal 80 --diff "$data/fp-7.2/perf.data" "$data/fp-6.1/perf.data" --symfs "$data/symfs" --interval
tell "$(too_wide 80; grep -q '95% interval' out || grep '^#' out)" "... --interval keeps them"
on_terminal 120 --diff "$data/fp-7.2/perf.data" "$data/fp-6.1/perf.data" --symfs "$data/symfs"
tell "$(too_wide 120; grep -q '95% interval' out || grep '^#' out)" "... 120 columns have room for them"
for recording in fp-7.2 dwarf-7.2 inline-7.2 jit-7.2 tp-7.2 group-7.2 events-7.2; do
	for options in '' '--no-children' '-H -s comm,dso,sym'; do
		read -ra words <<< "$options"
		on_terminal 80 -i "$data/$recording/perf.data" --symfs "$data/symfs" "${words[@]}"
		tell "$(too_wide 80; has_rows)" "$recording, 80 columns: prep $options"
	done
	on_terminal 80 -i "$data/$recording/perf.data" --symfs "$data/symfs" --full-names
	"$BIN/prep" --quality=none -i "$data/$recording/perf.data" --symfs "$data/symfs" > file
	tell "$(diff file out | head -n 5)" "$recording: --full-names is what a file has"
done
on_terminal 80 "${hostile[@]}" -w 10,20,3000
tell "$([ "$(wc -L < out)" -gt 1000 ] || echo "-w does not keep names whole")" "-w keeps its widths"
for columns in 80 200; do
	for options in -v '-v --trace-fields' -F ''; do
		read -ra words <<< "$options"
		for recording in ./perf.data "$data"/{group,tp}-7.2/perf.data; do
			show $columns pevlist "${words[@]}" -i "$recording"
			tell "$(too_wide $columns)" "${recording#"$data/"}, $columns columns: pevlist $options"
			tr -d ' \n' < out > words_of_screen
			"$BIN/pevlist" "${words[@]}" -i "$recording" | tr -d ' \n' > words_of_file
			[ "$recording" = ./perf.data ] ||
				tell "$(cmp words_of_screen words_of_file)" "... and nothing is left out"
		done
	done
	for options in '' -l '--inline -l -P --asm-raw' --stdio2 '--stdio-color always -l'; do
		read -ra words <<< "$options"
		for recording in fp inline; do
			show $columns pann --quality=none -i "$data/$recording-7.2/perf.data" --symfs \
				"$data/symfs" "${words[@]}"
			expand out | sed 's/\x1b\[[0-9;]*m//g' > plain && mv plain out
			tell "$(too_wide $columns)" "$recording-7.2, $columns columns: pann $options"
		done
	done
done
# names lose their template arguments before their middle
show 60 pann --quality=none -i "$data/fp-7.2/perf.data" --symfs "$data/symfs"
sed -i 's/\x1b\[[0-9;]*m//g' out
tell "$(grep -q '^[^<]* <[^<>]*<…>[^<>]*>$' out || grep '<' out)" "pann leaves template arguments out first"
show 80 pann --quality=none -i "$data/inline-7.2/perf.data" --symfs "$data/symfs" --inline --full-names
"$BIN/pann" --quality=none -i "$data/inline-7.2/perf.data" --symfs "$data/symfs" --inline > file
tell "$(diff file out | head -n 5)" "pann --full-names is what a file has"
echo "1..$n"
exit $failed
