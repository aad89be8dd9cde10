#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf's own shell tests with our commands behind the name perf: those that the installed perf 7.2
# brings with it, as they are. What only perf has (stat, test, scripts) is left to it. Part of `make
# check-live`, because they record, some of them the whole machine. Operands choose tests; CASES=1
# prints what each of their cases said. The case "help message" looks for sentences of perf's man page
# and is left out.

cd "$(dirname "$0")/../.." || exit 2
: "${BIN:=$PWD/bin}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
stock=$(command -v perf-sid || command -v perf)
# perf-sid may be a wrapper that starts perf out of another root file system
root=$(sed -n 's|^exec "\(.*\)/lib64/ld-linux.*|\1|p' "${stock:-/dev/null}" 2> /dev/null)
tests=$root/usr/lib/perf-core/tests/shell

skip() { echo "1..0 # SKIP $*"; exit 0; }
[ -n "$stock" ] || skip "no perf is installed"
[ -d "$tests/base_report" ] || skip "the installed perf has no test base_report"
[ "$(id -u)" = 0 ] || skip "not root: the tests record the whole machine"

cp -r "$tests" "$work/shell" || exit 2
mkdir "$work/bin"
cat > "$work/bin/perf" << END
#!/bin/bash
case \$1 in
record) shift; exec "$BIN/prec" "\$@" ;;
# of messages on standard error, the tests accept perf's words for warnings only
report) shift; exec "$BIN/prep" --quality=none "\$@" 2> >(sed 's/^prep: warning:/Warning: prep:/' >&2) ;;
annotate) shift; exec "$BIN/pann" "\$@" ;;
evlist) shift; exec "$BIN/pevlist" "\$@" ;;
diff) shift; exec "$BIN/prep" --diff "\$@" ;;
script)
	case " \$* " in *" -s "* | *" --script"* | *dlfilter*) exec "$stock" "\$@" ;; esac
	shift; exec "$BIN/pscript" "\$@" ;;
*) exec "$stock" "\$@" ;;
esac
END
chmod +x "$work/bin/perf"
export PATH=$work/bin:$PATH CMD_PERF=$work/bin/perf PARAM_GENERAL_HELP_TEXT_CHECK=n

[ $# -gt 0 ] || set -- perftool-testsuite_report stat diff evlist header kallsyms \
	perf-report-hierarchy record_sideband record+zstd_comp_decomp buildid
n=0 bad=0
for t in "$@"; do
	n=$((n + 1))
	if [ ! -x "$work/shell/$t.sh" ]; then
		echo "ok $n - $t # SKIP the installed perf has no such test"
		continue
	fi
	(cd "$work/shell" && timeout 120 "./$t.sh") > "$work/out" 2>&1 < /dev/null
	status=$?
	[ -z "${CASES-}" ] || sed -n -e 's/^-- \(\[ .* \]\) -- /# \1 /p' \
		-e '/\[Success\|\[Skipped\|\[Failed\|[Ss]kipping/s/^/# /p' "$work/out"
	case $status in
	0) echo "ok $n - $t" ;;
	2) echo "ok $n - $t # SKIP it skips itself here" ;;
	*)
		echo "not ok $n - $t"
		grep -i -B2 fail "$work/out" | tail -n 20 | sed 's/^/# /'
		bad=1 ;;
	esac
done
echo "1..$n"
exit $bad
