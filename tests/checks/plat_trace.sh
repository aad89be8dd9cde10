#!/bin/bash
# SPDX-License-Identifier: MIT
#
# plat trace: times, results and durations of its lines against what tests/tools/call_oracle.py computes
# from the text of pscript; the names of arguments against this kernel's descriptions; live; events of
# single calls; another byte order; the calls and arguments of programs against strace. FILE... as operands: recordings of raw_syscalls that are compared as well.
#
#	tests/checks/plat_trace.sh [FILE...]

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 77; }
[ -x "$BIN/plat" ] || { echo "1..0 # SKIP plat is not built"; exit 77; }

compare() { # NAME FILE
	"$BIN/plat" trace - < "$2" > "$work/lines" 2> "$work/err"
	result "$1" "$(grep -v "records were lost in" "$work/err"
		"$BIN/pscript" --ns -F comm,tid,cpu,time,event,trace -i "$2" 2> /dev/null |
			python3 tests/tools/call_oracle.py "$work/lines" 2>&1)"
}

compare "w_syscalls of testdata, which lost records" testdata/lost-6.1/perf.data
"$BIN/plat" trace -i testdata/lost-6.1/perf.data > "$work/all" 2> /dev/null
"$BIN/plat" trace -i testdata/lost-6.1/perf.data --call 'get?id,write' > "$work/some" 2> /dev/null
result "--call takes patterns with commas between them" "$(
	grep -q ' getpid(' "$work/some" || echo "no call of get?id"
	grep -E ' (get.id|write)[( ]| records were lost' "$work/all" | cmp - "$work/some" 2>&1)"
for f in "$@"; do
	compare "${f##*/}" "$f"
done

formats=/sys/kernel/tracing/events/syscalls
can_record=1
[ "$(id -u)" = 0 ] && [ -r $formats/sys_enter_openat/format ] || can_record=''
if [ -n "$can_record" ]; then
	"$BIN/prec" -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o "$work/calls" -- \
		python3 tests/tools/many_calls.py > "$work/log" 2>&1
	compare "files, sockets, threads, processes, signals" "$work/calls"
	result "the same from the events of single calls" "$(
		"$BIN/prec" -q -e syscalls:sys_enter_openat,syscalls:sys_exit_openat -o "$work/one" -- \
			cat /dev/null "$work/none" > "$work/log" 2>&1
		"$BIN/plat" trace "$work/one" | grep -q 'cat/[0-9]* openat(AT_FDCWD, 0x[0-9a-f]*, O_RDONLY) = -1 ENOENT (No such file or directory) <' ||
			"$BIN/plat" trace "$work/one" | head -5)"
	result "live, with conditions" "$(
		"$BIN/plat" trace --call 'open*' --failed -- cat "$work/none" 2> "$work/log" > "$work/live"
		grep -q 'cat/[0-9]* openat(.*) = -1 ENOENT' "$work/live" || cat "$work/live" "$work/log"
		grep -v ' open\(at\)\?(.*) = -1 E' "$work/live")"
	result "the command's own output is where it was; with --json apart" "$(
		"$BIN/plat" syscalls -- echo words 2> "$work/err" | grep -c '^words$' | grep -vx 1
		"$BIN/plat" syscalls --json -- echo words 2> "$work/err" | python3 -m json.tool > "$work/log" || cat "$work/log"
		grep -qx words "$work/err" || cat "$work/err")"
	cat > "$work/texts.c" << 'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static char in[64];
int main(void)
{
	int p[2];
	open("/no/such/\"file\"\n", O_RDONLY);
	rename("/no/a", "/no/b");
	if (pipe(p) || write(p[1], "hello\n\0001\377 and more bytes than are shown", 42) < 0) return 1;
	return read(p[0], in, sizeof(in)) < 0 || read(0, in + 60, 1) < 0;
}
END
	# the program runs until its lines are there
	if "${CC:-gcc}" -O1 -o "$work/texts" "$work/texts.c" 2> "$work/log" && mkfifo "$work/go-on"; then
		"$BIN/plat" trace -- "$work/texts" < "$work/go-on" > "$work/lines" 2> "$work/err" &
		exec 7> "$work/go-on"
		for _ in {1..600}; do
			grep -q ' read(' <(grep -a 'texts.* read(.* = 42 ' "$work/lines") && break
			sleep 0.05
		done
		exec 7>&-
		wait $!
		# names lie in the program's file; the bytes that are written, too; those that were read are in its memory
		result "texts from the file and the memory of the program" "$(cat "$work/err"
			sed -n 's/.*texts\/[0-9]* \(openat.*no.such.*\|rename.*\|write.*\|read(3.*, 64).*\) <[0-9.]*>/\1/p' "$work/lines" |
				diff - <(cat << 'END'
openat(AT_FDCWD, "/no/such/\"file\"\n", O_RDONLY) = -1 ENOENT (No such file or directory)
rename("/no/a", "/no/b") = -1 ENOENT (No such file or directory)
write(4, "hello\n\0001\377 and more bytes than ar"..., 42) = 42
read(3, ~"hello\n\0001\377 and more bytes than ar"..., 64) = 42
END
			))"
		result "--no-texts" "$("$BIN/plat" trace --no-texts -- "$work/texts" < /dev/null 2>&1 | grep -E '~|no/such')"
		# the program has ended: its file and the recorded copies of its stack are left, and the memory of nothing
		"$BIN/plat" trace --record "$work/ended" -- "$work/texts" < /dev/null > "$work/log" 2> "$work/err"
		result "texts and structs of a program that has ended" "$(cat "$work/err"
			"$BIN/plat" trace "$work/ended" > "$work/lines" 2>&1
			sed -n 's/.*texts\/[0-9]* \(openat.*no.such.*\|rename.*\|pipe.*\) <[0-9.]*>/\1/p' "$work/lines" |
				diff - <(cat << 'END'
openat(AT_FDCWD, "/no/such/\"file\"\n", O_RDONLY) = -1 ENOENT (No such file or directory)
rename("/no/a", "/no/b") = -1 ENOENT (No such file or directory)
pipe2([3, 4], 0) = 0
END
			)
			grep -q 'newfstatat(3, "", {st_mode=S_IFREG|0[0-7]*, st_size=[0-9]*, \.\.\.}, AT_EMPTY_PATH) = 0' "$work/lines" ||
				grep -q 'fstat(3, {st_mode=S_IFREG|0[0-7]*, st_size=[0-9]*, \.\.\.}) = 0' "$work/lines" || grep stat "$work/lines"
			"$BIN/plat" trace --no-texts "$work/ended" | grep -E '"|[{]')"
	else
		result "texts from the memory of the program # SKIP no C compiler" ''
	fi
	cat > "$work/calls.py" << 'END'
import fcntl, os, select, signal, socket, sys
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
s.bind(("127.0.0.1", 0))
s.listen(5)
c = socket.create_connection(s.getsockname())
a, _ = s.accept()
c.sendall(b"hello\n")
a.recv(100)
a.shutdown(socket.SHUT_RDWR)
p = select.poll()
p.register(c, select.POLLIN)
p.poll(10)
e = select.epoll()
e.register(c.fileno(), select.EPOLLIN)
r, w = os.pipe()
os.write(w, b"x\0y")
os.read(r, 10)
fcntl.fcntl(r, fcntl.F_GETFL)
fcntl.fcntl(r, fcntl.F_GETFD)
signal.signal(signal.SIGUSR1, lambda *x: None)
os.kill(os.getpid(), signal.SIGUSR1)
u = socket.socketpair()
u[0].send(b"abc")
d = sys.argv[1] + "/made"
os.mkdir(d, 0o750)
f = os.open(d + "/file", os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW)
os.pwrite(f, b"text", 3)
os.lseek(f, 0, os.SEEK_END)
os.unlink(d + "/file")
os.rmdir(d)
if os.fork() == 0:
    os._exit(3)
os.wait()
END
	if command -v strace > /dev/null && strace -o /dev/null true 2> "$work/log"; then
		for what in "cat /etc/hostname" "ls -l /etc/apt" "/usr/bin/python3 -I -S $work/calls.py $work"; do
			# shellcheck disable=SC2086
			"$BIN/plat" trace --record "$work/ours" -m 4M -- $what > /dev/null 2> "$work/err" < /dev/null
			# shellcheck disable=SC2086
			strace -f -qq -o "$work/theirs" $what > /dev/null < /dev/null 2> "$work/log"
			"$BIN/plat" trace "$work/ours" > "$work/lines" 2>> "$work/err"
			result "the calls of ${what%% *} as strace has them" "$(cat "$work/err"
				python3 tests/tools/strace_compare.py "$work/lines" "$work/theirs" 2>&1)"
		done
	else
		result "calls as strace has them # SKIP no strace that may trace" ''
	fi
	# NAME ARGUMENT... of the table, and of the kernel where it has this call
	sed -n 's/^\t"\(.*\)",$/\1/p' events/calls/call_table.c | sed 's/=[a-z]*//; s/:[^ ]*//g' > "$work/table"
	result "names of arguments" "$(
		while read -r name args; do
			file=$formats/sys_enter_$name/format
			case $name in
			fstat | lstat | stat | uname) file=$formats/sys_enter_new$name/format ;;
			sendfile) file=$formats/sys_enter_sendfile64/format ;;
			umount2) file=$formats/sys_enter_umount/format ;;
			esac
			[ -r "$file" ] || continue
			kernel=$(sed -n '/__syscall_nr/,/^$/ s/.*field:.*[ *]\([a-z_0-9]*\);.*offset.*/\1/p' "$file" |
				grep -v '^__syscall_nr$' | tr '\n' ' ')
			[ "${kernel% }" = "$args" ] || echo "$name: $args, of the kernel: $kernel"
		done < "$work/table")"
else
	result "recordings made here # SKIP nobody may record tracepoints here" ''
fi
results_end
