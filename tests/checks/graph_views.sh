#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Graphs of prep's interactive view: the flame graph has the weights that pfold has, for functions of
# several recordings the share of what a search finds; and the rows of a range of time that was chosen in the
# view of threads are those of --time.
#
# Environment: BIN (default bin).

set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
BIN=$(realpath "$BIN")
"$BIN/prep" --build-options | grep -q 'libncursesw: \[ on' || { echo "1..0 # SKIP built without ncursesw"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n=0 failed=0

# share NAME: the stacks with this function
share() {
	awk -v name="$1" '{
		weight = $NF
		sub(/ [0-9]+$/, "")
		all += weight
		k = split($0, frames, ";")
		for (i = 2; i <= k; i++)
			if (frames[i] == name) {
				found += weight
				break
			}
	} END { printf "%.2f", all ? 100 * found / all : 0 }' "$work/folded"
}

for recording in fp-7.2 dwarf-7.2 inline-7.2 fp-6.1 fork-7.2; do
	input=(--symfs testdata/symfs -i "testdata/$recording/perf.data")
	[ -f "testdata/$recording/kallsyms" ] && input+=(--kallsyms "testdata/$recording/kallsyms")
	"$BIN/pfold" --quality=none --names=full --weight=period "${input[@]}" > "$work/folded" || exit 2
	# functions whose names are words, those in most stacks
	sed 's/ [0-9]*$//' "$work/folded" | cut -d';' -f2- | tr ';' '\n' | grep -E '^[A-Za-z_][A-Za-z_0-9]+$' |
		sort | uniq -c | sort -k1,1nr -k2 | awk 'NR <= 6 { print $2 }' > "$work/names"
	[ -s "$work/names" ] || { echo "# $recording: no names"; failed=1; }
	while read -r name; do
		n=$((n + 1))
		want=$(share "$name")
		for keys in g "g I"; do
			got=$("$BIN/prep" --quality=none "${input[@]}" --screen 120x40 --keys "$keys / ^$name\$ Enter" |
				sed -n 's/.* of [0-9]*, \([0-9.]*\) % of the samples$/\1/p')
			[ "$got" = "$want" ] && continue
			echo "# $recording, $keys: $name has '$got' %, in pfold $want %"
			echo "not ok $n - $recording: $name"
			failed=1
			continue 2
		done
		echo "ok $n - $recording: $name"
	done < "$work/names"
done

# rows OPTIONS... KEYS: the screen, without its last line
rows() {
	local keys=${*: -1}
	"$BIN/prep" --quality=none "${input[@]}" --screen 160x60 "${@:1:$#-1}" --keys "$keys" | sed '/^Enter menu/,$d'
}
same_rows() { # RECORDING KEYS EVENT
	local recording=$1 keys=$2 event=$3 slice
	n=$((n + 1))
	input=(--symfs testdata/symfs -i "$recording")
	rows "$event T $keys Enter E" > "$work/range"
	slice=$(sed -n '1s/.*(time slices: \([0-9.,]*\)).*/\1/p' "$work/range")
	if [ "$slice" ] && rows --time "$slice" "$event E" > "$work/sliced" && diff "$work/sliced" "$work/range" > "$work/diff"; then
		echo "ok $n - ${recording#testdata/}: rows of a range"
		return
	fi
	sed 's/^/# /' "$work/diff"
	echo "not ok $n - ${recording#testdata/}: rows of a range '$slice'"
	failed=1
}
for recording in fp-7.2 dwarf-7.2 inline-7.2 fork-7.2; do
	same_rows "testdata/$recording/perf.data" "Space > > > > > > >" ""
	same_rows "testdata/$recording/perf.data" "End Space < < < < < <" ""
done
same_rows testdata/events-7.2/perf.data "Space > > > > > >" Enter

echo "1..$n"
exit $failed
