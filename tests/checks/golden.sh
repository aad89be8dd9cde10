#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares pscript with the expected texts of the golden cases, testdata/*/commands, byte for byte. What a case is: the head of
# testdata/gen.sh. Texts of stock perf 6.1 are compared with --format=perf-6.1. The line "# captured on" is left out: it tells
# when the file was written here.
#
#	tests/checks/golden.sh [--lines N] [CASE-GLOB]...
#
# UPDATE=1 rewrites the expectations that are our own (reference "ours"), never stock perf's; look at the difference then.
# Environment: BIN (default bin).

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
: "${BIN:=$PWD/bin}"
run_in_own_tmp "$@"
lines=8
[ "${1-}" = --lines ] && { lines=$2; shift 2; }
[ $# -gt 0 ] || set -- '*'
if [ ! -x "$BIN/pscript" ]; then
	echo "1..0 # SKIP no pscript in $BIN"
	exit 77
fi

work=$(mktemp -d) || exit 2
mkdir "$work/home"
maps_put=()
# shellcheck disable=SC2317
clean_up() {
	rm -rf "$work"
	[ ${#maps_put[@]} -eq 0 ] || rm -f "${maps_put[@]}"
}
trap clean_up EXIT
export TZ=UTC LC_ALL=C HOME=$work/home PAGER=cat
unset PERF_BUILDID_DIR DEBUGINFOD_URLS PERF_CONFIG

n=0 failed=0
ok() { n=$((n + 1)); echo "ok $n - $*"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $*"; }

# Stock perf looks for /tmp/perf-PID.map, whatever --symfs says. One that is there already belongs to somebody.
put_maps() {
	local m

	for m in maps/perf-*.map; do
		[ -e "$m" ] || continue
		if ! (set -C; cat "$m" >"/tmp/${m##*/}") 2>/dev/null; then
			cmp -s "$m" "/tmp/${m##*/}" || return 1
			continue
		fi
		maps_put+=("/tmp/${m##*/}")
	done
}

one_text() { # CASE NAME REF OPTIONS
	local case=$1 name=$2 ref=$3 opts=$4 stdin=/dev/null want rc extra=()

	case $opts in *STDIN*) stdin=perf.data; opts=${opts/-i perf.data STDIN/-i -} ;; esac
	want=expected.$name.perf$ref.txt
	[ "$ref" = ours ] && want=expected.$name.ours.txt
	[ "$ref" = 6.1 ] && extra=(--format=perf-6.1)
	# shellcheck disable=SC2086
	timeout -k 5 60 "$BIN/pscript" ${extra[@]+"${extra[@]}"} $opts >"$work/out" 2>"$work/err" <$stdin
	rc=$?
	sed '/^# captured on/d' "$work/out" >"$work/got"
	if [ "$ref" = ours ] && [ -n "${UPDATE-}" ]; then
		cp "$work/got" "$want"
	fi
	if [ ! -e "$want" ]; then
		not_ok "$case $name ($ref): $want is missing"
	elif ! cmp -s "$want" "$work/got"; then
		not_ok "$case $name ($ref): $(diff "$want" "$work/got" | grep -c '^[<>]') lines of $(wc -l <"$want") differ; pscript $opts"
		diff "$want" "$work/got" | grep '^[<>]' | head -n "$lines" | cut -c1-180 | sed 's/^/#   /'
		[ -s "$work/err" ] && head -n 2 "$work/err" | sed 's/^/#   stderr: /'
	elif [ $rc -ne 0 ] && { [ "$ref" != ours ] || [ $rc -ge 124 ]; }; then
		not_ok "$case $name ($ref): exit status $rc: $(head -n 1 "$work/err")"
	# that a filter matches nothing is said on purpose
	elif [ ! -e stderr ] && grep -qv ': no sample has this ' "$work/err"; then
		not_ok "$case $name ($ref): unexpected on standard error: $(head -n 1 "$work/err")"
	elif [ -e stderr ] && ! grep -qxE -f stderr "$work/err"; then
		not_ok "$case $name ($ref): standard error does not say $(cat stderr): $(head -n 1 "$work/err")"
	elif grep -q 'Sanitizer' "$work/err"; then
		not_ok "$case $name ($ref): $(grep -m1 Sanitizer "$work/err")"
	else
		ok "$case $name ($ref)"
	fi
}

one_case() { # CASE
	local name ref opts

	if ! put_maps; then
		ok "$1 # SKIP another /tmp/perf-PID.map is in the way"
		return
	fi
	while IFS=$'\t' read -r name ref opts; do
		one_text "$1" "$name" "$ref" "$opts"
	done <commands
	[ ${#maps_put[@]} -eq 0 ] || rm -f "${maps_put[@]}"
	maps_put=()
}

top=$PWD
for commands in testdata/*/commands; do
	case=${commands%/commands}
	case=${case##*/}
	for glob; do
		# shellcheck disable=SC2053
		[[ $case == $glob ]] || continue
		cd "$top/testdata/$case" || exit 2
		one_case "$case"
		cd "$top" || exit 2
		break
	done
done
echo "1..$n"
exit $failed
