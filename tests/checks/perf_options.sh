#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares the options of each command with those that perf's -h lists, for each perf installed. An
# option of perf is accepted and takes a value where perf's does, or a row of KNOWN-DIFFERENCES.md
# names it. Operands choose perfs.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"
n=0 bad=0
declare -A faults # of options that were tried already

# perf's options from the text of -h, one a line: short or -, long or -, none|value|may
options_of() { # perf's command
	"$@" -h 2>&1 | awk '
		match($0, /^    (-.|   )(, | )?(--[a-zA-Z0-9-]+)?/) && $1 ~ /^-/ {
			short = $1 ~ /^-[^-]/ ? substr($1, 2, 1) : "-"
			long = match($0, /--[a-zA-Z0-9-]+/) && RSTART < 10 ? \
				substr($0, RSTART + 2, RLENGTH - 2) : "-"
			rest = long != "-" ? substr($0, RSTART + RLENGTH) : substr($0, 7)
			kind = rest ~ /^ </ ? "value" : rest ~ /^\[=/ ? "may" : "none"
			print short, long, kind
		}'
}

# runs a command with one option; sets $said to the first line of its messages
try() { # command option
	local safe=

	[ "$1" != prec ] || safe=--dry-run
	said=$(cd "$work/empty" && "$BIN/$1" $safe "$2" < /dev/null 2>&1 > /dev/null | head -n 1)
}

# sets $fault to what is wrong with an option ("-x" or "--name") of a command; empty: as in perf
find_fault() { # command option kind
	fault=${faults[$*]-?}
	[ "$fault" = "?" ] || return
	fault=
	try "$1" "$2"
	case $said in
	*"is not supported"*) fault="is refused" ;;
	*"unknown option"* | *"unknown switch"* | *"ambiguous option"*) fault="is unknown" ;;
	*"a value is required"*) [ "$3" = value ] || fault="takes a value" ;;
	*)
		# perf lists some options as if their value were required
		if [[ $3 = value && $2 = --* ]]; then
			try "$1" "$2=x"
			[[ $said != *"no value is taken"* ]] || fault="takes no value"
		fi ;;
	esac
	faults[$*]=$fault
}

# the rows of KNOWN-DIFFERENCES.md for a command
rows_of() {
	local letters

	case $1 in
	prep) letters=SFT ;;
	pscript) letters=SF ;;
	pann) letters=SFA ;;
	prec) letters=R ;;
	pevlist) letters=EF ;;
	esac
	grep -E "^\| [$letters][0-9]+ \|" KNOWN-DIFFERENCES.md
}

compare() { # perf perf's-command our-command
	local short long kind why= o

	n=$((n + 1))
	if ! command -v "$1" > /dev/null; then
		echo "ok $n - options of $3 against $1 $2 # SKIP $1 is not installed"
		return
	fi
	options_of "$1" "$2" > "$work/options"
	rows_of "$3" > "$work/rows"
	[ "$(wc -l < "$work/options")" -ge 5 ] || why="# -h of $1 $2 lists no options"$'\n'
	while read -r short long kind; do
		for o in "-$short" "--$long"; do
			[ "$o" != -- ] && [ "$o" != --- ] || continue
			find_fault "$3" "$o" "$kind"
			[ -n "$fault" ] || continue
			grep -qE -e "(^|[^a-z-])$o([^a-z-]|$)" "$work/rows" || why+="# $o $fault"$'\n'
		done
	done < "$work/options"
	if [ -z "$why" ]; then
		echo "ok $n - options of $3 against $1 $2"
	else
		bad=1
		echo "not ok $n - options of $3 against $1 $2"
		printf %s "$why"
	fi
}

[ $# -gt 0 ] || set -- perf-sid perf
for perf in "$@"; do
	compare "$perf" report prep
	compare "$perf" script pscript
	compare "$perf" annotate pann
	compare "$perf" record prec
	compare "$perf" evlist pevlist
done
echo "1..$n"
exit $bad
