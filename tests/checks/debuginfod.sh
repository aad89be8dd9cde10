#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --debuginfod against the server of elfutils, started here on loopback over one folder, and against
# one that takes connections and never answers: names come when asked for and only then, files are
# fetched once, and what cannot be had costs little time. Needs permission to record, debuginfod and
# libdebuginfod.

set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-$PWD/bin}
PSCRIPT=${PSCRIPT:-$BIN/pscript}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}
[ -x "$PSCRIPT" ] || skip_all "no pscript in $BIN"
for tool in debuginfod debuginfod-find gcc objcopy strip; do
	command -v $tool > /dev/null || skip_all "no $tool"
done

D=$(mktemp -d /tmp/debuginfod.XXXXXX) || exit 2
server='' silent=''
trap 'for p in $server $silent; do kill -9 $p; done 2> /dev/null; rm -rf "$D"' EXIT
mkdir "$D/served" "$D/cache" "$D/home" || exit 2
# nothing of this machine's caches, and no proxy on the way to loopback
export HOME=$D/home DEBUGINFOD_CACHE_PATH=$D/cache no_proxy='*'
unset DEBUGINFOD_URLS DEBUGINFOD_MAXTIME DEBUGINFOD_PROGRESS http_proxy HTTP_PROXY

cat > "$D/prog.c" << 'EOF'
static volatile unsigned long sink;
static inline __attribute__((always_inline)) unsigned long inlined_part(unsigned long v)
{
	return v * 0x9e3779b97f4a7c15ul >> 3;
}
static __attribute__((noinline)) void hidden_function(unsigned long n)
{
	while (n--)
		sink += inlined_part(n);
}
int main(void)
{
	for (int i = 0; i < 300000; i++)
		hidden_function(500);
	return 0;
}
EOF
gcc -O2 -g -Wl,--build-id -o "$D/prog" "$D/prog.c" 2> "$D/log" ||
	skip_all "no compiler: $(head -n 1 "$D/log")"
objcopy --only-keep-debug "$D/prog" "$D/served/prog.debug"
strip "$D/prog"
for recorder in "$BIN/prec" "perf record"; do
	timeout 30 $recorder -q -e cpu-clock -F 499 -g -o "$D/perf.data" -- "$D/prog" > "$D/log" 2>&1 && break
done
[ -s "$D/perf.data" ] || skip_all "cannot record: $(head -n 1 "$D/log")"

n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | head -n 20 | sed 's/^/# /'
		failed=1
	fi
}

# Starts the server on a port that is free, which goes to $port.
start_server() {
	local i

	for i in 1 2 3 4 5; do
		port=$((20000 + RANDOM % 10000))
		debuginfod -p $port -d "$D/db" -F "$D/served" -t 0 -g 0 -vvv > "$D/server.log" 2>&1 &
		server=$!
		disown $server
		for _ in $(seq 50); do
			grep -q 'groomed database' "$D/server.log" && return 0
			kill -0 $server 2> /dev/null || break
			sleep 0.1
		done
		kill -9 $server 2> /dev/null
		server=''
	done
	return 1
}
start_server || skip_all "debuginfod does not start: $(tail -n 1 "$D/server.log")"
url=http://127.0.0.1:$port

requests() {
	grep -c "GET /buildid/" "$D/server.log"
}
names() { # PSCRIPT OPTION...
	timeout 60 "$PSCRIPT" -i "$D/perf.data" -F ip,sym,srcline "$@" 2> "$D/err"
}

export DEBUGINFOD_URLS=$url
out=$(names)
result "not asked without --debuginfod" "$(
	grep hidden_function <<< "$out"
	[ "$(requests)" = 0 ] || echo "$(requests) requests")"
out=$(names --debuginfod)
result "functions, inlined ones and lines from the server" "$(
	grep -q hidden_function <<< "$out" && grep -q 'prog.c:' <<< "$out" &&
		grep -q inlined_part <<< "$out" || { head -n 10 <<< "$out"; cat "$D/err"; })"
before=$(requests)
unset DEBUGINFOD_URLS
again=$(names --debuginfod=$url)
result "the servers of the option; a second run has the file already" "$(
	[ "$out" = "$again" ] || diff <(echo "$out") <(echo "$again")
	grep 'prog' "$D/server.log" > /dev/null
	[ "$(requests)" = "$before" ] || echo "$before, then $(requests) requests")"
for reader in pfold "prep --no-children"; do
	[ -x "$BIN/${reader%% *}" ] || continue
	# shellcheck disable=SC2086
	out=$(timeout 60 "$BIN"/$reader -i "$D/perf.data" --debuginfod=$url 2>&1)
	result "${reader%% *} asks, too" "$(grep -q hidden_function <<< "$out" || head -n 20 <<< "$out")"
done
out=$("$PSCRIPT" -i "$D/perf.data" --debuginfod=$url --why prog 2>&1)
result "--why says what the server gave" "$(
	grep -A1 "^    $D/cache/.*/debuginfo" <<< "$out" |
		grep -q 'used for symbols, debug information' || echo "$out")"

# the file in the cache is another one now
cached=$(find "$D/cache" -name debuginfo -size +1k)
objcopy --update-section .note.gnu.build-id=<(
	printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0AAAAAAAAAAAAAAAAAAAA') "$cached" "$D/other" 2> "$D/log" &&
	cp "$D/other" "$cached"
result "a file of another build is not used" "$(names --debuginfod=$url | grep hidden_function)"
result "--why says so" "$(
	"$PSCRIPT" -i "$D/perf.data" --debuginfod=$url --why prog 2>&1 |
		grep -q 'its build-id differs (build-id 4141' || echo "it does not")"
rm -rf "$D/cache"

kill -9 $server
server=''
out=$(names --debuginfod=$url)
result "a server that is gone" "$(
	[ -n "$out" ] || cat "$D/err"
	grep hidden_function <<< "$out")"

# One that listens and says nothing.
cat > "$D/silent.c" << 'EOF'
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd, (struct sockaddr *)&a, len) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)&a, &len))
		return 1;
	printf("%d\n", ntohs(a.sin_port));
	fflush(stdout);
	sleep(60);
	return 0;
}
EOF
if gcc -o "$D/silent" "$D/silent.c" 2> "$D/log"; then
	"$D/silent" > "$D/port" &
	silent=$!
	disown $silent
	for _ in $(seq 50); do [ -s "$D/port" ] && break; sleep 0.1; done
	url=http://127.0.0.1:$(cat "$D/port")
	plain=$(names)
	start=$(date +%s%N)
	out=$(DEBUGINFOD_MAXTIME=3 names --debuginfod=$url)
	took=$((($(date +%s%N) - start) / 1000000))
	result "a server that never answers costs no more than the time limit" "$(
		[ $took -lt 6000 ] || echo "$took ms"
		[ "$out" = "$plain" ] || echo "other text")"
	out=$(DEBUGINFOD_MAXTIME=3 "$PSCRIPT" -i "$D/perf.data" --debuginfod=$url --why prog 2>&1)
	result "--why says so" "$(
		grep -q 'no answer from the debuginfod servers' <<< "$out" || echo "$out")"
	export DEBUGINFOD_URLS=$url
	start=$(date +%s%N)
	out=$(names)
	took=$((($(date +%s%N) - start) / 1000000))
	result "nor anything without --debuginfod" "$([ $took -lt 2000 ] || echo "$took ms")"
fi
echo "1..$n"
exit $failed
