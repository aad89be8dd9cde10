#!/bin/bash
# SPDX-License-Identifier: MIT
#
# One small C++ program with its debug information in each form that there is: the same functions in
# all, the same inlined functions and source lines in all that carry them. The program is built once
# per compiler and kind of executable, with a build-id given by hand, so that what differs is its
# debug information alone and one recording serves all forms: each is laid out below a --symfs
# folder of its own. Needs permission to record, and for some forms dwz, llvm-dwp or clang.

set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-$PWD/bin}
PSCRIPT=${PSCRIPT:-$BIN/pscript}
unset DEBUGINFOD_URLS

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}
[ -x "$PSCRIPT" ] || skip_all "no pscript in $BIN"
for tool in g++ objcopy strip readelf xz; do
	command -v $tool > /dev/null || skip_all "no $tool"
done

D=$(mktemp -d /tmp/debug_forms.XXXXXX) || exit 2
trap 'rm -rf "$D"' EXIT
mkdir "$D/run" "$D/src" || exit 2

cat > "$D/src/one.cc" << 'EOF'
#include "box.h"
static volatile unsigned long sink;
int from_other_unit(int rounds);
namespace shapes {
template <typename T> __attribute__((noinline)) T Circle<T>::area(T radius)
{
	T sum = 0;
	for (int i = 0; i < 40; i++)
		sum += mixed(radius + i) ^ turned(sum, i);
	return sum;
}
}
__attribute__((noinline)) unsigned long round_about(int n)
{
	shapes::Circle<unsigned long> c;
	return c.area(n) + from_other_unit(n);
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 400000 * argc; i++)
		sink += round_about(i);
	return argv == nullptr;
}
EOF
cat > "$D/src/two.cc" << 'EOF'
#include "box.h"
int __attribute__((noinline)) from_other_unit(int rounds)
{
	unsigned long sum = 1;
	for (int i = 0; i < 30; i++)
		sum += mixed(rounds + i) ^ turned(sum, i);
	return (int)sum;
}
EOF
cat > "$D/src/box.h" << 'EOF'
namespace shapes {
template <typename T> struct Circle {
	T area(T radius);
};
}
static inline __attribute__((always_inline)) unsigned long half(unsigned long v)
{
	return v * 0x9e3779b97f4a7c15ul >>
	       3;
}
static inline __attribute__((always_inline)) unsigned long mixed(unsigned long v)
{
	v ^= half(v);
	return v % 1000003;
}
static inline __attribute__((always_inline)) unsigned long turned(unsigned long v, int by)
{
	return v << (by & 31) | half(v + by);
}
EOF

ID=5eed0123456789abcdef0123456789abcdef0123
n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | head -n 20 | sed 's/^/# /'
		failed=1
	fi
}
skipped() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# build COMPILER OUTPUT FLAG...: in the folder of the output
build() {
	local cxx=$1 out=$2
	shift 2
	(cd "${out%/*}" &&
		$cxx -O2 -fno-omit-frame-pointer -Wl,--build-id=0x$ID "$@" -c ../src/one.cc -o one.o &&
		$cxx -O2 -fno-omit-frame-pointer -Wl,--build-id=0x$ID "$@" -c ../src/two.cc -o two.o &&
		$cxx -O2 -Wl,--build-id=0x$ID "$@" one.o two.o -o "$out") > "$D/build.log" 2>&1
}

record() { # PROGRAM FILE
	for recorder in "$BIN/prec" perf; do
		command -v "$recorder" > /dev/null || continue
		timeout 30 "$recorder" ${recorder:+$([ "$recorder" = perf ] && echo record)} -q \
			-e cpu-clock -F 9999 -g -o "$2" -- "$1" > "$D/record.log" 2>&1 && return
	done
	return 1
}

# What is shown of the program's own frames, each distinct place once.
functions() { # RECORDING SYMFS
	timeout 60 "$PSCRIPT" -i "$1" --symfs "$2" --no-inline -F ip,sym,symoff,dso 2> /dev/null |
		grep "/prog)" | sort -u
}
# Each place with its line, and what was inlined there.
lines() {
	timeout 60 "$PSCRIPT" -i "$1" --symfs "$2" -F ip,sym,srcline,dso 2> /dev/null |
		awk '/^\t/ { place = $0; next } place { print place $0; place = "" }' | sort -u
}

# new_form NAME: $F is a --symfs folder, $P the program's place in it
new_form() {
	F=$D/forms/$1
	P=$F$prog
	mkdir -p "${P%/*}"
}

# form_is NAME RECORDING WHAT: WHAT is all, or functions
form_is() {
	local text="$family: $1" diff

	diff=$(diff "$D/$family.functions" <(functions "$2" "$F"))
	[ "$3" = functions ] ||
		diff+=$(diff "$D/$family.lines" <(lines "$2" "$F"))
	result "$text" "$diff"
}

id_path=usr/lib/debug/.build-id/${ID:0:2}/${ID:2}.debug

# The forms that tools make of a finished file. $1 has its debug information in it.
forms_of_file() {
	local full=$1 rec=$2 kind

	new_form in-the-file
	cp "$full" "$P"
	form_is "in the file" "$rec" all
	for kind in zlib zlib-gnu zstd; do
		new_form $kind
		if objcopy --compress-debug-sections=$kind "$full" "$P" 2> "$D/log"; then
			form_is "sections compressed by $kind" "$rec" all
		else
			skipped "$family: sections compressed by $kind" "objcopy cannot"
		fi
	done
	objcopy --only-keep-debug "$full" "$D/debug" && strip -o "$D/stripped" "$full" || return
	other_build "$rec"
	dwz_forms "$full" "$rec"
	new_form build-id-folder
	cp "$D/stripped" "$P"
	mkdir -p "$F/${id_path%/*}" && cp "$D/debug" "$F/$id_path"
	form_is "build-id folder" "$rec" all
	[ $few = 0 ] || return
	new_form build-id-folder-zstd
	cp "$D/stripped" "$P"
	mkdir -p "$F/${id_path%/*}"
	objcopy --compress-debug-sections=zstd "$D/debug" "$F/$id_path" 2> /dev/null &&
		form_is "build-id folder, compressed by zstd" "$rec" all
	new_form beside-path
	cp "$D/stripped" "$P"
	mkdir -p "$F/usr/lib/debug${prog%/*}" && cp "$D/debug" "$F/usr/lib/debug$prog.debug"
	form_is "/usr/lib/debug and the path" "$rec" all
	new_form build-id-cache
	mkdir -p "$F/.debug/.build-id/${ID:0:2}/${ID:2}"
	cp "$full" "$F/.debug/.build-id/${ID:0:2}/${ID:2}/elf"
	form_is "build-id cache alone" "$rec" all
	(cd "$D" && cp debug prog.debug && objcopy --add-gnu-debuglink=prog.debug stripped linked)
	new_form link-same-folder
	cp "$D/linked" "$P" && cp "$D/debug" "${P%/*}/prog.debug"
	form_is "debuglink, same folder" "$rec" all
	new_form link-debug-folder
	cp "$D/linked" "$P" && mkdir "${P%/*}/.debug" && cp "$D/debug" "${P%/*}/.debug/prog.debug"
	form_is "debuglink, .debug" "$rec" all
	new_form link-global
	cp "$D/linked" "$P" && mkdir -p "$F/usr/lib/debug${prog%/*}" &&
		cp "$D/debug" "$F/usr/lib/debug${prog%/*}/prog.debug"
	form_is "debuglink, /usr/lib/debug" "$rec" all
	new_form debugdata
	strip -g -o "$D/mini" "$D/debug" && xz -k -f "$D/mini" &&
		objcopy --add-section .gnu_debugdata="$D/mini.xz" "$D/stripped" "$P"
	form_is ".gnu_debugdata" "$rec" functions
	new_form symbols-only
	strip -g -o "$P" "$full"
	form_is "symbols alone" "$rec" functions
}

# A file of another build is never used, in whatever place it lies.
other_build() {
	local rec=$1 got

	new_form other-build
	cp "$D/stripped" "$P"
	mkdir -p "$F/${id_path%/*}" "$F/usr/lib/debug${prog%/*}"
	printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0AAAAAAAAAAAAAAAAAAAA' > "$D/note"
	objcopy --update-section .note.gnu.build-id="$D/note" "$D/debug" "$D/other" \
		2> /dev/null
	cp "$D/other" "$F/$id_path" && cp "$D/other" "$F/usr/lib/debug$prog.debug"
	got=$(functions "$rec" "$F" | grep -E 'area|round_about|from_other')
	result "$family: files of another build are not used" "$got"
	got=$("$PSCRIPT" -i "$rec" --symfs "$F" --why prog 2>&1)
	result "$family: --why says so" "$(
		[ "$(grep -c 'its build-id differs (build-id 4141' <<< "$got")" = 2 ] || echo "$got")"
}

dwz_forms() {
	local full=$1 rec=$2

	if ! command -v dwz > /dev/null; then
		skipped "$family: dwz" "no dwz"
		return
	fi
	new_form dwz
	if ! dwz -o "$P" "$full" 2> "$D/log" || grep -q Unknown "$D/log"; then
		skipped "$family: dwz" "dwz knows not all of this DWARF"
		return
	fi
	form_is "dwz" "$rec" all
	new_form dwz-alternate
	cp "$full" "$P" && cp "$full" "$D/second"
	# the link is absolute, as distributions have it: below --symfs it is the same path
	dwz -m "$F/common" -M "/usr/lib/debug/.dwz/common" "$P" "$D/second" 2> "$D/log" &&
		mkdir -p "$F/usr/lib/debug/.dwz" && mv "$F/common" "$F/usr/lib/debug/.dwz/"
	if [ -f "$F/usr/lib/debug/.dwz/common" ]; then
		form_is "dwz with an alternate file" "$rec" all
		if objcopy --compress-debug-sections=zstd "$F/usr/lib/debug/.dwz/common"; then
			form_is "dwz with an alternate file, compressed" "$rec" all
		fi
	else
		skipped "$family: dwz with an alternate file" "dwz moves nothing"
	fi
}

# What -gsplit-dwarf leaves: FULL must have been linked from one.o and two.o in its folder.
split_forms() { # NAME FULL RECORDING
	local dir=${2%/*} dwp

	new_form "$1-dwo"
	cp "$2" "$P" && cp "$dir"/*.dwo "${P%/*}"
	form_is "$1: .dwo moved with the program" "$3" all
	new_form "$1-dwo-path"
	cp "$2" "$P" && mkdir -p "$F$dir" && cp "$dir"/*.dwo "$F$dir"
	form_is "$1: .dwo where they were made" "$3" all
	new_form "$1-dwo-zstd"
	cp "$2" "$P" && cp "$dir"/*.dwo "${P%/*}"
	for f in "${P%/*}"/*.dwo; do
		objcopy --compress-debug-sections=zstd "$f" 2> /dev/null
	done
	form_is "$1: .dwo compressed by zstd" "$3" all
	for dwp in llvm-dwp dwp; do
		# that of binutils knows DWARF 4 alone, and never comes to an end with 5
		case $dwp$1 in dwp*5) continue ;; esac
		new_form "$1-$dwp"
		if command -v $dwp > /dev/null &&
			(cd "$dir" && timeout 2 $dwp -e "$2" -o "$P.dwp") > "$D/log" 2>&1 && [ -s "$P.dwp" ]; then
			cp "$2" "$P"
			form_is "$1: .dwp of $dwp" "$3" all
		else
			skipped "$family: $1: .dwp of $dwp" "it fails, or does not end"
		fi
	done
	new_form "$1-stripped-dwp"
	if [ -s "$D/forms/$1-llvm-dwp$prog.dwp" ]; then
		strip -o "$P" "$2" && mkdir -p "$F/${id_path%/*}" &&
			objcopy --only-keep-debug "$2" "$F/$id_path" &&
			cp "$D/forms/$1-llvm-dwp$prog.dwp" "$P.dwp"
		form_is "$1: build-id folder and .dwp" "$3" all
	fi
}

same_code() { # A B
	cmp -s <(objcopy -O binary -j .text "$1" /dev/stdout) \
		<(objcopy -O binary -j .text "$2" /dev/stdout)
}

# family NAME COMPILER FLAG...
family() {
	local cxx=$2 v dir full=$D/$1.build/prog
	family=$1
	shift 2
	mkdir "$D/$family.build"
	rm -rf "$D/forms"
	if ! build "$cxx" "$full" -g "$@"; then
		skipped "$family" "$(head -n 1 "$D/build.log")"
		return
	fi
	prog=$D/run/prog
	cp "$full" "$prog"
	if ! record "$prog" "$D/$family.data"; then
		[ $n -gt 0 ] || skip_all "cannot record: $(head -n 1 "$D/record.log")"
		skipped "$family" "cannot record"
		return
	fi
	rm "$prog"
	new_form reference
	cp "$full" "$P"
	functions "$D/$family.data" "$F" > "$D/$family.functions"
	lines "$D/$family.data" "$F" > "$D/$family.lines"
	result "$family: the program's own functions and lines are there" "$(
		for f in area round_about from_other_unit main; do
			grep -q "$f" "$D/$family.functions" || echo "no $f"
		done
		for f in half mixed turned; do
			grep -q " $f\((.*)\)*  box\.h:.* (inlined)" "$D/$family.lines" || echo "no $f inlined"
		done)"
	forms_of_file "$full" "$D/$family.data"
	[ $few = 0 ] || return
	for v in 4 5; do
		dir=$D/$family.dwarf$v
		mkdir "$dir"
		if build "$cxx" "$dir/prog" -g "$@" -gdwarf-$v && same_code "$full" "$dir/prog"; then
			new_form dwarf$v
			cp "$dir/prog" "$P"
			form_is "DWARF $v" "$D/$family.data" all
		else
			skipped "$family: DWARF $v" "other code"
		fi
		dir=$D/$family.types$v
		mkdir "$dir"
		if build "$cxx" "$dir/prog" -g "$@" -gdwarf-$v -fdebug-types-section &&
			same_code "$full" "$dir/prog"; then
			new_form types$v
			cp "$dir/prog" "$P"
			form_is "DWARF $v, types in units of their own" "$D/$family.data" all
		else
			skipped "$family: DWARF $v, types in units of their own" "other code"
		fi
		dir=$D/$family.split$v
		mkdir "$dir"
		if build "$cxx" "$dir/prog" -g "$@" -gdwarf-$v -gsplit-dwarf &&
			same_code "$full" "$dir/prog"; then
			split_forms "split DWARF $v" "$dir/prog" "$D/$family.data"
		else
			skipped "$family: split DWARF $v" "other code"
		fi
	done
}

few=0
family gcc g++
if command -v clang++ > /dev/null; then
	family clang clang++
	few=1
	command -v ld.lld > /dev/null && family clang-lld clang++ -fuse-ld=lld
fi
few=1
family gcc-no-pie g++ -no-pie
family gcc-static-pie g++ -static-pie
echo "1..$n"
exit $failed
