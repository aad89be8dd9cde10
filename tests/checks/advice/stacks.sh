# shellcheck shell=bash disable=SC2154,SC2086
# SPDX-License-Identifier: MIT
#
# Situations of checks/advice.sh: stacks without callers, too short, too deep; samples lost.

no_fp='-fomit-frame-pointer -fno-optimize-sibling-calls'
lone='of stacks have one user frame only'

# main keeps no frame pointer either, so that a chain ends in the function that was sampled.
row_frame_pointers_c() {
	gcc -g -O1 $no_fp -o program $D/app.c
	rec -g -e cpu-clock:u -- ./program
	advised frame-pointers-c "$(verdict)"
	gcc -g -O1 -fno-optimize-sibling-calls $command -o program $D/app.c
	rec -g -e cpu-clock:u -- ./program
	lacks "$(verdict)" "build it with"
}
row_frame_pointers_rust() {
	PATH=$PATH:/root/.cargo/bin command -v rustc > /dev/null || skip "no rustc"
	export PATH=$PATH:/root/.cargo/bin RUSTUP_HOME=${RUSTUP_HOME:-/root/.rustup} CARGO_HOME=/root/.cargo
	cat > program.rs <<- 'R'
		use std::hint::black_box;
		use std::time::{Duration, Instant};
		#[inline(never)]
		fn hidden_function(n: u64) -> u64 {
			let mut s = 0u64;
			for i in 0..n { s = black_box(s.wrapping_add(i * i)); }
			s
		}
		#[inline(never)]
		fn outer_function(n: u64) -> u64 { black_box(hidden_function(black_box(n))) + 1 }
		fn main() {
			let end = Instant::now() + Duration::from_millis(200);
			let mut s = 0;
			while Instant::now() < end { s += outer_function(200000); }
			std::process::exit((black_box(s) & 1) as i32 * 0);
		}
	R
	rustc -O -g -o program program.rs 2> log || skip "rustc: $(head -n 1 log)"
	strip program # .comment is enough to see the language
	rec -g -e cpu-clock:u -- ./program
	advised frame-pointers-rust "$(verdict)"
	rustc -O -g $command -o program program.rs
	rec -g -e cpu-clock:u -- ./program
	lacks "$(verdict)" "$lone"
}
row_frame_pointers_java() {
	java_program
	quick_java='-Xshare:auto -XX:+UseSerialGC -XX:-TieredCompilation'
	rec -g -e cpu-clock:u -- java $quick_java -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit Busy 600 many
	advised frame-pointers-java "$(verdict)"
	rec -g -e cpu-clock:u -- $command -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		$quick_java Busy 600 many
	lacks "$(verdict)" PreserveFramePointer
	grep -q main table || fail "no caller of the method"
}
row_callgraph_dwarf() {
	gcc -g -O1 $no_fp -o program $D/app.c
	rec -g -e cpu-clock:u -- ./program
	advised callgraph-dwarf "$(verdict)"
	rec $command -e cpu-clock:u -- ./program
	lacks "$(verdict)" "frame pointers"
	has "$(prep --quality=text -i f.data 2>&1 > /dev/null)" complete
}
row_callgraph_fp() {
	gcc -g -O1 -DSIZE=20000 $no_fp -o program $D/deep.c
	rec --call-graph dwarf -- ./program 20
	advised callgraph-dwarf "$(verdict)"
	has "$said" "truncated: copies of 65528 bytes were too short"
	# without the memory of the process, the deeper part stays unknown
	mv f.data copies
	prec -q -i copies --call-graph unwind -o f.data
	advised callgraph-fp "$(verdict)"
	has "$said" "truncated: copies of 65528 bytes were too short, and the memory beyond could not be read"
	has "$said" "-fno-omit-frame-pointer"
	gcc -g -O1 -DSIZE=20000 -fno-omit-frame-pointer -o program $D/deep.c
	rec $command -- ./program 20
	lacks "$(verdict)" truncated
	grep -q main table || fail "no main"
}
row_largest_copy() {
	gcc -g -O1 -DSIZE=1000 $no_fp -o program $D/deep.c
	rec --call-graph dwarf,1024 -- ./program 20
	advised largest-copy "$(verdict)"
	rec $command -- ./program 20
	lacks "$(verdict)" "too short"
}
row_max_stack() {
	gcc -g -O1 -DSIZE=32 $frame_pointers -o program $D/deep.c
	rec -g -- ./program 300
	advised max-stack "$(verdict)"
	retried
	rec -g -- ./program 300
	lacks "$(verdict --max-stack=1024)" "are cut at"
	# Stock perf does not record the limit, but chains are longer than the usual one. -B: perf 6.1 may
	# abort when it gathers build-ids on a busy machine.
	command -v perf > /dev/null || return 0
	perf record -q -B -g -e cpu-clock -o f.data -- ./program 300 > /dev/null 2>&1 || fail "no recording by perf"
	lacks "$(verdict --max-stack=1024)" "are cut at"
	lacks "$(verdict)" "are cut at"
}
row_record_all() {
	rec -e cpu-clock:u --synth=no -p $$ -- true > /dev/null
	$D/app 20 &
	local pid=$!
	sleep 0.1
	rec -e cpu-clock:u --synth=no -p $pid -- sleep 0.3
	advised record-all "$(verdict)"
	rec -e cpu-clock:u $command -- sleep 0.3
	kill $pid
	verdict > now
	grep -q "app.*hidden_function" table || fail "no names"
}
# What the sampled program does while prec cannot empty the rings.
starved() { # options of prec
	local pid i
	rm -f f.data
	"$D/bin/prec" -o f.data "$@" -- $D/app 100 > log 2>&1 &
	pid=$!
	for i in $(seq 200); do # until samples come
		[ "$(stat -c %s f.data 2> /dev/null || echo 0)" -gt 30000 ] && break
		sleep 0.02
	done
	kill -STOP $pid
	sleep 0.25
	kill -CONT $pid
	pkill -P $pid # the program, which has run long enough
	wait $pid
}
row_larger_rings() {
	starved -m 1 -F 4000 -g
	local of_prec
	advised larger-rings "$(cat log)" # prec says it itself
	of_prec=$command
	advised larger-rings "$(verdict)"
	starved $of_prec -F 4000 -g
	lacks "$(cat log)" "lost"
	starved $command -F 4000 -g
	lacks "$(verdict)" "samples lost"
}
row_lower_rate() {
	setting kernel.perf_event_max_sample_rate=5000
	rec -e cpu-clock -c 20000 -m 8M -- $D/app
	advised lower-rate "$(verdict)"
	has "$said" "throttled"
	rec -e cpu-clock $command -- $D/app
	lacks "$(verdict)" "throttled"
}
# A setting that cannot be changed while anyone records call chains.
retried() {
	local i
	for i in $(seq 100); do
		bash -c "$command" > log 2>&1 && return
		sleep 0.1
	done
	skip "others record: $(head -n 1 log)"
}
