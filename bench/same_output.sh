#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Do two builds print the same? Runs prep, pscript, pann, pevlist and pfold of both over recordings
# and compares standard output and exit status byte for byte. Standard error is not compared.
#
#	bench/same_output.sh OLD_BIN NEW_BIN [RECORDING...]
#
# OLD_BIN and NEW_BIN are folders of the commands. A RECORDING is a file, a directory recording
# (perf.data with a file "data" in it) or a folder, of which all *.data count. These recordings are
# always compared: ../shared/data/{perfdata,derived,fuzz,own}, testdata/*/perf.data,
# testdata/*.data and testdata/fuzz/{fuzz_file,fuzz_pipe}.
#
# The option sets are in sets_of below: 36 of prep, 21 of pscript, 11 of pann, 6 of pevlist, 10 of
# pfold. On recordings of more than 4 MiB prep has 34 (none that prints gigabytes of thousands of rows:
# -g fractal, -g folded from 0 % on), pscript 11 (none with -D), and pann prints at most the 30 hottest
# functions.
#
# It prints each difference (recording, command line, first lines that differ), what cannot be
# compared because OLD_BIN's command crashed or either ran out of time, and at the end
# "same N of M". Status 1 when something differs, or when NEW_BIN's command crashes or times out.
#
# Checksums of what OLD_BIN printed are kept, so that another run costs only NEW_BIN's half. Where a
# kept checksum differs from the new one, OLD_BIN's command runs again; only what it prints then counts.
#
# Environment:
#	SAME_CACHE=build/same-output	folder of the checksums; also of unpacked recordings
#	SAME_SECONDS=60			longest run of one command
#	SAME_JOBS=			runs at once (default: one for each CPU)
#	SAME_ONLY=			only these commands, such as "prep pfold"
#	SHARED=../shared

set -uf
if [ "${1-}" != --task ]; then
	cd "$(dirname "$0")/.." || exit 2
	: "${SAME_CACHE:=$PWD/build/same-output}" "${SAME_SECONDS:=60}" "${SHARED:=$PWD/../shared}"
	: "${SAME_JOBS:=$(nproc)}" "${SAME_ONLY:=prep pscript pann pevlist pfold}"
fi

# The option sets of a command, one a line. STDIN: the recording comes on standard input. DIFF: the
# recording is compared with itself.
sets_of() { # COMMAND small|big
	case $1 in
	prep)
		[ "$2" = small ] && cat << 'SETS'
-g fractal,0.5,callee
-g folded,0,callee,function,period
SETS
		cat << 'SETS' ;;

--no-children
-g none
-g caller --no-children
-g flat --no-children
-g graph,0.5,caller,address --no-children
-g graph,0.5,callee,function,count --max-stack 5
--children -s sym
-s comm,dso,sym -g none -n
-s pid,tgid,cpu,socket,time --no-children -g none
-s srcline,srcfile --no-children -g none
-s symoff,addr,symbol_size,dso_size,cgroup_id,weight --no-children -g none
-s parent,sym -p main --no-children -g none
--hierarchy --no-children -g none
--hierarchy --no-children --percent-limit 3 -s dso,sym -n
--group --no-children -n -g none
-F overhead,sample,period,comm,sym --no-children
-F overhead_children,overhead,overhead_sys,overhead_us,sym -g none
--percent-limit 2 -G
-t , --show-total-period --show-cpu-utilization -g none
-w 10,20,30 -q --no-children -g none
--header -I -g none
--stats
--mmaps
--tasks
-T --pretty=raw -g none
-b -s symbol_from,symbol_to,mispredict,cycles,in_tx
--mem-mode -s mem,symbol_daddr,dso_daddr,snoop,tlb,locked -g none
-s trace --raw-trace --no-children -g none
--no-inline --no-demangle --no-children
-v --threads 1 --no-join
--time 10%-60% -U --ignore-callees main --percentage relative
STDIN
DIFF
SETS
	pscript)
		cat << 'SETS'

-G
-F comm,tid,pid,cpu,time,event,period,ip,sym,symoff,dso
-F +srcline,+addr,+misc --full-source-path
-F +iregs,+uregs
-F +brstack,+brstacksym
--header -I --max-stack 1
--ns --reltime --no-inline --no-demangle
--format perf-6.1 --threads 1 --no-join
--stop-bt main --deltatime --show-kernel-path
--show-task-events --show-mmap-events --show-switch-events --show-namespace-events --show-lost-events --show-round-events --show-bpf-events --show-cgroup-events --show-text-poke-events
SETS
		[ "$2" = small ] && cat << 'SETS' ;;
-D
-F +weight,+data_src,+phys_addr,+data_page_size,+code_page_size
-F trace:comm,time,event,trace
--time 10%-60% -C 0-3 -F +pid,+cpu
--header-only
-L --no-merge-callchains
-d
-S main,leaf -c w_simple,python3
--show-mmap-events -F ip,sym,dso,dsoff
STDIN
SETS
	pann)
		cat << 'SETS'

--stdio2
-l
-P --asm-raw -M intel --no-source
--stdio2 -n --show-total-period --percent-type global-hits --no-inline
--percent-type local-hits --threads 1 --no-demangle --max-symbols 10
--percent-limit 2 --no-group --skip-missing
--time 10%-60% -q --max-symbols 3
-s main
--stdio2 -l leaf
STDIN
SETS
		;;
	pevlist) printf '%s\n' '' -v -g -F --trace-fields STDIN ;;
	pfold) cat << 'SETS' ;;

--weight samples --root tid
--names full --kernel --jit
--names raw --root none --no-inline
--names short --root pid --max-stack 5
--no-join --threads 1 --quality none
--no-marks --time 10%-60%
-C 0-3 --no-demangle --demangle-kernel
STDIN
DIFF --normalize
SETS
	esac
}

# Prints "CHECKSUM STATUS" of a run; its output goes to a file, too, where one is named.
run() { # BIN COMMAND OPTIONS FILE EXTRA [COPY]
	local bin=$1 command=$2 options=$3 file=$4 extra=$5 copy=${6-} stdin=/dev/null sum
	local input=(-i "$file")

	case $options in
	STDIN*) stdin=$file input=(-i -) options=${options#STDIN} ;;
	DIFF*) input=(--diff "$file" "$file") options=${options#DIFF} ;;
	esac
	# shellcheck disable=SC2086
	if [ -z "$copy" ]; then
		sum=$(timeout -k 5 "$SAME_SECONDS" "$bin/$command" $options $extra "${input[@]}" \
			2> /dev/null < "$stdin" | sha256sum
			echo "${PIPESTATUS[0]}")
	else
		timeout -k 5 "$SAME_SECONDS" "$bin/$command" $options $extra "${input[@]}" \
			2> /dev/null < "$stdin" > "$copy"
		sum="$?"
		sum="$(sha256sum < "$copy") $sum"
	fi 2> /dev/null
	echo "${sum%% *} ${sum##*[!0-9]}"
}

# A status of a command that a signal ended; 129 is the status of a wrong command line.
is_crash() { [ "$1" -gt 129 ]; }
is_late() { [ "$1" -eq 124 ] || [ "$1" -eq 137 ]; }

# The two results differ: OLD runs again, then NEW, and what they print now is looked at.
look_again() { # COMMAND OPTIONS FILE EXTRA NEW-RESULT
	local command=$1 options=$2 file=$3 extra=$4 before=$5 old new

	old=$(run "$OLD" "$command" "$options" "$file" "$extra" "$copy.old")
	new=$before
	[ "$old" = "$new" ] || new=$(run "$NEW" "$command" "$options" "$file" "$extra" "$copy.new")
	kept[:$options]=$old
	is_late "${old#* }" && { verdict=late; return; }
	is_crash "${old#* }" && { verdict=crashed; explain=" (now status ${new#* })"; }
	if is_crash "${new#* }" || is_late "${new#* }"; then
		verdict=differ explain=": status ${old#* }, now ${new#* }"
	fi
	[ "$verdict" = same ] || return
	if [ "$old" = "$new" ] && [ "$new" = "$before" ]; then
		verdict=same
		return
	fi
	verdict=differ
	if [ "${old#* }" != "${new#* }" ]; then
		explain=": status ${old#* }, now ${new#* }"
	elif [ "$new" != "$before" ]; then
		explain=": two runs of the new one print different texts"
	fi
}

first_lines() {
	cmp -s "$copy.old" "$copy.new" && return
	diff -a "$copy.old" "$copy.new" 2> /dev/null | head -n 200000 | grep -a '^[<>]' | head -n 6 |
		cut -c1-160 | sed 's/^/    /'
}

# All option sets of one command on one recording.
task() { # COMMAND SIZE ID FOLDER FILE EXTRA
	local command=$1 size=$2 id=$3 folder=$4 file=$5 extra=$6 options new verdict explain key sum
	local copy=$WORK/copy.$$ place=${folder##*/}/$file
	local cache=$SAME_CACHE/sums/$command.$id.${old_sum[$command]}
	declare -A kept=()

	[ "$extra" = - ] && extra=
	[ "$command$size" = pannbig ] && extra="$extra --max-symbols 30"
	cd "$folder" || exit 2
	if [ -e "$cache" ]; then
		while IFS=$'\t' read -r sum key; do kept[$key]=$sum; done < "$cache"
	fi
	while IFS= read -r options; do
		case $options in STDIN*) [ -d "$file" ] && continue ;; esac
		verdict=same explain=
		new=$(run "$NEW" "$command" "$options" "$file" "$extra")
		: "${kept[:$options]:=$(run "$OLD" "$command" "$options" "$file" "$extra")}"
		if [ "${kept[:$options]}" != "$new" ] || is_crash "${new#* }" || is_late "${new#* }"; then
			look_again "$command" "$options" "$file" "$extra" "$new"
		fi
		echo "$verdict" >> "$WORK/verdicts.$$"
		[ "$verdict" != same ] || continue
		{
			case $verdict in
			differ) echo "differs: $place: $command ${options//STDIN/< FILE} $extra$explain" && first_lines ;;
			crashed) echo "OLD crashes, not compared: $place: $command $options $extra$explain" ;;
			late) echo "OLD takes more than $SAME_SECONDS s, not compared: $place: $command $options $extra" ;;
			esac
		} >> "$WORK/report.$$"
	done < <(sets_of "$command" "$size")
	for key in "${!kept[@]}"; do printf '%s\t%s\n' "${kept[$key]}" "$key"; done > "$cache.$$"
	mv "$cache.$$" "$cache"
	rm -f "$copy.old" "$copy.new"
}

if [ "${1-}" = --task ]; then
	declare -A old_sum=()
	while read -r command sum; do old_sum[$command]=$sum; done < "$WORK/old-sums"
	while IFS=$'\t' read -r command size id folder file extra; do
		task "$command" "$size" "$id" "$folder" "$file" "$extra"
	done <<< "$2"
	exit 0
fi

if [ $# -lt 2 ] || [ ! -x "$1/pfold" ] || [ ! -x "$2/pfold" ]; then
	echo "usage: bench/same_output.sh OLD_BIN NEW_BIN [RECORDING...] (both folders hold the commands)" >&2
	exit 129
fi
command -v zstd > /dev/null || { echo "same_output: no zstd" >&2; exit 77; }
start=$SECONDS
OLD=$(cd "$1" && pwd) NEW=$(cd "$2" && pwd)
shift 2
WORK=$(mktemp -d) || exit 2
maps_put=()
# shellcheck disable=SC2317
clean_up() {
	rm -rf "$WORK"
	[ ${#maps_put[@]} -eq 0 ] || rm -f "${maps_put[@]}"
}
trap clean_up EXIT
trap 'echo "interrupted: what was compared so far:"; sum_up; exit 130' INT TERM
mkdir -p "$WORK/home" "$SAME_CACHE/sums" "$SAME_CACHE/recordings"
SAME_CACHE=$(cd "$SAME_CACHE" && pwd)
export OLD NEW WORK SAME_CACHE SAME_SECONDS TZ=UTC LC_ALL=C HOME=$WORK/home PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG
for command in $SAME_ONLY; do
	echo "$command $(sha256sum < "$OLD/$command" | cut -c1-16)"
done > "$WORK/old-sums"

count() { cat "$WORK"/verdicts.* 2> /dev/null | grep -c "^$1\$"; }

# Prints the differences and the last line; fails when something differs.
sum_up() {
	local differ

	set +f
	cat "$WORK"/report.* 2> /dev/null | sed "s|$SAME_CACHE/symfs|SYMFS|g"
	differ=$(count differ)
	echo "same $(count same) of $(count '.*'): $differ differ, in $(count crashed) the old one crashed," \
		"in $(count late) it took too long; $(wc -l < "$WORK/recordings") recordings," \
		"$((SECONDS - start)) s"
	[ "$differ" -eq 0 ]
}

set +f
# The programs of the public recordings, where the recordings say they lie.
symfs=$SAME_CACHE/symfs
put_program() { # FILE PATH
	mkdir -p "$symfs${2%/*}"
	[ -e "$symfs$2" ] || cp -p "$SHARED/data/elf/$1" "$symfs$2" 2> /dev/null
}
mkdir -p "$symfs"
vector=tests/auto/perfdata/vector_static_gcc/vector_static_gcc_v9.1.0
put_program libro_sample.so /usr/local/google/home/shenhan/copt2/libro_sample.so
put_program "${vector##*/}" "/home/dknysh/kdab-disasm-fraames/hotspot/3rdparty/perfparser/$vector"
put_program "${vector##*/}" "/home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser/$vector"
put_program t2 /data/t2
put_program elf /elf

# pscript looks for /tmp/perf-PID.map, whatever --symfs says.
for map in testdata/*/maps/perf-*.map; do
	[ -e "$map" ] || continue
	(set -C; cat "$map" > "/tmp/${map##*/}") 2> /dev/null && maps_put+=("/tmp/${map##*/}")
done

bytes_of() { if [ -d "$1" ]; then cat "$1"/data*; else cat "$1"; fi; }
add() { # FOLDER FILE EXTRA: a line "SIZE ID FOLDER FILE EXTRA"
	local folder=$1 file=$2 extra=$3 size=small id

	[ "$(cd "$folder" && bytes_of "$file" | wc -c)" -le 4194304 ] || size=big
	id=$(cd "$folder" && { bytes_of "$file"; stat -c %Y "$file"; echo "$folder $file $extra"; } |
		sha256sum | cut -c1-20)
	printf '%s\t%s\t%s\t%s\t%s\n' "$size" "$id" "$folder" "$file" "$extra" >> "$WORK/recordings"
}

for f in "$SHARED"/data/{perfdata,derived,fuzz,own}/*; do
	case $f in
	*.c | *.h | *.md | *.txt | *.tsv) continue ;;
	*.zst)
		unpacked=$SAME_CACHE/recordings/$(basename "$f" .zst)
		[ -e "$unpacked" ] || { zstd -q -d "$f" -o "$unpacked" && touch -r "$f" "$unpacked"; }
		f=$unpacked
		;;
	esac
	[ -f "$f" ] && add "${f%/*}" "${f##*/}" "--symfs $symfs"
done
for f in testdata/*/perf.data testdata/*.data testdata/fuzz/{fuzz_file,fuzz_pipe}/*; do
	[ -e "$f" ] || continue
	extra=-
	[ -e "${f%/*}/commands" ] && extra="--symfs ../symfs --kallsyms kallsyms"
	add "$PWD/${f%/*}" "${f##*/}" "$extra"
done
for f; do
	if [ -d "$f" ] && [ ! -e "$f/data" ]; then
		for g in "$f"/*.data; do [ -e "$g" ] && add "$(cd "$f" && pwd)" "${g##*/}" -; done
	elif [ -e "$f" ]; then
		add "$(cd "$(dirname "$f")" && pwd)" "${f##*/}" -
	else
		echo "same_output: $f: no such recording" >&2
		exit 2
	fi
done
set -f

# Long tasks first. pevlist knows no --symfs.
for command in $SAME_ONLY; do
	while IFS=$'\t' read -r size id folder file extra; do
		[ "$command" = pevlist ] && extra=-
		printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$command" "$size" "$id" "$folder" "$file" "$extra"
	done < "$WORK/recordings"
done | sort -s -t "$(printf '\t')" -k2,2 | tr '\n' '\0' | xargs -0 -P "$SAME_JOBS" -n 1 "$PWD/bench/same_output.sh" --task

sum_up
