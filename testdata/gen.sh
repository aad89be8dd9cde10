#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the golden cases testdata/<case>/ that tests/check_golden.sh compares with.
#
#	testdata/gen.sh record [CASE]...	records anew with stock perf, then `expect`
#	testdata/gen.sh expect [CASE]...	only asks stock perf again what it prints of the recordings that are there
#	testdata/gen.sh list
#
# testdata/symfs/ holds the recorded programs, without debug information but for w_inline, names kept. Recording every case renews them; recording
# some cases needs them as they are. A case is a folder with
#	perf.data	the recording: a file, a pipe stream or a folder
#	kallsyms	the kernel's symbols that its samples need, each with its neighbour
#	maps/		/tmp/perf-PID.map files, which stock perf looks for in /tmp only
#	commands	what is printed of it: NAME, whose text is expected (7.2, 6.1: stock perf's; ours), options
#	expected.NAME.perfREF.txt	that text, without the line "# captured on" (it holds the time of the file itself)
#	stderr		extended regular expressions for what pscript may, and then must, say on standard error
#	README		what it is for and how it was made
#
# Recording needs root, stock perf 6.1 (PERF, default perf) and 7.2 (PERF72, default perf-sid, which may be a wrapper that starts perf out
# of another root file system: PERF72_ROOT), gcc and g++. It runs in name
# spaces of its own for mounts, process ids and the host name, with an environment of PATH alone, in /tmp/w: a recording holds
# no name, path, environment or process of the machine that made it; what nevertheless holds one is recorded again.

set -u
here=$(cd "$(dirname "$0")" && pwd)
repo=${here%/*}
PERF=${PERF:-/usr/bin/perf}
if [ -z "${PERF72-}" ]; then
	PERF72=$(command -v perf-sid) || PERF72=perf-sid
fi
PERF72_ROOT=${PERF72_ROOT-$(sed -n 's|^exec "\(.*\)/lib64/ld-linux.*|\1|p' "$PERF72" 2>/dev/null)}
W=/tmp/w
export TZ=UTC LC_ALL=C PAGER=cat
unset DEBUGINFOD_URLS PERF_BUILDID_DIR

die() { echo "gen.sh: $*" >&2; exit 1; }

perf_of() { case $1 in 6.1) echo "$PERF" ;; 7.2) echo "$PERF72" ;; esac; }

# --- the cases: what, how recorded, how printed -------------------------------------------

names='fp-6.1 fp-7.2 plain-6.1 plain-7.2 events-6.1 events-7.2 rename-7.2 tp-6.1 tp-7.2 tp-mixed-6.1 uprobe-6.1 zstd-6.1 zstd-7.2
pipe-6.1 pipe-7.2 pipe-tp-7.2 inject-6.1 dir-6.1 dir-7.2 fork-6.1 fork-7.2 jit-6.1 jit-7.2 switch-6.1 switch-7.2 cgroup-7.2
namespaces-6.1 group-6.1 group-7.2 group-read-6.1 group-read-7.2 faults-6.1 faults-7.2 regs-6.1 dwarf-7.2 inline-7.2 lost-6.1 clock-6.1
stat-6.1 stat-pipe-6.1 stat-pipe-7.2 branches-6.1 period-6.1 cut-6.1 unfinished-6.1'

way() { # NAME REFS OPTIONS...: one line of `commands` per reference in REFS
	local name=$1 r
	local refs=$2
	shift 2
	for r in $refs; do
		printf '%s\t%s\t%s\n' "$name" "$r" "${base}${*:+ $*}" >>"$out/commands"
	done
}

# Sets what; fills the array args with the command after "perf record -o perf.data"; or defines how().
# Then calls way. who is the recorder; both is every stock perf that can read its files.
define() {
	local case=$1

	who=${case##*-}
	both=7.2
	[ "$who" = 6.1 ] && both='7.2 6.1'
	base='--no-inline --symfs ../symfs --kallsyms kallsyms -i perf.data'
	args=() max=60000 from= tool=
	talk= # what must be said on standard error
	how() { "$perf" record -o perf.data "${args[@]}"; }
	case $case in
	fp-*)
		what='frame pointer chains of C++ names, kernel and user frames'
		args=(-F 1500 -e cpu-clock -g $W/w_cpp x350)
		way default "$both"
		way G "$both" -G
		way max-stack 7.2 --max-stack 2
		way no-demangle "$both" --no-demangle
		way ip "$both" -F ip,sym
		way stop-bt 7.2 --stop-bt main
		[ "$who" = 7.2 ] || return 0
		way fields "$both" -F comm,tid,pid,time,event,ip,sym,symoff,dso
		way dsoff 7.2 -F +dsoff
		;;
	plain-*)
		what='no chains: one line per sample'
		args=(-F 4000 -e cpu-clock $W/w_simple x350)
		way default "$both"
		way ns "$both" --ns
		way reltime "$both" --reltime
		way deltatime "$both" --deltatime
		way slice 7.2 --time 10%/2
		way range 7.2 --time 0%-20%,60%-100%
		way minus "$both" -F -period,-dso
		way misc "$both" -F +misc
		way sym 7.2 -S leaf
		way comm 7.2 -c w_simple
		way comm-none 7.2 -c nobody
		way dso 7.2 --dsos w_simple
		way header 7.2 --header
		way header-only "$both" --header-only
		;;
	events-*)
		what='three events side by side, names aligned to the longest'
		args=(-F 1000 -e cpu-clock,task-clock,page-faults -g $W/w_threads x30)
		way default "$both"
		way G "$both" -G
		way fields "$both" -F comm,tid,event,period
		way header 7.2 --header-only
		;;
	rename-*)
		what='threads that rename themselves and each other, to names with spaces and to nothing'
		args=(-F 5000 -e cpu-clock $W/w_threads x25)
		way default "$both"
		way tasks "$both" --show-task-events
		way comm 7.2 -c w_threads
		;;
	tp-mixed-*)
		what='tracepoints among other events, with chains'
		args=(-F 2000 -e cpu-clock,sched:sched_process_fork,syscalls:sys_exit_write -g $W/w_syscalls 12)
		way default "$both"
		way trace "$both" -F trace:comm,event,trace
		;;
	tp-*)
		what='tracepoints: their text comes from formats inside the recording'
		args=(-e 'sched:sched_switch,sched:sched_process_fork,sched:sched_process_exec,syscalls:sys_enter_openat'
			-e 'syscalls:sys_enter_write,signal:signal_generate,raw_syscalls:sys_exit' $W/w_syscalls 1)
		way default "$both"
		way trace "$both" -F trace:time,trace
		;;
	uprobe-*)
		what='a user probe with an argument and a return probe'
		how() {
			local rc

			"$perf" probe -q -x $W/w_simple 'leaf n=%di:s32' && "$perf" probe -q -x $W/w_simple 'back=leaf%return'
			"$perf" record -o perf.data -e 'probe_w_simple:*' -g $W/w_simple x1
			rc=$?
			"$perf" probe -q -d 'probe_w_simple:*'
			return $rc
		}
		how_text="perf probe -x $W/w_simple 'leaf n=%di:s32'; perf probe -x $W/w_simple 'back=leaf%return'; perf record -e 'probe_w_simple:*' -g $W/w_simple x1"
		way default "$both"
		;;
	zstd-*)
		what="compressed records ($([ "$who" = 6.1 ] && echo type 81 || echo type 83))"
		args=(-z -F 4000 -e cpu-clock -g $W/w_simple x700)
		way default "$both"
		way header 7.2 --header-only
		;;
	pipe-tp-*)
		what='a stream with tracing data'
		how() { "$perf" record -o - -e sched:sched_switch,sched:sched_process_exit $W/w_syscalls 12 >perf.data; }
		how_text="perf record -o - -e sched:sched_switch,sched:sched_process_exit $W/w_syscalls 12 > perf.data"
		way default "$both"
		way stdin "$both" STDIN
		;;
	pipe-*)
		what='a stream: attrs, features and build-ids come as records'
		how() { "$perf" record -o - -F 1500 -e cpu-clock,page-faults -g $W/w_simple x600 >perf.data; }
		how_text="perf record -o - -F 1500 -e cpu-clock,page-faults -g $W/w_simple x600 > perf.data"
		way default "$both"
		way stdin "$both" STDIN
		way header 7.2 --header-only
		way mmaps "$both" --show-mmap-events
		;;
	inject-*)
		what='a stream after perf inject -b: build-ids come as records'
		how() { "$perf" record -o - -F 4000 -e cpu-clock $W/w_simple x400 | "$perf" inject -b >perf.data; }
		how_text="perf record -o - -F 4000 -e cpu-clock $W/w_simple x400 | perf inject -b > perf.data"
		both=6.1 # 7.2 refuses the unaligned build-id records of 6.1
		way default "$both"
		;;
	dir-*)
		what='a folder: one stream per CPU beside the header'
		args=(--threads -F 2000 -e cpu-clock -g $W/w_threads x20)
		way default "$both"
		way tasks "$both" --show-task-events --show-mmap-events
		;;
	fork-*)
		what='processes that fork, rename, execute and exit; libraries that follow each other at one address'
		args=(-F 600 -e cpu-clock -g $W/w_fork $W/libw_a.so $W/libw_b.so $W/w_simple x300)
		way default "$both"
		way G "$both" -G
		way events "$both" --show-mmap-events --show-task-events -G
		way pid 7.2 -G -F +pid
		;;
	jit-*)
		what='code in anonymous memory, named by /tmp/perf-PID.map (names with spaces, 0x, size 0, twice, malformed)'
		args=(-F 2000 -e cpu-clock -g $W/w_jit 25)
		way default "$both"
		way mmaps "$both" --show-mmap-events -G
		;;
	switch-*)
		what='context switch records, per task'
		args=(--switch-events -F 2000 -e cpu-clock $W/w_threads x25)
		way default "$both"
		way switches "$both" --show-switch-events
		;;
	cgroup-*)
		what='cgroup records and ids in samples'
		args=(--all-cgroups -F 4000 -e cpu-clock $W/w_simple x300)
		way default "$both"
		way cgroup 7.2 -F +cgroup
		way cgroup-events 7.2 --show-cgroup-events
		;;
	namespaces-*)
		what='namespace records'
		args=(--namespaces -F 2000 -e cpu-clock unshare -i $W/w_fork)
		way default "$both"
		way namespaces "$both" --show-namespace-events
		;;
	group-read-*)
		what='a group that is read together: one sample record stands for a line per member'
		args=(-F 2000 -e '{cpu-clock,task-clock,page-faults}:S' $W/w_syscalls 20)
		way default "$both"
		way header 7.2 --header-only
		;;
	group-*)
		what='two groups of events'
		args=(-F 2000 -e '{cpu-clock,task-clock},{page-faults,context-switches}' -g $W/w_simple x600)
		way default "$both"
		way header "$both" --header-only
		;;
	faults-*)
		what='page faults with data and physical addresses and page sizes; data mappings'
		args=(-d --phys-data --data-page-size --code-page-size -W -e page-faults -c 4 $W/w_simple x1)
		way default "$both"
		way addr "$both" -F +addr
		way data "$both" -F +phys_addr,+data_page_size,+code_page_size
		way mmaps "$both" --show-mmap-events -F ip
		;;
	regs-*)
		what='registers at the interrupt and of the user'
		args=(-F 3000 -e cpu-clock --intr-regs=ax,bx,ip,r15 --user-regs=sp,ip $W/w_simple x300)
		way default "$both"
		way regs "$both" -F +iregs,+uregs
		way uregs "$both" -F ip,sym,uregs
		;;
	dwarf-*)
		what='copies of the user stack'
		args=(-F 2000 -e cpu-clock --call-graph dwarf,512 $W/w_simple x300)
		way G "$both" -G
		way heads "$both" -F comm,tid,time,event,period
		way uregs "$both" -F uregs
		;;
	inline-*)
		what='inlined functions in copies of the user stack'
		base='--symfs ../symfs --kallsyms kallsyms -i perf.data'
		args=(-F 2000 -e cpu-clock --call-graph dwarf,512 $W/w_inline)
		way default 7.2
		way srcline 7.2 -F +srcline
		way no-inline 7.2 --no-inline -F +symoff
		;;
	lost-*)
		what='records the kernel had no room for'
		max=60000
		args=(-m 1 -e raw_syscalls:sys_enter,raw_syscalls:sys_exit $W/w_syscalls 5)
		base="$base -G"
		talk='.*[Ll]ost.*'
		way lost 7.2 --show-lost-events
		;;
	clock-*)
		what='another clock, with the wall clock to it'
		args=(-k CLOCK_MONOTONIC -F 3000 -e cpu-clock $W/w_simple x300)
		way default "$both"
		way tod "$both" -F +tod
		way header 7.2 --header-only
		;;
	stat-pipe-*)
		what='counts of perf stat record at an interval, as a stream'
		how() { "$perf" stat record -I 30 -o - -e cpu-clock,page-faults $W/w_simple x1500 >perf.data; }
		how_text="perf stat record -I 30 -o - -e cpu-clock,page-faults $W/w_simple x1500 > perf.data"
		way default "$both"
		way dump "$both" -D
		;;
	stat-*)
		what='counts of perf stat record: not a profile'
		how() { "$perf" stat record -o perf.data -e cpu-clock,page-faults $W/w_simple x300; }
		how_text="perf stat record -e cpu-clock,page-faults $W/w_simple x300"
		both=6.1 # 7.2 refuses any recording of perf stat, its own as well
		way default "$both"
		way dump "$both" -D
		;;
	branches-*)
		what='branch stacks, weights and data addresses, as hardware records them: made by tests/tools/branch_recording'
		tool=branch_recording # `make test-programs` builds it
		base='--symfs ../symfs --kallsyms kallsyms -i perf.data'
		way default "$both"
		way brstack-dso "$both" -F ip,brstack,dso
		way brstacksym "$both" -F ip,brstacksym
		way brstacksym-dso "$both" -F brstacksym,dso,ip
		way max-blocks "$both" -F ip,brstackinsn --max-blocks 2
		;;
	cut-* | unfinished-*)
		what='plain-6.1, cut in the middle of a record'
		[ "${case%-*}" = cut ] || what='plain-6.1 as it is before perf record ends: no data size in the header, nothing after the data'
		from=plain-6.1
		talk='.*(perf\.data|offset|0x).*'
		way default ours
		;;
	period-*)
		what='fixed periods, which samples do not repeat'
		args=(-e cpu-clock/period=300000/,page-faults/period=10,name=my-faults/ -g $W/w_simple x400)
		way default "$both"
		;;
	*) die "no case $case" ;;
	esac
}

# --- recording ------------------------------------------------------------------------------------

build_programs() {
	local cc='gcc -D_GNU_SOURCE -O1 -fno-omit-frame-pointer' src=$here/workloads x

	mkdir -p $W
	for x in simple threads fork jit syscalls; do
		$cc -o $W/w_$x "$src/w_$x.c" -ldl -pthread || die "w_$x does not build"
	done
	$cc -fPIC -shared -DNAME=a -o $W/libw_a.so "$src/w_lib.c" &&
		$cc -fPIC -shared -DPADDED -DNAME=b -o $W/libw_b.so "$src/w_lib.c" || die "libraries do not build"
	g++ -O1 -fno-omit-frame-pointer -o $W/w_cpp "$src/w_cpp.cc" || die "w_cpp does not build"
	strip --strip-debug $W/w_* $W/libw_*
	# its debug information is what it is for: no more of it than that
	(cd "$src" && g++ -O1 -g1 -gz=zlib -ffile-prefix-map="$src"=. -nostdlib -static -o $W/w_inline w_inline.cc) ||
		die "w_inline does not build"
}

# The programs of the other cases must stay what was recorded.
keep_programs() { # 1: all cases are recorded anew
	local f

	for f in $W/w_* $W/libw_*; do
		if [ "$1" = 1 ] || [ ! -e "$here/symfs$f" ]; then
			install -D -m 755 "$f" "$here/symfs$f"
		else
			cmp -s "$f" "$here/symfs$f" || die "${f##*/} is not what testdata/symfs holds: record all cases"
		fi
	done
}

# Names that only the recording machine has.
tells_on_host() {
	grep -raqE '/(work|root|opt|home|bash_jobs)[/.]' "$@" && return 0
	[ -n "${HOST_NAME-}" ] && grep -raqE "(^|[^a-z])$HOST_NAME([^a-z]|$)" "$@"
}

# In name spaces of its own, and inside the root file system of the newer perf where it has one.
record_once() {
	local root=/ inside

	rm -rf "$scratch/perf.data"
	if [ "$who" = 7.2 ] && [ -d "$PERF72_ROOT" ]; then
		root=$PERF72_ROOT
		perf=/usr/bin/perf
	fi
	mkdir -p $scratch/tmp/w $scratch/tmp/w.rec
	inside='
		hostname golden
		[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing
		mount --bind $W $scratch/tmp/w && mount --bind $scratch $scratch/tmp/w.rec &&
			mount --rbind $scratch/tmp "$root/tmp" || exit
		if [ "$root" != / ]; then
			mount -t proc proc "$root/proc" && mount --rbind /sys "$root/sys" || exit
		fi
		exec chroot "$root" bash -c "$how"'
	env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin TZ=UTC HOME="$scratch/home" root="$root" W="$W" scratch="$scratch" \
		how="$(declare -f how); $(declare -p perf args W); cd $scratch && unset scratch root && how" \
		unshare -m -u -i -p -f --mount-proc bash -c "$inside" >"$scratch/log" 2>&1
}

# Kernel symbols under the addresses of the samples, each with the next one, which tells where it ends.
kallsyms_of() {
	{
		awk '$2 ~ /[tTwW]/ { print $1, "S", $0 }' /proc/kallsyms
		"$PERF72" script --no-inline -F ip -i "$1" 2>/dev/null | awk '$1 ~ /^ffffffff/ { print $1, "T" }'
	} | sort -s -k1,1 -k2,2 | awk '
		$2 == "S" { if ($1 != last) { held = ""; n = 0 } last = $1; line = substr($0, 20)
			if (open) { print line; open = 0; shown = $1; next }
			if (line ~ / _(s|e)?text$/) print line; held = held line "\n"; next }
		{ if (held != "") printf "%s", held; held = ""; open = 1 }' | sort -u -k1,1 -k3,3
}

# Damaged copies. What is whole must be printed: stock perf's text of the undamaged recording, to the last whole sample.
derive() { # CASE
	local whole=$here/$from cut size nr home

	size=$(od -An -v -tu8 -j48 -N8 "$whole/perf.data" | tr -d ' ')
	size=$((size + $(od -An -v -tu8 -j40 -N8 "$whole/perf.data")))
	case $1 in
	cut-*)
		cut=$((size * 2 / 3 / 8 * 8 - 4))
		head -c $cut "$whole/perf.data" >"$out/perf.data"
		;;
	*)
		head -c "$size" "$whole/perf.data" >"$out/perf.data"
		printf '\0\0\0\0\0\0\0\0' | dd of="$out/perf.data" bs=1 seek=48 conv=notrunc status=none
		;;
	esac
	nr=$(whole_samples "$out/perf.data")
	# With no features to read event names in, stock perf makes them up from the attrs, and so does what reads the damaged copy.
	home=$(mktemp -d)
	cp "$whole/perf.data" "$home/"
	dd if=/dev/zero of="$home/perf.data" bs=1 seek=72 count=32 conv=notrunc status=none
	(cd "$whole" && HOME=$home "$PERF72" script --no-inline --symfs ../symfs --kallsyms kallsyms -i "$home/perf.data" 2>/dev/null |
		head -n "$nr") >"$out/expected.default.ours.txt"
	rm -rf "$home"
	cp "$whole/kallsyms" "$out/"
	echo "$talk" >"$out/stderr"
	{
		echo "$1: $what."
		echo
		echo "Stock perf prints nothing of it. Expected are the lines that stock perf prints for its $nr whole samples in"
		echo "$from without features, a warning on standard error and an exit status of our own. Made by \`testdata/gen.sh record $1\`."
	} >"$out/README"
	rm -rf "${here:?}/$1"
	mv "$out" "$here/$1"
	chmod 755 "$here/$1"
	echo "$1: $nr samples"
}

# A recording that no hardware here can make.
make_by_tool() { # CASE
	"$repo/build/gcc/tests/tools/$tool" >"$out/perf.data" || die "$1: $tool failed"
	: >"$out/kallsyms"
	{
		echo "$1: $what."
		echo
		echo "Expected texts: \`commands\`, with TZ=UTC, LC_ALL=C and an empty HOME, by $("$PERF" --version | sed 's/ version//') and"
		echo "$("$PERF72" --version | sed 's/ version//'). Made by \`testdata/gen.sh record $1\`."
	} >"$out/README"
	rm -rf "${here:?}/$1"
	mv "$out" "$here/$1"
	chmod 755 "$here/$1"
	expect "$1"
}

whole_samples() { # FILE: walks its records, little-endian
	od -An -v -tu1 -w1 "$1" | awk '
		function u(at, n,  v) { v = 0; while (n-- > 0) v = v * 256 + b[at + n]; return v }
		{ b[NR - 1] = $1 + 0 }
		END { for (at = u(40, 8); at + 8 <= NR; at += size) {
			size = u(at + 6, 2)
			if (size < 8 || at + size > NR) break
			nr += u(at, 4) == 9
		}
		print nr + 0 }'
}

record() { # CASE
	local try pid size

	out=$(mktemp -d)
	how_text=
	define "$1"
	[ -z "$from" ] || { derive "$1"; return; }
	[ -z "$tool" ] || { make_by_tool "$1"; return; }
	perf=$(perf_of "$who")
	[ -x "$perf" ] || die "no stock perf $who"
	scratch=/tmp/w.rec
	rm -rf $scratch
	mkdir -p $scratch/home
	for try in 1 2 3 4 5 6 7 8; do
		record_once || { cat $scratch/log >&2; die "$1: recording failed"; }
		if tells_on_host $scratch/perf.data; then
			echo "gen.sh: $1: recording $try holds names of this machine, again" >&2
			[ $try = 8 ] && die "$1: every recording does"
			continue
		fi
		size=$(du -sb $scratch/perf.data | cut -f1)
		[ "$size" -le $max ] || { [ $try = 8 ] && die "$1: $size bytes are too many"; continue; }
		if [ "$1" != "${1#lost}" ] && ! (cd $scratch && "$PERF72" script --show-lost-events -i perf.data 2>/dev/null | grep -q "RECORD_LOST lost"); then
			[ $try = 8 ] && die "$1: nothing was lost"
			continue
		fi
		break
	done
	mv $scratch/perf.data "$out/"
	chmod -R u+rw,go+r "$out/perf.data"
	kallsyms_of "$out/perf.data" >"$out/kallsyms"
	if [ "$1" != "${1#jit}" ]; then
		mkdir "$out/maps"
		for pid in $("$PERF72" script -F pid -i "$out/perf.data" 2>/dev/null | tr -d ' ' | sort -u); do
			[ -e "$scratch/tmp/perf-$pid.map" ] && mv "$scratch/tmp/perf-$pid.map" "$out/maps/"
		done
	fi
	[ -z "$talk" ] || echo "$talk" >"$out/stderr"
	: "${how_text:=perf record $(printf '%q ' "${args[@]}")}"
	{
		echo "$1: $what."
		echo
		echo "Recorded by stock $("$(perf_of "$who")" --version | sed 's/version //') on Linux $(uname -r | sed 's/-.*//') $(uname -m), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), with"
		echo
		echo "	$how_text" | sed 's/\\,/,/g; s/ $//'
		echo
		echo "Programs: testdata/workloads, built by $(gcc -dumpfullversion | sed 's/^/gcc /') with -O1 -fno-omit-frame-pointer. Expected texts: \`commands\`, with"
		echo "TZ=UTC, LC_ALL=C and an empty HOME, by $("$PERF" --version | sed 's/ version//') and $("$PERF72" --version | sed 's/ version//'). Made by \`testdata/gen.sh record $1\`."
	} >"$out/README"
	rm -rf "${here:?}/$1"
	mv "$out" "$here/$1"
	chmod 755 "$here/$1"
	rm -rf $scratch
	expect "$1"
}

# --- expectations ------------------------------------------------------------------------------------

put_maps() {
	local m

	for m in maps/perf-*.map; do
		[ -e "$m" ] || continue
		[ ! -e "/tmp/${m##*/}" ] || die "/tmp/${m##*/} is in the way"
		cp "$m" /tmp/
	done
}

drop_maps() {
	local m

	for m in maps/perf-*.map; do
		[ -e "$m" ] && rm -f "/tmp/${m##*/}"
	done
}

expect() { # CASE
	local name ref opts perf home stdin f

	cd "$here/$1" || die "no case $1"
	home=$(mktemp -d)
	put_maps
	while IFS=$'\t' read -r name ref opts; do
		[ "$ref" = ours ] && continue
		perf=$(perf_of "$ref")
		[ -x "$perf" ] || die "no stock perf $ref"
		stdin=/dev/null
		case $opts in *STDIN*) stdin=perf.data; opts=${opts/-i perf.data STDIN/-i -} ;; esac
		f=expected.$name.perf$ref.txt
		# shellcheck disable=SC2086
		HOME=$home "$perf" script $opts <$stdin 2>"$home/err" | sed '/^# captured on/d' >"$f"
		[ -s "$f" ] || case $name in *-none) ;; *) false ;; esac || echo "gen.sh: $1 $name $ref: empty: $(tail -n 1 "$home/err")" >&2
	done <commands
	drop_maps
	rm -rf "$home"
	if tells_on_host .; then echo "gen.sh: $1: holds names of this machine" >&2; fi
	echo "$1: $(find . -type f -printf '%s\n' | awk '{ n += $1 } END { print n }') bytes, $(wc -l <commands) texts"
	cd "$here" || exit 1
}

verb=${1-}
[ $# -gt 0 ] && shift
all=0
[ $# -gt 0 ] || { all=1; set -- $names; }
case $verb in
list) printf '%s\n' "$@" ;;
record)
	[ "$(id -u)" = 0 ] || die "recording needs root"
	HOST_NAME=$(hostname)
	[ ${#HOST_NAME} -gt 3 ] || HOST_NAME=
	build_programs
	keep_programs "$all"
	for c; do record "$c"; done
	rm -rf $W
	;;
expect) for c; do [ -e "$here/$c/commands" ] && expect "$c"; done ;;
*) sed -n '/^#\t/s/^#\t//p' "$0" | head -n 3 >&2; exit 129 ;;
esac
