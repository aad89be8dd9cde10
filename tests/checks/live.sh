#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Records fresh files with stock perf and compares pscript's text with stock perf's, byte for byte.
#
#	tests/checks/live.sh [--all] [--dir DIR] [--only GLOB] [--ways GLOB] [--by 6.1|7.2] [--fresh] [--list]
#		[--stock-6.1] [--lines N] [-v]
#
#	--all		every mode and way of printing (minutes); otherwise the quick ones
#	--dir DIR	keep recordings and stock perf's answers there and use those already there: the second run
#			needs no perf and no permissions, and only runs pscript
#	--only GLOB	recordings whose RECORDER/NAME matches, e.g. '7.2/pipe*'
#	--ways GLOB	ways of printing whose name matches ("default" is the one without options)
#	--fresh		record again in DIR
#	--stock-6.1	compare --format=perf-6.1 with perf 6.1 instead (files that 6.1 recorded)
#	--list		what would be compared
#	--lines N	show that many differing lines per comparison (6)
#	-v		show comparisons that agree, and standard error texts that differ
#
# Environment: BIN (where pscript lies, default bin), PERF (stock perf, default perf on PATH), PERF72 (a newer stock perf; default
# perf-sid on PATH). Text of the newest stock perf decides; with 6.1 alone it is --stock-6.1.
# Exit status: 0 all agree, 1 some differ, 77 nothing could be compared (the reason is told).
# As root without tracefs it runs itself in a private mount name space that has one.
set -u

here=$(cd "$(dirname "$0")" && pwd)
REPO=${here%/*/*}
BIN=$(cd "${BIN:-$REPO/bin}" 2>/dev/null && pwd)
SRC=$REPO/testdata/workloads
all= dir= only='*' ways='*' fresh= list= stock61= lines=6 verbose= by='*' temporary=
args=("$@")
while [ $# -gt 0 ]; do
	case $1 in
	--all) all=1 ;;
	--dir) dir=$2; shift ;;
	--only) only=$2; shift ;;
	--ways) ways=$2; shift ;;
	--by) by=$2; shift ;;
	--fresh) fresh=1 ;;
	--stock-6.1) stock61=1 ;;
	--list) list=1 ;;
	--lines) lines=$2; shift ;;
	-v) verbose=1 ;;
	*) sed -n '/^#\t/s/^#\t//p' "$0" >&2; exit 129 ;;
	esac
	shift
done

skip_all() {
	echo "# skipped: $*"
	exit 77
}

[ -x "$BIN/pscript" ] || skip_all "no pscript in BIN (${BIN:-bin})"

PERF=${PERF:-$(command -v perf)}
if [ -z "${PERF72-}" ]; then
	for p in "$(command -v perf-sid)"; do
		[ -x "$p" ] && PERF72=$p && break
	done
fi
PERF72=${PERF72-}
case $("${PERF:-false}" --version 2>/dev/null) in
"perf version 6.1" | "perf version 6.1."*) ;;
*) PERF= ;;
esac
[ -n "$PERF$PERF72" ] || skip_all "neither stock perf 6.1 nor a newer one is installed"
[ -n "$PERF72" ] || stock61=1
if [ -n "$stock61" ]; then
	[ -n "$PERF" ] || skip_all "no stock perf 6.1"
	REF=$PERF; OURS=(--format=perf-6.1); ref=6.1; by=6.1
else
	REF=$PERF72; OURS=(); ref=7.2
fi

trace_dir=/sys/kernel/tracing
if [ -z "${CHECK_LIVE_INNER-}" ] && [ "$(id -u)" = 0 ] && ! [ -e $trace_dir/events ] && unshare -m true 2>/dev/null; then
	CHECK_LIVE_INNER=1 exec unshare -m --propagation private bash "$0" ${args[@]+"${args[@]}"}
fi
[ -n "${CHECK_LIVE_INNER-}" ] && mount -t tracefs nodev $trace_dir 2>/dev/null

if [ -z "$dir" ]; then
	dir=$(mktemp -d /tmp/live.XXXXXX) || exit 1
	temporary=1
fi
mkdir -p "$dir/maps" "$dir/w" "$dir/exp" "$dir/got" "$dir/home" "$dir/empty"
D=$(cd "$dir" && pwd)
W=$D/w
export TZ=UTC LC_ALL=C PAGER=cat
unset DEBUGINFOD_URLS PERF_BUILDID_DIR

# Names of generated code lie in /tmp alone; those of kept recordings are kept, and brought back.
keep_maps() { find /tmp -maxdepth 1 -name 'perf-*.map' -user "$(id -un)" -newer "$D/stamp" -exec cp -p {} "$D/maps/" \; ; }

for m in "$D"/maps/perf-*.map; do
	[ -e "$m" ] && cp -n "$m" /tmp/ 2>/dev/null
done

# shellcheck disable=SC2317
clean_up() {
	local m pid

	for m in "$D"/maps/perf-*.map; do
		pid=${m##*/perf-}
		pid=${pid%.map}
		[ -e "$m" ] && ! [ -d "/proc/$pid" ] && rm -f "/tmp/perf-$pid.map"
	done
	[ -e "$trace_dir/uprobe_events" ] && grep -q " $D/" "$trace_dir/uprobe_events" && "$PERF" probe -q -d 'probe_w_simple:*'
	[ -z "$temporary" ] || rm -rf "$dir"
}
trap clean_up EXIT

build() { # OUT COMMAND...: missing compilers and libraries cost their workload, not the run
	local out=$W/$1

	shift
	# What was recorded must stay what it was.
	[ -x "$out" ] && [ -z "$rebuild" ] && return
	"$@" -o "$out" >"$out.log" 2>&1 || echo "# ${out##*/} could not be built: $(head -1 "$out.log")"
}

build_workloads() {
	local cc='gcc -D_GNU_SOURCE -O1 -fno-omit-frame-pointer' x

	for x in simple threads fork jit syscalls; do
		build w_$x $cc -g "$SRC/w_$x.c" -ldl -pthread
	done
	build w_static $cc -static -no-pie "$SRC/w_simple.c"
	build w_stripped $cc -s "$SRC/w_simple.c"
	build libw_a.so $cc -fPIC -shared -DNAME=a "$SRC/w_lib.c"
	build libw_b.so $cc -fPIC -shared -DPADDED -DNAME=b "$SRC/w_lib.c"
	build w_cpp g++ -O1 -g -fno-omit-frame-pointer "$SRC/w_cpp.cc"
	[ -n "$all" ] || return
	build w_cpp_clang clang++ -O1 -fno-omit-frame-pointer "$SRC/w_cpp.cc"
	build w_rust rustc -O -C force-frame-pointers=yes "$SRC/w_rust.rs"
	build w_rust_v0 rustc -O -C force-frame-pointers=yes -C symbol-mangling-version=v0 "$SRC/w_rust.rs"
}

nr_same=0 nr_diff=0 nr_skip=0
diff_names=

# --- recording ---------------------------------------------------------------------------------

rec() {
	local name=$1

	shift
	rec_by "$name" plain_record "$@"
}

plain_record() { "$PERF_NOW" record -N -o "$OUT_FILE" "$@"; }

rec_by() {
	local name=$1 id=$who.$1

	shift
	# shellcheck disable=SC2053,SC2254
	case $who/$name in
	$only) ;;
	*) return ;;
	esac
	[ -n "$list" ] && { echo "$who/$name"; return; }
	OUT_FILE=$id.data
	if [ -n "$fresh" ] || ! [ -e "$D/$id.log" ]; then
		rm -rf "${D:?}/$id.data" "$D/exp/$id".* "$D/got/$id".*
		touch "$D/stamp"
		(cd "$D" && HOME=$D/home PYENV_VERSION=system timeout -k 5 100 bash -c "$(declare -f); "'"$@"' _ "$@") \
			</dev/null >"$D/$id.log" 2>&1
		echo "status $?" >>"$D/$id.log"
		keep_maps
	fi
	if ! [ -e "$D/$id.data" ] || ! grep -q '^status \(0\|143\|129\|3\)$' "$D/$id.log"; then
		echo "skip $who/$name: $(grep -vE '^(status|\[ perf)|^$|^Error:$' "$D/$id.log" | head -1 | cut -c1-140)"
		nr_skip=$((nr_skip + 1))
		return
	fi
	compare_ways "$name"
}

# --- comparing ---------------------------------------------------------------------------------

# What the @words of the ways stand for: the commonest value in the recording, two times inside it.
facts() {
	local id=$1 f=$D/exp/$1.facts

	if ! [ -e "$f" ]; then
		(cd "$D" && HOME=$D/home "$REF" script --no-inline -G -F comm,pid,tid,time,ip,sym,dso -i "$id.data") \
			>"$f.raw" 2>/dev/null </dev/null
		awk '
		function most(a,  k, best) { best = ""; for (k in a) if (best == "" || a[k] > a[best] || (a[k] == a[best] && k < best)) best = k; return best }
		match($0, /[0-9]+\/[0-9]+ +[0-9]+\.[0-9]+:/) {
			comm = substr($0, 1, RSTART - 1); gsub(/^ +| +$/, "", comm)
			split(substr($0, RSTART, RLENGTH), w, /[\/ :]+/)
			rest = substr($0, RSTART + RLENGTH); n++
			times[n] = w[3]; if (comm !~ /[ ,]/) comms[comm]++; pids[w[1]]++; tids[w[2]]++
			if (split(rest, r, / +/) >= 3) {
				ips[r[2]]++; if (r[3] ~ /^[a-zA-Z_]+$/ && r[4] ~ /^\(/) syms[r[3]]++
				d = rest; sub(/.*\(/, "", d); sub(/\)$/, "", d); if (d !~ /[ ,]/) dsos[d]++
			}
		}
		END {
			print "s|@pid|" most(pids) "|g"; print "s|@tid|" most(tids) "|g"; print "s|@comm|" most(comms) "|g"
			print "s|@sym|" most(syms) "|g"; d = most(dsos); sub(/.*\//, "", d); print "s|@dso|" d "|g"
			print "s|@ip|" most(ips) "|g"; print "s|@t1|" times[int(n / 4) + 1] "|g"; print "s|@t2|" times[int(n / 2) + 1] "|g"
		}' "$f.raw" >"$f"
	fi
	echo "$f"
}

kallsyms_of() { # a tiny file of the kernel's symbols: every 50th
	[ -e "$D/kallsyms" ] || awk 'NR % 50 == 1 || / _(s?text|etext|stext)$/' /proc/kallsyms >"$D/kallsyms"
	echo kallsyms
}

compare_ways() {
	local name=$1 id=$who.$1 line way argv list_ways

	case $name in
	*dwarf*) compare "$name" leaf -G; compare "$name" heads -F comm,pid,tid,time,event,period; compare "$name" raw -D; return ;;
	esac
	compare "$name" default
	list_ways=$quick_ways
	if [ -n "$all" ]; then
		case " $rich " in
		*" $name "*) list_ways=$all_ways ;;
		*) list_ways=$'header|--header\nmmaps|--show-mmap-events --show-task-events\nG|-G' ;;
		esac
	else
		case $name in fp | tp | pipe | sys-fp) ;; *) list_ways= ;; esac
	fi
	[ -n "$list_ways" ] || return
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		way=${line%%|*}
		# shellcheck disable=SC2254
		case $way in
		$ways) ;;
		*) continue ;;
		esac
		argv=$(printf '%s\n' "${line#*|}" | sed -f "$(facts "$id")" -e "s|KALLSYMS|$(kallsyms_of)|; s|EMPTY|empty|")
		case $argv in
		STDIN) compare "$name" stdin -i - ;;
		DUMP) compare_dump "$name" ;;
		*) eval "compare \"\$name\" \"\$way\" $(printf '%s' "$argv" | sed 's/[][*?&;|<>$()~]/\\&/g')" ;;
		esac
	done <<<"$list_ways"
}

# The command of either side, in the folder of the recordings so that both name files alike.
run_side() { # OUT PROGRAM ARGS...
	local out=$1

	shift
	(cd "$D" && HOME=$D/home timeout -k 5 120 "$@" <"${STDIN:-/dev/null}" >"$out.out" 2>"$out.err")
	echo $? >"$out.rc"
}

compare() { # NAME WAY ARGS...
	local name=$1 way=$2 id=$who.$1 exp got input n
	shift 2

	# shellcheck disable=SC2254
	case $way in
	$ways) ;;
	*) return ;;
	esac
	exp=$D/exp/$id.$way.$ref got=$D/got/$id.$way.$ref
	input=(-i "$id.data")
	STDIN=
	case "$*" in
	"-i -") STDIN=$D/$id.data; input=() ;;
	*"-i "*) input=() ;;
	esac
	[ -e "$exp.rc" ] || run_side "$exp" "$REF" script --no-inline ${input[@]+"${input[@]}"} "$@"
	run_side "$got" "$BIN/pscript" ${OURS[@]+"${OURS[@]}"} --no-inline ${input[@]+"${input[@]}"} "$@"
	judge "$who/$name" "$way" "$exp" "$got" "$*"
}

same_status() { # only success or failure, and a signal is never alike
	[ "$1" -lt 128 ] || [ "$1" = 129 ] || [ "$1" -ge 200 ] || return 1
	[ "$1" = "$2" ] || { [ "$1" != 0 ] && [ "$2" != 0 ]; }
}

# The recorded header tells where the file lies; pscript's own name and version are not stock perf's.
judge() { # CASE WAY EXPECTED GOT ARGS
	local label="$1 $2" exp=$3 got=$4 n total

	# The copy of the vdso that stock perf makes has a random name.
	sed -i 's|/tmp/perf-vdso\.so-[A-Za-z0-9]*|/tmp/perf-vdso.so-X|' "$exp.out" "$got.out"
	if ! same_status "$(cat "$got.rc")" "$(cat "$exp.rc")"; then
		echo "DIFF $label: exit status $(cat "$got.rc"), stock perf's $(cat "$exp.rc"): $(tail -1 "$got.err" | cut -c1-120)"
	elif cmp -s "$exp.out" "$got.out"; then
		nr_same=$((nr_same + 1))
		[ -n "$verbose" ] && echo "ok   $label"
		if [ -n "$verbose" ] && ! cmp -s "$exp.err" "$got.err"; then
			diff "$exp.err" "$got.err" | grep '^[<>]' | head -"$lines" | sed 's/^/     stderr /'
		fi
		return
	else
		n=$(diff "$exp.out" "$got.out" | grep -c '^[<>]')
		total=$(wc -l <"$exp.out")
		echo "DIFF $label ($5): $n lines of $total + $(wc -l <"$got.out") differ"
	fi
	diff "$exp.out" "$got.out" | grep '^[<>]' | head -"$lines" | cut -c1-200 | sed 's/^/     /'
	nr_diff=$((nr_diff + 1))
	diff_names="$diff_names $1.$2"
}

# --per-event-dump writes one file per event beside the recording.
compare_dump() {
	local name=$1 id=$who.$1 exp got f

	# shellcheck disable=SC2254
	case per-event in
	$ways) ;;
	*) return ;;
	esac
	exp=$D/exp/$id.per-event.$ref got=$D/got/$id.per-event.$ref
	if ! [ -e "$exp.rc" ]; then
		rm -f "$D/$id.data".*.dump
		run_side "$exp" "$REF" script --no-inline -i "$id.data" --per-event-dump
		(cd "$D" && for f in "$id.data".*.dump; do [ -e "$f" ] && echo "== $f" && cat "$f"; done) >>"$exp.out"
	fi
	rm -f "$D/$id.data".*.dump
	run_side "$got" "$BIN/pscript" ${OURS[@]+"${OURS[@]}"} --no-inline -i "$id.data" --per-event-dump
	(cd "$D" && for f in "$id.data".*.dump; do [ -e "$f" ] && echo "== $f" && cat "$f"; done) >>"$got.out"
	rm -f "$D/$id.data".*.dump
	judge "$who/$name" per-event "$exp" "$got" --per-event-dump
}

. "$here/live_modes.sh"

rebuild=
[ -n "$fresh" ] && [ "$only" = '*' ] && [ "$by" = '*' ] && rebuild=1
[ -n "$list" ] || build_workloads
export W D SRC REPO NODE_JS
for who in 6.1 7.2; do
	# shellcheck disable=SC2254
	case $who in
	$by) ;;
	*) continue ;;
	esac
	case $who in
	6.1) PERF_NOW=$PERF ;;
	7.2) PERF_NOW=$PERF72 ;;
	esac
	[ -n "$PERF_NOW" ] || continue
	export PERF_NOW OUT_FILE who
	if [ -n "$all" ]; then all_modes; else quick_modes; fi
done

[ -n "$list" ] && exit 0
echo "# compared with stock perf $ref: $nr_same agree, $nr_diff differ, $nr_skip recordings skipped"
[ $nr_diff -eq 0 ] || exit 1
[ $nr_same -gt 0 ] || skip_all "nothing could be recorded (kernel.perf_event_paranoid is $(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null))"
