#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What prep and pscript print of the recordings of tests/tools/odd_recording.c, against stock perf,
# byte for byte: perf 7.2 (PERF72, else perf-sid on PATH), and pscript --format=perf-6.1 against
# perf 6.1 (PERF61, else perf). A tip at the end of perf report is left out: perf chooses it by chance.
#
#	tests/checks/odd_recordings.sh [NAME]...
#	V=N ...		the first N lines of each difference (8)

cd "$(dirname "$0")/../.." || exit 2
. tests/frame/without_tip.sh
: "${O:=build/gcc}" "${BIN:=$PWD/bin}"
export LC_ALL=C TZ=UTC PAGER=cat
PERF72=${PERF72:-$(command -v perf-sid)}
PERF61=${PERF61:-$(command -v perf)}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
make=$O/tests/tools/odd_recording

skip() { echo "1..0 # SKIP $1"; exit 77; }
[ -x "$BIN/prep" ] && [ -x "$make" ] || skip "prep or odd_recording is not built"
[ -n "$PERF72" ] || skip "no stock perf 7.x here (PERF72)"
"$PERF61" --version 2> /dev/null | grep -q ' 6\.1\.' || PERF61=
export HOME=$work PERF_CONFIG=/dev/null
mkdir "$work/none"

# recording	command	options; "script" is compared with perf 6.1 as well, "script72" is not: perf 6.1
# calls an event of a stream without ids "cpu-clock:HG"
rows() {
	cat <<- 'ROWS'
		late-comm*	report
		late-comm*	report	-s comm
		late-comm*	report	-s comm_nodigit,pid
		late-comm*	report	--hierarchy -s comm,sym
		late-comm*	report	--comms late
		late-comm*	script
		kernel-*	report
		kernel-*	report	-v -s dso
		kernel-*	report	--dsos [kernel.vmlinux]
		kernel-*	report	--dsos /boot/vmlinux-3.19
		kernel-*	report	--dsos /lib/modules/3.19.0/kernel/odd-module.ko
		kernel-*	script
		kernel-*	script	--show-kernel-path
		kernel-*	script	-D
		branches-*	report
		branches-*	report	-b
		branches-*	report	--no-branch-stack
		branches-any	report	--comms none,nobody --percentage relative
		branches-any	report	--comms one,nobody --percentage relative
		branches-any	report	--comms none,nobody
		pipe-*	report	-g
		pipe-*	report	-g caller
		pipe-*	report	-b
		pipe-*	report	-p x
		pipe-*	report	--mem-mode
		pipe-*	report	-U
		pipe-of-attr-size-0	script72
		pipe-of-attr-size-0	script72	-D
		late-comm	report	--mem-mode
		late-comm	report	-g
		late-comm	report	-s parent
		late-comm	report	-s srcline
		late-comm	report	-s srcfile,comm
		late-comm	report	-s comm,srcline
		late-comm	report	-U
		late-comm	report	--time 5000,
		late-comm	report	--switch-on nothing
		late-comm	report	--socket-filter 1
		late-comm	report	--latency
		switches@(|-of-one-percent|-of-more)	report
		switches@(|-of-one-percent|-of-more)	report	--no-children
		switches@(|-of-one-percent|-of-more)	report	--latency
		switches@(|-of-one-percent|-of-more)	report	--latency --no-children
		switches@(|-of-one-percent|-of-more)	report	--no-children -s parallelism
		switches@(|-of-one-percent|-of-more)	report	--no-children -s parallelism,sym
		switches@(|-of-one-percent|-of-more)	report	--no-children -s sym,latency
		switches@(|-of-one-percent|-of-more)	report	-s latency,sym
		switches@(|-of-one-percent|-of-more)	report	-s latency_children,sym
		switches@(|-of-one-percent|-of-more)	report	-s overhead,sym --latency
		switches@(|-of-one-percent|-of-more)	report	-s sym,overhead_children --latency
		switches@(|-of-one-percent|-of-more)	report	-F +sample
		switches@(|-of-one-percent|-of-more)	report	-F overhead,latency,sym
		switches@(|-of-one-percent|-of-more)	report	-F latency_children,sym --no-children
		switches@(|-of-one-percent|-of-more)	report	--no-children --parallelism 2
		switches@(|-of-one-percent|-of-more)	report	--parallelism 1,3 --percentage relative --latency
		switches@(|-of-one-percent|-of-more)	report	--comms two --parallelism 3
		switches@(|-of-one-percent|-of-more)	report	--no-children --hierarchy --latency
		switches@(|-of-one-percent|-of-more)	report	--no-children --hierarchy -s pid,parallelism,sym
		switches@(|-of-one-percent|-of-more)	report	-n --show-total-period --show-cpu-utilization -s sym
		switches@(|-of-one-percent|-of-more)	report	-g caller --latency
		switches@(|-of-one-percent|-of-more)	report	--latency -q -t ,
		switches@(|-of-one-percent|-of-more)	report	--no-children --hierarchy --latency -n -t ;
		late-comm*	report	--hierarchy -s comm,sym -w 5,300,250
	ROWS
}

n=0 failed=0
compare() { # TEXT PERF OUR-COMMAND OPTIONS...: on $file
	local text=$1 perf=$2 ours=$3
	shift 3
	n=$((n + 1))
	"$perf" "$@" --symfs "$work/none" -i "$file" 2> /dev/null < /dev/null | without_tip > "$work/want"
	shift
	# shellcheck disable=SC2086
	"$BIN/"$ours "$@" --symfs "$work/none" -i "$file" 2> /dev/null < /dev/null > "$work/got"
	if cmp -s "$work/want" "$work/got"; then
		echo "ok $n - $text"
		return
	fi
	failed=1
	echo "not ok $n - $text"
	diff "$work/want" "$work/got" | head -n "${V:-8}" | sed 's/^/# /'
}

for name in $("$make" --list); do
	[ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
	file=$work/$name
	"$make" "$name" > "$file"
	while IFS=$'\t' read -r glob command options; do
		# shellcheck disable=SC2053
		[[ $name == $glob ]] || continue
		# shellcheck disable=SC2086
		if [ "$command" = report ]; then
			compare "$name: prep $options" "$PERF72" prep report --stdio $options
			continue
		fi
		# shellcheck disable=SC2086
		compare "$name: pscript $options" "$PERF72" pscript script $options
		# shellcheck disable=SC2086
		[ -z "$PERF61" ] || [ "$command" = script72 ] || compare "$name: pscript $options, as perf 6.1" "$PERF61" \
			"pscript --format=perf-6.1" script $options
	done < <(rows)
done
echo "1..$n"
exit $failed
