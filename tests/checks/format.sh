#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Sources stand as clang-format leaves them. Operands choose files; without any it is all of them.
# Versions of clang-format differ in what they write, so another one than the house's is no judge.

cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
version=14
: "${JOBS:=$(nproc)}"

tool=
for t in clang-format-$version clang-format; do
	if command -v $t > /dev/null && $t --version | grep -q "version $version\."; then
		tool=$t
		break
	fi
done
if [ -z "$tool" ]; then
	echo "skipped: sources are formatted by clang-format $version, which is not installed"
	exit 77
fi

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else all_files; fi |
	xargs -P "$JOBS" -n 40 "$tool" --dry-run -Werror
