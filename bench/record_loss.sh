#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does prec lose samples, and what does a sample cost it? Stock perf and prec record the same
# workload in turns, several times over; a table and verdicts follow.
#
#	bench/record_loss.sh [dwarf|fp|threads|short]...	all of them without words
#
#	dwarf	two busy threads, 30 frames deep, --call-graph dwarf -F 20000, attached
#	fp	the same with -g
#	threads	400 threads of a command
#	short	4,000 processes in 5 s: forked, executed, executed three times each; and threads
#
# The recorder's processor time is its own: the workload is another process (-p), and of what the
# recorder waits for there is a sleep only. BENCH_RUNS=3 turns, BENCH_SECONDS=5 of each,
# BENCH_FREQ=20000. More variables: bench/record_common.sh. Status 1 when a verdict is MISSED.

. "$(dirname "$0")/record_common.sh"
: "${BENCH_RUNS:=3}" "${BENCH_SECONDS:=5}" "${BENCH_FREQ:=20000}"
[ $# -gt 0 ] || set -- dwarf fp threads short

build_workload w_busy
build_workload w_short
can_record
about_machine

row() { # LABEL WHO COUNTS CPU-SECONDS: printed, and kept in $D/rows
	awk -v label="$1" -v who="$2" -v cpu="$4" '
		{ c[$1] = $2 }
		END {
			lost = c["lost"] > c["lost_samples"] ? c["lost"] : c["lost_samples"]
			n = c["samples"] ? c["samples"] : 1
			printf "%-8s %-5s %8d %8d %7.2f %8.3f %9.2f %10.1f %7d %7d %7d %7d\n",
				label, who, c["samples"], lost, lost * 100 / (n + lost), cpu,
				cpu * 1e6 / n, c["file_bytes"] / n, c["forks"], c["execs"], c["exits"],
				c["tasks_sampled"]
		}' "$3" | tee -a "$D/rows"
}

col() { # LABEL WHO COLUMN: the median of the turns
	awk -v l="$1" -v w="$2" -v c="$3" '$1 == l && $2 == w { print $c }' "$D/rows" | median
}

# The worst of the turns.
most() { awk -v l="$1" -v w="$2" -v c="$3" '$1 == l && $2 == w && $c > m { m = $c } END { print m + 0 }' "$D/rows"; }
least() { awk -v l="$1" -v w="$2" -v c="$3" '$1 == l && $2 == w && (!n++ || $c < m) { m = $c } END { print m + 0 }' "$D/rows"; }

attached() { # LABEL WHO OPTIONS...
	local label=$1 who=$2 pid words

	shift 2
	read -ra words <<< "$(recorder "$who")"
	rm -f "$D/a.data"
	"$D/w_busy" 2 30 $((BENCH_SECONDS + 3)) > /dev/null &
	pid=$!
	bench_pids+=("$pid")
	sleep 0.2
	if ! "$TOOLS/measure" 1 "$D/cpu" "${words[@]}" -e "$BENCH_EVENT" -F "$BENCH_FREQ" "$@" \
		-o "$D/a.data" -p $pid -- sleep "$BENCH_SECONDS" 2> "$D/$who.err"; then
		echo "# $who failed: $(tail -n 1 "$D/$who.err")"
		failed=1
	fi
	kill $pid 2> /dev/null
	wait $pid 2> /dev/null
	[ -s "$D/a.data" ] || return
	"$TOOLS/count_records" "$D/a.data" > "$D/counts"
	row "$label" "$who" "$D/counts" "$(awk '{ print $2 }' "$D/cpu")"
	rm -f "$D/a.data"
}

commanded() { # LABEL WHO WORKLOAD...: the recorder's time is not known here
	local label=$1 who=$2 words

	shift 2
	read -ra words <<< "$(recorder "$who")"
	rm -f "$D/a.data"
	"${words[@]}" -e "$BENCH_EVENT" -F "$BENCH_FREQ" -g -o "$D/a.data" -- "$@" \
		> /dev/null 2> "$D/$who.err" || echo "# $who: status $?: $(tail -n 1 "$D/$who.err")"
	[ -s "$D/a.data" ] || return
	"$TOOLS/count_records" "$D/a.data" > "$D/counts"
	row "$label" "$who" "$D/counts" 0
	rm -f "$D/a.data"
}

: > "$D/rows"
printf '%-8s %-5s %8s %8s %7s %8s %9s %10s %7s %7s %7s %7s\n' what who samples lost 'lost %' 'cpu s' \
	'us/sample' 'B/sample' forks execs exits sampled
for what; do
	for ((turn = 0; turn < BENCH_RUNS; turn++)); do
		for who in perf prec; do
			case $what in
			dwarf) attached dwarf $who --call-graph dwarf ;;
			fp) attached fp $who -g ;;
			threads) commanded threads $who "$D/w_busy" 400 5 "$BENCH_SECONDS" ;;
			short)
				for kind in fork exec chain threads; do
					commanded short-$kind $who "$D/w_short" $kind 4000 5
				done
				;;
			*) sed -n '/^#\t/s/^#\t//p' "$0" >&2; exit 129 ;;
			esac
		done
	done
done
echo
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", (b > 0 ? a / b : 0) }'; }
for what; do
	case $what in
	dwarf | fp)
		lost=$(most $what prec 4) cpu=$(ratio "$(col $what prec 7)" "$(col $what perf 7)")
		size=$(ratio "$(col $what prec 8)" "$(col $what perf 8)")
		verdict "$lost == 0 && $(least $what prec 3) > 0" \
			"$what: prec loses $lost samples ($PERF loses $(col $what perf 5) %)"
		verdict "$cpu <= 1 && $cpu > 0" "$what: $cpu of $PERF's processor time a sample"
		[ $what = fp ] || verdict "$size <= 0.25 && $size > 0" "$what: $size of $PERF's bytes a sample"
		;;
	threads)
		verdict "$(most threads prec 4) == 0" "400 threads: lost $(most threads prec 4)"
		verdict "$(least threads prec 9) == 400 && $(least threads prec 12) >= 400" \
			"400 threads: $(least threads prec 9) began, $(least threads prec 12) were sampled"
		;;
	short)
		for kind in fork exec chain threads; do
			case $kind in fork | threads) execs=1 ;; exec) execs=4001 ;; chain) execs=12001 ;; esac
			l=short-$kind
			verdict "$(most $l prec 4) == 0 && $(least $l prec 9) == 4000 && \
				$(least $l prec 10) == $execs && $(least $l prec 11) == 4001" \
				"4,000 of $kind: lost $(most $l prec 4), began $(least $l prec 9), executed $(least \
				$l prec 10) of $execs, ended $(least $l prec 11) of 4001"
		done
		;;
	esac
done
exit "$failed"
