#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a recorded call of a function costs its program, by the function's first instructions: CPU
# time of CALLS calls with probes at entry and return, less that without, in ns a call. "start": the
# probe lies at the start of the function; "moved": where prec puts it.
#
#	bench/probe_cost.sh [CALLS]

cd "$(dirname "$0")/.." || exit 2
: "${BIN:=$PWD/bin}" "${CC:=gcc}"
calls=${1:-200000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

cat > "$work/calls.c" << 'END'
#include <stdlib.h>
#include <string.h>
#define FUNCTION(name, code) \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ": " code \
		"\nret\n.size " #name ",.-" #name "\n"); \
	void name(void);
FUNCTION(push, "push %rbp\npop %rbp")
FUNCTION(endbr64_push, "endbr64\npush %rbp\npop %rbp")
FUNCTION(test_je, "test %edi,%edi\nje 1f\n1:")
FUNCTION(sub, "sub $8,%rsp\nadd $8,%rsp")
int main(int argc, char **argv)
{
	void (*f)(void) = !strcmp(argv[2], "push") ? push : !strcmp(argv[2], "test_je") ? test_je :
			  !strcmp(argv[2], "sub") ? sub : endbr64_push;
	for (int i = atoi(argv[1]); argc == 3 && i; i--)
		f();
	return 0;
}
END
"$CC" -O1 -o "$work/calls" "$work/calls.c" || exit 2

# CPU time in ns of the program; OPTIONS of prec
cpu_ns() { # FUNCTION [OPTION...]
	local f=$1
	shift
	( TIMEFORMAT='%U %S'
	time { if [ $# -gt 0 ]; then
		"$BIN/prec" -q -m 32M -o /dev/null "$@" -- "$work/calls" "$calls" "$f"
	else
		"$work/calls" "$calls" "$f"
	fi; } ) 2>&1 | awk 'END { printf "%d\n", ($1 + $2) * 1e9 }'
}

printf '%-14s %10s %10s\n' 'ns a call' start moved
for f in push endbr64_push test_je sub; do
	none=$(cpu_ns "$f")
	for at in +0 ''; do
		ns=$(cpu_ns "$f" -e "uprobe:$work/calls:$f$at" -e "uretprobe:$work/calls:$f$at")
		echo $(( (ns - none) / calls ))
	done | xargs printf '%-14s %10d %10d\n' "$f"
done
