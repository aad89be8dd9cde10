#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Do recorders and monitors that run for long give back what they take? For SECONDS, processes begin
# and end all the time, RATE a second, each fifth of a program that has a path of its own and runs
# once; beside them run
#
#	prec -a -F 99 --call-graph unwind
#	plat runq -a -i 1000
#
# or, with WORDS, plat with these alone. Every 10 s, of prec, of plat and of plat's own prec: the
# anonymous and the whole resident memory and the number of open descriptors. At the end SIGINT: how
# long until plat has printed its table and is gone; what prec's file holds.
#
#	bench/soak.sh [SECONDS [RATE [WORDS...]]]	default 1800, 40; BIN=bin; SOAK_DIR: a folder that stays
#	bench/soak.sh 300 40 task-state -a -i 1000
#	bench/soak.sh 300 40 offcpu -a -i 1000		also leak, syscalls
#
# How it decides: a recorder fills its caches for a while, longer on a machine that runs many programs,
# and holds more while more runs. So the median of the last quarter of the time is compared with that
# of the second quarter: what grows on and on is larger then; what was filled, and what was taken for
# a moment, is not. Status 1 when the median of anonymous memory is a tenth and 2 MB larger, when the
# second half has more descriptors at each look than the second quarter had at some, or when plat
# takes more than 1 s to end.

set -u
: "${BIN:=$PWD/bin}"
seconds=${1:-1800} rate=${2:-40} prec=
shift $(($# < 2 ? $# : 2))
[ "$seconds" -ge 80 ] || { echo "soak.sh: 80 s and more, so that each quarter has two looks" >&2; exit 2; }
words=(runq -a -i 1000)
[ $# -eq 0 ] || words=("$@")
folder=${SOAK_DIR:-$(mktemp -d /tmp/soak.XXXXXX)}
mkdir -p "$folder/bin" "$folder/new"
failed=0
own=()
# What runs for long is not changed by a build meanwhile.
cp "$BIN/prec" "$BIN/plat" "$BIN/pscript" "$folder/bin/" || exit 2
export PATH=$folder/bin:$PATH

clean_up() {
	[ ${#own[@]} -eq 0 ] || kill "${own[@]}" 2> /dev/null
	[ -n "${SOAK_DIR-}" ] || rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

forks() { awk '$1 == "processes" { print $2 }' /proc/stat; }
cpu_ms() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) * 1000 / hz }' "/proc/$1/stat"; }

begun=$(forks)
timeout "$((seconds + 60))" nice -n 19 sh -c '
	cd "$1" || exit
	while :; do
		n=0 round=$((round + 1))
		while [ $n -lt '"$rate"' ]; do
			n=$((n + 5))
			ls / > /dev/null; sh -c : ; awk "BEGIN { for (; i < 9999; ) i++ }" & cat /dev/null
			ln bin/pscript "new/$round-$n"
			"new/$round-$n" --version > /dev/null
		done
		sleep 1
		rm -f new/*
	done' sh "$folder" 2> /dev/null &
own+=($!)
if [ $# -eq 0 ]; then
	prec -a -F 99 -e cpu-clock --call-graph unwind -N -o "$folder/soak.data" 2> "$folder/prec.err" &
	prec=$!
	own+=("$prec")
fi
plat "${words[@]}" > "$folder/plat.out" 2> "$folder/plat.err" &
plat=$!
own+=("$plat")
sleep 2
below=$(pgrep -P "$plat" | head -n 1)
look() { # NAME PID
	awk -v name="$1" -v now="$((SECONDS))" -v fds="$(find "/proc/$2/fd" -mindepth 1 2> /dev/null | wc -l)" '
		$1 == "RssAnon:" { anon = $2 }
		$1 == "VmRSS:" { all = $2 }
		END { if (all) print name, now, anon, all, fds }' "/proc/$2/status" >> "$folder/looks" 2> /dev/null
}
: > "$folder/looks"
SECONDS=0
while [ "$SECONDS" -lt "$seconds" ]; do
	[ -z "$prec" ] || look prec "$prec"
	look plat "$plat"
	[ -z "$below" ] || look plats-prec "$below"
	sleep 10
done
used="${prec:+prec $(cpu_ms "$prec") ms, }plat $(cpu_ms "$plat") ms, its prec $(cpu_ms "$below") ms of CPU"
processes=$(($(forks) - begun))
lines=$(wc -l < "$folder/plat.out")
start=$(date +%s%N)
# plat's own prec is in its process group for a terminal; a signal to plat alone must do, too
kill -INT "$plat"
wait "$plat"
status=$?
took=$((($(date +%s%N) - start) / 1000000))
[ -z "$prec" ] || { kill -INT "$prec" && wait "$prec"; }
own=("${own[0]}")

echo "# plat ${words[*]}: $seconds s, $processes processes and threads began; $used"
awk -v seconds="$seconds" '
	function most(to, value) { if (value > to[$1]) to[$1] = value }
	function least(to, value) { if (!($1 in to) || value < to[$1]) to[$1] = value }
	# of the nr values that v has under [p, 1] and so on
	function median(v, p, nr, i, k, x) {
		for (i = 2; i <= nr; i++) {
			x = v[p, i]
			for (k = i - 1; k && v[p, k] > x; k--) v[p, k + 1] = v[p, k]
			v[p, k + 1] = x
		}
		return v[p, int((nr + 1) / 2)]
	}
	!($1 in first) { first[$1] = $3 " " $4 " " $5; order[++n] = $1 }
	{ last[$1] = $3 " " $4 " " $5; most(kb, $3); most(all_kb, $4) }
	$2 < seconds / 4 { next }
	$2 < seconds / 2 { second[$1, ++nr2[$1]] = $3; least(fds2, $5); next }
	{ least(fds, $5) }
	$2 >= seconds * 3 / 4 { fourth[$1, ++nr4[$1]] = $3 }
	END {
		print "# anonymous kB, resident kB, descriptors"
		for (i = 1; i <= n; i++) {
			p = order[i]
			before = median(second, p, nr2[p]); after = median(fourth, p, nr4[p])
			ok = after <= before * 1.1 + 2048 && fds[p] <= fds2[p]
			printf "%-10s first %s; last %s; most %d %d; medians of the second and last quarter %d, %d kB; " \
				"descriptors %d, %d  %s\n", p, first[p], last[p], kb[p], all_kb[p], before, after, fds2[p], fds[p],
				ok ? "ok" : "MISSED"
			if (!ok) bad = 1
		}
		exit bad
	}' "$folder/looks" || failed=1
printed=$(($(wc -l < "$folder/plat.out") - lines))
if [ "$took" -le 1000 ] && [ "$printed" -gt 2 ]; then verdict=ok; else verdict=MISSED failed=1; fi
echo "plat       $took ms from SIGINT to its end (status $status), $printed lines printed then  $verdict"
tail -n 3 "$folder/plat.err" | sed 's/^/# plat: /'
[ -n "$prec" ] || exit "$failed"
sed 's/^/# prec: /' "$folder/prec.err" | tail -n 4
echo "# $(stat -c %s "$folder/soak.data") bytes of recording, $(pscript --quality=none -F time -i "$folder/soak.data" 2> /dev/null |
	wc -l) samples"
exit "$failed"
