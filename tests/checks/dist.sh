#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `make dist` and the commit that --version prints: the archive holds the committed files and the
# file `commit`; an unpacked archive takes its commit from that file, never from a checkout around
# it, and says "unknown" without it. With --all: the archive builds without git, and its commands
# print its commit.

cd "$(dirname "$0")/../.." || exit 2
: "${CC:=gcc}"
unset MAKEFLAGS MFLAGS
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n=0 bad=0
tell() { # text fault
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		bad=1
		echo "not ok $n - $1"
		sed 's/^/# /' <<< "$2"
	fi
}

if [ ! -e .git ] || ! git rev-parse -q --verify HEAD > /dev/null; then
	echo "ok 1 - make dist # SKIP no git checkout"
	echo 1..1
	exit 0
fi

want=$(git rev-parse HEAD) want=${want:0:12}
said=$(make -s print-commit)
tell "a checkout has git's commit" "$([ "${said%-modified}" = "$want" ] || echo "$said, want $want")"

made=$(make -s BUILD="$work/build" dist 2> "$work/log") || made=
tell "make dist names the archive" "$([ -s "$made" ] || cat "$work/log")"
# below a checkout of another project, whose commit is not to be taken
git -c init.defaultBranch=main init -q "$work/other"
tar -xzf "$made" -C "$work/other"
tree=$(echo "$work"/other/*-*/)
tell "the archive holds the committed files and the commit" "$(diff \
	<(cd "$tree" && find . -type f -o -type l | cut -c3- | sort) \
	<({ git ls-tree -r --name-only HEAD; echo commit; } | sort))"
tell "its file \`commit\`" "$([ "$(cat "$tree/commit")" = "$want" ] || cat "$tree/commit")"
said=$(make -s -C "$tree" --no-print-directory print-commit)
tell "its build takes the commit from the file" "$([ "$said" = "$want" ] || echo "$said, want $want")"

cp "$made" "$work/first.tar.gz"
make -s BUILD="$work/build" dist > "$work/log" 2>&1
tell "two archives of a commit are equal" "$(cmp "$made" "$work/first.tar.gz" 2>&1)"

if [ "${1-}" = --all ]; then
	mkdir "$work/path"
	printf '#!/bin/sh\nexit 127\n' > "$work/path/git"
	chmod +x "$work/path/git"
	why=$(PATH=$work/path:$PATH make -s -C "$tree" -j"$(nproc)" CC="$CC" all > "$work/log" 2>&1 ||
		tail -n 20 "$work/log")
	tell "the archive builds without git" "$why"
	said=$("$tree/bin/prep" --version)
	tell "its commands print its commit" "$([[ $said == *"(commit $want)" ]] || echo "$said")"
fi

rm "$tree/commit"
said=$(make -s -C "$tree" --no-print-directory print-commit)
tell "without the file the commit is unknown" "$([ "$said" = unknown ] || echo "$said")"

echo "1..$n"
exit $bad
