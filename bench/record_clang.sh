#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Complete stacks, at what size and what slow-down? clang++ compiles BENCH_SOURCE without recorder,
# under stock perf with its default of 8 KiB a stack, and under prec, in turns; both with -F 4000
# --call-graph dwarf and nothing else. The newest stock perf then prints both recordings, and the
# outermost frame of each stack tells its class:
#
#	start	_start of a program or of the dynamic loader, the entry point of its file, or clone of a
#		thread: the stack is complete
#	kernel	no user frame at all, as in execve and at exit: there is nothing to unwind
#	leaf	one user frame: unwinding did not get anywhere
#	cut	more than one, and then no more
#
# "reach the start" is start and kernel among all; "of user stacks" leaves kernel out.
#
#	bench/record_clang.sh
#
# Stacks that are deeper than what the kernel copies (64 KiB less what else a sample holds) cannot be
# complete; "deep" counts those of 63 KiB and more. bench/workload.cc as the source is one sixth such.
#
# BENCH_SOURCE=bench/plain.cc BENCH_RUNS=3 BENCH_FREQ=4000
# BENCH_CXX=clang++
# BENCH_PRINT_SECONDS=300 for printing one recording; what was printed by then counts.
# More variables: bench/record_common.sh. Status 1 when a verdict is MISSED.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_SOURCE:=bench/plain.cc}" "${BENCH_RUNS:=3}" "${BENCH_FREQ:=4000}"
: "${BENCH_CXX:=clang++}" "${BENCH_PRINT_SECONDS:=300}"
command -v "$BENCH_CXX" > /dev/null || skip_bench "no $BENCH_CXX"
command -v "$PERF72" > /dev/null || skip_bench "no $PERF72 (PERF72)"
can_record
about_machine
compile=("$BENCH_CXX" -std=gnu++17 -O2 -c "$BENCH_SOURCE" -o /dev/null)
"${compile[@]}" || skip_bench "$BENCH_SOURCE cannot be compiled"

once() { # WHO
	local words=()

	if [ "$1" != none ]; then
		read -ra words <<< "$(recorder "$1")"
		words+=(-F "$BENCH_FREQ" --call-graph dwarf -o "$D/$1.data" --)
	fi
	# The inner one times the compilation, the outer one what the user waits for.
	if ! "$TOOLS/measure" 1 "$D/time" ${words[@]+"${words[@]}"} \
		"$TOOLS/measure" 1 "$D/inner" "${compile[@]}" 2> "$D/$1.err"; then
		echo "# $1 failed: $(tail -n 1 "$D/$1.err")"
		failed=1
	fi
	cut -d' ' -f1 "$D/time" >> "$D/$1.whole"
	cut -d' ' -f1 "$D/inner" >> "$D/$1.wall"
	cut -d' ' -f2 "$D/inner" >> "$D/$1.cpu"
}

for ((turn = 0; turn < BENCH_RUNS; turn++)); do
	for who in none perf prec; do
		rm -f "$D/$who.data" "$D/$who.data.old"
		once $who
	done
done

# "OBJECT+0xOFFSET" of a program's entry point in its file.
entry_of() { # PATH
	local entry

	entry=$(readelf -hW "$1" 2> /dev/null | sed -n 's/.*Entry point address: *0x//p')
	[ -n "$entry" ] || return
	readelf -lW "$1" 2> /dev/null | awk '$1 == "LOAD" { print $2, $3, $5 }' |
		while read -r off vaddr size; do
			if ((0x$entry >= vaddr && 0x$entry < vaddr + size)); then
				printf '%x\n' $((0x$entry - vaddr + off))
			fi
		done
}

classes() { # TEXT: "CLASS COUNT" lines
	local entries object

	# The entry points of what the chains end in.
	entries=$(awk '/^$/ { print last } { last = $0 } END { print last }' "$1" |
		sed -n 's/.*(\(\/.*\)+0x[0-9a-f]*)$/\1/p' | sort -u |
		while read -r object; do echo "$object $(entry_of "$object")"; done)
	awk -v entries="$entries" '
		function hex(s,  i, v) {
			v = 0
			for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return v
		}
		function at_entry(line,  path, off) {
			if (!match(line, /\(\/.*\+0x[0-9a-f]+\)$/))
				return 0
			path = substr(line, RSTART + 1, RLENGTH - 2)
			off = path
			sub(/\+0x[0-9a-f]+$/, "", path)
			sub(/.*\+0x/, "", off)
			# the return address of the call in _start
			return path in entry && hex(off) >= entry[path] && hex(off) <= entry[path] + 64
		}
		function end_sample() {
			if (!open)
				return
			if (!user)
				n["kernel"]++
			else if (last ~ / (_start|_dl_start_user|_dl_start|__clone|__clone3|clone3?|start_thread) \(/ ||
				 at_entry(last))
				n["start"]++
			else {
				n[user > 1 ? "cut" : "leaf"]++
				ends[last]++
			}
			open = user = 0
		}
		BEGIN {
			nr = split(entries, line, "\n")
			for (i = 1; i <= nr; i++) {
				split(line[i], w, " ")
				entry[w[1]] = hex(w[2])
			}
		}
		/^$/ { end_sample(); next }
		/^[^ \t]/ || !/^[ \t]+[0-9a-f]+ / { end_sample(); open = 1; next }
		{
			if ($0 !~ /\(\[[^\])]*\](\+0x[0-9a-f]+)?\)$/ || /\(\[(vdso|vsyscall)\]/)
				user++
			last = $0
			sub(/^[ \t]+[0-9a-f]+/, "", last)
		}
		END {
			end_sample()
			for (c in n)
				print c, n[c]
			for (e in ends)
				print "end", ends[e], e
		}' "$1"
}

for who in perf prec; do
	[ -s "$D/$who.data" ] || skip_bench "$who recorded nothing"
	"$TOOLS/count_records" "$D/$who.data" > "$D/$who.counts"
	timeout "$BENCH_PRINT_SECONDS" "$PERF72" script --no-inline --max-stack 4096 \
		-F comm,pid,time,ip,sym,dso,dsoff -i "$D/$who.data" > "$D/$who.txt" 2> "$D/$who.print-err"
	status=$?
	[ $status -eq 0 ] || echo "# $PERF72 script on $who's: status $status: $(tail -n 1 "$D/$who.print-err")"
	sort "$D/$who.print-err" | uniq -c | head -n 5 | sed "s/^/# $PERF72 on $who's: /"
	classes "$D/$who.txt" > "$D/$who.classes"
done

value() { awk -v c="$2" '$1 == c { print $2; f = 1 } END { if (!f) print 0 }' "$D/$1.classes"; }

printf '\n%-6s %8s %7s %8s %8s %8s %8s %8s  %7s %7s  %9s %9s  %8s %8s %7s %8s\n' who samples lost start kernel leaf \
	cut deep 'start %' 'user %' 'file MB' 'B/sample' 'wall s' 'cpu s' 'slower' 'whole s'
base=$(median < "$D/none.wall")
printf '%-6s %8s %7s %8s %8s %8s %8s %8s  %7s %7s  %9s %9s  %8.2f %8.2f\n' none - - - - - - - - - - - "$base" \
	"$(median < "$D/none.cpu")"
for who in perf prec; do
	s=$(value $who start) k=$(value $who kernel) l=$(value $who leaf) c=$(value $who cut)
	awk -v who=$who -v s="$s" -v k="$k" -v l="$l" -v c="$c" -v n="$(count_of "$D/$who.counts" samples)" \
		-v lost="$(count_of "$D/$who.counts" lost_samples)" -v b="$(stat -c %s "$D/$who.data")" \
		-v wall="$(median < "$D/$who.wall")" -v cpu="$(median < "$D/$who.cpu")" -v base="$base" \
		-v deep="$(count_of "$D/$who.counts" stack_deep)" \
		-v whole="$(median < "$D/$who.whole")" '
		BEGIN {
			all = s + k + l + c
			user = s + l + c
			printf "%-6s %8d %7d %8d %8d %8d %8d %8d  %7.2f %7.2f  %9.2f %9.1f  %8.2f %8.2f %6.1f%% %8.2f\n",
				who, n, lost, s, k, l, c, deep, all ? (s + k) * 100 / all : 0,
				user ? s * 100 / user : 0, b / 1048576, n ? b / n : 0, wall, cpu,
				base ? (wall / base - 1) * 100 : 0, whole
		}' | tee "$D/$who.row"
done
for who in perf prec; do
	echo "# where $who's incomplete stacks end most:"
	grep '^end' "$D/$who.classes" | sort -k2,2nr | head -n 5 | cut -c5-120 | sed 's/^/#   /'
done
echo
verdict "$(awk '{ print $9 }' "$D/prec.row") >= 95" \
	"$(awk '{ print $9 }' "$D/prec.row") % of prec's stacks reach the start ($PERF: $(awk '{ print $9 }' "$D/perf.row") %)"
size=$(awk 'NR == 1 { a = $11 } NR == 2 { printf "%.2f", a / $11 }' "$D/prec.row" "$D/perf.row")
verdict "$size <= 0.5" "prec's file is $size of $PERF's"
slower() { awk -v r="$(awk '{ sub("%", "", $15); print $15 }' "$D/$1.row")" 'BEGIN { print r }'; }
echo "info    the compilation takes $(slower perf) % longer with $PERF, $(slower prec) % with prec"
exit "$failed"
