#!/bin/bash
# SPDX-License-Identifier: MIT
#
# prec --input makes of a recording with stack copies one with call chains. Of every such recording
# in testdata and ../shared/data, and of one that is made here and now:
#   - pscript prints the same text of both, of the compressed one, and of a stream
#   - prep and its verdict say the same of both
#   - perf 7.2 prints what pscript prints of the new one
#   - perf 6.1 and 7.2, samply and hotspot's parser say nothing about the new one that they do not
#     say about the old one; of one recording in testdata and those made here, or of all with --all
#
#	tests/checks/convert.sh [--all]
#	tests/checks/convert.sh --kinds FILE...	what perf 7.2 itself unwinds otherwise, by kind
#
# Environment: BIN (default bin), SHARED (default ../shared), PERF72 (default perf-sid).

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}" "${SHARED:=$PWD/../shared}" "${PERF72:=perf-sid}"
export LC_ALL=C TZ=UTC
unset DEBUGINFOD_URLS PERF_CONFIG PERF_BUILDID_DIR
[ -x "$BIN/prec" ] || { echo "1..0 # SKIP prec is not built"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

has() { command -v "$1" > /dev/null; }

# --- what perf unwinds otherwise --------------------------------------------------------------

# Frames of the two texts, sample by sample: how often both have the same, one ends earlier, or a
# frame differs.
kinds() { # OLD-TEXT NEW-TEXT
	awk '
		function ends() { if (nr) stack[FNR == NR ? 1 : 2, ++n[file]] = frames; frames = ""; nr = 0 }
		FNR == 1 { ends(); file++ }
		/^$/ { stack[file, ++n[file]] = frames; frames = ""; next }
		/^\t/ { if ($0 !~ /\(inlined\)$/) frames = frames $1 " " }
		END {
			for (i = 1; i <= n[1] || i <= n[2]; i++) {
				a = stack[1, i]; b = stack[2, i]
				if (a == b) kind = "the same frames"
				else if (a == "") kind = "perf: no frame, here: some"
				else if (index(b, a) == 1) kind = "perf ends earlier"
				else if (b == "") kind = "perf: some, here: no frame"
				else if (index(a, b) == 1) kind = "here ends earlier"
				else kind = "a frame differs"
				count[kind]++
			}
			for (kind in count) printf "%7d %s\n", count[kind], kind
		}' "$1" "$2" | sort -rn
}

if [ "${1-}" = --kinds ]; then
	shift
	for f; do
		echo "$f"
		"$BIN/prec" -q --input "$f" --call-graph unwind -o "$work/new" || continue
		"$PERF72" script --no-inline --max-stack 2000 -F comm,tid,time,ip -i "$f" > "$work/a" 2> /dev/null < /dev/null
		"$BIN/pscript" --no-inline --max-stack 2000 -F comm,tid,time,ip -i "$work/new" > "$work/b" 2> /dev/null
		kinds "$work/a" "$work/b"
	done
	exit 0
fi

# --- the recordings ---------------------------------------------------------------------------

export HOME=$work
mkdir "$work/none" "$work/bin"
# The verdicts are compared without advice, and its search for packages is a third of the time here.
printf '#!/bin/sh\nexit 1\n' | tee "$work/bin/apt-cache" > "$work/bin/dpkg-query"
cp "$work/bin/dpkg-query" "$work/bin/dpkg"
chmod +x "$work"/bin/*
export PATH=$work/bin:$PATH

all=
[ "${1-}" = --all ] && all=1

# "FILE SYMFS" of each recording with stack copies
recordings() {
	local f vector=$work/vector/home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser/tests/auto/perfdata/vector_static_gcc

	if [ -e "$SHARED/data/elf/vector_static_gcc_v9.1.0" ]; then
		mkdir -p "$vector" && cp "$SHARED/data/elf/vector_static_gcc_v9.1.0" "$vector/"
	fi
	for f in testdata/*/perf.data "$SHARED"/data/perfdata/* "$SHARED"/data/derived/*; do
		[ -e "$f" ] || continue
		"$BIN/pevlist" -v -i "$f" 2> /dev/null | grep -q 'REGS_USER|STACK_USER' || continue
		case $f in
		*be__*) continue ;; # of the other byte order: see the last test
		testdata/*) echo "$f testdata/symfs" ;;
		*vector_static_gcc*) echo "$f $work/vector" ;;
		*) echo "$f $work/none" ;;
		esac
	done
	made own.data -F 1500 -e cpu-clock:u --call-graph dwarf,16384
	# chains of three kinds, and values of a group, in the samples of one file
	made mixed.data -F 1000 -e cpu-clock/call-graph=dwarf/u -e page-faults/call-graph=fp/u -e minor-faults/call-graph=no/u
	made group.data -F 1500 -e '{cpu-clock:u,page-faults:u}:S' --no-inherit --call-graph dwarf,4096
	# a folder
	if has "$PERF72"; then
		made folder.data --threads -F 1000 -e cpu-clock:u --call-graph dwarf,8192
	fi
}

# Records a script of few seconds with these options; prec has no folders.
made() { # NAME OPTIONS...
	local name=$1 by=("$BIN/prec")

	shift
	case $* in *--threads*) by=("$PERF72" record) ;; esac
	# not below its later name: a command line is part of what readers print
	"${by[@]}" -q "$@" -o "$work/made" -- \
		sh -c 'ls -lR /usr/include/c++ > /dev/null; python3 -c "import json; json.dumps([list(range(9))] * 20000)"; :' \
		> /dev/null 2>&1 < /dev/null && mv "$work/made" "$work/$name" && echo "$work/$name /"
}

# Lines of standard error of a reader, without what names the file or a time.
said() { # FILE COMMAND...
	local file=$1
	shift
	{ timeout 120 "$@" < /dev/null > "$work/stdout"; } 2>&1 |
		sed "s|$file|FILE|g; s|${file##*/}|FILE|g; s/0x[0-9a-f]*/N/g; s/[0-9][0-9]*/N/g" | sort -u
}

# What a reader says about the new recording and not about the old one.
news() { # COMMAND..., with FILE for the recording
	local old=("${@//FILE/$rec}") new=("${@//FILE/$work/new}")

	said "$rec" "${old[@]}" > "$work/old.said"
	said "$work/new" "${new[@]}" > "$work/new.said"
	comm -13 "$work/old.said" "$work/new.said"
}

# What helps against unresolved names may take too long to find out on a busy machine.
without_advice() { sed 's/\(quality: .* unresolved in [^:]*: [^;]*\);.*/\1/; s/\(too short\)[;,].*/\1/'; }

# How a verdict names the file: not the subject here. A cut recording is told of in other words.
verdict_of() { # FILE
	"$BIN/prep" --stdio --no-pager --symfs "$symfs" --quality=text -i "$1" 2>&1 |
		sed "s|$1|FILE|g" | without_advice | grep -v 'FILE: the recorder did not finish\|FILE: the header promises\|^# Samples'
}

# The verdict of a file with chains cannot know whether the callers came from a process or a sample.
verdict_of_copies() { # FILE
	verdict_of "$1" | sed 's/callers from neighbouring samples/callers from the memory of their processes or other samples/'
}

# A recording that perf cannot read at all: its message. perf would also print nothing for it.
unreadable() { grep -i 'incompatible file format\|failed for event of type\|not 8-byte aligned\|data size field is 0' "$1" | head -n 1; }

try() { # NAME
	local name=$1

	if ! timeout 120 "$BIN/prec" -q --input "$rec" --symfs "$symfs" --call-graph unwind -o "$work/new" 2> "$work/err"; then
		result "$name is converted" "$(cat "$work/err")"
		return
	fi
	result "$name has no copies any more" \
		"$("$BIN/pevlist" -v -i "$work/new" 2>&1 | grep 'REGS_USER\|STACK_USER')"
	"$BIN/pscript" --quality=none --symfs "$symfs" -i "$rec" > "$work/old.txt" 2> /dev/null
	"$BIN/pscript" --quality=none --symfs "$symfs" -i "$work/new" > "$work/new.txt" 2> /dev/null
	result "$name: pscript prints the same ($(grep -c '^$' "$work/new.txt") samples)" \
		"$(cmp "$work/old.txt" "$work/new.txt" 2>&1)"
	result "$name: prep and its verdict say the same" \
		"$(diff <(verdict_of_copies "$rec") <(verdict_of "$work/new") | head -n 10)"
	timeout 120 "$BIN/prec" -q --input "$rec" --symfs "$symfs" --call-graph unwind -z -o "$work/z" 2> /dev/null
	"$BIN/pscript" --quality=none --symfs "$symfs" -i "$work/z" 2> /dev/null > "$work/z.txt"
	result "$name: compressed, too" "$(cmp "$work/old.txt" "$work/z.txt" 2>&1)"
	timeout 120 "$BIN/prec" -q --input "$rec" --symfs "$symfs" --call-graph unwind -o - 2> /dev/null |
		"$BIN/pscript" --quality=none --symfs "$symfs" -i - > "$work/pipe.txt" 2> /dev/null
	result "$name: as a stream, too" "$(cmp "$work/old.txt" "$work/pipe.txt" 2>&1)"
	# other tools say the same whatever this build is instrumented with
	[ -n "${SAN-}" ] && return
	case $all$rec in 1* | "$work"/* | testdata/dwarf-7.2/*) stock "$name" ;; esac
}

# Names of inlined functions take stock perf most of its time, and its complaints are the same.
stock() { # NAME
	local name=$1

	if has "$PERF72"; then
		# --no-inline: names of inlined functions differ, see KNOWN-DIFFERENCES.md
		"$PERF72" script --no-inline --max-stack 2000 --symfs "$symfs" -i "$work/new" \
			> "$work/perf.txt" 2> "$work/perf.err" < /dev/null
		"$BIN/pscript" --no-inline --max-stack 2000 --quality=none --symfs "$symfs" -i "$work/new" \
			> "$work/new.txt" 2> /dev/null
		why=$(unreadable "$work/perf.err")
		if [ -n "$why" ]; then
			result "$name: perf 7.2 # SKIP cannot read it: $why" ""
		elif [ ! -s "$work/perf.txt" ] && [ "$("$PERF72" script --symfs "$symfs" -i "$rec" 2> /dev/null < /dev/null | wc -c)" = 0 ]; then
			result "$name: perf 7.2 # SKIP prints nothing of the old one either" ""
		else
			result "$name: perf 7.2 prints what pscript prints" "$(cmp "$work/perf.txt" "$work/new.txt" 2>&1)"
			# what perf says of a cut file is that it is cut
			[ "${name#*cut}" = "$name" ] && result "$name: perf 7.2 says nothing new" \
				"$(news "$PERF72" script --no-inline --symfs "$symfs" -i FILE)$(news "$PERF72" report --no-inline --stdio --symfs "$symfs" -i FILE)"
		fi
	fi
	[ "${name#*cut}" = "$name" ] || return
	if has perf; then
		result "$name: perf 6.1 says nothing new" \
			"$(news perf script --no-inline --symfs "$symfs" -i FILE | grep -v 'not N-byte aligned')$(news perf report --no-inline --stdio --symfs "$symfs" -i FILE | grep -v 'not N-byte aligned')"
	fi
	[ -d "$rec" ] && return # the others read no folders
	if has samply; then
		result "$name: samply says nothing new" \
			"$(news samply import --save-only -o "$work/samply.json.gz" FILE)"
	fi
	if has hotspot-perfparser; then
		result "$name: hotspot's parser says nothing new" \
			"$(news hotspot-perfparser --input FILE --output "$work/hotspot.out")"
	fi
}

while read -r rec symfs; do
	name=${rec##*/}
	[ "$name" = perf.data ] && name=${rec%/*} && name=${name##*/}
	try "$name"
done < <(recordings)

# --- what is not converted, and how it is asked for ---------------------------------------------

prec() { "$BIN/prec" "$@" 2>&1 < /dev/null | sed "s|$work|WORK|g"; }
dwarf=testdata/dwarf-7.2/perf.data

"$BIN/prec" -q --input $dwarf --call-graph unwind -o "$work/one" 2> /dev/null
"$BIN/prec" -q -i $dwarf --call-graph unwind -o "$work/two"
result "-i of a recording is --input" "$(cmp "$work/one" "$work/two" 2>&1)"
"$BIN/prec" -q --call-graph unwind -o "$work/two" --input - < $dwarf
# A recorder's stream, converted into a file and into another stream: it cannot be read twice, so
# truncated stacks stay truncated.
if "$BIN/prec" -q -F 2000 -e cpu-clock:u --call-graph dwarf,4096 -o - -- python3 -c 'import json; json.dumps([list(range(9))] * 9999)' > "$work/stream" 2> /dev/null; then
	"$BIN/prec" -q -i "$work/stream" --call-graph unwind -o "$work/of_stream"
	"$BIN/prec" -q -i "$work/stream" --call-graph unwind -o - > "$work/stream_of_stream"
	for to in of_stream stream_of_stream; do
		result "a stream becomes $to: the same text" "$(cmp <("$BIN/pscript" --quality=none --no-join -i "$work/stream" 2>&1) \
			<("$BIN/pscript" --quality=none -i "$work/$to" 2>&1))"
		result "and the same verdict" "$(diff <("$BIN/prep" --stdio --no-join --quality=text -i "$work/stream" 2>&1 | grep quality | without_advice) \
			<("$BIN/prep" --stdio --quality=text -i "$work/$to" 2>&1 | grep quality | without_advice))"
	done
fi
result "of standard input" "$(cmp <("$BIN/pscript" --quality=none -i "$work/one") <("$BIN/pscript" --quality=none -i "$work/two") 2>&1)"
"$BIN/prec" -q --input "$work/one" --call-graph unwind -o "$work/two" > /dev/null 2>&1
result "a recording that was converted has nothing to convert" "$([ $? -eq 255 ] || echo "its status is not 255")"
result "the old recording is kept as FILE.old where the new one takes its name" "$(
	cp $dwarf "$work/in" && "$BIN/prec" -q --input "$work/in" --call-graph unwind -o "$work/in" 2>&1
	cmp $dwarf "$work/in.old" 2>&1
	"$BIN/pscript" --quality=none -i "$work/in" 2>&1 | cmp - <("$BIN/pscript" --quality=none -i "$work/one") 2>&1
)"
result "no copies are told" "$(
	diff <(prec --input testdata/fp-7.2/perf.data --call-graph unwind -o "$work/two") - <<- 'END'
		prec: testdata/fp-7.2/perf.data: has no copies of user stacks (perf record --call-graph dwarf), so there is nothing to unwind
	END
)"
be=$SHARED/data/derived/be__perfparser__vector_static_gcc_perf.data
if [ -e "$be" ]; then
	result "the other byte order is refused" "$(
		prec --input "$be" --call-graph unwind -o "$work/two" | grep -q 'other byte order' || echo "it is not"
	)"
fi
results_end
