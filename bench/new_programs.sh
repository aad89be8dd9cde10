#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does a recorder forget programs that do not run any more? Records N programs, which run one after
# the other and once each, every one a file of its own:
#
#	prec -F 2000 --call-graph unwind -- ...
#
# Prints its anonymous memory after an eighth of them, a quarter, a half, and all.
#
#	bench/new_programs.sh [N [OPTIONS...]]	default 20000; BIN=bin, TOOLS=build/gcc/bench
#
# OPTIONS are of prec, by default -N. Status 1 when memory at the end is more than 150 bytes a
# program and 2 MB above that after a quarter: of each file the build-id table needs a hundred bytes.

set -u
: "${BIN:=$PWD/bin}" "${TOOLS:=$PWD/build/gcc/bench}"
nr=${1:-20000}
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || set -- -N
folder=$(mktemp -d /tmp/new_programs.XXXXXX)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# shellcheck disable=SC2016
"$BIN/prec" -F 2000 -e cpu-clock --call-graph unwind "$@" -o "$folder/new.data" -- sh -c '
	begun=0
	for share in 8 4 2 1; do
		n=$(($1 / share))
		"$2/run_programs" "$3" "$begun" $((n - begun)) 200 || exit 2
		begun=$n
		sleep 1
		fds=$(find "/proc/$PPID/fd" -mindepth 1 | wc -l)
		awk -v n="$n" -v fds="$fds" "\$1 == \"RssAnon:\" { print n, \$2, fds }" "/proc/$PPID/status"
	done' - "$nr" "$TOOLS" "$folder" 2> "$folder/err" > "$folder/looks"
awk -v nr="$nr" '
	{ print $1 " programs: " $2 " kB anonymous, " $3 " descriptors"; kb[NR] = $2 }
	END { exit NR < 4 || kb[4] > kb[2] + 2048 + nr * 0.15 }' "$folder/looks"
status=$?
sed 's/^/# /' "$folder/err" | tail -n 3
exit "$status"
