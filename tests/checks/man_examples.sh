#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs every example of every man page, and holds perf.data-quality(7) against the texts of the
# verdict.
#
#	tests/checks/man_examples.sh [-v] [PAGE...]	pages may be compressed (.gz)
#
#	BIN=bin			folder of the commands
#	NO_RECORD=1		as where the kernel lets nobody record
#
# An example is what stands between .EX and .EE in the section EXAMPLES, or a .B line behind .TP. It
# runs in a folder of its own, where there are a program, a server that runs, and recordings of them
# made at the beginning. Each command of it must end with status 0; it must print something or write
# files; no file that it writes may be empty, and a recording must hold samples. What is no part of
# this project and would take long or is not there is played by small scripts (make_players).
# -v prints what each example printed.

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
export LC_ALL=C TZ=UTC
BIN=$(realpath "${BIN:-bin}")
CC=${CC:-cc}
verbose=''
[ "${1-}" = -v ] && verbose=1 && shift
args=("$@")

skip_all() { echo "1..0 # SKIP $*"; exit 77; }
for c in prec prep pscript pfold pevlist plat; do
	[ -x "$BIN/$c" ] || skip_all "no $c in $BIN"
done

trace_dir=/sys/kernel/tracing
run_in_own_tmp ${verbose:+-v} ${args[@]+"${args[@]}"}
if [ -z "${IN_OWN_TMP-}${EXAMPLES_INNER-}" ] && [ "$(id -u)" = 0 ] &&
	! [ -e $trace_dir/events ] && unshare -m true 2> /dev/null; then
	EXAMPLES_INNER=1 exec unshare -m --propagation private bash "$0" ${verbose:+-v} \
		${args[@]+"${args[@]}"}
fi
[ -e $trace_dir/events ] || mount -t tracefs none $trace_dir 2> /dev/null

work=$(mktemp -d) || exit 2
server=''
trap '[ -z "$server" ] || kill -KILL "$server"; rm -rf "$work"' EXIT
base=$work/base
mkdir "$base" "$work/players" "$base/target"

# --- what the examples are about --------------------------------------------------------------------

make_program() {
	cat > "$base/app.c" <<- 'C'
		#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <time.h>
		#include <unistd.h>

		static volatile unsigned long sink;
		static int is_server;

		static inline unsigned long mix(unsigned long a, unsigned long b)
		{
			return (a ^ b) * 31;
		}

		__attribute__((noinline)) void leaf(const char *text)
		{
			for (int i = 0; i < 10000; i++)
				sink += mix((unsigned long)text[i % 15], (unsigned long)i);
		}

		__attribute__((noinline)) void parse_line(const char *line)
		{
			for (int i = 0; i < 10000; i++)
				sink += (unsigned long)line[i % 15] * (unsigned long)i;
			leaf(line);
		}

		__attribute__((noinline)) void encode_reply(void)
		{
			for (int i = 0; i < 10000; i++)
				sink ^= (unsigned long)i << (i & 15);
		}

		__attribute__((noinline)) void handle_request(int depth)
		{
			if (depth) {
				handle_request(depth - 1);
				sink++;
				return;
			}
			parse_line("GET /index.html");
			encode_reply();
		}

		static void *work(void *seconds)
		{
			struct timespec start, now;

			clock_gettime(CLOCK_MONOTONIC, &start);
			do {
				for (int i = 0; i < (is_server ? 20 : 50); i++)
					handle_request(4);
				free(memset(malloc(100000), 1, 100000));
				usleep(is_server ? 40000 : 500);
				clock_gettime(CLOCK_MONOTONIC, &now);
			} while ((double)(now.tv_sec - start.tv_sec) +
				 (double)(now.tv_nsec - start.tv_nsec) / 1e9 < *(double *)seconds);
			return NULL;
		}

		int main(int argc, char **argv)
		{
			double seconds = 0.1;
			pthread_t thread;

			(void)argc;
			is_server = strstr(argv[0], "server") != NULL;
			if (is_server)
				seconds = 300;
			for (unsigned long i = 0; i < 4000000; i++)
				sink += i;
			pthread_create(&thread, NULL, work, &seconds);
			work(&seconds);
			pthread_join(thread, NULL);
			puts("done");
			return 0;
		}
	C
	"$CC" -g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread \
		-o "$base/app" "$base/app.c" 2> "$work/cc" ||
		{ cat "$work/cc"; skip_all "$CC does not compile"; }
	cp "$base/app" "$base/server"
	cat > "$base/server.js" <<- 'JS'
		'use strict';
		function parse(s) {
			let sum = 0;
			for (let i = 0; i < s.length; i++) sum += s.charCodeAt(i) * i;
			return sum;
		}
		const until = Date.now() + 300;
		let total = 0;
		for (let n = 0; Date.now() < until; n++) total += parse('GET /index.html?' + n);
		console.log('done', total > 0);
	JS
}

player() { # name; the text on standard input
	{ echo '#!/bin/sh'; cat; } > "$work/players/$1"
	chmod 755 "$work/players/$1"
}

# sleep takes a small part of its time; head reads on to the end, so that no status is that of a
# closed pipe; there is one server; one machine, whose root one is already; nothing to make.
make_players() {
	local sleep head
	sleep=$(command -v sleep) head=$(command -v head)
	player sleep <<- S
		[ "\$1" -ge 600 ] && exec $sleep 3
		[ "\$1" -ge 60 ] && exec $sleep 1
		exec $sleep 0.4
	S
	player head <<- S
		$head "\$@"
		cat > /dev/null
	S
	player pidof <<< "echo $server"
	player ssh <<< 'shift; exec "$@"'
	player sudo <<< 'exec "$@"'
	player less <<< 'exec cat "$@"'
	player make <<< 'echo nothing to be made'
	command -v flamegraph.pl > /dev/null || player flamegraph.pl <<- 'S'
		exec awk '$NF !~ /^[0-9]+$/ { print "no count: " $0 > "/dev/stderr"; exit 1 }
			END { if (!NR) exit 1; print "<svg><!-- " NR " stacks --></svg>" }'
	S
}

record() { # file options...
	local file=$1
	shift
	(cd "$base" && timeout 30 "$BIN/prec" -q -o "$file" "$@" > /dev/null 2> "$work/why") ||
		rm -f "$base/$file"
	[ -s "$base/$file" ]
}

# Records until the second tenth of the time, which examples count, has samples: on a busy machine the
# program may not have run then.
record_second_tenth() { # file options...
	local i
	for i in 1 2 3 4 5 6; do
		record "$@" || return
		[ -n "$("$BIN/pscript" -i "$base/$1" -c app --time 10%/2 2> /dev/null | head -n 1)" ] && return
	done
	return 0
}

can_record='' can_all='' can_trace=''
make_recordings() {
	if [ -z "${NO_RECORD-}" ] && record_second_tenth perf.data -g -- ./app; then
		can_record=1
		record before.data -g -- ./app
		record after.data -g -- ./app
		record dwarf.data --call-graph dwarf -- ./app
		record group.data -e '{cpu-clock,page-faults}:S' -- ./app
		record all.data -a -g -- ./app && can_all=1
		record waits.data -e sched:sched_switch --filter 'prev_state != 0' -g -- ./app &&
			can_trace=1
		rm -f "$base/all.data"
	else
		cp testdata/fp-7.2/perf.data "$base/perf.data"
		cp testdata/fp-7.2/perf.data "$base/before.data"
		cp testdata/fp-7.2/perf.data "$base/after.data"
		cp testdata/dwarf-7.2/perf.data "$base/dwarf.data"
		cp testdata/group-7.2/perf.data "$base/group.data"
	fi
	cat /proc/kallsyms > "$base/target/kallsyms" 2> /dev/null
}

# --- running ----------------------------------------------------------------------------------------

# One example to a file $work/PAGE.N: lines of .EX to .EE, or the .B line behind .TP.
extract() { # page name
	local cat='cat'
	case $1 in *.gz) cat='zcat' ;; esac
	$cat "$1" | awk -v out="$work/ex.$2" '
		function plain(s) {
			gsub(/\\f[BIRP]/, "", s); gsub(/\\-/, "-", s); gsub(/\\\(aq/, "\047", s)
			gsub(/\\\(dq/, "\"", s); gsub(/\\\(ha/, "^", s); gsub(/\\\(ti/, "~", s)
			gsub(/\\&/, "", s); gsub(/\\e/, "\\", s)
			return s
		}
		/^\.SH/ { on = $0 ~ /^\.SH "?EXAMPLES?"?$/; next }
		!on { next }
		/^\.EX/ { file = out "." sprintf("%02d", ++n); in_ex = 1; next }
		/^\.EE/ { in_ex = 0; close(file); next }
		in_ex { print plain($0) > file; next }
		/^\.TP/ { tag = 1; next }
		tag && /^\.B / {
			file = out "." sprintf("%02d", ++n)
			sub(/^\.B /, ""); print plain($0) > file; close(file)
		}
		{ tag = 0 }'
}

# Why this example cannot run here; nothing when it can.
why_not() { # text
	local f
	case $1 in
	*prec\ --list-events*) ;;
	*prec\ *) [ -n "$can_record" ] || { echo "the kernel lets nobody record here"; return; } ;;
	*parse_line* | *app* | pann*) [ -n "$can_record" ] || { echo "needs a recording of app"; return; } ;;
	esac
	case $1 in
	*prec\ -a\ * | *plat\ *\ -a*) [ -n "$can_all" ] || { echo "needs the right to record all CPUs"; return; } ;;
	esac
	case $1 in
	*prec\ --list-events\ *:*) [ -r $trace_dir/events ] || { echo "needs tracefs"; return; } ;;
	*\ -m\ [0-9]*M*) [ "$(id -u)" = 0 ] || { echo "needs root: large rings"; return; } ;;
	*-e\ sched:*) [ -n "$can_trace" ] || { echo "needs root and tracefs"; return; } ;;
	*uprobe:* | *plat\ func*)
		if [ "$(id -u)" != 0 ] || ! [ -d /sys/bus/event_source/devices/uprobe ]; then
			echo "needs root and uprobes"
			return
		fi ;;
	esac
	for f in dwarf group waits; do
		case $1 in
		*$f.data*) [ -s "$base/$f.data" ] || { echo "$f.data could not be recorded"; return; } ;;
		esac
	done
	for f in node java python3 pann; do
		case " ${1//$'\n'/ } " in
		*" $f "*) PATH=$BIN:$PATH command -v "$f" > /dev/null || { echo "no $f here"; return; } ;;
		esac
	done
}

no_sample='it recorded no sample'

# What is wrong with what the example left in its folder.
look_at_files() { # folder
	local f made='' recordings='' sampled=''
	while IFS= read -r f; do
		made=1
		[ -s "$f" ] || echo "empty: ${f##*/}"
		[ "$(head -c 8 "$f" | tr -d '\0')" = PERFILE2 ] || continue
		recordings=1
		[ -z "$("$BIN/pscript" -i "$f" -G -F ip 2> /dev/null | head -n 1)" ] || sampled=1
	done < <(find "$1" -maxdepth 1 -type f -newer "$work/start" ! -name '*.old')
	[ -n "$made" ] || [ -s "$work/out" ] || echo "it printed nothing and wrote no file"
	[ -z "$recordings" ] || [ -n "$sampled" ] || echo "$no_sample"
}

# JITs write their maps to /tmp.
forget_maps() { # folder
	local pid
	for pid in $("$BIN/prep" -i "$1/perf.data" --tasks 2> /dev/null | awk '$4 ~ /node|java|python/ { print $1 }' |
		sort -u); do
		[ -e "/proc/$pid" ] || rm -f "/tmp/perf-$pid.map"
	done
}

# Runs it in a folder of its own: what is wrong with it, nothing where all is well.
try_example() { # file
	local rc place=$work/place
	rm -rf "$place"
	cp -al "$base" "$place"
	touch "$work/start"
	sleep 0.02 # the kernel's file times are coarse
	# the server works only for examples that it matters to
	case $(< "$1") in
	*server* | *pidof* | *prec* | *plat*) kill -CONT "$server" ;;
	esac
	(cd "$place" && PATH=$work/players:$BIN:$PATH \
		timeout -k 5 60 bash -e -o pipefail "$1" < /dev/null > "$work/out" 2> "$work/err")
	rc=$?
	kill -STOP "$server"
	[ $rc -eq 0 ] || echo "status $rc"
	look_at_files "$place"
	case $(< "$1") in
	*-prof* | *java* | *"-X perf"*) forget_maps "$place" ;;
	esac
}

n=0 bad=0
run_example() { # file title
	local text why
	text=$(cat "$1")
	n=$((n + 1))
	why=$(why_not "$text")
	if [ -n "$why" ]; then
		echo "ok $n - $2 # SKIP $why"
		return
	fi
	why=$(try_example "$1")
	# on a machine that is busy enough
	[ "$why" != "$no_sample" ] || why=$(try_example "$1")
	if [ -z "$why" ]; then
		echo "ok $n - $2"
	else
		bad=1
		echo "not ok $n - $2"
		echo "# ${why//$'\n'/$'\n'# }"
		head -n 12 "$work/err" | sed 's/^/# stderr: /'
	fi
	[ -z "$verbose" ] || { sed 's/^/$ /' "$1"; head -n 20 "$work/out"; head -n 20 "$work/err"; }
}

check_page() { # page
	local name f nr=0
	name=${1##*/}
	name=${name%.gz}
	extract "$1" "$name"
	for f in "$work/ex.$name".*; do
		[ -e "$f" ] || continue
		nr=$((nr + 1))
		if sed 's/\\$//' "$f" | grep -qF '\'; then # shellcheck disable=SC1003
			n=$((n + 1)) bad=1
			echo "not ok $n - $name: an escape that this script does not know: $(head -n 1 "$f")"
			continue
		fi
		run_example "$f" "$name: $(tr -s '\n\t \\' ' ' < "$f" | tr -d '#')"
	done
	[ $nr -gt 0 ] && return
	n=$((n + 1)) bad=1
	echo "not ok $n - $name: no examples"
}

# Each text by which the verdict gives a reason, and each key of its JSON, is explained.
check_verdict_texts() {
	local page json text missing=''
	page=$(source_named perf.data-quality.7) json=$(source_named verdict_json.c)
	n=$((n + 1))
	sed 's/\\f.//g; s/\\-/-/g; s/^\.B[A-Z]* //; s/"//g' "$page" | tr '\n' ' ' > "$work/quality"
	while IFS= read -r text; do
		grep -qF -- "$text" "$work/quality" || missing+="# not in the page: $text"$'\n'
	done < <(sed -n 's/^\t*\[VERDICT_[A-Z_]*\] = "\(.*\)",$/\1/p' "$(source_named verdict_advice.c)"
		sed -n 's/.*put_[a-z]*(o, "\([a-z_]*\)".*/\1/p' "$json"
		grep -A 5 'names\[\]\|chains\[\]\|ends\[VERDICT\|reasons\[VERDICT' "$json" |
			grep -o '"[a-z_-]*"' | tr -d '"')
	if [ -z "$missing" ] && [ -s "$work/quality" ]; then
		echo "ok $n - perf.data-quality.7 names every reason and key"
	else
		bad=1
		printf 'not ok %d - perf.data-quality.7 names every reason and key\n%s' "$n" "$missing"
	fi
}

make_program
"$base/server" > /dev/null 2>&1 &
server=$!
make_players
make_recordings
kill -STOP "$server"
if [ ${#args[@]} -gt 0 ]; then
	pages=("${args[@]}")
else
	mapfile -t pages < <(man_pages 17)
	check_verdict_texts
fi
for p in "${pages[@]}"; do
	check_page "$p"
done
echo "1..$n"
exit $bad
