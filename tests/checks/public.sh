#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares pscript with what stock perf 7.2 prints of the public recordings in ../shared/data, byte for byte, and
# --format=perf-6.1 with what stock perf 6.1 prints; sees to it that nothing unexpected is said on standard error.
#
#	tests/checks/public.sh [--lines N] [GLOB]...
#
# The references were made with, in an empty HOME and TZ=UTC,
#	perf --buildid-dir EMPTY script --symfs EMPTY -i FILE		reference/FILE.script.perf7.2.txt.zst
#	perf --buildid-dir EMPTY script --symfs TREE -i FILE		reference/FILE.symfs.perf7.2.txt.zst
# where TREE holds the binaries listed below. (7.2.13 gives the same bytes again.) Those of perf 6.1 are FILE.*.perf6.1.txt.zst.
#
# Environment: BIN (default bin), SHARED (default ../shared). Wanted differences: tests/known/known_differences.tsv.

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${SHARED:=$PWD/../shared}"
data=$SHARED/data
lines=8
[ "${1-}" = --lines ] && { lines=$2; shift 2; }
[ $# -gt 0 ] || set -- '*'

if [ ! -d "$data/reference" ]; then
	echo "1..0 # SKIP no public recordings beside this checkout ($data)"
	exit 77
fi
if [ ! -x "$BIN/pscript" ]; then
	echo "1..0 # SKIP no pscript in $BIN"
	exit 77
fi
command -v zstd >/dev/null || { echo "1..0 # SKIP no zstd"; exit 77; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/empty"
export TZ=UTC LC_ALL=C HOME=$work/home PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG

n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $*"; }

vector=tests/auto/perfdata/vector_static_gcc/vector_static_gcc_v9.1.0
symfs_tree() { # FILE: its binaries under $work/symfs, where the recording says they lie
	local from to

	rm -rf "$work/symfs"
	while read -r from to; do
		mkdir -p "$work/symfs${to%/*}"
		ln "$data/elf/$from" "$work/symfs$to" 2>/dev/null || cp "$data/elf/$from" "$work/symfs$to"
	done < <(case $1 in
		autofdo__ro_sample.perf) echo "libro_sample.so /usr/local/google/home/shenhan/copt2/libro_sample.so" ;;
		perfparser__*.lbr.data) echo "${vector##*/} /home/dknysh/kdab-disasm-fraames/hotspot/3rdparty/perfparser/$vector" ;;
		perfparser__vector*) echo "${vector##*/} /home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser/$vector" ;;
		simpleperf__perf_with_symbols.data) echo "t2 /data/t2" ;;
		simpleperf__*) echo "elf /elf" ;;
	esac)
	[ -d "$work/symfs" ]
}

declare -A rules talks # by "FILE KIND"
while IFS=$'\t' read -r f k rule talk _; do
	[[ $f == '#'* ]] || rules[$f $k]=$rule talks[$f $k]=$talk
done < tests/known/known_differences.tsv
rule_of() { # FILE KIND: sets rule, and talk, the allowed standard error, which does not depend on the format
	rule=${rules[$1 $2]-exact}
	talk=${talks[$1 $2]-${talks[$1 ${2%-6.1}]--}}
}

normalise() { # RULE,RULE... as a filter
	local script= filter=cat r

	for r in ${1//,/ }; do
		case $r in
		addresses) filter=addresses_only ;;
		no-inlined) script="$script; /(inlined)\$/d" ;;
		no-user-frames) script="$script; /^\t/{/(\[[^]]*\])\$/!d}; /^\t.*(\[\(vdso\|vsyscall\|unknown\|stack\|heap\)\])\$/d" ;;
		no-last-frames) filter=without_last_frames ;;
		no-chains) script="$script; /^\t/d; /^\$/d" ;;
		no-cpus) script="$script; s/ \[[0-9]\{3,\}\] / /" ;;
		only-*) script="$script; / ${r#only-}: /!d; s/  */ /g" ;;
		exact | continued) ;;
		*) echo "unknown rule $r" >&2 ;;
		esac
	done
	sed "${script#; }" | $filter
}

addresses_only() { # frames without their names, an address that stands for several inlined frames once
	awk '/^\t/ { if ($1 != last) print "\t" $1; last = $1; next } { last = ""; print }'
}

without_last_frames() { # the last line of each chain
	awk '/^\t/ { if (held != "") print held; held = $0; next } { held = ""; print }'
}

without_more_frames() { # WANT GOT: GOT without the frames that it has behind the last one of a chain of WANT
	awk 'NR == FNR { want[++n] = $0; next }
		FNR == 1 { i = 1 }
		$0 == want[i] && !more { i++; print; next }
		/^\t/ && want[i] !~ /^\t/ { more = 1; next }
		{ more = 0; if ($0 == want[i]) i++; print }' "$1" "$2"
}

# Many of these recordings lost samples, which is worth a line on any standard error.
unexpected_talk() { # ERRFILE PATTERN: the first line that is not allowed
	[ -s "$1" ] || return 0
	local allowed="pscript: quality: [0-9]+ (of|records of) .*--quality=text lists causes and what helps"

	[ "$2" = - ] || allowed="$allowed|($2)?"
	grep -vxE "$allowed" "$1" | head -n 1
}

run_ours() { # SYMFS FILE ARGS...: result in $work/got, $work/err
	local symfs=$1 file=$2
	shift 2
	timeout -k 5 60 "$BIN/pscript" --symfs "$symfs" "$@" -i "$file" >"$work/got" 2>"$work/err" </dev/null
}

compare() { # FILE KIND SYMFS PERF-VERSION
	local path=$1 name=${1##*/} kind=$2 symfs=$3 version=$4 rule talk rc line f reference=

	reference=$data/reference/$name.$kind.perf$version.txt.zst
	[ -e "$reference" ] || return
	[ "$version" = 7.2 ] || kind=$kind-$version
	rule_of "$name" "$kind"
	if [ "$rule" = skip ]; then
		ok "$kind $name # SKIP see tests/known/known_differences.tsv"
		return
	fi
	zstd -q -d -f -o "$work/want" "$reference"
	run_ours "$symfs" "$path" --no-join --max-stack=127 --format="perf-$version"
	rc=$?
	mv "$work/got" "$work/got.n"
	if [ "$rule" != exact ]; then
		for f in want got.n; do
			normalise "$rule" <"$work/$f" >"$work/normal" && mv "$work/normal" "$work/$f"
		done
	fi
	case ,$rule, in
	*,continued,*) without_more_frames "$work/want" "$work/got.n" >"$work/got.c" && mv "$work/got.c" "$work/got.n" ;;
	esac
	line=$(unexpected_talk "$work/err" "$talk")
	if [ $rc -ne 0 ]; then
		not_ok "$kind $name: exit status $rc: $(tail -n 1 "$work/err" | cut -c1-160)"
	elif ! cmp -s "$work/want" "$work/got.n"; then
		not_ok "$kind $name ($rule): $(diff "$work/want" "$work/got.n" | grep -c '^[<>]') lines of $(wc -l <"$work/want") differ"
	elif [ -n "$line" ]; then
		not_ok "$kind $name: unexpected on standard error: $line"
		return
	else
		ok "$kind $name${rule:+ ($rule)}"
		return
	fi
	diff "$work/want" "$work/got.n" | grep '^[<>]' | head -n "$lines" | cut -c1-180 | sed 's/^/#   /'
}

count() { # FILE: what stock perf does not print
	local path=$1 name=${1##*/} want rule talk rc got line

	rule_of "$name" count
	want=$rule
	if [ "$want" = exact ]; then
		ok "$name # SKIP stock perf 7.2 prints nothing and the table names no number of samples"
		return
	fi
	run_ours "$work/empty" "$path" --no-inline -G
	rc=$?
	got=$(wc -l <"$work/got")
	line=$(unexpected_talk "$work/err" "$talk")
	if [ $rc -ge 124 ] && [ $rc -ne 129 ] || grep -q Sanitizer "$work/err"; then
		not_ok "count $name: exit status $rc"
	elif [ "$got" -ne "$want" ]; then
		not_ok "count $name: $got samples, want $want: $(tail -n 1 "$work/err" | cut -c1-160)"
	elif [ -n "$line" ]; then
		not_ok "count $name: unexpected on standard error: $line"
	elif [ "$talk" != - ] && [ "$talk" != '.*' ] && [ ! -s "$work/err" ]; then
		not_ok "count $name: says nothing about what is missing"
	else
		ok "count $name: $got samples"
	fi
}

wanted() { # NAME GLOB...
	local name=$1 g
	shift
	for g; do
		# shellcheck disable=SC2053
		[[ $name == $g ]] && return 0
	done
	return 1
}

for path in "$data"/perfdata/* "$data"/derived/*; do
	name=${path##*/}
	wanted "$name" "$@" || continue
	if [ -e "$data/reference/$name.script.perf7.2.txt.zst" ]; then
		compare "$path" script "$work/empty" 7.2
	else
		count "$path"
	fi
	compare "$path" script "$work/empty" 6.1
	if [ -e "$data/reference/$name.symfs.perf7.2.txt.zst" ]; then
		symfs_tree "$name" || continue
		compare "$path" symfs "$work/symfs" 7.2
		compare "$path" symfs "$work/symfs" 6.1
	fi
done
echo "1..$n"
exit $failed
