# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Commands that are measured in turns, and what their figures come to; read by bench/*_speed.sh. Uses
# BENCH_DIR, where figures are kept (a line for each turn: wall s, cpu s, peak KiB), and TOOLS.

bench=${0##*/}
bench=${bench%.sh}

has() {
	command -v "$1" > /dev/null && return
	echo "$bench: no $1" >&2
	return 1
}

# name command...: a run more; its figures become a line of $BENCH_DIR/name
measure() {
	local name=$1
	shift
	if ! "$TOOLS/measure" 1 "$BENCH_DIR/one" "$@" 2> "$BENCH_DIR/stderr"; then
		echo "$bench: failed: $*" >&2
		head -n 5 "$BENCH_DIR/stderr" >&2
		exit 1
	fi
	cat "$BENCH_DIR/one" >> "$BENCH_DIR/$name"
}

# name column: the median over all turns
median() {
	awk -v c="$2" '{ print $c }' "$BENCH_DIR/$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# name column of: how many times the other's figure this is; turns that only one of them had do not count
ratio() {
	paste -d ' ' "$BENCH_DIR/$1" "$BENCH_DIR/$3" |
		awk -v c="$2" 'NF == 6 { print $c / ($(c + 3) > 0 ? $(c + 3) : 0.001) }' |
		sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
