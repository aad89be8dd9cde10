#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How often does a command open its recording? strace counts, for each row of the table below, how
# often the file of the recording was opened that was opened most often. It is 1, and 0 where the
# recording comes on standard input.
#
#	tests/checks/one_open.sh
#	tests/checks/one_open.sh --list	print the table with today's counts
#
# Environment: BIN (default bin).

set -uf
cd "$(dirname "$0")/../.." || exit 2
. tests/frame/stored_kallsyms.sh
run_with_stored_kallsyms "$@"
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC
unset DEBUGINFOD_URLS PERF_CONFIG PERF_BUILDID_DIR

# Opens, folder of testdata, command line. STDIN: the recording comes on standard input. DIFF: it
# is compared with a copy of itself.
table() {
	cat << 'TABLE'
1 fp-7.2 prep
1 fp-7.2 prep --no-children
1 fp-7.2 prep -g none
1 fp-7.2 prep -g caller -s sym
1 fp-7.2 prep --hierarchy --no-children -g none
1 fp-7.2 prep --header
1 fp-7.2 prep --header-only
1 fp-7.2 prep -I
1 fp-7.2 prep -v
1 fp-7.2 prep --stats
1 fp-7.2 prep --mmaps
1 fp-7.2 prep --tasks
1 fp-7.2 prep -T
1 fp-7.2 prep -D
1 fp-7.2 prep -s srcline
1 fp-7.2 prep --time 10%-60%
1 fp-7.2 prep --percent-limit 2 -G
1 fp-7.2 prep -q
1 fp-7.2 prep --quality=json
1 fp-7.2 prep --quality=none
1 fp-7.2 prep --debuginfod
1 fp-7.2 prep --no-inline
1 fp-7.2 prep --why libc.so.6
1 fp-7.2 prep --threads 1
1 fp-7.2 prep --symfs ../symfs --kallsyms kallsyms
1 fp-7.2 prep DIFF
1 fp-7.2 pscript
1 fp-7.2 pscript -G
1 fp-7.2 pscript --header
1 fp-7.2 pscript --header-only
1 fp-7.2 pscript -I
1 fp-7.2 pscript -D
1 fp-7.2 pscript -v
1 fp-7.2 pscript -d
1 fp-7.2 pscript -F +srcline
1 fp-7.2 pscript -F comm,event
1 fp-7.2 pscript --time 10%-60%
1 fp-7.2 pscript --reltime
1 fp-7.2 pscript --quality=text
1 fp-7.2 pscript --quality=json
1 fp-7.2 pscript --quality=none
1 fp-7.2 pscript --debuginfod
1 fp-7.2 pscript --quality=text --debuginfod
1 fp-7.2 pscript --threads 1
1 fp-7.2 pscript --no-inline
1 fp-7.2 pscript --why libc.so.6
1 fp-7.2 pscript --show-mmap-events --show-task-events
1 fp-7.2 pscript --format perf-6.1
1 fp-7.2 pscript --symfs ../symfs --kallsyms kallsyms
1 fp-7.2 pann --symfs ../symfs
1 fp-7.2 pann --symfs ../symfs --stdio2
1 fp-7.2 pann --symfs ../symfs -l
1 fp-7.2 pann --symfs ../symfs -q
1 fp-7.2 pann --symfs ../symfs --time 10%-60%
1 fp-7.2 pann --symfs ../symfs --quality=json
1 fp-7.2 pann --symfs ../symfs --debuginfod
1 fp-7.2 pann --symfs ../symfs --why libc.so.6
1 fp-7.2 pevlist
1 fp-7.2 pevlist -v
1 fp-7.2 pevlist -g
1 fp-7.2 pevlist -F
1 fp-7.2 pevlist --trace-fields
1 fp-7.2 pfold
1 fp-7.2 pfold --weight samples
1 fp-7.2 pfold --time 10%-60%
1 fp-7.2 pfold --quality=json
1 fp-7.2 pfold --quality=none
1 fp-7.2 pfold --threads 1
1 fp-7.2 pfold --no-inline
1 fp-7.2 pfold --why libc.so.6
1 fp-7.2 pfold --debuginfod
1 fp-7.2 pfold --symfs ../symfs --kallsyms kallsyms
1 fp-7.2 pfold DIFF
1 fp-7.2 pfold -e cpu-clock
1 dwarf-7.2 prep
1 dwarf-7.2 pscript
1 dwarf-7.2 pevlist
1 dwarf-7.2 pfold
1 zstd-7.2 prep
1 zstd-7.2 pscript
1 zstd-7.2 pevlist
1 zstd-7.2 pfold
1 tp-7.2 prep
1 tp-7.2 pscript
1 tp-7.2 pevlist
1 tp-7.2 pfold -e sched:sched_switch
1 jit-7.2 prep
1 jit-7.2 pscript
1 jit-7.2 pevlist
1 jit-7.2 pfold
1 group-7.2 prep
1 group-7.2 pscript
1 group-7.2 pevlist
1 group-7.2 pfold -e cpu-clock
1 dir-7.2 prep
1 dir-7.2 pscript
1 dir-7.2 pevlist
1 dir-7.2 pfold
1 pipe-7.2 prep
1 pipe-7.2 pscript
1 pipe-7.2 pevlist
1 pipe-7.2 pfold -e cpu-clock
1 pipe-tp-7.2 prep
1 pipe-tp-7.2 pscript
1 pipe-tp-7.2 pevlist
1 pipe-tp-7.2 pfold -e sched:sched_switch
1 dwarf-7.2 prep --no-join
1 dwarf-7.2 prep --unwinder=libdw
1 dwarf-7.2 prep --time 10%-60%
1 dwarf-7.2 pscript --no-join
1 dwarf-7.2 pscript --unwinder=libdw
1 dwarf-7.2 pscript --quality=text
1 dwarf-7.2 pscript -G
1 dwarf-7.2 pscript --debug-unwind 2739.631774984
1 dwarf-7.2 pscript --time 10%-60%
1 dwarf-7.2 pfold --no-join
1 dwarf-7.2 pfold --no-marks
1 dwarf-7.2 pfold --time 10%-60%
1 tp-7.2 prep -s trace
1 tp-7.2 pscript -F trace:comm,time,event,trace
1 tp-7.2 pscript --header
1 tp-7.2 pevlist --trace-fields
1 dir-7.2 prep --tasks
1 dir-7.2 prep --header
1 dir-7.2 pscript --header
1 dir-7.2 pscript -D
0 pipe-7.2 prep STDIN
0 pipe-7.2 pscript STDIN
0 pipe-7.2 pevlist STDIN
0 pipe-7.2 pfold -e cpu-clock STDIN
0 pipe-7.2 pscript --header STDIN
0 pipe-7.2 prep --header STDIN
0 pipe-tp-7.2 prep STDIN
0 pipe-tp-7.2 pscript STDIN
0 pipe-tp-7.2 pevlist STDIN
0 pipe-tp-7.2 pfold -e sched:sched_switch STDIN
0 pipe-tp-7.2 pscript --header STDIN
0 pipe-tp-7.2 prep --header STDIN
0 fp-7.2 prep STDIN
0 fp-7.2 pscript STDIN
0 fp-7.2 pevlist STDIN
0 fp-7.2 pfold STDIN
0 fp-7.2 pscript --header STDIN
0 fp-7.2 prep --header STDIN
TABLE
}

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] || skip "prep is not built"
command -v strace > /dev/null || skip "strace is not installed"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# The leak check of sanitizers does not work in a process that is traced.
export HOME=$work ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# A filter in the kernel keeps all other calls from stopping the command: a third of the time.
filter=(--seccomp-bpf)
strace -f --seccomp-bpf -e trace=open -o "$work/trace" true 2> /dev/null || filter=()
strace -f -o "$work/trace" true 2> /dev/null || skip "strace cannot trace a process here"

# Opens of the file below FOLDER that was opened most often, in the trace. The result of openat
# holds the path of what was opened, however it was named.
most_opens() { # FOLDER
	awk -v folder="$1/" '
		/open/ && match($0, / = [0-9]+<.*>$/) {
			path = substr($0, RSTART, RLENGTH)
			sub(/^ = [0-9]+</, "", path)
			sub(/>$/, "", path)
			if (index(path, folder) == 1 && ++n[path] > most)
				most = n[path]
		}
		END { print most + 0 }' "$work/trace"
}

# Runs a row's command on a copy of its recording that lies alone in a folder.
count_opens() { # CASE COMMAND OPTIONS...
	local case=$1 command=$2 dir=$work/$1 stdin=/dev/null
	local options=" ${*:3} "

	if [ ! -e "$dir" ]; then
		mkdir "$dir"
		cp -r "testdata/$case/perf.data" "$dir/perf.data"
		cp "$dir/perf.data" "$dir/other.data" 2> /dev/null
	fi
	case $options in
	*' STDIN '*) stdin=$dir/perf.data options="${options/STDIN/} -i -" ;;
	*' DIFF '*) options="${options/DIFF/--diff} $dir/other.data $dir/perf.data" ;;
	*) options="$options -i $dir/perf.data" ;;
	esac
	# shellcheck disable=SC2086
	(cd "testdata/$case" && timeout 60 strace -f ${filter[@]+"${filter[@]}"} -y -e trace=open,openat -o "$work/trace" \
		"$BIN/$command" $options < "$stdin" > "$work/out" 2> "$work/err")
	status=$?
	most_opens "$dir"
}

n=0 failed=0 known=0 status=0
while read -r want case command options; do
	# shellcheck disable=SC2086
	got=$(count_opens "$case" "$command" $options; exit "$status")
	status=$?
	if [ "${1-}" = --list ]; then
		echo "$got $case $command${options:+ $options}"
		continue
	fi
	n=$((n + 1))
	[ "$want" -le 1 ] || known=$((known + 1))
	if [ "$status" -ne 0 ]; then
		echo "not ok $n - $command $options on $case: status $status: $(head -n 1 "$work/err")"
		failed=1
	elif [ "$got" != "$want" ]; then
		echo "not ok $n - $command $options on $case opens its recording $got times, the table says $want"
		failed=1
	else
		echo "ok $n - $command $options on $case: opened $got times"
	fi
done < <(table)
[ "${1-}" != --list ] || exit 0
echo "# $known of $n rows open their recording more than once"
echo "1..$n"
exit $failed
