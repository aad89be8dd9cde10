#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Probes of the uprobe PMU on tasks that start threads and children: every call of the target is
# there, none of a process outside that runs the same function at the same time, and the target's
# clone(), fork() and exec() work as without a recorder. Needs root and Linux' uprobe PMU.

set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-$PWD/bin}
PREC=${PREC:-$BIN/prec}
PERF=${PERF:-$(command -v perf)} PERF72=${PERF72-$(command -v perf-sid)}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}
[ -x "$PREC" ] || skip_all "no prec in $BIN"
[ "$(id -u)" = 0 ] || skip_all "not root"
[ -r /sys/bus/event_source/devices/uprobe/type ] || skip_all "this kernel has no uprobe PMU"

D=$(mktemp -d /tmp/uprobe_tasks.XXXXXX) || exit 2
noise=''
trap '[ -z "$noise" ] || kill -- "-$noise" 2> /dev/null; rm -rf "$D"' EXIT
gcc -D_GNU_SOURCE -O1 -g -o "$D/probed" testdata/workloads/w_probed.c -pthread 2> "$D/gcc.log" ||
	skip_all "no compiler for the workload: $(head -n 1 "$D/gcc.log")"
# the same file under another name
ln "$D/probed" "$D/noisy" || exit 2
"$PREC" -q -o "$D/can" -e "uprobe:$D/probed:hit" -- "$D/probed" leaf 1 > "$D/can.log" 2>&1 ||
	skip_all "no probe can be recorded: $(head -n 1 "$D/can.log")"
setsid "$D/noisy" noise < /dev/null > /dev/null 2>&1 &
noise=$!

hit=uprobe:$D/probed:hit other=uprobe:$D/probed:other
n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

# The kernel's symbols, which nothing here prints, are nine tenths of stock perf's time.
: > "$D/none"
# "COMM EVENT COUNT" lines of a recording, as each reader sees it.
counts() { # FILE READER...
	local file=$1

	shift
	timeout 100 "$@" --no-inline --kallsyms="$D/none" -F comm,event -i "$file" 2> /dev/null < /dev/null |
		awk 'NF > 1 { sub(/:$/, "", $2); n[$1 " " $2]++ } END { for (k in n) print k, n[k] }' |
		grep -v ' cpu-clock' | sort
}

wrong() { # FILE WANTED: what differs, by reader; nothing when all is well
	local got

	got=$(counts "$1" "$BIN/pscript")
	[ "$got" = "$2" ] || printf 'pscript: %s\ninstead of: %s\n' "$got" "$2"
	for perf in "$PERF" "$PERF72"; do
		[ -n "$perf" ] || continue
		got=$(counts "$1" "$perf" script)
		[ "$got" = "$2" ] || printf '%s: %s\ninstead of: %s\n' "${perf##*/}" "$got" "$2"
	done
}

# How many times the kernel had no room in a ring: the recorder was not given the CPU in time.
lost() { # FILE
	"$BIN/pscript" --show-lost-events -F comm -i "$1" 2> /dev/null | grep -c PERF_RECORD_LOST
}

# A machine that is busy with other work makes the kernel lose samples, which it says in the
# recording. Then the counts prove nothing, and the check is made again, six times at most.
tries=6

run='run'
check_command() { # TEXT WANTED OPTIONS...
	local text=$1 wanted=$2 why try

	shift 2
	for ((try = 1; try <= tries; try++)); do
		# shellcheck disable=SC2086
		why=$(timeout 100 "$PREC" -q -o "$D/data" "$@" -- "$D/probed" $run 2>&1) ||
			why+=" (the command failed)"
		why=$(grep -v ': group of cpu-clock.* broken up: ' <<< "$why")
		[ -n "$why" ] || why=$(wrong "$D/data" "$wanted")
		{ [ -n "$why" ] && [ "$(lost "$D/data")" -gt 0 ]; } || break
		echo "# $text: samples were lost, try $try: $(tr '\n' ' ' <<< "$why")"
		sleep "$try"
	done
	result "$text" "$why"
}

# The target runs already; it ends by itself and the recorder after it.
check_attached() { # TEXT WANTED -p|-t OPTIONS...
	local text=$1 wanted=$2 why try

	shift 2
	for ((try = 1; try <= tries; try++)); do
		why=''
		attach "$wanted" "$@"
		{ [ -n "$why" ] && [ "$(lost "$D/data")" -gt 0 ]; } || break
		echo "# $text: samples were lost, try $try: $(tr '\n' ' ' <<< "$why")"
		sleep "$try"
	done
	result "$text" "$why"
}

attach() { # WANTED -p|-t OPTIONS...; says in `why` what is wrong
	local wanted=$1 how=$2 pid tid rec

	shift 2
	rm -f "$D/in" "$D/out"
	mkfifo "$D/in" "$D/out" || exit 2
	"$D/probed" wait < "$D/in" > "$D/out" 2> "$D/err" &
	pid=$!
	exec 7> "$D/in" 8< "$D/out"
	read -r -t 60 _ tid <&8 || why="not ready"
	[ "$how" = -t ] || tid=$pid
	rm -f "$D/data"
	mkfifo "$D/ctl" "$D/ack"
	exec 5<> "$D/ctl" 6<> "$D/ack"
	timeout 100 "$PREC" -q -o "$D/data" --control "fifo:$D/ctl,$D/ack" "$@" "$how" "$tid" \
		> "$D/log" 2>&1 &
	rec=$!
	# it answers when all is switched on
	echo ping >&5
	read -r -t 60 _ <&6 || why+=" no answer of the recorder"
	echo >&7
	exec 7>&- 8<&-
	wait $pid || why+=" the target failed: $(cat "$D/err")"
	wait $rec || why+=" prec: $(cat "$D/log")"
	exec 5>&- 6>&-
	rm -f "$D/ctl" "$D/ack"
	[ -n "$why" ] || why=$(wrong "$D/data" "$wanted")
}

all="probed uprobe:probed:hit 500"
all2="$all
probed uprobe:probed:other 8"

check_command "a command with threads and children" "$all" -e "$hit"
run='forks 1500'
check_command "many children on all CPUs" "probed uprobe:probed:hit 3000" -e "$hit"
run='run'
check_command "where it returns" "probed uretprobe:probed:hit 500" -e "uretprobe:$D/probed:hit"
check_command "two probes" "$all2" -e "$hit" -e "$other"
check_command "two probes in a group" "$all2" -e "{$hit,$other}"
check_command "beside another event" "$all2" -e cpu-clock/freq=2000/ -e "$hit" -e "$other"
check_command "behind a group with another event, with stacks" "$all2" -g \
	-e "{cpu-clock/freq=2000/,$hit}" -e "$other"
check_command "stack copies" "$all" -m 8M --call-graph dwarf,1024 -e "$hit"
check_command "compressed" "$all2" -z -e "$hit" -e "$other"
check_command "switched on by a delay of 1 ms" "" -D 2000 -e "$hit"
check_command "overwritten rings" "$all" --overwrite -e "$hit"
# of the first thread alone, before and after it has started others
check_command "not inherited" "probed uprobe:probed:hit 10" -i -e "$hit"
check_attached "a process" "$all2" -p -e "$hit" -e "$other"
check_attached "a process, beside another event" "$all2" -p -e cpu-clock/freq=2000/ -e "$hit" \
	-e "$other"
check_attached "a process, not inherited" "probed uprobe:probed:hit 410" -p -i -e "$hit"
check_attached "a thread" "probed uprobe:probed:hit 100" -t -e "$hit"
check_attached "a thread, inherited" "probed uprobe:probed:hit 100" -t --inherit -e "$hit"

# All CPUs: what runs outside is there, too. It never pauses, so the rings have room for half a second.
for ((try = 1; try <= tries; try++)); do
	why=$(timeout 100 "$PREC" -q -a -N -m 32M -o "$D/data" -e "$hit" -- "$D/probed" run 2>&1)
	if [ -z "$why" ]; then
		counts "$D/data" "$BIN/pscript" > "$D/counts"
		{ grep -q '^noisy ' "$D/counts" && grep -qx "$all" "$D/counts"; } || why=$(cat "$D/counts")
	fi
	{ [ -n "$why" ] && [ "$(lost "$D/data")" -gt 0 ]; } || break
	echo "# all CPUs: samples were lost, try $try"
	sleep "$try"
done
result "all CPUs" "$why"

echo "1..$n"
exit $failed
