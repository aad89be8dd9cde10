#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The user frames that perfparser's own tests expect of its recordings with stack copies, of a static program with debug information:
# pscript has every one of them, inlined ones too, with its address, name and source line. A name may be another one of the same
# address (aliases), and `_init`, which has no size, may have none: stock perf's choice.
#
#	tests/checks/expected_frames.sh
#
# Environment: BIN (default bin), SHARED (default ../shared).

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}" "${SHARED:=$PWD/../shared}"
data=$SHARED/data
elf=$data/elf/vector_static_gcc_v9.1.0

skip() {
	echo "1..0 # SKIP $1"
	exit 77
}
[ -e "$elf" ] || skip "no public recordings beside this checkout ($data)"
[ -x "$BIN/pscript" ] || skip "no pscript in $BIN"
command -v readelf > /dev/null || skip "no readelf"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export HOME=$work TZ=UTC LC_ALL=C
unset DEBUGINFOD_URLS

# "TIME ADDRESS LINE NAME" of each user frame, from perfparser's text
expected() {
	awk -F'\t' '
		/^[^\t]/ { time = $4; next }
		!/^\t[0-9a-f]+ [0-9a-f]+/ { next }
		!held { held = 1; split($2, b, " "); if (b[2] != "0") ip = b[1]; line = $0; next } # 0: inlined there
		{
			held = 0
			if (/\[kernel\]/) next
			where = "-"
			if (match(line, /[^\t ]+:[0-9]+:[0-9]+/)) {
				where = substr(line, RSTART, RLENGTH); sub(/:[0-9]+$/, "", where); sub(/.*\//, "", where)
			}
			name = $0; sub(/.*\t/, "", name); sub(/^[0-9a-f]+ [0-9a-f]+ */, "", name); sub(/ vector_static_gcc_v9.*/, "", name)
			print time, ip, where, name
		}'
}

ours() {
	awk '
		function out() { if (ip != "") print time, ip, where, name; ip = "" }
		/^[^ \t]/ { out(); time = $NF; sub(/:$/, "", time); next }
		/^\t/ { out(); ip = $1; name = $0; sub(/^\t *[0-9a-f]+ /, "", name); where = "-"; if (ip ~ /^ffff/) ip = ""; next }
		/^  / { where = $1; sub(/.*\//, "", where); if (where ~ /^\?\?|\[/) where = "-" }
		END { out() }'
}

# both lists, frame by frame of each sample; the expected name may be the end of ours with its class, or an alias
compare() { # EXPECTED OURS
	awk '
		FNR == NR && FILENAME ~ /aliases/ { alias[$2 " " $1] = 1; at[$2] = $1; next }
		FILENAME ~ /expected/ { t = $1; n[t]++; e[t, n[t]] = $0; total++; next }
		{ t = $1; m[t]++; o[t, m[t]] = $0 }
		function rest(s) { sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", s); return s }
		END {
			for (t in n) {
				for (i = 1; i <= n[t]; i++) {
					split(e[t, i], a, " "); split(o[t, i], b, " ")
					en = rest(e[t, i]); on = rest(o[t, i])
					same = a[2] == b[2] && (a[3] == b[3] || a[3] == "-") &&
						(en == on || index(on, en) || index(en, on) || (en in at && at[en] == at[on]) || en == "_init")
					if (same) good++; else printf "# want %s\n# got  %s\n", e[t, i], o[t, i]
				}
			}
			print good + 0, total + 0
		}' "$work/aliases" "$1" "$2"
}

readelf -sW "$elf" | awk '$4 == "FUNC" || $4 == "IFUNC" { print $2, $8 }' > "$work/aliases"
dir=$work/symfs/home/milian/projects/kdab/rnd/hotspot/3rdparty/perfparser/tests/auto/perfdata/vector_static_gcc
mkdir -p "$dir" && cp "$elf" "$dir/"
n=0 bad=0
for form in perf.data perf.data.zstd; do
	n=$((n + 1))
	want=285
	[ "$form" = perf.data.zstd ] && want=137
	expected < "$data/expected/vector_static_gcc.$form.expected.txt" > "$work/expected"
	timeout 60 "$BIN/pscript" --quality=none --no-join --symfs "$work/symfs" -F comm,time,ip,sym,srcline --ns \
		-i "$data/perfdata/perfparser__vector_static_gcc_$form" 2> /dev/null | ours > "$work/ours"
	compare "$work/expected" "$work/ours" > "$work/result"
	if [ "$(tail -n 1 "$work/result")" = "$want $want" ]; then
		echo "ok $n - $want user frames of vector_static_gcc $form"
	else
		bad=1
		echo "not ok $n - user frames of vector_static_gcc $form: $(tail -n 1 "$work/result") (as expected, in all), want $want"
		head -n 12 "$work/result"
	fi
done
echo "1..$n"
exit $bad
