#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The table of testdata/record_attrs is complete, and still is what the stock perf 6.1 of this machine
# opens: a few sets are made anew and compared. tests/record/open/t_event_config.c uses the whole
# table.

cd "$(dirname "$0")/../.." || exit 2
dir=testdata/record_attrs
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
bad=0

sed -n 's/^\([^#\t][^\t]*\)\t.*/\1/p' $dir/sets | sort > "$work/sets"
(cd $dir && ls ./*.txt) | sed 's,^\./,,; s,\.txt$,,' | sort > "$work/files"
why=$(comm -3 "$work/sets" "$work/files"
      while IFS=$'\t' read -r name args; do
	case $name in '#'* | '') continue ;; esac
	[ "$(head -n 1 "$dir/$name.txt")" = "args: $args" ] || echo "$name.txt has other arguments"
      done < $dir/sets)
if [ -z "$why" ]; then
	echo "ok 1 - one file for each set, with its arguments"
else
	echo "not ok 1 - sets and files differ"
	printf '%s\n' "$why" | sed 's/^/# /'
	bad=1
fi

text="stock perf opens what the table says"
version=$(perf --version 2> /dev/null)
if [[ $version. != "perf version 6.1."* ]]; then
	echo "ok 2 - $text # SKIP no perf 6.1 here"
elif [ "$(id -u)" != 0 ]; then
	echo "ok 2 - $text # SKIP not root"
elif [ ! -r /sys/kernel/tracing/events/sched/sched_switch/id ]; then
	echo "ok 2 - $text # SKIP tracefs is not mounted"
else
	sets="cpu-clock dwarf system-fp group-read tracepoint delay term-period data"
	# shellcheck disable=SC2086
	$dir/make.sh -o "$work" $sets
	why=
	for name in $sets; do
		# a tracepoint's number is the kernel's
		for d in $dir "$work"; do
			awk '$1 == "type" { t = $2 } t == 2 && $1 == "config" { $2 = "-" } 1' \
				"$d/$name.txt" > "$work/$(basename "$d").cmp"
		done
		diff "$work/record_attrs.cmp" "$work/$(basename "$work").cmp" > "$work/diff" ||
			why+=$(echo "$name:"; cat "$work/diff")
	done
	if [ -z "$why" ]; then
		echo "ok 2 - $text"
	else
		echo "not ok 2 - $text"
		printf '%s\n' "$why" | sed 's/^/# /'
		bad=1
	fi
fi
echo "1..2"
exit $bad
