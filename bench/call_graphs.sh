#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The default question: -g or --call-graph unwind? Both record the same programs, in turns. A row for
# each program and mode:
#
#	whole %		stacks that reach the start of the thread; of -g those that lack no caller, as far as call frame
#			information tells (record/review/lost_callers.h)
#	B/sample	bytes of the file for each sample
#	prec us		processor time of the recorder for each sample
#	target +%	processor time of the program beyond that of a run without a recorder
#
#	bench/call_graphs.sh [PROGRAM...]	clang++ g++ python3 node perl bash git sqlite3 gzip xz
#
# BENCH_FREQ=4000 BENCH_RUNS=3. More variables: bench/record_common.sh. Programs that are not
# installed are left out.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_FREQ:=4000}" "${BENCH_RUNS:=3}"
[ -x "$TOOLS/judge_callers" ] || skip_bench "no judge_callers in $TOOLS (make test-programs)"
command -v python3 > /dev/null || skip_bench "no python3"
can_record
about_machine
[ $# -gt 0 ] || set -- clang++ g++ python3 node perl bash git sqlite3 gzip xz

cat > "$D/busy.py" << 'P'
import json, re
for i in range(400):
    json.loads(json.dumps({str(k): [k] * 5 for k in range(400)}))
    re.compile("a%d(b|c)*" % i)
P
cat > "$D/busy.js" << 'J'
function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
let s = 0; for (let i = 0; i < 12; i++) s += f(30) + JSON.stringify([...Array(30000).keys()]).length;
console.log(s);
J
cat > "$D/storm.sh" << 'S'
for i in $(seq 300); do /bin/true; x=$(echo a | cat); done
S
# shellcheck disable=SC2016
perl_text='my %h; for my $i (1 .. 900000) { $h{$i % 1000} .= chr(65 + $i % 26); } print length join("", map { $h{$_} } sort keys %h), "\n";'
sql='with recursive c(x) as (select 1 union all select x + 1 from c where x < 400000) select count(*), sum(length(x || "a")) from c group by x % 7 order by 2;'
head -c 12000000 /dev/zero | tr '\0' a > "$D/zeros"
cat "$BIN"/* | head -c 20000000 >> "$D/zeros"
: > "$D/null.c"

words_of() { # PROGRAM: sets words
	case $1 in
	clang++) words=(clang++ -std=gnu++17 -fsyntax-only bench/plain.cc) ;;
	g++) words=(g++ -std=gnu++17 -fsyntax-only bench/plain.cc) ;;
	python3) words=(python3 "$D/busy.py") ;;
	node) words=(node --perf-basic-prof --interpreted-frames-native-stack "$D/busy.js") ;;
	perl) words=(perl -e "$perl_text") ;;
	bash) words=(bash "$D/storm.sh") ;;
	git) words=(git log --stat -n 300) ;;
	sqlite3) words=(sqlite3 :memory: "$sql") ;;
	gzip) words=(gzip -c "$D/zeros") ;;
	xz) words=(xz -1 -c "$D/zeros") ;;
	*) words=("$1") ;;
	esac
	command -v "${words[0]}" > /dev/null
}

# Processor seconds of the program alone, children included.
alone() { "$TOOLS/measure" 1 "$D/cpu" "${words[@]}"; awk '{ print $2 }' "$D/cpu"; }

# A recorder and the program under it: sets all_cpu (both) and target_cpu.
under() { # MODE...
	rm -f "$D/a.data"
	"$TOOLS/measure" 1 "$D/all" "$PREC" -q "$@" -e "$BENCH_EVENT" -F "$BENCH_FREQ" -o "$D/a.data" -- \
		"$TOOLS/measure" 1 "$D/target" "${words[@]}"
	all_cpu=$(awk '{ print $2 }' "$D/all") target_cpu=$(awk '{ print $2 }' "$D/target")
	"$TOOLS/count_records" "$D/a.data" > "$D/counts"
}

whole_of() { # MODE
	local n bytes
	n=$(count_of "$D/counts" samples) bytes=$(count_of "$D/counts" file_bytes)
	if [ "$1" = -g ]; then
		"$TOOLS/judge_callers" "$D/a.data" "$n" "$bytes" |
			awk '{ v[$1] = $2 } END { printf "%.1f", v["stacks"] ? 100 - 100 * v["lacking"] / v["stacks"] : 0 }'
	else
		# of the stacks with a user part
		"$BIN/prep" --stdio --quality=json -i "$D/a.data" 2>&1 > /dev/null | python3 -c '
import json, sys
ends = json.load(sys.stdin)["recordings"][0]["events"][0]["ends"]
whole = ends["complete"]["samples"]
cut = sum(ends[k]["samples"] for k in ("truncated", "no_unwind_info", "broken", "cut_at_limit"))
print("%.1f" % (100 * whole / max(whole + cut, 1)), end="")'
	fi
}

printf '%-10s %-8s %8s %8s %9s %8s %9s\n' program mode samples 'whole %' B/sample 'prec us' 'target +%'
for program; do
	words_of "$program" || { echo "# $program: not installed"; continue; }
	: > "$D/rows"
	for ((turn = 0; turn < BENCH_RUNS; turn++)); do
		base=$(alone)
		for mode in -g unwind; do
			if [ $mode = -g ]; then under -g; else under --call-graph unwind; fi
			echo "$mode $(count_of "$D/counts" samples) $(whole_of $mode) $(count_of "$D/counts" file_bytes)" \
				"$all_cpu $target_cpu $base" >> "$D/rows"
		done
	done
	for mode in -g unwind; do
		pick() { awk -v m=$mode "\$1 == m { print $1 }" "$D/rows" | median; }
		printf '%-10s %-8s %8d %8.1f %9.1f %8.2f %9.1f\n' "$program" $mode "$(pick '$2')" "$(pick '$3')" \
			"$(pick '$4 / $2')" "$(pick '($5 - $6) * 1e6 / $2')" "$(pick '100 * ($6 - $7) / $7')"
	done
done
