#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What others may have put at the paths that a recording names, and where recordings are written:
# FIFOs, devices, file systems that do not answer, files of other users, links that lead elsewhere.
# Each is refused with one line that names it, says why, and how to go on; nothing waits for it.

. tests/frame/tell.sh
: "${BIN:=$PWD/bin}" "${O:=$PWD/build/gcc}"
O=$(realpath "$O") BIN=$(realpath "$BIN")
place=$O/tests/tools/place_recording
silent=$O/tests/tools/silent_mount
data=$PWD/testdata
tmp=$(mktemp -d) || exit 2
trap 'chmod -R u+rwx "$tmp"; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp" || exit 2
HOME=$tmp/home
export HOME

skip() { # NAME WHY
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# Runs a command, which must end by itself; sets rc.
use() {
	timeout 20 "$@" > out 2> err
	rc=$?
	[ $rc -lt 124 ] || [ $rc -eq 255 ] || why+=" status $rc;"
}

# One line of err has PLACE, and it matches the pattern.
one_line() { # PLACE PATTERN
	local lines
	lines=$(grep -v ': quality: ' err | grep -F "$1")
	[ "$(printf '%s\n' "$lines" | wc -l)" -eq 1 ] || why+=" not one line about $1;"
	# shellcheck disable=SC2053
	[[ $lines == *$2* ]] || why+=" does not say \"$2\";"
}

# --- paths of a recording ---

mkdir dir dead tree outside
mkfifo dir/fifo
ln -s /dev/zero dir/device
ln -s "$tmp/dead/app" dir/link
cp "$data"/symfs/*/w_cpp outside/app 2> /dev/null || cp "$(find "$data/symfs" -name w_cpp | head -n 1)" outside/app

# the writer finds a reader only if somebody opens the FIFO
timeout 60 sh -c 'echo > dir/fifo; : > opened' &
writer=$!
"$place" places.data 99999999 "$tmp/dir/fifo" "$tmp/dir/device" "$tmp/dir/../outside/app"
for c in "prep --stdio" pscript pfold "pann --stdio"; do
	# shellcheck disable=SC2086
	use "$BIN"/$c -i places.data
	one_line "$tmp/dir/fifo" "it is a FIFO, not a regular file: put the recorded file there"
	tell_why "${c%% *}: a FIFO at a recorded path"
	one_line "$tmp/dir/device" "it is a device, not a regular file: put the recorded file there"
	tell_why "${c%% *}: a device at a recorded path"
	one_line "$tmp/dir/../outside/app" "has '..', which no recorder writes: add the file to"
	tell_why "${c%% *}: '..' in a recorded path"
done
sleep 0.1
[ ! -e opened ] || why+=" its writer found a reader;"
tell_why "the FIFO was never opened"
timeout 1 cat dir/fifo > /dev/null
wait $writer

"$place" dead.data 99999999 "$tmp/dead/app" "$tmp/dir/link"
if "$silent" dead true 2> /dev/null; then
	use "$silent" dead "$BIN/prep" -i dead.data
	one_line "$tmp/dead/app" "its file system does not answer: mount it again"
	tell_why "prep: a file system that does not answer"
	one_line "$tmp/dir/link" "its file system does not answer: mount it again"
	tell_why "prep: a link into a file system that does not answer"
else
	skip "prep: a file system that does not answer" "FUSE cannot be mounted here"
fi

# --- --symfs ---

mkdir -p tree/usr/bin tree/opt
cp outside/app tree/opt/real
ln -s ../../../outside/app tree/usr/bin/relative
ln -s "$tmp/outside/app" tree/usr/bin/absolute
ln -s /opt/real tree/usr/bin/inside
ln -s "$tmp/outside" tree/lib
"$place" symfs.data 99999999 /usr/bin/relative /usr/bin/absolute /usr/bin/inside /lib/app \
	/usr/bin/../../../outside/app
use "$BIN/prep" --symfs tree -i symfs.data
for path in /usr/bin/relative /usr/bin/absolute /lib/app; do
	one_line "tree$path" "leads out of the folder of --symfs: copy the file into that folder"
	tell_why "--symfs: $path leads out of the folder"
done
one_line /usr/bin/../../../outside/app "has '..'"
tell_why "--symfs: '..' in a recorded path"
grep -q 'tree/usr/bin/inside' err && why+=" refused;"
use "$BIN/prep" --symfs tree -i symfs.data --why /usr/bin/inside
grep -A 1 'tree/usr/bin/inside$' out | grep -q 'code' || why+=" not used;"
tell_why "--symfs: an absolute link leads to the tree's own file"

# --- debug links ---

if command -v objcopy > /dev/null; then
	objcopy -R .symtab --strip-all --remove-section=.note.gnu.build-id outside/app linked
	printf '%s\0\0\0\0' ../outside/app | head -c 20 > link_section
	objcopy --add-section .gnu_debuglink=link_section linked
	"$place" linked.data 99999999 "$tmp/linked"
	use "$BIN/prep" -i linked.data
	one_line "$tmp/linked" ".gnu_debuglink is not followed: it names a path, '../outside/app'"
	tell_why "a .gnu_debuglink with '../'"
else
	skip "a .gnu_debuglink with '../'" "no objcopy here"
fi

# --- files of other users ---

foreign() { # a file that belongs to somebody else
	chown 65533:65533 "$@"
}
if [ "$(id -u)" -eq 0 ] && touch probe && foreign probe 2> /dev/null; then
	unset SUDO_UID SUDO_GID
	cp "$data/fp-7.2/perf.data" theirs.data
	mkdir theirs.dir
	cp "$data/fp-7.2/perf.data" theirs.dir/data
	mkfifo theirs.fifo
	foreign theirs.data theirs.dir/data theirs.fifo
	for file in theirs.data theirs.dir theirs.fifo; do
		for c in prep pscript pfold pann pevlist; do
			use "$BIN/$c" -i $file
			[ $rc -eq 1 ] || why+=" status $rc;"
			[ "$(wc -l < err)" -eq 1 ] || why+=" not one line;"
			one_line "$c: $file: " "it belongs to another user (uid 65533), neither to root nor to you: -f reads it anyway"
			tell_why "$c: $file of another user"
		done
	done
	for c in "prep --stdio" pscript pfold pevlist; do
		# shellcheck disable=SC2086
		use "$BIN"/$c -f -i theirs.data
		[ $rc -eq 0 ] || why+=" status $rc;"
		# shellcheck disable=SC2086
		SUDO_UID=65533 use "$BIN"/$c -i theirs.data
		[ $rc -eq 0 ] || why+=" status $rc for the user of sudo;"
		tell_why "${c%% *} -f reads a recording of another user, and sudo that of its caller"
	done

	# beside the recording, as /tmp may have maps of other tests
	mkdir jit
	"$place" jit/perf.data 99999999 /absent
	echo "64000000 100000 jitted_function" > jit/perf-99999999.map
	foreign jit/perf-99999999.map
	use "$BIN/prep" -i jit/perf.data
	one_line jit/perf-99999999.map "it belongs to another user, neither to root nor to you: -f reads it anyway"
	grep -q jitted_function out && why+=" its names are used;"
	tell_why "perf-PID.map of another user"
	use "$BIN/prep" -f -i jit/perf.data
	grep -q jitted_function out || why+=" its names are not used;"
	tell_why "-f reads perf-PID.map of another user"

	cp "$data"/jitdump/* jit/ 2> /dev/null
	dump=$(find jit -name 'jit-*.dump' | head -n 1)
	if [ -n "$dump" ]; then
		foreign "$dump"
		use "$BIN/prep" -i jit/perf.data
		one_line "${dump##*/}" "it belongs to another user, neither to root nor to you: -f reads it anyway"
		tell_why "a jitdump of another user"
		use "$BIN/prep" -f -i jit/perf.data
		! grep -q 'another user' err || why+=" refused;"
		tell_why "-f reads a jitdump of another user"
	fi
else
	skip "files of other users" "only root can make them"
fi
# --- where recordings and copies are written ---

mode() { # what `stat -c` says of FORMAT for FILE: MODE
	[ "$(stat -c "$1" "$2")" = "$3" ] || why+=" $2 is $(stat -c "$1" "$2"), not $3;"
}
prec() { use "$BIN/prec" -e cpu-clock:u "$@" -- true; }

mkdir written
if (umask 0; prec -o written/new.data) && [ -s written/new.data ]; then
	mode %a written/new.data 600
	tell_why "prec: a recording is its owner's only, whatever the umask"

	cp written/new.data written/target
	ln -s target written/link.data
	echo kept > written/kept
	ln -s kept written/link.data.old
	prec -o written/link.data
	mode %F written/link.data 'regular file'
	mode %F written/link.data.old 'symbolic link'
	cmp -s written/new.data written/target || why+=" the link's file was changed;"
	[ "$(cat written/kept)" = kept ] || why+=" the file behind .old was changed;"
	tell_why "prec: links are renamed and not followed"

	mkdir -p written/full.data.old/x
	cp written/new.data written/full.data
	prec -o written/full.data
	[ $rc -ne 0 ] || why+=" status 0;"
	one_line written/full.data "remove the one that is in the way, or choose another file with -o"
	tell_why "prec: a directory in the place of the old file"

	if [ -e probe ]; then
		ln -s aim written/trap.data
		mkfifo written/trap.fifo
		: > written/trap.empty
		chmod 666 written/trap.empty
		foreign -h written/trap.data written/trap.fifo written/trap.empty
		prec -o written/trap.data
		one_line written/trap.data "it is a symbolic link of another user (uid 65533): remove it, or"
		[ ! -e written/aim ] || why+=" it was followed;"
		tell_why "prec: a link of another user"
		prec -o written/trap.fifo
		one_line written/trap.fifo "it is a FIFO or device of another user (uid 65533): remove it, or"
		tell_why "prec: a FIFO of another user"
		prec -o written/trap.empty
		mode '%u %a' written/trap.empty '0 600'
		tell_why "prec: an empty file of another user is not written to"
	fi
else
	why=
	skip "prec: recordings and links" "nothing can be recorded here"
fi

{ head -c 2000 "$data/fp-7.2/perf.data"; sleep 0.5; tail -c +2001 "$data/fp-7.2/perf.data"; } |
	"$BIN/pevlist" -i - > out 2> err &
sleep 0.25
copies=0
for fd in /proc/$!/fd/*; do
	case $(readlink "$fd") in
	*deleted*)
		copies=$((copies + 1))
		[ "$(stat -L -c %a "$fd")" = 600 ] || why+=" $(stat -L -c '%a %n' "$fd");" ;;
	esac
done
wait $!
[ $copies -eq 1 ] || why+=" $copies files without a name are open;"
tell_why "the copy of a recording that comes through a pipe has no name and is its owner's only"

mkdir dumps
cp "$data/fp-7.2/perf.data" dumps/
echo kept > dumps/kept
event=$("$BIN/pevlist" -i dumps/perf.data | head -n 1)
ln -s kept "dumps/perf.data.$event.dump"
use "$BIN/pscript" --per-event-dump -i dumps/perf.data
[ $rc -eq 1 ] || why+=" status $rc;"
[ "$(cat dumps/kept)" = kept ] || why+=" the link was followed;"
one_line "dumps/perf.data.$event.dump" "symbolic link"
tell_why "pscript --per-event-dump does not write through a link"

echo "1..$n"
exit $failed
