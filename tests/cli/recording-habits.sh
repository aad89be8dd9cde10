#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How a recording ends and what is said then: --duration, an idle target whose children work, and the
# number of samples in the last of several files.

. tests/frame/tell.sh
: "${BIN:=$PWD/bin}"
BIN=$(realpath "$BIN")
tmp=$(mktemp -d) || exit 2
trap 'kill $shell $(cat "$tmp/child" 2> /dev/null) 2> /dev/null; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

if ! "$BIN/prec" -o try.data -e cpu-clock:u -- true > /dev/null 2>&1; then
	echo "1..0 # SKIP nothing can be recorded here"
	exit 77
fi

sh -c 'sleep 60 & echo $! > child; wait' &
shell=$!
until [ -s child ]; do sleep 0.02; done
start=$(date +%s%N)
timeout 20 "$BIN/prec" -o idle.data -e cpu-clock:u --for 1.05s -p $shell 2> idle.err &
idle=$!
timeout 20 "$BIN/prec" -o command.data -e cpu-clock:u --duration 1 -- sleep 30 2> command.err &
command=$!
# shellcheck disable=SC2016
timeout 20 "$BIN/prec" -o files.data -e cpu-clock:u -F 1000 --switch-output=1s \
	--switch-hook 'echo "$1" >> hooks; exit 3' -- \
	sh -c 'end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do :; done' 2> files.err &
files=$!

wait $idle
[ $? -eq 0 ] || why+=" status is not 0;"
wait $command
[ $? -eq 0 ] || why+=" status with a command is not 0;"
ms=$((($(date +%s%N) - start) / 1000000))
[ $ms -ge 1000 ] && [ $ms -lt 15000 ] || why+=" it lasted $ms ms;"
"$BIN/prep" -i command.data --header-only > /dev/null || why+=" the recording cannot be read;"
tell_why "--duration ends a recording, and its command, in time"

child=$(cat child)
grep -qF -- "$child (sleep): to record them: -p $shell,$child" idle.err || why+=" $(cat idle.err)"
tell_why "an idle target: its children are named"

wait $files
last=$(find . -name 'files.data.*' | sort | tail -n 1)
said=$(sed -n 's/.*(\([0-9]*\) samples).*/\1/p' files.err)
is=$("$BIN/pscript" --quality=none -F ip -i "$last" 2> /dev/null | wc -l)
[ "$said" = "$is" ] || why+=" said $said, is $is;"
[ "$(find . -name 'files.data.*' | wc -l)" -ge 2 ] || why+=" not several files;"
tell_why "--switch-output: the last file's number of samples"

find . -name 'files.data.*' -printf '%f\n' | sort > names

cmp -s names hooks || why+=" hooks: $(cat hooks), files: $(cat names);"
[ "$(grep -c 'switch-hook: .*exit status 3; later failures are counted' files.err)" = 1 ] ||
	why+=" $(cat files.err);"
grep -q "switch-hook: \([0-9]*\) of \1 runs failed" files.err || why+=" no count: $(cat files.err);"
"$BIN/prec" -q -o one.data -e cpu-clock:u --switch-output=1m --switch-hook 'exit 3' true 2> err
grep -q 'switch-hook: exit 3 .*exit status 3; later' err || why+=" the last file's failure: $(cat err)"
"$BIN/prec" --switch-hook true true 2> err && why+=" it is accepted without --switch-output;"
tell_why "--switch-hook runs for each finished file, and failures are told once"

for time in 0 0.0s x 1x -1 . s 1.0000000000s 1.5.5 5mm 99999999999999999999 100001d; do
	"$BIN/prec" --duration=$time true 2> err && why+=" $time is accepted;"
	grep -q -- '--duration: expected a time such as 10 (seconds), 0.5s, 30s or 5m' err || why+=" $time: $(cat err)"
done
tell_why "--duration says what is valid"
"$BIN/prec" -o cgroup.data -a -G / --dry-run 2> err || why+=" $(cat err)"
"$BIN/prec" -o cgroup.data -a -G / -e cpu-clock --dry-run 2> err && why+=" -G before -e is accepted;"
grep -q 'put -e EVENT before -G' err || why+=" $(cat err)"
tell_why "-G without -e is for the default event"
echo "1..$n"
exit $failed
