#!/bin/bash
# SPDX-License-Identifier: MIT
#
# packaging/prec.service: systemd finds no fault in it, and prec takes its command line.
#
# Environment: BIN (default bin).

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/tell.sh
: "${BIN:=$PWD/bin}"
BIN=$(realpath "$BIN")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
unit=packaging/prec.service

line=$(sed -n 's|^ExecStart=/usr/bin/prec ||p' $unit)
[ -n "$line" ] || why+=" it does not start /usr/bin/prec;"
# shellcheck disable=SC2086
"$BIN/prec" --dry-run $line 2> "$work/err" || why+=" $(cat "$work/err")"
[ ! -s "$work/err" ] || why+=" $(cat "$work/err")"
for word in --switch-output= --switch-max-files --max-cpu MemoryMax= StateDirectory=; do
	grep -q -e "$word" $unit || why+=" nothing is limited by $word;"
done
tell_why "prec takes the command line, which limits disk, CPU and memory"

# the command that keeps older files: the newest 31
before=$(sed -n "s|^ExecStartPre=/bin/sh -c '\\(.*\\)'\$|\\1|p" $unit)
for i in $(seq 10 49); do
	touch -d "2026-01-01 00:00:$i" "$work/perf.data.202601010000$i"
done
touch "$work/perf.data" "$work/perf.data.old"
(cd "$work" && sh -c "$before")
left=$(find "$work" -name 'perf.data.2*' | sort)
[ "$(wc -l <<< "$left")" = 31 ] && [[ $left == *19*49 ]] || why+=" $left;"
[ -e "$work/perf.data" ] && [ -e "$work/perf.data.old" ] || why+=" more is removed;"
tell_why "files of earlier runs are removed but for the newest"

if command -v systemd-analyze > /dev/null; then
	sed "s|/usr/bin/prec|$BIN/prec|" $unit > "$work/prec.service"
	systemd-analyze verify --man=no "$work/prec.service" > "$work/err" 2>&1 ||
		why+=" $(cat "$work/err")"
	grep -F prec.service "$work/err" && why+=" $(cat "$work/err")"
	tell_why "systemd-analyze verify"
else
	n=$((n + 1))
	echo "ok $n - systemd-analyze verify # SKIP no systemd here"
fi
echo "1..$n"
exit $failed
