#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf's own shell test `diff` with our commands behind the name perf. perf_shell.sh runs it too, but
# there it skips itself: packaged perfs are stripped of the symbol of its workload, which is made here.
# PERF_SHELL names the folder of perf's tests, else it is looked for beside PERF72 (perf-sid on PATH)
# and where packages put it.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
export BIN LC_ALL=C
PERF72=${PERF72:-$(command -v perf-sid)}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prec" ] || skip "prec is not built"
shell=${PERF_SHELL-}
for folder in "${PERF72%/bin/*}/sid/usr/lib/perf-core" /usr/lib*/perf-core /usr/libexec/perf-core; do
	[ -z "$shell" ] && [ -f "$folder/tests/shell/diff.sh" ] && shell=$folder/tests/shell
done
[ -f "$shell/diff.sh" ] || skip "no shell tests of perf here (PERF_SHELL)"

cat > "$work/thloop.c" << 'C'
#include <pthread.h>
#include <time.h>
static volatile long n;
__attribute__((noinline)) void test_loop(long end)
{
	while (clock() < end) n++;
}
static void *thread(void *end) { test_loop((long)end); return NULL; }
int main(void)
{
	long end = CLOCKS_PER_SEC / 10;
	pthread_t t;
	pthread_create(&t, NULL, thread, (void *)end);
	test_loop(end);
	return pthread_join(t, NULL);
}
C
cc -O1 -o "$work/thloop" "$work/thloop.c" -lpthread 2> /dev/null || skip "no compiler"
timeout 20 "$BIN/prec" -q -o "$work/try.data" true > /dev/null 2>&1 || skip "recording is not permitted"

mkdir "$work/bin"
cat > "$work/bin/perf" << 'SH'
#!/bin/bash
command=$1
shift
case $command in
record) exec "$BIN/prec" "$@" ;;
report) exec "$BIN/prep" "$@" ;;
diff) exec "$BIN/prep" --diff "$@" ;;
script) exec "$BIN/pscript" "$@" ;;
annotate) exec "$BIN/pann" "$@" ;;
evlist) exec "$BIN/pevlist" "$@" ;;
test)
	[ "$1" = -w ] && exec "$THLOOP"
	nm "$THLOOP" | sed 's/.* / /' ;; # the symbols that perf test lists of itself
*) echo "perf: no command '$command' here" >&2; exit 1 ;;
esac
SH
chmod +x "$work/bin/perf"
export PATH=$work/bin:$PATH THLOOP=$work/thloop

n=0 bad=0
# A busy machine leaves perf's short workload without samples; such a recording is made again.
run() { # TEST
	local status try
	n=$((n + 1))
	for try in 1 2 3; do
		timeout 60 bash "$shell/$1.sh" > "$work/out" 2>&1 < /dev/null
		status=$?
		if [ $status = 0 ] && grep -q Success "$work/out" && ! grep -q Failed "$work/out"; then
			echo "ok $n - perf's test $1: $(grep -c Success "$work/out") parts"
			return
		fi
		grep -q 'Workload record .Failed' "$work/out" || break
		echo "# no samples of the workload, try $try"
	done
	bad=1
	echo "not ok $n - perf's test $1: status $status"
	tail -5 "$work/out" | sed 's/^/# /'
}
run diff
echo "1..$n"
exit $bad
