#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does a recorder forget programs that do not run any more? N programs run, one after the other and
# once each, every one a file of its own; beside them runs
#
#	prec -a -F 997 --call-graph unwind
#
# Prints its anonymous memory after an eighth of them, a quarter, a half, and all.
#
#	bench/new_programs.sh [N [OPTIONS...]]	default 20000; BIN=bin, TOOLS=build/gcc/bench
#
# OPTIONS are of prec, by default -N. Status 1 when memory at the end is more than a tenth and 4 MB
# above that after a quarter: of each file the build-id table needs a hundred bytes, and other
# programs of the machine come and go.

set -u
: "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
nr=${1:-20000}
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || set -- -N
folder=$(mktemp -d /tmp/new_programs.XXXXXX)
prec=
clean_up() {
	[ -z "$prec" ] || kill "$prec" 2> /dev/null
	rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
"$BIN/prec" -a -F 997 -e cpu-clock --call-graph unwind "$@" -o "$folder/new.data" 2> "$folder/err" &
prec=$!
sleep 2
begun=0 quarter=0
for share in 8 4 2 1; do
	n=$((nr / share))
	"$TOOLS/run_programs" "$folder" "$begun" $((n - begun)) || exit 2
	begun=$n
	sleep 1
	anon=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$prec/status")
	[ "$share" != 4 ] || quarter=$anon
	echo "$n programs: $anon kB anonymous, $(find "/proc/$prec/fd" -mindepth 1 | wc -l) descriptors"
done
cpu=$(awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / hz }' "/proc/$prec/stat")
kill -INT "$prec" && wait "$prec"
prec=
echo "# $cpu s of CPU"
sed 's/^/# /' "$folder/err" | tail -n 3
[ "$anon" -le $((quarter * 11 / 10 + 4096)) ] || exit 1
