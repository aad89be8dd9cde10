#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Which field is it that differs? Prints one recording field by field with pscript and with stock perf 7.2 and names the fields
# whose text differs, with the first differing lines. A developer's tool, not part of `make check`.
#
#	tests/checks/compare_fields.sh [--lines N] FILE [SCRIPT-OPTION]...
#
# Environment: BIN (default bin), PERF72 (default perf-sid on PATH).

set -u
: "${BIN:=$(cd "$(dirname "$0")/../.." && pwd)/bin}"
lines=4
[ "${1-}" = --lines ] && { lines=$2; shift 2; }
[ $# -gt 0 ] || { sed -n '/^#\t/s/^#\t//p' "$0" >&2; exit 129; }
file=$1
shift
if [ -z "${PERF72-}" ]; then
	PERF72=$(command -v perf-sid) || PERF72=perf-sid
fi
[ -x "$PERF72" ] || { echo "# skipped: no newer stock perf (PERF72)"; exit 77; }
[ -x "$BIN/pscript" ] || { echo "# skipped: no pscript in $BIN"; exit 77; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C PAGER=cat
unset DEBUGINFOD_URLS

# One field each, then those that only mean something together, then all defaults less one.
fields='comm tid pid comm,tid pid,tid time cpu event period trace ip ip,sym ip,sym,symoff ip,dso ip,sym,dso ip,sym,dso,dsoff sym
addr addr,sym data_src weight phys_addr data_page_size code_page_size ins_lat cgroup misc tod uregs iregs brstack brstacksym
bpf-output callindent flags machine_pid -comm -tid -cpu -time -event -period -ip -sym -symoff -dso -trace +pid +misc +addr +dsoff'

differ=0
for f in $fields; do
	for side in want got; do
		case $side in want) cmd=("$PERF72" script) ;; got) cmd=("$BIN/pscript") ;; esac
		timeout 120 "${cmd[@]}" --no-inline -i "$file" -F "$f" "$@" \
			>"$work/$side" 2>"$work/$side.err" </dev/null
		echo $? >"$work/$side.rc"
	done
	want_rc=$(cat "$work/want.rc") got_rc=$(cat "$work/got.rc")
	if cmp -s "$work/want" "$work/got" && [ $((want_rc != 0)) = $((got_rc != 0)) ]; then
		[ "$want_rc" = 0 ] && echo "same   $f" || echo "same   $f (refused)"
		continue
	fi
	differ=1
	echo "DIFFER $f: status $got_rc, stock perf's $want_rc; $(diff "$work/want" "$work/got" | grep -c '^[<>]') lines"
	diff "$work/want" "$work/got" | grep '^[<>]' | head -n "$lines" | cut -c1-200 | sed 's/^/	/'
	[ "$want_rc" = "$got_rc" ] || sed 's/^/	want: /' "$work/want.err" | tail -n 1
	[ "$want_rc" = "$got_rc" ] || sed 's/^/	got: /' "$work/got.err" | tail -n 1
done
exit $differ
