#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records with prec in every mode of tests/checks/record_modes.sh and lets all readers there are read the
# files: stock perf 6.1 and the newest one (script, report --header, evlist), samply,
# hotspot's perfparser, pscript and pevlist. All must end well, see the same number of samples and
# say nothing on standard error but what they say of stock perf's file of the same mode.
#
#	tests/checks/record_live.sh [-v] [-k DIR] [--all | MODE-GLOB...]
#
#	--all	the modes that are much like others, too
#	-v	show what was compared, and what a skipped mode said
#	-k DIR	keep the recordings there
#
# Environment: BIN (default bin), PREC (the recorder's words, default $BIN/prec), PERF (stock perf 6.1,
# default perf on PATH), PERF72, SAMPLY, PERFPARSER (default perf-sid, samply and
# hotspot-perfparser on PATH; readers that are missing are left out), JOBS (modes at once).
# Skips without stock perf or permission to record. As root without tracefs it runs itself in a
# private mount name space that has one (in a chroot, where there is no such space, in the chroot's).

set -u
here=$(cd "$(dirname "$0")" && pwd)
REPO=${here%/*/*}
BIN=${BIN:-$REPO/bin}
SRC=$REPO/testdata/workloads
# shellcheck source=tests/frame/stored_kallsyms.sh
. "$REPO/tests/frame/stored_kallsyms.sh"
run_with_stored_kallsyms "$@"
args=("$@")
verbose='' keep='' all=''
while [ $# -gt 0 ]; do
	case $1 in
	-v) verbose=1 ;;
	-k) keep=$2; shift ;;
	--all) all=1 ;;
	-*) sed -n '/^#\t/s/^#\t//p' "$0" >&2; exit 129 ;;
	*) break ;;
	esac
	shift
done
[ $# -eq 0 ] || all=1
[ $# -gt 0 ] || set -- '*'
globs=("$@")

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}

read -ra PREC_WORDS <<< "${PREC:-$BIN/prec}"
command -v "${PREC_WORDS[0]}" > /dev/null || skip_all "no prec in $BIN"
PERF=${PERF:-$(command -v perf)} PERF72=${PERF72-$(command -v perf-sid)}
SAMPLY=${SAMPLY-$(command -v samply)} PERFPARSER=${PERFPARSER-$(command -v hotspot-perfparser)}
newer=''
case $("${PERF:-false}" --version 2> /dev/null) in
"perf version 6.1" | "perf version 6.1."*) ;;
"perf version "*) newer=1 ;;
*) skip_all "no stock perf to read with" ;;
esac

trace_dir=/sys/kernel/tracing
if [ -z "${CHECK_RECORD_INNER-}" ] && [ "$(id -u)" = 0 ] && ! [ -e $trace_dir/events ] &&
	unshare -m true 2> /dev/null; then
	CHECK_RECORD_INNER=1 exec unshare -m --propagation private bash "$0" ${args[@]+"${args[@]}"}
fi
[ -e $trace_dir/events ] || mount -t tracefs nodev $trace_dir 2> /dev/null

if [ -n "$keep" ]; then
	mkdir -p "$keep" && D=$(cd "$keep" && pwd) || exit 2
else
	D=$(mktemp -d /tmp/reclive.XXXXXX) || exit 2
fi
W=$D/w tag=$$
mkdir -p "$W" "$D/home"
export TZ=UTC LC_ALL=C HOME=$D/home PAGER=cat
unset DEBUGINFOD_URLS PERF_BUILDID_DIR PERF_CONFIG
trap '[ -n "$keep" ] || rm -rf "$D"' EXIT

build() { # OUT COMMAND...
	local out=$W/$1

	shift
	[ -x "$out" ] || "$@" -o "$out" > "$out.log" 2>&1 ||
		echo "# ${out##*/} could not be built: $(head -n 1 "$out.log")"
}
cc='gcc -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer'
for x in simple threads fork syscalls; do
	# shellcheck disable=SC2086
	build w_$x $cc "$SRC/w_$x.c" -ldl -pthread
done
# shellcheck disable=SC2086
{
	build w_static $cc -static -no-pie "$SRC/w_simple.c"
	build libw_a.so $cc -fPIC -shared -DNAME=a "$SRC/w_lib.c"
	build libw_b.so $cc -fPIC -shared -DPADDED -DNAME=b "$SRC/w_lib.c"
}
build w_busy gcc -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer "$SRC/w_busy.c" -pthread
build w_cpp g++ -O1 -g -fno-omit-frame-pointer "$SRC/w_cpp.cc"

# While anyone records the whole system with build-ids of mappings, the kernel marks the MMAP2 records of all other
# recordings as such that hold one, too (its perf_event_mmap_output). perf 6.1 aborts on those (util/build-id.c):
# while it collects build-ids at the end, which can be left out, and when it reads. samply gives up as well.
stock_record() { # FILE PERF
	local more
	for more in '' -B -B; do
		"$2" record -N $more -q -e cpu-clock -g -o "$1" "$W/w_simple" 20 > "$D/can.log" 2>&1 && return
		rm -f "$1"
	done
	return 1
}
stock_says=1
stock_record "$D/generic.61" "$PERF" || {
	stock_says=''
	"${PREC_WORDS[@]}" -q -e cpu-clock -g -o "$D/can.prec" "$W/w_simple" 20 > /dev/null 2>&1 ||
		skip_all "nothing can be recorded (kernel.perf_event_paranoid is $(cat \
			/proc/sys/kernel/perf_event_paranoid 2> /dev/null)): $(grep . "$D/can.log" | head -n 1)"
}

# --- what the modes use ------------------------------------------------------------------------

record() { "${REC[@]}" "$@" > /dev/null; }

# A program that runs until the mode ends; the shell of each mode ends what it started.
busy() { # VARIABLE
	"$W/w_busy" 2 10 20 > /dev/null 2>&1 &
	mode_pids+=($!)
	printf -v "$1" %s $!
	sleep 0.03
}

# A recorder that attaches is at work a little after its file is there; two seconds at most.
wait_until_recording() { # FILE
	local i

	for ((i = 0; i < 100; i++)); do
		[ -s "$1" ] && sleep 0.3 && return
		sleep 0.02
	done
	echo "no file after two seconds" >&2
}

# --- reading -----------------------------------------------------------------------------------

# Numbers, addresses and names that differ from file to file are not a reader's complaint; nor is
# what samply tells of any file, nor by which of two signs perfparser knows that rounds are marked.
# Stock perf's own reference counts fail now and then, under load and with other mount name spaces
# (assertion failed at util/namespaces.c); perf 6.12 does so with its own files, too. It reads on.
plain_words() { # FILE-NAME
	sed -e '/^cmd line: \|^event [^ ]*$\|Switching to automatic buffering/d' \
		-e '/^assertion failed at util\//d' \
		-e "s|$1|FILE|g" -e 's/0x[0-9a-f]\+/N/g' -e 's/[0-9]\+/N/g' -e 's/"[^"]*"/S/g' \
		-e 's/[ \t]\+/ /g' -e '/^ *$/d' | sort -u
}

# Is this reader among those that are asked?
asked() { # NAME
	[ -z "$readers" ] || [[ " $readers " == *" $1 "* ]]
}

run_reader() { # NAME FILE COMMAND...: complaints, one per line; what it printed lies in $read_out
	local name=$1 file=$2 status

	shift 2
	timeout -k 2 30 "$@" < /dev/null > "$read_out" 2> "$read_out.err"
	status=$?
	[ $status -eq 0 ] || echo "$name: status $status"
	[ ! -s "$read_out.err" ] || plain_words "$file" < "$read_out.err" | sed "s/^/$name: /"
}

# Samples of a text of "-F comm,pid,tid,event"; of a pipe's file stock perf prints chains with it.
count_lines() { grep -vc $'^\t\|^ *$' "$1"; }

same_count() { # NAME COUNT FILE
	[ "$2" = "$nr_samples" ] && return
	echo "$1: other number of samples"
	echo "# $1: $2 samples instead of $nr_samples" >> "$3.notes"
}

# Half of the readers' time would go into the kernel's symbols, which are the same for all modes.
kallsyms=("--kallsyms=$D/no-symbols")
: > "$D/no-symbols"
[ -z "$all" ] || kallsyms=()

# Everything that the readers say against FILE, or some of them. The newest perf's number of samples
# is left in FILE.nr; without that of a perf nothing can be counted, so that perf script always reads.
complaints() { # FILE [READER...]
	local file=$1 readers=${*:2} read_out=$1.out nr_samples first named=$1.out

	: > "$file.notes"
	run_reader perf-6.1-script "$file" "$PERF" script --no-inline ${kallsyms[@]+"${kallsyms[@]}"} -F comm,pid,tid,event -i "$file"
	nr_samples=$(count_lines "$read_out")
	# Of newer perfs these are also what a thread did after its EXIT record.
	if [ -n "$newer" ]; then
		timeout 30 "$PERF" script --show-task-events ${kallsyms[@]+"${kallsyms[@]}"} -F comm,pid,tid,event \
			-i "$file" 2> /dev/null |
			awk '/PERF_RECORD_EXIT\(/ {
					match($0, /EXIT\([0-9]+:[0-9]+/)
					t = substr($0, RSTART, RLENGTH); sub(/.*:/, ":", t); gone[t]
				}
				!/PERF_RECORD_/ && !($1 in gone)' > "$read_out.named"
		named=$read_out.named
	fi
	awk '/^\t/ { next } { n++ } $1 ~ /^:[0-9]+$/ { unnamed++ } END { exit !(unnamed * 20 > n) }' "$named" &&
		echo "perf-6.1-script: samples of threads without a name"
	if [ -n "$PERF72" ]; then
		run_reader perf-7.2-script "$file" "$PERF72" script --no-inline ${kallsyms[@]+"${kallsyms[@]}"} \
			-F comm,pid,tid,event -i "$file"
		same_count perf-7.2-script "$(count_lines "$read_out")" "$file"
		nr_samples=$(count_lines "$read_out")
	fi
	echo "$nr_samples" > "$file.nr"
	# Of the first event, without the idle task: what samply shows as samples.
	awk '/^\t|^ *$/ { next }
		{ e = $NF; sub(/:$/, "", e); split($(NF - 1), t, "/"); n[e, t[1] != 0]++; if (!(e in seen)) seen[e] }
		END {
			for (e in seen)
				print e, n[e, 1] + 0
		}' "$read_out" > "$file.by-event"
	if asked pscript; then
		run_reader pscript "$file" "$BIN/pscript" --no-inline ${kallsyms[@]+"${kallsyms[@]}"} \
			-F comm,pid,tid,event -i "$file"
		same_count pscript "$(count_lines "$read_out")" "$file"
	fi
	run_reader pevlist "$file" "$BIN/pevlist" -i "$file"
	first=$(head -n 1 "$read_out")
	first=${first%% *}
	for who in 6.1 7.2; do
		[ $who = 6.1 ] && perf=$PERF || perf=$PERF72
		[ -n "$perf" ] || continue
		! asked perf-$who-report ||
			run_reader perf-$who-report "$file" "$perf" report --stdio --header --no-inline \
				${kallsyms[@]+"${kallsyms[@]}"} -i "$file"
		! asked perf-$who-evlist || run_reader perf-$who-evlist "$file" "$perf" evlist -i "$file"
	done
	[ -z "$PERFPARSER" ] || ! asked perfparser || ask_perfparser "$file"
	[ -z "$SAMPLY" ] || ! asked samply || ask_samply "$file" "$first"
}

ask_perfparser() { # FILE
	local raw

	run_reader perfparser "$1" "$PERFPARSER" --print-stats --input "$1"
	# It counts records: a group that is read together is one.
	raw=$(timeout 30 "$PERF" report --stats -i "$1" 2> /dev/null < /dev/null |
		awk '$1 == "SAMPLE" { print $3; exit }')
	nr_samples=${raw:-0} same_count perfparser \
		"$(awk '$1 == "samples:" { print $2 }' "$read_out" "$read_out.err" | head -n 1)" "$1"
}

ask_samply() { # FILE, its first event
	local file=$1 nr_samples

	rm -f "$file.json"
	run_reader samply "$file" "$SAMPLY" import --save-only -n -o "$file.json" "$file"
	[ -e "$file.json" ] || return
	# With switches it counts time off the CPU as well.
	"$BIN/pevlist" -i "$file" -v 2> /dev/null | grep -q 'sched:sched_switch\|context_switch' && return
	nr_samples=$(awk -v e="$2" '$1 == e { n = $2 } END { print n + 0 }' "$file.by-event")
	same_count samply "$(grep -o '"samples":{"length":[0-9]*' "$file.json" | awk -F: '{ n += $3 } END { print n + 0 }')" "$file"
}

# --- one mode ----------------------------------------------------------------------------------

# What a mode started and still runs after 15 s is ended, and the mode fails.
watch_dog() { # PID of the mode's shell
	local child

	sleep 15
	for child in $(cat "/proc/$1/task/$1/children" 2> /dev/null); do
		[ "$child" = "$BASHPID" ] || kill -9 "$child" 2> /dev/null
	done
	echo "ended after 15 s"
}

make_file() { # WHO NAME COMMAND...: $D/NAME.WHO, by that recorder
	local who=$1 id=$2 OUT=$D/$2.$1 REC mode_pids=() rc dog

	shift 2
	case $who in
	prec) REC=("${PREC_WORDS[@]}") ;;
	61) REC=("$PERF" record -N ${without_ids:+-B}) ;;
	72) REC=("$PERF72" record -N) ;;
	esac
	rm -rf "$OUT" "$OUT".2* "$OUT".old
	watch_dog $BASHPID > "$OUT.dog" &
	dog=$!
	"$@" < /dev/null > "$OUT.log" 2>&1
	rc=$?
	kill $dog 2> /dev/null
	[ ${#mode_pids[@]} -eq 0 ] || kill "${mode_pids[@]}" 2> /dev/null
	wait
	cat "$OUT.dog" >> "$OUT.log"
	[ $rc -eq 0 ] && [ -s "$OUT" ] && ! [ -s "$OUT.dog" ]
}

# The same by stock perf; see stock_record().
make_stock_file() { # 61|72 NAME COMMAND...
	make_file "$@" || { [ "$1" = 61 ] && without_ids=1 make_file "$@"; }
}

plain_mode() { record -o "$OUT" "$@"; }

# Strikes out of FILE what the readers that said it say of stock perf's files of the same mode, too.
# What perf 6.1's file explains needs none of 7.2.
excuse() { # FILE NAME COMMAND...
	local left=$1 id=$2 who readers

	shift 2
	for who in 61 72; do
		[ $who = 61 ] || [ -n "$PERF72" ] || continue
		[ -s "$left" ] || return
		make_stock_file $who "$id" "$@" || continue
		mapfile -t readers < <(sed 's/: .*//' "$left" | sort -u)
		complaints "$D/$id.$who" "${readers[@]}" | of_version $who | sort -u > "$left.stock"
		! grep -q '^perf-6.1-script: status 134' "$left.stock" || : > "$left.unread"
		comm -23 "$left" "$left.stock" > "$left.now"
		mv "$left.now" "$left"
	done
}

# Perf 6.1 reads no file of 7.2, whose attrs are larger than it knows.
of_version() { # 61|72
	if [ "$1" = 72 ]; then grep -v '^perf-6.1-\|: other number'; else cat; fi
}

said() { grep -v '^\[\|^$' "$D/$1.log" | head -n "${2:-3}" | sed 's/^/# said: /'; }

# All readers but perf script take half of the time. Without --all each mode is read by one version's report,
# the other's evlist, and perfparser or samply, in turn.
readers_of_mode() { # NUMBER: reader names; none stands for all
	[ -z "$all" ] || return
	echo pscript
	if [ $(($1 % 2)) = 0 ]; then
		echo perf-6.1-report perf-7.2-evlist
	else
		echo perf-7.2-report perf-6.1-evlist
	fi
	if [ $(($1 / 2 % 2)) = 0 ]; then echo perfparser; else echo samply; fi
}

judge_mode() { # NAME EMPTY-IS-FINE ONLY-PREC COMMAND...
	local id=$1 empty=$2 only=$3 nr

	shift 3
	if ! make_file prec "$id" "$@"; then
		if [ -z "$only" ] && ! make_stock_file 61 "$id" "$@"; then
			echo "ok N - $id # SKIP stock perf cannot either: $(said "$id.prec" 1 | sed 's/^# said: //')"
		else
			echo "not ok N - $id: not recorded"
			said "$id.prec"
		fi
		return
	fi
	# shellcheck disable=SC2046
	complaints "$D/$id.prec" $(readers_of_mode ${#names[@]}) | sort -u > "$D/$id.complaints"
	comm -23 "$D/$id.complaints" "$D/generic.complaints" > "$D/$id.left"
	if [ -s "$D/$id.left" ] && [ -z "$stock_says" ]; then
		echo "ok N - $id # SKIP stock perf made no file that shows what readers say of any"
		return
	fi
	[ -n "$only" ] || excuse "$D/$id.left" "$id" "$@"
	if [ -s "$D/$id.left" ] && [ -e "$D/$id.left.unread" ]; then
		echo "ok N - $id # SKIP stock perf cannot read its own file, as others record the system with build-ids"
		return
	fi
	nr=$(cat "$D/$id.prec.nr")
	if [ "$nr" = 0 ] && [ -z "$empty" ]; then
		echo "no samples" >> "$D/$id.left"
		said "$id.prec" >> "$D/$id.left"
	fi
	if [ -s "$D/$id.left" ]; then
		echo "not ok N - $id: $nr samples"
		sed 's/^/# /' "$D/$id.left"
		cat "$D/$id.prec.notes"
	else
		echo "ok N - $id: $nr samples"
	fi
	[ -n "$keep" ] || rm -rf "$D/$id".prec* "$D/$id".61* "$D/$id".72*
}

# Modes run in shells of their own, JOBS at once; they are told in their order.
# Many of them sleep for a while; hence more than there are CPUs.
: "${JOBS:=2}"
JOBS=$((JOBS * 2))
names=() running=0 empty_fine='' stock_lacks='' like_others=''
may_be_empty() { empty_fine=1; }
much_like_others() { like_others=1; }
only_prec() { stock_lacks=1; }
mode() { local name=$1; shift; mode_by "$name" plain_mode "$@"; }
mode_by() {
	local name=$1 glob empty=$empty_fine only=$stock_lacks skip=$like_others

	shift
	empty_fine='' stock_lacks='' like_others=''
	[ -z "$skip" ] || [ -n "$all" ] || return
	for glob in "${globs[@]}"; do
		# shellcheck disable=SC2053
		[[ $name == $glob ]] && break
	done
	# shellcheck disable=SC2053
	[[ $name == $glob ]] || return
	names+=("$name")
	if [ $running -ge "$JOBS" ]; then
		wait -n
		running=$((running - 1))
	fi
	judge_mode "$name" "$empty" "$only" "$@" > "$D/$name.tap" 2> "$D/$name.shell" &
	running=$((running + 1))
}

# shellcheck source=tests/checks/record_modes.sh
. "$here/record_modes.sh"

{
	[ ! -s "$D/generic.61" ] || complaints "$D/generic.61"
	[ -z "$PERF72" ] || ! stock_record "$D/generic.72" "$PERF72" || complaints "$D/generic.72" | of_version 72
} | grep -v ': status\|: other number' | sort -u > "$D/generic.complaints"

probes=$(cat $trace_dir/uprobe_events 2> /dev/null)
record_modes
wait
judged=("${names[@]}") again=()
for name in "${judged[@]}"; do
	grep -q '^ok N ' "$D/$name.tap" || again+=("$name")
done
# What had no time on a busy machine gets it now: one at a time. What is wrong fails again.
if [ ${#again[@]} -gt 0 ]; then
	for name in "${again[@]}"; do mv "$D/$name.tap" "$D/$name.first"; done
	globs=("${again[@]}") all=1 JOBS=1
	record_modes
	wait
fi
names=("${judged[@]}")
n=0 failed=0
for name in "${names[@]}"; do
	n=$((n + 1))
	grep -q '^\(not \)\?ok N ' "$D/$name.tap" || echo "not ok N - $name: the mode's shell ended" >> "$D/$name.tap"
	sed "s/^\(not \)\?ok N /\1ok $n /" "$D/$name.tap"
	grep -q '^not ok' "$D/$name.tap" && failed=1
	[ ! -e "$D/$name.first" ] || sed 's/^/# tried before: /' "$D/$name.first"
	[ -z "$verbose" ] || sed 's/^/# shell: /' "$D/$name.shell"
done
n=$((n + 1))
if [ "$probes" = "$(cat $trace_dir/uprobe_events 2> /dev/null)" ]; then
	echo "ok $n - no probe is left in the kernel"
else
	echo "not ok $n - no probe is left in the kernel"
	failed=1
fi
echo "1..$n"
exit $failed
