#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prep's shares of wall clock time where perf 7.2 is wrong or refuses (KNOWN-DIFFERENCES.md), of
# recordings of tests/tools/odd_recording.c. Where they agree, odd_recordings.sh compares them.
#
#	tests/checks/latency.sh

cd "$(dirname "$0")/../.." || exit 2
: "${O:=build/gcc}" "${BIN:=$PWD/bin}"
export LC_ALL=C PERF_CONFIG=/dev/null
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
make=$O/tests/tools/odd_recording

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] && [ -x "$make" ] || skip "prep or odd_recording is not built"
"$make" switches > "$work/file"
"$make" switches-of-a-pipe > "$work/pipe"

n=0 failed=0
check() { # NAME COMMAND...: prints what standard input has
	local name=$1
	shift
	n=$((n + 1))
	cat > "$work/want"
	if diff "$work/want" <("$@" 2>&1) > "$work/diff"; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/diff"
	fi
}

check "children_of_parallelism: a sample counts once in each row" \
	"$BIN/prep" -q -g none -F overhead_children,latency_children,parallelism -s parallelism \
	-i "$work/file" << 'END'
    30.00%   52.17%            1
    25.00%   21.74%            2
    45.00%   26.09%            3


END
check "latency_of_a_pipe: --latency" "$BIN/prep" -q -g none --no-children --latency -s comm -i "$work/pipe" << 'END'
    66.67%    65.00%  one    
    33.33%    35.00%  two    


END
check "latency_of_a_pipe: --parallelism" "$BIN/prep" -q -g none --no-children --parallelism 3 -s comm -i "$work/pipe" << 'END'
    25.00%  one    
    20.00%  two    


END
echo "1..$n"
exit $failed
