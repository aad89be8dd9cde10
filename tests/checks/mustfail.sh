#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every must-fail file ends pscript with one line that names the file, the offset and what was wrong,
# with a status from 1 to 127, within 1 s and 64 MB. BIN is the folder of the commands.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${SAN:=}"
if [ ! -x "$BIN/pscript" ]; then
	echo "no $BIN/pscript"
	exit 77
fi
# sanitizers cost time and address space of their own
seconds=1 data_kb=65536
[ -n "$SAN" ] && seconds=10 data_kb=unlimited
err=$(mktemp) || exit 2
trap 'rm -f "$err"' EXIT
n=0 bad=0
while IFS=$'\t' read -r name off says what; do
	case $name in '#'* | '') continue ;; esac
	n=$((n + 1)) why=
	file=testdata/$name
	# what a process may write to (heap, private maps, stacks): -v would count mapped libraries
	(ulimit -d "$data_kb"; exec timeout "$seconds" "$BIN/pscript" -i "$file") > /dev/null 2> "$err" < /dev/null
	rc=$?
	last=$(tail -n 1 "$err")
	[ $rc -ge 1 ] && [ $rc -ne 124 ] && [ $rc -le 127 ] || why+=" status $rc;"
	case $last in "pscript: $file: "*) ;; *) why+=" does not name the file;" ;; esac
	case $last in *"$says"*) ;; *) why+=" does not say \"$says\";" ;; esac
	# 0x0 is how 0 is written in the table
	case $last in
	*"(offset $off)" | *"(offset ${off#0x})") ;;
	*) why+=" does not name offset $off;" ;;
	esac
	[ "$(grep -vc '^pscript: warning: ' "$err")" -eq 1 ] || why+=" more than one line of error;"
	if [ -z "$why" ]; then
		echo "ok $n - $name: $what"
	else
		bad=1
		echo "not ok $n - $name: $what"
		echo "#$why"
		sed 's/^/# /' "$err" | head -n 5
	fi
done < testdata/bad-files.tsv
echo "1..$n"
exit $bad
