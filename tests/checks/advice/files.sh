# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: MIT
#
# Situations of checks/advice.sh: files and their symbols, the kernel's symbols, code of JITs.

names_are_there() { # options of prep
	local now
	now=$(verdict "$@")
	lacks "$now" "unresolved in ${app:-program}:"
	grep -q hidden_function table || fail "no hidden_function in the table"
}

row_debug_package() {
	played "dpkg, apt-cache and apt; the package"
	recorded_system_file
	player dpkg <<< 'echo "program-pkg:amd64: /usr/src/program"'
	player apt-cache <<< 'for a; do [ $a = program-pkg-dbgsym ] && echo "Package: $a"; done; exit 100'
	debug_files_appear apt
	advised debug-package "$(verdict)"
	has "$said" "unresolved in program: stripped;"
	paste
	has "$(cat $D/installed)" "install program-pkg-dbgsym"
	names_are_there
}
row_debug_rpm() {
	played "rpm and dnf; the package"
	recorded_system_file
	player rpm <<< 'echo program-rpm'
	debug_files_appear dnf
	advised debug-rpm "$(verdict)"
	paste
	has "$(cat $D/installed)" "debuginfo-install program-rpm"
	names_are_there
}
servers_play() {
	played "libdebuginfod.so.1 and its servers; the package"
	export LD_LIBRARY_PATH=$D/servers SERVERS="https://own.example https://debuginfod.debian.net"
	export SERVED=$D/app.debug
}
# A server for debuginfod's URLs: files in folders with the names of build-ids. Sets $url.
server_starts() {
	local id
	id=$(readelf -n $D/app | awk '/Build ID/ { print $3 }')
	mkdir -p served/buildid/$id && cp $D/app.debug served/buildid/$id/debuginfo
	timeout 60 python3 -u -m http.server -d served --bind 127.0.0.1 0 > server.log 2>&1 &
	for _ in $(seq 100); do
		url=$(sed -n 's/.*(\(http:[^)]*[0-9]\)\/*).*/\1/p' server.log)
		[ -z "$url" ] || return 0
		sleep 0.1
	done
	fail "no server: $(cat server.log)"
}
row_debuginfod() {
	recorded_system_file
	if ldconfig -p | grep -q libdebuginfod.so.1 && command -v python3 > /dev/null; then
		server_starts
		export DEBUGINFOD_URLS=$url DEBUGINFOD_CACHE_PATH=$PWD/cache no_proxy='*'
		unset http_proxy HTTP_PROXY
	else
		servers_play
		export DEBUGINFOD_URLS=https://own.example
	fi
	advised debuginfod "$(verdict)"
	names_are_there $command
	[ ! -f server.log ] || has "$(cat server.log)" '/debuginfo HTTP/1.1" 200'
}
row_debuginfod_public() {
	local broken
	recorded_system_file
	servers_play
	# a file of no package is not on the distribution's server
	advised debug-build "$(verdict)"
	player dpkg <<< 'echo "program-pkg:amd64: /usr/src/program"'
	advised debuginfod-public "$(verdict)"
	has "$command" https://debuginfod.debian.net
	names_are_there "$command"
	# servers that do not answer are reported once, with one that does
	broken=$(verdict --debuginfod=https://gone.example)
	[ "$(grep -c 'no debuginfod server can be reached' <<< "$broken")" = 1 ] ||
		fail "not said once: $broken"
	advised debuginfod-public "$broken"
	names_are_there "$command"
}
row_debuginfod_install() {
	local lib
	recorded_system_file
	servers_play
	played "apt; libdebuginfod.so.1 and its servers"
	for lib in $(ldconfig -p | awk '/libdebuginfod.so.1/ { print $NF }'); do
		mount --bind /dev/null "$lib"
	done
	player apt <<< "[ \"\$*\" = 'install libdebuginfod1' ] && ln -s $D/servers $D/work/installed"
	export DEBUGINFOD_URLS=https://own.example LD_LIBRARY_PATH=$D/work/installed
	advised debuginfod-install "$(verdict --debuginfod)"
	has "$said" "libdebuginfod.so.1 is not installed"
	paste
	names_are_there --debuginfod
}
row_debug_link() {
	mkdir own
	cp $D/app.debug own.debug
	objcopy --add-gnu-debuglink=own.debug $D/stripped own/program
	rec -N -g -- own/program
	mkdir elsewhere && mv own.debug elsewhere/
	advised debug-link "$(verdict)"
	cd elsewhere && paste && cd ..
	names_are_there
}
row_debug_build() {
	gcc -s -O1 -o program $D/app.c
	rec -g -- ./program
	advised debug-build "$(verdict)"
	has "$said" "unresolved in program: stripped;"
	# shellcheck disable=SC2086
	gcc $command -O1 -fno-omit-frame-pointer -o program $D/app.c
	rec -g -- ./program
	names_are_there
}
row_debug_archive() {
	played "dpkg, apt-cache and apt; the package"
	recorded_system_file
	player dpkg <<< 'echo "program-pkg:amd64: /usr/src/program"'
	debug_files_appear apt
	# no server has them
	printf 'ID=none\n' > os-release
	advised debug-archive "$(verdict)"
	paste
	has "$(cat $D/installed)" "install program-pkg-dbgsym"
	names_are_there
}
row_debug_any() {
	local hex
	played "dpkg; the other machine's package"
	recorded_system_file
	printf 'ID=none\n' > os-release
	# the file of another machine, in the build-id cache
	hex=$(readelf -n $D/app | awk '/Build ID/ { print $3 }')
	install -D $D/stripped $HOME/.debug/.build-id/${hex:0:2}/${hex:2}/elf
	rm /usr/src/program
	advised debug-any "$(verdict)"
	player dpkg <<< '[ "$*" = "-S /usr/src/program" ] && echo "program-pkg: $2"'
	has "$(bash -c "$command")" "program-pkg: /usr/src/program"
	debug_files_appear apt
	apt
	names_are_there
	# files of this machine that no package owns
	cp $D/stripped /usr/src/program
	rm -r $HOME/.debug /usr/lib/debug/.build-id
	player dpkg <<< 'exit 1'
	advised debug-build "$(verdict)"
}
row_copy_to_cache() {
	mkdir there
	cp $D/app program
	rec -N -g -- ./program
	mv program there/
	advised copy-to-cache "$(verdict)"
	has "$said" "program: file not found;"
	cd there && paste && cd ..
	names_are_there
	# another build of the file at its path
	gcc -g -O2 -Wl,--build-id -o program $D/app.c
	names_are_there
	rm -r $HOME/.debug
	advised copy-to-cache "$(verdict)"
	has "$said" "program: the file found is another build;"
	cd there && paste && cd ..
	names_are_there
	if command -v perf > /dev/null; then
		has "$(perf report --stdio -i f.data 2> /dev/null)" hidden_function
	fi
}
row_copy_to_symfs() {
	gcc -g -O1 -fno-omit-frame-pointer -Wl,--build-id=none -o program $D/app.c
	rec -N -g -- ./program
	mkdir -p DIR$PWD && mv program DIR$PWD/
	advised copy-to-symfs "$(verdict)"
	# shellcheck disable=SC2086
	names_are_there $command
}
row_record_again() {
	cp $D/app program
	./program 20 &
	local pid=$!
	sleep 0.1
	rm program
	prec -q -N -g -o f.data -p $pid -- sleep 0.2 2> log
	kill $pid
	advised record-again "$(verdict)"
	case $said in *"it was replaced or removed: restart"*) ;; *)
		skip "prec kept the deleted file" ;; esac
	cp $D/app program
	rec -g -- ./program
	names_are_there
}
row_make_readable() {
	cp $D/app program
	rec -N -g -- ./program
	chmod 700 program && chown 0:0 program
	chown 65534 f.data
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	chmod 777 .
	said=$(as_nobody prep -f --quality=text -i f.data 2>&1 > /dev/null)
	advised make-readable "$said"
	paste
	as_nobody prep -f --quality=text -i f.data > table 2> now
	lacks "$(cat now)" "unresolved in program"
	grep -q hidden_function table || fail "no hidden_function"
}
row_file_type() {
	cp $D/app program
	rec -N -g -- ./program
	echo 'this is no program, and as long as an ELF header, which is 64 bytes long or so' > program
	command -v file > /dev/null || { played file; player file <<< 'echo "$1: text"'; }
	advised file-type "$(verdict)"
	has "$said" "not a readable ELF file"
	look
}
row_mount_again() {
	mkdir dead
	cp $D/app dead/program
	rec -N -g -- dead/program
	has "$(timeout 60 "$O/tests/tools/silent_mount" dead prep -f --quality=text -i f.data 2>&1 > table)" \
		"the file system of $PWD/dead/program does not answer: mount it again"
	verdict > now
	grep -q "program.*hidden_function" table || fail "no names"
}
row_why() {
	cat > gap.c <<- 'C'
		#include <time.h>
		__asm__(".text\n.type before, @function\nbefore: ret\n.size before, 1\n"
			".zero 64, 0xcc\n.Lgap: mov $400000, %ecx\n1: dec %ecx\njnz 1b\nret\n"
			".zero 64, 0xcc\n");
		int main(void)
		{
			clock_t end = clock() + CLOCKS_PER_SEC / 5;

			while (clock() < end)
				__asm__ volatile("call .Lgap" ::: "rcx", "memory", "cc");
			return 0;
		}
	C
	gcc -g -O1 -o program gap.c || fail "no compiler"
	rec -e cpu-clock:u -- ./program
	advised why "$(verdict)"
	has "$said" "no symbol covers the address"
	# shellcheck disable=SC2086
	has "$(prep -i f.data $command)" "symbols: "
}

# Files that Debian strips: what is said is the truth, and names the package where apt knows it.
files_of_the_system() {
	local f o
	mount -t tmpfs none /usr/lib/debug 2> /dev/null
	player apt-cache <<< 'for a; do case $a in *-dbgsym) echo "Package: $a" ;; esac; done; exit 100'
	f=$(gcc -print-prog-name=cc1)
	for o in {1..60}; do
		echo "int f$o(int x) { double y = x; for (int i = 0; i < x; i++) y = y * $o + x / (y + 1); return y; }"
	done > big.c
	printf '%s\n' '#include <zlib.h>' '#include <stdlib.h>' 'static unsigned char a[1 << 19], b[1 << 20];' \
		'int main(void) { for (int i = 0; i < 1 << 19; i++) a[i] = rand();' \
		'for (int k = 0; k < 6; k++) { unsigned long m = sizeof(b); compress2(b, &m, a, sizeof(a), 6); }}' > z.c
	stripped_as_it_is cc1 $f -quiet -O2 big.c -o big.s
	gcc -O1 -o z z.c -lz 2> log && stripped_as_it_is libz.so ./z
	command -v clang-14 > /dev/null && stripped_as_it_is libLLVM clang-14 -O2 -c -o big.o big.c
	stripped_as_it_is perl perl -e 'for (1..150000) { $h{$_ % 1000} .= sprintf("%d", $_ * 3) }'
	stripped_as_it_is libc.so sort -R $OLDPWD/docs/FORMAT.md $OLDPWD/KNOWN-DIFFERENCES.md
}
stripped_as_it_is() { # part of the object's name, command...
	local object=$1 now
	shift
	rec -g -F 4000 -- "$@" > /dev/null
	# on a busy machine dpkg takes longer than prep waits for it
	for _ in 1 2 3; do
		now=$(verdict | grep -F "unresolved in $object")
		case $now in *": stripped; read with "*) ;; *) break ;; esac
	done
	# where all sampled functions are exported, nothing is said
	[ -n "$now" ] || return 0
	case $now in
	*": stripped; its debug symbols are in package "*"-dbgsym: sudo apt install "* | *": stripped; as above"*) echo "$object" >> $D/commands ;;
	*) echo "$now" ;;
	esac
}

# --- the kernel's symbols ----------------------------------------------------------------------------

record_kernel() { rec -e cpu-clock:k "$@" -- dd if=/dev/zero of=/dev/null bs=1M count=1000 status=none; }
nobody_reads() { nobody prep -f --quality=text -i f.data 2>&1 > /dev/null; }
kernel_names_hidden() { # ROW paranoid kptr_restrict
	record_kernel
	rm -rf $HOME/.debug
	paranoid "$2"
	setting kernel.kptr_restrict="$3"
	advised "$1" "$(nobody_reads)"
	has "$said" "kernel symbols hidden from this user"
	paste
	lacks "$(nobody_reads)" "kernel symbols hidden"
}
row_kptr_restrict() {
	kernel_names_hidden kptr-restrict 1 1
	# the same while recording
	setting kernel.kptr_restrict=1
	advised kptr-restrict "$(nobody prec -o n.data -e cpu-clock -- true 2>&1)"
	paste
	lacks "$(nobody prec -o n.data -e cpu-clock -- true 2>&1)" hidden
}
row_kernel_names() {
	local p
	for p in 2 3; do
		kernel_names_hidden kernel-names $p 0
	done
}
row_kernel_names_both() { kernel_names_hidden kernel-names-both 2 1; }
row_kernel_record() {
	paranoid 2
	caps=+perfmon nobody prec -q -o f.data -e cpu-clock:k -- \
		dd if=/dev/zero of=/dev/null bs=1M count=1000 status=none 2> log
	advised kernel-record "$(verdict)"
	has "$said" "kernel addresses not recorded"
	paste
	caps=+perfmon nobody prec -q -o f.data -e cpu-clock:k -- \
		dd if=/dev/zero of=/dev/null bs=1M count=1000 status=none 2> log
	lacks "$(verdict)" "kernel addresses not recorded"
}
row_kallsyms() {
	local f
	f=$OLDPWD/testdata/fp-7.2/perf.data
	# the kernel that runs here may be the recorded one: with these bytes in its build-id none is
	sed 's/\x48\xdc\x54\x0c/none/' "$f" > f.data
	advised kallsyms "$(verdict)"
	printf '%s\n' 'ffffffff80000000 T _text' 'ffffffff80000000 T _stext' \
		'ffffffff80001000 T recorded_kernel' 'ffffffffff000000 T _etext' > kallsyms
	lacks "$(verdict "$command")" "recorded on another kernel"
}
row_kernel_debug_package() {
	played "apt; the kernel"
	record_kernel
	local at id
	id=$(prep -i f.data --header-only > /dev/null; prep --why kernel.kallsyms -i f.data |
		awk '/build-id:/ { print $2; exit }')
	at=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
	echo '.globl _text; .text; _text: .globl _stext; _stext: .zero 4096; .globl everything; everything:
		.type everything, @function; .zero 0x2000000; .size everything, 0x2000000' > k.s
	gcc -nostdlib -static -no-pie -Wl,-Ttext=0x$at -Wl,-e,_text -Wl,--build-id=0x$id -o with k.s ||
		fail "no linker"
	strip -o vmlinux with
	player apt <<< "[ \"\$*\" = 'install linux-image-$(uname -r)-dbg' ] && cp $D/work/with $D/work/vmlinux"
	advised kernel-debug-package "$(verdict -k vmlinux)"
	paste
	lacks "$(verdict -k vmlinux)" "kernel.kallsyms]: stripped"
}

# --- code of JITs ------------------------------------------------------------------------------------

jit_has_names() { # text of the verdict; the name
	lacks "$(verdict)" "JIT code"
	grep -q "$1" table || fail "no $1 in the table"
}
# Compiled once, for all rows: javac takes longer than what it makes.
java_program() {
	command -v java > /dev/null && command -v javac > /dev/null || skip "no java"
	[ ! -e $D/Busy.class ] || { cp $D/Busy.class .; return; }
	cat > Busy.java <<- 'J'
		public class Busy {
			static long sink;
			static void busy_method(int n) { for (int i = 0; i < n; i++) sink += i * sink; }
			// needs all registers
			static void many(int n) {
				long a=1, b=2, c=3, d=4, e=5, f=6, g=7, h=8, j=9, k=10, l=11, m=12;
				for (int i = 0; i < n; i++) {
					a += b ^ i; b += c * a; c ^= d + b; d += e ^ c; e ^= f + d; f += g * e;
					g ^= h + f; h += j ^ g; j += k * h; k ^= l + j; l += m ^ k; m ^= a + l;
				}
				sink += a + b + c + d + e + f + g + h + j + k + l + m;
			}
			public static void main(String[] a) {
				long end = System.currentTimeMillis() + Long.parseLong(a[0]);
				for (int i = 0; System.currentTimeMillis() < end; i++) {
					if (a.length > 1) many(100000); else busy_method(100000);
					if (i == 1000) System.out.println("compiled");
				}
			}
		}
	J
	javac -J-XX:TieredStopAtLevel=1 Busy.java || fail "no javac"
	cp Busy.class $D/
}
quick_java='-XX:TieredStopAtLevel=1 -Xshare:auto -XX:+UseSerialGC'
row_java_map_now() {
	java_program
	# shellcheck disable=SC2086
	java $quick_java Busy 60000 > out &
	local pid=$! i
	# a machine under load starts a JVM slowly
	for ((i = 0; i < 200; i++)); do grep -q compiled out && break; sleep 0.1; done
	prec -q -o f.data -p $pid -- sleep 0.25 2> log
	kill -STOP $pid
	advised java-map-now "$(verdict)"
	kill -CONT $pid
	(paste > log 2>&1) || { kill $pid; fail "jcmd: $(cat log)"; }
	kill $pid
	jit_has_names busy_method
}
row_java_map() {
	java_program
	# shellcheck disable=SC2086
	rec -- java $quick_java Busy 400
	advised java-map "$(verdict)"
	# shellcheck disable=SC2086
	rec -- $command $quick_java Busy 400 > log
	jit_has_names busy_method
}
node_program() {
	command -v node > /dev/null || skip "no node"
	cat > busy.js <<- 'J'
		let sink = 0;
		function busy_method(n) { for (let i = 0; i < n; i++) sink = (sink * 31 + i) % 1000003; }
		function outer_method() { for (let i = 0; i < 10; i++) busy_method(100000); }
		const end = Date.now() + 400;
		while (Date.now() < end) outer_method();
	J
}
row_node_map() {
	node_program
	rec -- node busy.js
	advised node-map "$(verdict)"
	# shellcheck disable=SC2086
	rec -- $command busy.js
	jit_has_names busy_method
}
# A runtime played by the program jit, under the name of its files.
played_runtime() { # ROW, the file's name, command that is started
	played "$2"
	cp $D/jit "$2"
	PATH=$PWD:$PATH
	rec -- "$3"
	advised "$1" "$(verdict)"
	# shellcheck disable=SC2086
	rec -- $command
	jit_has_names jitted_function
}
row_python_map() { played_runtime python-map python3 python3; }
row_dotnet_map() {
	gcc -shared -o libcoreclr.so -x c - <<< 'int nothing;'
	gcc -g -O1 -o dotnet $D/jit.c -Wl,--no-as-needed -L. -l:libcoreclr.so -Wl,-rpath,"$PWD"
	cp dotnet $D/dotnet
	played ".NET"
	PATH=$PWD:$PATH
	rec -- dotnet
	advised dotnet-map "$(verdict)"
	# shellcheck disable=SC2086
	rec -- $command
	jit_has_names jitted_function
}
row_erlang_map() {
	{ echo '#!/bin/sh'; echo "exec $PWD/beam.smp \"\$@\""; } > erl
	chmod 755 erl
	played_runtime erlang-map beam.smp erl
}
row_any_map() {
	cp $D/jit unknown
	rec -- ./unknown
	advised any-map "$(verdict)"
	has "$said" "let the runtime that made it write /tmp/perf-"
	JIT_MAP=1 rec -- ./unknown
	jit_has_names jitted_function
}
row_jit_gap() {
	cp $D/jit unknown
	JIT_MAP=wrong rec -- ./unknown
	advised jit-gap "$(verdict)"
	has "$said" "of the recorded run, or let the runtime write a jitdump"
	JIT_MAP=1 rec -- ./unknown
	jit_has_names jitted_function
}
row_any_dump() {
	# code that does not keep frame pointers, called by code that does
	cp $D/jit unknown
	sed 's/0xb9, 0, 0, 8, 0,/0x55, 0x31, 0xed, 0xb9, 0, 0, 8, 0,/; s/0x75, 0xfc, 0xc3/0x75, 0xfc, 0x5d, 0xc3/' \
		$D/jit.c > odd.c
	gcc -g -O1 -o odd odd.c
	rec --call-graph dwarf -- ./odd
	advised any-dump "$(verdict)"
	has "$said" "end in JIT code"
	has "$said" "make it keep frame pointers and record with prec -g"
	rec -g -- ./unknown
	lacks "$(verdict)" "end in JIT code"
}
row_copy_jitdump() {
	node_program
	mkdir there here
	# shellcheck disable=SC2164
	(cd there && prec -q -k mono -o ../here/f.data -- node --perf-prof ../busy.js)
	ls there/jit-*.dump > /dev/null || skip "node writes no jitdump"
	mv there elsewhere
	advised copy-jitdump "$(prep -f --quality=text -i here/f.data 2>&1 > /dev/null)"
	mv elsewhere/jit-*.dump .
	paste
	prep -f --quality=text -i here/f.data > table 2> now
	lacks "$(cat now)" "JIT code"
	grep -q busy_method table || fail "no busy_method"
}
