#!/bin/bash
# SPDX-License-Identifier: MIT
#
# make install puts everything into DESTDIR, where the commands run and bash completes them, and make
# uninstall takes all of it away. With --all, which builds and takes minutes:
#	make deb	what the package holds and says; twice the same bytes; installed in a fresh root
#			of this release, used and removed (as root, with debootstrap)
#	make static	the commands in a root of another release, with busybox alone, and in a root
#			that holds nothing else (as root)
# Packages come from where this machine's apt has them. SAME_ROOT and OTHER_ROOT name roots that exist
# already: they are copied, not changed. OTHER_SUITE is the other release (trixie on Debian 12).

cd "$(dirname "$0")/../.." || exit 2
: "${O:=build/gcc}" "${CC:=gcc}" "${SAN:=}"
work=$(mktemp -d) || exit 2
mounts=()
finish() {
	local m
	for m in "${mounts[@]}"; do umount "$m"; done
	rm -rf "$work"
}
trap finish EXIT
n=0 bad=0
tell() { # name, complaints
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		bad=1
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}
skip() { # name, why
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# Of an outer make its variables are kept, its job server is not.
case ${MAKEFLAGS-} in
*'-- '*) export MAKEFLAGS="-- ${MAKEFLAGS#*-- }" ;;
*) unset MAKEFLAGS ;;
esac
unset MFLAGS
quiet_make() { make -s CC="$CC" "$@" > "$work/log" 2>&1 || { tail -n 20 "$work/log"; return 1; }; }
here() { quiet_make O="$O" SAN="$SAN" DESTDIR="$work/d est" PREFIX=/opt/prec "$@"; }
recording=testdata/fp-7.2/perf.data

# --- make install, make uninstall ---

at="$work/d est/opt/prec"
commands=$(make -s print-commands)
why=$(here install)
[ -n "$commands" ] || why+="make print-commands names none"
for c in $commands; do
	[ -x "$at/bin/$c" ] || why+=$'\n'"no bin/$c"
	[ -s "$at/share/man/man1/$c.1" ] || why+=$'\n'"no man page of $c"
	[ -s "$at/share/bash-completion/completions/$c" ] || why+=$'\n'"no completion of $c"
	said=$("$at/bin/$c" --version 2>&1)
	[[ $said == "$c version "[0-9]* ]] || why+=$'\n'"$c --version says: $said"
done
for r in $("$at/bin/plat" --list-recipes | cut -d ' ' -f 1); do
	[ -s "$at/share/man/man1/plat-$r.1" ] || why+=$'\n'"no man page of plat $r"
done
tell "make install" "$why"

why=
while IFS='>' read -r line want; do
	got=$(bash --norc -c '
		. "$1/share/bash-completion/completions/'"${line%% *}"'" || exit
		PATH=$1/bin:$PATH
		COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=()
		# as readline splits it: at blanks, = and : are words of their own
		while IFS= read -r w; do COMP_WORDS+=("$w"); done < <(
			printf "%s\n" "$2" | sed "s/[=:]/\n&\n/g; s/  */\n/g")
		case $2 in *[\ =:]) COMP_WORDS+=("") ;; esac
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_prof
		printf "%s\n" "${COMPREPLY[@]}" | sort -u | tr "\n" " "' bash "$at" "$line" 2>&1)
	[ "$got" = "$want " ] || why+="'$line' gives '$got', not '$want '"$'\n'
done << END
prep --quali>--quality
prep --quality=>json none text
prep --quality j>json
prep --no-childr>--no-children
prep --percentage abs>absolute
prep -i testdata/fp-7>testdata/fp-7.2
pevlist --symf>
pevlist --trace>--trace-fields
pfold -i $recording -e >cpu-clock
prec -e cpu-clo>cpu-clock
prec -e task-clock,cpu-clo>task-clock,cpu-clock
prec -- true $recording>$recording
prec --call-graph=d>dwarf
prec -F >199 4000 99 997 max
plat leak --al>--all-cpus --alloc
plat func --tr>--tree
plat --as=ftr>ftrace-latency
plat --as=ftrace-latency --buck>--bucket-range
prep -s sym>symbol symbol_size symoff
prep -s comm,ds>comm,dso comm,dso_size
prep -s par>parallelism parent
prep -F overhead,lat>overhead,latency overhead,latency_children
prep --fields=per>period
END
tell "completion in bash" "$why"

if command -v zsh > /dev/null; then
	why=$(zsh -fc 'autoload -Uz compinit && fpath=($1 $fpath) && compinit -D -u -d $2 &&
		whence -w _'"${commands%% *}"' && print $_comps[prep]' zsh "$at/share/zsh/site-functions" \
		"$work/zcomp" 2>&1)
	[ "$why" = "_${commands%% *}: function"$'\n'"_${commands%% *}" ] && why=
	keys() { grep -o 'comm pid tgid.*cgroup\|keys+=.*' "$1" | sed "s/^[_a-z]*+=//; s/' *$//; s/^'//"; }
	[ "$(keys completion/_prof)" = "$(keys completion/prof.bash)" ] || why+=$'\n'"other keys than in bash"
	tell "completion in zsh loads" "$why"
	lines=('prep --stdio --childr>prep --stdio --children ' 'plat leak --interv>plat leak --interval='
		'plat task-state --wak>plat task-state --waker ' 'plat --as=ftrace-latency --buck>plat --as=ftrace-latency --bucket-range='
		'prec --off-cpu-m>prec --off-cpu-min='
		'pfold --wa>pfold --wall ')
	tell "completion in zsh" "$(PATH=$at/bin:$PATH timeout 60 zsh -f tests/tools/complete.zsh \
		"$at/share/zsh/site-functions" "${lines[@]%>*}" 2>&1 |
		diff <(printf '%s\n' "${lines[@]#*>}") -)"
else
	skip "completion in zsh loads" "no zsh here"
fi

why=$(here uninstall)
[ -z "$(find "$work/d est" ! -type d)" ] || why+=$'\n'$(find "$work/d est" ! -type d)
tell "make uninstall leaves no file" "$why"

if [ "${1-}" != --all ]; then
	echo "1..$n"
	exit $bad
fi

# --- make deb ---

# A root of its own for one test: mine DIR from what is given or made by debootstrap.
fresh_root() { # dir suite given-root
	local site
	if [ -n "$3" ]; then
		cp -a "$3" "$1"
		return
	fi
	site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2> /dev/null |
		grep -v security | head -n 1)
	debootstrap --variant=minbase "$2" "$1" "$site" > "$work/log" 2>&1 && return
	tail -n 5 "$work/log" >&2
	return 1
}
can_root() {
	[ "$(id -u)" -eq 0 ] && { [ -n "$1" ] || command -v debootstrap > /dev/null; }
}

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
case $suite in bookworm) other=trixie ;; *) other=bookworm ;; esac
: "${OTHER_SUITE:=$other}" "${SAME_ROOT:=}" "${OTHER_ROOT:=}"

# The sources alone, as of now: what an earlier build left is not there, and nobody edits them.
src=$work/src
mkdir "$src"
tar -c --exclude=./build --exclude=./bin --exclude='./.*' --exclude=./testdata --exclude=./shared . |
	tar -x -C "$src"

deb=
if command -v dpkg-deb > /dev/null && command -v dpkg-shlibdeps > /dev/null; then
	export SOURCE_DATE_EPOCH=1700000000
	why=$(quiet_make -C "$src" BUILD="$work/b1" deb && quiet_make -C "$src" BUILD="$work/b2" deb)
	deb=$(ls "$work"/b1/deb/*.deb 2> /dev/null)
	[ -z "$why" ] && why=$(cmp "$work"/b[12]/deb/*.deb)
	[ -n "$deb" ] || why+=$'\n'"no package"
	tell "make deb, twice the same bytes" "$why"
else
	skip "make deb" "no dpkg-dev here"
fi

if [ -n "$deb" ]; then
	dpkg-deb -f "$deb" > "$work/control"
	dpkg-deb -c "$deb" > "$work/list"
	why=
	for field in 'Package: [a-z0-9-]*' 'Version: [0-9][0-9.]*' 'Architecture: [a-z0-9]*' \
		'Maintainer: .* <.*@.*>' 'Installed-Size: [1-9][0-9]*' 'Depends: .*libc6 (>= .*libdw1' \
		'Description: .*'; do
		grep -qx -- "$field.*" "$work/control" || why+="no field like $field"$'\n'
	done
	for c in $commands; do
		for f in bin/$c share/man/man1/$c.1.gz share/bash-completion/completions/$c; do
			grep -q " \./usr/$f\( -> .*\)\?$" "$work/list" || why+="no /usr/$f"$'\n'
		done
	done
	why+=$(grep -v ' root/root ' "$work/list"; grep -v '^d.* \./$\| \./usr/' "$work/list")
	tell "what the package says and holds" "$why"
	if command -v lintian > /dev/null; then
		# who maintains it is not for the tree to say
		why=$(lintian "$deb" 2> /dev/null | grep '^[EW]:' | grep -v ' bogus-mail-host')
		tell "lintian" "$why"
	else
		skip "lintian" "no lintian here"
	fi
fi

if [ -z "$deb" ] || ! can_root "$SAME_ROOT"; then
	skip "the package in a fresh root" "needs root, dpkg-dev and debootstrap"
elif ! fresh_root "$work/same" "$suite" "$SAME_ROOT"; then
	skip "the package in a fresh root" "debootstrap $suite failed"
else
	root=$work/same why=
	package=$(dpkg-deb -f "$deb" Package)
	cp "$deb" "$root/tmp/p.deb"
	cp $recording "$root/tmp/perf.data"
	in_root() { DEBIAN_FRONTEND=noninteractive chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
	in_root apt-get -qq update > "$work/log" 2>&1
	in_root apt-get -qq install -y --no-install-recommends /tmp/p.deb > "$work/log" 2>&1 ||
		why+="apt-get install: $(tail -n 5 "$work/log")"$'\n'
	for c in $commands; do
		in_root "$c" --version > "$work/log" 2>&1 || why+="$c: $(cat "$work/log")"$'\n'
	done
	[ "$(in_root pfold -i /tmp/perf.data --quality=none | awk '{ s += $NF } END { print s }')" = \
		"$("$O/bin/pfold" -i $recording --quality=none | awk '{ s += $NF } END { print s }')" ] ||
		why+="pfold's sum there is another"$'\n'
	why+=$(in_root dpkg -V "$package")
	in_root apt-get -qq purge -y "$package" > "$work/log" 2>&1 ||
		why+="apt-get purge: $(tail -n 5 "$work/log")"$'\n'
	for f in $(dpkg-deb -c "$deb" | sed -n 's/^[^d].* \.\(\/usr\/[^ ]*\).*/\1/p'); do
		[ ! -e "$root$f" ] && [ ! -L "$root$f" ] || why+="left behind: $f"$'\n'
	done
	tell "the package in a fresh root: installed, used, removed" "$why"
	rm -rf "$root"
fi

# --- make static ---

why=$(quiet_make -C "$src" BUILD="$work/b1" -j"$(nproc)" static)
static=$work/b1/static
for c in $commands; do
	if readelf -lW "$static/$c" 2>&1 | grep -q INTERP; then why+=$'\n'"$c has an interpreter"; fi
	"$static/$c" --build-options 2>&1 | grep -q ' static: \[ on ' || why+=$'\n'"$c is not static"
done
tell "make static" "$why"

# Reads a recording made outside, as the commands of this build do; records there where that is allowed.
try_static() { # root, what is told
	local root=$1 c why= file
	mkdir -p "$root/t" "$root/proc" "$root/sys"
	for c in $commands; do cp "$static/$c" "$root/t"; done
	cp $recording "$root/t/perf.data"
	for c in prep pscript pfold pevlist; do
		file=$work/$c
		# what is found by path must not be found here, either: the other root has other libraries
		"$O/bin/$c" -i $recording $(options_of "$c") > "$file.want" 2> /dev/null
		chroot "$root" "/t/$c" -i /t/perf.data $(options_of "$c") > "$file.got" 2> "$file.err" ||
			why+="$c: status $?: $(tail -n 2 "$file.err")"$'\n'
		cmp -s "$file.want" "$file.got" || why+="$c: $(diff "$file.want" "$file.got" | head -n 3)"$'\n'
		[ -s "$file.got" ] || why+="$c prints nothing"$'\n'
	done
	if mount -t proc proc "$root/proc" 2> /dev/null; then mounts+=("$root/proc"); fi
	if mount -t sysfs sys "$root/sys" 2> /dev/null; then mounts+=("$root/sys"); fi
	if [ -r "$root/sys/devices/system/cpu/online" ] && prec_works; then
		chroot "$root" /t/prec -q -e cpu-clock -c 100000 -g -o /t/new.data -- /t/pscript -i /t/perf.data \
			> /dev/null 2> "$work/err" || why+="prec: $(cat "$work/err")"$'\n'
		chroot "$root" /t/pfold -i /t/new.data --quality=none | grep -q '^pscript;' ||
			why+="prec's own recording has no samples of pscript"$'\n'
	fi
	chroot "$root" /t/prec -u nobody-by-that-name -- /t/prep > /dev/null 2> "$work/err"
	grep -q 'there is no user' "$work/err" || why+="prec -u: $(cat "$work/err")"$'\n'
	finish_mounts
	tell "$2" "$why"
}
options_of() {
	case $1 in
	prep | pfold) echo "--symfs /nonexistent --quality=none" ;;
	pscript) echo "--symfs /nonexistent" ;;
	esac
}
prec_works() { "$O/bin/prec" -q -e cpu-clock -c 100000 -o "$work/can.data" -- true > /dev/null 2>&1; }
finish_mounts() {
	local m
	for m in "${mounts[@]}"; do umount "$m"; done
	mounts=()
}

if [ "$(id -u)" -ne 0 ]; then
	for what in "nothing else" "busybox alone" "another release"; do
		skip "static commands in a root with $what" "needs root"
	done
else
	mkdir "$work/empty"
	try_static "$work/empty" "static commands in a root with nothing else"

	# the package's file, not installed: it would replace another busybox
	if (cd "$work" && apt-get -qq download busybox-static > log 2>&1) &&
		dpkg-deb -x "$work"/busybox-static_*.deb "$work/bb" 2> "$work/log"; then
		try_static "$work/bb" "static commands in a root with busybox alone"
		busybox=$(cd "$work/bb" && find . -path '*bin/busybox' -type f | head -n 1)
		got=$(chroot "$work/bb" "/${busybox#./}" sh -c '/t/prep -i /t/perf.data 2> /t/err | /'"${busybox#./}"' head -n 1')
		why=$got
		[[ $got == '# '* ]] && why=
		[ -n "$got" ] || why="nothing printed"
		tell "... in its shell" "$why"
	else
		skip "static commands in a root with busybox alone" "no package busybox-static to be had"
	fi
	if ! can_root "$OTHER_ROOT" || ! fresh_root "$work/other" "$OTHER_SUITE" "$OTHER_ROOT"; then
		skip "static commands in a root of $OTHER_SUITE" "needs debootstrap and that release"
	else
		try_static "$work/other" "static commands in a root of $OTHER_SUITE"
	fi
fi
echo "1..$n"
exit $bad
