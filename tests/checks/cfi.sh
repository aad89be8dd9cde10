#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Rows of call frame information against those of binutils' readelf and of libdw: what unwind/cfi/cfi.h
# says of each function of an object is what they say.
#
#	tests/checks/cfi.sh			a few objects
#	tests/checks/cfi.sh --all [FOLDER...]	every ELF file below /usr/lib and /usr/bin
#
# What cfi_compare leaves out of the comparison is listed at its top, with the reasons.

set -u
cd "$(dirname "$0")/../.." || exit 2
: "${O:=build/gcc}" "${CC:=gcc}" "${JOBS:=2}"
tool=$O/tests/tools/cfi_compare
[ -x "$tool" ] || { echo "1..0 # SKIP $tool is not built"; exit 77; }
tool=$(realpath "$tool")
export LC_ALL=C tool

dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

# compare HOW OBJECT [DEBUGFILE]: prints what differs; status of cfi_compare
compare() {
	case $1 in
	readelf)
		timeout 600 readelf --debug-dump=frames-interp,no-follow-links "${3:-$2}" 2> /dev/null |
			timeout 600 "$tool" readelf "${@:2}"
		;;
	*) timeout 600 "$tool" "$@" ;;
	esac
}

compare_all() {
	local object how out
	for object; do
		for how in libdw readelf; do
			out=$(compare "$how" "$object" 2>&1)
			printf '%s\t%s\t%s\t%s\n' "$?" "$how" "$object" "${out##*$'\n'}"
		done
	done
}

if [ "${1:-}" = --all ]; then
	shift
	[ $# -gt 0 ] || set -- /usr/lib /usr/bin
	export -f compare compare_all
	find "$@" -xdev -type f -size +200c -print0 |
		while IFS= read -r -d '' f; do
			magic=
			read -r -N 4 magic < "$f"
			[ "$magic" = $'\x7fELF' ] && printf '%s\0' "$f"
		done 2> /dev/null |
		xargs -0 -P "$JOBS" -n 20 bash -c 'compare_all "$@"' _ > "$dir/results"
	awk -F '\t' '
		{
			how = $1 == 0 ? "equal" : $1 == 1 ? "different" : $1 == 77 ? "without rows" : "failed"
			n[$2 ": objects " how]++
			if ($1 == 77) { sub(/^.*: /, "", $4); why[$2 ": " $4]++ }
		}
		$1 == 0 { split($4, w, " "); fdes[$2] += w[1]; rows[$2] += w[3]; left[$2] += w[7] }
		$1 != 0 && $1 != 77 { print $3 ": " $2 ": " $4; bad = 1 }
		END {
			for (k in why) print k " (" why[k] ")"
			for (k in n) print k ": " n[k]
			for (k in rows) print k ": " fdes[k] " functions, " rows[k] " rows equal, " left[k] " functions left out"
			exit bad
		}' "$dir/results"
	exit
fi

cat > "$dir/frames.c" <<'END'
int out(int);
int leaf(int a) { return a + 1; }
int plain(int a) { return out(a) + 1; }
int many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	int s = 0;
	for (int i = 0; i < a; i++)
		s += out(b + i) * out(c) - out(d) * out(e) + out(f) * out(g) + out(h);
	return s;
}
int variable(int n) { char b[n]; return out((int)(long)b) + out(b[0]); }
int realigned(void) { _Alignas(64) char b[64]; return out((int)(long)b) + out(b[1]); }
int early(int a) { if (!a) return 1; return out(a) + out(a + 1); }
END

n=0
# result TEXT: by the status before
result() {
	local rc=$?
	n=$((n + 1))
	case $rc in
	0) echo "ok $n - $*" ;;
	77) echo "ok $n - $* # SKIP $(tail -n 1 "$dir/out")" ;;
	*)
		sed 's/^/# /' "$dir/out"
		echo "not ok $n - $*"
		;;
	esac
}

skip() {
	echo "$1" > "$dir/out"
	false || (exit 77)
	result "$2"
}

both() {
	local text=$1
	shift
	compare libdw "$@" > "$dir/out" 2>&1
	result "$text: libdw"
	if ! command -v readelf > /dev/null; then
		skip "no readelf" "$text: readelf"
		return
	fi
	compare readelf "$@" > "$dir/out" 2>&1
	result "$text: readelf"
}

for f in "$tool" /lib/x86_64-linux-gnu/libc.so.6 /usr/bin/ls; do
	[ -f "$f" ] && both "${f##*/}" "$f"
done

# Compilers here and for other machines; what cannot be built is left out.
build() {
	"$2" -O2 -fPIC -shared -nostdlib "${@:3}" -o "$dir/$1" "$dir/frames.c" > "$dir/out" 2>&1 &&
		[ -s "$dir/$1" ]
}

debug_only="-g -fno-asynchronous-unwind-tables -fno-unwind-tables"
while read -r name command; do
	# shellcheck disable=SC2086 # a command and its options
	if build "$name" $command; then
		both "$name" "$dir/$name"
	else
		skip "cannot be built here" "$name"
	fi
done << END
x86_64 gcc
x86_64_o0 gcc -O0 -fno-omit-frame-pointer
x86_64_debug_frame gcc $debug_only
x86_64_zlib gcc $debug_only -gz=zlib
x86_64_without_table gcc -Wl,--no-eh-frame-hdr
i386 gcc -m32
i386_clang clang --target=i386-linux-gnu -fuse-ld=lld
aarch64 clang --target=aarch64-linux-gnu -fuse-ld=lld
aarch64_pac clang --target=aarch64-linux-gnu -fuse-ld=lld -mbranch-protection=standard
arm clang --target=arm-linux-gnueabihf -fuse-ld=lld -g
powerpc clang --target=powerpc-linux-gnu -fuse-ld=lld
powerpc64 clang --target=powerpc64-linux-gnu -fuse-ld=lld
mips clang --target=mips-linux-gnu -fuse-ld=lld -g
END

# .debug_frame in a file of its own.
if build parted gcc -g -fno-asynchronous-unwind-tables -fno-unwind-tables &&
	objcopy --only-keep-debug "$dir/parted" "$dir/parted.debug" &&
	strip -g "$dir/parted"; then
	both "separate debug file" "$dir/parted" "$dir/parted.debug"
else
	skip "cannot be built here" "separate debug file"
fi
echo "1..$n"
