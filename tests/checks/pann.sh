#!/bin/bash
# SPDX-License-Identifier: MIT
#
# pann against stock perf 7.2 annotate, and its disassembler against objdump.
#
#	tests/checks/pann.sh [--live] [GLOB]...
#
# Of the recordings in testdata/ with samples in programs of testdata/symfs:
#	stdio, stdio2, -l, -n, --show-total-period, --asm-raw, -M intel: the text of perf 7.2, but for what
#	KNOWN-DIFFERENCES.md lists (A1 to A9), which normal() takes out of both
#	costs	samples of the instructions sum up to those in the title, of every function
# Of programs of this machine: each instruction that capstone knows has objdump's text.
# With --live: the 20 hottest functions of fresh recordings of clang++, python3 and a C program with and without -g.
#
# Environment: BIN (default bin), O (build folder, for tools), PERF72 (default perf-sid on PATH), OBJDUMP (objdump).

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${O:=build/gcc}" "${PERF72=$(command -v perf-sid)}" "${OBJDUMP=$(command -v objdump)}"
live=''
if [ "${1-}" = --live ]; then live=1; shift; fi
[ $# -gt 0 ] || set -- '*'
[ -x "$BIN/pann" ] || { echo "1..0 # SKIP no pann in $BIN"; exit 77; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home"
export TZ=UTC LC_ALL=C PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG

n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $*"; }

if ! "$BIN/pann" --stdio -q --symfs testdata/symfs -i testdata/plain-7.2/perf.data > "$work/out" 2> /dev/null; then
	echo "1..0 # SKIP this build has no disassembler"
	exit 77
fi

# Names that are a matter of taste: behind '#' and IFUNC slots (A3), versions of symbols (A2), blanks at the end (A4),
# frequencies (A6).
normal() {
	sed -E -e 's/(# [0-9a-f]+) <.*>/\1/' -e 's/@@?[A-Z][A-Za-z0-9_.]*//g' -e 's/<\*ABS\*\+0x[0-9a-f]+@plt>/<SLOT>/' \
		-e 's/((call|jmp) +[0-9a-f]+ )<[a-z_0-9]*@plt>/\1<SLOT>/' -e "s/ [0-9]+ Hz,//" -e 's/<(_init\+0x20|\.plt)>/<PLT>/' -e 's/ +$//'
}

# Lines of functions whose instructions capstone does not know (A1) say nothing of the others in them.
compare() { # what perf-text our-text
	local cut=''
	# perf takes the first '>' for the end of a name: A5
	case $1 in *--stdio2*) cut='s/((lea|mov|cmp) +[^<]*)<.*/\1/; /call /s/>.*//' ;; esac
	normal < "$2" | sed -E "$cut" > "$work/perf"
	normal < "$3" | sed -E "$cut" > "$work/ours"
	paste -d $'\001' "$work/perf" "$work/ours" | awk -F '\001' '
		$1 == $2 { next }
		{ a = $1; b = $2
		  if (b ~ /\.byte  /) { sub(/:  +[^:]*$/, "", a); sub(/:  +[^:]*$/, "", b); if (a == b) next }
		  print "< " $1; print "> " $2 }' > "$work/diff"
	if [ ! -s "$work/perf" ]; then
		not_ok "$1: perf printed nothing"
	elif [ -s "$work/diff" ] || [ "$(wc -l < "$work/perf")" -ne "$(wc -l < "$work/ours")" ]; then
		not_ok "$1"
		head -12 "$work/diff" | sed 's/^/# /'
	else
		ok "$1"
	fi
}

costs() { # what our-text-with-samples
	awk '/\tSource code & Disassembly of / {
			match($0, /\([0-9]+ samples/); if (nr && sum != want) bad++
			want = substr($0, RSTART + 1, RLENGTH - 9); sum = 0; nr++ }
		/^ +[0-9]+ : +[0-9a-f]+:/ { sum += $1 }
		END { if (!nr || sum != want || bad) exit 1 }' "$2" && ok "$1" || not_ok "$1"
}

perf72() { HOME=$work/home timeout 100 "$PERF72" annotate "$@" 2> /dev/null < /dev/null; }
ours() { HOME=$work/home timeout 100 "$BIN/pann" --quality=none "$@" 2> /dev/null < /dev/null; }

for data in testdata/plain-7.2 testdata/fp-7.2 testdata/inline-7.2 testdata/group-7.2 testdata/events-7.2 testdata/period-6.1; do
	name=${data#testdata/}
	for glob; do [[ $name == $glob ]] && break; done || continue
	args=(--symfs testdata/symfs -i "$data/perf.data")
	ours -n "${args[@]}" > "$work/n"
	case $name in group*) ;; *) costs "$name: costs" "$work/n" ;; esac
	if [ ! -x "${PERF72:-/none}" ] || [ ! -x "${OBJDUMP:-/none}" ]; then
		ok "$name against perf # SKIP no perf 7.2 or no objdump"
		continue
	fi
	for form in --stdio --stdio2 "--stdio -l" "--stdio -n" "--stdio --show-total-period" "--stdio --asm-raw" "--stdio -M intel" \
		"--stdio --percent-type=local-hits"; do
		case $form in
		*-l) [ "$name" = inline-7.2 ] || continue ;;
		esac
		# shellcheck disable=SC2086 # several options
		perf72 $form "${args[@]}" > "$work/p"
		# shellcheck disable=SC2086
		ours $form "${args[@]}" > "$work/o"
		compare "$name: $form" "$work/p" "$work/o"
	done
done

# Columns of cycles: where perf's other columns differ, see A19.
cycles() { # < text: the instructions that have cycles, of the first event
	awk '!/^Samples/ && substr($0, 9, 12) ~ /[0-9]/ { print substr($0, 9) } /^Samples/ && ++pages == 2 { exit }' | sed 's/ *$//'
}
data=testdata/branches-6.1
for glob; do [[ ${data#testdata/} == $glob ]] && break; done && if [ ! -x "${PERF72:-/none}" ] || [ ! -x "${OBJDUMP:-/none}" ]; then
	ok "cycles of branches against perf # SKIP no perf 7.2 or no objdump"
else
	bad=0
	for f in leaf middle main; do
		perf72 --stdio2 --symfs testdata/symfs -i $data/perf.data $f | cycles > "$work/p"
		ours --stdio2 --symfs testdata/symfs -i $data/perf.data $f | cycles > "$work/o"
		[ -s "$work/p" ] && diff "$work/p" "$work/o" > "$work/diff" || { bad=1; sed "s/^/# $f: /" "$work/diff"; }
	done
	[ $bad -eq 0 ] && ok "cycles of branches" || not_ok "cycles of branches"
	table="--symfs testdata/symfs -i $data/perf.data -s symbol_from,symbol_to"
	# shellcheck disable=SC2086
	"$PERF72" report --stdio $table 2> /dev/null | grep '\[.*%\]' > "$work/p"
	# shellcheck disable=SC2086
	"$BIN/prep" --quality=none $table 2> /dev/null | grep '\[.*%\]' > "$work/o"
	if grep -q '0.69  \[' "$work/p" && diff "$work/p" "$work/o" > "$work/diff"; then
		ok "cycles of functions in prep's table"
	else
		not_ok "cycles of functions in prep's table"
		sed 's/^/# /' "$work/diff" | head
	fi
fi

# The key T: of pointers in registers and of variables; place_recording has samples at the first function.
if [ "$(uname -m)" != x86_64 ] || ! command -v gcc > /dev/null || [ ! -x "$O/tests/tools/place_recording" ]; then
	ok "types of data # SKIP no gcc of x86-64, or no place_recording"
else
	cat > "$work/types.c" <<- END
		struct item { long cost; int key; struct item *next; struct { short low, high; } pair; };
		typedef const struct item item_t;
		long table[4];
		long walk(item_t *at, int k)
		{
			long sum = 0;
			for (; at; at = at->next)
				if (at->key > k)
					sum += at->cost + at->pair.high + table[2];
			return sum;
		}
	END
	gcc -g -O1 -shared -fPIC -fvisibility=hidden -nostdlib -o "$work/types.so" "$work/types.c"
	"$O/tests/tools/place_recording" "$work/types.data" 7 "$work/types.so"
	printf '%s\n' 'long int[] +0x10' 'struct item +0 (cost)' 'struct item +0x10 (next)' \
		'struct item +0x1a (pair.high)' 'struct item +0x8 (key)' > "$work/want"
	ours -i "$work/types.data" walk --keys T --screen 100x40 | sed -nE 's/.*# data-type: (.*[^ ]) *[^a-z]$/\1/p' | sort -u > "$work/got"
	diff "$work/want" "$work/got" > "$work/diff" && ok "types of data" || { not_ok "types of data"; sed 's/^/# /' "$work/diff"; }
fi

# Shifts by one have a code without the 1, which objdump shows in AT&T syntax from 2.41 on: A11.
older=''
version=$("$OBJDUMP" --version 2> /dev/null | sed -nE '1s/.* ([0-9]+)\.([0-9]+)([^0-9].*)?$/\1 \2/p')
[ "${version% *}" = 2 ] && [ "${version#* }" -ge 41 ] && older='s/^((sa|sh|ro|rc)[lr][bwlq]? +)\$1,/\1/'

# Instructions, without the names behind them.
disassembly() { # file syntax
	local arch=x86_64 what
	what="instructions of ${1##*/}, $2"
	if [ ! -x "$O/tests/tools/disasm_lines" ] || [ ! -x "${OBJDUMP:-/none}" ]; then
		ok "$what # SKIP no disasm_lines or no objdump"
		return
	fi
	# address, bytes, instruction; sed takes seven times as long for this
	"$OBJDUMP" -d -w -M "$2" "$1" | awk -F '\t' 'NF >= 3 && $1 ~ /^ *[0-9a-f]+:$/ && $2 ~ /^[0-9a-f ]+$/ {
		sub(/^ */, "", $1); sub(/:$/, "", $1); sub(/ *$/, "", $2)
		print $1 "\t" $2 "\t" $3
	}' > "$work/lines"
	awk -F '\t' '{ gsub(/ /, "", $2); print $1, $2 }' "$work/lines" |
		"$O/tests/tools/disasm_lines" $arch "$2" | sed -e 's/ *|[0-9]*$//' > "$work/got"
	cut -f 3 "$work/lines" | sed -E -e 's/ +# [0-9a-f]+( <.*)?$//' -e 's/ <.*>$//' -e 's/ +$//' -e "$older" > "$work/want"
	paste -d $'\001' "$work/want" "$work/got" | awk -F '\001' '$1 != $2 && $2 !~ /^\.byte/' > "$work/diff"
	if [ -s "$work/lines" ] && [ ! -s "$work/diff" ]; then
		ok "$what: $(wc -l < "$work/lines")"
	else
		not_ok "$what"
		head -5 "$work/diff" | tr '\001' '|' | sed 's/^/# /'
	fi
}
case $(uname -m) in
x86_64)
	disassembly testdata/symfs/tmp/w/w_cpp att
	disassembly "$BIN/pann" att
	disassembly "$BIN/pann" intel
	;;
*) ok "instructions # SKIP of x86 programs only" ;;
esac

# 20 functions of a command: what pann shows is in perf's text, function by function.
hottest() { # name command...
	local name=$1 i=0 bad=0 nr=0 dir=$work/$1
	shift
	mkdir "$dir"
	if ! "$PERF72" record -q -N -e cpu-clock -F 2000 -o "$dir/data" "$@" > /dev/null 2>&1; then
		ok "20 hottest of $name # SKIP cannot record"
		return
	fi
	ours --stdio --max-symbols=20 -i "$dir/data" > "$dir/ours"
	perf72 --stdio -i "$dir/data" > "$dir/perf"
	for i in ours perf; do
		normal < "$dir/$i" | awk -v out="$dir/$i" '/\tSource code & / { f = sprintf("%s.%d", out, nr++); title = $0 } { print > f }'
	done
	for ((i = 0; i < 20; i++)); do
		[ -f "$dir/ours.$i" ] || break
		nr=$((nr + 1))
		paste -d $'\001' "$dir/perf.$i" "$dir/ours.$i" | awk -F '\001' '
			# the vDSO is a file with a name of its own each time perf looks at it
			NR == 1 && $2 ~ /\[vdso\]/ { exit 0 }
			$1 != $2 && !($2 ~ /\.byte  / && substr($1, 1, 9) == substr($2, 1, 9)) { bad = 1; print "# " $1; print "# " $2 }
			END { exit bad }' > "$work/diff" || { bad=$((bad + 1)); head -4 "$work/diff"; }
	done
	ours --stdio -n --max-symbols=20 -i "$dir/data" > "$work/n"
	costs "costs of the hottest of $name" "$work/n"
	[ $nr -gt 0 ] && [ $bad -eq 0 ] && ok "$nr hottest of $name" || not_ok "$nr hottest of $name: $bad differ"
}
if [ -n "$live" ]; then
	if [ ! -x "${PERF72:-/none}" ] || [ ! -x "${OBJDUMP:-/none}" ]; then
		ok "live # SKIP no perf 7.2 or no objdump"
	else
		for g in -g -g0; do
			gcc -O2 $g -o "$work/w$g" testdata/workloads/w_simple.c -lm && hottest "w_simple$g" "$work/w$g"
		done
		hottest python3 python3 -c 'sum(len(str(i).split("1")) for i in range(2000000))'
		printf '#include <regex>\n#include <map>\nint main() { std::regex r("a(b*)c"); return std::regex_match("abc", r); }\n' > "$work/x.cc"
		command -v clang++ > /dev/null && hottest clang++ clang++ -O2 -c -o "$work/x.o" "$work/x.cc"
	fi
fi

echo "1..$n"
exit $failed
