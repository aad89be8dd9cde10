#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prep's tables against those of the newest stock perf that is installed (PERF72, else perf-sid on
# PATH), on recordings made here and now and on public ones of ../shared/data: every option set of
# tests/known/prep_options.txt on every recording; stacks as long as perf has them. Every line is compared, blanks at the ends included.
# Whatever differs must be listed in tests/known/prep_known.tsv.
#
#	tests/checks/prep.sh		a part of it, some seconds
#	tests/checks/prep.sh --all	everything
#	tests/checks/prep.sh --all FILE...	on these recordings
#	V=N ...				the first N lines of each difference, too

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/without_tip.sh
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC
PERF72=${PERF72:-$(command -v perf-sid)}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
public=../shared/data/perfdata
all=
[ "${1-}" = --all ] && all=1 && shift

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] || skip "prep is not built"
[ -n "$PERF72" ] && [ -x "$PERF72" ] || skip "no stock perf 7.x here (PERF72)"

# Recursion, threads of several names, system calls, and plt slots.
workload() {
	cat > "$work/w.c" <<- 'C'
		#include <pthread.h>
		#include <stdio.h>
		#include <sys/prctl.h>
		#include <unistd.h>
		static volatile unsigned long x;
		__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) x += i * i; }
		__attribute__((noinline)) int rec(int d, int n)
		{
			if (!d) { leaf(n); return 0; }
			return rec(d - 1, n) + 1;
		}
		__attribute__((noinline)) void sys(void)
		{
			for (int i = 0; i < 100; i++) {
				FILE *f = fopen("/proc/self/stat", "r");
				char b[64];
				if (f) { x += fread(b, 1, 64, f); fclose(f); }
			}
		}
		static void *th(void *a)
		{
			prctl(PR_SET_NAME, a);
			for (int i = 0; i < 15; i++) { rec(i % 7, 300000); sys(); }
			return NULL;
		}
		int main(void)
		{
			pthread_t t;
			pthread_create(&t, NULL, th, "alpha");
			th("w");
			pthread_join(t, NULL);
			return x == 42;
		}
	C
	cc -O1 -g -fno-omit-frame-pointer -o "$work/w" "$work/w.c" -lpthread
}

# A program with inlined functions. All have linkage names: of others binutils' addr2line, which perf
# asks, tells the wrong name at first (KNOWN-DIFFERENCES.md, T23).
inlined_workload() {
	[ "$(uname -m)" = x86_64 ] || return
	c++ -O1 -g -nostdlib -static -o "$work/inlined" testdata/workloads/w_inline.cc 2> /dev/null
}

record() { # NAME ARGS...
	local name=$1
	shift
	timeout 60 "$PERF72" record -q -o "$work/$name.data" "$@" > /dev/null 2>&1 &&
		files+=("$work/$name.data")
}

files=("$@")
if [ ${#files[@]} = 0 ]; then
	workload || skip "no compiler"
	record chains -g -e cpu-clock "$work/w"
	[ ${#files[@]} != 0 ] || skip "recording is not permitted"
	inlined_workload && record inlined --call-graph dwarf,1024 -F 10000 -e cpu-clock:u "$work/inlined"
	if [ -n "$all" ]; then
		record dwarf --call-graph dwarf -F 1000 -e cpu-clock "$work/w"
		record plain -e cpu-clock "$work/w"
		record group -g -e '{cpu-clock,page-faults,context-switches}' "$work/w"
		record several -g -F 2000 -e cpu-clock,task-clock,page-faults "$work/w"
		record find -g --sample-cpu -e cpu-clock -- sh -c "'$work/w' & find /usr/share | sort; wait"
		record threads -s --namespaces -e cpu-clock,page-faults "$work/w"
		record sched -a -e sched:sched_switch,sched:sched_wakeup -- sleep 0.5
		for f in quipper__perf.data.callgraph-3.8 quipper__perf.data.group_desc-4.14 \
			 perfparser__vector_static_gcc_perf.data simpleperf__perf_g_fp.data \
			 quipper__perf.data.singleprocess-3.4 quipper__perf.data.branch-4.14 \
			 eclipse__perf.data; do
			[ -f "$public/$f" ] && files+=("$public/$f")
		done
	fi
fi

# Files of other machines: nothing of this host belongs to them.
args_of() {
	case $1 in "$public"/*) echo "--symfs $work/none" ;; esac
}

# Inlined functions have a recording of their own.
inlines_of() { [[ $1 == */inlined.data ]] || echo --no-inline; }

# What rules of the table leave of a text. "ties": lines of one weight in any order, and the nodes of
# a graph, whose drawing depends on which comes last.
apply_rules() { # RULES < TEXT
	local rule=${1%%,*} rest=
	[[ $1 == *,* ]] && rest=${1#*,}
	if [ -z "$rule" ]; then
		cat
		return
	fi
	case $rule in
	ties) sort_ties ;;
	sorted) sed -e 's/  */ /g' | sort ;;
	names) row_names ;;
	slots) mask_slots ;;
	several | raw) cat ;;
	strip=*) sed -E -e "s|${rule#strip=}||g" ;;
	drop=*) grep -E -v -- "${rule#drop=}" || true ;;
	mask=*) sed -E -e "s|${rule#mask=}|X|g" -e 's/  */ /g' ;;
	*) echo "unknown rule $rule" ;;
	esac | apply_rules "$rest"
}

# The mode and the address (-v) are those of whichever sample a row was made by.
row_names() {
	awk '
		/^ *[0-9]/ && !/--[0-9]/ && !/^ *0x[0-9a-f]+$/ {
			gsub(/ +/, " ")
			sub(/^( [0-9.]+%)+ /, "")
			sub(/^(0x)?[0-9a-f]+ [^ ] /, "")
			sub(/\[[.kguH]\] /, "")
			print
		}' | sort -u
}

# Where perf does not know a slot of .plt.got it has no names of slots to compare.
mask_slots() {
	if grep -q 'offset_0x[0-9a-f]*@plt' "$work/theirs"; then
		sed -E -e 's|[^ \t,;]+@plt|X|g' -e 's/  */ /g'
	else
		cat
	fi
}

sort_ties() {
	# names such as 0x2 are no numbers: "" makes texts of them
	awk '
	function flush_unit() {
		if (unit == "")
			return
		for (i = 2; i <= nr_nodes; i++) {
			x = nodes[i]
			for (j = i - 1; j >= 1 && nodes[j] "" > x ""; j--)
				nodes[j + 1] = nodes[j]
			nodes[j + 1] = x
		}
		for (i = 1; i <= nr_nodes; i++)
			unit = unit "\n" nodes[i]
		if (weight != last_weight)
			flush_group()
		last_weight = weight
		group[++nr] = unit
		unit = ""
		nr_nodes = 0
	}
	function flush_group() {
		for (i = 2; i <= nr; i++) {
			x = group[i]
			for (j = i - 1; j >= 1 && group[j] "" > x ""; j--)
				group[j + 1] = group[j]
			group[j + 1] = x
		}
		for (i = 1; i <= nr; i++)
			print group[i]
		nr = 0
	}
	/^ *[0-9]/ && !/--[0-9]/ && !/^ *0x[0-9a-f]+$/ {
		flush_unit()
		weight = $1
		sub(/[,:]$/, "", weight)
		gsub(/ +/, " ")
		unit = $0
		next
	}
	{
		gsub(/[|]/, " ")
		gsub(/ -+/, " ")
		gsub(/ +/, " ")
		if ($0 !~ /^ ?$/)
			nodes[++nr_nodes] = $0
		if (unit == "")
			unit = " "
	}
	END {
		flush_unit()
		flush_group()
	}'
}

# The rules for an option set on a recording: those of all rows that fit it.
rules_for() { # OPTIONS FILE
	local options=" $1 " recording=$2 all_rules= o f rules reason
	while IFS=$'\t' read -r o f rules reason; do
		[[ -z $o || $o == "#"* ]] && continue
		# shellcheck disable=SC2053
		[[ $options == *" $o "* || $o == "*" ]] && [[ $recording == $f ]] &&
			all_rules+=${all_rules:+,}$rules
	done < tests/known/prep_known.tsv
	echo "$all_rules"
}

raw_names() { grep -o '0x[0-9a-f]*' "$work/$1" | wc -l; }

# True when the rules take all that differs away.
is_known() { # OPTIONS FILE
	local rules
	rules=$(rules_for "$1" "${2##*/}")
	[[ ,$rules, == *,skip,* ]] && return 0
	[[ ,$rules, == *,raw,* ]] && [ "$(raw_names theirs)" -gt "$(raw_names ours)" ] && return 0
	[[ ,$rules, == *,several,* ]] && [ "$("$BIN/pevlist" -i "$2" | wc -l)" -gt 1 ] && return 0
	[ -n "$rules" ] || return 1
	cmp -s <(apply_rules "$rules" < "$work/theirs") <(apply_rules "$rules" < "$work/ours")
}

n=0 same=0 known=0 told=0
for f in "${files[@]}"; do
	i=0
	while IFS= read -r opts; do
		i=$((i + 1))
		[ -n "$all" ] || [ $((i % 4)) = 1 ] || continue
		n=$((n + 1))
		# shellcheck disable=SC2046,SC2086
		timeout 120 "$PERF72" report --stdio $(inlines_of "$f") -i "$f" $(args_of "$f") $opts \
			2> /dev/null < /dev/null | without_tip > "$work/theirs"
		# shellcheck disable=SC2046,SC2086
		timeout 60 "$BIN/prep" --no-join --max-stack 127 $(inlines_of "$f") -i "$f" \
			$(args_of "$f") $opts 2> "$work/err" < /dev/null |
			without_tip > "$work/ours"
		if cmp -s "$work/theirs" "$work/ours"; then
			same=$((same + 1))
			continue
		fi
		if is_known "$opts" "$f"; then
			known=$((known + 1))
			continue
		fi
		told=$((told + 1))
		echo "# ${f##*/} $opts: $(diff "$work/theirs" "$work/ours" | grep -c '^[<>]') of" \
		     "$(wc -l < "$work/theirs") lines differ"
		[ -n "${V-}" ] && diff "$work/theirs" "$work/ours" | head -n "$V" | sed 's/^/# /'
	done < tests/known/prep_options.txt
done
echo "# $same of $n tables are those of $("$PERF72" --version), $known differ as is known"
if [ $told = 0 ]; then
	echo "ok 1 - prep prints stock perf's tables"
	echo "1..1"
	exit 0
fi
echo "not ok 1 - prep prints stock perf's tables: $told differ"
echo "1..1"
exit 1
