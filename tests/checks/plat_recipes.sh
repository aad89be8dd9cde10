#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recipes of plat in files: each of plat's own, as --print-recipe writes it, is the same from a file;
# files of the user and of --recipe are found, and their mistakes have file and line.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${O:=build/gcc}"
export LC_ALL=C TZ=UTC
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }
export XDG_CONFIG_HOME=$work/config
mkdir -p "$work/config/plat"

# what a recipe does to a recording, and how it is recorded
run() { # PLAT'S WORDS...
	"$BIN/plat" "$@" --print-record -g
	"$BIN/plat" "$@" --csv ';' "$work/made" 2>&1
}

"$O/tests/tools/sched_recording" 1 2000 > "$work/made" || exit 2
while read -r name _; do
	"$BIN/plat" --print-recipe "$name" > "$work/text" 2> "$work/err" || continue
	sed "s/^recipe $name /recipe my-own /" "$work/text" > "$work/own.plat"
	result "$name from a file" "$(diff <(run "$name") <(run --recipe "$work/own.plat" my-own))"
done < <("$BIN/plat" --list-recipes)

cat > "$work/config/plat/b.plat" << 'END'
# mine
recipe woken "how long woken threads wait"
	begin sched:sched_waking key pid
	end sched:sched_switch key next_pid
	by end:next_comm
recipe exit "another one of this name"
	count sched:sched_switch
	by prev_pid
END
printf 'recipe fine "a"\n\tcount sched:sched_switch\nrecipe wrong "b"\n\tcuont x\n' > "$work/config/plat/a.plat"
result "the user's recipes" "$(
	diff <("$BIN/plat" woken "$work/made" 2> /dev/null) \
		<("$BIN/plat" -b sched_waking -e sched_switch --key pid=next_pid --by end:next_comm "$work/made" 2> /dev/null)
	"$BIN/plat" exit "$work/made" 2> /dev/null | grep -q prev_pid || echo "plat's own exit"
	"$BIN/plat" --list-recipes 2> /dev/null | grep -c '^exit ' | grep -vx 1)"
result "a mistake in one of them is told, the others serve" "$(
	"$BIN/plat" fine "$work/made" 2>&1 > /dev/null | grep -q "plat: .*/plat/a.plat:4: no line of a recipe begins with 'cuont'" ||
		echo "no message"
	"$BIN/plat" fine "$work/made" 2> /dev/null | grep -q '^# events: 2000' || echo "no table")"
result "a mistake in the file of --recipe" "$(
	"$BIN/plat" --recipe "$work/config/plat/a.plat" fine "$work/made" > "$work/out" 2> "$work/err"
	[ $? = 1 ] && [ ! -s "$work/out" ] && grep -q '^plat: --recipe: .*a.plat:4: ' "$work/err" || cat "$work/out" "$work/err")"
mkfifo "$work/fifo"
head -c 1100000 /dev/zero > "$work/large"
result "files that are none" "$(
	timeout 5 "$BIN/plat" --recipe "$work/fifo" x 2>&1 | grep -q 'FIFO' || echo "a FIFO"
	"$BIN/plat" --recipe "$work/large" x 2>&1 | grep -q 'more than 1 MiB' || echo "a large file"
	"$BIN/plat" --recipe "$work/none" x 2>&1 | grep -q 'No such file' || echo "no file")"
results_end
