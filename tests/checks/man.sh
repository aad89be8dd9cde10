#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Man page and option table of each command name the same long options. plat-X.1 is the page of
# `plat X`, plat-as.1 that of `plat --as`, and
# plat-as-X.1 that of `plat --as=X`.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n=0 bad=0

for page in $(man_pages 1); do
	name=$(basename "$page" .1)
	command=${name%%-*} word=${name#"${name%%-*}"}
	word=${word#-}
	case $name in
	plat-as) word=--as=sched-latency ;;
	plat-as-*) word=--as=${name#plat-as-} ;;
	esac
	n=$((n + 1))
	if [ ! -x "$BIN/$command" ]; then
		echo "ok $n - man page of $name # SKIP $command is not built"
		continue
	fi
	"$BIN/$command" ${word:+"$word"} --list-opts > "$work/said" || echo "# --list-opts: status $?"
	tr ' \t,' '\n\n\n' < "$work/said" | sed -n 's/^--\([a-z0-9][a-zA-Z0-9_-]*\).*/\1/p' |
		sort -u > "$work/table"
	# the paragraphs' tags: "\fB\-x\fR, \fB\-\-name\fR=ARG" on the line after .TP or .TQ
	sed -n '/^\.T[PQ]/ { n; s/\\f.//g; s/\\-/-/g; p; }' "$page" |
		grep -o -- '--[a-z0-9][a-zA-Z0-9_-]*' | sed 's/^--//' |
		grep -vx -e help -e list-opts -e version -e build-options | sort -u > "$work/page"
	why=$(comm -23 "$work/table" "$work/page" | sed 's/^/# not in the page: --/'
	      comm -13 "$work/table" "$work/page" | sed 's/^/# not in the table: --/')
	[ -s "$work/table" ] || why+="# --list-opts names no long option"
	if [ -z "$why" ]; then
		echo "ok $n - man page of $name"
	else
		bad=1
		echo "not ok $n - man page of $name"
		echo "$why"
	fi
done
echo "1..$n"
exit $bad
