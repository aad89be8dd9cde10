#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Many more mutants than `make check` has time for: runs a test of mutants again and again, each time
# from where the last run stopped, until N mutants of all files were used.
#
#	make SAN=address,undefined build/gcc-san-address+undefined/tests/record/convert/t_convert_mutants
#	bench/many_mutants.sh build/gcc-san-address+undefined/tests/record/convert/t_convert_mutants [N]
#
# N: 100000. What failed is kept in MUTANTS_KEEP (a new folder). Status 1 when one was not survived.

set -u
program=$1 wanted=${2:-100000}
: "${MUTANTS_KEEP:=$(mktemp -d /tmp/mutants.XXXXXX)}"
export MUTANTS_KEEP MUTANTS_SECONDS=40
from=${MUTANTS_FROM:-0} done=0 failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
while [ "$done" -lt "$wanted" ]; do
	MUTANTS_FROM=$from "$program" mutants > "$out" 2>&1 || { failed=1; cat "$out"; }
	got=$(awk '$3 == "mutants" && $4 == "of" { print $2 }' "$out")
	from=$(awk '$3 == "mutants" && $4 == "of" { sub(/.*to k = /, ""); print $0 + 0 }' "$out")
	[ "${got:-0}" -gt 0 ] || { cat "$out"; echo "no mutants were made"; exit 2; }
	done=$((done + got))
done
grep '^#' "$out" | tail -n 1
echo "${program##*/}: $done mutants, to k = $from: $([ $failed = 0 ] && echo "no report" || echo "FAILED, see $MUTANTS_KEEP")"
exit $failed
