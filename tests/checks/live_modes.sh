# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
#
# What tests/checks/live.sh records and how it prints it. Read by that script, which defines:
#
#	rec NAME ARGS...	perf record -o NAME.data ARGS..., for one recorder ($who: 6.1 or 7.2, $PERF_NOW)
#	rec_by NAME CMD...	the same for anything else that leaves $who.NAME.data behind (CMD sees $OUT_FILE)
#	W			folder of the workload programs (a neutral path)
#
# A mode that this machine or this recorder refuses is reported as skipped, with perf's own words.

quick_modes() {
	rec fp -F 4000 -e cpu-clock -g "$W/w_cpp" 60
	rec plain -F 4000 -e cpu-clock "$W/w_simple" 60
	rec sys-fp -F 800 -e cpu-clock -a -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so" "$W/w_simple" 20
	rec events -F 2000 -e cpu-clock,task-clock,page-faults -g "$W/w_threads" 40
	rec tp -e sched:sched_switch,syscalls:sys_enter_write -a "$W/w_syscalls" 10
	rec zstd -z -F 4000 -e cpu-clock -g "$W/w_threads" 40
	rec_by pipe pipe_record -F 2000 -e cpu-clock -g "$W/w_simple" 40
	rec jit -F 4000 -e cpu-clock -g "$W/w_jit" 50
}

pipe_record() { "$PERF_NOW" record -N -o - "$@" > "$OUT_FILE"; }

all_modes() {
	quick_modes

	# chains, targets, programs
	rec fp-clang -F 4000 -e cpu-clock -g "$W/w_cpp_clang" 60
	rec fp-static -F 4000 -e cpu-clock -g "$W/w_static" 50
	rec fp-stripped -F 4000 -e cpu-clock -g "$W/w_stripped" 50
	rec fp-rust -F 4000 -e cpu-clock -g "$W/w_rust" 50
	rec fp-rust-v0 -F 4000 -e cpu-clock -g "$W/w_rust_v0" 50
	rec fp-sort -F 2000 -e cpu-clock -g sh -c 'seq 60000 | sort -R | sort -n | xz -1 | wc -c'
	rec fp-gcc -F 500 -e cpu-clock -g g++ -O1 -c -o /dev/null "$SRC/w_cpp.cc"
	rec fp-clangxx -F 500 -e cpu-clock -g clang++ -O1 -c -o /dev/null "$SRC/w_cpp.cc"
	rec fp-python -F 1000 -e cpu-clock -g python3 -c 'import json; print(len(json.dumps(list(range(90000)))))'
	rec fp-git -F 1000 -e cpu-clock -g git -C "$REPO" status --short
	rec fp-node -F 1000 -e cpu-clock -g node --perf-basic-prof -e "$NODE_JS"
	rec fp-java -F 500 -e cpu-clock -g java -version
	rec sys -F 500 -e cpu-clock -a "$W/w_threads" 60
	rec sys-cpu0 -F 500 -e cpu-clock -C 0 -g "$W/w_threads" 60
	rec fork -F 4000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so" "$W/w_static" 20
	rec fork-plain -F 4000 -e cpu-clock "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so" "$W/w_jit" 20
	rec no-inherit -i -F 4000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec all-user -F 4000 -e cpu-clock --all-user -g "$W/w_syscalls" 60
	rec all-kernel -F 4000 -e cpu-clock --all-kernel -g "$W/w_syscalls" 60
	rec kernel-chains -F 4000 -e cpu-clock -g --kernel-callchains "$W/w_syscalls" 60
	rec user-chains -F 4000 -e cpu-clock -g --user-callchains "$W/w_syscalls" 60
	rec max-stack-8 -F 4000 -e cpu-clock/max-stack=8/ -g "$W/w_cpp" 40
	rec cgraph-per-event -F 2000 -e cpu-clock/call-graph=fp/,task-clock/call-graph=no/ "$W/w_threads" 40
	rec dwarf -F 1000 -e cpu-clock --call-graph dwarf,4096 "$W/w_cpp" 30
	rec user-regs -F 2000 -e cpu-clock --user-regs=ip,sp,bp -g "$W/w_simple" 30
	rec intr-regs -F 2000 -e cpu-clock -I "$W/w_simple" 30
	rec intr-regs-some -F 2000 -e cpu-clock --intr-regs=ax,ip,r15 --user-regs=sp "$W/w_simple" 30
	attach_modes

	# events
	rec events-flat -F 2000 -e cpu-clock,task-clock,page-faults,context-switches,minor-faults "$W/w_threads" 30
	rec events-many -F 500 -e cpu-clock:u,cpu-clock:k,task-clock:ppp,cpu-migrations,faults,alignment-faults,bpf-output \
		"$W/w_syscalls" 20
	rec period -c 100000 -e cpu-clock -g "$W/w_simple" 30
	rec period-per-event -e cpu-clock/period=200000/,task-clock/freq=3000/,page-faults/period=1,name=my-faults/ "$W/w_syscalls" 20
	rec group -F 2000 -e '{cpu-clock,task-clock}' -g "$W/w_threads" 30
	rec group-two -F 2000 -e '{cpu-clock,page-faults},{task-clock,context-switches}' "$W/w_threads" 30
	rec group-read -F 2000 -e '{cpu-clock,task-clock,page-faults}:S' "$W/w_syscalls" 30
	rec group-read-fp -F 2000 -e '{cpu-clock,page-faults}:S' -g "$W/w_threads" 30
	rec running-time -F 2000 --running-time -e cpu-clock,page-faults "$W/w_syscalls" 30
	rec stat-threads -s -F 2000 -e cpu-clock -g "$W/w_threads" 30
	rec dummy -e dummy "$W/w_simple" 10
	rec breakpoint -e mem:0x1000:x "$W/w_simple" 10
	rec filter -e sched:sched_switch --filter 'prev_pid != 0' -a "$W/w_syscalls" 10
	rec tp-fp -e sched:sched_switch -a -g "$W/w_syscalls" 10
	rec tp-sched -e 'sched:*' -a "$W/w_syscalls" 6
	rec tp-syscalls -e 'syscalls:*' "$W/w_syscalls" 10
	rec tp-raw -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -g "$W/w_syscalls" 10
	rec tp-kmem -e 'kmem:*' "$W/w_syscalls" 6
	rec tp-irq -e 'irq:*,timer:*,signal:*,task:*,workqueue:*,rcu:*' -a "$W/w_syscalls" 20
	rec tp-block -e 'block:*,writeback:*,filemap:*,ext4:*' -a sh -c 'date > live_tmp; sync live_tmp; rm live_tmp'
	rec tp-exceptions -e 'exceptions:*,power:*,irq_vectors:*,x86_fpu:*' -a "$W/w_syscalls" 4
	rec tp-net -e 'sock:*,tcp:*,net:*,skb:*,udp:*' -a sh -c 'echo x > /dev/udp/127.0.0.1/9; getent hosts localhost'
	rec tp-mixed -F 2000 -e cpu-clock,sched:sched_switch,page-faults -g "$W/w_syscalls" 10
	rec tp-raw-data -R -F 2000 -e cpu-clock,sched:sched_process_fork "$W/w_fork"
	rec_by uprobe probe_record
	rec_by kprobe kprobe_record

	# what samples carry
	rec data -d -F 2000 -e cpu-clock,page-faults -g "$W/w_syscalls" 20
	rec data-plain -d -e page-faults -c 1 "$W/w_syscalls" 20
	rec data-mmap --data-mmap -d -e page-faults -c 1 "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec phys --phys-data -d -e page-faults -c 1 "$W/w_syscalls" 10
	rec pages --code-page-size --data-page-size -d -e page-faults,cpu-clock "$W/w_syscalls" 10
	rec weight -W --transaction -F 2000 -e cpu-clock "$W/w_simple" 20
	rec branch -b -F 1000 -e cpu-clock "$W/w_simple" 10
	rec timestamps -T -P --sample-cpu -F 2000 -e cpu-clock "$W/w_simple" 20
	rec no-time --no-timestamp -F 2000 -e cpu-clock -g "$W/w_simple" 20
	rec ids --sample-identifier -F 2000 -e cpu-clock "$W/w_simple" 20
	rec mono -k CLOCK_MONOTONIC -F 2000 -e cpu-clock -g "$W/w_simple" 20
	rec boottime -k boottime -F 2000 -e cpu-clock -a "$W/w_simple" 20
	rec boundary --timestamp-boundary -F 2000 -e cpu-clock "$W/w_simple" 20
	rec mem-info --sample-mem-info -e page-faults -c 1 "$W/w_syscalls" 10

	# side-band
	rec switch --switch-events -F 2000 -e cpu-clock -g "$W/w_threads" 30
	rec switch-sys --switch-events -a -F 500 -e cpu-clock "$W/w_threads" 30
	rec namespaces --namespaces -F 2000 -e cpu-clock unshare -u "$W/w_fork"
	rec cgroups --all-cgroups -a -F 500 -e cpu-clock "$W/w_simple" 30
	rec_by cgroup-new cgroup_record
	rec kernel-ns --namespaces --all-cgroups --switch-events -a -g -F 300 -e cpu-clock "$W/w_fork"
	rec_by bpf bpf_record
	rec per-thread --per-thread -F 2000 -e cpu-clock -g "$W/w_simple" 20
	rec synth-no --synth no -a -F 500 -e cpu-clock -g "$W/w_simple" 20
	rec tail-synth --tail-synthesize -a -F 500 -e cpu-clock -g "$W/w_simple" 20
	rec overwrite --overwrite -a -F 500 -e cpu-clock -g "$W/w_simple" 30
	rec delay -D 20 -F 2000 -e cpu-clock -g "$W/w_simple" 50
	rec lost -m 1 -F 20000 -e cpu-clock -a --call-graph dwarf,32768 "$W/w_threads" 40
	rec lost-tp -m 1 -e 'sched:*,syscalls:*' -a "$W/w_syscalls" 60
	rec throttle -c 1 -e task-clock "$W/w_simple" 20

	# containers of the data
	rec zstd-sys -z22 -a -F 500 -e cpu-clock,sched:sched_switch -g "$W/w_syscalls" 10
	rec zstd-dwarf -z -F 1000 -e cpu-clock --call-graph dwarf,4096 "$W/w_cpp" 30
	rec aio --aio=2 -a -F 500 -e cpu-clock "$W/w_simple" 20
	rec flush --mmap-flush 1 -a -F 500 -e cpu-clock "$W/w_threads" 20
	rec_by pipe-sys pipe_record -a -F 500 -e cpu-clock,task-clock -g "$W/w_threads" 20
	rec_by pipe-tp pipe_record -e sched:sched_switch,sched:sched_process_exec -a "$W/w_syscalls" 10
	rec_by pipe-zstd pipe_record -z -F 2000 -e cpu-clock -g "$W/w_threads" 20
	rec_by pipe-group pipe_record -F 2000 -e '{cpu-clock,page-faults}:S' "$W/w_syscalls" 20
	rec buildid-all --buildid-all -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec no-buildid -B -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec buildid-mmap --buildid-mmap -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec no-buildid-mmap --no-buildid-mmap -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec_by buildid-cache cache_record -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so"
	rec_by switch-output rotate_record
	rec threads --threads -a -F 500 -e cpu-clock -g "$W/w_threads" 30
	rec threads-zstd --threads=core -z -a -F 500 -e cpu-clock,page-faults "$W/w_threads" 30
	rec kcore --kcore -F 2000 -e cpu-clock -g "$W/w_simple" 20
	rec no-samples -n -e cpu-clock "$W/w_simple" 10
	rec_by inject-b inject_record
	rec_by inject-pipe inject_pipe
	rec_by inject-s inject_sched
	rec off-cpu --off-cpu -F 2000 -e cpu-clock -g "$W/w_syscalls" 20
	rec latency --latency -F 1000 -e cpu-clock "$W/w_threads" 20

	# other commands that record
	rec_by stat stat_record
	rec_by stat-interval stat_interval
	rec_by sched other_record sched record -- "$W/w_syscalls" 6
	rec_by lock other_record lock record -- "$W/w_threads" 20
	rec_by kmem other_record kmem record "$W/w_syscalls" 4
	rec_by trace other_record trace record "$W/w_syscalls" 4
	rec_by mem other_record mem record -- "$W/w_syscalls" 4
	rec_by c2c other_record c2c record -- "$W/w_syscalls" 4
	rec_by ftrace-kwork other_record kwork record -- "$W/w_syscalls" 4
}

NODE_JS='function f(n){let s=0;for(let i=0;i<n;i++)s+=Math.sqrt(i)%7;return s};let t=0;for(let i=0;i<300;i++)t+=f(20000);console.log(t>0)'

other_record() {
	local sub=$1

	shift
	"$PERF_NOW" "$sub" "$1" -o "$OUT_FILE" "${@:2}"
}

attach_modes() {
	rec_by attach-pid attach_record -p
	rec_by attach-tid attach_record -t
}

attach_record() {
	local pid rc

	"$W/w_threads" 20000 &
	pid=$!
	sleep 0.05
	"$PERF_NOW" record -N -o "$OUT_FILE" -F 1000 -e cpu-clock -g "$1" $pid sleep 0.1
	rc=$?
	kill $pid 2>/dev/null
	wait $pid 2>/dev/null
	return $rc
}

# A probe stays in the kernel until it is deleted, so it is, whatever happens in between.
probe_record() {
	local rc

	"$PERF_NOW" probe -q -x "$W/w_simple" leaf n=%di:s32 || return
	"$PERF_NOW" probe -q -x "$W/w_simple" 'back=leaf%return'
	"$PERF_NOW" record -N -o "$OUT_FILE" -e 'probe_w_simple:*' -g "$W/w_simple" 2
	rc=$?
	"$PERF_NOW" probe -q -d 'probe_w_simple:*'
	return $rc
}

kprobe_record() {
	local rc

	"$PERF_NOW" probe -q 'live=do_sys_openat2 dfd=%di:s32' || return
	"$PERF_NOW" record -N -o "$OUT_FILE" -e probe:live -g "$W/w_syscalls" 10
	rc=$?
	"$PERF_NOW" probe -q -d probe:live
	return $rc
}

cgroup_record() {
	local root rc

	root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	[ -w "$root/cgroup.procs" ] || { echo "no cgroup2"; return 1; }
	mkdir -p $root/live.a/inner || return
	"$PERF_NOW" record -N -o "$OUT_FILE" --all-cgroups -a -g -F 1000 -e cpu-clock sh -c \
		"echo \$\$ > $root/live.a/inner/cgroup.procs; $W/w_simple 20; echo \$\$ > $root/cgroup.procs; $W/w_simple 10"
	rc=$?
	rmdir $root/live.a/inner $root/live.a
	return $rc
}

# BPF programs come and go while perf trace's or a filter's do; systemd's and the kernel's stay.
bpf_record() {
	"$PERF_NOW" record -N -o "$OUT_FILE" -a -F 500 -e cpu-clock -g sh -c \
		"$PERF_NOW record -N -o /dev/null -e cpu-clock --filter 'ip > 0' $W/w_simple 20; $W/w_simple 10"
}

cache_record() { "$PERF_NOW" record -o "$OUT_FILE" "$@"; }

rotate_record() {
	rm -f rotate.data*
	"$PERF_NOW" record -N -o rotate.data --switch-output=100K -a -F 4000 -e cpu-clock -g "$W/w_simple" 160 || return
	set -- rotate.data.2*
	mv "${1}" "$OUT_FILE"
	rm -f rotate.data*
}

inject_record() {
	"$PERF_NOW" record -N -B -o raw.inject -F 2000 -e cpu-clock -g "$W/w_fork" "$W/libw_a.so" "$W/libw_b.so" &&
		"$PERF_NOW" inject -b -i raw.inject -o "$OUT_FILE"
}

inject_pipe() {
	"$PERF_NOW" record -N -o - -F 2000 -e cpu-clock -g "$W/w_simple" 20 | "$PERF_NOW" inject -b > "$OUT_FILE"
}

inject_sched() {
	"$PERF_NOW" record -N -o raw.inject -e sched:sched_switch,sched:sched_process_exit -a \
		"$W/w_syscalls" 6 && "$PERF_NOW" inject -s -i raw.inject -o "$OUT_FILE"
}

stat_record() { "$PERF_NOW" stat record -o "$OUT_FILE" -e cpu-clock,page-faults "$W/w_simple" 20; }
stat_interval() { "$PERF_NOW" stat record -o "$OUT_FILE" -I 20 -a -A -e cpu-clock,context-switches "$W/w_simple" 50; }

# Ways to print, one per line: NAME|ARGS. @pid @tid @comm @sym @dso @t1 @t2 @cpu are taken from the recording.
quick_ways='
G|-G
max-stack|--max-stack 3
comm|--comms @comm
fields|-F comm,tid,pid,time,event
ip-fields|-F ip,sym,dso,symoff
minus|-F -period
header|--header
mmaps|--show-mmap-events
'

all_ways=$quick_ways'
plus-pid|-F +pid
per-type|-F trace:time,trace -F sw:comm,time,ip
per-type-2|-F sw:comm,tid,event,ip,sym -F trace:comm,event,trace
stdin|STDIN
ns|--ns
reltime|--reltime
deltatime|--deltatime
reltime-ns|--reltime --ns
time-both|--time @t1,@t2
time-from|--time @t1,
time-to|--time ,@t2
time-slice|--time 10%/2
time-slices|--time 10%/1,10%/3
time-range|--time 0%-10%
time-ranges|--time 0%-10%,30%-40%
time-bad|--time 5,3
comm-other|-c nobody
pid|--pid @pid
tid|--tid @tid
cpu|-C 0
cpu-1|-C 1
sym|-S @sym
syms|--symbols @sym,main
sym-addr|-S 0x@ip
dso|--dsos @dso
dso-comm|--dsos @dso --comms @comm
stop-bt|--stop-bt @sym
graph-function|--graph-function @sym
tasks|--show-task-events
switches|--show-switch-events
namespaces|--show-namespace-events
lost|--show-lost-events
rounds|--show-round-events
bpf|--show-bpf-events
cgroup-events|--show-cgroup-events
text-poke|--show-text-poke-events
everything|--show-mmap-events --show-task-events --show-switch-events --show-namespace-events --show-lost-events --show-cgroup-events --show-bpf-events
mmaps-misc|--show-mmap-events --show-task-events -F +misc
kernel-path|--show-kernel-path
no-demangle|--no-demangle
demangle-kernel|--demangle-kernel
kallsyms|--kallsyms KALLSYMS
kallsyms-none|--kallsyms /no/such/file
vmlinux|-k /no/such/vmlinux
symfs|--symfs EMPTY
header-only|--header-only
header-I|--header -I
info|-I
header-only-I|--header-only -I
verbose|-v
raw|-D
misc|-F +misc
addr|-F +addr
cgroup|-F +cgroup
tod|-F +tod
brstack|-F +brstack,+brstacksym
regs|-F +uregs,+iregs
uregs|-F ip,sym,uregs
iregs|-F ip,sym,iregs
dsoff|-F +dsoff
data|-F +data_src,+weight,+phys_addr
phys|-F +phys_addr
pages|-F +data_page_size,+code_page_size
weight|-F +weight
synth|-F +flags
callindent|-F +callindent
ipc|-F +ipc
srccode-less|-F comm,time,period
only-ip|-F ip
only-sym|-F sym
comm-only|-F comm
event-only|-F event
trace-only|-F trace
time-only|-F time
no-comm|-F -comm
no-time|-F -time
no-sym|-F -sym
no-dso|-F -dso
no-symoff|-F -symoff
no-ip|-F -ip
no-ip-sym|-F -ip,-sym,-dso,-symoff
symoff-alone|-F symoff
dso-alone|-F dso
bad-field|-F nosuch
bad-type|-F xx:comm
empty-field|-F ""
full-source|--full-source-path
latency|-L
debug|-d
force|-f
per-event|DUMP
bad-option|--nosuch
missing|-i /no/such/file
stitch|--stitch-lbr
addr-range|--addr-range 4096 -S main
switch-on|--switch-on sched:sched_switch
switch-off|--switch-off sched:sched_switch
switch-show|--switch-on sched:sched_switch --show-on-off-events
'

# Recordings that are worth every way of printing.
rich='fp sys-fp tp group-read tp-mixed switch-sys user-regs intr-regs-some data data-plain cgroup-new pipe pages lost jit'
