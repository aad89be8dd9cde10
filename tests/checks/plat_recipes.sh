#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recipes of plat in files: each of plat's own, as --print-recipe writes it, is the same from a file;
# files of the user and of --recipe are found, and their mistakes have file and line. Each recipe has a man
# page, which man and mandoc read without a warning, with examples that print something.

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

export XDG_CONFIG_HOME=$work/none
mkdir "$work/man"
awk -v dir="$work/man" -f events/recipes/recipe_pages.awk events/recipes/own_recipes.c events/command/plat.1 \
	$(find events -name 'plat-*.1') 2> "$work/err"
name_of() { basename "$1" .1 | sed 's/^plat-//'; }
examples() { sed -n '/^\.SH EXAMPLES/,/^\.SH DESC/{/^\.EX/,/^\.EE/{/^\./d;s/\\-/-/g;p;};}' "$1"; }
result "each recipe has a man page" "$(cat "$work/err"
	"$BIN/plat" --list-recipes | while read -r name about; do
		page=$work/man/plat-$name.1
		[ -s "$page" ] || page=$(find events -name "plat-$name.1")
		[ -s "$page" ] || { echo "no page of $name"; continue; }
		other=$(sed -n 's/^\.so man1\///p' "$page")
		[ -n "$other" ] && { find events -name "$other" | grep -q . || echo "$name: no $other"; continue; }
		grep -q '^\.SH EXAMPLES' "$page" && grep -q "plat $name" <<< "$(sed 's/\\-/-/g' "$page")" ||
			echo "$name has no example"
		case $page in "$work"*)
			grep -qF "$about" <<< "$(sed "s/\\\\-/-/g; s/\\\\(aq/'/g" "$page")" || echo "$name: not its purpose" ;;
		esac
	done)"
result "what a page says of a recipe is what --print-recipe prints" "$(
	for page in "$work"/man/*.1; do
		name=$(name_of "$page")
		grep -q '^\.SH RECIPE' "$page" || continue
		diff <("$BIN/plat" --print-recipe "$name" | grep . | tr -s ' \t' ' ') \
			<(sed -n "/^\.SH RECIPE/,/^\.EE/{/^\./d;s/\\\\-/-/g;s/\\\\(aq/'/g;p;}" "$page" | sed 1d | tr -s ' \t' ' ')
	done)"
if command -v mandoc > /dev/null; then
	# pages have no date: they are made anew with each build
	result "mandoc reads them" "$(mandoc -T lint -W warning $(grep -L '^\.so' "$work"/man/*.1) |
		grep -v 'missing date')"
else
	result "mandoc reads them # SKIP no mandoc" ''
fi
if command -v man > /dev/null; then
	result "man reads them" "$(grep -L '^\.so' "$work"/man/*.1 | MANWIDTH=80 xargs man --warnings -l 2>&1 > "$work/out" |
		grep -v '^$'; grep -c '^NAME' "$work/out" | grep -qx "$(grep -L '^\.so' "$work"/man/*.1 | wc -l)" || echo "pages are missing")"
else
	result "man reads them # SKIP no man" ''
fi

# one recording with what all of them need, but for the event of Intel's PMU
records=$(for page in "$work"/man/*.1; do
	examples "$page" | sed -n 's/^\$(plat \([a-z-]*\) --print-record).*/\1/p' | xargs -r -n 1 "$BIN/plat" --print-record
done | tr ' ' '\n' | sed -n '/^-e$/{n;p;}' | grep -v r10f4 | sort -u)
if [ "$(id -u)" = 0 ] && cd "$work" && "$BIN/prec" -q -a -c 4000000 -o perf.data $(printf -- '-e %s ' $records) \
	-- sh -c ': | cat' > "$work/log" 2>&1; then
	result "the examples of the pages print something" "$(
		for page in man/*.1; do
			examples "$page" | grep '^plat [a-z-]*\( --hist\)*$' | grep -v split-lock | while read -r _ words; do
				# shellcheck disable=SC2086
				"$BIN/plat" $words > out 2> err < /dev/null && grep -q '^#' out || { echo "plat $words"; cat err; }
			done
		done
		live=$(examples man/plat-runq.1 | sed -n '1s/10s/200ms/p')
		"$BIN"/$live 2>&1 | grep -q '^#' || echo "$live")"
else
	result "the examples of the pages print something # SKIP cannot record here" ''
fi
results_end
