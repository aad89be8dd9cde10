#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A recording whose recorder was killed is told from one that ended: prec is killed with -9 while it
# records in several ways, and every command says so; prec that is stopped, ends with its command or
# starts a new file leaves files without that. Both stock perfs read a marked file as the same file
# without the mark.

set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-$PWD/bin}
PERF=${PERF:-$(command -v perf)} PERF72=${PERF72-$(command -v perf-sid)}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}
[ -x "$BIN/prec" ] || skip_all "no prec in $BIN"
D=$(mktemp -d /tmp/killed.XXXXXX) || exit 2
pids=()
trap 'kill -9 "${pids[@]}" 2> /dev/null; rm -rf "$D"' EXIT
event=cpu-clock:u
"$BIN/prec" -q -e $event -o "$D/can" true > "$D/can.log" 2>&1 ||
	skip_all "nothing can be recorded: $(head -n 1 "$D/can.log")"

n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

perl -e 'for (;;) { for (1 .. 100000) { } select(undef, undef, undef, 0.01) }' &
load=$!
pids+=("$load")

mark_size() { od -A n -t u8 -j 64 -N 8 "$1" 2> /dev/null | tr -d ' '; }
# records the load until samples have been committed; the recorder is $pid then
start() { # FILE OPTIONS...
	local file=$1 i
	shift
	"$BIN/prec" -e $event -p "$load" -o "$file" "$@" > /dev/null 2> "$D/prec.err" &
	pid=$!
	pids+=("$pid")
	for ((i = 0; i < 100; i++)); do
		[ "$(mark_size "$file")" = 16 ] && "$BIN/pscript" -F time -i "$file" 2>&1 | grep -q '^ *[0-9]*\.' && break
		sleep 0.05
	done
}
end_by() { # SIGNAL
	kill "-$1" "$pid" && wait "$pid" 2> /dev/null
}

missing='the recorder did not finish: what follows its last write'
says_so() { # FILE: nothing when every command does
	local file=$1 c err
	for c in prep pann pscript pfold pevlist; do
		err=$(HOME=$D "$BIN/$c" -i "$file" 2>&1 > "$D/out" < /dev/null)
		case $err in
		*"no disassembler"*) continue ;;
		*"$c: warning: $file: $missing at "[0-9]*" (20"*") is missing"*) continue ;;
		# it reads no samples
		*"pevlist: warning: $file: $missing (20"*") is missing"*) continue ;;
		esac
		echo "$c: ${err:-nothing}"
	done
	HOME=$D "$BIN/prep" --quality=json -i "$file" 2>&1 > "$D/out" | grep -q '"unfinished":true' ||
		echo 'prep: not in JSON'
	HOME=$D "$BIN/pscript" -F time -i "$file" 2> "$D/err" | grep -q . || echo "pscript: no samples"
}
is_silent() { # FILE
	HOME=$D "$BIN/prep" --quality=json -i "$1" > "$D/out" 2> "$D/err"
	grep 'did not finish' "$D/err"
	grep -q '"unfinished":false' "$D/err" || cat "$D/err"
}

i=0
for mode in '-g' '-g -z' '--call-graph dwarf' '--switch-output=1s'; do
	i=$((i + 1))
	# shellcheck disable=SC2086
	start "$D/k$i" $mode
	end_by 9
	result "prec $mode, killed" "$(says_so "$D/k$i")"
done
for signal in INT TERM; do
	start "$D/end"
	end_by $signal
	result "prec, ended by SIG$signal" "$(is_silent "$D/end")"
done
start "$D/switched" --switch-output
kill -USR2 "$pid"
for ((i = 0; i < 100; i++)); do
	[ -n "$(find "$D" -name 'switched.2*')" ] && break
	sleep 0.05
done
end_by 9
for file in "$D"/switched.2*; do
	result "a file that --switch-output has completed" "$(is_silent "$file")"
done
result "an ended command" "$(is_silent "$D/can")"

# streams, which have a mark of their own
for signal in 9 INT; do
	"$BIN/prec" -e $event -g -p "$load" -o - > "$D/stream" 2> "$D/prec.err" &
	pid=$!
	pids+=("$pid")
	for ((i = 0; i < 100; i++)); do
		"$BIN/pscript" -F time -i "$D/stream" 2>&1 | grep -q '^ *[0-9]*\.' && break
		sleep 0.05
	done
	end_by $signal
	cp "$D/stream" "$D/stream-$signal"
done
why=$("$BIN/prep" --quality=json -i "$D/stream-9" 2>&1 > "$D/out")
case $why in
*"$missing at "[0-9]*" is missing"*'"unfinished":true'* | *'"unfinished":true'*"$missing at "*) why='' ;;
esac
result "a stream, killed" "$why"
why=$("$BIN/pscript" -i - < "$D/stream-9" 2>&1 > "$D/out" | grep -c "$missing")
result "... from a pipe" "$([ "$why" = 1 ] || echo "pscript: $why warnings")"
result "a stream that has ended" "$(is_silent "$D/stream-INT"; "$BIN/pevlist" -i "$D/stream-INT" 2>&1 > "$D/out")"
# what does not read to the end does not know
result "the header of a stream" "$("$BIN/prep" --header-only -i "$D/stream-9" 2>&1 > "$D/out")"
kill $load

# the mark taken out
cp "$D/k1" "$D/plain"
dd if=/dev/zero of="$D/plain" bs=1 seek=56 count=16 conv=notrunc 2> /dev/null
touch -r "$D/k1" "$D/plain"
cp "$D/stream-INT" "$D/marked"
python3 - "$D/marked" "$D/unmarked" << 'END' 2> /dev/null || cp "$D/marked" "$D/unmarked"
import struct, sys
data, at = open(sys.argv[1], "rb").read(), 16
out = data[:at]
while at + 8 <= len(data):
    kind, misc, size = struct.unpack_from("=IHH", data, at)
    if kind != 78 or data[at + 8:at + 16] != b"PRECSTRM":
        out += data[at:at + size]
    at += size
open(sys.argv[2], "wb").write(out)
END
touch -r "$D/marked" "$D/unmarked"
for perf in "$PERF" "$PERF72"; do
	if [ ! -x "$perf" ]; then
		n=$((n + 1))
		echo "ok $n - ${perf:-stock perf} # SKIP it is not installed"
		continue
	fi
	why=
	for words in 'report --header-only -I' 'report --stdio -g none' 'script' 'report -D' 'evlist -v' \
		'buildid-list' 'inject -b -o i.data'; do
		for file in k1 plain; do
			# shellcheck disable=SC2086
			(cd "$D" && cp -p $file p.data && exec timeout 60 "$perf" $words -i p.data) \
				> "$D/$file.out" 2> "$D/$file.err" < /dev/null
			echo "status $?" >> "$D/$file.out"
			sed -i '/^# (Tip: /d' "$D/$file.out" # one of many, by chance
			[ ! -e "$D/i.data" ] || md5sum < "$D/i.data" >> "$D/$file.out"
			rm -f "$D/i.data"
		done
		cmp -s "$D/k1.out" "$D/plain.out" && cmp -s "$D/k1.err" "$D/plain.err" ||
			why+="perf $words differs: $(diff "$D/plain.err" "$D/k1.err" | head -n 3)"$'\n'
	done
	result "$("$perf" --version | head -n 1) reads a marked file as one without the mark" "$why"
	why=
	for words in 'report --stdio -g none' script 'evlist -v' 'report --header'; do
		for file in marked unmarked; do
			# shellcheck disable=SC2086
			timeout 60 "$perf" $words -i - < "$D/$file" 2> "$D/$file.err" | sed '/^# (Tip: /d' > "$D/$file.out"
		done
		cmp -s "$D/marked.out" "$D/unmarked.out" && cmp -s "$D/marked.err" "$D/unmarked.err" ||
			why+="perf $words differs: $(diff "$D/unmarked.out" "$D/marked.out" | head -n 3)"$'\n'
	done
	result "... and a marked stream" "$why"
done
echo "1..$n"
exit $failed
