#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records the whole system while containers run, and programs whose files are replaced: names, inlined
# functions and stacks are there while the containers run and after they are gone, also in stock perf.
# The containers are made as tools without a daemon do: unshare, a tmpfs or overlay as root, pivot_root.
# Needs root and mount namespaces.
#
# Environment: BIN, O (build folder), PERF and PERF72 (stock perf 6.1 and the newest; left out if
# missing), KEEP=DIR to keep everything there.

set -u
cd "$(dirname "$0")/../.." || exit 2
BIN=${BIN:-$PWD/bin}
O=${O:-build/gcc}
PREC=${PREC:-$BIN/prec}
PERF=${PERF-$(command -v perf)} PERF72=${PERF72-$(command -v perf-sid)}
ENTER=$(realpath "$O/tests/tools/enter_root")

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}
[ -x "$PREC" ] || skip_all "no prec in $BIN"
[ -x "$ENTER" ] || skip_all "no tests/tools/enter_root: make test-programs"
[ "$(id -u)" = 0 ] || skip_all "not root"
unshare -m -p -f true 2> /dev/null || skip_all "no mount namespaces"
for tool in g++ objcopy strip readelf; do
	command -v $tool > /dev/null || skip_all "no $tool"
done

D=${KEEP:-$(mktemp -d /tmp/containers.XXXXXX)}
mkdir -p "$D/home" "$D/nocache"
groups=()
end() {
	for g in ${groups[@]+"${groups[@]}"}; do
		kill -KILL -- "-$g" 2> /dev/null
	done
	wait 2> /dev/null
	[ -n "${KEEP-}" ] || rm -rf "$D"
}
trap end EXIT
export HOME=$D/home LC_ALL=C TZ=UTC PAGER=cat
unset PERF_BUILDID_DIR PERF_CONFIG DEBUGINFOD_URLS

# --- programs and trees ------------------------------------------------------------------------

src=testdata/workloads/w_container.cc
pids=()
for tag in a b c r s n; do
	id=0x$(printf 'tests/checks/containers.sh:%s' "$tag" | sha1sum | cut -c1-40)
	[ $tag != n ] || id=none
	g++ -O2 -g -DTAG=$tag "-Wl,--build-id=$id" -o "$D/prog_$tag" "$src" 2> "$D/gcc.log" &
	pids+=($!)
done
for p in "${pids[@]}"; do
	wait "$p" || skip_all "no C++ compiler for the workload: $(head -n 1 "$D/gcc.log")"
done

tree() { # FOLDER PROGRAM: a root directory with the program and its libraries
	local f

	mkdir -p "$1/app" "$1/proc" "$1/tmp"
	cp "$2" "$1/app/"
	for f in $(ldd "$2" | grep -o '/[^ ]*'); do
		mkdir -p "$1${f%/*}"
		cp -L "$f" "$1$f"
	done
}
tree "$D/tree_a" "$D/prog_a"
tree "$D/tree_b" "$D/prog_b"
tree "$D/tree_n" "$D/prog_n"
mv "$D/tree_n/app/prog_n" "$D/tree_a/app/"
# another build of the C library at the same path
libc=$(cd "$D/tree_b" && find . -name libc.so.6)
off=$(readelf -SW "$D/tree_b/$libc" | sed -n 's/.*\.note\.gnu\.build-id *NOTE *[0-9a-f]* *\([0-9a-f]*\).*/\1/p')
printf 'another build' | dd of="$D/tree_b/$libc" bs=1 seek=$((0x$off + 16)) conv=notrunc 2> /dev/null
# a stripped program whose debug file is in the container only
tree "$D/tree_c" "$D/prog_c"
id=$(readelf -n "$D/prog_c" | sed -n 's/.*Build ID: //p')
mkdir -p "$D/tree_c/usr/lib/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug "$D/prog_c" "$D/tree_c/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
strip "$D/tree_c/app/prog_c"

# Starts a program in a container of its own, in a process group that is killed in the end.
container() { # KIND TREE WORDS...
	local kind=$1 tree=$2 root=$D/root$((++nr_roots))

	shift 2
	mkdir -p "$root"
	# shellcheck disable=SC2016
	setsid unshare -m -p -f --propagation private sh -c '
		kind=$1 tree=$2 root=$3 enter=$4
		shift 4
		if [ "$kind" = tmpfs ]; then
			mount -t tmpfs tmpfs "$root" && cp -a "$tree/." "$root"
		else
			mount -t tmpfs tmpfs "$root" && mkdir "$root/up" "$root/work" "$root/all" &&
				mount -t overlay -o "lowerdir=$tree,upperdir=$root/up,workdir=$root/work" \
					overlay "$root/all" && root=$root/all
		fi || exit
		mount -t tmpfs tmpfs "$root/tmp" && mount -t proc proc "$root/proc" || exit
		exec "$enter" "$root" "$@"' sh "$kind" "$tree" "$root" "$ENTER" "$@" \
		> "$root.out" 2> "$root.log" < /dev/null &
	groups+=($!)
}
nr_roots=0

# --- the recording -----------------------------------------------------------------------------

# For commands that prec runs: waits until PID has run for 0.1 s and prec holds its FILE open, or does
# not keep files (HELD empty). Two looks must see it: prec also opens a file to read its build-id.
until_held() { # PID FILE
	local i looks=0

	for ((i = 0; i < 600; i++)); do
		if [ "$(awk '{ print $14 }' "/proc/$1/stat")" -ge 10 ] &&
			{ [ -z "$HELD" ] || find "/proc/$PPID/fd" -lname "$2" | grep -q .; }; then
			looks=$((looks + 1))
		else
			looks=0
		fi
		[ $looks -lt 2 ] || break
		sleep 0.05
	done
}
export -f until_held
export HELD=1

comms='prog_a prog_b prog_c prog_n prog_r prog_s'
container tmpfs "$D/tree_a" /app/prog_a 60000
container overlay "$D/tree_b" /app/prog_b 60000
container tmpfs "$D/tree_c" /app/prog_c 60000
container tmpfs "$D/tree_a" /app/prog_n 60000
node=$(command -v node)
if [ -n "$node" ]; then
	comms+=' node node_dump'
	cat > "$D/spin.js" <<- 'END'
		function spinInContainer(n) { let x = 0; for (let i = 0; i < n; i++) x = (x * 3 + i) % 1000003; return x; }
		for (let i = 0; i < 100; i++) spinInContainer(10000);
		if (process.title === "node_dump") // node writes its dump in blocks of 2 MiB
			for (let i = 0; i < 500; i++)
				new Function("a", "a++;".repeat(100) + "return a + " + i)(i);
		console.log("spinning");
		const end = Date.now() + 60000;
		while (Date.now() < end) spinInContainer(100000);
	END
	container overlay / "$node" --perf-basic-prof --no-turbo-inlining -e "$(cat "$D/spin.js")"
	node_outs=("$D/root$nr_roots.out")
	# it writes a jitdump to its root directory; the times in it are of the clock "mono"
	container overlay / "$node" --title=node_dump --perf-prof --always-sparkplug \
		--no-turbo-inlining -e "$(cat "$D/spin.js")"
	node_outs+=("$D/root$nr_roots.out")
fi
cp "$D/prog_r" "$D/running"
setsid "$D/running" 60000 & # replaced while it is recorded
groups+=($!)
export RUNNING=$!

all_run() {
	local comm

	for comm in prog_a prog_b prog_c prog_n running; do
		grep -qx "$comm" /proc/[0-9]*/comm 2> /dev/null || return
	done
	[ -z "$node" ] || [ "$(cat "${node_outs[@]}" | grep -c spinning)" -eq 2 ]
}
for ((i = 0; i < 400; i++)); do
	! all_run || break
	sleep 0.05
done
# in a chroot the kernel tells paths of other mount namespaces from above the chroot
for pid in $(pgrep -x prog_a); do
	grep -q ' /app/prog_a$' "/proc/$pid/maps" || skip_all "in a chroot: paths of containers begin above it"
done
"$PREC" -q -a -k mono -e cpu-clock -F 249 --call-graph dwarf,16384 -o "$D/data" -- bash -c '
	until_held "$RUNNING" "$1/running"
	cp "$1/prog_a" "$1/new" && mv "$1/new" "$1/running"
	cp "$1/prog_s" "$1/short"
	"$1/short" 60000 &
	until_held $! "$1/short"
	rm "$1/short"
	sleep 0.5
	kill $!
	sleep 0.5' bash "$D" > "$D/prec.log" 2>&1 || skip_all "cannot record: $(head -n 1 "$D/prec.log")"
# From here on they need only be there: what goes on would take the CPUs of the checks beside this one.
for g in "${groups[@]}"; do
	kill -STOP -- "-$g"
done
comms=${comms/prog_r/running}
comms=${comms/prog_s/short}

# --- checks ------------------------------------------------------------------------------------

n=0 failed=0
result() { # TEXT WHY: passed when WHY is empty
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$2" | sed 's/^/# /' | head -n 20
		failed=1
	fi
}

tag_of() { # COMM
	case $1 in
	running) echo r ;;
	short) echo s ;;
	*) echo "${1#prog_}" ;;
	esac
}

fold() { # READER-OPTIONS...
	"$BIN/pfold" --quality=none -i "$D/data" --inline "$@" > "$D/folded" 2> "$D/fold.log"
}

# What is wrong with the stacks of one command in the folded file: at least 97 % are complete and have
# all names, and there are frames of both objects, inlined ones too.
check_stacks() { # COMM
	local comm=$1 tag total whole

	tag=$(tag_of "$1")
	grep "^$comm;" "$D/folded" > "$D/mine"
	total=$(awk '{ n += $NF } END { printf "%d", n / 4000000 }' "$D/mine")
	[ "$total" -ge 1 ] || echo "$total samples"
	if [ "${comm%_dump}" = node ]; then
		grep -q spinInContainer "$D/mine" || echo "no name of the script's function"
		return
	fi
	[ "$tag" != b ] || sed -i 's/;\[libc\.so\.6\]/;unnamed/g' "$D/mine" # stripped, without debug file
	# pfold marks stacks that are not complete, and frames without a name
	awk '!/\[[^k]/ { whole += $NF } { all += $NF }
		END { if (whole < 0.97 * all) print whole " of " all " are complete and named:" }' "$D/mine"
	grep -q ";main;app_$tag::sort_all;.*qsort.*;app_$tag::compare;inlined_weight" "$D/mine" ||
		echo "no inlined function called through the C library"
}

check_all() { # WHEN COMM...
	local when=$1 comm why

	shift
	for comm; do
		why=$(check_stacks "$comm")
		[ -z "$why" ] || why+=$'\n'$(cat "$D/fold.log"; grep "^$comm;" "$D/folded")
		result "$comm $when" "$why"
	done
}

# shellcheck disable=SC2086
{
fold --buildid-dir "$D/nocache"
check_all 'from the files of the running container' prog_a prog_b prog_c prog_n ${node:+node node_dump}
fold
check_all 'while the containers run, with the cache' $comms
for g in "${groups[@]}"; do
	kill -KILL -- "-$g" 2> /dev/null
done
wait 2> /dev/null
groups=()
rm -rf "$D"/tree_* "$D"/running
fold
check_all 'from the cache, when all are gone' $comms
}

perf_names() { # PERF
	local comm tag

	"$1" report --no-inline --no-children -i "$D/data" --stdio -q -g none \
		--sort comm,sym < /dev/null > "$D/report" 2> /dev/null
	for comm in $comms; do
		tag=$(tag_of "$comm")
		# perf refuses files without build-id, and does not find maps of dead containers
		[ "$comm" != prog_n ] && [ "${comm%_dump}" != node ] || continue
		grep -q "$comm .*app_$tag::compare" "$D/report" || echo "$comm: app_$tag::compare is missing"
	done
}
for perf in "$PERF" "$PERF72"; do
	[ -z "$perf" ] || result "names in $($perf --version)" "$(perf_names "$perf")"
done
# --- options -----------------------------------------------------------------------------------

deleted() { # OPTIONS...: records a program that is deleted while it runs
	rm -rf "$HOME/.debug"
	cp "$D/prog_s" "$D/gone"
	# shellcheck disable=SC2016
	"$PREC" -e cpu-clock -F 999 -o "$D/gone.data" "$@" -- bash -c '
		"$1" 60000 &
		until_held $! "$1"
		rm "$1"
		kill $!' bash "$D/gone" > "$D/options.log" 2>&1
	kept=$(find "$HOME/.debug" -path '*/gone/*' -name elf 2> /dev/null | wc -l)
	said=$(grep -c 'above the limit of' "$D/options.log")
}
deleted
result 'a deleted program is kept' "$([ "$kept $said" = '1 0' ] || cat "$D/options.log")"
deleted --buildid-cache-limit 10K
result '--buildid-cache-limit leaves it out and says so' \
	"$([ "$kept $said" = '0 1' ] || cat "$D/options.log")"
HELD='' deleted -N
result '-N keeps nothing' "$([ "$kept $said" = '0 0' ] || cat "$D/options.log")"
rm -rf "$HOME/.debug"
"$PREC" -q -e cpu-clock -F 999 -o "$D/gone.data" -- unshare -m "$D/prog_n" 300 > /dev/null 2>&1
result "the host's files of a process in another mount namespace are not copied" \
	"$(find "$HOME/.debug" -name elf 2> /dev/null)"
echo "1..$n"
exit $failed
