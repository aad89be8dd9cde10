# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What tests/checks/record_live.sh records, with prec and, for what readers say of any such file, with
# stock perf. Read by that script, which defines:
#
#	mode NAME ARGS...	record -o $OUT ARGS... must make a file
#	mode_by NAME CMD...	CMD must leave the file $OUT behind; it sees REC, the recorder's words
#	record ARGS...		"${REC[@]}" ARGS..., its stdout thrown away
#	W			folder of the workload programs
#	EV			the event, such as cpu-clock
#	may_be_empty		before a mode: its file may hold no sample
#	only_prec		before a mode: stock perf 6.1 and 7.2 have no such option
#	much_like_others	before a mode: only with --all
#	busy PID-VARIABLE	starts a workload with threads, ended with the mode
#
# A mode that the machine refuses to stock perf too (no PMU, no cgroups) is skipped, with prec's words.

quick='-F 2000 -e cpu-clock'

record_modes() {
	# targets
	mode default "$W/w_simple" 30
	much_like_others
	mode command $quick -- "$W/w_simple" 30
	mode fork $quick -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so" "$W/w_simple" 10
	much_like_others
	mode no-inherit $quick --no-inherit "$W/w_fork"
	mode system $quick -a -g "$W/w_threads" 30
	mode cpu-0 $quick -C 0 "$W/w_threads" 30
	much_like_others
	mode cpus $quick -C 0-1 -g sleep 0.1
	mode per-thread $quick --per-thread "$W/w_simple" 30
	mode threads $quick -g --threads=package "$W/w_threads" 30
	much_like_others
	mode threads-system -F 2000 -e cpu-clock,cs -a -z --threads "$W/w_threads" 30
	mode_by pid attach -p $quick -g
	mode_by tid attach -t $quick
	much_like_others
	mode_by pids attach_two $quick
	mode_by user attach_user $quick
	mode_by cgroup in_cgroup $quick
	mode delay $quick -D 10 "$W/w_simple" 60
	mode_by delay-control controlled -D -1 $quick

	# chains and stacks
	mode g $quick -g "$W/w_threads" 40
	much_like_others
	mode fp $quick --call-graph fp "$W/w_cpp" 40
	mode dwarf $quick --call-graph dwarf "$W/w_cpp" 30
	much_like_others
	mode dwarf-8192 $quick --call-graph dwarf,8192 "$W/w_cpp" 30
	mode dwarf-65528 $quick --call-graph dwarf,65528 "$W/w_cpp" 20
	mode dwarf-z $quick -z --call-graph dwarf,16384 "$W/w_cpp" 30
	much_like_others
	mode dwarf-threads $quick --call-graph dwarf "$W/w_threads" 30
	mode kernel-callchains $quick -g --kernel-callchains "$W/w_syscalls" 60
	much_like_others
	mode user-callchains $quick -g --user-callchains "$W/w_syscalls" 60
	mode all-user $quick --all-user -g "$W/w_threads" 30
	may_be_empty
	mode all-kernel $quick --all-kernel -g "$W/w_syscalls" 60
	mode max-stack -F 2000 -e cpu-clock/max-stack=4/ -g "$W/w_cpp" 30
	much_like_others
	may_be_empty
	mode lbr $quick --call-graph lbr "$W/w_simple" 10

	# how often
	much_like_others
	mode freq-max -e cpu-clock -F max "$W/w_simple" 20
	mode count -e cpu-clock -c 200000 "$W/w_simple" 30
	much_like_others
	mode count-1 -e page-faults -c 1 "$W/w_syscalls" 10

	# events
	mode events -F 2000 -e cpu-clock,task-clock,page-faults,context-switches "$W/w_threads" 30
	much_like_others
	mode events-twice -F 2000 -e cpu-clock -e page-faults:u "$W/w_syscalls" 20
	mode modifiers -F 2000 -e cpu-clock:u,task-clock:k,cpu-clock:ppp "$W/w_syscalls" 20
	mode terms -e cpu-clock/period=200000,name=mine/,page-faults/freq=3000/ "$W/w_syscalls" 20
	much_like_others
	mode terms-callgraph -F 2000 -e cpu-clock/call-graph=fp/,task-clock/call-graph=no/ "$W/w_threads" 30
	mode group -F 2000 -e '{cpu-clock,task-clock}' -g "$W/w_threads" 30
	mode group-read -F 2000 -e '{cpu-clock,page-faults}:S' -g "$W/w_syscalls" 30
	much_like_others
	mode groups -F 2000 -e '{cpu-clock,page-faults},{task-clock,cs}' "$W/w_threads" 30
	much_like_others
	mode tracepoint -e sched:sched_switch "$W/w_syscalls" 10
	mode tracepoint-system -e sched:sched_switch,sched:sched_wakeup -a -g "$W/w_syscalls" 10
	mode tracepoint-glob -e 'sched:sched_process_*' "$W/w_fork"
	much_like_others
	mode filter -e 'sched:sched_wakeup*' --filter 'pid != 0' -a "$W/w_threads" 10
	mode filters -e sched:sched_switch --filter 'prev_pid > 0' -e sched:sched_wakeup --filter 'pid > 0' -a \
		"$W/w_syscalls" 10
	mode tracepoint-mixed -F 2000 -e cpu-clock,sched:sched_process_fork -g "$W/w_fork"
	may_be_empty
	mode msr -e msr/tsc/ -c 1000000 "$W/w_simple" 10
	much_like_others
	may_be_empty
	mode breakpoint -e mem:0x1000:x "$W/w_simple" 10
	mode_by breakpoint-hit break_at_leaf
	mode_by uprobe-event probe_event
	only_prec
	mode uprobe -e "uprobe:$W/w_simple:leaf" -g "$W/w_simple" 2
	much_like_others
	only_prec
	mode uretprobe -e "uretprobe:$W/w_simple:leaf" "$W/w_simple" 2
	only_prec
	mode uprobe-glob -e "uprobe:$W/w_simple:l*" "$W/w_simple" 1

	# what samples carry
	mode data -d -e page-faults -c 1 "$W/w_syscalls" 10
	mode weight $quick -W "$W/w_simple" 20
	much_like_others
	mode timestamp-period $quick -T -P "$W/w_simple" 20
	mode phys-data -d --phys-data -e page-faults -c 1 "$W/w_syscalls" 10
	much_like_others
	mode pages -d --data-page-size --code-page-size -e page-faults -c 1 "$W/w_syscalls" 10
	mode stat $quick -s "$W/w_threads" 30
	mode no-time $quick --no-timestamp "$W/w_simple" 20
	much_like_others
	mode identifier $quick --sample-identifier --sample-cpu "$W/w_simple" 20
	much_like_others
	mode raw $quick -R "$W/w_simple" 20
	much_like_others
	mode transaction $quick --transaction "$W/w_simple" 20
	much_like_others
	mode running-time $quick --running-time "$W/w_simple" 20
	mode clock-mono $quick -k mono "$W/w_simple" 20
	mode clock-boottime $quick -k boottime "$W/w_simple" 20
	much_like_others
	mode clock-raw $quick -k raw "$W/w_simple" 20
	much_like_others
	mode clock-tai $quick -k tai "$W/w_simple" 20
	much_like_others
	mode clock-realtime $quick -k realtime "$W/w_simple" 20
	mode user-regs $quick --user-regs=ip,sp,bp "$W/w_simple" 20
	mode intr-regs $quick --intr-regs=ax,ip,r15 "$W/w_simple" 20
	much_like_others
	mode regs $quick -I --user-regs=sp -g "$W/w_simple" 20
	may_be_empty
	mode branch $quick -b "$W/w_simple" 10

	# side-band
	mode switch-events $quick --switch-events "$W/w_threads" 30
	much_like_others
	mode switch-events-system $quick --switch-events -a "$W/w_threads" 20
	mode namespaces $quick --namespaces unshare -u "$W/w_simple" 20
	mode all-cgroups $quick --all-cgroups -a "$W/w_simple" 20
	much_like_others
	mode no-bpf-event $quick --no-bpf-event "$W/w_simple" 20

	# rings and files
	mode pages-16 $quick -m 16 "$W/w_simple" 20
	much_like_others
	mode pages-size $quick -m 1M -g "$W/w_simple" 20
	much_like_others
	mode no-buffering $quick --no-buffering "$W/w_simple" 20
	much_like_others
	mode mmap-flush $quick --mmap-flush 4K "$W/w_threads" 20
	mode z $quick -z -g "$W/w_threads" 30
	much_like_others
	mode z9 $quick -z9 -g -a "$W/w_threads" 20
	mode_by pipe piped $quick -g
	much_like_others
	mode_by pipe-tracepoint piped -e sched:sched_switch
	mode_by pipe-events piped -F 2000 -e cpu-clock,page-faults
	mode_by pipe-z piped $quick -g -z
	mode_by switch-size switched --switch-output=100K -F 9000 -e cpu-clock -g
	much_like_others
	mode_by switch-time switched --switch-output=1s $quick -g
	mode_by switch-signal signalled --switch-output $quick -g
	mode_by switch-max switched --switch-output=100K --switch-max-files 2 -F 9000 -e cpu-clock -g -a
	mode_by max-size limited --max-size 100K -F 20000 -e cpu-clock -g
	mode_by overwrite signalled --overwrite $quick
	much_like_others
	mode_by overwrite-switch signalled --overwrite --switch-output $quick -a
	mode_by control controlled $quick
	mode_by timestamp-filename stamped --timestamp-filename $quick
	much_like_others
	mode timestamp-boundary $quick --timestamp-boundary "$W/w_simple" 20
	mode_by tail-synthesize attach_for_sweeps $quick --tail-synthesize
	mode no-buildid $quick -B "$W/w_simple" 20
	much_like_others
	mode no-buildid-cache $quick -N "$W/w_simple" 20
	much_like_others
	mode buildid-all $quick --buildid-all "$W/w_simple" 20
	mode buildid-mmap $quick --buildid-mmap -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	much_like_others
	may_be_empty
	mode no-samples -n -e cpu-clock "$W/w_simple" 10
	mode_by old-file twice $quick
	much_like_others
	mode_by interrupt interrupted $quick -g
}

# Long enough for several sweeps of the rings: what they hold must wait for the names in the tail.
attach_for_sweeps() { # OPTIONS...
	busy pid
	record -o "$OUT" "$@" -p "$pid" -- sleep 0.8
}

attach() { # -p|-t OPTIONS...
	local how=$1 pid

	shift
	busy pid
	# the first thread only waits for the others
	[ "$how" = -p ] || pid=$(ls "/proc/$pid/task" | tail -n 1)
	record -o "$OUT" "$@" "$how" "$pid" -- sleep 0.1
}

attach_two() {
	local one two

	busy one
	busy two
	record -o "$OUT" "$@" -p "$one,$two" -- sleep 0.1
}

# Of another user where that is possible: what else root runs here comes and goes.
attach_user() {
	local user

	user=$(id -u)
	if [ "$user" = 0 ] && command -v setpriv > /dev/null; then
		user=65534
		chmod 711 "$D" "$W"
		setpriv --reuid=$user --clear-groups "$W/w_busy" 2 10 20 > /dev/null 2>&1 &
		mode_pids+=($!)
		sleep 0.1
	else
		busy user
		user=$(id -u)
	fi
	record -o "$OUT" "$@" -u "$user" -- sleep 0.1
}

# A group of version 2, else of the perf_event controller of version 1.
in_cgroup() {
	local root pid rc

	root=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
	[ -n "$root" ] || root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -n "$root" ] && [ -w "$root" ] || { echo "no control groups" >&2; return 1; }
	mkdir -p "$root/$id" || return
	sh -c 'echo $$ > "$1/cgroup.procs"; exec "$2" 2 5 20' _ "$root/$id" "$W/w_busy" > /dev/null 2>&1 &
	pid=$!
	sleep 0.05
	record -o "$OUT" "$@" -a -G "$id" -- sleep 0.1
	rc=$?
	kill $pid
	wait $pid
	rmdir "$root/$id"
	return $rc
}

piped() { "${REC[@]}" -o - "$@" -- "$W/w_threads" 30 > "$OUT"; }

# Commands through a fifo: recording is off for a while, then told to stop.
controlled() {
	local pid rec x answer

	rm -f "$OUT.ctl" "$OUT.ack"
	mkfifo "$OUT.ctl" "$OUT.ack" || return
	busy pid
	record -o "$OUT" --control "fifo:$OUT.ctl,$OUT.ack" "$@" -p "$pid" &
	rec=$!
	# both ways: an open that never waits, even for a recorder that is gone
	exec 7<> "$OUT.ctl" 8<> "$OUT.ack"
	for x in disable enable ping; do
		echo $x >&7
		read -r -t 5 answer <&8 && [ "$answer" = ack ] || echo "no ack of $x: ${answer-}" >&2
		sleep 0.05
	done
	echo stop >&7
	wait $rec
}

# The first file of several, which all have to be there.
pick_first() { # LEAST
	local all=("$OUT".2*)

	if [ ${#all[@]} -lt "$1" ] || ! [ -e "${all[0]}" ]; then
		echo "${#all[@]} files, at least $1 wanted" >&2
		return 1
	fi
	mv "${all[0]}" "$OUT"
	rm -f "$OUT".2*
}

switched() {
	[[ $* == *1s* ]] && set -- "$@" -- "$W/w_simple" 1300
	[[ $* == *w_simple* ]] || set -- "$@" -- "$W/w_busy" 2 30 1
	record -o "$OUT" "$@" || return
	if [[ $* == *max-files* ]]; then
		set -- "$OUT".2*
		[ $# -le 2 ] || { echo "$# files are left" >&2; return 1; }
	fi
	pick_first 2
}

# SIGUSR2 once while it runs; what was written then, or in the end, is read.
signalled() {
	local pid rec rc

	busy pid
	# what the shell starts in the background ignores SIGINT otherwise
	env --default-signal=INT "${REC[@]}" -o "$OUT" "$@" -p "$pid" > /dev/null &
	rec=$!
	wait_until_recording "$OUT"
	kill -USR2 $rec
	sleep 0.15
	kill -INT $rec
	wait $rec
	rc=$?
	[ -e "$OUT" ] || pick_first 1 || return
	[ $rc = 130 ] || return $rc
}

interrupted() {
	local pid rec rc

	busy pid
	# what the shell starts in the background ignores SIGINT otherwise
	env --default-signal=INT "${REC[@]}" -o "$OUT" "$@" -p "$pid" > /dev/null &
	rec=$!
	wait_until_recording "$OUT"
	kill -INT $rec
	wait $rec
	rc=$?
	[ $rc = 130 ] || return $rc
}

# The workload is ended by SIGTERM, and that is its status.
limited() {
	record -o "$OUT" "$@" -- "$W/w_simple" 10000
	[ $? = 143 ]
}

stamped() { record -o "$OUT" "$@" -- "$W/w_simple" 30 && pick_first 1; }

twice() {
	record -o "$OUT" "$@" -- "$W/w_simple" 20 && record -o "$OUT" "$@" -- "$W/w_simple" 20 &&
		[ -s "$OUT.old" ]
}

# An address that is executed: known once the program runs, which is static here.
break_at_leaf() {
	local addr

	addr=$(nm "$W/w_static" 2> /dev/null | awk '$3 == "leaf" { print $1 }')
	[ -n "$addr" ] || { echo "no static program" >&2; return 1; }
	record -o "$OUT" -e "mem:0x$addr:x" -c 1 -- "$W/w_static" 1
}

# An event that stands in the kernel's list already; it is removed whatever happens.
probe_event() {
	local off rc

	off=$(nm "$W/w_static" | awk '$3 == "leaf" { print $1 }')
	[ -n "$off" ] || return
	echo "p:live_$tag/leaf $W/w_static:0x$(printf '%x' $((0x$off - 0x400000)))" >> "$trace_dir/uprobe_events" || return
	record -o "$OUT" -e "live_$tag:leaf" -- "$W/w_static" 1
	rc=$?
	echo "-:live_$tag/leaf" >> "$trace_dir/uprobe_events"
	return $rc
}
