#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every row of the table of advice (base/advice/advice_table.c): makes the situation that draws it,
# runs the command that is printed, as it is printed, and looks whether the cause is gone. Commands
# that change nothing (use "look") have to print something instead; for rows without a command the
# advice is followed by hand. A row without a situation here fails the check.
#
#	tests/checks/advice.sh [ROW...]		rows by name, or system-files; -l lists the rows
#
# The situations are in checks/advice/*.sh: row_NAME for the row NAME. What this machine does not have
# (package managers with debug symbols, docker, a PMU, servers) is played by scripts and libraries; the
# title of such a row says so. Needs root: users and rights are taken away by setpriv. Settings of the
# kernel are changed while /proc/sys/kernel/perf_event_paranoid is locked, and set back at the end.

set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/checks/source_lists.sh
BIN=$(realpath "${BIN:-bin}") O=$(realpath "${O:-build/gcc}")
export LC_ALL=C TZ=UTC
args=("$@")

skip_all() { echo "1..0 # SKIP $*"; exit 77; }
[ -x "$O/tests/tools/advice_list" ] || skip_all "no $O/tests/tools/advice_list"
[ "${1-}" = -l ] && exec "$O/tests/tools/advice_list"
[ "$(id -u)" = 0 ] || skip_all "not root"
[[ ${SAN-} != *thread* ]] || skip_all "the thread sanitizer does not stand libraries in front of it"
# a library that plays refusals stands in front of the sanitizer's
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
for tool in setpriv setcap gcc strip objcopy unshare flock; do
	command -v $tool > /dev/null || skip_all "no $tool"
done
[ "$(uname -m)" = x86_64 ] || skip_all "its programs are x86_64 ones"
if [ -z "${ADVICE_INNER-}" ]; then
	unshare -m true 2> /dev/null || skip_all "no mount namespaces"
	ADVICE_INNER=1 exec unshare -m --propagation private bash "tests/checks/advice.sh" ${args[@]+"${args[@]}"}
fi

# A checkout below /tmp stays in sight: it is mounted at /mnt as well.
case $PWD in
/tmp/*)
	mount --bind "$PWD" /mnt || skip_all "cannot mount"
	[[ $BIN != "$PWD"/* ]] || BIN=/mnt${BIN#"$PWD"}
	[[ $O != "$PWD"/* ]] || O=/mnt${O#"$PWD"}
	cd /mnt || exit 2 ;;
esac
mount -t tmpfs -o mode=1777 none /tmp || skip_all "cannot mount"
D=/tmp/advice
mkdir -m 755 $D $D/bin $D/home $D/players $D/work || exit 2
cp "$BIN"/{prec,prep} $D/bin/ || exit 2
exec 9< /proc/sys/kernel/perf_event_paranoid
flock -w 60 9 || skip_all "another check changes the settings"

settings='kernel.perf_event_paranoid kernel.kptr_restrict kernel.perf_event_max_sample_rate
	kernel.perf_event_mlock_kb kernel.perf_event_max_stack'
# For all but unprivileged users: see tests/frame/stored_kallsyms.sh.
cp /proc/kallsyms $D/kallsyms && mount --bind $D/kallsyms /proc/kallsyms
declare -A at_start
while read -r _ where _; do at_start[$where]=1; done < /proc/mounts
value_of() { # SETTING: in $value
	read -r value < "/proc/sys/${1//.//}"
}
before=$(for s in $settings; do value_of $s && echo "$s=$value"; done)
# The length of chains cannot be changed while someone records chains.
set_back() {
	local s i value
	for s in $before; do
		for i in {1..100}; do
			value_of "${s%=*}"
			[ "$value" = "${s#*=}" ] && break
			sysctl -q "$s" 2> /dev/null || sleep 0.1
		done
	done
	mount -o remount,mode=700,gid=0 /sys/kernel/tracing 2> /dev/null
}
trap set_back EXIT
trap 'exit 1' INT TERM

. tests/checks/advice/programs.sh
. tests/checks/advice/files.sh
. tests/checks/advice/stacks.sh
. tests/checks/advice/rights.sh
. tests/checks/advice/limits.sh
make_programs || skip_all "no compiler for the programs: $(head -n 1 $D/cc.log)"
"$D/bin/prec" -q -o $D/can.data -e cpu-clock -- true > $D/can.log 2>&1 ||
	skip_all "cannot record: $(head -n 1 $D/can.log)"

# --- what the situations use -------------------------------------------------------------------------

export PATH=$D/players:$D/bin:$PATH HOME=$D/home
unset DEBUGINFOD_URLS LD_LIBRARY_PATH

fail() { echo "$*"; exit 1; }
skip() { echo "SKIP $*"; exit 77; }
# Says in the row's title what is not the real thing.
played() { echo "$*" > $D/played; }

# Finds the row's command in the output of a command, which stays in $said, and sets $command.
advised() { # ROW, the output
	local re=${re_of[$1]}
	said=$2
	if [ "${use_of[$1]}" = words ]; then
		command=''
		return 0
	fi
	[[ $said =~ $re ]] || fail "not advised: $1, but:"$'\n'"$said"
	command=${BASH_REMATCH[0]}
	echo "$command" >> $D/commands
}
# Runs the advised command as a user would who pasted it.
paste() { bash -c "$command" > paste.log 2>&1 || fail "status $? of: $command: $(cat paste.log)"; }
look() { [ -n "$(bash -c "$command" 2>&1)" ] || fail "it prints nothing: $command"; }
has() { grep -qF -- "$2" <<< "$1" || fail "no '$2' in:"$'\n'"$1"; }
lacks() { ! grep -qF -- "$2" <<< "$1" || fail "still '$2' in:"$'\n'"$1"; }
# What prec and prep say and show.
rec() { prec -q -o f.data "$@" 2>&1; }
verdict() { prep -f --quality=text -i f.data "$@" 2>&1 > table; }
# As the user nobody, with the capabilities of the variable caps ("-all,+perfmon").
caps=-all
nobody() {
	umount /proc/kallsyms 2> /dev/null # which hides addresses
	local user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	[ "$caps" = -all ] || user+=(--inh-caps="$caps" --ambient-caps="$caps")
	chown 65534:65534 . f.data 2> /dev/null
	chown 65534:65534 n.data 2> /dev/null
	"${user[@]}" -- "$@"
}
setting() { sysctl -q "$1" 2> /dev/null; }
paranoid() { setting kernel.perf_event_paranoid="$1" || fail "paranoid stays"; }

# What a row before this one has left: folders, mounts, stand-ins.
clean() {
	local lines line where value
	mapfile -t lines < /proc/mounts
	for line in "${lines[@]}"; do
		where=${line#* }
		where=${where%% *}
		[ -n "${at_start[$where]-}" ] || umount -l "$where" 2> /dev/null
	done
	[[ ${lines[*]} == *' /proc/kallsyms '* ]] || mount --bind $D/kallsyms /proc/kallsyms
	rm -rf $D/work $D/played $D/home $D/players $D/commands
	mkdir -m 755 $D/work $D/home $D/players
	: > $D/commands
	player sudo <<< 'exec "$@"'
	for s in $before; do
		value_of "${s%=*}"
		[ "$value" = "${s#*=}" ] || set_back
	done
}

# --- running -----------------------------------------------------------------------------------------

"$O/tests/tools/advice_list" > $D/rows
declare -A use_of re_of
while IFS=$'\t' read -r row use re _; do use_of[$row]=$use re_of[$row]=$re; done < $D/rows
nr=0 nr_ok=0 bad=0
while IFS=$'\t' read -r row _ _ when; do
	[ ${#args[@]} -eq 0 ] || [[ " ${args[*]} " = *" $row "* ]] || continue
	nr=$((nr + 1))
	f=row_${row//-/_}
	if ! declare -F "$f" > /dev/null; then
		bad=1
		echo "not ok $nr - $row: no situation in tests/checks/advice"
		continue
	fi
	clean
	why=$(cd $D/work && "$f" 2>&1 < /dev/null)
	rc=$?
	note='' did=$(< $D/commands)
	[ ! -e $D/played ] || note=$(< $D/played)
	did=${did//$'\n'/;} did=${did//#/}
	if [ $rc -eq 0 ]; then
		nr_ok=$((nr_ok + 1))
		echo "ok $nr - $row: $when${note:+ (played: $note)}: ${did:-by hand}"
	elif [ $rc -eq 77 ]; then
		echo "ok $nr - $row # SKIP ${why#*SKIP }"
	else
		bad=1
		echo "not ok $nr - $row: $when"
		printf '%s\n' "$why" | tail -n 20 | sed 's/^/# /'
	fi
done < $D/rows
if [ ${#args[@]} -eq 0 ] || [[ " ${args[*]} " = *" system-files "* ]]; then
	nr=$((nr + 1))
	clean
	why=$(cd $D/work && files_of_the_system 2>&1 < /dev/null)
	if [ -z "$why" ]; then
		echo "ok $nr - files of the system without debug symbols are called stripped:" $(cat $D/commands)
	else
		bad=1
		echo "not ok $nr - files of the system without debug symbols are called stripped"
		sed 's/^/# /' <<< "$why"
	fi
fi
echo "# $nr_ok of $(wc -l < $D/rows) rows exercised"
echo "1..$nr"
exit $bad
