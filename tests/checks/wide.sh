#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recordings of many threads, functions, objects and stacks, of sizes around those at which tables
# grow. tests/tools/wide_recording makes them, and adds up what they hold in a way of its own:
#
#	prep's tables, pfold's lines and pscript's samples must be those of that tool;
#	every option set of tests/known/wide_options.txt must print the same with one thread and with 2 or
#	5 (with all three for a recording that is named).
#
#	tests/checks/wide.sh			some seconds
#	WIDE_RUNS=2000 tests/checks/wide.sh	so many recordings by chance, of WIDE_MAX (3000) samples
#						at most; each is read by every command
#	WIDE_SEED=N				the first of them (1)
#	tests/checks/wide.sh NAME=VALUE...	one recording of these parameters, as failures name it
#
# Environment: BIN (default bin), O (default build/gcc), SAN.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${SAN:=}"
: "${WIDE_RUNS:=}" "${WIDE_SEED:=1}" "${WIDE_MAX:=3000}"
export LC_ALL=C TZ=UTC PAGER=cat
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1}:exitcode=99
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}:exitcode=99
export TSAN_OPTIONS=${TSAN_OPTIONS:-}:exitcode=99
tool=$PWD/$O/tests/tools/wide_recording
for p in "$tool" "$BIN/prep" "$BIN/pfold"; do
	[ -x "$p" ] || { echo "1..0 # SKIP no $p"; exit 77; }
done
options=$PWD/tests/known/wide_options.txt
[ -s "$options" ] || { echo "1..0"; echo "no $options" >&2; exit 1; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export HOME=$work/home
cd "$work" || exit 2

n=0 failed=0 wrong=
tell() { # DESCRIPTION: ok when nothing was noted since the last time
	n=$((n + 1))
	if [ -z "$wrong" ]; then
		echo "ok $n - $*"
	else
		failed=1
		echo "not ok $n - $*"
		printf '%s' "$wrong" | head -n 20 | sed 's/^/# /'
	fi
	wrong=
}
note() { wrong+="$*"$'\n'; }

# run OUT COMMAND ARGUMENT...: status 0 or 1, which pann has for functions without code, and no
# report of a sanitizer.
run() {
	local out=$1 command=$2 files=(--symfs symfs --kallsyms kallsyms) rc said
	shift 2
	[ "$command" = pevlist ] && files=()
	timeout 120 "$BIN/$command" "${files[@]}" -i perf.data "$@" > "$out" 2> err < /dev/null
	rc=$?
	IFS= read -rd '' said < err
	[ $rc -le 1 ] && [[ $said != *Sanitizer* && $said != *'runtime error'* ]] && return
	note "$command $*: status $rc: $(grep -v quality: err | head -n 12)"
}

same() { # WHAT WANT GOT
	cmp -s "$2" "$3" && return
	note "$1: $(diff "$2" "$3" | grep -c '^<') lines are missing," \
	     "$(diff "$2" "$3" | grep -c '^>') are wrong: $(diff "$2" "$3" | sed -n 2,5p)"
}

# prep's rows as the tool prints them.
rows() {
	awk -F'|' '
		/^# Samples/ { event = $0; sub(/.* events? /, "", event); gsub("\047", "", event) }
		/^#/ || /^ *$/ { next }
		{
			line = event
			for (i = 1; i <= NF; i++) {
				gsub(/^ +| +$/, "", $i)
				if (i == NF)
					sub(/^\[.\] /, "", $i)
				line = line "|" $i
			}
			print line
		}' "$1" | sort
}

make_recording() { "$tool" . "$@" > said 2>&1 || note "wide_recording: $(cat said)"; }

check_tables() { # NR-THREADS
	local common=(--no-group --no-branch-stack -g none -t '|' --threads "$1")

	run out prep "${common[@]}" --children -F overhead_children,sample,period,comm,dso,sym
	rows out > got
	sort -o table.children table.children
	same "prep --children" table.children got
	run out prep "${common[@]}" --no-children -F sample,period,comm,dso,sym
	rows out > got
	sort -o table.own table.own
	same "prep --no-children" table.own got
}

check_folded() { # NR-THREADS
	local folded
	for folded in folded.*; do
		[ -s "$folded" ] || continue
		run out pfold --no-marks -e "${folded#folded.}" --threads "$1"
		same "pfold ${folded#folded.}" "$folded" out
	done
}

check_samples() { # NR-THREADS
	run out pscript -F comm,tid,cpu,time,period,event,ip,sym --threads "$1"
	sed 's/[ \t][ \t]*/ /g; s/ $//' out > got
	same pscript samples got
}

check_sums() { # NR-THREADS
	check_tables "$1"
	check_folded "$1"
	check_samples "$1"
	rm -f folded.*
}

kinds_of() { # NAME=VALUE...
	local kinds=' any ' word
	for word in "$@"; do
		case $word in
		mem=1) kinds+='mem ' ;;
		branches=[1-9]*) kinds+='branches ' ;;
		events=[2-9]*) kinds+='events ' ;;
		esac
	done
	echo "$kinds"
}

# Runs option sets on the recording: all of them, or each STEPth from number FIRST on. Those with an
# even number run with 1 and 2 threads, the others with 1 and 5; with "all", all run with all three.
check_options() { # KINDS FIRST STEP [all]
	local kinds=$1 first=$2 step=$3 all=${4-} i=0 kind command args threads
	while IFS=$'\t' read -r kind command args; do
		[[ $kind == '#'* || $kinds != *" $kind "* ]] && continue
		i=$((i + 1))
		[ $(((i + first) % step)) = 0 ] || continue
		if [ "$command" = pevlist ]; then
			# shellcheck disable=SC2086
			run out pevlist $args
			continue
		fi
		# shellcheck disable=SC2086
		run want $command $args --threads 1
		for threads in 2 5; do
			[ -n "$all" ] || [ $(((i + first / step) % 2 * 3 + 2)) = $threads ] || continue
			# shellcheck disable=SC2086
			run out $command $args --threads $threads
			same "$command $args --threads $threads" want out
		done
	done < "$options"
}

# With the options for KINDS of recordings only, if given.
check_one() { # NAME=VALUE... [-- KINDS]
	local words=() kinds=
	while [ $# -gt 0 ]; do
		[ "$1" = -- ] && kinds=" $2 " && break
		words+=("$1")
		shift
	done
	make_recording "${words[@]}"
	check_sums 2
	check_options "${kinds:-$(kinds_of "${words[@]}")}" 0 1 "${all-}"
	tell "${words[*]}"
}

by_chance() {
	local seed words threads
	for ((seed = WIDE_SEED; seed < WIDE_SEED + WIDE_RUNS; seed++)); do
		words=$("$tool" --random $seed "$WIDE_MAX")
		threads=$((seed % 3 ? seed % 3 * 3 - 1 : 1)) # 1, 2 or 5
		# shellcheck disable=SC2086
		make_recording $words
		check_sums $threads
		# shellcheck disable=SC2086
		check_options "$(kinds_of $words)" $seed 12
		run out pann --max-symbols 5
		run out pevlist -v
		tell "$words"
	done
}

# Sizes next to those at which tables grow, which are powers of two.
sizes() {
	local size near threads
	for size in 8 64 128 256 512 1024 2048 4096; do
		for near in $((size - 1)) $size $((size + 1)); do
			threads=$((near % 3 ? near % 3 * 3 - 1 : 1))
			make_recording each=1 \
				samples="$near" stacks="$near" threads="$near" functions="$near"
			check_sums $threads
		done
		tell "$size samples of as many threads and functions, one less, one more"
		make_recording samples=$((size * 2 - 1)) stacks=$size threads=$((size / 8 + 1)) \
			functions=$((size + 1)) depth=$((size < 127 ? size : 32)) \
			objects=$((size / 16 + 1))
		check_sums $threads
		tell "$size stacks"
	done
}

# More than 64 sets of row keys, and as many places as prep notes at once (2^20): 64 rows of 2
# places each and 8191 rows of 128, then one row less and more, and many more.
noted() {
	local rows
	for rows in ${SAN:-8190 8191 8192} 8540; do
		[[ $rows == [0-9]* ]] || continue
		make_recording samples=$((64 + rows)) stacks=$((64 + rows)) threads=$((64 + rows)) \
			shallow=64 functions=4 depth=127 exact=1 --tables
		check_tables $((rows % 3 + 1))
		tell "$rows threads whose stacks have 127 frames"
	done
}

if [ $# -gt 0 ]; then
	all=1
	check_one "$@"
elif [ -n "$WIDE_RUNS" ]; then
	by_chance
else
	sizes
	noted
	check_one samples=1500 threads=130 functions=300 stacks=700 depth=30 objects=9
	check_one samples=700 threads=70 functions=100 stacks=300 depth=20 events=3 group=1 mem=1 \
		branches=9 -- 'mem branches events'
fi
echo "1..$n"
exit $failed
