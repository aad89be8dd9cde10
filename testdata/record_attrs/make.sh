#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Writes NAME.txt for each line of ./sets (or those named) from the attrs that the stock perf here
# opens, as README.md says. Needs root, perf 6.1 and tracefs.
#	make.sh [-o FOLDER] [NAME...]
# PERF names another perf.

set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
: "${PERF:=perf}"
out=$here
if [ "${1-}" = -o ]; then
	out=$2
	shift 2
fi
export LC_ALL=C
unset PERF_CONFIG
work=$(mktemp -d) || exit 2
sleep 600 > /dev/null 2>&1 &
sleeper=$!
trap 'kill "$sleeper"; wait; rm -rf "$work"' EXIT
export HOME=$work

# -B: build-ids are not gathered at the end, which changes no attr but saves time.
#
# The first attempt at each event. A block that follows a refused one is the same event tried again;
# the event of perf's own BPF thread is no event of the recording.
awk_attrs='
function flush_event() {
	if (block != "" && !own && (nr == 0 || settled)) {
		printf "%s%s %s\n", block, "open: " group, result
		nr++
	}
	if (block != "" && !own)
		settled = result == "opened"
	block = ""
}
/^perf_event_attr:/ { flush_event(); reading = 1; own = watermark = bpf = 0; config = ""; tried = 0; result = "" }
/^------/ { reading = 0 }
reading {
	block = block $0 "\n"
	if ($1 == "watermark") watermark = 1
	if ($1 == "bpf_event") bpf = 1
	if ($1 == "config") config = $2
	if (watermark && (bpf || config == "0x9")) own = 1
}
/^sys_perf_event_open: pid/ {
	if (!tried) {
		match($0, /group_fd -?[0-9]+/)
		group = substr($0, RSTART + 9, RLENGTH - 9) == "-1" ? "leader" : "member"
		result = /= [0-9]+$/ ? "opened" : "refused"
		tried = 1
	}
}
END { flush_event() }'

# perf waits for its own threads, a second a run: some run at a time
one() {
	local dir=$work/$1 words

	mkdir "$dir"
	read -r -a words <<< "${2//%SLEEP/$sleeper}"
	timeout 30 "$PERF" record -vv -B -o "$dir/perf.data" "${words[@]}" > "$dir/log" 2>&1 < /dev/null
	{
		echo "args: $2"
		awk "$awk_attrs" "$dir/log"
	} > "$out/$1.txt"
	if ! grep -q '^perf_event_attr:' "$out/$1.txt"; then
		echo "$1: nothing was opened:" >&2
		tail -n 3 "$dir/log" >&2
		touch "$work/bad"
	fi
	rm -rf "$dir"
}

running=0
while IFS=$'\t' read -r name args; do
	case $name in '#'* | '') continue ;; esac
	if [ $# -gt 0 ]; then
		case " $* " in *" $name "*) ;; *) continue ;; esac
	fi
	if [ "$running" -ge 8 ]; then
		wait -n
		running=$((running - 1))
	fi
	one "$name" "$args" &
	running=$((running + 1))
done < "$here/sets"
for job in $(jobs -p); do
	[ "$job" = "$sleeper" ] || wait "$job"
done
[ ! -e "$work/bad" ]
