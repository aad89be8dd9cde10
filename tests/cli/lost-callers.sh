#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The end of a recording with frame-pointer chains: prec says which of them lack callers, and the
# option that records whole stacks.

. tests/frame/tell.sh
: "${BIN:=$PWD/bin}" "${CC:=cc}"
BIN=$(realpath "$BIN")
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ "$(uname -m)" = x86_64 ] || skip "call frame information tells it on x86-64 only"
"$BIN/prec" -q -o try.data -e cpu-clock:u -- true > /dev/null 2>&1 || skip "nothing can be recorded here"

# work() is called by way of three functions that use no stack but for their return address.
cat > program.c << 'C'
volatile long sink;
__attribute__((noinline)) void work(void)
{
	volatile long on_the_stack = 0;
	for (int i = 0; i < 1000000; i++)
		on_the_stack += i;
	sink += on_the_stack;
}
#define VIA(name, next) __attribute__((noinline)) void name(void) { next(); sink++; }
VIA(third, work)
VIA(second, third)
VIA(first, second)
int main(void)
{
	for (int i = 0; i < 150; i++)
		first();
	return 0;
}
C
"$CC" -O1 -fomit-frame-pointer -o without program.c 2> cc.err || skip "no compiler: $(head -n 1 cc.err)"
"$CC" -O1 -fno-omit-frame-pointer -o with program.c

# ends NAME OPTIONS...: what prec says at the end of a recording of a program
ends() {
	local name=$1
	shift
	timeout 60 "$BIN/prec" -F 1000 -e cpu-clock:u -o "$name.data" "$@" > /dev/null 2> "$name.err" ||
		why+=" status $?: $(cat "$name.err");"
}
advice='lack callers: the code they pass keeps no frame pointers, most of it in without: for whole stacks, record with prec --call-graph unwind'

ends without -g -- ./without
grep -qF "$advice" without.err || why+=" $(cat without.err);"
tell_why "chains of a program without frame pointers lack callers"

# of the same chains prep says the same
"$BIN/prep" --quality=text -i without.data 2>&1 > /dev/null | grep -qE \
	"[0-9.]+ % of the samples' chains lack callers, most of them in without: code without frame pointers; record with prec --call-graph unwind, or build it with -fno-omit-frame-pointer" ||
	why+=" prep: $("$BIN/prep" --quality=text -i without.data 2>&1 > /dev/null);"
tell_why "prep measures it, too"

ends with -g -- ./with
! "$BIN/prep" --quality=text -i with.data 2>&1 > /dev/null | grep "chains lack" || why+=" prep says so;"
! grep -q lack with.err || why+=" $(cat with.err);"
tell_why "chains of a program with frame pointers do not"

ends unwind --call-graph unwind -- ./without
! grep -q lack unwind.err || why+=" $(cat unwind.err);"
"$BIN/pscript" -F ip,sym -i unwind.data 2> /dev/null |
	awk '/work/ { all++ } /first/ { whole++ } END { exit !(all > 20 && whole >= all * 0.95) }' ||
	why+=" the advised option leaves callers out;"
tell_why "the advised option records them"

ends quiet -q -g -- ./without
[ ! -s quiet.err ] || why+=" $(cat quiet.err);"
ends none -- ./without
! grep -q lack none.err || why+=" $(cat none.err);"
tell_why "-q, and a recording without chains, say nothing of it"
echo "1..$n"
exit $failed
