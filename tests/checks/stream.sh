#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What readers of a stream print while it goes on: pscript and plat show the records that are certain
# as soon as the stream pauses. With permission to record: a rare event of prec's pipe shows in well
# under a second (the figure is printed), prec's end message accounts for each loss once, and plat counts what
# happens live.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n=0 failed=0
result() { # NAME, FAULTS
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1"
		printf '%s\n' "$2" | head -20 | sed 's/^/# /'
	fi
}

stream=testdata/pipe-tp-7.2/perf.data
result "pscript prints what a pausing stream has" "$(
	python3 tests/tools/stream_check.py paused "$stream" "$BIN/pscript" --no-pager -i - 2>&1)"
result "plat prints slow pairs of a pausing stream" "$(
	python3 tests/tools/stream_check.py paused "$stream" "$BIN/plat" --no-pager -b sched:sched_switch \
		-e sched:sched_switch --key '$cpu' --than 1ns -i - 2>&1)"

may_record() {
	[ -r /sys/kernel/tracing/events/sched/sched_process_exec/id ] &&
		timeout 10 "$BIN/prec" -q -a -e sched:sched_process_exec -o /dev/null true 2> /dev/null
}
if ! may_record; then
	echo "ok $((n + 1)) - a rare event of prec's pipe # SKIP no permission to record tracepoints"
	echo "1..$((n + 1))"
	exit $failed
fi

timeout 60 python3 tests/tools/stream_check.py lag "$BIN" 5 > "$work/lag" 2>&1
result "a rare event of prec's pipe shows soon: $(tail -1 "$work/lag")" \
	"$(grep -q '^median' "$work/lag" || cat "$work/lag")"

# a round is due when the next one has ended: that has much less, since it follows in 5 ms, not at the
# next 500; the last two are those of the end
"$BIN/prec" -q --flush-ms 500 -c 1 -e page-faults -o - -- sh -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.2; done' |
	"$BIN/prep" -D -i - 2> "$work/err" | awk '/PERF_RECORD_SAMPLE/ { n++ }
		/PERF_RECORD_FINISHED_ROUND/ { print n + 0; n = 0 }' > "$work/rounds"
result "a round of prec's pipe is followed by another one soon" "$(
	awk '{ n[NR] = $1 } END { for (i = 1; i < NR - 1; i++) soon += n[i] > 60 && n[i + 1] < n[i] / 2; exit !soon }' \
		"$work/rounds" || cat "$work/rounds" "$work/err")"

result "prec's end message has each loss once, of the event's own samples" "$(
	timeout 60 python3 tests/tools/stream_check.py loss "$BIN" "$work" 2>&1)"
result "plat live: counts of a loop, a table at Ctrl-C, the kept recording, intervals" "$(
	timeout 100 python3 tests/tools/stream_check.py live "$BIN" "$work" 2>&1)"
echo "1..$n"
exit $failed
