#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What building costs: how many files `make` compiles again when a header changes, and how long
# `make` takes from scratch.
#
#	bench/build_cost.sh HEADER...	the counts of these headers; the tree must be built
#	bench/build_cost.sh --top N	the N headers that most files depend on
#	bench/build_cost.sh --scratch [TREE...]
#					seconds from scratch, without ccache, of the commit of this
#					tree and of others, in turns; the fastest of BUILD_RUNS=3 counts
#
# Only what the commands are built of counts, not test programs. --top reads the dependencies that the
# last build noted.

set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C

compiled() { # MAKE-ARGS...: how many files make would compile
	make -n V= "$@" 2> /dev/null | grep -c '^  CC  ' || true
}

case ${1-} in
--top)
	find build/gcc -name '*.d' -not -path '*/tests/*' -not -path '*/bench/*' -not -path '*/fuzz/*' \
		-exec cat {} + |
		grep -o '^[a-z_/0-9]*\.h:' | tr -d : | sort | uniq -c | sort -k1,1nr -k2 | head -n "${2:-20}"
	;;
--scratch)
	shift
	trees=("$PWD" "$@")
	for ((turn = 0; turn < ${BUILD_RUNS:-3}; turn++)); do
		for tree in "${trees[@]}"; do
			out=$(mktemp -d)
			git -C "$tree" archive HEAD | tar -x -C "$out"
			times=$(cd "$out" && { export CCACHE_DISABLE=1; TIMEFORMAT='%R %U %S'
				time make -s -j"$(nproc)" > make.log 2>&1; } 2>&1)
			echo "$tree $times"
			rm -rf "$out"
		done
	done | awk '
		!($1 in real) || $2 < real[$1] { real[$1] = $2; cpu[$1] = $3 + $4 }
		END { for (t in real) printf "%s: %.1f s, %.1f s of processor time\n", t, real[t], cpu[t] }' | sort
	;;
'' | -*)
	echo "usage: bench/build_cost.sh HEADER... | --top N | --scratch [TREE...]" >&2
	exit 129
	;;
*)
	for header; do
		[ -e "$header" ] || { echo "build_cost: no $header" >&2; exit 2; }
		printf '%5d  %s\n' "$(($(compiled -W "$header" all) - $(compiled all)))" "$header"
	done
	;;
esac
